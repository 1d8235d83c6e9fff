//! Walking along the planned route at the terrain's pace.

use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::map::Map;

use super::goal::Goal;
use super::planned_route::{PlannedRoute, Progress};
use super::traveller::Traveller;

/// Seconds that a tile of cost takes to walk.
const SECONDS_PER_TILE: f64 = 1.0 / 3.0;

/// Returns the duration of a step from a cell into a neighbour, in seconds: the terrain's own pace, without influences.
pub fn step_seconds(map: &Map, from: Cell, into: Cell) -> f64 {
    let length = if from.is_diagonal_to(into) { 1.414 } else { 1.0 };
    // If the cell has become blocked, the traveller walks at the pace of grass.
    map.terrain_cost(into).map_or(1.0, |cost| cost.tiles()) * length * SECONDS_PER_TILE
}

/// Returns the seconds that a traveller still has to walk.
pub fn seconds_to_go(planned: &PlannedRoute, progress: &Progress, traveller: &Traveller, map: &Map) -> f64 {
    let steps = planned.cells_to_go(progress).windows(2);
    let rest: f64 = steps.map(|step| step_seconds(map, step[0], step[1])).sum();
    let current = match (traveller.leaving(), traveller.origin()) {
        (Some((from, done)), Some(into)) => (1.0 - done) * step_seconds(map, from, into),
        _ => 0.0,
    };
    rest + current
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, walk.in_set(AppSystems::Walk));
}

/// Moves every traveller along its route.
fn walk(
    time: Res<Time>,
    map: Res<OpenMap>,
    mut travellers: Query<(&Goal, &PlannedRoute, &mut Traveller, &mut Progress)>,
) {
    for (goal, planned, mut traveller, mut progress) in &mut travellers {
        let under_way = goal.sent && !progress.arrived && !planned.cells().is_empty();
        // A component that is borrowed mutably counts as changed.
        if traveller.is_walking() || under_way {
            let route = under_way.then(|| planned.cells());
            walk_one(time.delta_secs_f64(), &map, route, &mut traveller, &mut progress);
        }
    }
}

/// Moves a traveller for some seconds along its route; without a route, to the end of its step.
fn walk_one(
    mut seconds: f64,
    map: &Map,
    route: Option<&[Cell]>,
    traveller: &mut Mut<Traveller>,
    progress: &mut Mut<Progress>,
) {
    loop {
        let Some(left) = traveller.walk(seconds, |from, into| step_seconds(map, from, into)) else { return };
        seconds = left;
        let Some(route) = route else { return };
        match route.get(progress.index + 1).copied() {
            Some(next) => {
                progress.index += 1;
                traveller.enter(next);
            }
            None => {
                progress.arrived = true;
                if let Some(cell) = traveller.standing_cell() {
                    info!(%cell, "arrived");
                }
                return;
            }
        }
    }
}
