//! Puts the background under a picture of a map.

use image::{Rgba, RgbaImage};

use super::painter::margin;
use super::zoom::PictureZoom;
use crate::scene::{Background, BackgroundColours, Look, Scene, SrgbTables, projection};
use emberwalk_map::Layers;

/// Puts the background under a [painted](super::paint) picture of a map, so that it becomes opaque. The classic look has
/// no background: its picture stays as it is.
pub fn put_background(picture: &mut RgbaImage, map: &Layers, scene: &Scene, zoom: PictureZoom) {
    if scene.look() == Look::Plain {
        return;
    }
    let projection = projection(map);
    let background = Background::new(projection, &BackgroundColours::NOON);
    let margin = f64::from(margin(projection.tile(), scene.look()));
    let point = |pixel: u32| (f64::from(pixel) + 0.5) * zoom.pixel() - margin;
    let tables = SrgbTables::get();
    for (x, y, pixel) in picture.enumerate_pixels_mut().filter(|(_, _, pixel)| pixel.0[3] < u8::MAX) {
        let [r, g, b] = background.colour((point(x), point(y)));
        let above = std::mem::replace(pixel, Rgba([r, g, b, u8::MAX]));
        tables.blend(pixel, above);
    }
}
