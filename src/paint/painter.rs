//! Draws the layers of a map, one after another.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use image::RgbaImage;

use crate::grid::Cell;
use crate::iso::{Depth, Projection, TileMetrics};
use crate::map::Map;
use crate::scene::{ImageStack, Look, PlacedMark, RouteMark, Scene, ShineThrough, SrgbTables, projection};
use crate::terrain::{ImageId, TileImages};

/// The opacity of standing images under an overlay.
const FADED: f32 = 1.0 / 3.0;

/// Returns the margin on every side of a map's picture, in pixels: 0 in the plain look, the width of a tile in the full
/// look, for tall images and for the slab.
pub const fn margin(tile: TileMetrics, look: Look) -> u32 {
    match look {
        Look::Plain => 0,
        Look::Full => tile.size().0,
    }
}

/// Returns the width and height of a map's picture in pixels, in the full look with the margin.
pub fn picture_size(map: &Map, look: Look) -> (u32, u32) {
    let projection = projection(map);
    let ((width, height), margin) = (projection.picture_size(), margin(projection.tile(), look));
    (width + 2 * margin, height + 2 * margin)
}

/// Returns the marks of a route, where they are in the map's picture without margin.
pub(super) fn placed_marks(scene: &Scene, projection: Projection, route: &[Cell]) -> Vec<PlacedMark> {
    let placed =
        |mark: RouteMark| PlacedMark { image: mark.image, corner: projection.corner_at(mark.feet), tint: [1.0; 4] };
    scene.route_marks(route).map(placed).collect()
}

/// A figure on a map, in a cell or between two cells.
#[derive(Clone, Copy, Debug)]
pub struct PaintedFigure {
    /// The image that is drawn.
    pub image: ImageId,
    /// The position of the feet in columns and rows; whole numbers are the centres of cells.
    pub feet: (f64, f64),
}

/// Some rows of a map's picture at zoom 1.
#[derive(Clone, Debug)]
pub(super) struct Band {
    /// Where the map's picture without margin begins, from the top left corner of the band.
    pub(super) origin: (i32, i32),
    /// The width and height in pixels.
    pub(super) size: (u32, u32),
    /// The y of the corners of all cells that have pixels in it, see [`Projection::corner`].
    corners: Range<i32>,
    projection: Projection,
}

impl Band {
    /// Returns the band of these rows, counted from the top of the picture with its margin.
    pub(super) fn new(map: &Map, images: &TileImages, look: Look, rows: Range<u32>) -> Self {
        let projection = projection(map);
        let tile = projection.tile();
        let margin = margin(tile, look) as i32;
        let origin = (margin, margin - rows.start as i32);
        // Every image ends at the bottom of its tile, or below it if it is a part of the slab.
        let (tallest, height) = (images.images().iter().map(RgbaImage::height).max().unwrap_or(0), tile.size().1);
        let above = height as i32 + tile.slab_offset();
        let below = rows.len() as i32 + tallest.saturating_sub(height) as i32;
        let corners = -origin.1 - above..-origin.1 + below;
        Self { origin, size: (picture_size(map, look).0, rows.len() as u32), corners, projection }
    }

    /// Returns the whole picture.
    pub(super) fn whole(map: &Map, images: &TileImages, look: Look) -> Self {
        Self::new(map, images, look, 0..picture_size(map, look).1)
    }

    /// Returns the cells that have pixels in it, and some more, in drawing order.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.projection.back_to_front_within(self.corners.clone())
    }
}

/// A part of the picture of a map in progress, at zoom 1.
pub(super) struct Painter<'a> {
    map: &'a Map,
    scene: &'a Scene,
    images: &'a TileImages,
    look: Look,
    projection: Projection,
    band: Band,
    picture: RgbaImage,
    tables: &'static SrgbTables,
}

impl<'a> Painter<'a> {
    pub(super) fn new(map: &'a Map, scene: &'a Scene, images: &'a TileImages, look: Look, band: Band) -> Self {
        let picture = RgbaImage::new(band.size.0, band.size.1);
        Self { map, scene, images, look, projection: projection(map), band, picture, tables: SrgbTables::get() }
    }

    /// Returns what has been drawn.
    pub(super) fn into_picture(self) -> RgbaImage {
        self.picture
    }

    /// Draws everything that lies under the marks of a route.
    pub(super) fn ground_and_flat(&mut self) {
        if self.look == Look::Full {
            self.slab();
        }
        self.ground();
        self.stacks(Scene::edges);
        self.stacks(Scene::flat);
        if self.look == Look::Full {
            self.shade();
        }
    }

    /// Draws the marks of a route.
    pub(super) fn marks(&mut self, marks: &[PlacedMark]) {
        for mark in marks {
            self.image(mark.image, mark.corner, None);
        }
    }

    fn slab(&mut self) {
        for cell in self.band.cells() {
            for image in self.scene.slab(self.map, cell) {
                let (x, y) = self.projection.corner(cell);
                self.image(image, (x, y + self.projection.tile().slab_offset()), None);
            }
        }
    }

