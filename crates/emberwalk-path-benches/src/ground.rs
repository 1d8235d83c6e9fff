//! Code that the generators of maps share: costs as a grid, and smooth noise.

use emberwalk_path::grid::{Cell, Grid, Size};
use emberwalk_path::{CostGrid, Diagonal, EntryCost};
use fastrand::Rng;

/// The cost of entering each cell, in tiles; `None` where blocked.
pub type Tiles = Grid<Option<f64>>;

/// The grid with these costs, on level ground.
pub fn flat(tiles: &Tiles) -> CostGrid {
    let cost = |tiles| EntryCost::from_tiles(tiles).expect("all generated costs are in range");
    CostGrid::from_fn(tiles.size(), Diagonal::GAME, |cell| tiles[cell].map(cost))
        .expect("all generated sizes are in range")
}

/// Random values at knots that are `pitch` cells apart, for a map of this side.
pub fn knots(side: u32, pitch: u32, rng: &mut Rng) -> (u32, Grid<f64>) {
    (pitch, Grid::from_fn(Size::new(side / pitch + 2, side / pitch + 2), |_| rng.f64()))
}

/// Interpolates the values of the four knots around `cell`.
pub fn smooth((pitch, knots): &(u32, Grid<f64>), cell: Cell) -> f64 {
    let pitch = *pitch as i32;
    let knot = Cell::new(cell.x / pitch, cell.y / pitch);
    let [x, y] = [cell.x % pitch, cell.y % pitch].map(|rest| f64::from(rest) / f64::from(pitch));
    let row = |dy| knots[knot + (0, dy)] * (1.0 - x) + knots[knot + (1, dy)] * x;
    row(0) * (1.0 - y) + row(1) * y
}
