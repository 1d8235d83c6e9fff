//! Walking along the planned route: a step takes as long as it costs.

use bevy::prelude::*;
use tracing::info;

use crate::game::action::{Action, WalkSpeed};
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::screen::mode::plays_search;
use crate::game::world::open_map::OpenMap;
use crate::pace::{MAX_SECONDS_PER_STEP, MAX_STEPS_PER_SECOND, TILES_PER_SECOND};
use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Corners, RouteCost, StepRules};

use super::goal::Goal;
use super::planned_route::{IsPlanning, PlannedRoute, Progress};
use super::planning::PlanningOptions;
use super::route_planning::RouteState;
use super::traveller::{Player, Traveller};

/// Seconds that a tile of cost takes to walk.
const SECONDS_PER_TILE: f64 = 1.0 / TILES_PER_SECOND as f64;

/// The minimum duration of a step in seconds.
const MIN_SECONDS: f64 = 1.0 / MAX_STEPS_PER_SECOND as f64;

/// The duration of a step from a cell into a neighbour, in seconds. It follows from the cost of the step, so
/// that the cheaper route is the quicker one.
pub(in crate::game) fn step_seconds(map: &Map, rules: StepRules, from: Cell, into: Cell) -> f64 {
    // A corner that becomes blocked during the step changes nothing.
    let cost = rules.with_corners(Corners::Always).step_cost(map.costs(), from, into);
    // A traveller walks as on grass while it goes back to a blocked cell or over a new cliff.
    let tiles = cost.map_or(1.0, RouteCost::tiles);
    (tiles * SECONDS_PER_TILE).clamp(MIN_SECONDS, f64::from(MAX_SECONDS_PER_STEP))
}

/// The seconds that a traveller still has to walk at the normal speed.
pub(in crate::game) fn seconds_to_go(
    planned: &PlannedRoute,
    progress: &Progress,
    traveller: &Traveller,
    map: &Map,
    rules: StepRules,
) -> f64 {
    let steps = planned.cells_to_go(progress).windows(2);
    let rest: f64 = steps.map(|step| step_seconds(map, rules, step[0], step[1])).sum();
    let current = match (traveller.leaving(), traveller.origin()) {
        (Some((from, done)), Some(into)) => (1.0 - done) * step_seconds(map, rules, from, into),
        _ => 0.0,
    };
    rest + current
}

/// Whether the player wants the traveller to arrive immediately. If its route is still being planned, it arrives as
/// soon as the route is known.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SkipsWalk(bool);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<WalkSpeed>().init_resource::<SkipsWalk>().add_systems(
        Update,
        (
            choose_speed.run_if(not(plays_search)).in_set(AppSystems::Act),
            walk.run_if(not(plays_search)).in_set(AppSystems::Walk),
        ),
    );
}

/// Takes the speed that the player has chosen. Only the current walk is skipped.
fn choose_speed(mut actions: MessageReader<Action>, mut speed: ResMut<WalkSpeed>, mut skips: ResMut<SkipsWalk>) {
    for action in actions.read() {
        match *action {
            Action::SetWalkSpeed(chosen) => *speed = chosen,
            Action::SkipWalk => skips.0 = true,
            action if action.begins_journey() => skips.0 = false,
            _ => {}
        }
    }
}

type Walker = (
    &'static Goal,
    &'static RouteState,
    &'static PlannedRoute,
    &'static IsPlanning,
    &'static mut Traveller,
    &'static mut Progress,
    Has<Player>,
);

/// Moves every traveller along its route.
pub(super) fn walk(
    time: Res<Time>,
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    speed: Res<WalkSpeed>,
    mut skips: ResMut<SkipsWalk>,
    mut walkers: Query<Walker>,
    mut wakes: MessageWriter<Wake>,
) {
    for (goal, state, planned, is_planning, mut traveller, mut progress, is_player) in &mut walkers {
        let skips_now = is_player && skips.0 && !is_planning.0;
        if skips_now {
            skips.0 = false;
        }
        let seconds = if skips_now { f64::INFINITY } else { time.delta_secs_f64() * f64::from(speed.factor()) };
        let is_sent = goal.sent && state.has_route();
        let ground = Ground { map: &map, rules: options.0.rules, route: if is_sent { planned.cells() } else { &[] } };
        // A component that is borrowed mutably counts as changed.
        if traveller.is_walking() || ground.next(&traveller, &progress) != Next::Wait {
            walk_one(seconds, &ground, &mut traveller, &mut progress);
            wakes.write(Wake::NextFrame);
        }
    }
}

/// The ground on which a traveller walks.
struct Ground<'a> {
    map: &'a Map,
    rules: StepRules,
    /// The route that it follows; empty if it waits for an order or for another route.
    route: &'a [Cell],
}

/// The next action of a traveller.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Enter(Cell),
    Arrive,
    Wait,
}

impl Ground<'_> {
    /// The next action of a standing traveller. While another route is planned, it follows the old one, but it takes
    /// no step that has become impossible.
    fn next(&self, traveller: &Traveller, progress: &Progress) -> Next {
        let Some(standing) = traveller.standing_cell() else { return Next::Wait };
        match self.route.get(progress.index..) {
            Some([here, ..]) if *here != standing || progress.arrived => Next::Wait,
            Some([_]) => Next::Arrive,
            Some([_, next, ..]) if self.rules.step_cost(self.map.costs(), standing, *next).is_some() => {
                Next::Enter(*next)
            }
            _ => Next::Wait,
        }
    }
}

/// Moves a traveller for some seconds.
fn walk_one(mut seconds: f64, ground: &Ground, traveller: &mut Traveller, progress: &mut Mut<Progress>) {
    while let Some(left) = traveller.walk(seconds, |from, into| step_seconds(ground.map, ground.rules, from, into)) {
        seconds = left;
        match ground.next(traveller, progress) {
            Next::Enter(next) => {
                progress.index += 1;
                traveller.enter(next);
            }
            Next::Arrive => {
                progress.arrived = true;
                if let Some(cell) = traveller.standing_cell() {
                    info!(%cell, "arrived");
                }
                return;
            }
            Next::Wait => return,
        }
    }
}
