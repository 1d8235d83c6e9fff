//! Changes of a map, in particular by an erupting volcano.

use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, EntryCost};

/// A cell with its new cost; `None` if it is blocked.
pub type Change = (Cell, Option<EntryCost>);

/// The costs around an erupting volcano.
pub fn eruption(grid: &CostGrid, volcano: Cell) -> Vec<Change> {
    let around = (-4..=4).flat_map(|dy| (-4..=4).map(move |dx| volcano + (dx, dy)));
    let distance = |cell: Cell| (cell.distance_squared(volcano) as f64).sqrt();
    let in_reach = around.filter(|&cell| grid.is_passable(cell) && distance(cell) <= 4.5);
    in_reach.map(|cell| (cell, divided(grid, cell, (5.0 - distance(cell)) * 2.0))).collect()
}

/// The cost of a cell, divided.
pub fn divided(grid: &CostGrid, cell: Cell, divisor: f64) -> Option<EntryCost> {
    let tiles = grid.get(cell)?.tiles() / divisor;
    EntryCost::from_tiles(tiles.max(EntryCost::MIN.tiles())).ok()
}

/// Makes these changes.
pub fn apply(grid: &mut CostGrid, changes: &[Change]) {
    for &(cell, cost) in changes {
        grid.set(cell, cost);
    }
}
