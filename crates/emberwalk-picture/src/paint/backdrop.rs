//! What is under an overlay, painted once for any number of pictures.

use image::RgbaImage;

use super::overlay::Canvas;
use super::painter::{Band, Painter, placed_marks};
use super::zoom::{self, PictureZoom, PixelArea};
use crate::overlay::{CellMark, Overlay};
use crate::scene::{Footing, Look, PlacedMark, Scene, SrgbTables, hidden_mark};
use crate::tiles::TileImages;
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

/// The part of a map's picture that is under an overlay: the terrain, and the standing images, which are faded.
pub struct Backdrop<'a> {
    scene: &'a Scene,
    images: &'a TileImages,
    map: &'a Layers,
    look: Look,
    origin: (i32, i32),
    zoom: PictureZoom,
    canvas: Canvas<'a>,
    /// The picture before it is reduced.
    picture: RgbaImage,
}

impl<'a> Backdrop<'a> {
    /// Paints what is under the overlays of a map.
    pub fn new(map: &'a Layers, scene: &'a Scene, images: &'a TileImages, look: Look, zoom: PictureZoom) -> Self {
        Self::in_band(map, scene, images, look, zoom, Band::whole(map, images, look))
    }

    /// Paints what is under the overlays in a band.
    pub(super) fn in_band(
        map: &'a Layers,
        scene: &'a Scene,
        images: &'a TileImages,
        look: Look,
        zoom: PictureZoom,
        band: Band,
    ) -> Self {
        let mut painter = Painter::new(map, scene, images, look, band.clone());
        painter.ground_and_flat();
        painter.faded_standing();
        let origin = band.origin;
        let canvas = Canvas::new(map, band, zoom.times());
        let picture = zoom::enlarge(painter.into_picture(), zoom.times());
        Self { scene, images, map, look, origin, zoom, canvas, picture }
    }

    /// Returns the pictures of overlays that differ little from one to the next.
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_picture::overlay::SearchOverlay;
    /// use emberwalk_picture::paint::{Backdrop, PictureZoom};
    /// use emberwalk_path::{Planner, Query, Recording};
    /// use emberwalk_picture::scene::{Look, Scene};
    /// use emberwalk_picture::tiles::TileImages;
    /// use emberwalk_map::terrain::Tileset;
    /// use std::path::Path;
    /// use std::sync::Arc;
    ///
    /// let tileset = Arc::new(Tileset::load(None)?);
    /// let map = Map::open(Path::new("figures/road"), &tileset)?;
    /// let query = Query::new(map.start().unwrap(), map.castle().unwrap());
    /// let recording = Recording::new(&mut Planner::new(), map.costs(), &query)?;
    ///
    /// let images = TileImages::load(&tileset, None)?;
    /// let scene = Scene::new(&tileset, &images);
    /// let backdrop = Backdrop::new(&map, &scene, &images, Look::Full, PictureZoom::default());
    /// let mut pictures = backdrop.pictures();
    /// let before = pictures.paint(&SearchOverlay::new(&recording, 1), None);
    /// let after = pictures.paint(&SearchOverlay::new(&recording, 2), None);
    /// assert_ne!(before, after);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pictures(&self) -> OverlayPictures<'_> {
        let shown = vec![Some(CellMark::default()); self.map.size().area()];
        let reduced = self.zoom.reduces().then(|| self.zoom.reduce(self.picture.clone()));
        OverlayPictures { backdrop: self, marked: self.picture.clone(), shown, reduced, above: Vec::new() }
    }

    /// Returns the picture of one overlay, with the route above it, before it is reduced.
    pub(super) fn into_picture(mut self, overlay: &dyn Overlay, route: Option<&[Cell]>) -> RgbaImage {
        let mut picture = std::mem::take(&mut self.picture);
        self.canvas.marks(&mut picture, overlay);
        self.draw_above(&mut picture, overlay, route);
        picture
    }

    /// Draws what is above the marks of the overlay, and returns where the route is.
    fn draw_above(&self, picture: &mut RgbaImage, overlay: &dyn Overlay, route: Option<&[Cell]>) -> Vec<PixelArea> {
        let times = self.zoom.times();
        let mut areas = Vec::new();
        for (mark, on) in placed_marks(self.scene, self.map, route.unwrap_or_default()) {
            let image = zoom::enlarge(self.mark_above(&mark, on), times);
            let (x, y) = self.images.tile().align_image(mark.corner, self.images.image(mark.image).dimensions());
            let (x, y) = ((x + self.origin.0) * times as i32, (y + self.origin.1) * times as i32);
            SrgbTables::get().draw(picture, &image, (x, y), None);
            let span = |at: i32, length: u32, room: u32| {
                let inside = |at: i32| at.clamp(0, room as i32) as u32;
                inside(at)..inside(at + length as i32)
            };
            areas.push((span(x, image.width(), picture.width()), span(y, image.height(), picture.height())));
        }
        self.canvas.labels(picture, overlay);
        areas
    }
}

impl Backdrop<'_> {
    /// Returns a mark of a route as it is drawn above the overlay. In the full look, what terrain hides of it shows
    /// through.
    fn mark_above(&self, mark: &PlacedMark, on: Cell) -> RgbaImage {
        let footing = Footing { on, corner: mark.corner };
        let image = self.images.image(mark.image);
        let Some(cover) = self.scene.cover_of_image(self.images, self.map, self.look, mark.image, footing) else {
            return image.clone();
        };
        let mut above = cover.cut(image, (0, 0));
        if self.look == Look::Full {
            let hidden = hidden_mark(image, &cover);
            above
                .pixels_mut()
                .zip(hidden.pixels())
                .filter(|(_, hidden)| hidden.0[3] > 0)
                .for_each(|(to, hidden)| *to = *hidden);
        }
        above
    }
}

/// Pictures of a [`Backdrop`] with overlays. From one to the next, only the cells whose marks differ are drawn again.
pub struct OverlayPictures<'a> {
    backdrop: &'a Backdrop<'a>,
    /// The backdrop with the marks of the last overlay, before it is reduced.
    marked: RgbaImage,
    /// The mark that is drawn on each cell; `None` if there is more than a mark.
    shown: Vec<Option<CellMark>>,
    /// The last picture, if it was reduced.
    reduced: Option<RgbaImage>,
    /// Where the route is in the last picture.
    above: Vec<PixelArea>,
}

impl OverlayPictures<'_> {
    /// Returns the picture of an overlay, with the route above it: the one that [`paint`](super::paint) returns.
    pub fn paint(&mut self, overlay: &dyn Overlay, route: Option<&[Cell]>) -> RgbaImage {
        let Backdrop { map, canvas, picture, zoom, .. } = self.backdrop;
        let mut changed = std::mem::take(&mut self.above);
        for (cell, shown) in map.size().cells().zip(&mut self.shown) {
            // A line of equal value depends on the cells around.
            let mark = overlay.contour(cell).is_none().then(|| overlay.mark(cell));
            if mark.is_none() || *shown != mark {
                canvas.restore(&mut self.marked, picture, cell);
                canvas.mark(&mut self.marked, overlay, cell);
                *shown = mark;
                changed.push(canvas.area(cell));
            }
        }
        let mut whole = self.marked.clone();
        self.above = self.backdrop.draw_above(&mut whole, overlay, route);
        let Some(reduced) = &mut self.reduced else { return whole };
        // Labels are never reduced: there is no room for them.
        for area in changed.iter().chain(&self.above) {
            zoom.reduce_area(&whole, reduced, area);
        }
        reduced.clone()
    }
}
