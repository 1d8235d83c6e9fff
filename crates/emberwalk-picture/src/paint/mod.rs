//! Draws a map into an image on the CPU, without a window.
//!
//! The picture is the same as in the window at zoom 1: both use the same [`Scene`], and colours are rounded to 8-bit
//! sRGB after each layer, as on a graphics card.

mod backdrop;
mod from_afar;
mod gradual;
mod overlay;
mod painter;
mod text;
mod zoom;

use std::collections::HashMap;

use image::RgbaImage;

use crate::overlay::Overlay;
use crate::scene::{Look, Scene, projection};
use crate::tiles::TileImages;
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

use painter::{Band, Painter, placed_marks};

pub use backdrop::{Backdrop, OverlayPictures};
pub use from_afar::{paint_from_afar, paint_reduced};
pub use gradual::GradualPicture;
pub use painter::{PaintedFigure, margin, picture_size};
pub use text::write_text;
pub use zoom::{PictureZoom, reduced_to_fit};

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

/// How many rows of a picture that is reduced are painted at once, before they are reduced. So a small picture of a
/// large map needs little memory.
const BAND: u32 = 128 * PictureZoom::MAX_PARTS;

/// Returns the picture of a map in straight alpha, transparent where nothing is drawn.
///
/// Time is proportional to the [size](picture_size) of the picture at zoom 1, and memory to its size at the zoom.
pub fn paint(map: &Layers, scene: &Scene, images: &TileImages, options: &PaintOptions<'_>) -> RgbaImage {
    paint_in_bands(map, scene, images, options, BAND)
}

/// A part of the picture of a map, reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PicturePart {
    /// Its top left corner in pixels at zoom 1, from the top left corner of the picture without margin.
    pub corner: (i32, i32),
    /// Its width and height in pixels after the reduction.
    pub size: (u32, u32),
    /// How many pixels at zoom 1, in each direction, become one.
    pub parts: u32,
}

/// Returns a part of the picture of a map without a route, in which each pixel is the average of those at zoom 1 that
/// become one.
///
/// Time is proportional to the part at zoom 1, memory to 512 of its rows. What is off the picture costs nothing on the
/// right and below.
///
/// # Panics
/// `parts` is 0 or does not divide 512.
pub fn paint_part(map: &Layers, scene: &Scene, images: &TileImages, look: Look, part: PicturePart) -> RgbaImage {
    let PicturePart { corner, size, parts } = part;
    assert!(BAND.is_multiple_of(parts), "{parts} does not divide {BAND}");
    let ((width, height), margin) = (projection(map).picture_size(), margin(map.tileset().tile(), look));
    let reach = |length: u32, corner: i32, side: u32| {
        let left = i64::from(length + margin) - i64::from(corner);
        (left.max(1) as u32).div_ceil(parts).min(side) * parts
    };
    let painted_size = (reach(width, corner.0, size.0), reach(height, corner.1, size.1));
    let painted = PictureZoom::fraction(parts).in_bands(painted_size, BAND, |rows| {
        let origin = (-corner.0, -corner.1 - rows.start as i32);
        let band = Band::part(map, images, origin, (painted_size.0, rows.len() as u32));
        let mut painter = Painter::new(map, scene, images, look, band);
        painter.ground_and_flat();
        painter.standing(&[], &HashMap::new());
        painter.into_picture()
    });
    let mut picture = RgbaImage::new(size.0, size.1);
    image::imageops::replace(&mut picture, &painted, 0, 0);
    picture
}

