//! Draws a map into an image on the CPU, without a window.
//!
//! The picture is the same as in the window at zoom 1: both use the same [`Scene`], and colours are rounded to 8-bit
//! sRGB after each layer, as on a graphics card.

mod backdrop;
mod overlay;
mod painter;
mod text;
mod zoom;

use image::RgbaImage;

use crate::grid::Cell;
use crate::map::Map;
use crate::overlay::Overlay;
use crate::scene::{Look, Scene, projection};
use crate::terrain::TileImages;

use painter::{Painter, placed_marks};

pub use backdrop::{Backdrop, OverlayPictures};
pub use painter::{PaintedFigure, margin, picture_size};
pub use text::write_text;
pub use zoom::PictureZoom;

/// What is drawn besides the map itself.
#[derive(Clone, Copy, Default)]
pub struct PaintOptions<'a> {
    /// How much detail is drawn.
    pub look: Look,
    /// A route whose marks are drawn, from start to goal.
    pub route: Option<&'a [Cell]>,
    /// Figures, which are drawn among the standing images, in the order of their depths.
    pub figures: &'a [PaintedFigure],
    /// What is laid over the map. Standing images fade under it, and the route is drawn above it.
    pub overlay: Option<&'a dyn Overlay>,
    /// The size of the picture.
    pub zoom: PictureZoom,
}

/// Returns the picture of a map in straight alpha, transparent where nothing is drawn.
///
/// Time and memory are proportional to the [size](picture_size) of the picture.
pub fn paint(map: &Map, scene: &Scene, images: &TileImages, options: &PaintOptions<'_>) -> RgbaImage {
    let PaintOptions { look, route, figures, overlay, zoom } = *options;
    if let Some(overlay) = overlay {
        return Backdrop::new(map, scene, images, look, zoom).into_picture(overlay, route);
    }
    let marks = placed_marks(scene, projection(map), route.unwrap_or_default());
    let mut painter = Painter::new(map, scene, images, look);
    painter.ground_and_flat();
    painter.marks(&marks);
    let through = scene.shine_through(images, map, look, marks);
    painter.standing(figures, &through);
    painter.silhouettes(figures);
    zoom.reduce(zoom::enlarge(painter.into_picture(), zoom.times()))
}
