//! Dijkstra's algorithm: the cheapest cell first, no heuristic; to one goal or to every cell.

use super::buckets::Buckets;
use super::nodes::{Improved, Nodes};
use super::open_list::{Heap, OpenList};
use super::planner::{Ends, Memory, Tally, usual_share};
use super::steps::{ALL_AROUND, Rule, ahead, for_each_step};
use super::{CostGrid, Observer};
use crate::grid::Direction;

/// Searches from end to end, with the open list that suits the costs of the grid.
pub(super) fn plan<R: Rule, O: Observer>(
    memory: &mut Memory,
    grid: &CostGrid,
    ends: Ends,
    rule: R,
    tally: &mut Tally,
    observer: &mut O,
) -> bool {
    let Memory { nodes, buckets, heap, .. } = memory;
    let (start, goal) = (ends.start, Some(ends.goal));
    if let Some(shift) = shift_for(grid) {
        buckets.begin(nodes.zero(), shift, usual_share(grid));
        search::<_, _, _, true>(nodes, buckets, grid, start, goal, rule, tally, observer)
    } else {
        heap.clear();
        heap.reserve(usual_share(grid));
        search::<_, _, _, true>(nodes, heap, grid, start, goal, rule, tally, observer)
    }
}

/// The width of buckets, as a power of two: as wide as the cheapest step allows; `None` if there are steps too dear.
pub(super) fn shift_for(grid: &CostGrid) -> Option<u32> {
    let shift = grid.cheapest()?.units().ilog2();
    Buckets::shift_for(u64::from(grid.diagonal().of(grid.dearest()?.units())), shift, shift)
}

/// Finds the least cost from `start` to every cell, or from every cell to `start`, with the open list that suits the
/// costs of the grid.
pub(super) fn fill<R: Rule, const FORWARD: bool>(
    nodes: &mut Nodes,
    buckets: &mut Buckets,
    heap: &mut Heap,
    grid: &CostGrid,
    start: usize,
    rule: R,
) {
    nodes.begin(grid.stored().len(), grid.bound());
    let tally = &mut Tally::default();
    if let Some(shift) = shift_for(grid) {
        buckets.begin(nodes.zero(), shift, usual_share(grid));
        search::<_, _, _, FORWARD>(nodes, buckets, grid, start, None, rule, tally, &mut ());
    } else {
        heap.clear();
        heap.reserve(usual_share(grid));
        search::<_, _, _, FORWARD>(nodes, heap, grid, start, None, rule, tally, &mut ());
    }
}

/// Searches from `start` until the cost of `goal` is known, or of every cell; `false` if the goal was not come upon.
///
/// Backwards (not `FORWARD`) the costs are those of the ways from each cell to `start`.
#[expect(clippy::too_many_arguments, reason = "one call, and every argument decides how the search is compiled")]
pub(super) fn search<R: Rule, L: OpenList, O: Observer, const FORWARD: bool>(
    nodes: &mut Nodes,
    open: &mut L,
    grid: &CostGrid,
    start: usize,
    goal: Option<usize>,
    rule: R,
    tally: &mut Tally,
    observer: &mut O,
) -> bool {
    let (stored, stride, diagonal) = (grid.stored(), grid.stride(), grid.diagonal());
    let mut best = nodes.limit();
    nodes.open(start, nodes.zero(), Direction::N);
    open.push(nodes.zero(), nodes.zero(), start);
    observer.opened(grid.cell(start));
    while let Some(at) = open.pop(best) {
        let Some((so_far, by)) = nodes.close(at) else { continue };
        let directions = if at == start { ALL_AROUND } else { ahead(by) };
        tally.expanded += 1;
        observer.closed(grid.cell(at));
        let here = stored[at];
        for_each_step(rule, stored, stride, at, directions, |there, by, units| {
            let entered = if FORWARD { units } else { here };
            let step = if by.is_diagonal() { diagonal.of(entered) } else { entered };
            let label = so_far + u64::from(step);
            // No cell is ever reopened: a bucket is no wider than the cheapest step, so nothing in it leads to another
            // cell of it.
            if label >= best || nodes.improves::<true>(there, label) == Improved::No {
                return;
            }
            nodes.open(there, label, by);
            observer.opened(grid.cell(there));
            if Some(there) == goal {
                best = label;
            } else {
                open.push(label, label, there);
            }
        });
    }
    if let Some(goal) = goal
        && best < nodes.limit()
    {
        observer.closed(grid.cell(goal));
    }
    best < nodes.limit()
}
