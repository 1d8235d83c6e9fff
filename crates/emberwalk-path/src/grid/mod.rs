//! Cells, directions and flat arrays of cells; knows nothing else.
//!
//! `x` counts columns eastwards and `y` rows southwards, both from 0, so `(0, 0)` is the north-west corner.

mod array;
mod cell;
mod direction;

pub use array::Grid;
pub use cell::{Cell, ParseCellError, Size};
pub use direction::Direction;
