//! Draws a map into an image on the CPU, without a window.
//!
//! The picture is the same as in the window at zoom 1: both use the same [`Scene`], and colours are rounded to 8-bit
//! sRGB after each layer, as on a graphics card.

mod backdrop;
mod background;
mod figures;
mod overlay;
mod overview;
mod painter;
mod text;
mod zoom;

use std::collections::HashMap;

use image::{GrayImage, Luma, RgbaImage};

use crate::light::{TerrainLight, shown_hour};
use crate::overlay::Overlay;
use crate::scene::{Scene, Warming};
use emberwalk_map::{Hour, Layers};
use emberwalk_path::grid::Cell;

use painter::{Band, Painter, placed_marks};

pub use backdrop::{Backdrop, OverlayPictures};
pub use background::put_background;
pub use figures::FigurePictures;
pub use overview::paint_overview;
pub use painter::{PaintedFigure, margin, picture_size};
pub use text::write_text;
pub use zoom::{PictureZoom, reduced_to_fit};

/// Options for painting a map: its size, and everything that is drawn in addition to it.
#[derive(Clone, Copy, Default)]
pub struct PaintOptions<'a> {
    /// A route whose marks are drawn, from start to goal.
    pub route: Option<&'a [Cell]>,
    /// Figures, which are drawn among the standing images, sorted by depth.
    pub figures: &'a [PaintedFigure],
    /// An overlay over the map. Standing images fade under it; the tent, the castle and the route are drawn above it.
    pub overlay: Option<&'a dyn Overlay>,
    /// The announced eruption, whose signs are drawn on the ground.
    pub warming: Option<Warming>,
    /// The hour, whose light is on everything but overlays, the routes above them and silhouettes. The classic look has no
    /// hours.
    pub hour: Hour,
    /// The size of the picture.
    pub zoom: PictureZoom,
}

/// A reduced picture is painted in bands of this many rows, so that a small picture of a large map needs little memory.
const BAND: u32 = 128 * PictureZoom::MAX_DOWNSCALE;

/// From this downscale on, a cell is less than four pixels wide, and [`paint_part`] paints an overview instead of
/// single images.
const OVERVIEW: u32 = 32;

/// The greatest distance between samples of an overview, in pixels at zoom 1. With the classic tiles there is one for
/// each cell.
const SAMPLE_DISTANCE: u32 = 26;

/// Paints a map, in straight alpha, transparent where nothing is drawn.
///
/// Time is proportional to the [size](picture_size) of the picture at zoom 1, and memory to its size at the zoom.
pub fn paint(map: &Layers, scene: &Scene, options: &PaintOptions<'_>) -> RgbaImage {
    paint_in_bands(map, scene, options, &Band::whole(map, scene), BAND)
}

/// A part of the picture of a map, reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PicturePart {
    /// Its top left corner in pixels at zoom 1, from the top left corner of the picture without margin.
    pub corner: (i32, i32),
    /// Its width and height in pixels after the reduction.
    pub size: (u32, u32),
    /// How many pixels at zoom 1 become one pixel, in each direction.
    pub downscale: u32,
}

/// Paints a part of a map's picture without a route. Each pixel is the average of the pixels at zoom 1 that it covers;
/// in an [overview](paint_overview), an approximation of it.
///
/// Time is proportional to the part at zoom 1, and about ten times shorter for an overview.
///
/// # Panics
/// The downscale is not a power of two.
pub fn paint_part(map: &Layers, scene: &Scene, part: PicturePart) -> RgbaImage {
    assert!(part.downscale.is_power_of_two(), "{} is not a power of two", part.downscale);
    if part.downscale < OVERVIEW {
        paint_averaged(map, scene, part)
    } else {
        paint_overview(map, scene, part, part.downscale.div_ceil(SAMPLE_DISTANCE))
    }
}

