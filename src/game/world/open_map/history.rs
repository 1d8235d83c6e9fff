//! Painting on the open map: edits, strokes that can be undone, and other versions of the map.

use emberwalk_map::editing::{History, Step};
use emberwalk_map::terrain::TerrainId;
use emberwalk_map::{CellEdit, DayTime, Edges, Map, MapContent, ResizeError};
use emberwalk_world::{Order, OrderError, Paint};

use super::{Frame, OpenMap, log_refusal};
use crate::game::world::live::Live;
use crate::game::world::terrain_changed::{ChangeCause, MAX_REDRAWN, TerrainChanged};

/// More edits than this are recorded as another version of the map, to which people come again.
const MAX_PAINTED: usize = MAX_REDRAWN;

impl OpenMap {
    /// The versions that can be undone and redone.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Applies edits of the player as a part of the current stroke. The caller must write the returned message, so that
    /// other plugins update.
    ///
    /// # Errors
    /// An [`OrderError`] if an edit is not possible, or if a recording is played. Then the map is not changed.
    pub fn edit(&mut self, edits: &[CellEdit]) -> Result<TerrainChanged, OrderError> {
        let undo = self.paint(edits)?;
        if !undo.is_empty() {
            self.history.open_stroke();
        }
        Ok(TerrainChanged { undo, cause: ChangeCause::Edit, old_costs: None })
    }

    fn paint(&mut self, edits: &[CellEdit]) -> Result<Vec<CellEdit>, OrderError> {
        let undo = self.live.timeline.push(Order::Paint(Paint::of(self.tileset(), edits)))?;
        self.note_volcanoes(&undo);
        Ok(undo)
    }

    /// Finishes the current stroke; returns whether it has changed anything.
    pub fn finish_stroke(&mut self) -> bool {
        self.history.is_stroke_open() && self.record(1, Edges::default())
    }

    /// Adds the drawn map to the history; returns whether it differs from the previous version.
    fn record(&mut self, strokes: usize, added: Edges) -> bool {
        let drawn = self.drawn().into_owned();
        self.history.record_change(&drawn, strokes, added)
    }

    /// Undoes the last stroke, or redoes the last undone one; `None` if there is none or if it is not possible with the
    /// tileset. The message has no edits if size or name have changed.
    pub fn step(&mut self, step: Step) -> Option<TerrainChanged> {
        self.finish_stroke();
        let (version, added) = self.history.neighbour(step)?;
        let version = version.with_tileset(self.tileset()).ok()?;
        let changed = self.change_to(&version, added)?;
        self.history.go(step, version);
        Some(changed)
    }

    /// Adds or removes rows and columns, as a separate stroke. Other plugins notice it by the map's [`Frame`].
    ///
    /// # Errors
    /// A [`ResizeError`] if the map cannot have this size. Then it is not changed.
    pub fn resize(&mut self, edges: Edges, ground: TerrainId) -> Result<(), ResizeError> {
        self.finish_stroke();
        let resized = self.drawn_map().0.resized(edges, ground)?;
        self.open(resized);
        self.frame.added = self.frame.added.plus(edges);
        self.record(1, edges);
        Ok(())
    }

    /// Changes the name and the description, as a separate stroke; returns whether they are different now.
    pub fn set_name_and_about(&mut self, name: String, about: Option<String>) -> bool {
        self.finish_stroke();
        self.rename(name, about);
        self.record(1, Edges::default())
    }

    /// Changes the hour at which the map begins and how fast its days pass, as a separate stroke, and goes to this hour;
    /// returns the changes. It is another version of the map, to which people come again.
    pub fn set_day_time(&mut self, day_time: DayTime) -> TerrainChanged {
        self.finish_stroke();
        let (mut map, mut undo) = self.drawn_map();
        map.set_day_time(day_time);
        undo.extend(self.open(map));
        self.record(1, Edges::default());
        TerrainChanged { undo, cause: ChangeCause::Hours, old_costs: None }
    }

    fn rename(&mut self, name: String, about: Option<String>) {
        log_refusal(self.live.timeline.rename(name, about));
    }

    /// A copy of the drawn map that can be changed on another thread and then [succeed](Self::succeed) this one.
    /// O(rows).
    pub(in crate::game) fn successor(&self) -> Self {
        let live = Live::of(self.timeline().draft());
        Self { live, history: self.history.clone(), found: self.found.clone(), ..*self }
    }

