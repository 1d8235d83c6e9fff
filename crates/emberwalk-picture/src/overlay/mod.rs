//! What is laid over a map to explain a route: the search, the entry costs, the costs to the goal, and the levels.
//!
//! An [`Overlay`] says for each cell how it is marked and what is written on it. The painter and the window ask the
//! same overlays, and [`shade`] is the colour of a mark at a point of its cell.

mod arrow;
mod colour_scale;
mod cost;
mod distance;
mod glyphs;
mod levels;
mod mark;
mod search;
mod search_name;
mod step_text;
mod written_h;

pub use arrow::arrow;
pub use colour_scale::scale_colour;
pub use cost::CostOverlay;
pub use distance::DistanceOverlay;
pub use glyphs::{GLYPH_HEIGHT, glyph, short_number, text_width};
pub use levels::LevelOverlay;
pub use mark::{CellMark, End, MarkStyle, shade};
pub use search::SearchOverlay;
pub use search_name::{
    about_search, algorithm_label, algorithm_name, corners_label, explain_algorithm, explain_corners,
    explain_heuristic, explain_moves, explain_scale, guarantee_text, heuristic_label, moves_label, result_text,
    scale_label, search_name, steps_of,
};
pub use step_text::step_text;
pub use written_h::written_h;

use emberwalk_path::grid::Cell;

/// The opacity of what stands on the map under an overlay. It must not hide what is behind it, but a forest should
/// still be seen to be one.
pub const FADED: f32 = 0.6;

/// Something that is laid over a map.
pub trait Overlay {
    /// The mark of a cell.
    fn mark(&self, cell: Cell) -> CellMark;

    /// The text on a cell where the zoom leaves room for it.
    fn label(&self, cell: Cell) -> Option<Label>;

    /// The value for which lines of equal value are drawn, in steps between two lines; `None` where there is
    /// none.
    fn contour(&self, cell: Cell) -> Option<f32> {
        let _ = cell;
        None
    }
}

/// The text on a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Label {
    /// One number in the middle.
    Number(f64),
    /// The state of a cell in a search: f above, g and h below, and an arrow to the parent.
    Search {
        /// The key of the open list.
        f: f64,
        /// The cost so far.
        g: f64,
        /// The estimated cost to the goal.
        h: f64,
        /// The columns and rows to the parent; `None` for the start.
        parent: Option<(i32, i32)>,
    },
    /// The state of a cell in a breadth-first search: the steps so far, and an arrow to the parent.
    Steps {
        /// The number of steps.
        steps: u64,
        /// The columns and rows to the parent; `None` for the start.
        parent: Option<(i32, i32)>,
    },
}
