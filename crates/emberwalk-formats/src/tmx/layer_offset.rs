//! How far the layers of a Tiled map are moved from their places.

use super::attributes::{Attributes, ElementError};

/// The offsets of the open layer and of the groups that it is in.
#[derive(Default)]
pub(super) struct LayerOffsets {
    is_isometric: bool,
    /// Width and height of a tile, in pixels.
    tile: (f64, f64),
    /// Pixels to the right and down, the outermost group first.
    open: Vec<(f64, f64)>,
}

impl LayerOffsets {
    /// Sets the orientation of the map and the size of its tiles in pixels.
    pub fn set_tiles(&mut self, is_isometric: bool, (width, height): (u32, u32)) {
        (self.is_isometric, self.tile) = (is_isometric, (width.into(), height.into()));
    }

    /// Opens a group or a layer.
    pub fn push(&mut self, attributes: &Attributes) -> Result<(), ElementError> {
        self.open.push((attributes.pixels("offsetx")?, attributes.pixels("offsety")?));
        Ok(())
    }

    /// Closes the group or layer that was opened last.
    pub fn pop(&mut self) {
        self.open.pop();
    }

    /// The number of Tiled's columns and rows by which the open layer is moved.
    ///
    /// # Errors
    /// The layer is not moved by whole cells.
    pub fn cells(&self) -> Result<(i32, i32), ElementError> {
        let (x, y) = self.open.iter().fold((0.0, 0.0), |(x, y), offset| (x + offset.0, y + offset.1));
        if (x, y) == (0.0, 0.0) {
            return Ok((0, 0));
        }
        let (across, down) = (x / self.tile.0, y / self.tile.1);
        // One column further is half a tile to the right and half a tile down, one row further half a tile to the left
        // and half a tile down.
        let (columns, rows) = if self.is_isometric { (down + across, down - across) } else { (across, down) };
        if columns.fract() == 0.0 && rows.fract() == 0.0 {
            return Ok((columns as i32, rows as i32));
        }
        let what = if self.open.last() == Some(&(x, y)) { "the layer is" } else { "the layer and its groups are" };
        let (width, height) = self.tile;
        let message = format!("{what} moved by {x},{y} pixels, which are not whole cells of {width} x {height} pixels");
        let help =
            "in Tiled, set Horizontal Offset and Vertical Offset of the layer and of its groups to 0 or to whole cells";
        Err(ElementError::with_help(message, help))
    }
}
