//! The start and the first goal of the traveller: the ones requested on the command line, or the tent and the castle.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use emberwalk_path::grid::Cell;

use super::open_map::OpenMap;
use super::pages::Pages;

/// The start and the goal that were requested for the first map. They replace its tent and castle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestedEndpoints {
    /// Replaces the tent.
    pub start: Option<Cell>,
    /// Replaces the castle.
    pub goal: Option<Cell>,
}

/// The start and the goal of the open map.
#[derive(SystemParam)]
pub struct Endpoints<'w> {
    map: Res<'w, OpenMap>,
    pages: Res<'w, Pages>,
}

impl Endpoints<'_> {
    /// The cell in which the traveller starts; `None` if no cell is passable.
    pub fn start(&self) -> Option<Cell> {
        self.pages.start(&self.map)
    }

    /// The goal before the player sets one.
    pub fn goal(&self) -> Option<Cell> {
        self.pages.goal(&self.map)
    }
}

impl Pages {
    /// The cell in which the traveller starts; `None` if no cell is passable.
    pub(super) fn start(&self, map: &OpenMap) -> Option<Cell> {
        let start = self.requested.start.filter(|_| self.is_first());
        // The map may have changed since a start was requested.
        start.filter(|cell| map.costs().is_passable(*cell)).or_else(|| map.start())
    }

    /// The goal before the player sets one.
    pub(super) fn goal(&self, map: &OpenMap) -> Option<Cell> {
        let requested = self.requested.goal.filter(|cell| self.is_first() && map.size().contains(*cell));
        requested.or_else(|| map.castle()).filter(|_| self.start(map).is_some())
    }
}
