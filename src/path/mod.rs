//! Exact planning on weighted grids: which way is the cheapest.

mod astar;
mod breadth_first;
mod buckets;
mod cost;
mod dijkstra;
mod field;
mod greedy;
mod heuristic;
mod nearest;
mod nodes;
mod observer;
mod open_list;
mod parts;
mod planner;
mod query;
mod steps;
mod union_find;
mod units;

pub use cost::{Change, CostGrid, MAX_SIDE};
pub use field::{Field, Way};
pub use observer::Observer;
pub use parts::Parts;
pub use planner::{Outcome, Planner, Route};
pub use query::{Algorithm, End, Heuristic, Options, Query, QueryError, Scale, UnknownName};
pub use steps::{Corners, Moves, step};
pub use units::{CostError, Diagonal, EntryCost, RouteCost, UNITS_PER_TILE};
