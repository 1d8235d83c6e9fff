//! A* over jump points.

use std::ops::ControlFlow;

use crate::RouteCost;
use crate::search::astar::{EIGHTH, Expansion, State, search_in_buckets};
use crate::search::heuristic::Estimate;
use crate::search::jumps::jump_successors::{JumpSuccessors, Successor};
use crate::search::memory::{JumpNode, Memory, Progress, SearchContext};
use crate::search::nodes::Improvement;
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
    let mut state = State { nodes, context, estimate, unweighted: None };
    let first_key = state.begin();
    if let Some(first_key) = first_key {
        jump_nodes[start].estimate = saturated(first_key - state.nodes.zero());
    }
    let expansion = ToJumpPoints { jump_nodes, found, successors };
    search_in_buckets(state, expansion, (buckets, heap), (first_key, EIGHTH))
}

/// The expansion of a cell to jump points.
struct ToJumpPoints<'a, const LEVELS: bool> {
    jump_nodes: &'a mut [JumpNode],
    /// The successors of the cell that is being expanded.
    found: &'a mut Vec<Successor>,
    successors: JumpSuccessors<'a, LEVELS>,
}

impl<const LEVELS: bool> Expansion for ToJumpPoints<'_, LEVELS> {
    /// Ends with the lowest cost whatever the order of the open list, as the search over neighbours does.
    fn run<E: Estimate, O: SearchObserver, const REOPEN: bool>(
        &mut self,
        state: &mut State<'_, '_, E, O>,
        open: &mut impl OpenList,
        too_many: impl Fn(&Progress) -> bool,
    ) -> ControlFlow<(), Option<bool>> {
        let Self { jump_nodes, found, successors } = self;
        let State { nodes, context, estimate, .. } = state;
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
