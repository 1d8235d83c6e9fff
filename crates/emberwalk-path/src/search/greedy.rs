//! Greedy best-first search: the cell of the smallest estimate first, whatever the cost so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::bounds::heuristic::Estimate;
use crate::grid::Direction;
use crate::search::memory::{Endpoints, Memory, Tally};
use crate::search::steps::{ALL_AROUND, Rule, for_each_step};
use crate::{CostGrid, Observer};

/// The open list: the smallest estimate first; of equal ones the last opened.
pub(crate) type Open = BinaryHeap<(Reverse<u64>, u32, u32)>;

/// Searches until it comes upon the goal; `false` if the parts are not connected.
pub(crate) fn search<R: Rule, E: Estimate, O: Observer>(
    memory: &mut Memory,
    grid: &CostGrid,
    ends: Endpoints,
    rule: R,
    estimate: E,
    tally: &mut Tally,
    observer: &mut O,
) -> bool {
    let Memory { nodes, greedy: open, .. } = memory;
    let goal = grid.cell(ends.goal);
    let to_go = |at: usize| {
        let cell = grid.cell(at);
        Reverse(estimate.for_offset(cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y)))
    };
    // Each cell is opened once, so any label tells that it was.
    let seen = nodes.zero();
    let mut order = 0;
    open.clear();
    // Each cell is opened once, so more is never needed.
    open.reserve(grid.stored().len());
    nodes.open(ends.start, seen, Direction::N);
    open.push((to_go(ends.start), order, ends.start as u32));
    observer.opened(grid.cell(ends.start));
    while let Some((_, _, at)) = open.pop() {
        let at = at as usize;
        observer.closed(grid.cell(at));
        if at == ends.goal {
            return true;
        }
        tally.expanded += 1;
        for_each_step(rule, grid.stored(), grid.stride(), at, ALL_AROUND, |there, by, _| {
            if !nodes.is_seen(there) {
                nodes.open(there, seen, by);
                order += 1;
                open.push((to_go(there), order, there as u32));
                observer.opened(grid.cell(there));
            }
        });
    }
    false
}
