//! Dijkstra's algorithm from one cell to all others: the cell of the lowest cost first.

use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::grid::Direction;
use crate::search::buckets::Buckets;
use crate::search::memory::{Memory, Progress, initial_capacity};
use crate::search::nodes::Nodes;
use crate::search::open_list::OpenList;
use crate::search::steps::{Step, Steps};
use crate::{CostGrid, Ties};

/// Finds the lowest cost between `start` and every cell, and returns how many cells were expanded; the nodes of
/// `memory` have the result. Pauses when the budget is spent. The next call continues, with the same memory and the
/// same arguments; it starts over if [`Memory::fill`] is the default.
///
/// There are twice as many labels as needed, so that costs can increase before a [repair](crate::search::repair).
pub(crate) fn fill<S: Steps>(
    memory: &mut Memory,
    grid: &CostGrid,
    start: usize,
    steps: S,
    budget: &mut Budget,
) -> ControlFlow<(), u64> {
    fill_from(memory, grid, &[start], steps, (u64::MAX, Ties::Any), budget)
}

/// Like [`fill`], from several starts of cost 0, and up to a cost of `max_units`: the costs of cells above it may be
/// too high or missing. With canonical ties, the step into each cell is the first of the steps of all cheapest routes,
/// by [`Steps::precedes`].
pub(crate) fn fill_from<S: Steps>(
    memory: &mut Memory,
    grid: &CostGrid,
    starts: &[usize],
    steps: S,
    (max_units, ties): (u64, Ties),
    budget: &mut Budget,
) -> ControlFlow<(), u64> {
    let Memory { nodes, fill: progress, buckets, heap, .. } = memory;
    let (before, capacity, factor) = (progress.expanded, initial_capacity(grid), u64::from(S::FACTOR));
    let pause_at = before.saturating_add(budget.left());
    let is_new = progress.begin();
    if is_new {
        nodes.begin(grid.entry_units().len(), 2 * grid.route_units_limit() * factor);
        starts.iter().for_each(|&start| nodes.open(start, nodes.zero(), Direction::N));
    }
    let zero = nodes.zero();
    let end = zero.saturating_add(max_units).saturating_add(1);
    let filled = match shift_for(grid, S::FACTOR) {
        Some(shift) => {
            if is_new {
                buckets.begin(zero, shift, capacity);
                starts.iter().for_each(|&start| buckets.push(zero, start as u32));
            }
            run(nodes, buckets, progress, (steps, ties), end, pause_at)
        }
        None => {
            if is_new {
                heap.clear();
                heap.reserve(capacity);
                starts.iter().for_each(|&start| OpenList::push(heap, zero, 0, start));
            }
            run(nodes, heap, progress, (steps, ties), end, pause_at)
        }
    };
    let _ = budget.spend(progress.expanded - before);
    filled?;
    ControlFlow::Continue(std::mem::take(progress).expanded)
}

/// The exponent of the width of the buckets, which is no wider than the cheapest step; all steps count `factor`
/// times. `None` if some steps are too expensive for such narrow buckets.
fn shift_for(grid: &CostGrid, factor: u32) -> Option<u32> {
    let shift = (u64::from(factor) * u64::from(grid.min_step_units()?)).ilog2();
    Buckets::shift_for(u64::from(factor) * grid.max_step_units()?, shift, shift)
}

/// Expands all open cells whose label is below `end`. None of them is ever reopened: a bucket is no wider than the
/// cheapest step, so no cell in it is a successor of another one in it.
///
/// So all cells before a cell on its cheapest routes are expanded before it is.
fn run<S: Steps>(
    nodes: &mut Nodes,
    open: &mut impl OpenList,
    progress: &mut Progress,
    (steps, ties): (S, Ties),
    end: u64,
    pause_at: u64,
) -> ControlFlow<()> {
    let zero = nodes.zero();
    while let Some(at) = open.pop(end) {
        let Some((so_far, direction)) = nodes.close(at) else { continue };
        // A step that is left out after another one is on no cheapest route, not even on one of several.
        let entered_by = (so_far != zero).then_some(direction);
        steps.for_each(at, entered_by, |step| {
            let Step { to: next, direction, cost, .. } = step;
            let label = so_far + cost;
            if label < nodes.label(next) {
                nodes.open_by::<S>(at, step, label);
                open.push(label, 0, next);
            } else if ties == Ties::Canonical && label == nodes.label(next) {
                if S::HAVE_LINKS {
                    nodes.redirect_among_links::<S>(at, step);
                } else if S::precedes(direction, nodes.direction(next)) {
                    nodes.redirect(next, direction);
                }
            }
        });
        progress.expanded += 1;
        if progress.expanded >= pause_at {
            return ControlFlow::Break(());
        }
    }
    ControlFlow::Continue(())
}
