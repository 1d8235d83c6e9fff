//! Where the traveller starts and where it is to go before the player says so.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::grid::Cell;

use super::open_map::OpenMap;
use super::pages::Pages;

/// The start and the goal that were asked for with the first map, in place of its tent and castle.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskedEndpoints {
    /// In place of the tent.
    pub start: Option<Cell>,
    /// In place of the castle.
    pub goal: Option<Cell>,
}

/// The start and the goal of the open map.
#[derive(SystemParam)]
pub struct Endpoints<'w> {
    map: Res<'w, OpenMap>,
    pages: Res<'w, Pages>,
    asked: Res<'w, AskedEndpoints>,
}

impl Endpoints<'_> {
    /// Where the traveller starts; `None` if no cell is passable.
    pub fn start(&self) -> Option<Cell> {
        start(&self.map, &self.pages, &self.asked)
    }

    /// The goal before the player sets one.
    pub fn goal(&self) -> Option<Cell> {
        goal(&self.map, &self.pages, &self.asked)
    }
}

/// Where the traveller starts; `None` if no cell is passable.
pub(super) fn start(map: &OpenMap, pages: &Pages, asked: &AskedEndpoints) -> Option<Cell> {
    let asked = asked.start.filter(|_| pages.is_first());
    // The map may have changed since a start was asked for.
    asked.filter(|cell| map.costs().is_passable(*cell)).or_else(|| map.start())
}

/// The goal before the player sets one.
pub(super) fn goal(map: &OpenMap, pages: &Pages, asked: &AskedEndpoints) -> Option<Cell> {
    let asked_goal = asked.goal.filter(|cell| pages.is_first() && map.size().contains(*cell));
    asked_goal.or_else(|| map.castle()).filter(|_| start(map, pages, asked).is_some())
}
