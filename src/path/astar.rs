//! A*, and weighted A*, which is the same with a larger estimate.

use super::heuristic::Estimate;
use super::nodes::Improved;
use super::planner::{Ends, Memory, Tally};
use super::steps::{Rule, for_each_step};
use super::{CostGrid, Observer};
use crate::grid::Direction;

/// Searches until no open cell could lead to a cheaper way; `false` if the labels' limit was in the way.
pub(super) fn search<R: Rule, E: Estimate, O: Observer>(
    memory: &mut Memory,
    grid: &CostGrid,
    ends: Ends,
    rule: R,
    estimate: E,
    tally: &mut Tally,
    observer: &mut O,
) -> bool {
    let Memory { nodes, queue, .. } = memory;
    let (stored, stride, diagonal) = (grid.stored(), grid.stride(), grid.diagonal());
    let goal = grid.cell(ends.goal);
    let to_go = |at: usize| {
        let cell = grid.cell(at);
        estimate.at(cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y))
    };
    let mut best = nodes.limit();
    queue.clear();
    nodes.open(ends.start, nodes.zero(), Direction::N);
    queue.push(nodes.zero() + to_go(ends.start), ends.start);
    observer.opened(grid.cell(ends.start));
    while let Some((key, at)) = queue.pop() {
        if key >= best {
            break;
        }
        if !nodes.close(at) {
            continue;
        }
        tally.expanded += 1;
        observer.closed(grid.cell(at));
        let so_far = nodes.label(at);
        for_each_step(rule, stored, stride, at, |there, by, units| {
            let step = if by.is_diagonal() { diagonal.of(units) } else { units };
            let label = so_far + u64::from(step);
            let key = label + to_go(there);
            if key >= best {
                return;
            }
            match nodes.improve(there, label, by) {
                Improved::No => return,
                Improved::Opened => {}
                Improved::Reopened => tally.reopened += 1,
            }
            observer.opened(grid.cell(there));
            if there == ends.goal {
                best = label;
            } else {
                queue.push(key, there);
            }
        });
    }
    if best < nodes.limit() {
        observer.closed(goal);
    }
    best < nodes.limit()
}
