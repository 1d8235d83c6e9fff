//! The picture under an overlay, painted once for any number of overlays.

use image::RgbaImage;

use super::overlay::Canvas;
use super::painter::{AboveMarks, Band, Painter, mark_images, placed_marks};
use super::zoom::{self, PictureZoom};
use crate::overlay::{CellMark, Overlay};
use crate::scene::{Scene, SrgbTables};
use emberwalk_map::{Hour, Layers};
use emberwalk_path::grid::Cell;

/// The part of a map's picture that is under an overlay: the terrain and the faded standing images.
pub struct Backdrop<'a> {
    scene: &'a Scene,
    map: &'a Layers,
    zoom: PictureZoom,
    canvas: Canvas<'a>,
    /// The picture before it is reduced.
    picture: RgbaImage,
    above_marks: Vec<AboveMarks>,
}

impl<'a> Backdrop<'a> {
    /// Paints the backdrop of a map at an hour.
    pub fn new(map: &'a Layers, scene: &'a Scene, hour: Hour, zoom: PictureZoom) -> Self {
        Self::in_band(map, scene, hour, zoom, Band::whole(map, scene))
    }

    /// Paints the backdrop of a band.
    pub(super) fn in_band(map: &'a Layers, scene: &'a Scene, hour: Hour, zoom: PictureZoom, band: Band) -> Self {
        let mut painter = Painter::new(map, scene, band.clone());
        painter.ground_and_flat();
        painter.faded_standing();
        painter.light(hour, &[], &[]);
        let mut above_marks = painter.above_marks();
        for above in &mut above_marks {
            above.image = zoom::enlarge(std::mem::take(&mut above.image), zoom.times());
        }
        let picture = zoom::enlarge(painter.into_picture(), zoom.times());
        Self { scene, map, zoom, canvas: Canvas::new(map, band, zoom.times()), picture, above_marks }
    }

    /// A painter for a series of overlays that differ little from one to the next.
    ///
    /// ```
    /// use emberwalk_map::{Hour, Map};
    /// use emberwalk_picture::overlay::SearchOverlay;
    /// use emberwalk_picture::paint::{Backdrop, PictureZoom};
    /// use emberwalk_path::trace::Recording;
    /// use emberwalk_path::{Planner, RouteQuery};
    /// use emberwalk_picture::scene::{Look, Scene};
    /// use emberwalk_picture::tiles::TileImages;
    /// use emberwalk_map::terrain::Tileset;
    /// use std::path::Path;
    /// use std::sync::Arc;
    ///
    /// let tileset = Arc::new(Tileset::load(None)?);
    /// let map = Map::open(Path::new("figures/road"), &tileset)?;
    /// let query = RouteQuery::new(map.start().unwrap(), map.castle().unwrap());
    /// let recording = Recording::new(&mut Planner::new(), map.costs(), &query)?;
    ///
    /// let scene = Scene::new(&tileset, TileImages::load(&tileset, None)?, Look::Full);
    /// let backdrop = Backdrop::new(&map, &scene, Hour::NOON, PictureZoom::default());
    /// let mut pictures = backdrop.pictures();
    /// let before = pictures.paint(&SearchOverlay::new(&recording, 1), None);
    /// let after = pictures.paint(&SearchOverlay::new(&recording, 2), None);
    /// assert_ne!(before, after);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pictures(&self) -> OverlayPictures<'_> {
        let shown = vec![Some(CellMark::default()); self.map.size().area()];
        OverlayPictures { backdrop: self, marked: self.picture.clone(), shown }
    }

    /// The picture with one overlay and the route above it, before it is reduced.
    pub(super) fn into_picture(mut self, overlay: &dyn Overlay, route: Option<&[Cell]>) -> RgbaImage {
        let mut picture = std::mem::take(&mut self.picture);
        self.canvas.marks(&mut picture, overlay);
        self.draw_above(&mut picture, overlay, route);
        picture
    }

    /// Draws everything above the marks of the overlay.
    fn draw_above(&self, picture: &mut RgbaImage, overlay: &dyn Overlay, route: Option<&[Cell]>) {
        let times = self.zoom.times();
        for AboveMarks { image, corner, tint } in &self.above_marks {
            SrgbTables::get().draw(picture, image, self.canvas.at(*corner), *tint);
        }
        for mark in placed_marks(self.scene, self.map, route.unwrap_or_default()) {
            for image in mark_images(self.scene, self.map, &mark) {
                let corner = self.scene.images().tile().align_image(mark.footing.corner, image.dimensions());
                let at = self.canvas.at(corner);
                SrgbTables::get().draw(picture, &zoom::enlarge(image, times), at, None);
            }
        }
        self.canvas.labels(picture, overlay);
    }
}

/// Paints overlays on a [`Backdrop`], one after another. Only cells whose marks changed since the previous overlay are
/// redrawn.
pub struct OverlayPictures<'a> {
    backdrop: &'a Backdrop<'a>,
    /// The backdrop with the marks of the last overlay, before it is reduced.
    marked: RgbaImage,
    /// The mark drawn on each cell; `None` if the cell also has something else.
    shown: Vec<Option<CellMark>>,
}

impl OverlayPictures<'_> {
    /// Paints an overlay with the route above it. The picture is the same as from [`paint`](super::paint).
    pub fn paint(&mut self, overlay: &dyn Overlay, route: Option<&[Cell]>) -> RgbaImage {
        let Backdrop { map, canvas, picture, zoom, .. } = self.backdrop;
        for (cell, shown) in map.size().cells().zip(&mut self.shown) {
            // A contour line depends on the neighbouring cells.
            let mark = overlay.contour(cell).is_none().then(|| overlay.mark(cell));
            if mark.is_none() || *shown != mark {
                canvas.restore(&mut self.marked, picture, cell);
                canvas.mark(&mut self.marked, overlay, cell);
                *shown = mark;
            }
        }
        let mut whole = self.marked.clone();
        self.backdrop.draw_above(&mut whole, overlay, route);
        zoom.reduce(whole)
    }
}
