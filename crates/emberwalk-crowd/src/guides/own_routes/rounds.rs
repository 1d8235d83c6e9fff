//! After edits, the own routes are checked one after the other, as many in each beat as its budget allows.

use std::sync::Arc;

use super::{OwnRoutes, Round, options};
use crate::goal::Target;
use crate::guides::allowance::Allowance;
use crate::guides::own_route::Sight;
use crate::index::{AgentIndex, CellIndex, GuideIndex};
use crate::land::Ground;
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, Planner, RouteQuery};

/// The cost of checking a route: one visited cell for this many steps, and this many visited cells for the lower bounds
/// on the cost of routes through a cell that has become cheaper.
const STEPS_PER_CELL: usize = 8;
const CELLS_PER_BOUND: u64 = 4;

impl Round {
    /// Collects the changes since the last round.
    fn begin(&mut self, grid: &CostGrid) {
        let Self { are_near, near, cheaper, .. } = self;
        near.drain(..).for_each(|at| are_near[at.get()] = false);
        are_near.resize(grid.entry_units().len(), false);
        cheaper.clear();
        self.next = 0;
        self.to = grid.stamp();
        let changes = grid.changes_since(self.from);
        self.is_unknown = changes.is_none();
        for change in changes.into_iter().flatten() {
            for at in grid.indices_around(change.cell, 1) {
                if !std::mem::replace(&mut are_near[at], true) {
                    near.push(CellIndex::new(at));
                }
            }
            let now = grid.get(change.cell);
            let is_cheaper = now.is_some_and(|now| change.was.is_none_or(|was| now < was));
            if is_cheaper || now.is_some() && grid.level(change.cell) != change.was_level {
                cheaper.push(change.cell);
            }
        }
        cheaper.sort_unstable();
        cheaper.dedup();
    }
}

impl OwnRoutes {
    /// Checks routes until this many cells have been visited, and replans routes that may not be the cheapest any more.
    /// `goal` returns none if a guide has a field, so that its agents need no routes any more, and `walker` says which
    /// guide leads an agent, and where it is or where its step leads. Returns whether all routes are up to date, or
    /// with a budget, are known to be outdated.
    pub(in super::super) fn catch_up<'a>(
        &mut self,
        ground: Ground<'_>,
        goal: impl Fn(GuideIndex) -> Option<&'a Target>,
        walker: impl Fn(AgentIndex) -> (Option<GuideIndex>, CellIndex),
        max_visited: u64,
        mut allowance: Option<&mut Allowance>,
    ) -> bool {
        if self.round.from == ground.grid.stamp() {
            return true;
        }
        if self.routes.is_empty() {
            (self.round.from, self.round.to) = (ground.grid.stamp(), ground.grid.stamp());
            return true;
        }
        if let Some(allowance) = allowance.as_deref_mut()
            && !self.update_tables(ground, allowance)
        {
            return false;
        }
        if self.round.to != ground.grid.stamp() {
            // Routes that were checked for some of these changes are checked again.
            self.round.begin(ground.grid);
        }
        let mut visited = 0;
        while self.round.next < self.routes.len() && visited <= max_visited {
            let agent = AgentIndex::new(self.round.next);
            self.round.next += 1;
            if self.routes[agent.get()].is_known()
                && let (Some(guide), at) = walker(agent)
            {
                match goal(guide) {
                    Some(goal) => visited += self.check(ground, goal, agent, at, allowance.is_some()),
                    None => Arc::make_mut(&mut self.routes[agent.get()]).clear(),
                }
            }
        }
        let are_all = self.round.next == self.routes.len();
        if are_all {
            self.round.from = self.round.to;
        }
        if let Some(allowance) = allowance {
            allowance.spend(visited);
        }
        are_all
    }

    /// Checks the route of an agent, and returns how many cells were visited, or how many would have taken as long.
    fn check(&mut self, ground: Ground<'_>, goal: &Target, agent: AgentIndex, at: CellIndex, plans_later: bool) -> u64 {
        let Self { routes, planner, surroundings, round, outdated, .. } = self;
        let route = Arc::make_mut(&mut routes[agent.get()]);
        let is_near = |cell: CellIndex| round.are_near[cell.get()];
        let mut visited = 1 + (route.steps_ahead() / STEPS_PER_CELL) as u64;
        let mut is_outdated = round.is_unknown || route.crosses(ground.grid.stride(), is_near);
        if !is_outdated {
            let here = ground.grid.cell(at.get());
            let cost = route.cost(at);
            let bound = |planner: &mut Planner, from: Cell, to: Cell| {
                let query = RouteQuery::new(from, to).with_options(options(ground.rules));
                planner.lower_bound(ground.grid, &query).ok().flatten().map_or(u64::MAX, |bound| bound.units())
            };
            is_outdated = round.cheaper.iter().any(|&cell| {
                visited += CELLS_PER_BOUND;
                let there = bound(planner, here, cell);
                // A goal that was blocked may be the nearest now.
                goal.cells().iter().any(|&goal| there.saturating_add(bound(planner, cell, goal)) < cost)
            });
            if !is_outdated && route.knows(is_near) {
                is_outdated = !route.look_around(ground, goal.cells(), at, Sight::USUAL, surroundings);
                visited += if plans_later { surroundings.effort() } else { 0 };
            }
        }
        if is_outdated && plans_later {
            outdated.push(agent);
        } else if is_outdated {
            visited += self.plan(ground, goal, agent, at).searching;
        }
        visited
    }
}
