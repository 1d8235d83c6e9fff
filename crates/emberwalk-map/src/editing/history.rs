//! Undo and redo.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use super::stroke::{Direction, MapChange, Stroke, StrokeError};
use crate::map::{CellEdit, Edges, EditError, Layers, Map, ResizeError};
use crate::terrain::TerrainId;

/// The maximum memory for all strokes together, in bytes.
///
/// A stroke that changes one terrain into another takes less than one and a half bits for each cell of the map,
/// whatever its shape, so on 512 x 512 cells there is room for 1000 of these.
const MAX_BYTES: usize = 48 << 20;

/// The strokes of a map: what can be undone and redone, and whether there is something to save.
///
/// Everything that changes the map as a user understands it goes through the history. Changes that belong to the
/// moment, such as eruptions, do not: they must not be on the map while the history changes it.
///
/// A stroke takes little memory: a few bytes for each run of cells, compressed. At least the last stroke is kept, and
/// as many before it as fit into 48 MiB: 1000 strokes on 512 x 512 cells if each fills the whole map, even if it
/// consists of noise. Only if many strokes paste noise of many terrains onto the whole map, the oldest are dropped
/// earlier; of the worst ones, about 200 fit.
///
/// ```
/// use emberwalk_map::{CellEdit, Map};
/// use emberwalk_map::editing::History;
/// use emberwalk_map::terrain::Tileset;
/// let mut map = Map::open("figures/snow".as_ref(), &Tileset::load(None)?.into())?;
/// let (mut history, before) = (History::new(), map.clone());
/// let wall = map.tileset().find('W');
/// // A stroke grows while the mouse button is held.
/// history.apply(&mut map, &[CellEdit::overlay((4, 5).into(), wall)])?;
/// history.apply(&mut map, &[CellEdit::overlay((4, 6).into(), wall)])?;
/// assert!(history.finish_stroke(&map) && history.is_unsaved());
/// history.undo(&mut map)?;
/// assert!(map.is_same(&before) && !history.is_unsaved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct History {
    /// What can be undone; the last one first.
    done: VecDeque<Step>,
    /// What can be redone; the last one first.
    undone: Vec<Step>,
    /// What was there before each edit of the stroke that is not finished.
    open: Vec<CellEdit>,
    /// The id of the state before all strokes that are kept.
    oldest: u64,
    /// The id of the state that is saved; `None` if the map was never saved.
    saved: Option<u64>,
    /// The latest id that is in use.
    last_id: u64,
    /// The memory of `done` and `undone`, and its maximum.
    bytes: usize,
    max_bytes: usize,
    /// What has been done since [`take_steps`](Self::take_steps).
    steps: Vec<Step>,
}

/// A stroke that was applied or undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the stroke in its history. It is also that of the state of the map after it.
    pub(super) id: u64,
    pub(super) stroke: Arc<Stroke>,
    pub(super) direction: Direction,
}

impl Step {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.stroke.bytes()
    }

    /// Returns about how many cells it changes.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.stroke.cells()
    }

    /// Does this to the map.
    ///
    /// # Errors
    /// [`StrokeError`]; the map is then as it was.
    pub fn apply(&self, map: &mut Map) -> Result<MapChange, StrokeError> {
        self.stroke.apply(map, self.direction)
    }

    fn reversed(&self) -> Self {
        Self { direction: self.direction.opposite(), ..self.clone() }
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}

impl History {
    /// Returns a history without strokes. The present state is the saved one.
    pub fn new() -> Self {
        Self::with_max_bytes(MAX_BYTES)
    }

    /// Returns the history of a map that was never saved.
    pub fn never_saved() -> Self {
        Self { saved: None, ..Self::new() }
    }

    /// Returns a history whose strokes take at most this memory, apart from the last one.
    pub fn with_max_bytes(max_bytes: usize) -> Self {
        Self {
            done: VecDeque::new(),
            undone: Vec::new(),
            open: Vec::new(),
            oldest: 0,
            saved: Some(0),
            last_id: 0,
            bytes: 0,
            max_bytes,
            steps: Vec::new(),
        }
    }

    /// Applies edits as a part of the current stroke, and begins one if there is none. Returns the edits that undo
    /// these edits.
    ///
    /// # Errors
    /// [`EditError`]; the map is then as it was.
    pub fn apply(&mut self, map: &mut Map, edits: &[CellEdit]) -> Result<Vec<CellEdit>, EditError> {
        let undo = map.apply(edits)?;
        self.open.extend(undo.iter().rev());
        Ok(undo)
    }

    /// Finishes the current stroke; returns whether it has changed anything. What was undone can then no longer be
    /// redone.
    pub fn finish_stroke(&mut self, map: &Layers) -> bool {
        let stroke = Stroke::of_cells(map, &mem::take(&mut self.open));
        let has_changed = stroke.is_some();
        stroke.into_iter().for_each(|stroke| self.push(stroke, Direction::Forward));
        has_changed
    }

