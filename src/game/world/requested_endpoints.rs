//! The start and the first goal of the traveller: those that the command line requested, or the tent and the castle.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use emberwalk_path::grid::Cell;

use super::open_map::OpenMap;
use super::pages::Pages;

/// The start and the goal that were requested for the first map. They replace its tent and castle.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    requested: Res<'w, RequestedEndpoints>,
}

impl Endpoints<'_> {
    /// The cell in which the traveller starts; `None` if no cell is passable.
    pub fn start(&self) -> Option<Cell> {
        start(&self.map, &self.pages, &self.requested)
    }

    /// The goal before the player sets one.
    pub fn goal(&self) -> Option<Cell> {
        goal(&self.map, &self.pages, &self.requested)
    }
}

/// The cell in which the traveller starts; `None` if no cell is passable.
pub(super) fn start(map: &OpenMap, pages: &Pages, requested: &RequestedEndpoints) -> Option<Cell> {
    let start = requested.start.filter(|_| pages.is_first());
    // The map may have changed since a start was requested.
    start.filter(|cell| map.costs().is_passable(*cell)).or_else(|| map.start())
}

/// The goal before the player sets one.
pub(super) fn goal(map: &OpenMap, pages: &Pages, requested: &RequestedEndpoints) -> Option<Cell> {
    let requested_goal = requested.goal.filter(|cell| pages.is_first() && map.size().contains(*cell));
    requested_goal.or_else(|| map.castle()).filter(|_| start(map, pages, requested).is_some())
}
