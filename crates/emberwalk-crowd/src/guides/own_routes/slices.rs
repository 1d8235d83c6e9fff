//! With a budget, the search for an own route continues from slice to slice, and so does the work on its tables.

use std::ops::ControlFlow;
use std::task::Poll;

use super::{OwnRoutes, Running, TableWork, options, route_of};
use crate::goal::Target;
use crate::guides::allowance::Allowance;
use crate::index::{AgentIndex, CellIndex};
use crate::land::Ground;
use emberwalk_path::internal::Budget;
use emberwalk_path::{RouteQuery, RouteSearch, SearchResult};

/// Visiting a cell in a search takes as long as visiting this many when the tables of a planner are made: jump points
/// on ground where all costs differ, or landmarks.
const JUMP_CELLS_PER_SEARCHED: u64 = 4;
const LANDMARK_CELLS_PER_SEARCHED: u64 = 8;
/// Bringing these tables up to date after the change of a cell takes as long as visiting this many in a search.
const CELLS_PER_CHANGE: u64 = 32;
/// Work that had to begin again this often, because the grid or the goal kept changing or its agent moved on, is done
/// without a pause.
const MAX_RESTARTS: u32 = 2;

impl OwnRoutes {
    /// Continues the search for the route of an agent, as far as the allowance permits. Once it has ended, returns how
    /// many cells were visited in all.
    pub(in super::super) fn advance_plan(
        &mut self,
        ground: Ground<'_>,
        goal: &Target,
        agent: AgentIndex,
        at: CellIndex,
        allowance: &mut Allowance,
    ) -> Option<u64> {
        if !self.update_tables(ground, allowance) {
            return None;
        }
        let &Target::One(to) = goal else {
            let visited = self.plan(ground, goal, agent, at);
            allowance.spend(visited.all());
            return Some(visited.searching);
        };
        let from = ground.grid.cell(at.get());
        let before = self.running.take().filter(|running| running.agent == agent);
        let mut running = match before {
            Some(before) if (before.from, before.to) == (from, to) => before,
            // Its agent has moved on, was pushed, or has another goal.
            before => Running {
                agent,
                from,
                to,
                search: None,
                expanded: 0,
                restarts: before.map_or(0, |before| before.restarts + 1),
                stamp: ground.grid.stamp(),
            },
        };
        let effort = self.planner.effort();
        let cells = if running.restarts > MAX_RESTARTS { u64::MAX } else { allowance.left() / effort };
        let query = RouteQuery::new(from, to).with_options(options(ground.rules));
        let mut search = running.search.take().unwrap_or_else(|| RouteSearch::new(query));
        let Self { planner, routes, surroundings, .. } = self;
        match search.advance(planner, ground.grid, cells) {
            Poll::Pending => {
                let expanded = search.expanded();
                allowance.spend(allowance.left());
                running.restarts += u32::from(expanded <= running.expanded);
                running.expanded = expanded;
                running.stamp = ground.grid.stamp();
                self.running = Some(Running { search: Some(search), ..running });
                None
            }
            Poll::Ready(result) => {
                let route = route_of(routes, agent);
                route.clear();
                // A goal that is blocked has no route.
                let Ok(SearchResult { route: found, expanded, .. }) = result else { return Some(0) };
                allowance.spend(effort * expanded.saturating_sub(running.expanded));
                let Some(found) = found else { return Some(expanded) };
                let steps = found.cells.len() as u64;
                allowance.spend(steps + route.set(ground, goal.cells(), agent, found, surroundings));
                Some(expanded + steps)
            }
        }
    }

    /// Brings the tables of the planner up to date with the grid, as far as the allowance permits. Returns whether they
    /// are.
    pub(super) fn update_tables(&mut self, ground: Ground<'_>, allowance: &mut Allowance) -> bool {
        let (grid, work) = (ground.grid, &mut self.tables);
        if work.stamp == grid.stamp() {
            return true;
        }
        if allowance.left() == 0 {
            return false;
        }
        let changes = grid.count_changes_since(work.stamp);
        if work.wanted != grid.stamp() {
            work.restarts += u32::from(work.visited > 0 && changes.is_none());
            (work.wanted, work.visited) = (grid.stamp(), 0);
        }
        // Few changes are done without a pause, unless landmarks have to be repaired.
        let has_landmarks = self.planner.has_landmarks();
        let is_whole = changes.is_some() && !has_landmarks || work.restarts > MAX_RESTARTS;
        let per_searched = if has_landmarks { LANDMARK_CELLS_PER_SEARCHED } else { JUMP_CELLS_PER_SEARCHED };
        let cells = if is_whole { u64::MAX } else { allowance.left().saturating_mul(per_searched) };
        let budget = &mut Budget::new(cells);
        let updated = self.planner.update_all(grid, ground.rules, budget);
        let visited = cells.saturating_sub(budget.left());
        allowance.spend(match changes {
            // The same for a loaded crowd, whose tables are new.
            Some(changes) if is_whole => changes as u64 * CELLS_PER_CHANGE,
            _ => visited.div_ceil(per_searched),
        });
        match updated {
            ControlFlow::Break(()) => work.visited += visited,
            ControlFlow::Continue(()) => *work = TableWork { stamp: grid.stamp(), ..TableWork::default() },
        }
        updated.is_continue()
    }

    /// Gives up the search for the route of an agent.
    pub(in super::super) fn cancel_search(&mut self, agent: AgentIndex) {
        if self.running.as_ref().is_some_and(|running| running.agent == agent) {
            self.interrupt();
        }
    }

    /// Forgets how far the search has come: another one uses its memory.
    pub(super) fn interrupt(&mut self) {
        if let Some(running) = &mut self.running {
            (running.search, running.expanded) = (None, 0);
        }
    }
}
