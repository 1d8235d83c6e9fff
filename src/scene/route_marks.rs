//! The marks of a route on the ground.

use super::Scene;
use crate::grid::{Cell, Direction};
use crate::iso::route_mark_positions;
use crate::terrain::{ImageId, TileImages, Tileset};

/// A mark of a route on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteMark {
    /// What is drawn.
    pub image: ImageId,
    /// How far from the start it lies, in steps: behind the traveller once it has gone so far.
    pub along: f64,
    /// Where it lies, in columns and rows, as feet stand.
    pub feet: (f64, f64),
}

/// The images of routes.
pub(super) struct RouteMarkImages {
    route: [Option<ImageId>; 8],
}

/// Nearer to the start, in steps, a mark would lie under the traveller's feet.
const FROM_START: f64 = 0.45;

/// Nearer to the goal, in steps, it would lie under what stands there.
const FROM_GOAL: f64 = 0.4;

impl RouteMarkImages {
    pub(super) fn new(tileset: &Tileset, assets: &TileImages) -> Self {
        let marks = tileset.marks();
        let by_direction = |stem: &String| Direction::ALL.map(|way| assets.find(&stem.replace('*', way.letters())));
        Self { route: marks.route.as_ref().map(by_direction).unwrap_or_default() }
    }
}

impl Scene {
    /// The image that marks a step in a direction.
    pub fn route_mark_image(&self, way: Direction) -> Option<ImageId> {
        self.marks.route[way as usize]
    }

    /// The marks of a route, from its start; those that the traveller or what stands on the goal would cover are left
    /// out.
    pub fn route_marks(&self, route: &[Cell]) -> impl Iterator<Item = RouteMark> {
        let last = route.len().saturating_sub(1);
        route_mark_positions(route).filter_map(move |(step, feet)| {
            let (from, to) = (route[step], route[step + 1]);
            let image = self.route_mark_image(Direction::from_offset(to - from)?)?;
            let along = (feet.0 - f64::from(from.x)).abs().max((feet.1 - f64::from(from.y)).abs()) + step as f64;
            (along > FROM_START && along < last as f64 - FROM_GOAL).then_some(RouteMark { image, along, feet })
        })
    }
}
