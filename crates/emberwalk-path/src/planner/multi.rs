//! Queries with several starts and goals, and with cells to avoid.

use std::ops::ControlFlow;

use super::{Planner, check_weight};
use crate::bounds::cell_box::CellBox;
use crate::canonical::walk_back;
use crate::grid::Cell;
use crate::query::{passable, unusable};
use crate::search::cell_set::{CellSet, CellSets};
use crate::search::goal_set::{self, Aim};
use crate::search::heuristic::LinearDistance;
use crate::search::memory::{Progress, SearchLimits};
use crate::search::steps::{AvoidingSteps, with_steps};
use crate::{CostGrid, Endpoint, LimitKind, MultiQuery, QueryError, RouteQuery, RouteRef, SearchResult, Ties};

/// The search for any of several goals.
struct AnyGoal<'a> {
    grid: &'a CostGrid,
    goals: &'a CellSet,
    /// Whether a route may end at them. Otherwise they are blocked, and a partial route leads towards them.
    can_be_entered: bool,
    /// A box around the goals.
    around: CellBox,
    /// The lower bound on the cost to the box; 0 where the search looks for the cheapest cells first, wherever the goals
    /// are.
    distance: LinearDistance,
    /// Whether the search has to know how far the cells are from the goals.
    measures: bool,
}

impl Aim for AnyGoal<'_> {
    fn estimate(&self, at: usize) -> u64 {
        self.distance.between(CellBox::of(self.grid.cell(at)).offset(self.around))
    }

    fn is_goal(&self, at: usize) -> bool {
        self.can_be_entered && self.goals.contains(at)
    }

    fn distance(&self, at: usize) -> u64 {
        let cell = self.grid.cell(at);
        let distances = self.goals.iter().map(|goal| self.grid.cell(goal).distance_squared(cell).unsigned_abs());
        if self.measures { distances.min().unwrap_or_default() } else { 0 }
    }
}

