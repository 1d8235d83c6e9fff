//! Pictures of a map with figures, whose ground is painted once for any number of pictures.

use std::collections::HashMap;

use image::RgbaImage;

use super::painter::{Band, PaintedFigure, Painter};
use super::zoom::{self, PictureZoom};
use crate::scene::Scene;
use emberwalk_map::Layers;

/// Paints a map with figures in different places, one picture after another.
pub struct FigurePictures<'a> {
    map: &'a Layers,
    scene: &'a Scene,
    zoom: PictureZoom,
    band: Band,
    /// Everything below the shadows of figures, at zoom 1.
    ground: RgbaImage,
}

impl<'a> FigurePictures<'a> {
    /// Paints what is below the figures.
    pub fn new(map: &'a Layers, scene: &'a Scene, zoom: PictureZoom) -> Self {
        let band = Band::whole(map, scene);
        let mut painter = Painter::new(map, scene, band.clone());
        painter.ground_and_flat();
        Self { map, scene, zoom, band, ground: painter.into_picture() }
    }

    /// Paints the map with figures. The picture is the same as the one that [`paint`](super::paint) returns.
    pub fn paint(&self, figures: &[PaintedFigure]) -> RgbaImage {
        let Self { map, scene, zoom, band, ground } = self;
        let mut painter = Painter::continue_picture(map, scene, band.clone(), ground.clone());
        painter.shadows(figures);
        painter.standing(figures, &HashMap::new());
        painter.silhouettes(figures);
        zoom.reduce(zoom::enlarge(painter.into_picture(), zoom.times()))
    }
}
