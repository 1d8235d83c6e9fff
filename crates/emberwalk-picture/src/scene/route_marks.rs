//! The marks of a route on the ground.

use std::collections::HashSet;

use super::layers::Scene;
use crate::iso::route_mark_positions;
use crate::tiles::ImageId;
use emberwalk_path::grid::{Cell, Direction};

/// A mark of a route on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteMark {
    /// The image that is drawn.
    pub image: ImageId,
    /// The distance from the start in steps. The window hides the mark once the traveller has passed it.
    pub along: f64,
    /// The position in columns and rows, as for the feet of a figure.
    pub feet: (f64, f64),
    /// The cell in which its step begins.
    pub from: Cell,
    /// The cell in which its step ends.
    pub to: Cell,
    /// Its position on the step, from 0 at the beginning to 1 at the end.
    pub part: f64,
}

/// The minimum distance between a mark and the start, in steps. Nearer marks would be under the traveller's feet.
const MIN_FROM_START: f64 = 0.45;

/// The minimum distance between a mark and the goal, in steps. Nearer marks would be under the flag.
const MIN_FROM_GOAL: f64 = 0.4;

impl Scene {
    /// The marks of `preview`, the route that a click would take, except marks that a mark of `route`, the planned
    /// route, covers. On a step that both routes share, in either direction, only the planned route is marked.
    pub fn preview_marks(&self, preview: &[Cell], route: &[Cell]) -> impl Iterator<Item = RouteMark> {
        self.marks_apart_from(preview, route)
            .map(|mark| RouteMark { image: self.preview_mark.unwrap_or(mark.image), ..mark })
    }

    /// The marks of a route, except marks that a mark of another route covers.
    pub fn marks_apart_from(&self, route: &[Cell], other: &[Cell]) -> impl Iterator<Item = RouteMark> {
        // Marks are at halves, quarters and sixths of a step, which are all whole twelfths.
        let twelfths = |(x, y): (f64, f64)| ((x * 12.0).round() as i32, (y * 12.0).round() as i32);
        let taken: HashSet<_> = route_mark_positions(other).map(|(_, feet)| twelfths(feet)).collect();
        self.route_marks(route).filter(move |mark| !taken.contains(&twelfths(mark.feet)))
    }

    /// The marks of a route in order from its start, except marks that the traveller or the flag at the goal would
    /// cover.
    pub fn route_marks(&self, route: &[Cell]) -> impl Iterator<Item = RouteMark> {
        let last = route.len().saturating_sub(1);
        route_mark_positions(route).filter_map(move |(step, feet)| {
            let from = route[step];
            let to = route[step + 1];
            let image = self.route_marks[Direction::from_offset(to - from)? as usize]?;
            let part = (feet.0 - f64::from(from.x)).abs().max((feet.1 - f64::from(from.y)).abs());
            let along = part + step as f64;
            (along > MIN_FROM_START && along < last as f64 - MIN_FROM_GOAL).then_some(RouteMark {
                image,
                along,
                feet,
                from,
                to,
                part,
            })
        })
    }
}
