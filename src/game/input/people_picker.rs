//! Finds the people at whom the player points.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::people::selected::SelectedPeople;
use crate::game::viewport::{Viewport, figure_point};
use crate::game::world::open_map::OpenMap;
use emberwalk_crowd::AgentId;

/// The area of a figure around its feet that can be clicked, in pixels of the map, and at least in pixels of the window.
const BODY: Rect = Rect { min: Vec2::new(-10.0, -30.0), max: Vec2::new(10.0, 5.0) };
const LEAST: Rect = Rect { min: Vec2::new(-7.0, -10.0), max: Vec2::new(7.0, 5.0) };

/// The people, and the selection among them.
#[derive(SystemParam)]
pub(in crate::game) struct PeoplePicker<'w> {
    map: Res<'w, OpenMap>,
    pub selected: ResMut<'w, SelectedPeople>,
}

impl PeoplePicker<'_> {
    /// Whether anybody could be selected.
    pub fn are_there(&self) -> bool {
        self.map.town().is_some()
    }

    /// The person at a window point. If several overlap there, it is the nearest one.
    pub fn at(&self, window_point: Vec2, view: &Viewport) -> Option<AgentId> {
        let area = Rect { min: BODY.min * view.zoom(), max: BODY.max * view.zoom() }.union(LEAST);
        let found = self.feet(view).filter(|(_, feet)| area.contains(window_point - feet));
        found.max_by(|(_, one), (_, other)| one.y.total_cmp(&other.y)).map(|(agent, _)| agent)
    }

    /// The people whose feet are in a rectangle of window points.
    pub fn in_rect(&self, rect: Rect, view: &Viewport) -> Vec<AgentId> {
        self.feet(view).filter(|(_, feet)| rect.contains(*feet)).map(|(agent, _)| agent).collect()
    }

    /// All people, and the window points of their feet.
    fn feet(&self, view: &Viewport) -> impl Iterator<Item = (AgentId, Vec2)> {
        let figures = self.map.town().into_iter().flat_map(|town| town.figures());
        let people = figures.filter(|figure| figure.kind.is_some());
        people.map(|figure| (figure.agent, view.window_point(figure_point(&figure, &self.map))))
    }
}
