//! How far the shadows and the light of a terrain reach.

use image::RgbaImage;

use super::terrain_images::TerrainImages;
use crate::iso::Projection;
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::terrain::TileMetrics;
use emberwalk_path::grid::Size;

/// Which cells a shadow or the light of a volcano reaches, as offsets in columns and rows.
pub(super) struct ShadingReach {
    /// For each shadow image, the offsets from the cell that casts it to the cells that it covers.
    pub shadows: Vec<Vec<(i32, i32)>>,
    /// The offsets from a cell to all cells that may cast a shadow on it.
    pub casters: Vec<(i32, i32)>,
    /// The offsets from a cell to all cells whose volcano may light it.
    pub light_sources: Vec<(i32, i32)>,
    /// The largest of all offsets, in columns or rows.
    pub max_offset: i32,
}

impl ShadingReach {
    /// `cast` contains the shadows of all images that may stand on a map.
    pub(super) fn new(terrains: &[TerrainImages], cast: impl Iterator<Item = ImageId>, images: &TileImages) -> Self {
        let mut shadows = vec![Vec::new(); images.images().len()];
        for shadow in cast {
            let cells: &mut Vec<_> = &mut shadows[shadow.index()];
            if cells.is_empty() {
                *cells = covered_cells(images.image(shadow), images.tile());
            }
        }
        let mut casters: Vec<_> = shadows.iter().flatten().map(|(dx, dy)| (-dx, -dy)).collect();
        casters.sort_unstable();
        casters.dedup();
        let radius =
            terrains.iter().filter_map(|images| images.eruption).map(|eruption| eruption.radius).fold(0.0, f64::max);
        let light_sources = if radius > 0.0 { offsets_within(radius) } else { Vec::new() };
        let max_offset = casters.iter().chain(&light_sources).map(|(dx, dy)| dx.abs().max(dy.abs())).max().unwrap_or(0);
        Self { shadows, casters, light_sources, max_offset }
    }
}

/// The offsets to all cells whose ground is covered by an image in cell 0,0.
fn covered_cells(image: &RgbaImage, tile: TileMetrics) -> Vec<(i32, i32)> {
    let projection = Projection::new(Size::new(1, 1), tile);
    let (left, top) = tile.align_image((0, 0), image.dimensions());
    let drawn = image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[3] > 0);
    let mut cells: Vec<_> = drawn
        .filter_map(|(i, j, _)| {
            let point = (f64::from(left) + f64::from(i) + 0.5, f64::from(top) + f64::from(j) + 0.5);
            projection.unbounded_cell_at(point).map(|cell| (cell.x, cell.y))
        })
        .collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// The offsets to all cells that have ground within `radius` cells.
fn offsets_within(radius: f64) -> Vec<(i32, i32)> {
    let max = radius.ceil() as i32;
    let around = (-max..=max).flat_map(|dy| (-max..=max).map(move |dx| (dx, dy)));
    let gap = |d: i32| (f64::from(d.abs()) - 0.5).max(0.0);
    around.filter(|(dx, dy)| gap(*dx).hypot(gap(*dy)) < radius).collect()
}
