//! The route that opens the fewest blocked cells: counts them first, and costs second.

use crate::grid::{Cell, Direction};
use crate::search::memory::{Endpoints, Memory, initial_capacity};
use crate::search::nodes::Improvement;
use crate::search::open_list::OpenList;
use crate::search::steps::{ALL_DIRECTIONS, Rule, for_each_step, offsets};
use crate::{CostGrid, EntryCost};

/// The directions of straight steps, one bit for each.
const STRAIGHT: u8 = 0b0101_0101;

/// Searches from start to goal through blocked cells too; returns `false` if even that leads nowhere. `opened_units` is
/// the entry cost of a blocked cell once it is opened, 0 if it cannot be.
///
/// This is Dijkstra's algorithm, level by level: a level has the cells that are reached by opening the same number of
/// blocked cells. A step into a blocked cell leads to the next level, which begins when the open list is empty.
pub(crate) fn search<R: Rule>(
    memory: &mut Memory,
    grid: &CostGrid,
    Endpoints { start, goal }: Endpoints,
    rule: R,
    opened_units: impl Fn(Cell) -> u32,
) -> bool {
    let Memory { nodes, heap, queue: next_level, .. } = memory;
    let (entry_units, stride, offsets) = (grid.entry_units(), grid.stride(), offsets(grid.stride()));
    let max_opened = u64::from(EntryCost::MAX.units()) * entry_units.len() as u64;
    nodes.begin(entry_units.len(), grid.route_units_limit() + max_opened);
    heap.clear();
    heap.reserve(initial_capacity(grid));
    next_level.clear();
    let limit = nodes.limit();
    nodes.open(start, nodes.zero(), Direction::N);
    OpenList::push(heap, nodes.zero(), nodes.zero(), start);
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
            let (so_far, directions) = (nodes.label(at), if is_blocked { STRAIGHT } else { ALL_DIRECTIONS });
            for_each_step(rule, entry_units, stride, at, directions, |next, direction, units| {
                let label = so_far + u64::from(grid.diagonal().step(direction, units));
                if nodes.improvement::<false>(next, label) != Improvement::No {
                    nodes.open(next, label, direction);
                    OpenList::push(heap, label, label, next);
                }
            });
            for direction in Direction::SIDES {
                let next = at.wrapping_add_signed(offsets[direction as usize]);
                if entry_units[next] != 0 {
                    continue;
                }
                let cell = grid.cell(next);
                let units = if grid.size().contains(cell) { opened_units(cell) } else { 0 };
                let label = so_far + u64::from(units);
                if units != 0 && nodes.improvement::<false>(next, label) != Improvement::No {
                    if !nodes.is_seen(next) {
                        next_level.push_back(next as u32);
                    }
                    nodes.open(next, label, direction);
                }
            }
        }
        if next_level.is_empty() {
            return false;
        }
        for at in next_level.drain(..).map(|at| at as usize) {
            // All later routes to these cells open more cells.
            nodes.close(at);
            OpenList::push(heap, nodes.label(at), nodes.label(at), at);
        }
    }
}
