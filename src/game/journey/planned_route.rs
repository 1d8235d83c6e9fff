//! The route of a traveller to its goal, planned again when the map or the goal has changed.

use std::time::Instant;

use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::map::Map;
use crate::path::{self, Replanner, Route, RouteCost};

use super::goal::Goal;
use super::shared_planner::{PlanningOptions, Reach, SharedPlanner};
use super::traveller::Traveller;

/// The route of a traveller to its goal. It changes only when it is planned again.
#[derive(Component, Default)]
pub struct PlannedRoute {
    reach: Reach,
    route: Route,
}

/// How much of its route a traveller has walked.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The index in the route of the cell in which the traveller stands, or which it is entering.
    pub(super) index: usize,
    /// Whether the end of this route has been reached, and that has been logged.
    pub(super) arrived: bool,
}

/// The last answer for a traveller, so that an answer that is still valid needs no new search.
#[derive(Component, Default)]
pub(super) struct LastAnswer(Replanner);

impl PlannedRoute {
    /// Returns where the route leads.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Returns the whole route, from where it was planned to its end; empty if it leads nowhere.
    pub fn cells(&self) -> &[Cell] {
        if self.reach == Reach::Nowhere { &[] } else { &self.route.cells }
    }

    /// Returns the cost of the whole route, in grass tiles.
    pub fn cost(&self) -> f64 {
        self.route.cost.tiles()
    }

    /// Returns the rest of the route: the cell in which the traveller stands or which it is entering, and those after it.
    pub fn cells_to_go(&self, progress: &Progress) -> &[Cell] {
        self.cells().get(progress.index..).unwrap_or_default()
    }

    /// Returns the cost of the steps that the traveller has not begun, in grass tiles.
    pub fn cost_to_go(&self, progress: &Progress, map: &Map) -> f64 {
        let step_cost = |step: &[Cell]| map.costs().step_cost(step[1], step[0].is_diagonal_to(step[1]));
        self.cells_to_go(progress).windows(2).filter_map(step_cost).sum::<RouteCost>().tiles()
    }
}

impl Progress {
    /// Whether the end of the route has been reached.
    pub fn arrived(&self) -> bool {
        self.arrived
    }

    /// Returns the number of steps that the traveller has walked, with the completed fraction of the current step.
    pub fn steps_walked(&self, traveller: &Traveller) -> f64 {
        let ahead = traveller.leaving().map_or(0.0, |(_, done)| 1.0 - done);
        self.index as f64 - ahead
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, plan_routes.in_set(AppSystems::Plan));
    app.register_required_components::<Traveller, Goal>();
    app.register_required_components::<Traveller, PlannedRoute>();
    app.register_required_components::<Traveller, Progress>();
    app.register_required_components::<Traveller, LastAnswer>();
}

type Journey = (
    Ref<'static, Goal>,
    &'static mut Traveller,
    &'static mut PlannedRoute,
    &'static mut Progress,
    &'static mut LastAnswer,
);

/// Plans the route of every traveller again if the map or its goal has changed. The route starts in the cell that the
/// traveller is entering, so that it does not jump.
fn plan_routes(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    mut planner: ResMut<SharedPlanner>,
    mut journeys: Query<Journey>,
) {
    for (goal, mut traveller, mut planned, mut progress, mut last_answer) in &mut journeys {
        if !map.is_changed() && !goal.is_changed() {
            continue;
        }
        keep_off_blocked_cells(&map, &mut traveller);
        progress.index = 0;
        let PlannedRoute { reach, route } = &mut *planned;
        let (Some(from), Some(to)) = (traveller.origin(), goal.cell) else {
            *reach = Reach::Nowhere;
            continue;
        };
        let query = path::Query::new(from, to).with_options(options.0);
        let begun = Instant::now();
        let found = planner.replan(&mut last_answer.0, &map, &query, route);
        let micros = begun.elapsed().as_micros();
        if let Some(expanded) = found {
            *reach = Reach::Goal;
            let cost = format_args!("{:.3}", route.cost.tiles());
            info!(%from, %to, %cost, cells = route.cells.len(), expanded, micros, "route found");
        } else {
            let nearest = planner.plan_nearest(&map, &query, route);
            *reach = Reach::Nearest;
            info!(%from, %to, %nearest, "no route");
        }
        // A traveller that waits at the end of its route does not arrive a second time, unless it was sent there again.
        progress.arrived &= route.cells.len() <= 1 && !goal.is_changed();
    }
}

/// Turns back a traveller that is entering a cell that has become blocked. If it stands in such a cell, or cannot turn
/// back, it is moved to the nearest passable cell.
fn keep_off_blocked_cells(map: &OpenMap, traveller: &mut Mut<Traveller>) {
    let passable = |cell: Cell| map.costs().is_passable(cell);
    let Some(origin) = traveller.origin() else { return };
    if passable(origin) {
        return;
    }
    match traveller.leaving() {
        Some((left, _)) if passable(left) => traveller.turn_back(),
        _ => **traveller = Traveller::standing(map.nearest_passable(origin)),
    }
}
