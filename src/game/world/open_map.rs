//! The map that is open.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use bevy::prelude::*;
use tracing::info;

use emberwalk_map::editing::{History, Step};
use emberwalk_map::terrain::TerrainId;
use emberwalk_map::{CellEdit, Edges, EditError, LayerEdit, Map, MapContent, ResizeError};
use emberwalk_path::grid::Cell;
use emberwalk_picture::iso::Projection;
use emberwalk_picture::scene::projection;

use super::terrain_changed::{ChangeCause, TerrainChanged};
use super::volcanoes::VolcanoChoice;

/// The map that is open. It changes only when its terrain changes or another map is opened. Then routes are planned
/// again.
#[derive(Resource, Deref)]
pub struct OpenMap {
    #[deref]
    map: Map,
    volcanoes: VolcanoChoice,
    /// The edits that turn the volcanoes back into their state in the map file.
    as_drawn: Vec<CellEdit>,
    history: History,
    /// Whether there is a dormant volcano, and the cells of the volcanoes that erupt now, row by row. Finding them
    /// takes long on a large map, and the buttons need them in each frame.
    any_dormant: bool,
    erupting: Vec<Cell>,
    /// Whether its file is gone, so that this is the only copy.
    is_file_gone: bool,
    frame: Frame,
}

/// The position of the cells of the open map, relative to when it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct Frame {
    /// A number that is unique to each opened map, even if the same map is opened again.
    pub opened: u64,
    /// The rows and columns that were added at its edges since.
    pub added: Edges,
}

/// A map was opened: the journey and the view start again. Its observers run in no particular order.
#[derive(Event)]
pub struct MapOpened;

/// A map was opened, or has changed so much that everything is drawn again. Its observers run in no particular order,
/// after the observers of [`MapOpened`].
#[derive(Event)]
pub(in crate::game) struct MapShown {
    /// Whether it is the same map, and its cells are where they were.
    pub keeps_cells: bool,
}

/// The open map was replaced by a later version of it, or has another size. The journey continues where that is
/// possible. The event describes the map before.
#[derive(Event)]
pub struct MapRenewed {
    /// The cell in which the traveller started.
    pub start: Option<Cell>,
    /// The goal before the player set one.
    pub goal: Option<Cell>,
    /// Where cells were in the map's picture.
    pub projection: Projection,
    /// The rows and columns that the player has added at the edges, by which the cells have moved.
    pub added: Edges,
}

impl MapRenewed {
    /// Where a cell of the map is now, unless it was cut off.
    pub fn cell(&self, before: Cell, map: &OpenMap) -> Option<Cell> {
        Some(self.added.moved(before)).filter(|cell| map.size().contains(*cell))
    }
}

impl OpenMap {
    /// Opens a map as it is in its file, or a new map without a file.
    pub(in crate::game) fn new(map: Map, volcanoes: VolcanoChoice, is_made: bool) -> Self {
        let content = map.content().clone();
        let history = if is_made { History::never_saved(content) } else { History::new(content) };
        Self::with_history(map, volcanoes, history)
    }

    /// Opens the current version of a history.
    pub(super) fn with_history(map: Map, volcanoes: VolcanoChoice, history: History) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let frame = Frame { opened: NEXT.fetch_add(1, Ordering::Relaxed), added: Edges::default() };
        let as_drawn = Vec::new();
        let erupting = Vec::new();
        let mut open =
            Self { map, volcanoes, as_drawn, history, any_dormant: false, erupting, is_file_gone: false, frame };
        open.show_volcanoes();
        open
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The map without the state that belongs to it while it is open.
    pub(super) fn into_map(self) -> Map {
        self.map
    }

