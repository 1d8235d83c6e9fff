//! Plans a route on a small map, then blocks a cell of it and plans again.

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteQuery};

const MAP: [&str; 5] = ["..........", ".####~~~..", ".#..~~~~..", "....~~~...", ".........."];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let water = EntryCost::from_tiles(3.0)?;
    let cost = |cell: Cell| match MAP[cell.y as usize].as_bytes()[cell.x as usize] {
        b'#' => None,
        b'~' => Some(water),
        _ => Some(EntryCost::TILE),
    };
    let mut grid = CostGrid::from_fn(Size::new(10, 5), Diagonal::GAME, cost)?;
    let mut planner = Planner::new();
    let query = RouteQuery::new(Cell::new(2, 2), Cell::new(8, 2));
    for wall in [None, Some(Cell::new(4, 4))] {
        wall.map(|cell| grid.set(cell, None));
        let result = planner.plan(&grid, &query)?;
        let cells: Vec<_> = result.cells().iter().map(Cell::to_string).collect();
        println!("{:.3} tiles: {}", result.cost().unwrap_or_default(), cells.join(" "));
    }
    Ok(())
}