impl Planner {
    /// Answers a query with several starts, several goals or cells to avoid: the cheapest of all routes. With
    /// [canonical ties](crate::Ties::Canonical), the route leads to the first by row and column of several goals at the
    /// same cost.
    ///
    /// A query with one start and one goal is answered as by [`plan`](Self::plan), unless that route enters an avoided
    /// cell or passes one diagonally. All other queries are answered by A* with the distance to a box around the goals,
    /// whatever algorithm the options name: the answers are always exact, and prepared tables are not used. For
    /// repeated queries to the same goals, a [`Field`](crate::Field) from all goals is faster.
    ///
    /// With a limit of cost, [`stopped_by`](SearchResult::stopped_by) is [`LimitKind::Cost`] also if avoided cells cut
    /// all goals off.
    ///
    /// # Errors
    /// [`QueryError`] if no start or no goal can be used: [`Missing`](QueryError::Missing) if there are none, else the
    /// error of the first one. An avoided goal counts as [`Blocked`](QueryError::Blocked). If the query asks for a
    /// partial route, goals may all be blocked or avoided.
    pub fn plan_multi(&mut self, grid: &CostGrid, query: &MultiQuery<'_>) -> Result<SearchResult<'_>, QueryError> {
        self.paused = None;
        check_weight(&query.options)?;
        self.sets.begin(grid, query);
        self.find_starts(grid, query)?;
        let CellSets { goals, avoided, .. } = &mut self.sets;
        let is_usable = |cell: Cell| grid.is_passable(cell) && !avoided.contains(grid.index(cell));
        for &cell in query.goals.iter().filter(|&&cell| is_usable(cell)) {
            goals.insert(grid.index(cell));
        }
        let has_goals = !goals.is_empty();
        if !has_goals {
            // A partial route leads towards blocked goals.
            for &cell in query.goals.iter().filter(|&&cell| query.partial && grid.size().contains(cell)) {
                goals.insert(grid.index(cell));
            }
            if goals.is_empty() {
                return Err(unusable(grid, Endpoint::Goal, query.goals.first()));
            }
        }
        let is_reachable = has_goals && self.is_any_goal_reachable(grid, query);
        if has_goals && !is_reachable && !query.partial {
            return Ok(SearchResult::new(None, [0, 0], true));
        }
        if is_reachable
            && let (&[from], &[to]) = (query.starts, query.goals)
            && (query.avoided.is_empty() || query.limits.max_expansions.is_none())
        {
            let &MultiQuery { options, limits, partial, leaves_blocked, .. } = query;
            let single = RouteQuery { from, to, options, limits, partial, leaves_blocked };
            if query.avoided.is_empty() {
                return self.plan(grid, &single);
            }
            let result = self.plan(grid, &RouteQuery { partial: false, ..single })?;
            let (cost, work, optimal) = (result.cost(), [result.expanded, result.reopened], result.optimal);
            if let Some(cost) = cost
                && self.avoids(grid, query)
            {
                return Ok(SearchResult::new(Some(RouteRef { cells: &self.cells, cost }), work, optimal));
            }
        }
        self.search_multi(grid, query, is_reachable)
    }

    /// Finds the starts that can be used; an error if there are none.
    fn find_starts(&mut self, grid: &CostGrid, query: &MultiQuery<'_>) -> Result<(), QueryError> {
        let mut error = QueryError::Missing(Endpoint::Start);
        let mut starts = std::mem::take(&mut self.sets.starts);
        for (k, &cell) in query.starts.iter().enumerate() {
            match passable(grid, Endpoint::Start, cell) {
                Ok(at) => starts.push(at),
                Err(QueryError::Blocked { .. }) if query.leaves_blocked && grid.passable_cells() > 0 => {
                    starts.extend(self.way_out(grid, query.options.rules, cell, query.goals));
                }
                Err(first) if k == 0 => error = first,
                Err(_) => {}
            }
        }
        let has_starts = !starts.is_empty();
        self.sets.starts = starts;
        if has_starts { Ok(()) } else { Err(error) }
    }

    /// Whether a goal of the sets can be reached from a start, as if no cell were avoided.
    pub(super) fn is_any_goal_reachable(&mut self, grid: &CostGrid, query: &MultiQuery<'_>) -> bool {
        let components = self.tables.components(grid, query.options.rules);
        let CellSets { starts, goals, .. } = &self.sets;
        starts.iter().any(|&start| {
            let reachable = components.reachable_from(start);
            goals.iter().any(|at| reachable.contains(at))
        })
    }

    /// Whether the route in `cells` enters no avoided cell, nor passes one diagonally.
    fn avoids(&self, grid: &CostGrid, query: &MultiQuery<'_>) -> bool {
        let is_free = |cell: Cell| !self.sets.avoided.contains(grid.index(cell));
        let rules = query.options.rules;
        self.cells.windows(2).all(|pair| {
            let (from, to) = (pair[0], pair[1]);
            let passes = rules.passes_corners(from, to);
            is_free(to) && (!passes || is_free(Cell::new(from.x, to.y)) && is_free(Cell::new(to.x, from.y)))
        })
    }

    /// Searches for any of the goals in the sets, and if that fails for the nearest cell to one of them.
    fn search_multi(
        &mut self,
        grid: &CostGrid,
        query: &MultiQuery<'_>,
        can_be_entered: bool,
    ) -> Result<SearchResult<'_>, QueryError> {
        let rules = query.options.rules;
        let limits = SearchLimits {
            max_units: query.limits.max_units(),
            max_expanded: query.limits.max_expanded(),
            visits_ties: query.options.ties == Ties::Canonical,
        };
        let CellSets { starts, goals, avoided } = &self.sets;
        let boxes = goals.iter().map(|at| CellBox::of(grid.cell(at)));
        let around = boxes.reduce(CellBox::union).unwrap_or_default();
        let distance = LinearDistance::lower_bound(grid, rules);
        let mut aim = AnyGoal { grid, goals, can_be_entered, around, distance, measures: query.partial };
        let memory = &mut self.memory;
        memory.has_jumped = false;
        let mut run = |aim: &AnyGoal<'_>, progress: &mut Progress, most: u64| {
            let starts = starts.iter().copied();
            if most == 0 {
                return ControlFlow::Break(());
            }
            with_steps!(grid, rules, steps =>
                goal_set::search(memory, grid, starts, AvoidingSteps { steps, avoided }, aim, (limits, progress, most)))
        };
        let mut progress = Progress::default();
        let mut found = run(&aim, &mut progress, limits.max_expanded);
        let mut expanded = progress.expanded;
        // A cell that A* has not expanded may be nearer.
        if query.partial && found == ControlFlow::Continue(None) {
            (aim.distance, progress) = (LinearDistance::default(), Progress::default());
            let flood = run(&aim, &mut progress, limits.max_expanded.saturating_sub(expanded));
            expanded += progress.expanded;
            if flood.is_break() {
                found = ControlFlow::Break(());
            }
        }
        let reached = found.continue_value().flatten();
        let closest = progress.closest.map(|closest| closest.at);
        let start = || starts.first().copied();
        let end = reached.or_else(|| closest.or_else(start).filter(|_| query.partial));
        self.cells.clear();
        let nodes = &self.memory.nodes;
        if let Some(end) = end {
            if progress.has_begun() {
                with_steps!(grid, rules, steps =>
                    walk_back(&mut self.cells, grid, nodes, AvoidingSteps { steps, avoided }, end));
            } else {
                self.cells.push(grid.cell(end));
            }
        }
        self.cells.reverse();
        let route = end.map(|_| RouteRef { cells: &self.cells, cost: rules.cost_of_steps(grid, &self.cells) });
        let broken = route.and_then(|route| query.limits.broken_by(route.cost, route.steps()));
        let is_route = reached.is_some() && broken.is_none();
        let stopped_by = match found {
            _ if !can_be_entered => None,
            ControlFlow::Break(()) => Some(LimitKind::Expansions),
            ControlFlow::Continue(Some(_)) => broken,
            ControlFlow::Continue(None) => query.limits.max_cost.map(|_| LimitKind::Cost),
        };
        let partial = route.filter(|_| query.partial && !is_route);
        Ok(SearchResult {
            partial: partial.map(|route| route.cut(grid, rules, &query.limits)),
            stopped_by,
            ..SearchResult::new(route.filter(|_| is_route), [expanded, 0], true)
        })
    }
}
