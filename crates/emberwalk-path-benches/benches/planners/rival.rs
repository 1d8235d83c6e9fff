//! A planner with a name, for comparisons.

use emberwalk_path::grid::Cell;

/// A planner for one map.
pub trait Rival {
    /// Its name in the table, one of [`NAMES`].
    fn name(&self) -> &'static str;

    /// Finds a route with its cells, and returns its cost in units; 0 if this planner counts in other units.
    fn plan(&mut self, from: Cell, to: Cell) -> u64;
}

/// The names of all planners, in the order of the table's columns. The others are compared with the first.
pub const NAMES: [&str; 5] = ["pathfinding", "grid_pathfinding", "astar", "auto, unprepared", "auto"];
