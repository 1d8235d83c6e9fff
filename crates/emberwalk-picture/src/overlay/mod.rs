//! Overlays, which explain a route on top of a map: the search, entry costs, costs to the goal, and levels.
//!
//! An [`Overlay`] determines the mark and the label of each cell. The painter and the window use the same overlays;
//! [`shade`] returns the colour of a mark at a point of its cell.

mod arrow;
mod colour_scale;
mod cost;
mod distance;
mod glyphs;
mod levels;
mod mark;
mod places;
mod search;
mod search_name;
mod step_text;
mod written_h;

pub use arrow::arrow;
pub use colour_scale::scale_colour;
pub use cost::CostOverlay;
pub use distance::DistanceOverlay;
pub use glyphs::{GLYPH_HEIGHT, short_number, text_pixels, text_width};
pub use levels::LevelOverlay;
pub use mark::{CellMark, End, MarkStyle, Ribbons, shade};
pub use places::{ARROW_BELOW, FIRST_ABOVE, PAIR_ASIDE, PAIR_BELOW};
pub use search::SearchOverlay;
pub use search_name::{
    OptionText, about_search, algorithm_name, algorithm_text, corners_text, heuristic_text, moves_text, result_text,
    scale_text, search_name, steps_of,
};
pub use step_text::step_text;
pub use written_h::written_h;

use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

/// The opacity of standing images under an overlay: low enough that nothing is hidden, high enough that a forest still
/// looks like one.
pub const FADED: f32 = 0.6;

/// Whether the standing image of a cell is above the marks of an overlay: the tent and the castle, which would be lost
/// under them. They are [`FADED`], too, because they hide marks behind them.
pub fn is_above_marks(map: &Layers, cell: Cell) -> bool {
    map.overlay_at(cell).is_some_and(|terrain| terrain.role.is_some())
}

/// Marks and labels that are drawn on top of a map.
pub trait Overlay {
    /// The mark of a cell.
    fn mark(&self, cell: Cell) -> CellMark;

    /// The text on a cell, drawn where the zoom leaves room for it.
    fn label(&self, cell: Cell) -> Option<Label>;

    /// Whether the marks are on the ground, behind standing images. Marks of other overlays are above everything.
    fn is_on_ground(&self) -> bool {
        false
    }

    /// The value from which contour lines are drawn, in units of the distance between two lines; `None` for cells
    /// without a value.
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
    /// A whole number in the middle.
    Count(u32),
    /// The state of a cell in a search: f above, g and h below, and an arrow to the parent.
    Search {
        /// The sum by which the open list is ordered.
        f: f64,
        /// The cost so far.
        g: f64,
        /// The estimated cost to the goal.
        h: f64,
        /// The columns and rows to the parent; `None` for the start.
        parent: Option<(i32, i32)>,
    },
    /// The state of a cell that a search has reached in several intervals of time: the g in the first and in the last of them
    /// side by side, and an arrow to the parent.
    Intervals {
        /// The times so far.
        g: [f64; 2],
        /// The columns and rows to the parent in the interval of the last event; `None` for the start.
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

impl Label {
    /// The numbers as they are written: the first, which is above the others, and the two below it, side by side. A text is
    /// empty where there is no number.
    pub fn texts(&self) -> [String; 3] {
        let alone = |text: String| [text, String::new(), String::new()];
        match *self {
            Self::Number(number) => alone(short_number(number)),
            Self::Count(count) => alone(count.to_string()),
            Self::Search { f, g, h, .. } => [f, g, h].map(short_number),
            Self::Intervals { g: [first, last], .. } => [String::new(), short_number(first), short_number(last)],
            Self::Steps { steps, .. } => alone(steps.to_string()),
        }
    }

    /// The columns and rows to the parent, to which an arrow points.
    pub fn parent(&self) -> Option<(i32, i32)> {
        match *self {
            Self::Search { parent, .. } | Self::Intervals { parent, .. } | Self::Steps { parent, .. } => parent,
            Self::Number(_) | Self::Count(_) => None,
        }
    }

    /// Whether it is one number in the middle of the cell.
    pub fn is_in_middle(&self) -> bool {
        matches!(self, Self::Number(_) | Self::Count(_))
    }
}
