//! What is under an overlay, painted once for any number of pictures.

use image::RgbaImage;

use super::overlay::Canvas;
use super::painter::{Painter, margin, placed_marks};
use super::zoom::{self, PictureZoom};
use crate::grid::Cell;
use crate::iso::Projection;
use crate::map::Map;
use crate::overlay::{CellMark, Overlay};
use crate::scene::{Look, Scene, SrgbTables, projection};
use crate::terrain::TileImages;

/// The part of a map's picture that is under an overlay: the terrain, and the standing images, which are faded.
pub struct Backdrop<'a> {
    scene: &'a Scene,
    images: &'a TileImages,
    projection: Projection,
    margin: i32,
    zoom: PictureZoom,
    canvas: Canvas,
    /// The picture before it is reduced.
    picture: RgbaImage,
}

impl<'a> Backdrop<'a> {
    /// Paints what is under the overlays of a map.
    pub fn new(map: &Map, scene: &'a Scene, images: &'a TileImages, look: Look, zoom: PictureZoom) -> Self {
        let mut painter = Painter::new(map, scene, images, look);
        painter.ground_and_flat();
        painter.faded_standing();
        let projection = projection(map);
        let margin = margin(projection.tile(), look) as i32;
        let canvas = Canvas::new(projection, (margin, margin), zoom.times());
        let picture = zoom::enlarge(painter.into_picture(), zoom.times());
        Self { scene, images, projection, margin, zoom, canvas, picture }
    }

    /// Returns the pictures of overlays that differ little from one to the next.
    ///
    /// ```
    /// use emberwalk::map::Map;
    /// use emberwalk::overlay::SearchOverlay;
    /// use emberwalk::paint::{Backdrop, PictureZoom};
    /// use emberwalk::path::{Planner, Query, Recording};
    /// use emberwalk::scene::{Look, Scene};
    /// use emberwalk::terrain::{TileImages, Tileset};
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
        let shown = vec![Some(CellMark::default()); self.projection.size().area()];
        OverlayPictures { backdrop: self, marked: self.picture.clone(), shown }
    }

    /// Returns the picture of one overlay, with the route above it.
    pub(super) fn into_picture(mut self, overlay: &dyn Overlay, route: Option<&[Cell]>) -> RgbaImage {
        let mut picture = std::mem::take(&mut self.picture);
        for cell in self.projection.size().cells() {
            self.canvas.mark(&mut picture, overlay, cell);
        }
        self.finish(picture, overlay, route)
    }

    /// Draws what is above the marks of the overlay.
    fn finish(&self, mut picture: RgbaImage, overlay: &dyn Overlay, route: Option<&[Cell]>) -> RgbaImage {
        let times = self.zoom.times();
        for mark in placed_marks(self.scene, self.projection, route.unwrap_or_default()) {
            let image = self.images.image(mark.image);
            let (x, y) = self.projection.tile().align_image(mark.corner, image.dimensions());
            let at = ((x + self.margin) * times as i32, (y + self.margin) * times as i32);
            SrgbTables::get().draw(&mut picture, &zoom::enlarge(image.clone(), times), at, None);
        }
        self.canvas.labels(&mut picture, overlay);
        self.zoom.reduce(picture)
    }
}

/// Pictures of a [`Backdrop`] with overlays. From one to the next, only the cells whose marks differ are drawn again.
pub struct OverlayPictures<'a> {
    backdrop: &'a Backdrop<'a>,
    /// The backdrop with the marks of the last overlay.
    marked: RgbaImage,
    /// The mark that is drawn on each cell; `None` if there is more than a mark.
    shown: Vec<Option<CellMark>>,
}

impl OverlayPictures<'_> {
    /// Returns the picture of an overlay, with the route above it: the one that [`paint`](super::paint) returns.
    pub fn paint(&mut self, overlay: &dyn Overlay, route: Option<&[Cell]>) -> RgbaImage {
        let Backdrop { projection, canvas, picture, .. } = self.backdrop;
        for (cell, shown) in projection.size().cells().zip(&mut self.shown) {
            // A line of equal value depends on the cells around.
            let mark = overlay.contour(cell).is_none().then(|| overlay.mark(cell));
            if mark.is_none() || *shown != mark {
                canvas.restore(&mut self.marked, picture, cell);
                canvas.mark(&mut self.marked, overlay, cell);
                *shown = mark;
            }
        }
        self.backdrop.finish(self.marked.clone(), overlay, route)
    }
}
