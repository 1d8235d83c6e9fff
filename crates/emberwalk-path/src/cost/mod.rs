//! Entry costs: the cost grid, its units and its changes.

pub(crate) mod changes;
mod cost_counts;
pub(crate) mod cost_grid;
mod units;

pub use changes::Change;
pub use cost_grid::{CostGrid, MAX_SIDE, Snapshot};
pub use units::{CostError, Diagonal, EntryCost, RouteCost, UNITS_PER_TILE};
