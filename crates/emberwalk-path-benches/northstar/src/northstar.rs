//! The planner of `bevy_northstar`.

use bevy::math::UVec3;
use bevy_northstar::prelude::*;
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, EntryCost};

/// The cost of the cheapest cell from which the heuristic is a lower bound: it counts at most this for each step.
pub const ADMISSIBLE: u32 = 1002;

/// The grid of `bevy_northstar`.
pub struct Northstar {
    grid: OrdinalGrid,
    /// The cost of one tile.
    tile: f64,
}

impl Northstar {
    /// Eight directions without cutting corners, and chunks of the default size. The cheapest cell costs `cheapest`.
    pub fn new(costs: &CostGrid, cheapest: u32) -> Self {
        let size = costs.size();
        let settings =
            GridSettingsBuilder::new_2d(size.width, size.height).add_neighbor_filter(filter::NoCornerCutting);
        let tiles = size.cells().filter_map(|cell| costs.get(cell)).map(EntryCost::tiles);
        let tile = f64::from(cheapest) / tiles.fold(f64::INFINITY, f64::min);
        let mut northstar = Self { grid: OrdinalGrid::new(&settings.build()), tile };
        for cell in size.cells() {
            northstar.set(cell, costs.get(cell));
        }
        northstar
    }

    /// Changes the cost of a cell; `None` blocks it.
    pub fn set(&mut self, cell: Cell, cost: Option<EntryCost>) {
        let nav = cost.map(|cost| Nav::Passable((cost.tiles() * self.tile).round() as u32));
        self.grid.set_nav(position(cell), nav.unwrap_or(Nav::Impassable));
    }

    /// Prepares everything that depends on changed cells. Only then can it plan.
    pub fn build(&mut self) {
        self.grid.build();
    }

    /// The path without its start, if it finds one.
    pub fn plan(&self, (from, to): (Cell, Cell), mode: PathfindMode) -> Option<Path> {
        self.grid.pathfind(&mut PathfindArgs::new(position(from), position(to)).mode(mode))
    }
}

/// The cells of a path from `from`.
pub fn cells(from: Cell, path: &Path) -> Vec<Cell> {
    let rest = path.path().iter().map(|at| Cell::new(at.x as i32, at.y as i32));
    std::iter::once(from).chain(rest).collect()
}

/// The position of a cell.
pub fn position(cell: Cell) -> UVec3 {
    UVec3::new(cell.x as u32, cell.y as u32, 0)
}
