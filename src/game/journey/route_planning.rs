//! Plans the route of every traveller to its goal again when the terrain or the goal has changed.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;
use bevy_emberwalk::AskedRoute;
use emberwalk_path::Options;
use emberwalk_path::grid::Cell;

use super::goal::Goal;
use super::planned_route::{PlannedRoute, Progress};
use super::planning::{GridQuery, Planning, Reach, Urgency, log_route};
use super::traveller::Traveller;

/// What is known about the route of a traveller to its goal. A different query causes a new search.
#[derive(Component, Default)]
pub(in crate::game) struct RouteState {
    /// The cell of the traveller when its goal was set.
    set_out: Option<Cell>,
    /// The query that the route which is shown answers.
    pub(super) shown: Option<GridQuery>,
    /// The route to the goal. It is unknown if it leads to an earlier goal, or does not lead past the traveller.
    pub(super) to_goal: AskedRoute,
}

impl RouteState {
    /// Whether the traveller may follow its route. Otherwise it waits for another one.
    pub(in crate::game) fn has_route(&self) -> bool {
        self.to_goal.routes.known().is_some()
    }

    /// Whether the route leads to the current goal, and was planned with these options.
    pub(in crate::game) fn has_route_with(&self, options: Options) -> bool {
        self.has_route() && self.shown.is_some_and(|shown| shown.query.options == options)
    }

    /// The cell in which the traveller was when its goal was set, or in which it waits to be sent there.
    pub(in crate::game) fn set_out(&self) -> Option<Cell> {
        self.set_out
    }

    /// The last query for a route to the goal, if it differs from this one only in its start.
    pub(super) fn known(&self, wanted: &GridQuery) -> Option<GridQuery> {
        self.to_goal.routes.known().filter(|known| known.has_rest_of(wanted)).copied()
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
        state.set_out = traveller.origin();
        state.to_goal.routes.take();
        progress.arrived = false;
    }
}

/// A traveller whose route is planned.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Journey {
    pub goal: &'static Goal,
    pub traveller: &'static Traveller,
    pub planned: &'static mut PlannedRoute,
    pub progress: &'static mut Progress,
    pub state: &'static mut RouteState,
}

/// Plans the routes that the travellers need.
pub(super) fn plan_routes(mut planning: Planning, mut journeys: Query<Journey>) {
    for mut journey in &mut journeys {
        journey.plan(&mut planning);
    }
}

impl JourneyItem<'_, '_> {
    /// Plans the route that the traveller needs. It starts in the cell that the traveller is entering, so that it does
    /// not jump.
    fn plan(&mut self, planning: &mut Planning) {
        let (Some(at), Some(goal)) = (self.traveller.origin(), self.goal.cell) else {
            if self.planned.reach != Reach::Nowhere {
                self.planned.reach = Reach::Nowhere;
            }
            self.ask(planning, None);
            return;
        };
        if !self.goal.sent {
            self.state.set_out = Some(at);
        }
        let wanted = planning.query(at, goal);
        while self.ask(planning, self.needed(wanted)) {
            self.accept(at);
        }
    }

    /// The query for the route that the traveller needs, which may be the one that it has.
    fn needed(&self, wanted: GridQuery) -> Option<GridQuery> {
        let is_there = self.progress.arrived && wanted.query.from == wanted.query.to;
        if is_there { self.state.to_goal.routes.known().copied() } else { self.state.known(&wanted).or(Some(wanted)) }
    }

    /// Asks for a route, and returns whether there is an answer to this query or an older one.
    fn ask(&mut self, planning: &mut Planning, query: Option<GridQuery>) -> bool {
        planning.follow(&mut self.state.to_goal, Urgency::Route, query)
    }

    /// Takes the route that was found for a traveller at `at`.
    fn accept(&mut self, at: Cell) {
        let state = &mut *self.state;
        let Some((query, found)) = state.to_goal.routes.last() else {
            // The search has failed.
            self.planned.reach = Reach::Nowhere;
            return;
        };
        let cells = &found.route.cells;
        // A traveller that stays does not arrive a second time, and keeps the route that it has walked.
        let stays = self.progress.arrived && cells.len() <= 1;
        if !stays {
            let Some(index) = cells.iter().position(|cell| *cell == at).or(cells.is_empty().then_some(0)) else {
                // While the route was planned, the traveller has followed the old one to a cell that is not on the new
                // one.
                state.to_goal.routes.take();
                return;
            };
            self.planned.route.assign(found.route.as_route_ref());
            *self.progress = Progress { index, arrived: false };
            state.shown = Some(*query);
        }
        self.planned.reach = found.reach;
        log_route(found, &query.query);
    }
}
