//! The routes of agents whose goals have no field.

mod rounds;
#[cfg(feature = "serde")]
mod saved;
mod slices;

use std::iter;
use std::sync::Arc;

use super::group_route::GroupRoute;
use super::own_route::{OwnRoute, Sight};
use super::surroundings::Surroundings;
use crate::goal::Target;
use crate::index::{AgentIndex, CellIndex};
use crate::land::Ground;
use emberwalk_path::grid::Cell;
use emberwalk_path::{
    Components, MultiQuery, Options, Planner, Route, RouteQuery, RouteSearch, SearchResult, Stamp, StepRules,
};
#[cfg(feature = "serde")]
pub(super) use saved::SavedRoutes;

/// An agent of a group leaves the common route at this distance from its place, in cells.
const JOINS_WITHIN: i64 = 12;

/// The routes of agents whose goals have no field.
#[derive(Debug, Default)]
pub(super) struct OwnRoutes {
    /// By the indices of the agents. The routes of other agents are empty. Copies of a crowd share routes until they
    /// change.
    routes: Vec<Arc<OwnRoute>>,
    planner: Planner,
    /// The last route of an agent with its group. Its memory is kept.
    group_route: Route,
    surroundings: Surroundings,
    round: Round,
    /// The agents whose routes have to be planned again, if planning has a budget.
    outdated: Vec<AgentIndex>,
    tables: TableWork,
    running: Option<Running>,
}

/// The changes that the routes are being checked for.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Round {
    /// The stamps of the grid before and after the changes.
    #[cfg_attr(feature = "serde", serde(with = "emberwalk_path::internal::saved_stamp"))]
    from: Stamp,
    #[cfg_attr(feature = "serde", serde(with = "emberwalk_path::internal::saved_stamp"))]
    to: Stamp,
    /// Whether the grid has forgotten some changes, so that every route is planned again.
    is_unknown: bool,
    /// The agent whose route is checked next.
    next: usize,
    /// For each cell, by the index of the grid's array, whether it or a neighbour has changed; and the list of these
    /// cells.
    #[cfg_attr(feature = "serde", serde(skip))]
    are_near: Vec<bool>,
    near: Vec<CellIndex>,
    /// The cells whose change may have made some routes cheaper.
    cheaper: Vec<Cell>,
}

/// The search for the route of an agent.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Running {
    agent: AgentIndex,
    from: Cell,
    to: Cell,
    /// A loaded search begins again, and visits as many cells.
    #[cfg_attr(feature = "serde", serde(skip))]
    search: Option<RouteSearch>,
    expanded: u64,
    restarts: u32,
    /// The stamp of the grid in the last slice.
    #[cfg_attr(feature = "serde", serde(with = "emberwalk_path::internal::saved_stamp"))]
    stamp: Stamp,
}

/// The work on the tables of the planner, which searches need.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct TableWork {
    /// The stamp of the grid with which they are up to date.
    #[cfg_attr(feature = "serde", serde(with = "emberwalk_path::internal::saved_stamp"))]
    stamp: Stamp,
    /// The stamp of the grid for which they are being made, and how many cells were visited until now.
    #[cfg_attr(feature = "serde", serde(with = "emberwalk_path::internal::saved_stamp"))]
    wanted: Stamp,
    visited: u64,
    restarts: u32,
}

/// The work for a route, in visited cells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Visited {
    /// By the search for the route.
    pub(super) searching: u64,
    /// Around its next part, converted to the cells that a search visits in the same time.
    pub(super) around: u64,
}

impl Visited {
    pub(super) fn all(self) -> u64 {
        self.searching + self.around
    }
}

/// Shares the planner's tables of the grid, but not the memory of its searches, unless a search is under way.
impl Clone for OwnRoutes {
    fn clone(&self) -> Self {
        let is_searching = self.running.as_ref().is_some_and(|running| running.search.is_some());
        Self {
            routes: self.routes.clone(),
            planner: match is_searching {
                true => self.planner.clone(),
                false => Planner::with_tables(self.planner.tables()),
            },
            round: self.round.clone(),
            tables: self.tables,
            running: self.running.clone(),
            ..Self::default()
        }
    }
}

impl OwnRoutes {
    /// Prepares the searches.
    pub(super) fn prepare(&mut self, ground: Ground<'_>) {
        self.interrupt();
        self.planner.prepare(ground.grid, &options(ground.rules));
    }

    /// Prepares the searches with the tables of others.
    pub(super) fn share_preparation(&mut self, others: &Self) {
        self.interrupt();
        self.planner = Planner::with_tables(others.planner.tables());
    }

    /// The connected components of the ground.
    pub(super) fn components(&mut self, ground: Ground<'_>) -> &Components {
        self.planner.components(ground.grid, ground.rules)
    }

    /// The agents whose routes have turned out to be outdated, since the last call.
    pub(super) fn take_outdated(&mut self) -> Vec<AgentIndex> {
        std::mem::take(&mut self.outdated)
    }

    /// Forgets the route of an agent.
    pub(super) fn forget(&mut self, agent: AgentIndex) {
        if let Some(route) = self.routes.get_mut(agent.get()) {
            Arc::make_mut(route).clear();
        }
    }

