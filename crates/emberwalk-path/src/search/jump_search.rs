//! A* over jump points.

use std::ops::ControlFlow;

use crate::RouteCost;
use crate::grid::Direction;
use crate::search::astar::{Continue, EIGHTH, search_in_buckets};
use crate::search::heuristic::Estimate;
use crate::search::jumps::jump_successors::{JumpSuccessors, Successor};
use crate::search::memory::{JumpNode, Memory, Progress, SearchContext};
use crate::search::nodes::{Improvement, Nodes};
use crate::search::observer::{Closed, Opened, SearchObserver};
use crate::search::open_list::OpenList;

/// A key that is larger by no more than a sixteenth of a tile counts as equal.
const NEGLIGIBLE: u64 = 1 << 14;

/// Searches with lower bounds that never overestimate, none of which exceeds `limit`; returns `false` if the goal is
/// unreachable. Pauses at the number of expansions in the context.
pub(crate) fn search<E: Estimate, O: SearchObserver, const LEVELS: bool>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    successors: JumpSuccessors<'_, LEVELS>,
    estimate: E,
    limit: u64,
) -> ControlFlow<(), bool> {
    let Memory { nodes, jump_nodes, jump_successors: found, buckets, heap, .. } = memory;
    let (grid, start) = (context.grid, context.endpoints.start);
    if !context.progress.has_begun() {
        let len = grid.entry_units().len();
        nodes.begin(len, grid.route_units_limit() + limit);
        jump_nodes.resize(len.max(jump_nodes.len()), JumpNode::default());
    }
    // Each of four diagonal runs ends at the border, with at most two stops beside each of its cells.
    found.clear();
    found.reserve(8 * (grid.size().width.min(grid.size().height) as usize + 1));
    let mut search = Search { nodes, jump_nodes, found, context, successors, estimate };
    let first_key = search.begin();
    search_in_buckets(&mut search, (buckets, heap), grid, start, (first_key, EIGHTH))
}

/// One search, without its open list.
struct Search<'a, 'c, E, O, const LEVELS: bool> {
    nodes: &'a mut Nodes,
    jump_nodes: &'a mut [JumpNode],
    /// The successors of the cell that is being expanded.
    found: &'a mut Vec<Successor>,
    context: &'a mut SearchContext<'c, O>,
    successors: JumpSuccessors<'a, LEVELS>,
    estimate: E,
}

impl<E: Estimate, O: SearchObserver, const LEVELS: bool> Search<'_, '_, E, O, LEVELS> {
    /// Opens the start and returns its key; `None` if the search was paused and continues.
    fn begin(&mut self) -> Option<u64> {
        if !self.context.progress.begin() {
            return None;
        }
        let (grid, start) = (self.context.grid, self.context.endpoints.start);
        let (cell, goal) = (grid.cell(start), grid.cell(self.context.endpoints.goal));
        let estimate = self.estimate.for_cell(start, cell, goal - cell);
        self.nodes.open(start, self.nodes.zero(), Direction::N);
        self.jump_nodes[start].estimate = saturated(estimate);
        if O::ACTIVE {
            let h = RouteCost::from_units(estimate);
            self.context.observer.opened(Opened { cell, parent: None, g: RouteCost::ZERO, h, f: h });
        }
        Some(self.nodes.zero() + estimate)
    }
}

impl<E: Estimate, O: SearchObserver, const LEVELS: bool> Continue for Search<'_, '_, E, O, LEVELS> {
    fn progress(&mut self) -> &mut Progress {
        &mut self.context.progress
    }

    fn push_again(&mut self, open: &mut impl OpenList, at: usize) {
        if !self.nodes.is_closed(at) {
            let grid = self.context.grid;
            let (cell, goal) = (grid.cell(at), grid.cell(self.context.endpoints.goal));
            let label = self.nodes.label(at);
            let estimate = self.estimate.for_cell(at, cell, goal - cell);
            open.push(label + estimate, estimate, at);
        }
    }