    /// Replaces it with its changed [successor](Self::successor). It must not have changed meanwhile. Adds the changes
    /// for the volcanoes.
    pub(in crate::game) fn succeed(&mut self, later: Self, changed: &mut TerrainChanged) {
        let Self { live, mut history, frame, .. } = later;
        history.mark_saved_as_in(&self.history);
        (self.history, self.frame) = (history, frame);
        let version = live.timeline.world().map();
        match self.few_edits_to(version) {
            Some(edits) => {
                let undo = self.paint(&edits).unwrap_or_default();
                self.rename(version.name().to_owned(), version.about().map(str::to_owned));
                changed.undo = undo;
            }
            None => changed.add_later(self.open(version.clone())),
        }
    }

    /// Makes the strokes from before a crash a step of the history. Newer strokes stay where possible.
    pub(in crate::game) fn restore(&mut self, left: &MapContent, strokes: usize) -> Option<TerrainChanged> {
        self.finish_stroke();
        let saved = self.history.saved_content().filter(|_| left.size() == self.size());
        let with_own = saved.and_then(|saved| saved.edits_towards(left)).map(|edits| {
            let mut version = self.drawn().edited(&edits);
            version.set_day_time(left.day_time());
            version
        });
        let before = self.size();
        let after = left.size();
        let side = |before: u32, after: u32| after.cast_signed() - before.cast_signed();
        let added = Edges {
            east: side(before.width, after.width),
            south: side(before.height, after.height),
            ..Edges::default()
        };
        let changed = with_own.and_then(|version| self.change_to(&version, Edges::default()));
        let changed = changed.or_else(|| self.change_to(left, added))?;
        self.rename(left.name().to_owned(), left.about().map(str::to_owned));
        self.record(strokes, added);
        Some(changed)
    }

    /// Takes a later version of its file. Strokes on the earlier version cannot be undone any more.
    pub(in crate::game::world) fn reload(&mut self, version: &MapContent) -> Option<TerrainChanged> {
        let mut changed = self.change_to(version, Edges::default())?;
        changed.cause = ChangeCause::Reload;
        self.history = History::new(version.clone());
        self.frame = Frame::new();
        self.is_file_gone = false;
        Some(changed)
    }

    /// Replaces the drawn map by another version, in which this was added at the edges.
    fn change_to(&mut self, version: &MapContent, added: Edges) -> Option<TerrainChanged> {
        let mut undo = match self.few_edits_to(version) {
            Some(edits) => self.paint(&edits).ok()?,
            None => {
                let (mut map, drawn) = self.drawn_map();
                let changed = map.change_to(version).ok()?;
                let mut undo = self.open(map);
                undo.extend(changed);
                undo.extend(drawn);
                undo
            }
        };
        self.rename(version.name().to_owned(), version.about().map(str::to_owned));
        if added != Edges::default() {
            self.frame.added = self.frame.added.plus(added);
            // The edits refer to cells that have moved.
            undo.clear();
        }
        Some(TerrainChanged { undo, cause: ChangeCause::Edit, old_costs: None })
    }

    /// The edits of the drawn map that lead to another version; `None` if people cannot follow them.
    fn few_edits_to(&self, version: &MapContent) -> Option<Vec<CellEdit>> {
        let drawn = self.drawn();
        if drawn.day_time() != version.day_time() {
            return None;
        }
        let are_few = drawn.differing_cells(version)?.nth(MAX_PAINTED).is_none();
        are_few.then(|| drawn.edits_towards(version)).flatten().filter(|edits| edits.len() <= MAX_PAINTED)
    }

    /// Continues with another version of the map, as drawn; at the current hour, unless the version begins at another
    /// hour. Returns the edits that undo the choice for the volcanoes, with the cells that have opened or shut.
    fn open(&mut self, map: Map) -> Vec<CellEdit> {
        let volcanoes = self.volcanoes();
        let day = if map.day_time() == self.day_time() { self.day() } else { map.day_time() };
        let before = self.map().clone();
        log_refusal(self.live.timeline.open(map));
        if day != self.day() {
            self.order(Order::day(day));
        }
        let mut undo = self.choose(volcanoes).undo;
        undo.extend(self.opened_or_closed(&before));
        undo
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
    pub(in crate::game::world) fn is_file_gone(&self) -> bool {
        self.is_file_gone
    }

    /// Records whether its file is gone.
    pub(in crate::game::world) fn note_file(&mut self, is_gone: bool) {
        self.is_file_gone = is_gone;
    }
}