fn paint_in_bands(
    map: &Layers,
    scene: &Scene,
    images: &TileImages,
    options: &PaintOptions<'_>,
    rows_of_band: u32,
) -> RgbaImage {
    let PaintOptions { look, route, figures, overlay, zoom } = *options;
    let marks = placed_marks(scene, map, route.unwrap_or_default());
    let through = match overlay {
        None => scene.shine_through(images, map, look, marks.iter().map(|(mark, _)| *mark)),
        Some(_) => HashMap::new(),
    };
    zoom.in_bands(picture_size(map, look), rows_of_band, |rows| {
        let band = Band::new(map, images, look, rows);
        if let Some(overlay) = overlay {
            return Backdrop::in_band(map, scene, images, look, zoom, band).into_picture(overlay, route);
        }
        let mut painter = Painter::new(map, scene, images, look, band);
        painter.ground_and_flat();
        painter.marks(&marks);
        painter.standing(figures, &through);
        painter.silhouettes(figures);
        zoom::enlarge(painter.into_picture(), zoom.times())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlay::{DistanceOverlay, SearchOverlay};
    use emberwalk_map::Map;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_path::{Field, FieldQuery, Planner, Query, Recording};
    use std::sync::Arc;

    #[test]
    fn parts_of_a_picture_are_those_of_the_whole() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let mut map = Map::open("valley".as_ref(), &tileset).unwrap();
        map.erupt_all();
        let images = TileImages::load(&tileset, None).unwrap();
        let scene = Scene::new(&tileset, &images);
        for (look, parts) in [(Look::Full, 1), (Look::Full, 4), (Look::Plain, 2)] {
            let whole = paint(&map, &scene, &images, &PaintOptions { look, ..PaintOptions::default() });
            let margin = margin(tileset.tile(), look);
            let (side, step) = (48, 48 * parts);
            for (x, y) in [(0, 0), (1, 0), (2, 1), (7, 3), (11, 5)] {
                let (left, top) = ((x * step) as i32 - margin as i32, (y * step) as i32 - margin as i32);
                let area = PicturePart { corner: (left, top), size: (side, side), parts };
                let part = paint_part(&map, &scene, &images, look, area);
                let mut cut = RgbaImage::new(step, step);
                image::imageops::replace(&mut cut, &whole, -i64::from(x * step), -i64::from(y * step));
                assert!(part == PictureZoom::fraction(parts).reduce(cut), "{look:?}, {parts}, {x},{y}");
            }
        }
    }

    #[test]
    fn pictures_that_are_painted_square_by_square_are_those_that_are_painted_at_once() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = TileImages::load(&tileset, None).unwrap();
        let scene = Scene::new(&tileset, &images);
        for name in ["valley", "highlands"] {
            let mut map = Map::open(name.as_ref(), &tileset).unwrap();
            map.erupt_all();
            for (look, parts, square) in [(Look::Full, 4, 256), (Look::Plain, 8, 100), (Look::Full, 32, 4)] {
                let part = PicturePart { corner: (-70, 130), size: (150, 90), parts };
                let mut gradual = GradualPicture::new(part, square);
                let mut squares = 1;
                let picture = loop {
                    match gradual.paint_next(&map, &scene, &images, look) {
                        Some(picture) => break picture,
                        None => squares += 1,
                    }
                };
                assert!(squares >= 6, "{squares}");
                let at_once = paint_reduced(&map, &scene, &images, look, part);
                assert!(picture == at_once, "{name}, {look:?}, {parts}");
            }
        }
    }

    #[test]
    fn pictures_in_bands_are_those_that_are_painted_at_once() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let mut map = Map::open("valley".as_ref(), &tileset).unwrap();
        map.erupt_all();
        let images = TileImages::load(&tileset, None).unwrap();
        let scene = Scene::new(&tileset, &images);
        let query = Query::new(map.start().unwrap(), map.castle().unwrap());
        let recording = Recording::new(&mut Planner::new(), map.costs(), &query).unwrap();
        let mut field = Field::new();
        field.compute(map.costs(), &FieldQuery::to_cell(query.to)).unwrap();
        let (search, distance) = (SearchOverlay::new(&recording, 30), DistanceOverlay::new(&field, map.size()));
        let overlays: [Option<&dyn Overlay>; 3] = [None, Some(&search), Some(&distance)];
        let figures = [PaintedFigure { image: images.find("L4_TravellerE0").unwrap(), feet: (7.25, 5.5) }];
        for (overlay, look) in overlays.into_iter().flat_map(|overlay| [(overlay, Look::Plain), (overlay, Look::Full)])
        {
            for zoom in ["1/4", "1/2"].map(|zoom| zoom.parse().unwrap()) {
                let route = Some(recording.result().cells());
                let options = PaintOptions { look, route, figures: &figures, overlay, zoom };
                let [at_once, in_bands] =
                    [1 << 20, 28].map(|rows| paint_in_bands(&map, &scene, &images, &options, rows));
                assert!(at_once == in_bands, "{look:?}, zoom {zoom}, an overlay: {}", overlay.is_some());
            }
        }
    }
}