    /// The content of the map as it is drawn: without the choice for its volcanoes.
    pub fn drawn(&self) -> Cow<'_, MapContent> {
        if self.as_drawn.is_empty() {
            return Cow::Borrowed(self.map.content());
        }
        Cow::Owned(self.map.content().edited(&self.as_drawn))
    }

    /// The versions that can be undone and redone.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The position of its cells, relative to when it was opened.
    pub(in crate::game) fn frame(&self) -> Frame {
        self.frame
    }

    /// The choice for the volcanoes.
    pub(in crate::game) fn volcanoes(&self) -> VolcanoChoice {
        self.volcanoes
    }

    /// Where cells are in the map's picture.
    pub fn projection(&self) -> Projection {
        projection(&self.map)
    }

    /// Applies edits of the player as a part of the current stroke. The caller must write the returned message, so that
    /// other plugins update.
    ///
    /// # Errors
    /// An [`EditError`] if an edit is not possible. Then the map is not changed.
    pub fn edit(&mut self, edits: &[CellEdit]) -> Result<TerrainChanged, EditError> {
        let changed = if edits.iter().any(|edit| self.is_about_volcano(edit)) {
            let drawn = self.show_as_drawn();
            let undo = self.map.apply(edits);
            self.finish_change(drawn, undo)?
        } else {
            TerrainChanged { undo: self.map.apply(edits)?, cause: ChangeCause::Edit, old_costs: None }
        };
        if !changed.undo.is_empty() {
            self.history.open_stroke();
        }
        Ok(changed)
    }

    /// Shows other content that is not the player's work: that of a recording.
    ///
    /// # Errors
    /// An [`EditError`] if an edit is not possible. Then the map is not changed.
    pub(in crate::game) fn show_recorded(&mut self, edits: &[CellEdit]) -> Result<TerrainChanged, EditError> {
        self.as_drawn.clear();
        let undo = self.map.apply(edits)?;
        self.erupting = self.map.erupting();
        self.any_dormant = self.map.any_dormant();
        Ok(TerrainChanged { undo, cause: ChangeCause::Edit, old_costs: None })
    }

    /// Leaves the map of a recording, as it is shown, to the player. `first` is the map with which the recording began, as
    /// it was opened, and `as_drawn` the edits that turn its volcanoes back into their state as they were drawn. What was
    /// painted since can be undone together, and is not saved yet.
    pub(in crate::game) fn leave_recorded(&mut self, first: MapContent, as_drawn: Vec<CellEdit>) {
        self.volcanoes = match as_drawn.is_empty() {
            true => VolcanoChoice::AsInFile,
            false if !self.any_dormant => VolcanoChoice::Erupting,
            false if self.erupting.is_empty() => VolcanoChoice::Calm,
            // No key leaves some of them dormant.
            false => VolcanoChoice::AsInFile,
        };
        let has_choice = self.volcanoes != VolcanoChoice::AsInFile;
        self.as_drawn = if has_choice { as_drawn } else { Vec::new() };
        let drawn = self.drawn().into_owned();
        // Another map that was opened in the recording has no version before.
        let is_first = first.size() == drawn.size() && first.name() == drawn.name();
        self.history = History::new(if is_first { first } else { drawn.clone() });
        self.history.record(&drawn);
    }

    /// A copy of the map that can be changed on another thread and then [succeed](Self::succeed) this one. O(rows).
    pub(in crate::game) fn successor(&self) -> Self {
        let history = self.history.clone();
        let as_drawn = self.as_drawn.clone();
        let erupting = self.erupting.clone();
        Self { map: self.map.clone(), history, as_drawn, erupting, ..*self }
    }

    /// Replaces it with its changed [successor](Self::successor). It must not have changed meanwhile.
    pub(in crate::game) fn succeed(&mut self, mut later: Self) {
        later.history.mark_saved_as_in(&self.history);
        *self = later;
    }

    /// Whether an edit removes or paints a volcano.
    fn is_about_volcano(&self, edit: &CellEdit) -> bool {
        let LayerEdit::Overlay(to) = edit.to else { return false };
        let tileset = self.map.tileset();
        let now = self.map.overlay().get(edit.cell).copied().flatten();
        [now, to].into_iter().flatten().any(|id| tileset.is_volcano(id))
    }

    /// Finishes the current stroke; returns whether it has changed anything.
    pub fn finish_stroke(&mut self) -> bool {
        self.history.is_stroke_open() && self.record(1, Edges::default())
    }

    /// Adds the map as it is drawn to the history; returns whether it differs from the previous version.
    fn record(&mut self, strokes: usize, added: Edges) -> bool {
        let drawn = self.drawn().into_owned();
        self.history.record_change(&drawn, strokes, added)
    }

    /// Adds or removes rows and columns, as a separate stroke. Other plugins notice it by the map's [`Frame`].
    ///
    /// # Errors
    /// A [`ResizeError`] if the map cannot have this size. Then it is not changed.
    pub fn resize(&mut self, edges: Edges, ground: TerrainId) -> Result<(), ResizeError> {
        self.finish_stroke();
        let drawn = self.show_as_drawn();
        let resized = self.map.resized(edges, ground).map(|resized| self.map = resized);
        self.finish_change(drawn, resized.map(|()| Vec::new()))?;
        self.frame.added = self.frame.added.plus(edges);
        self.record(1, edges);
        Ok(())
    }

    /// Changes the name and the description, as a separate stroke; returns whether they are different now.
    pub fn set_name_and_about(&mut self, name: String, about: Option<String>) -> bool {
        self.finish_stroke();
        self.map.set_name_and_about(name, about);
        self.record(1, Edges::default())
    }

    /// Undoes the last stroke, or redoes the last undone one; `None` if there is none or if it is not possible with the
    /// tileset. The message has no edits if size or name have changed.
    pub fn step(&mut self, step: Step) -> Option<TerrainChanged> {
        self.finish_stroke();
        let (version, added) = self.history.neighbour(step)?;
        let version = version.with_tileset(self.map.tileset()).ok()?;
        let changed = self.change_to(&version, added)?;
        self.history.go(step, version);
        Some(changed)
    }

    /// Makes the strokes from before a crash a step of the history. Newer strokes stay where possible.
    pub(in crate::game) fn restore(&mut self, left: &MapContent, strokes: usize) -> Option<TerrainChanged> {
        self.finish_stroke();
        let saved = self.history.saved_content().filter(|_| left.size() == self.map.size());
        let with_own = saved.and_then(|saved| saved.edits_towards(left)).map(|edits| self.drawn().edited(&edits));
        let before = self.map.size();
        let after = left.size();
        let side = |before: u32, after: u32| after.cast_signed() - before.cast_signed();
        let added = Edges {
            east: side(before.width, after.width),
            south: side(before.height, after.height),
            ..Edges::default()
        };
        let changed = with_own.and_then(|version| self.change_to(&version, Edges::default()));
        let changed = changed.or_else(|| self.change_to(left, added))?;
        self.map.set_name_and_about(left.name().to_owned(), left.about().map(str::to_owned));
        self.record(strokes, added);
        Some(changed)
    }

    /// Replaces the map as it is drawn by another version, in which this was added at the edges.
    fn change_to(&mut self, version: &MapContent, added: Edges) -> Option<TerrainChanged> {
        let drawn = self.show_as_drawn();
        let undo = self.map.change_to(version);
        let mut changed = self.finish_change(drawn, undo).ok()?;
        if added != Edges::default() {
            self.frame.added = self.frame.added.plus(added);
            // The edits refer to cells that have moved.
            changed.undo.clear();
        }
        Some(changed)
    }

    /// Whether closing the window would lose something: changes, or a map whose file is gone.
    pub fn is_unsaved(&self) -> bool {
        self.is_file_gone || self.history.is_unsaved()
    }

    /// Records that the current map is saved.
    pub(in crate::game) fn mark_saved(&mut self) {
        self.is_file_gone = false;
        self.history.mark_saved();
    }

    /// Whether its file is gone.
    pub(super) fn is_file_gone(&self) -> bool {
        self.is_file_gone
    }

    /// Records whether its file is gone.
    pub(super) fn note_file(&mut self, is_gone: bool) {
        self.is_file_gone = is_gone;
    }

    /// Sets the choice for all volcanoes.
    pub(super) fn choose(&mut self, volcanoes: VolcanoChoice) -> TerrainChanged {
        let mut undo = self.show_as_drawn();
        self.volcanoes = volcanoes;
        undo.splice(0..0, self.show_volcanoes());
        TerrainChanged { undo, cause: ChangeCause::Eruption, old_costs: None }
    }

    /// Ends a change of the map as it is drawn. `drawn` undoes the preparation of the change, and `changed` the change
    /// itself.
    fn finish_change<E>(
        &mut self,
        drawn: Vec<CellEdit>,
        changed: Result<Vec<CellEdit>, E>,
    ) -> Result<TerrainChanged, E> {
        let mut undo = self.show_volcanoes();
        let mut changed = changed?;
        // There may be millions of them.
        if undo.is_empty() {
            undo = changed
        } else {
            undo.append(&mut changed)
        }
        undo.extend(drawn);
        Ok(TerrainChanged { undo, cause: ChangeCause::Edit, old_costs: None })
    }

    /// Sets the volcanoes to their drawn state; returns the edits that undo this.
    fn show_as_drawn(&mut self) -> Vec<CellEdit> {
        let edits = std::mem::take(&mut self.as_drawn);
        self.map.apply(&edits).unwrap_or_default()
    }

    /// Sets the volcanoes to their chosen state; returns the edits that undo this.
    fn show_volcanoes(&mut self) -> Vec<CellEdit> {
        // These edits are always possible: a tileset in which a tent or a castle erupts is not valid.
        self.as_drawn = self.map.apply(&self.volcanoes.edits(&self.map)).unwrap_or_default();
        self.erupting = self.map.erupting();
        self.any_dormant = self.map.any_dormant();
        self.as_drawn.clone()
    }

    /// The cells of the volcanoes that erupt now, row by row.
    pub fn erupting(&self) -> &[Cell] {
        &self.erupting
    }

    /// Whether there is a dormant volcano.
    pub fn any_dormant(&self) -> bool {
        self.any_dormant
    }
}

/// Logs which map is loaded.
pub(super) fn log_loaded(map: &MapContent) {
    let size = map.size();
    info!(name = ?map.name(), width = size.width, height = size.height, "map loaded");
}

/// Logs that another map is open, and triggers the events for it.
pub(in crate::game) fn announce(map: &Map, commands: &mut Commands) {
    log_loaded(map);
    commands.trigger(MapOpened);
    commands.trigger(MapShown { keeps_cells: false });
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, announce_first);
}

fn announce_first(map: Res<OpenMap>, mut commands: Commands) {
    announce(&map, &mut commands);
}
