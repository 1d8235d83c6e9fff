//! Repairs the tables of landmarks where costs decreased, instead of measuring all distances again.
//!
//! The bounds of a table are valid if its distances differ, over each step, by no more than the step weighs: then they
//! differ by no more than any route between two cells weighs. They need not be the distances on the current grid. Cost
//! increases therefore leave a table valid. After decreases, Dijkstra's algorithm goes on from the ends of all steps
//! that may have become cheaper, and lowers distances until the condition holds again. It visits only the cells behind
//! these steps, seen from the landmark.
//!
//! Where stored distances are rounded, only a range is known of each. The search begins at the lower ends of the ranges.
//! It passes every cell whose range it enters, so that no distance remains that is too large, and lowers only those
//! whose range it leaves downwards.

use crate::bounds::distance_tables::DistanceTables;
use crate::bounds::landmark_distances::{Kind, with_steps_of_kind};
use crate::grid::Direction;
use crate::search::cell_set::CellSet;
use crate::search::memory::Memory;
use crate::search::open_list::OpenList;
use crate::search::steps::{Step, Steps};
use crate::{CostGrid, StepRules};

/// No distance of a table is larger, in its units.
const MAX_DISTANCE: u64 = 1 << 30;

/// Lowers the distances of the first `count` tables to what steps that became cheaper require. All of these begin and
/// end at one of `cells`, which are then all known.
pub(crate) fn repair(
    tables: &mut DistanceTables,
    count: usize,
    cells: &CellSet,
    (grid, rules): (&CostGrid, StepRules),
    memory: &mut Memory,
) {
    for table in 0..count {
        let kind = Kind::of_table(table, tables.are_directed);
        with_steps_of_kind!(kind, grid, rules, steps => lower(tables, table, cells, (grid, steps), memory));
    }
    cells.iter().for_each(|at| tables.set_known(at));
}

/// Lowers the distances of one table.
fn lower<S: Steps>(
    tables: &mut DistanceTables,
    table: usize,
    cells: &CellSet,
    (grid, steps): (&CostGrid, S),
    memory: &mut Memory,
) {
    let Memory { nodes, heap, queue: lowered, .. } = memory;
    let max_distance = MAX_DISTANCE << tables.unit_shift;
    nodes.begin(grid.entry_units().len(), max_distance);
    let (zero, limit) = (nodes.zero(), nodes.zero() + max_distance);
    heap.clear();
    heap.reserve(grid.entry_units().len() / 2);
    lowered.clear();
    lowered.reserve(grid.entry_units().len());
    for at in cells.iter().filter(|&at| grid.entry_units()[at] != 0) {
        let (distance, _) = tables.range(at, table);
        if distance < max_distance {
            nodes.open(at, zero + distance, Direction::N);
            OpenList::push(heap, zero + distance, 0, at);
        }
        if tables.is_unknown(at) {
            lowered.push_back(at as u32);
        }
    }
    while let Some(at) = OpenList::pop(heap, u64::MAX) {
        let Some((so_far, _)) = nodes.close(at) else { continue };
        if so_far - zero < tables.range(at, table).0 {
            lowered.push_back(at as u32);
        }
        steps.for_each(at, None, |Step { to, cost, .. }| {
            let label = so_far + cost;
            if label < nodes.label(to).min(limit) && label - zero < tables.range(to, table).1 {
                nodes.open(to, label, Direction::N);
                OpenList::push(heap, label, 0, to);
            }
        });
    }
    let lowered = lowered.make_contiguous();
    lowered.sort_unstable_by_key(|&at| tables.block_number(at as usize));
    let mut last = None;
    for &at in &*lowered {
        let block = tables.block_number(at as usize);
        if last.replace(block) != Some(block) {
            tables.lower_block(block, table, |at| nodes.cost(at), grid);
        }
    }
}
