//! Partial routes: to the closest cell, where there is no route to the goal.

use std::ops::ControlFlow;
use std::slice;

use super::Planner;
use crate::bounds::heuristic::LinearDistance;
use crate::canonical::walk_back;
use crate::grid::Cell;
use crate::nearest_reachable::{at_distance, distance_squared, smallest_distance};
use crate::query::passable;
use crate::search::goal_set::{self, Aim};
use crate::search::memory::{Closest, Endpoints, Memory, Progress, SearchLimits};
use crate::search::steps::with_steps;
use crate::{CostGrid, Endpoint, Options, QueryError, RouteCost, RouteQuery, RouteRef, StepRules, Ties};

/// The search for the cell that is closest to the goal.
struct ClosestCell<'a> {
    grid: &'a CostGrid,
    goal: Cell,
    distance: LinearDistance,
    /// The distance from which on a cell is as close as any that can be reached; `None` if that is not known.
    smallest: Option<u64>,
}

impl Aim for ClosestCell<'_> {
    fn estimate(&self, at: usize) -> u64 {
        self.smallest.map_or(0, |smallest| self.distance(at).saturating_sub(smallest))
    }

    fn is_goal(&self, at: usize) -> bool {
        self.smallest.is_some_and(|smallest| self.distance(at) <= smallest)
    }

    fn distance(&self, at: usize) -> u64 {
        self.distance.between(self.goal - self.grid.cell(at))
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

    /// The route that was written last; `None` if none was. `is_whole` says that the search has reached its last cell as
    /// its goal. The label of any other cell can be outdated: one of the cells before it may have become cheaper since.
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

    /// Searches for the closest cell to the goal that can be reached at no more than `max_units`, and returns it. The
    /// labels of the search are the costs of cheapest routes. It pauses at `pause_at` expanded cells.
    pub(super) fn search_closest(
        &mut self,
        grid: &CostGrid,
        query: &RouteQuery,
        Endpoints { start, goal }: Endpoints,
        (limits, progress, pause_at): (SearchLimits, &mut Progress, u64),
    ) -> ControlFlow<(), usize> {
        let rules = query.options.rules;
        let distance = LinearDistance::at_min_cost(grid, rules.moves);
        let goal = grid.cell(goal);
        // Without a limit on the cost, the components determine how close a route can get.
        let components = self.components(grid, rules);
        let smallest = (limits.max_units == u64::MAX).then(|| {
            let is_reachable = |cell| components.are_connected(grid, grid.cell(start), cell);
            smallest_distance(grid.size(), goal, is_reachable, |cell| distance.between(goal - cell))
        });
        let aim = ClosestCell { grid, goal, distance, smallest: smallest.flatten() };
        let (memory, starts) = (&mut self.memory, std::iter::once(start));
        let found = with_steps!(grid, rules, steps =>
            goal_set::search(memory, grid, starts, steps, &aim, (limits, progress, pause_at)))?;
        let closest = found.or(progress.closest.map(|closest| closest.at));
        ControlFlow::Continue(closest.unwrap_or(start))
    }

    /// The closest cell to the goal that the last search has seen. O(cells of the grid).
    pub(super) fn closest_seen(&self, grid: &CostGrid, query: &RouteQuery, endpoints: Endpoints) -> usize {
        let Memory { nodes, .. } = &self.memory;
        let distance = LinearDistance::at_min_cost(grid, query.options.rules.moves);
        let goal = grid.cell(endpoints.goal);
        let seen = grid.size().cells().filter_map(|cell| {
            let at = grid.index(cell);
            nodes.is_seen(at).then(|| Closest { distance: distance.between(goal - cell), label: nodes.label(at), at })
        });
        seen.min().map_or(endpoints.start, |closest| closest.at)
    }
}