    fn ground(&mut self) {
        for cell in self.band.cells() {
            if let Some(&image) = self.scene.ground(self.map, self.look, cell).first() {
                self.image(image, self.projection.corner(cell), None);
            }
        }
    }

    /// Draws a layer of stacks. Each stack is composed to one tile first, as in the window, so that colours are rounded
    /// in the same way.
    fn stacks(&mut self, layer: fn(&Scene, &Map, Look, Cell) -> ImageStack) {
        let mut tiles = TileCache::default();
        for cell in self.band.cells() {
            let stack = layer(self.scene, self.map, self.look, cell);
            if !stack.is_empty() {
                let tile = tiles.get_or_make(stack, |stack| stack.compose(self.images));
                let at = self.in_band(self.projection.corner(cell));
                self.tables.draw(&mut self.picture, tile, at, None);
            }
        }
    }

    fn shade(&mut self) {
        let mut tiles = TileCache::default();
        for cell in self.band.cells() {
            if let Some(key) = self.scene.shading_key(self.map, cell) {
                let tile = tiles.get_or_make(key, |key| self.scene.shading_image(self.images, key));
                let (x, y) = self.in_band(self.projection.corner(cell));
                let (right, below) = self.projection.tile().ground_corner();
                self.tables.draw(&mut self.picture, tile, (x + right, y + below), None);
            }
        }
    }

    /// Draws the standing images with what shines through them, and the figures among them.
    pub(super) fn standing(&mut self, figures: &[PaintedFigure], through: &HashMap<Cell, ShineThrough>) {
        let mut figures: Vec<_> = figures.iter().map(|figure| (Depth::of_figure(figure.feet), figure)).collect();
        figures.sort_by_key(|(depth, _)| *depth);
        let mut figures = figures.into_iter().peekable();
        for cell in self.band.cells() {
            while let Some((_, figure)) = figures.next_if(|(depth, _)| *depth < Depth::of_cell(cell)) {
                self.image(figure.image, self.projection.corner_at(figure.feet), None);
            }
            if let Some(&image) = self.scene.standing(self.map, self.look, cell).first() {
                let tint = (self.look == Look::Full).then(|| self.scene.tint(self.map, cell));
                self.image(image, self.projection.corner(cell), tint.filter(|tint| *tint != [1.0; 3]));
            }
            if let Some(through) = through.get(&cell) {
                self.draw(&through.compose(self.images), self.projection.corner(cell), None);
            }
        }
        for (_, figure) in figures {
            self.image(figure.image, self.projection.corner_at(figure.feet), None);
        }
    }

    /// Draws the standing images faintly, for an overlay above them.
    pub(super) fn faded_standing(&mut self) {
        let mut faded = TileCache::default();
        for cell in self.band.cells() {
            if let Some(&image) = self.scene.standing(self.map, self.look, cell).first() {
                let image = faded.get_or_make(image, |image| {
                    let mut faded = self.images.image(*image).clone();
                    faded.pixels_mut().for_each(|pixel| pixel.0[3] = (f32::from(pixel.0[3]) * FADED) as u8);
                    faded
                });
                let corner = self.in_band(self.projection.corner(cell));
                let at = self.projection.tile().align_image(corner, image.dimensions());
                let tint = (self.look == Look::Full).then(|| self.scene.tint(self.map, cell));
                self.tables.draw(&mut self.picture, image, at, tint.filter(|tint| *tint != [1.0; 3]));
            }
        }
    }

    /// Draws the silhouettes of figures that are hidden.
    pub(super) fn silhouettes(&mut self, figures: &[PaintedFigure]) {
        for PaintedFigure { image, feet } in figures {
            if let Some(silhouette) = self.scene.silhouette(self.images, self.map, self.look, *image, *feet) {
                self.draw(&silhouette, self.projection.corner_at(*feet), None);
            }
        }
    }

    /// Draws an image, aligned as the tile image at `corner` would be.
    fn image(&mut self, image: ImageId, corner: (i32, i32), tint: Option<[f32; 3]>) {
        let image: &'a RgbaImage = self.images.image(image);
        self.draw(image, corner, tint);
    }

    fn draw(&mut self, image: &RgbaImage, corner: (i32, i32), tint: Option<[f32; 3]>) {
        let at = self.projection.tile().align_image(self.in_band(corner), image.dimensions());
        self.tables.draw(&mut self.picture, image, at, tint);
    }

    /// Converts a pixel of the map without margin to one of the band.
    fn in_band(&self, (x, y): (i32, i32)) -> (i32, i32) {
        (x + self.band.origin.0, y + self.band.origin.1)
    }
}

/// Tiles by key, so that each is made only once.
struct TileCache<K>(HashMap<K, RgbaImage>);

impl<K> Default for TileCache<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash + Clone> TileCache<K> {
    fn get_or_make(&mut self, key: K, make: impl FnOnce(&K) -> RgbaImage) -> &RgbaImage {
        self.0.entry(key.clone()).or_insert_with(|| make(&key))
    }
}
