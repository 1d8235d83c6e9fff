//! Entry costs and levels: the cost grid, its units and its changes.

pub(crate) mod changes;
pub(crate) mod climb;
mod cost_counts;
pub(crate) mod cost_grid;
pub(crate) mod heights;
pub(crate) mod links;
pub(crate) mod stamp;
mod units;

pub use changes::CellChange;
pub use climb::{ClimbRule, Level};
pub use cost_grid::CostGrid;
pub use links::Link;
pub use stamp::Stamp;
pub use units::{CostError, Diagonal, EntryCost, RouteCost, UNITS_PER_TILE};
