//! One search algorithm a file, and what they share: steps, cell records, open lists.

pub(crate) mod astar;
pub(crate) mod breadth_first;
pub(crate) mod buckets;
pub(crate) mod cell_set;
pub(crate) mod dijkstra;
pub(crate) mod greedy;
pub(crate) mod memory;
pub(crate) mod nodes;
pub(crate) mod open_list;
pub(crate) mod steps;
