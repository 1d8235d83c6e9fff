//! Jump points, which let a search expand fewer cells.
//!
//! [`jump_points`] finds the cells at which a cheapest route may turn, by the rules of [`forced_turns`] and
//! [`hill_turns`], and how far they are from each other; [`jump_successors`] finds the next ones from a cell.

pub(crate) mod forced_turns;
mod hill_turns;
pub(crate) mod jump_cell;
pub(crate) mod jump_points;
pub(crate) mod jump_successors;
