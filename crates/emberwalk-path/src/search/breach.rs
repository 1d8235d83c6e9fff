//! The route that opens the fewest blocked cells: counts them first, and costs second.

use crate::grid::{Cell, Direction};
use crate::search::memory::{Endpoints, Memory, initial_capacity};
use crate::search::nodes::Improvement;
use crate::search::open_list::OpenList;
use crate::search::steps::{GridSteps, Step, Steps, for_each_bit, offsets};
use crate::{CostGrid, EntryCost};

/// Searches from start to goal through blocked cells too; returns `false` if even that leads nowhere. `opened_units` is
/// the entry cost of a blocked cell once it is opened, 0 if it cannot be.
///
/// This is Dijkstra's algorithm, level by level: a level has the cells that are reached by opening the same number of
/// blocked cells. A step into a blocked cell leads to the next level, which begins when the open list is empty.
pub(crate) fn search<const LEVELS: bool, const LINKS: bool>(
    memory: &mut Memory,
    grid: &CostGrid,
    Endpoints { start, goal }: Endpoints,
    steps: GridSteps<'_, LEVELS, LINKS>,
    opened_units: impl Fn(Cell) -> u32,
) -> bool {
    let Memory { nodes, heap, queue: next_level, .. } = memory;
    let (entry_units, offsets) = (grid.entry_units(), offsets(grid.stride()));
    let max_opened = u64::from(EntryCost::MAX.units()) * entry_units.len() as u64;
    nodes.begin(entry_units.len(), grid.route_units_limit() + grid.max_climb_factor() * max_opened);
    heap.clear();
    heap.reserve(initial_capacity(grid));
    next_level.clear();
    nodes.open(start, nodes.zero(), Direction::N);
    OpenList::push(heap, nodes.zero(), 0, start);
    let limit = nodes.limit();
    loop {
        while let Some(at) = OpenList::pop(heap, limit) {
            let is_blocked = entry_units[at] == 0;
            // A blocked cell is in the heap once, and closed already.
            if !is_blocked && nodes.close(at).is_none() {
                continue;
            }
            if at == goal {
                return true;
            }
            let so_far = nodes.label(at);
            steps.for_each(at, None, |Step { to: next, direction, cost, .. }| {
                let label = so_far + cost;
                let is_possible = !is_blocked || steps.sides() >> direction as u32 & 1 != 0;
                if is_possible && nodes.improvement::<false>(next, label) != Improvement::No {
                    nodes.open(next, label, direction);
                    OpenList::push(heap, label, 0, next);
                }
            });
            for_each_bit(steps.sides(), &offsets, at, |next, direction| {
                let cell = grid.cell(next);
                if entry_units[next] != 0 || !grid.size().contains(cell) {
                    return;
                }
                let units = opened_units(cell);
                let Some(cost) = steps.side_cost(at, next, units).filter(|_| units != 0) else { return };
                if nodes.improvement::<false>(next, so_far + cost) != Improvement::No {
                    if !nodes.is_seen(next) {
                        next_level.push_back(next as u32);
                    }
                    nodes.open(next, so_far + cost, direction);
                }
            });
        }
        if next_level.is_empty() {
            return false;
        }
        for at in next_level.drain(..).map(|at| at as usize) {
            // All later routes to these cells open more cells.
            nodes.close(at);
            OpenList::push(heap, nodes.label(at), 0, at);
        }
    }
}
