//! Dijkstra's algorithm: the cheapest cell first, no heuristic; to one goal or to every cell.

use crate::grid::Direction;
use crate::search::buckets::Buckets;
use crate::search::memory::{Endpoints, Memory, Tally, usual_share};
use crate::search::nodes::{Improved, Nodes};
use crate::search::open_list::{Heap, OpenList};
use crate::search::steps::{ALL_AROUND, Rule, ahead, for_each_step};
use crate::{CostGrid, Observer};

/// What a step counts, from what a straight and a diagonal one into a cell cost.
pub(crate) trait Price: Copy {
    /// No step counts more than this many times what it costs or its reverse does, and none less than this many times
    /// the cheapest step.
    const TIMES: u32 = 1;

    /// In units, with the entry costs of the cell that the search comes from and of the next, and the cost of the step
    /// by entry cost.
    fn of(self, here: u32, next: u32, step: impl Fn(u32) -> u32) -> u64;
}

/// The way from the start to each cell.
#[derive(Clone, Copy)]
pub(crate) struct Onwards;

impl Price for Onwards {
    #[inline(always)]
    fn of(self, _: u32, next: u32, step: impl Fn(u32) -> u32) -> u64 {
        u64::from(step(next))
    }
}

/// The way from each cell to the start.
#[derive(Clone, Copy)]
pub(crate) struct Backwards;

impl Price for Backwards {
    #[inline(always)]
    fn of(self, here: u32, _: u32, step: impl Fn(u32) -> u32) -> u64 {
        u64::from(step(here))
    }
}

/// Searches from end to end, with the open list that suits the costs of the grid.
pub(crate) fn plan<R: Rule, O: Observer>(
    memory: &mut Memory,
    grid: &CostGrid,
    ends: Endpoints,
    rule: R,
    tally: &mut Tally,
    observer: &mut O,
) -> bool {
    let Memory { nodes, buckets, heap, .. } = memory;
    let (start, goal) = (ends.start, Some(ends.goal));
    if let Some(shift) = shift_for(grid, 1) {
        buckets.begin(nodes.zero(), shift, usual_share(grid));
        search(nodes, buckets, grid, start, goal, rule, Onwards, tally, observer)
    } else {
        heap.clear();
        heap.reserve(usual_share(grid));
        search(nodes, heap, grid, start, goal, rule, Onwards, tally, observer)
    }
}

/// The width of buckets, as a power of two: as wide as the cheapest step allows; `None` if there are steps too dear.
/// All steps count so many `times`.
fn shift_for(grid: &CostGrid, times: u32) -> Option<u32> {
    let shift = (u64::from(times) * u64::from(grid.min_cost()?.units())).ilog2();
    let dearest = grid.diagonal().of(grid.max_cost()?.units());
    Buckets::shift_for(u64::from(times) * u64::from(dearest), shift, shift)
}

/// Finds the least cost between `start` and every cell, with the open list that suits the
/// costs of the grid.
pub(crate) fn fill<R: Rule, P: Price>(
    nodes: &mut Nodes,
    buckets: &mut Buckets,
    heap: &mut Heap,
    grid: &CostGrid,
    start: usize,
    rule: R,
    price: P,
) {
    nodes.begin(grid.stored().len(), grid.bound() * u64::from(P::TIMES));
    let tally = &mut Tally::default();
    if let Some(shift) = shift_for(grid, P::TIMES) {
        buckets.begin(nodes.zero(), shift, usual_share(grid));
        search(nodes, buckets, grid, start, None, rule, price, tally, &mut ());
    } else {
        heap.clear();
        heap.reserve(usual_share(grid));
        search(nodes, heap, grid, start, None, rule, price, tally, &mut ());
    }
}

/// Searches from `start` until the cost of `goal` is known, or of every cell; `false` if the goal was not come upon.
///
/// `price` says in which direction, see [`Onwards`] and [`Backwards`].
#[expect(clippy::too_many_arguments, reason = "one call, and every argument decides how the search is compiled")]
pub(crate) fn search<R: Rule, P: Price, L: OpenList, O: Observer>(
    nodes: &mut Nodes,
    open: &mut L,
    grid: &CostGrid,
    start: usize,
    goal: Option<usize>,
    rule: R,
    price: P,
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
            let step = |entered| if by.is_diagonal() { diagonal.of(entered) } else { entered };
            let label = so_far + price.of(here, units, step);
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
