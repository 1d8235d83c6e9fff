//! Plans the route of every traveller again when the terrain or its goal has changed, and after arrival, the route from
//! the cell where it set out.

use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Options, Route};

use super::goal::Goal;
use super::planned_route::{IsPlanning, PlannedRoute, Progress};
use super::search::Reach;
use super::search::{Answer, Asker, Basis, Question, RouteAsker};
use super::shared_planner::Planning;
use super::traveller::Traveller;

/// The query for which the route of a traveller was planned. A different one causes a new search.
#[derive(Component)]
pub(in crate::game) struct RouteState {
    /// The cell of the traveller when its goal was set.
    set_out: Option<Cell>,
    /// The terrain and the options with which the route was planned. `None` if the route leads to an earlier goal, or
    /// does not lead past the traveller.
    basis: Option<Basis>,
    /// The cell from which the route was planned.
    from: Option<Cell>,
    asker: RouteAsker,
}

impl Default for RouteState {
    fn default() -> Self {
        Self { set_out: None, basis: None, from: None, asker: RouteAsker::new(Asker::Traveller) }
    }
}

impl RouteState {
    /// Whether the traveller may follow its route. Otherwise it waits for another one.
    pub fn has_route(&self) -> bool {
        self.basis.is_some()
    }

    /// Whether the route leads to the current goal, and was planned with these options.
    pub fn has_route_with(&self, options: Options) -> bool {
        self.basis.is_some_and(|basis| basis.options() == options)
    }

    /// The cell in which the traveller was when its goal was set, or in which it waits to be sent there.
    pub fn set_out(&self) -> Option<Cell> {
        self.set_out
    }
}

pub(super) fn plugin(app: &mut App) {
    app.register_required_components::<Traveller, Goal>();
    app.register_required_components::<Traveller, RouteState>();
    app.add_systems(
        Update,
        (turn_back.run_if(resource_changed::<OpenMap>), set_out, plan_routes).chain().in_set(AppSystems::Plan),
    );
}

/// Turns back travellers that are entering a cell that has become blocked, or taking a step over a new cliff. One that
/// stands in a blocked cell, or that cannot turn back, is moved to the nearest passable cell.
fn turn_back(map: Res<OpenMap>, mut travellers: Query<&mut Traveller>) {
    let grid = map.costs();
    let passable = |cell: Cell| grid.is_passable(cell);
    for mut traveller in &mut travellers {
        let Some(origin) = traveller.origin() else { continue };
        let leaving = traveller.leaving().map(|(left, _)| left);
        // A traveller that goes back has come from the other side of the cliff.
        let is_cliff = |left| !traveller.goes_back() && !grid.climb().allows(grid.level(left), grid.level(origin));
        if passable(origin) && !leaving.is_some_and(is_cliff) {
            continue;
        }
        match leaving.filter(|left| passable(*left)) {
            Some(_) => traveller.turn_back(),
            None => *traveller = Traveller::standing(map.nearest_passable(origin)),
        }
    }
}

