//! The map that is open.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use bevy::prelude::*;
use tracing::info;

use emberwalk_map::editing::{History, MapChange, Step, StrokeError};
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
    /// The edits that make the volcanoes as they are drawn in the map's file.
    as_drawn: Vec<CellEdit>,
    history: History,
    /// Whether the stroke that is not finished has changed a volcano.
    changes_volcano: bool,
    /// Whether there is a dormant volcano, and the cells of those that erupt now, row by row. Looking for them takes
    /// long on a large map.
    any_dormant: bool,
    erupting: Vec<Cell>,
    frame: Frame,
}

/// Where the cells of the open map are, compared with when it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// A number that no other map has that was opened, not even the same map opened again.
    pub opened: u64,
    /// What was added at its edges since.
    pub added: Edges,
}

/// A map was opened: the journey and the view start again. Its observers run in no particular order.
#[derive(Event)]
pub struct MapOpened;

/// A map was opened, or so much of it has changed that everything is drawn again. Its observers run in no particular
/// order, after those of [`MapOpened`].
#[derive(Event)]
pub struct MapShown {
    /// Whether it is the same map, and its cells are where they were.
    pub keeps_cells: bool,
}

impl OpenMap {
    /// Opens a version of a map to which this history leads.
    pub(super) fn new(map: Map, volcanoes: VolcanoChoice, history: History) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let frame = Frame { opened: NEXT.fetch_add(1, Ordering::Relaxed), added: Edges::default() };
        let mut open = Self {
            map,
            volcanoes,
            as_drawn: Vec::new(),
            history,
            changes_volcano: false,
            any_dormant: false,
            erupting: Vec::new(),
            frame,
        };
        open.show_volcanoes();
        open
    }

    /// Returns the map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Returns the map without what belongs to it while it is open.
    pub(super) fn into_map(self) -> Map {
        self.map
    }

    /// Returns what the map says as it is drawn: without what was chosen for its volcanoes.
    pub fn drawn(&self) -> Cow<'_, MapContent> {
        if self.as_drawn.is_empty() {
            return Cow::Borrowed(self.map.content());
        }
        Cow::Owned(self.map.content().edited(&self.as_drawn))
    }

    /// Returns what can be undone and redone.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns where its cells are, compared with when it was opened.
    pub(in crate::game) fn frame(&self) -> Frame {
        self.frame
    }

    /// Returns what was chosen for the volcanoes.
    pub(in crate::game) fn volcanoes(&self) -> VolcanoChoice {
        self.volcanoes
    }

    /// Returns where cells are in the map's picture.
    pub fn projection(&self) -> Projection {
        projection(&self.map)
    }

    /// Applies edits of the player, as a part of the current stroke. The caller must write the message that it returns,
    /// so that other plugins update.
    ///
    /// # Errors
    /// Returns an [`EditError`] if an edit is not possible. The map is not changed then.
    pub fn edit(&mut self, edits: &[CellEdit]) -> Result<TerrainChanged, EditError> {
        if edits.iter().any(|edit| self.is_about_volcano(edit)) {
            self.changes_volcano = true;
            let drawn = self.show_as_drawn();
            let changed = self.history.apply(&mut self.map, edits);
            return self.finish_change(drawn, changed);
        }
        let undo = self.history.apply(&mut self.map, edits)?;
        Ok(TerrainChanged { undo, cause: ChangeCause::Edit, old_costs: None })
    }

    /// Applies edits of the player as a stroke of its own, which may be as large as the map; returns what it has
    /// changed, `None` for nothing. `edits` gets the map as it is drawn.
    pub(in crate::game) fn paint_stroke(
        &mut self,
        edits: impl FnOnce(&Map) -> Vec<CellEdit>,
    ) -> Option<TerrainChanged> {
        self.finish_stroke();
        let drawn = self.show_as_drawn();
        let (before, edits) = (self.map.content().clone(), edits(&self.map));
        let undo = self.map.apply(&edits);
        if undo.is_ok() {
            self.history.record(&before, &self.map);
        }
        self.finish_change(drawn, undo).ok().filter(|changed| !changed.undo.is_empty())
    }

    /// Returns the same map, to be changed on another thread and then to [succeed](Self::succeed) this one. O(rows).
    pub fn successor(&self) -> Self {
        let mut history = self.history.clone();
        drop(history.take_steps());
        let (as_drawn, erupting) = (self.as_drawn.clone(), self.erupting.clone());
        Self { map: self.map.successor(), history, as_drawn, erupting, ..*self }
    }

    /// Takes what its [successor](Self::successor) has become. It must not have changed meanwhile.
    pub fn succeed(&mut self, mut later: Self) {
        later.history.take_over_from(&mut self.history);
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
        if !std::mem::take(&mut self.changes_volcano) {
            return self.history.finish_stroke(&self.map);
        }
        let drawn = self.drawn().into_owned();
        self.history.finish_stroke(&drawn)
    }

    /// Adds or removes rows and columns, as a stroke of its own. Other plugins notice it by the map's [`Frame`].
    ///
    /// # Errors
    /// Returns a [`ResizeError`] if the map cannot have this size. It is not changed then.
    pub fn resize(&mut self, edges: Edges, ground: TerrainId) -> Result<(), ResizeError> {
        let drawn = self.show_as_drawn();
        let resized = self.history.resize(&mut self.map, edges, ground);
        self.finish_change(drawn, resized.map(|()| Vec::new()))?;
        self.frame.added = self.frame.added.plus(edges);
        Ok(())
    }

    /// Changes name and description, as a stroke of its own; returns whether they are different now.
    pub fn set_name_and_about(&mut self, name: String, about: Option<String>) -> bool {
        self.finish_stroke();
        self.history.set_name_and_about(&mut self.map, name, about)
    }

    /// Undoes the last stroke; `None` if there is none. The message has no edits if size or name have changed.
    pub fn undo(&mut self) -> Option<TerrainChanged> {
        let drawn = self.show_as_drawn();
        let undone = self.history.undo(&mut self.map);
        self.finish_step(drawn, undone)
    }

    /// Does again what was undone last; `None` if there is nothing. The message has no edits if size or name have
    /// changed.
    pub fn redo(&mut self) -> Option<TerrainChanged> {
        let drawn = self.show_as_drawn();
        let redone = self.history.redo(&mut self.map);
        self.finish_step(drawn, redone)
    }

    /// Does what another history has recorded; `None` if that is not possible on this map.
    pub fn replay(&mut self, step: &Step) -> Option<TerrainChanged> {
        let drawn = self.show_as_drawn();
        let replayed = self.history.replay(&mut self.map, step).map(Some);
        self.finish_step(drawn, replayed)
    }

    /// Returns what has been done since the last call, for the recovery file.
    pub fn take_steps(&mut self) -> Vec<Step> {
        self.history.take_steps()
    }

    /// Notes that the map is saved as it is now.
    pub fn mark_saved(&mut self) {
        self.history.mark_saved();
    }

    /// Chooses what all volcanoes do.
    pub(super) fn choose(&mut self, volcanoes: VolcanoChoice) -> TerrainChanged {
        let mut undo = self.show_as_drawn();
        self.volcanoes = volcanoes;
        undo.splice(0..0, self.show_volcanoes());
        TerrainChanged { undo, cause: ChangeCause::Eruption, old_costs: None }
    }

    /// Ends a step of the history, before which the map was made [as it is drawn](Self::show_as_drawn).
    fn finish_step(
        &mut self,
        drawn: Vec<CellEdit>,
        step: Result<Option<MapChange>, StrokeError>,
    ) -> Option<TerrainChanged> {
        let mut added = None;
        let undo = match step {
            Ok(Some(MapChange::Cells(undo))) => Ok(undo),
            Ok(Some(MapChange::Resized(edges))) => {
                added = Some(edges);
                Ok(Vec::new())
            }
            Ok(Some(_)) => Ok(Vec::new()),
            Ok(None) => Err(StrokeError::OtherMap),
            Err(error) => Err(error),
        };
        let mut changed = self.finish_change(drawn, undo).ok()?;
        if let Some(edges) = added {
            self.frame.added = self.frame.added.plus(edges);
            // The edits of volcanoes are about cells that have moved.
            changed.undo.clear();
        }
        Some(changed)
    }

    /// Ends a change of the map as it is drawn. `drawn` undoes what was done for that, and `changed` the change.
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

    /// Makes the volcanoes as they are drawn; returns the edits that undo that.
    fn show_as_drawn(&mut self) -> Vec<CellEdit> {
        let edits = std::mem::take(&mut self.as_drawn);
        self.map.apply(&edits).unwrap_or_default()
    }

    /// Makes the volcanoes as they are chosen; returns the edits that undo that.
    fn show_volcanoes(&mut self) -> Vec<CellEdit> {
        // These edits are always possible: a tileset in which a tent or a castle erupts is not valid.
        self.as_drawn = self.map.apply(&self.volcanoes.edits(&self.map)).unwrap_or_default();
        self.erupting = self.map.erupting();
        self.any_dormant = self.map.any_dormant();
        self.as_drawn.clone()
    }

    /// Returns the cells of the volcanoes that erupt now, row by row.
    pub fn erupting(&self) -> &[Cell] {
        &self.erupting
    }

    /// Whether there is a volcano, dormant or erupting.
    pub fn has_volcano(&self) -> bool {
        self.any_dormant || !self.erupting.is_empty()
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
pub(super) fn announce(map: &Map, commands: &mut Commands) {
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