/// Paints how brightly the [lamps](Scene::lamps) that are lit at an hour shine in a part of a map's picture, from 0 to 255:
/// the light of lamps, times this, is to be added to the part in the light of the hour. `None` if no lamp in it is lit.
///
/// As in [`paint_part`], a pixel is the average of the pixels that it covers, in an overview an approximation of it. It
/// takes less time, and very little where no lamp is lit.
///
/// # Panics
/// The downscale is not a power of two.
pub fn paint_lamps(map: &Layers, scene: &Scene, part: PicturePart, hour: Hour) -> Option<GrayImage> {
    assert!(part.downscale.is_power_of_two(), "{} is not a power of two", part.downscale);
    let hour = shown_hour(hour);
    if !TerrainLight::is_seen(hour) {
        return None;
    }
    let lamps = if part.downscale < OVERVIEW {
        lamps_averaged(map, scene, part, hour)
    } else {
        overview::lamps(map, scene, part, part.downscale.div_ceil(SAMPLE_DISTANCE), hour)
    };
    Some(lamps).filter(|lamps| lamps.pixels().any(|Luma([brightness])| *brightness > 0))
}

fn lamps_averaged(map: &Layers, scene: &Scene, part: PicturePart, hour: Hour) -> GrayImage {
    let PicturePart { corner, size, downscale } = part;
    let zoom = PictureZoom::reduced(downscale);
    let averaged = zoom.in_bands((size.0 * downscale, size.1 * downscale), BAND, |rows| {
        let origin = (-corner.0, -corner.1 - rows.start as i32);
        let band = Band::new(map, scene.images(), origin, (size.0 * downscale, rows.len() as u32));
        Painter::new(map, scene, band).into_lamps(hour)
    });
    GrayImage::from_fn(size.0, size.1, |x, y| Luma([averaged.get_pixel(x, y).0[3]]))
}

fn paint_averaged(map: &Layers, scene: &Scene, PicturePart { corner, size, downscale }: PicturePart) -> RgbaImage {
    let size = (size.0 * downscale, size.1 * downscale);
    let whole = Band::new(map, scene.images(), (-corner.0, -corner.1), size);
    let options = PaintOptions { zoom: PictureZoom::reduced(downscale), ..PaintOptions::default() };
    paint_in_bands(map, scene, &options, &whole, BAND)
}