type NewJourney = (&'static Traveller, &'static mut RouteState, &'static mut Progress);

/// Begins a journey for every traveller whose goal has been set. It waits for its route.
fn set_out(mut journeys: Query<NewJourney, Changed<Goal>>) {
    for (traveller, mut state, mut progress) in &mut journeys {
        (state.set_out, state.basis) = (traveller.origin(), None);
        progress.arrived = false;
    }
}

/// The ends of the route that a traveller needs.
#[derive(Clone, Copy)]
struct Ends {
    from: Cell,
    to: Cell,
    /// Whether the route leads from the cell where the traveller set out to the cell where it has arrived.
    looks_back: bool,
}

impl RouteState {
    /// The ends of the route that a traveller at `at` needs; `None` if it has that route.
    fn ends_to_plan(&self, basis: Basis, at: Cell, goal: Cell, arrived: bool, map: &OpenMap) -> Option<Ends> {
        let is_current = self.basis == Some(basis);
        // A traveller that waits near an unreachable goal first has to know whether it is still unreachable.
        let looks_back = arrived && (at == goal || is_current);
        let start = self.set_out.filter(|start| looks_back && map.costs().is_passable(*start));
        let from = start.unwrap_or(at);
        let to = if looks_back { at } else { goal };
        let needs_route = !is_current || looks_back && self.from != Some(from);
        needs_route.then_some(Ends { from, to, looks_back })
    }
}

type Journey = (
    &'static Goal,
    &'static Traveller,
    &'static mut PlannedRoute,
    &'static mut Progress,
    &'static mut RouteState,
    &'static mut IsPlanning,
);

/// Plans the routes that the travellers need. A route to a goal starts in the cell that the traveller is entering, so
/// that it does not jump.
fn plan_routes(mut planning: Planning, mut journeys: Query<Journey>) {
    let basis = planning.basis();
    for (goal, traveller, mut planned, mut progress, mut state, mut is_planning) in &mut journeys {
        let (Some(at), Some(goal_cell)) = (traveller.origin(), goal.cell) else {
            if state.basis != Some(basis) {
                (planned.reach, state.basis) = (Reach::Nowhere, Some(basis));
            }
            state.bypass_change_detection().asker.cancel();
            is_planning.set_if_neq(IsPlanning(false));
            continue;
        };
        if !goal.sent {
            state.set_out = Some(at);
        }
        let mut is_pending = false;
        while let Some(ends) = state.ends_to_plan(basis, at, goal_cell, progress.arrived, &planning.map) {
            let state = &mut *state;
            let Some((question, answer)) = planning.ask(&mut state.asker, ends.from, ends.to) else {
                is_pending = true;
                break;
            };
            accept(&question, answer, at, ends, &mut planned, &mut progress, (&mut state.basis, &mut state.from));
        }
        is_planning.set_if_neq(IsPlanning(is_pending));
    }
}

/// Gives an answer to a traveller at `at`. It may answer an older question than the one for the route between `ends`.
fn accept(
    question: &Question,
    answer: &Answer,
    at: Cell,
    ends: Ends,
    planned: &mut Mut<PlannedRoute>,
    progress: &mut Mut<Progress>,
    (basis, from_cell): (&mut Option<Basis>, &mut Option<Cell>),
) {
    let from = question.query.from;
    if ends.looks_back && from != ends.from {
        return;
    }
    let cells = &answer.route.cells;
    if ends.looks_back {
        let none = Route::default();
        planned.replace(if answer.reach == Reach::Goal { &answer.route } else { &none }, answer.lowest);
        progress.index = cells.len().saturating_sub(1);
    } else if progress.arrived && cells.len() <= 1 {
        // It stays, so it does not arrive a second time. The route from the cell where it set out is planned next.
        log_answer(question, answer);
        planned.reach = answer.reach;
        (*basis, *from_cell) = (Some(question.basis), None);
        return;
    } else if let Some(index) = cells.iter().position(|cell| *cell == at).or(cells.is_empty().then_some(0)) {
        planned.reach = answer.reach;
        planned.replace(&answer.route, answer.lowest);
        **progress = Progress { index, arrived: false };
    } else {
        // While the route was planned, the traveller has followed the old one to a cell that is not on the new one.
        *basis = None;
        return;
    }
    log_answer(question, answer);
    (*basis, *from_cell) = (Some(question.basis), Some(from));
}

fn log_answer(question: &Question, answer: &Answer) {
    let (from, to, Route { cells, cost }) = (question.query.from, question.query.to, &answer.route);
    if answer.reach == Reach::Goal {
        let cost = format_args!("{:.3}", cost.tiles());
        info!(%from, %to, %cost, cells = cells.len(), expanded = answer.expanded, micros = answer.micros, "route found");
    } else {
        let nearest = cells.last().copied().unwrap_or(from);
        info!(%from, %to, %nearest, "no route");
    }
}
