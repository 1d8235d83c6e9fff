//! Puts the background under a picture of a map.

use image::{Rgba, RgbaImage};

use super::painter::margin;
use super::zoom::PictureZoom;
use crate::light::{LightArea, LightPicture};
use crate::scene::{Background, BackgroundColours, Look, Scene, SrgbTables, projection};
use emberwalk_map::{Hour, Layers};

/// Puts the background under a [painted](super::paint) picture of a map, so that it becomes opaque, in the light of an hour.
/// The classic look has no background: its picture stays as it is.
pub fn put_background(picture: &mut RgbaImage, map: &Layers, scene: &Scene, hour: Hour, zoom: PictureZoom) {
    if scene.look() == Look::Plain {
        return;
    }
    let projection = projection(map);
    let background = Background::new(projection, &BackgroundColours::NOON);
    let margin = f64::from(margin(projection.tile(), scene.look()));
    let point = |pixel: u32| (f64::from(pixel) + 0.5) * zoom.pixel() - margin;
    let tables = SrgbTables::get();
    let (width, height) = picture.dimensions();
    let reach = |pixels: u32| (f64::from(pixels) * zoom.pixel()).ceil() as u32;
    let corner = (-(margin as i32), -(margin as i32));
    let area = LightArea { corner, size: (reach(width), reach(height)), spacing: LightPicture::SPACING };
    let light = LightPicture::new(map, hour, area, []);
    for (x, y, pixel) in picture.enumerate_pixels_mut().filter(|(_, _, pixel)| pixel.0[3] < u8::MAX) {
        let [r, g, b] = background.colour((point(x), point(y)));
        let mut behind = Rgba([r, g, b, u8::MAX]);
        if let Some(light) = &light {
            behind = tables.tinted(behind, light.at((point(x) as f32, point(y) as f32)));
        }
        let above = std::mem::replace(pixel, behind);
        tables.blend(pixel, above);
    }
}
