//! People who are sent somewhere together, without their own errands.

use emberwalk_crowd::OnArrival;
use emberwalk_path::grid::Cell;
use serde::{Deserialize, Serialize};

/// People with one goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// How many they are.
    pub size: usize,
    /// They stand around this cell at the beginning, or in random cells.
    pub from: Option<Cell>,
    /// Their goal.
    pub to: Cell,
    /// Whether each of them stays near the goal, in a cell of its own, or leaves the map at the goal.
    pub on_arrival: OnArrival,
}