fn paint_in_bands(
    map: &Layers,
    scene: &Scene,
    options: &PaintOptions<'_>,
    whole: &Band,
    rows_of_band: u32,
) -> RgbaImage {
    let PaintOptions { route, figures, overlay, warming, hour, zoom } = *options;
    let marks = placed_marks(scene, map, route.unwrap_or_default());
    let through = match overlay {
        None => scene.shine_through(map, marks.iter().copied()),
        Some(_) => HashMap::new(),
    };
    zoom.in_bands(whole.size, rows_of_band, |rows| {
        let origin = (whole.origin.0, whole.origin.1 - rows.start as i32);
        let band = Band::new(map, scene.images(), origin, (whole.size.0, rows.len() as u32));
        if let Some(overlay) = overlay {
            return Backdrop::in_band(map, scene, hour, zoom, band).into_picture(overlay, route);
        }
        let mut painter = Painter::new(map, scene, band);
        painter.ground_and_flat();
        painter.above_ground(figures, &marks, &through, warming, hour);
        zoom::enlarge(painter.into_picture(), zoom.times())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::{LightArea, LightPicture, lamp_light};
    use crate::overlay::{CellMark, DistanceOverlay, FADED, Label, MarkStyle, SearchOverlay};
    use crate::scene::{Look, SrgbTables, projection};
    use crate::tiles::TileImages;
    use emberwalk_map::Map;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_path::trace::Recording;
    use emberwalk_path::{Field, FieldQuery, Planner, RouteQuery};
    use image::Rgba;
    use std::sync::Arc;

    fn scene(tileset: &Tileset, look: Look) -> Scene {
        Scene::new(tileset, TileImages::load(tileset, None).unwrap(), look)
    }

    #[test]
    fn parts_of_a_picture_equal_parts_of_the_whole() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let mut map = Map::open("valley".as_ref(), &tileset).unwrap();
        map.erupt_all();
        for (look, downscale) in [(Look::Full, 1), (Look::Full, 4), (Look::Plain, 2)] {
            let scene = scene(&tileset, look);
            let whole = paint(&map, &scene, &PaintOptions::default());
            let margin = margin(tileset.tile(), look);
            let side = 48;
            let step = 48 * downscale;
            for (x, y) in [(0, 0), (1, 0), (2, 1), (7, 3), (11, 5)] {
                let left = (x * step) as i32 - margin as i32;
                let top = (y * step) as i32 - margin as i32;
                let area = PicturePart { corner: (left, top), size: (side, side), downscale };
                let part = paint_part(&map, &scene, area);
                let mut cut = RgbaImage::new(step, step);
                image::imageops::replace(&mut cut, &whole, -i64::from(x * step), -i64::from(y * step));
                assert!(part == PictureZoom::reduced(downscale).reduce(cut), "{look:?}, {downscale}, {x},{y}");
            }
        }
    }

    #[test]
    fn a_part_in_the_light_of_an_hour_with_its_lamps_is_that_of_the_whole_at_this_hour() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let map = Map::open("market".as_ref(), &tileset).unwrap();
        let scene = scene(&tileset, Look::Full);
        let hour: Hour = "19:50".parse().unwrap();
        let (corner, size) = ((700, 350), (512, 512));
        let area = LightArea { corner, size, spacing: LightPicture::SPACING };
        let part = PicturePart { corner, size, downscale: 1 };
        let mut picture = paint_part(&map, &scene, part);
        LightPicture::new(&map, &scene, hour, area, []).unwrap().light(&mut picture, corner);
        let lamps = paint_lamps(&map, &scene, part, hour).expect("windows are lit");
        for (pixel, Luma([lamp])) in picture.pixels_mut().zip(lamps.pixels()).filter(|(_, lamp)| lamp.0[0] > 0) {
            let light = lamp_light(hour).map(|channel| channel * f32::from(*lamp) / 255.0);
            *pixel = SrgbTables::get().brightened(*pixel, light);
        }
        let whole = paint(&map, &scene, &PaintOptions { hour, ..PaintOptions::default() });
        let margin = margin(tileset.tile(), Look::Full) as i32;
        let at = |k: i32| (k + margin) as u32;
        let cut = image::imageops::crop_imm(&whole, at(corner.0), at(corner.1), size.0, size.1).to_image();
        assert!(picture == cut);
        assert_eq!(paint_lamps(&map, &scene, part, Hour::NOON), None);
    }

    #[test]
    fn zoomed_out_lamps_are_as_bright_in_all() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let map = Map::open("market".as_ref(), &tileset).unwrap();
        let scene = scene(&tileset, Look::Full);
        let hour: Hour = "19:50".parse().unwrap();
        let sum = |downscale: u32| {
            let part = PicturePart { corner: (0, 0), size: (4096 / downscale, 2048 / downscale), downscale };
            let lamps = paint_lamps(&map, &scene, part, hour).expect("windows are lit");
            lamps.pixels().map(|Luma([lamp])| f64::from(*lamp) / 255.0).sum::<f64>() * f64::from(downscale * downscale)
        };
        let fine = sum(1);
        for (downscale, tolerance) in [(2, 0.02), (8, 0.05), (32, 0.4), (64, 0.4)] {
            let share = sum(downscale) / fine;
            assert!((share - 1.0).abs() < tolerance, "at 1/{downscale}: {share} of {fine}");
        }
    }

    #[test]
    fn pictures_in_bands_equal_pictures_that_are_painted_together() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let mut map = Map::open("valley".as_ref(), &tileset).unwrap();
        map.erupt_all();
        let scenes = [Look::Plain, Look::Full].map(|look| scene(&tileset, look));
        let query = RouteQuery::new(map.start().unwrap(), map.castle().unwrap());
        let recording = Recording::new(&mut Planner::new(), map.costs(), &query).unwrap();
        let mut field = Field::new();
        field.compute(map.costs(), &FieldQuery::routes_to(query.to)).unwrap();
        let search = SearchOverlay::new(&recording, 30);
        let distance = DistanceOverlay::new(&field, map.size());
        let overlays: [Option<&dyn Overlay>; 3] = [None, Some(&search), Some(&distance)];
        let image = scenes[0].images().find("L4_TravellerE0").unwrap();
        let figures = [PaintedFigure::at_feet(&map, image, (7.25, 5.5))];
        for (overlay, scene) in
            overlays.into_iter().flat_map(|overlay| scenes.iter().map(move |scene| (overlay, scene)))
        {
            for zoom in [4, 2].map(PictureZoom::reduced) {
                let route = Some(recording.result().cells());
                let hour = Hour::from_hours(20.5).unwrap();
                let options = PaintOptions { route, figures: &figures, overlay, warming: None, hour, zoom };
                let whole = Band::whole(&map, scene);
                let [together, in_bands] =
                    [1 << 20, 28].map(|rows| paint_in_bands(&map, scene, &options, &whole, rows));
                assert!(together == in_bands, "{:?}, zoom {zoom}, an overlay: {}", scene.look(), overlay.is_some());
            }
        }
    }

    /// Marks all cells alike, as an overlay of costs marks cells of the same cost, or no cell.
    struct Alike(MarkStyle);

    impl Alike {
        const COLOUR: [u8; 3] = [255, 0, 0];
    }

    impl Overlay for Alike {
        fn mark(&self, _: Cell) -> CellMark {
            CellMark { style: self.0, colour: Self::COLOUR, ..CellMark::default() }
        }

        fn label(&self, _: Cell) -> Option<Label> {
            None
        }
    }

    #[test]
    fn tent_and_castle_are_drawn_above_the_marks_of_an_overlay_and_a_wall_below_them() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let scene = scene(&tileset, Look::Plain);
        let cell = Cell::new(2, 2);
        let map = |char: char| {
            let overlay = [".....", ".....", &format!("..{char}.."), ".....", "....."];
            let text = format!("(name: \"a\", base: {:?}, overlay: {overlay:?})", ["GGGGG"; 5]);
            Map::parse("a.ron", &text, &tileset).unwrap()
        };
        let painted = |char: char, style: MarkStyle| {
            paint(&map(char), &scene, &PaintOptions { overlay: Some(&Alike(style)), ..PaintOptions::default() })
        };
        let tables = SrgbTables::get();
        let draw_faded = |picture: &mut RgbaImage, char: char| {
            let map = map(char);
            let mut image = scene.images().image(scene.standing(&map, cell)[0]).clone();
            image.pixels_mut().for_each(|pixel| pixel.0[3] = (f32::from(pixel.0[3]) * FADED) as u8);
            let at = tileset.tile().align_image(projection(&map).corner(cell), image.dimensions());
            tables.draw(picture, &image, at, None);
        };
        let [bare, marked] = [MarkStyle::None, MarkStyle::Value].map(|style| painted('.', style));
        for char in ['1', '2'] {
            let mut above = marked.clone();
            draw_faded(&mut above, char);
            assert!(painted(char, MarkStyle::Value) == above, "{char}");
        }
        let mut below = bare.clone();
        draw_faded(&mut below, 'W');
        assert!(below != bare);
        let [r, g, b] = Alike::COLOUR;
        let cells = bare.pixels().zip(marked.pixels()).map(|(bare, marked)| bare != marked);
        for (pixel, _) in below.pixels_mut().zip(cells).filter(|(_, is_of_cell)| *is_of_cell) {
            tables.blend(pixel, Rgba([r, g, b, 170]));
        }
        assert!(painted('W', MarkStyle::Value) == below);
    }
}
