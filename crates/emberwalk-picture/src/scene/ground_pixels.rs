//! The pixels of the ground of a tile, with their positions in cells.

use crate::iso::Projection;
use emberwalk_map::terrain::TileMetrics;
use emberwalk_path::grid::{Cell, Size};

/// A pixel of the ground of a cell. Its position is measured from the centre of that cell or from a volcano.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundPixel {
    /// The pixel in the tile image of the cell.
    pub in_tile: (i32, i32),
    /// The position in columns and rows.
    pub cells: (f64, f64),
    /// The position in whole pixels.
    pub pixels: (i32, i32),
    /// The metrics of the tile.
    pub tile: TileMetrics,
}

impl GroundPixel {
    /// The position in pixels of a classic tile. Textures that use it are scaled with the tiles.
    pub(super) fn classic_pixels(&self) -> (f64, f64) {
        let scale = f64::from(TileMetrics::CLASSIC.step().0) / f64::from(self.tile.step().0);
        (f64::from(self.pixels.0) * scale, f64::from(self.pixels.1) * scale)
    }
}

/// The drawn pixels of a tile's ground, with the offsets to the cells whose diamonds contain them: ground overlaps the
/// adjacent cells a little.
pub(super) fn ground_pixels(tile: TileMetrics) -> Vec<(GroundPixel, Cell)> {
    let projection = Projection::new(Size::new(1, 1), tile);
    let (left, top) = tile.ground_corner();
    let (width, height) = tile.ground_size();
    let centre = tile.ground_centre();
    let radius = f64::from(tile.half_step().0) + 1.5 * f64::from(tile.overlap());
    let all = (0..height).flat_map(|j| (0..width).map(move |i| (i + left, j + top)));
    let drawn = |at: (i32, i32)| {
        let point = (f64::from(at.0) + 0.5, f64::from(at.1) + 0.5);
        let right = point.0 - f64::from(centre.0);
        let down = point.1 - f64::from(centre.1);
        let is_drawn = right.abs() + 2.0 * down.abs() <= radius;
        let pixels = (at.0 - centre.0, at.1 - centre.1);
        let pixel = GroundPixel { in_tile: at, cells: projection.position_at(point), pixels, tile };
        projection.unbounded_cell_at(point).filter(|_| is_drawn).map(|cell| (pixel, cell))
    };
    all.filter_map(drawn).collect()
}
