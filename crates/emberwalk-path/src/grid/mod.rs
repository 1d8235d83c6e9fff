//! Cells, directions, and arrays with one value for each cell.
//!
//! `x` counts columns eastwards and `y` rows southwards, both from 0, so `(0, 0)` is the north-west corner.

mod around;
mod array;
mod cell;
mod direction;
mod sight;
mod size;
#[cfg(feature = "glam")]
mod vectors;

pub use array::Grid;
pub use cell::{Cell, ParseCellError};
pub use direction::Direction;
pub use size::{Cells, Size};

/// The largest number of columns and of rows of a cost grid.
///
/// ```
/// use emberwalk_path::grid::Size;
/// use emberwalk_path::{CostGrid, Diagonal, MAX_SIDE};
/// assert!(CostGrid::new(Size::new(MAX_SIDE + 1, 1), Diagonal::GAME).is_err());
/// ```
pub const MAX_SIDE: u32 = 4096;
