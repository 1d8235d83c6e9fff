//! Draws an overlay over the picture of a map.

use image::{Rgba, RgbaImage};

use super::painter::Band;
use super::text::{plate, stamp, write_text};
use crate::colours::{OUTLINE, with_alpha};
use crate::iso::Projection;
use crate::overlay::{
    ARROW_BELOW, FIRST_ABOVE, GLYPH_HEIGHT, Label, Overlay, PAIR_ASIDE, PAIR_BELOW, arrow, shade, text_width,
};
use crate::scene::{SrgbTables, TerrainPart, projection, terrain_at};
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

/// From this zoom on, there is room for numbers.
const LABEL_ZOOM: u32 = 2;

/// How many pixels of half the width of a cell make each pixel of a glyph a pixel larger.
const GLYPH_SHARE: i32 = 34;

const CONTOUR: [u8; 4] = with_alpha(OUTLINE, 170);

/// Draws overlays on a band of a map's picture that is `zoom` times as large as at zoom 1.
pub(super) struct Canvas<'a> {
    map: &'a Layers,
    band: Band,
    zoom: u32,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(map: &'a Layers, band: Band, zoom: u32) -> Self {
        Self { map, band, zoom }
    }

    /// The projection at the level of a cell.
    fn projection(&self, cell: Cell) -> Projection {
        projection(self.map).at_level(self.map.level(cell))
    }

    /// Marks the cells.
    pub(super) fn marks(&self, picture: &mut RgbaImage, overlay: &dyn Overlay) {
        self.band.cells().for_each(|cell| self.mark(picture, overlay, cell));
    }

    /// Writes on the cells, if the zoom leaves room.
    pub(super) fn labels(&self, picture: &mut RgbaImage, overlay: &dyn Overlay) {
        let cells = self.band.cells().filter(|_| self.zoom >= LABEL_ZOOM);
        for (cell, label) in cells.filter_map(|cell| Some((cell, overlay.label(cell)?))) {
            self.label(picture, cell, &label);
        }
    }

    /// Marks a cell.
    pub(super) fn mark(&self, picture: &mut RgbaImage, overlay: &dyn Overlay, cell: Cell) {
        let mark = overlay.mark(cell);
        for (x, y) in self.pixels(cell) {
            let map_point = self.map_point((x, y));
            let (column, row) = self.projection(cell).position_at(map_point);
            let local = (column - f64::from(cell.x), row - f64::from(cell.y));
            let pixel = (map_point.0.floor() as i32, map_point.1.floor() as i32);
            let mut blend = |colour: [u8; 4]| SrgbTables::get().blend(picture.get_pixel_mut(x, y), Rgba(colour));
            if let Some(colour) = shade(mark, local, pixel) {
                blend(colour);
            }
            if self.is_on_contour(overlay, cell, (column, row)) {
                blend(CONTOUR);
            }
        }
    }

    /// Copies the pixels of a cell from another picture of the same size.
    pub(super) fn restore(&self, picture: &mut RgbaImage, other: &RgbaImage, cell: Cell) {
        for (x, y) in self.pixels(cell) {
            picture.put_pixel(x, y, *other.get_pixel(x, y));
        }
    }

    /// Iterates over the pixels of the picture that show the ground of a cell.
    fn pixels(&self, cell: Cell) -> impl Iterator<Item = (u32, u32)> + use<'_> {
        let projection = self.projection(cell);
        let (half, down) = projection.tile().half_step();
        let (x, y) = projection.centre(cell);
        let Band { origin, size, .. } = &self.band;
        let span = |centre: i32, reach: i32, origin: i32, room: u32| {
            let pixel = |at: i32| (at + origin).clamp(0, room as i32) as u32 * self.zoom;
            pixel(centre - reach)..pixel(centre + reach)
        };
        let columns = span(x, half, origin.0, size.0);
        let rows = span(y, down, origin.1, size.1);
        rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
            .filter(move |pixel| terrain_at(self.map, self.map_point(*pixel)) == Some((cell, TerrainPart::Ground)))
    }

    /// The pixel of this band at a pixel of the map's picture without margin.
    pub(super) fn at(&self, (x, y): (i32, i32)) -> (i32, i32) {
        let zoom = self.zoom as i32;
        ((x + self.band.origin.0) * zoom, (y + self.band.origin.1) * zoom)
    }

    /// The point of the map's picture without margin, at zoom 1, at the centre of a pixel.
    fn map_point(&self, (x, y): (u32, u32)) -> (f64, f64) {
        let point = |at: u32, origin: i32| (f64::from(at) + 0.5) / f64::from(self.zoom) - f64::from(origin);
        (point(x, self.band.origin.0), point(y, self.band.origin.1))
    }

    /// Whether a contour line runs between the point and its neighbours to the right and below.
    fn is_on_contour(&self, overlay: &dyn Overlay, cell: Cell, (column, row): (f64, f64)) -> bool {
        let Some(own) = overlay.contour(cell) else { return false };
        let band = |(column, row): (f64, f64)| interpolate(overlay, own, column, row).floor();
        // A pixel and a half, in columns and rows.
        let step = 1.5 / f64::from(self.map.tileset().tile().step().0) / f64::from(self.zoom.min(2));
        let here = band((column, row));
        here != band((column + step, row + step)) || here != band((column - 2.0 * step, row + 2.0 * step))
    }

    fn label(&self, picture: &mut RgbaImage, cell: Cell, label: &Label) {
        let (x, y) = self.projection(cell).centre(cell);
        if terrain_at(self.map, (f64::from(x), f64::from(y))) != Some((cell, TerrainPart::Ground)) {
            // A hill hides the middle of the cell.
            return;
        }
        let (half_width, half_height) = self.projection(cell).tile().half_step();
        let [half_width, half_height] = [half_width, half_height].map(|half| half * self.zoom as i32);
        // Glyphs are as large as possible with two numbers side by side.
        let size = (half_width / GLYPH_SHARE).max(1);
        let (column, row) = self.at((x, y));
        let middle = |aside: f32, below: f32| {
            let pixels = |share: f32, half: i32| (share * half as f32).round() as i32;
            (column + pixels(aside, half_width), row + pixels(below, half_height))
        };
        let first_above = if label.is_in_middle() { 0.0 } else { FIRST_ABOVE };
        let places = [(0.0, -first_above), (-PAIR_ASIDE, PAIR_BELOW), (PAIR_ASIDE, PAIR_BELOW)];
        for (text, (aside, below)) in label.texts().iter().zip(places).filter(|(text, _)| !text.is_empty()) {
            let (column, row) = middle(aside, below);
            let corner = (column - text_width(text) * size / 2, row - GLYPH_HEIGHT * size / 2);
            if !label.is_in_middle() {
                plate(picture, text, corner, size);
            }
            write_text(picture, text, corner, size);
        }
        if let Some(parent) = label.parent() {
            stamp(picture, &arrow(parent).collect::<Vec<_>>(), middle(0.0, ARROW_BELOW), size);
        }
    }
}

/// The value at a point, interpolated between the centres of the four cells around it. A cell without a value counts as
/// `own`, the value of the point's cell.
fn interpolate(overlay: &dyn Overlay, own: f32, column: f64, row: f64) -> f32 {
    let left = column.floor();
    let top = row.floor();
    let right = (column - left) as f32;
    let bottom = (row - top) as f32;
    let at = |dx: i32, dy: i32| overlay.contour(Cell::new(left as i32 + dx, top as i32 + dy)).unwrap_or(own);
    let upper = at(0, 0) * (1.0 - right) + at(1, 0) * right;
    let lower = at(0, 1) * (1.0 - right) + at(1, 1) * right;
    upper * (1.0 - bottom) + lower * bottom
}
