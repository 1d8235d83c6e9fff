//! The volcanoes of the open map: the choice for them, which is not part of the drawn map, and their state.

use std::borrow::Cow;

use emberwalk_map::{CellEdit, Map, MapContent};
use emberwalk_path::grid::Cell;
use emberwalk_world::{Order, VolcanoChoice};

use super::OpenMap;
use crate::game::world::terrain_changed::{ChangeCause, TerrainChanged};

/// The state of the volcanoes of a map. Finding them takes long on a large map, and the buttons need them in each
/// frame.
#[derive(Clone, Default)]
pub(super) struct FoundVolcanoes {
    any_dormant: bool,
    /// The cells of the volcanoes that erupt now, row by row.
    erupting: Vec<Cell>,
}

impl OpenMap {
    /// The choice for the volcanoes.
    pub(in crate::game) fn volcanoes(&self) -> VolcanoChoice {
        self.world().volcanoes()
    }

    /// Sets the choice for all volcanoes.
    pub(in crate::game) fn choose(&mut self, volcanoes: VolcanoChoice) -> TerrainChanged {
        let undo = self.live.timeline.push(Order::Volcanoes(volcanoes)).unwrap_or_default();
        self.find_volcanoes();
        TerrainChanged { undo, cause: ChangeCause::Eruption, old_costs: None }
    }

    /// The content of the drawn map, without the choice for its volcanoes.
    pub fn drawn(&self) -> Cow<'_, MapContent> {
        let as_drawn = self.world().as_drawn();
        if as_drawn.is_empty() {
            return Cow::Borrowed(self.content());
        }
        Cow::Owned(self.content().edited(as_drawn))
    }

    /// The map without the choice for its volcanoes, and the edits that lead from there to the shown map.
    pub(super) fn drawn_map(&self) -> (Map, Vec<CellEdit>) {
        let mut map = self.map().clone();
        let undo = map.apply(self.world().as_drawn()).unwrap_or_default();
        (map, undo)
    }

    /// Finds the volcanoes again if one of them has changed.
    pub(super) fn note_volcanoes(&mut self, undo: &[CellEdit]) {
        if undo.iter().any(|edit| self.is_about_volcano(edit)) {
            self.find_volcanoes();
        }
    }

    /// Finds the volcanoes.
    pub(super) fn find_volcanoes(&mut self) {
        let map = self.map();
        self.found = FoundVolcanoes { any_dormant: map.any_dormant(), erupting: map.erupting() };
    }

    /// The cells of the volcanoes that erupt now, row by row.
    pub fn erupting(&self) -> &[Cell] {
        &self.found.erupting
    }

    /// Whether there is a dormant volcano.
    pub fn any_dormant(&self) -> bool {
        self.found.any_dormant
    }
}
