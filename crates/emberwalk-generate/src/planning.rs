//! Plans routes without diagonal steps.

use super::parallel;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Diagonal, EntryCost, Moves, Options, Planner, RouteQuery};

/// The cells of the cheapest route without diagonal steps; empty if there is none.
pub(super) fn plan(planner: &mut Planner, costs: &CostGrid, from: Cell, to: Cell) -> Vec<Cell> {
    let query = RouteQuery::new(from, to).with_options(Options::default().with_moves(Moves::Four));
    planner.plan(costs, &query).map(|result| result.cells().to_vec()).unwrap_or_default()
}

/// The grid with the cost of each cell in sixteenths of a tile.
pub(super) fn cost_grid(size: Size, sixteenths: impl Fn(Cell) -> u32 + Sync) -> CostGrid {
    let sixteenths = parallel::grid(size, |cell| sixteenths(cell) as u16);
    let highest = sixteenths.values().iter().copied().max().unwrap_or(0);
    let costs: Vec<_> = (0..=u32::from(highest)).map(entry_cost).collect();
    CostGrid::from_fn(size, Diagonal::GAME, |cell| costs[usize::from(sixteenths[cell])])
        .expect("a map's size is a valid size of a cost grid")
}

/// The cost of a number of sixteenths of a tile; `None` if it is not in the range of costs.
pub(super) fn entry_cost(sixteenths: u32) -> Option<EntryCost> {
    EntryCost::from_tiles(f64::from(sixteenths) / 16.0).ok()
}