    /// The cost from a cell to the goal of an agent, in units; [`u64::MAX`] if it is not known.
    #[inline]
    pub(super) fn cost(&self, agent: AgentIndex, at: CellIndex) -> u64 {
        self.routes[agent.get()].cost(at)
    }

    /// The cells of the route of an agent, from the next one on; none without a route.
    pub(super) fn cells(&self, agent: AgentIndex, stride: usize) -> impl Iterator<Item = CellIndex> + '_ {
        let route = Some(&self.routes[agent.get()]).filter(|route| route.is_known());
        route.into_iter().flat_map(move |route| route.cells(stride))
    }

    /// About how many bytes the routes that are not shared with an earlier copy take.
    pub(super) fn bytes_beside(&self, earlier: Option<&Self>) -> usize {
        let before = |number: usize| earlier.and_then(|earlier| earlier.routes.get(number));
        let is_own = |(number, route): &(usize, &Arc<OwnRoute>)| {
            before(*number).is_none_or(|before| !Arc::ptr_eq(before, route))
        };
        self.routes.iter().enumerate().filter(is_own).map(|(_, route)| route.bytes()).sum()
    }

    /// Plans the route of an agent.
    pub(super) fn plan(&mut self, ground: Ground<'_>, goal: &Target, agent: AgentIndex, at: CellIndex) -> Visited {
        self.interrupt();
        let route = route_of(&mut self.routes, agent);
        route.clear();
        let (here, options) = (ground.grid.cell(at.get()), options(ground.rules));
        let result = match goal {
            &Target::One(goal) => self.planner.plan(ground.grid, &RouteQuery::new(here, goal).with_options(options)),
            Target::Several(goals) => {
                self.planner.plan_multi(ground.grid, &MultiQuery::new(&[here], goals).with_options(options))
            }
        };
        // A goal that is blocked has no route.
        let Ok(result) = result else { return Visited::default() };
        // A search over jump points passes more cells than it expands.
        let searching = result.expanded + result.cells().len() as u64;
        let around = match result.route {
            Some(found) => route.set(ground, goal.cells(), agent, found, &mut self.surroundings),
            None => 0,
        };
        Visited { searching, around }
    }

    /// Plans the route of an agent along the common route of its group, which leads close to its goal. It need not be
    /// the cheapest route.
    pub(super) fn plan_along(
        &mut self,
        ground: Ground<'_>,
        group: &GroupRoute,
        goal: &Target,
        agent: AgentIndex,
        at: CellIndex,
    ) -> Visited {
        self.interrupt();
        let here = ground.grid.cell(at.get());
        let is_far = |cell: &Cell| cell.distance_squared(goal.first()) > JOINS_WITHIN * JOINS_WITHIN;
        let next = |&cell: &Cell| group.next(ground.grid, cell);
        let joined = &mut self.group_route;
        joined.clear();
        joined.cells.extend(iter::successors(Some(here), next).take_while(is_far));
        let Some(&last) = joined.cells.last() else { return self.plan(ground, goal, agent, at) };
        let query = RouteQuery::new(last, goal.first()).with_options(options(ground.rules));
        match self.planner.plan(ground.grid, &query) {
            Ok(SearchResult { route: Some(rest), expanded, .. }) => {
                joined.cells.extend_from_slice(&rest.cells[1..]);
                joined.cost = ground.rules.cost_of_steps(ground.grid, &joined.cells);
                let route = route_of(&mut self.routes, agent);
                let around = route.set(ground, goal.cells(), agent, joined.as_route_ref(), &mut self.surroundings);
                Visited { searching: expanded + joined.cells.len() as u64, around }
            }
            _ => self.plan(ground, goal, agent, at),
        }
    }

    /// Lets an agent that has come into a cell look around, if it has to. Returns `false` if it is too far from its route.
    pub(super) fn follow_known(&mut self, ground: Ground<'_>, goal: &Target, agent: AgentIndex, at: CellIndex) -> bool {
        let route = &mut self.routes[agent.get()];
        !route.has_to_look(at)
            || Arc::make_mut(route).look_around(ground, goal.cells(), at, Sight::USUAL, &mut self.surroundings)
    }

    /// Lets an agent that has a route see farther.
    pub(super) fn look_far(&mut self, ground: Ground<'_>, goal: &Target, agent: AgentIndex, at: CellIndex) {
        if self.routes[agent.get()].is_known() {
            let route = Arc::make_mut(&mut self.routes[agent.get()]);
            route.look_around(ground, goal.cells(), at, Sight::WIDE, &mut self.surroundings);
        }
    }

    /// The same, but plans another route if the agent is too far from its own. Returns how many cells were visited.
    pub(super) fn follow(&mut self, ground: Ground<'_>, goal: &Target, agent: AgentIndex, at: CellIndex) -> u64 {
        if self.follow_known(ground, goal, agent, at) { 0 } else { self.plan(ground, goal, agent, at).searching }
    }
}

/// The route of an agent, which may be its first.
fn route_of(routes: &mut Vec<Arc<OwnRoute>>, agent: AgentIndex) -> &mut OwnRoute {
    if routes.len() <= agent.get() {
        routes.resize_with(agent.get() + 1, Arc::default);
    }
    Arc::make_mut(&mut routes[agent.get()])
}

/// The options of all searches for own routes.
fn options(rules: StepRules) -> Options {
    Options::default().with_rules(rules)
}
