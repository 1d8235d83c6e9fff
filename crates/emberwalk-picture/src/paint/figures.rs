//! Pictures of a map with figures, whose ground is painted once for any number of pictures.

use image::RgbaImage;

use super::painter::{Band, PaintedFigure, Painter, placed_marks};
use super::zoom::{self, PictureZoom};
use crate::scene::{Scene, Warming};
use emberwalk_map::{Hour, Layers};
use emberwalk_path::grid::Cell;

/// Paints a map with figures in different places, one picture after another.
pub struct FigurePictures<'a> {
    map: Layers,
    scene: &'a Scene,
    zoom: PictureZoom,
    band: Band,
    /// Everything below the shadows of figures, at zoom 1.
    ground: RgbaImage,
}

impl<'a> FigurePictures<'a> {
    /// Paints everything below the figures.
    pub fn new(map: &Layers, scene: &'a Scene, zoom: PictureZoom) -> Self {
        let band = Band::whole(map, scene);
        let mut painter = Painter::new(map, scene, band.clone());
        painter.ground_and_flat();
        let ground = painter.into_picture();
        Self { map: map.clone(), scene, zoom, band, ground }
    }

    /// Whether these are pictures of the current map, with the same gates shut. O(cells).
    pub fn show(&self, map: &Layers) -> bool {
        let are_same = self.map.differing_cells(map).is_some_and(|mut cells| cells.next().is_none());
        are_same
            && (map.hour() == self.map.hour()
                || map.size().cells().all(|cell| self.map.is_shut(cell) == map.is_shut(cell)))
    }

    /// Paints the map with figures, a route and the signs of an announced eruption at an hour. The picture is the same as
    /// from [`paint`](super::paint).
    pub fn paint(&self, figures: &[PaintedFigure], route: &[Cell], warming: Option<Warming>, hour: Hour) -> RgbaImage {
        let Self { map, scene, zoom, band, ground } = self;
        let marks = placed_marks(scene, map, route);
        let through = scene.shine_through(map, marks.iter().copied());
        let mut painter = Painter::continue_picture(map, scene, band.clone(), ground.clone());
        painter.above_ground(figures, &marks, &through, warming, hour);
        zoom.reduce(zoom::enlarge(painter.into_picture(), zoom.times()))
    }
}