    /// Makes all that differs between two versions of the map one stroke; returns whether anything does. For large
    /// changes this takes less memory than [`apply`](Self::apply).
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_map::editing::History;
    /// use emberwalk_map::terrain::Tileset;
    /// let mut map = Map::open("figures/snow".as_ref(), &Tileset::load(None)?.into())?;
    /// let (mut history, before) = (History::new(), map.content().clone());
    /// map.set_overlay((4, 5).into(), map.tileset().find('W'))?;
    /// assert!(history.record(&before, &map) && history.can_undo());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(&mut self, before: &Layers, after: &Layers) -> bool {
        self.finish_stroke(before);
        let stroke = Stroke::between(before, after);
        let has_changed = stroke.is_some();
        stroke.into_iter().for_each(|stroke| self.push(stroke, Direction::Forward));
        has_changed
    }

    /// Takes over what another one has noted about the same strokes since this one was cloned from it: what is saved,
    /// and what has been done since [`take_steps`](Self::take_steps).
    pub fn take_over_from(&mut self, original: &mut Self) {
        self.saved = original.saved;
        self.steps.splice(0..0, mem::take(&mut original.steps));
    }

    /// Undoes the current stroke for good. Returns the edits that would undo that.
    pub fn cancel_stroke(&mut self, map: &mut Map) -> Vec<CellEdit> {
        let edits: Vec<_> = mem::take(&mut self.open).into_iter().rev().collect();
        map.apply(&edits).unwrap_or_default()
    }

    /// Resizes the map, see [`Map::resized`].
    ///
    /// # Errors
    /// [`ResizeError`]; the map is then as it was.
    pub fn resize(&mut self, map: &mut Map, edges: Edges, ground: TerrainId) -> Result<(), ResizeError> {
        let resized = map.resized(edges, ground)?;
        self.finish_stroke(map);
        if edges != Edges::default() {
            self.push(Stroke::of_resize(map, edges, ground), Direction::Forward);
            *map = resized;
        }
        Ok(())
    }

    /// Changes the name and the description of the map; returns whether they are different now.
    pub fn set_name_and_about(&mut self, map: &mut Map, name: String, about: Option<String>) -> bool {
        self.finish_stroke(map);
        let before = map.content().clone();
        map.set_name_and_about(name, about);
        let Some(stroke) = Stroke::of_texts(&before, map) else { return false };
        self.push(stroke, Direction::Forward);
        true
    }

    /// Undoes the last stroke, which is finished if it is not; `None` if there is none.
    ///
    /// # Errors
    /// [`StrokeError`]; map and history are then as they were.
    pub fn undo(&mut self, map: &mut Map) -> Result<Option<MapChange>, StrokeError> {
        self.finish_stroke(map);
        let Some(step) = self.done.back().map(Step::reversed) else { return Ok(None) };
        let change = step.apply(map)?;
        self.undone.extend(self.done.pop_back());
        self.steps.push(step);
        Ok(Some(change))
    }

    /// Does again what was undone last; `None` if there is nothing.
    ///
    /// # Errors
    /// [`StrokeError`]; map and history are then as they were.
    pub fn redo(&mut self, map: &mut Map) -> Result<Option<MapChange>, StrokeError> {
        self.finish_stroke(map);
        let Some(step) = self.undone.last().cloned() else { return Ok(None) };
        let change = step.apply(map)?;
        self.done.extend(self.undone.pop());
        self.steps.push(step);
        Ok(Some(change))
    }

    /// Does what another history has recorded, as a stroke of this one.
    ///
    /// # Errors
    /// [`StrokeError`]; map and history are then as they were.
    pub fn replay(&mut self, map: &mut Map, step: &Step) -> Result<MapChange, StrokeError> {
        self.finish_stroke(map);
        let change = step.apply(map)?;
        self.push_shared(step.stroke.clone(), step.direction);
        Ok(change)
    }

    /// Returns what has been done since the last call, for the [recovery file](super::RecoveryLog).
    pub fn take_steps(&mut self) -> Vec<Step> {
        mem::take(&mut self.steps)
    }

    /// Whether something has been done since the last call of [`take_steps`](Self::take_steps).
    pub fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Whether something can be undone.
    pub fn can_undo(&self) -> bool {
        !self.done.is_empty() || !self.open.is_empty()
    }

    /// Whether something can be redone.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty() && self.open.is_empty()
    }

    /// Returns how many strokes can be undone, without one that is not finished.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Returns about how many cells the next undo changes, without a stroke that is not finished.
    #[must_use]
    pub fn cells_to_undo(&self) -> usize {
        self.done.back().map_or(0, Step::cells)
    }

    /// Returns about how many cells the next redo changes.
    #[must_use]
    pub fn cells_to_redo(&self) -> usize {
        self.undone.last().map_or(0, Step::cells)
    }

    /// Whether no finished stroke can be undone.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Notes that the map is saved as it is now.
    pub fn mark_saved(&mut self) {
        self.saved = Some(self.state());
    }

    /// Whether the map differs from the saved one: whether other strokes are done than when it was saved, or it was never
    /// saved.
    pub fn is_unsaved(&self) -> bool {
        self.saved != Some(self.state()) || !self.open.is_empty()
    }

    /// Returns the memory of all finished strokes, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the number of the present state of the map. Two states of one history have the same number only if they
    /// are the same.
    pub fn state(&self) -> u64 {
        self.done.back().map_or(self.oldest, |step| step.id)
    }

    fn push(&mut self, stroke: Stroke, direction: Direction) {
        self.push_shared(Arc::new(stroke), direction);
    }

    fn push_shared(&mut self, stroke: Arc<Stroke>, direction: Direction) {
        self.last_id += 1;
        let step = Step { id: self.last_id, stroke, direction };
        self.bytes += step.bytes();
        self.bytes -= self.undone.drain(..).map(|step| step.bytes()).sum::<usize>();
        self.steps.push(step.clone());
        self.done.push_back(step);
        while self.bytes > self.max_bytes && self.done.len() > 1 {
            if let Some(step) = self.done.pop_front() {
                (self.oldest, self.bytes) = (step.id, self.bytes - step.bytes());
            }
        }
    }
}