    /// Ends with the lowest cost whatever the order of the open list, as the search over neighbours does.
    fn run<L: OpenList, const REOPEN: bool>(
        &mut self,
        open: &mut L,
        too_many: impl Fn(&Progress) -> bool,
    ) -> ControlFlow<(), Option<bool>> {
        let Self { nodes, jump_nodes, found, context, successors, estimate } = self;
        let SearchContext { grid, endpoints, progress: ref mut counts, ref mut observer, pause_at, limits } = **context;
        let goal = grid.cell(endpoints.goal);
        let (zero, limit) = (nodes.zero(), nodes.limit());
        let mut end = limits.end(zero, nodes.label(endpoints.goal).min(limit));
        while let Some(at) = open.pop(end) {
            let Some((so_far, direction)) = nodes.close(at) else { continue };
            counts.expanded += 1;
            let parent = grid.cell(at);
            let h = u64::from(jump_nodes[at].estimate);
            let entered_by = (at != endpoints.start).then_some(direction);
            let event = |cell, parent: Option<usize>, g: u64, h: u64| {
                let [g, h, f] = [g - zero, h, g - zero + h].map(RouteCost::from_units);
                Opened { cell, parent: parent.map(|parent| grid.cell(parent)), g, h, f }
            };
            if O::ACTIVE {
                let opened_by = entered_by.map(|_| jump_nodes[at].parent as usize);
                let h = estimate.for_cell(at, parent, goal - parent);
                observer.closed(Closed::same_as(event(parent, opened_by, so_far, h)));
            }
            // A successor whose key is hardly larger would be the next one taken from the open list, so it can be
            // skipped immediately.
            let skipped_up_to = so_far + h + NEGLIGIBLE;
            found.clear();
            successors.begin(at, parent, entered_by, found);
            let mut number = 0;
            while let Some(&successor) = found.get(number) {
                number += 1;
                let Successor { at: next, cell, direction, cost, may_skip, entry_cost } = successor;
                let label = so_far + cost;
                let improvement = nodes.improvement::<REOPEN>(next, label);
                if improvement == Improvement::No {
                    continue;
                }
                let known = jump_nodes[next].estimate;
                let is_known = known != u32::MAX && nodes.label(next) < limit;
                let h = if is_known {
                    known.into()
                } else {
                    estimate.for_cell_of_cost(next, entry_cost, cell, goal - cell)
                };
                let key = label + h;
                if key >= end {
                    continue;
                }
                if may_skip && key <= skipped_up_to {
                    successors.continue_from(&successor, found);
                    continue;
                }
                counts.reopened += u64::from(improvement == Improvement::Reopens);
                nodes.open(next, label, direction);
                jump_nodes[next] = JumpNode { parent: at as u32, estimate: saturated(h) };
                if O::ACTIVE {
                    observer.opened(event(cell, Some(at), label, h));
                }
                if next == endpoints.goal {
                    end = limits.end(zero, label);
                } else {
                    open.push(key, h, next);
                }
            }
            if too_many(counts) {
                return ControlFlow::Continue(None);
            }
            if counts.expanded >= pause_at {
                return ControlFlow::Break(());
            }
        }
        let is_found = nodes.is_seen(endpoints.goal);
        if O::ACTIVE && is_found {
            let g = RouteCost::from_units(nodes.label(endpoints.goal) - zero);
            let parent = Some(grid.cell(jump_nodes[endpoints.goal].parent as usize));
            let h = RouteCost::from_units(estimate.for_cell(endpoints.goal, goal, (0, 0)));
            observer.closed(Closed::same_as(Opened { cell: goal, parent, g, h, f: g + h }));
        }
        ControlFlow::Continue(Some(is_found))
    }
}

/// An estimate as a [`JumpNode`] keeps it.
fn saturated(estimate: u64) -> u32 {
    estimate.min(u32::MAX.into()) as u32
}
