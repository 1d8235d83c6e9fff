//! Repairs the lowest costs between one cell and every other after changes of the grid, instead of computing them anew.

use crate::CostGrid;
use crate::cost::changes::MAX_REMEMBERED;
use crate::grid::{Cell, Direction};
use crate::search::dijkstra::StepCost;
use crate::search::memory::Memory;
use crate::search::nodes::{Improvement, Nodes};
use crate::search::open_list::OpenList;
use crate::search::steps::{Steps, offsets};

/// Brings the labels that [`fill`](crate::search::dijkstra::fill) left up to date with the changes of the grid since
/// `version`, which it must remember. Returns how many cells were expanded; `None`, with labels of no use, if computing
/// all of them anew is less work.
///
/// A cell whose route takes a step that became more expensive or impossible is forgotten, and so are all cells whose
/// routes go through it. The labels of the others are the costs of routes that still exist. Dijkstra's algorithm then goes
/// on from the cells around those that were forgotten, and from those whose steps may have become cheaper. While a label
/// is above the lowest cost, a cell before it on a cheapest route is open or has such a label itself.
pub(crate) fn repair<S: Steps, C: StepCost>(
    memory: &mut Memory,
    grid: &CostGrid,
    start: usize,
    version: u64,
    steps: S,
    step_cost: C,
) -> Option<u64> {
    let Memory { nodes, heap, queue: forgotten, .. } = memory;
    let (entry_units, offsets) = (grid.entry_units(), offsets(grid.stride()));
    let step_units = |from: usize, to: usize, direction: Direction, units: u32| {
        let forward = |units| steps.cost(from, to, direction, units);
        let backward = |units| steps.cost(to, from, direction, units);
        step_cost.of(entry_units[from], units, forward, backward)
    };
    // Every step that changed begins and ends here.
    let around_changes = || {
        let square = || (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        let changes = grid.changes_since(version).into_iter().flatten();
        let cells = changes.flat_map(move |change| square().map(move |offset| change.cell + offset));
        cells.filter(|&cell: &Cell| grid.size().contains(cell)).map(|cell| grid.index(cell))
    };
    // A cell is expanded several times as fast when all are.
    let max_forgotten = grid.entry_units().len() / 8;
    let max_expanded = grid.entry_units().len() as u64 / 4;

    forgotten.clear();
    forgotten.reserve(max_forgotten + 8 + grid.entry_units().len().min(9 * MAX_REMEMBERED));
    for at in around_changes().filter(|&at| at != start) {
        if nodes.is_seen(at) && !has_valid_step(nodes, at, &offsets, steps, step_units) {
            nodes.forget(at);
            forgotten.push_back(at as u32);
        }
    }
    let mut done = 0;
    while let Some(&at) = forgotten.get(done) {
        done += 1;
        for (direction, offset) in Direction::ALL.into_iter().zip(offsets) {
            let next = (at as usize).wrapping_add_signed(offset);
            if next != start && nodes.is_seen(next) && nodes.direction(next) == direction {
                nodes.forget(next);
                forgotten.push_back(next as u32);
            }
        }
        if done > max_forgotten {
            return None;
        }
    }

    heap.clear();
    heap.reserve(grid.entry_units().len() / 2);
    let mut open = |nodes: &mut Nodes, at: usize| {
        if nodes.is_seen(at) && nodes.is_closed(at) {
            let (label, direction) = (nodes.label(at), nodes.direction(at));
            nodes.open(at, label, direction);
            OpenList::push(heap, label, label, at);
        }
    };
    for at in forgotten.iter().filter(|&&at| entry_units[at as usize] != 0) {
        offsets.iter().for_each(|&offset| open(nodes, (*at as usize).wrapping_add_signed(offset)));
    }
    around_changes().for_each(|at| open(nodes, at));
    let mut expanded = 0;
    while let Some(at) = OpenList::pop(heap, u64::MAX) {
        let Some((so_far, _)) = nodes.close(at) else { continue };
        expanded += 1;
        if expanded > max_expanded {
            return None;
        }
        steps.for_each(at, None, |next, direction, units| {
            let label = so_far + step_units(at, next, direction, units);
            if nodes.improvement::<true>(next, label) != Improvement::No {
                nodes.open(next, label, direction);
                OpenList::push(heap, label, label, next);
            }
        });
    }
    Some(expanded)
}

/// Whether the last step of the route to a cell is still possible, at the same cost.
fn has_valid_step<S: Steps>(
    nodes: &Nodes,
    at: usize,
    offsets: &[isize; 8],
    steps: S,
    step_units: impl Fn(usize, usize, Direction, u32) -> u64,
) -> bool {
    let entered_by = nodes.direction(at);
    let before = at.wrapping_add_signed(-offsets[entered_by as usize]);
    let mut is_valid = false;
    steps.for_each(before, None, |next, direction, units| {
        is_valid |= direction == entered_by
            && nodes.is_seen(before)
            && nodes.label(before) + step_units(before, next, direction, units) == nodes.label(at);
    });
    is_valid
}
