//! Repairs the lowest costs between one cell and every other after changes of the grid, instead of computing all again.

use crate::cost::changes::MAX_REMEMBERED;
use crate::grid::Direction;
use crate::search::memory::Memory;
use crate::search::nodes::Nodes;
use crate::search::open_list::OpenList;
use crate::search::steps::{Step, Steps, offsets};
use crate::{CostGrid, Stamp, Ties};

/// The repair of the costs that [`fill`](crate::search::dijkstra::fill) left, after changes of the grid.
///
/// A cell whose route takes a step that became more expensive or impossible is forgotten, as are all cells whose routes
/// go through it. The labels of the others are the costs of routes that still exist. Dijkstra's algorithm then
/// continues from the cells around the forgotten ones, and from all cells whose steps may have become cheaper. While a
/// label is above the lowest cost, a cell before it on a cheapest route is open or has such a label itself.
pub(crate) struct Repair<'a, S> {
    pub(crate) grid: &'a CostGrid,
    /// The stamp of the grid when the costs were computed. The grid must remember its changes since then.
    pub(crate) stamp: Stamp,
    pub(crate) steps: S,
    pub(crate) ties: Ties,
    /// The highest cost that matters, as in [`fill_from`](crate::search::dijkstra::fill_from).
    pub(crate) max_units: u64,
    /// The highest number of cells to expand: the repair gives up after them. [`u64::MAX`] if there is none.
    pub(crate) max_expanded: u64,
}

impl<S: Steps> Repair<'_, S> {
    /// Brings the costs in `memory` up to date. Returns how many cells were expanded; `None` if computing all of them
    /// again is less work, if there is no label for some of them, or if the repair gives up. The costs are then useless
    /// or, if there is a highest number of cells to expand, as they were. Canonical steps stay so.
    pub(crate) fn run(self, memory: &mut Memory) -> Option<u64> {
        memory.repaired.clear();
        let expanded = self.repair(memory);
        if expanded.is_none() {
            let Memory { nodes, repaired, .. } = memory;
            repaired.iter().rev().for_each(|&(at, record)| nodes.restore(at as usize, record));
        }
        expanded
    }

    fn repair(self, memory: &mut Memory) -> Option<u64> {
        let Memory { nodes, heap, queue: forgotten, repaired, .. } = memory;
        let Self { grid, stamp, steps, ties, max_units, max_expanded } = self;
        let (entry_units, offsets) = (grid.entry_units(), offsets(grid.stride()));
        let (zero, limit) = (nodes.zero(), nodes.limit());
        let end = zero.saturating_add(max_units).saturating_add(1);
        // Every step that changed begins and ends here.
        let around_changes = || {
            let changes = grid.changes_since(stamp).into_iter().flatten();
            changes.flat_map(|change| grid.indices_around(change.cell, 1))
        };
        // A cell is expanded several times as fast when all are.
        let max_forgotten = grid.entry_units().len() / 16;
        let most_expanded = max_expanded.min(grid.entry_units().len() as u64 / 8);

        let can_be_undone = max_expanded < u64::MAX;
        let mut note = |nodes: &Nodes, at: usize| {
            if can_be_undone {
                repaired.push((at as u32, nodes.record(at)));
            }
        };

        forgotten.clear();
        forgotten.reserve(max_forgotten + 8 + grid.entry_units().len().min(9 * MAX_REMEMBERED));
        for at in around_changes() {
            let is_start = nodes.label(at) == zero;
            if nodes.is_seen(at) && !is_start && !has_valid_step(nodes, at, &offsets, steps) {
                note(nodes, at);
                nodes.forget(at);
                forgotten.push_back(at as u32);
            }
        }
        let mut done = 0;
        while let Some(&at) = forgotten.get(done) {
            done += 1;
            for (direction, offset) in Direction::ALL.into_iter().zip(offsets) {
                let next = (at as usize).wrapping_add_signed(offset);
                if nodes.label(next) != zero && nodes.is_seen(next) && nodes.direction(next) == direction {
                    note(nodes, next);
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
                note(nodes, at);
                let (label, direction) = (nodes.label(at), nodes.direction(at));
                nodes.open(at, label, direction);
                OpenList::push(heap, label, 0, at);
            }
        };
        for at in forgotten.iter().filter(|&&at| entry_units[at as usize] != 0) {
            offsets.iter().for_each(|&offset| open(nodes, (*at as usize).wrapping_add_signed(offset)));
        }
        around_changes().for_each(|at| open(nodes, at));
        let mut expanded = 0;
        while let Some(at) = OpenList::pop(heap, end) {
            let Some((so_far, _)) = nodes.close(at) else { continue };
            expanded += 1;
            if expanded > most_expanded {
                return None;
            }
            let mut has_all_labels = true;
            steps.for_each(at, None, |Step { to: next, direction, cost, .. }| {
                let label = so_far + cost;
                has_all_labels &= label < limit;
                if label < nodes.label(next).min(limit) {
                    note(nodes, next);
                    nodes.open(next, label, direction);
                    OpenList::push(heap, label, 0, next);
                } else if ties == Ties::Canonical
                    && label == nodes.label(next)
                    && S::precedes(direction, nodes.direction(next))
                {
                    note(nodes, next);
                    nodes.redirect(next, direction);
                }
            });
            if !has_all_labels {
                return None;
            }
        }
        Some(expanded)
    }
}

/// Whether the last step of the route to a cell is still possible, at the same cost.
fn has_valid_step(nodes: &Nodes, at: usize, offsets: &[isize; 8], steps: impl Steps) -> bool {
    let entered_by = nodes.direction(at);
    let before = at.wrapping_add_signed(-offsets[entered_by as usize]);
    let mut is_valid = false;
    steps.for_each(before, None, |step| {
        is_valid |=
            step.direction == entered_by && nodes.is_seen(before) && nodes.label(before) + step.cost == nodes.label(at);
    });
    is_valid
}
