//! What lets a search expand fewer cells: heuristics, landmarks, jump points, and what keeps them valid after changes.

pub(crate) mod cheap_regions;
pub(crate) mod cost_decreases;
pub(crate) mod distance_tables;
pub(crate) mod heuristic;
pub(crate) mod jump_points;
pub(crate) mod landmark_bounds;
pub(crate) mod landmarks;
