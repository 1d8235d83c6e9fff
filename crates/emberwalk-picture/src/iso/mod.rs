//! The isometric projection: cell to pixel, pixel to cell, and the drawing order.
//!
//! A point of a map's picture is measured in pixels from its top left corner, `x` to the right and `y` down. The centre
//! of the pixel in column `i` and row `j` is the point `(i + 0.5, j + 0.5)`.

mod depth;
mod projection;

pub use depth::Depth;
pub use projection::{Projection, route_mark_positions};
