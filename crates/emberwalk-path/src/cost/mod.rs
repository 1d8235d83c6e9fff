//! What entering a cell costs: the cost grid, its units and its changes.

pub(crate) mod cost_grid;
pub(crate) mod units;

pub use cost_grid::{Change, CostGrid, MAX_SIDE, Snapshot};
pub use units::{CostError, Diagonal, EntryCost, RouteCost, UNITS_PER_TILE};
