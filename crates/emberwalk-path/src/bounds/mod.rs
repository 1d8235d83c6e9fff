//! Lower bounds on path costs, which let a search expand fewer cells.
//!
//! - [`landmarks`] keeps the distances of landmarks in [`distance_tables`]; [`landmark_placement`] chooses them, and
//!   [`landmark_distances`] measures the distances by [`symmetric_steps`]. [`landmark_bounds`] computes the lower
//!   bounds for one goal, from the distances of a [`landmark_target`].
//! - [`cost_decreases`] records where cells became cheaper after the tables were made. After many decreases a
//!   [`table_update`] brings the tables up to date: by [`landmark_repair`], or by measuring them again.
//! - [`cheap_regions`] finds the few cheap cells of a grid, and [`cheap_region_bounds`] computes lower bounds with
//!   them.
//!
//! `docs/src/pathfinder/design.md` in the repository explains how these work together.

pub(crate) mod cell_box;
pub(crate) mod cheap_region_bounds;
pub(crate) mod cheap_regions;
pub(crate) mod cost_decreases;
pub(crate) mod distance_tables;
pub(crate) mod landmark_bounds;
pub(crate) mod landmark_distances;
pub(crate) mod landmark_placement;
pub(crate) mod landmark_repair;
pub(crate) mod landmark_target;
pub(crate) mod landmarks;
pub(crate) mod link_bounds;
pub(crate) mod symmetric_steps;
pub(crate) mod table_pair;
pub(crate) mod table_update;
