//! The canonical one of several cheapest routes.

use crate::CostGrid;
use crate::grid::{Cell, Direction};
use crate::search::nodes::Nodes;
use crate::search::steps::{Steps, offsets};

/// Writes the cells of the canonical route from a start to the cell at index `at`, the last one first, into `cells`:
/// each step is the first, clockwise from north, of the last steps of all cheapest routes to its end. Links come after the
/// steps, by the rows and columns of the cells at their other ends.
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
                    let leads_here = !step.is_link && step.to == at;
                    is_cheapest |= leads_here && nodes.label(before) + step.cost == nodes.label(at);
                });
            }
            is_cheapest
        };
        let step = Direction::ALL.into_iter().find(is_last_step);
        let mut before = step.map(|direction| at.wrapping_add_signed(-offsets[direction as usize]));
        if before.is_none() {
            steps.for_each_link_to(at, |start, cost| {
                let is_cheapest = nodes.is_seen(start) && nodes.label(start) + cost == nodes.label(at);
                before = before.or(is_cheapest.then_some(start));
            });
        }
        let Some(before) = before else { break };
        at = before;
        cells.push(grid.cell(at));
    }
}
