//! Dijkstra's algorithm: the cheapest cell first, no heuristic.

use super::heuristic::Linear;
use super::planner::{Ends, Memory, Tally};
use super::steps::Rule;
use super::{CostGrid, Observer, astar};

/// Searches until the goal's cost is known; `false` if the labels' limit was in the way.
pub(super) fn search<R: Rule, O: Observer>(
    memory: &mut Memory,
    grid: &CostGrid,
    ends: Ends,
    rule: R,
    tally: &mut Tally,
    observer: &mut O,
) -> bool {
    astar::search(memory, grid, ends, rule, Linear::ZERO, tally, observer)
}
