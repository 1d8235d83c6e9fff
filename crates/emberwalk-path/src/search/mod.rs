//! One search algorithm per file, and their common parts: steps, heuristics, jump points, cell records, open lists.
//!
//! Cells are numbered as in [`CostGrid::entry_units`](crate::CostGrid::entry_units): `at` is such an index, and `cell`
//! has the coordinates. Costs during a search are labels, which count from [`Nodes::zero`](nodes::Nodes::zero).

pub(crate) mod astar;
pub(crate) mod breach;
pub(crate) mod buckets;
pub(crate) mod cell_set;
pub(crate) mod dijkstra;
pub(crate) mod goal_set;
pub(crate) mod heuristic;
pub(crate) mod jump_search;
pub(crate) mod jumps;
pub(crate) mod memory;
pub(crate) mod nodes;
pub(crate) mod observer;
pub(crate) mod open_list;
pub(crate) mod open_once;
pub(crate) mod repair;
pub(crate) mod steps;
pub(crate) mod turn_steps;
