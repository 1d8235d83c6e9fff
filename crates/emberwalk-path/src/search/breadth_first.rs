//! Breadth-first search: the fewest steps, whatever they cost.

use crate::grid::Direction;
use crate::search::memory::{Endpoints, Memory, Tally, usual_share};
use crate::search::steps::{ALL_AROUND, Rule, for_each_step};
use crate::{CostGrid, Observer};

/// Searches until it comes upon the goal; `false` if the parts are not connected.
pub(crate) fn search<R: Rule, O: Observer>(
    memory: &mut Memory,
    grid: &CostGrid,
    ends: Endpoints,
    rule: R,
    tally: &mut Tally,
    observer: &mut O,
) -> bool {
    let Memory { nodes, line, .. } = memory;
    // Each cell is opened once, and first by a way of the fewest steps, so any label tells that it was.
    let seen = nodes.zero();
    line.clear();
    line.reserve(usual_share(grid));
    nodes.open(ends.start, seen, Direction::N);
    line.push_back(ends.start as u32);
    observer.opened(grid.cell(ends.start));
    while let Some(at) = line.pop_front() {
        let at = at as usize;
        observer.closed(grid.cell(at));
        if at == ends.goal {
            return true;
        }
        tally.expanded += 1;
        for_each_step(rule, grid.stored(), grid.stride(), at, ALL_AROUND, |there, by, _| {
            if !nodes.is_seen(there) {
                nodes.open(there, seen, by);
                line.push_back(there as u32);
                observer.opened(grid.cell(there));
            }
        });
    }
    false
}
