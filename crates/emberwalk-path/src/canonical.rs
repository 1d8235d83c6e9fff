//! The canonical one of several cheapest routes.

use crate::CostGrid;
use crate::grid::{Cell, Direction};
use crate::search::nodes::Nodes;
use crate::search::steps::{Steps, offsets};

/// Writes the cells of the canonical route from a start to the cell at index `at`, the last one first, into `cells`:
/// each step is the first, clockwise from north, of the last steps of all cheapest routes to its end.
///
/// All cells on cheapest routes must have their lowest cost in `nodes`. The label of a cell is never below its lowest
/// cost, so a cell whose label and step add up to the lowest cost of the next one is on a cheapest route. A start is a
/// cell of cost 0.
pub(crate) fn walk_back(cells: &mut Vec<Cell>, grid: &CostGrid, nodes: &Nodes, steps: impl Steps, at: usize) {
    let offsets = offsets(grid.stride());
    let mut at = at;
    cells.push(grid.cell(at));
    while nodes.label(at) != nodes.zero() {
        let is_last_step = |direction: &Direction| {
            let (before, mut is_cheapest) = (at.wrapping_add_signed(-offsets[*direction as usize]), false);
            if grid.size().contains(grid.cell(before)) && nodes.is_seen(before) {
                steps.for_each(before, None, |step| {
                    is_cheapest |= step.to == at && nodes.label(before) + step.cost == nodes.label(at);
                });
            }
            is_cheapest
        };
        let Some(direction) = Direction::ALL.into_iter().find(is_last_step) else { break };
        at = at.wrapping_add_signed(-offsets[direction as usize]);
        cells.push(grid.cell(at));
    }
}
