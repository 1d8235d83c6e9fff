//! Partial routes: to the nearest cell, where there is no route to the goal.

use std::ops::ControlFlow;
use std::slice;

use super::Planner;
use crate::canonical::walk_back;
use crate::grid::Cell;
use crate::nearest_reachable::{at_distance, distance_squared};
use crate::query::passable;
use crate::search::goal_set::{self, Aim};
use crate::search::heuristic::LinearDistance;
use crate::search::memory::{Closest, Endpoints, Memory, Progress, SearchLimits};
use crate::search::steps::with_steps;
use crate::{CostGrid, Endpoint, Options, QueryError, RouteCost, RouteQuery, RouteRef, StepRules, Ties};

/// The search for the cell that is nearest to the goal.
struct NearestCell<'a> {
    grid: &'a CostGrid,
    goal: Cell,
    bound: LinearDistance,
    nearest: Option<Nearest>,
}

/// The cells that are as near to the goal as any that can be reached.
#[derive(Clone, Copy)]
struct Nearest {
    /// The square of their distance from the goal.
    squared: i64,
    /// The largest lower bound on the cost from one of them to the goal.
    max_bound: u64,
}

impl Aim for NearestCell<'_> {
    fn estimate(&self, at: usize) -> u64 {
        let bound = || self.bound.between(self.goal - self.grid.cell(at));
        self.nearest.map_or(0, |nearest| bound().saturating_sub(nearest.max_bound))
    }

    fn is_goal(&self, at: usize) -> bool {
        self.nearest.is_some_and(|nearest| self.grid.cell(at).distance_squared(self.goal) <= nearest.squared)
    }

    fn distance(&self, at: usize) -> u64 {
        self.grid.cell(at).distance_squared(self.goal).unsigned_abs()
    }
}

impl Planner {
    /// Writes the route that the last search found from the start to the goal, or to another cell: the canonical one if
    /// the options ask for it.
    pub(super) fn write_route(&mut self, grid: &CostGrid, options: &Options, endpoints: Endpoints) {
        let Endpoints { start, goal } = endpoints;
        if start == goal || options.ties == Ties::Any || !options.optimal() {
            return self.follow_parents(grid, endpoints);
        }
        let nodes = &self.memory.nodes;
        with_steps!(grid, options.rules, steps => walk_back(&mut self.cells, grid, nodes, steps, goal));
        self.cells.reverse();
    }

    /// The route that was written last; `None` if none was. `is_whole` says that the search has reached its last cell
    /// as its goal. The label of any other cell can be outdated: one of the cells before it may have become cheaper
    /// since.
    pub(super) fn written_route(&self, grid: &CostGrid, rules: StepRules, is_whole: bool) -> Option<RouteRef<'_>> {
        let Self { cells, memory: Memory { nodes, has_jumped, .. }, .. } = self;
        let &goal = cells.last()?;
        // Looking up every step of a long route takes longer than some searches.
        let known =
            (is_whole && *has_jumped).then(|| nodes.cost(grid.index(goal))).flatten().map(RouteCost::from_units);
        let cost_of_steps = || rules.cost_of_steps(grid, cells);
        let cost = known.unwrap_or_else(cost_of_steps);
        debug_assert_eq!(cost, cost_of_steps());
        Some(RouteRef { cells, cost })
    }

    /// The ends of a query, and whether they are connected; an error if it has none. The start is checked first. A
    /// blocked start may be replaced by another one, and a partial route may lead towards a blocked goal.
    pub(crate) fn ends_of(&mut self, grid: &CostGrid, query: &RouteQuery) -> Result<(Endpoints, bool), QueryError> {
        let start = passable(grid, Endpoint::Start, query.from).or_else(|error| match error {
            QueryError::Blocked { .. } if query.leaves_blocked => {
                self.way_out(grid, query.options.rules, query.from, slice::from_ref(&query.to)).ok_or(error)
            }
            _ => Err(error),
        })?;
        let goal = passable(grid, Endpoint::Goal, query.to).or_else(|error| match error {
            QueryError::Blocked { .. } if query.partial => Ok(grid.index(query.to)),
            _ => Err(error),
        })?;
        let components = self.components(grid, query.options.rules);
        Ok((Endpoints { start, goal }, components.are_connected(grid, grid.cell(start), query.to)))
    }

    /// The passable cell nearest to a blocked start, see [`RouteQuery::leaving_blocked`].
    pub(super) fn way_out(&mut self, grid: &CostGrid, rules: StepRules, start: Cell, goals: &[Cell]) -> Option<usize> {
        let components = self.components(grid, rules);
        let nearest = distance_squared(grid.size(), start, |cell| grid.is_passable(cell))?;
        let distance = LinearDistance::at_min_cost(grid, rules.moves);
        let rank = |cell: &Cell| {
            let is_cut_off = !goals.iter().any(|&goal| components.are_connected(grid, *cell, goal));
            // A goal may be far off the map.
            let goals = goals.iter().filter(|&&goal| grid.size().contains(goal));
            let to_goal = goals.map(|&goal| distance.between(goal - *cell)).min();
            (is_cut_off, to_goal, cell.y, cell.x)
        };
        let cells = at_distance(start, nearest).filter(|&cell| grid.is_passable(cell));
        cells.min_by_key(rank).map(|cell| grid.index(cell))
    }

    /// Searches for the nearest cell to the goal that can be reached at no more than `max_units`, and returns it. The
    /// labels of the search are the costs of cheapest routes. It pauses at `pause_at` expanded cells. `squared` is the
    /// square of the cell's distance; `None` if that is not known.
    pub(super) fn search_nearest(
        &mut self,
        grid: &CostGrid,
        query: &RouteQuery,
        Endpoints { start, goal }: Endpoints,
        squared: Option<i64>,
        (limits, progress, pause_at): (SearchLimits, &mut Progress, u64),
    ) -> ControlFlow<(), usize> {
        let rules = query.options.rules;
        let bound = LinearDistance::lower_bound(grid, rules);
        let goal = grid.cell(goal);
        let nearest = squared.map(|squared| {
            let bounds = at_distance(goal, squared).map(|cell| bound.between(goal - cell));
            Nearest { squared, max_bound: bounds.max().unwrap_or_default() }
        });
        let aim = NearestCell { grid, goal, bound, nearest };
        let (memory, starts) = (&mut self.memory, std::iter::once(start));
        let found = with_steps!(grid, rules, steps =>
            goal_set::search(memory, grid, starts, steps, &aim, (limits, progress, pause_at)))?;
        let closest = found.or(progress.closest.map(|closest| closest.at));
        ControlFlow::Continue(closest.unwrap_or(start))
    }

    /// The nearest cell to the goal that the last search has seen. O(cells of the grid).
    pub(super) fn nearest_seen(&self, grid: &CostGrid, endpoints: Endpoints) -> usize {
        let Memory { nodes, .. } = &self.memory;
        let goal = grid.cell(endpoints.goal);
        let seen = grid.size().cells().filter_map(|cell| {
            let at = grid.index(cell);
            let distance = cell.distance_squared(goal).unsigned_abs();
            nodes.is_seen(at).then(|| Closest { distance, label: nodes.label(at), at })
        });
        seen.min().map_or(endpoints.start, |closest| closest.at)
    }
}
