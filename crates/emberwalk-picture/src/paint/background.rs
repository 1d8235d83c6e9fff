//! Puts the background under a picture of a map.

use image::{Rgba, RgbaImage};

use super::PaintOptions;
use super::painter::{carried_lights, margin, placed_marks};
use crate::light::{LightArea, LightPicture, shown_hour};
use crate::scene::{Background, Look, Scene, SrgbTables, projection};
use emberwalk_map::Layers;

/// Puts the background under a picture of a map that was [painted](super::paint) with these options, so that it becomes
/// opaque, in the light of the hour. The classic look has no background: its picture stays as it is.
pub fn put_background(picture: &mut RgbaImage, map: &Layers, scene: &Scene, options: &PaintOptions<'_>) {
    if scene.look() == Look::Plain {
        return;
    }
    let PaintOptions { route, figures, overlay, hour, zoom, .. } = *options;
    let projection = projection(map);
    let background = Background::new(projection);
    let margin = f64::from(margin(projection.tile(), scene.look()));
    let point = |pixel: u32| (f64::from(pixel) + 0.5) * zoom.pixel() - margin;
    let tables = SrgbTables::get();
    let (width, height) = picture.dimensions();
    let reach = |pixels: u32| (f64::from(pixels) * zoom.pixel()).ceil() as u32;
    let corner = (-(margin as i32), -(margin as i32));
    // There are at most as many points as at zoom 1.
    let spacing = LightPicture::SPACING * zoom.pixel().ceil() as u32;
    let area = LightArea { corner, size: (reach(width), reach(height)), spacing };
    // Figures are not visible under an overlay.
    let (figures, route) = if overlay.is_some() { (&[][..], None) } else { (figures, route) };
    let marks = placed_marks(scene, map, route.unwrap_or_default());
    let light = LightPicture::new(map, scene, shown_hour(hour), area, carried_lights(map, figures, &marks));
    let columns: Vec<_> = light.iter().flat_map(|light| (0..width).map(|x| light.column(point(x) as f32))).collect();
    for (y, pixels) in (0..).zip(picture.rows_mut()) {
        let row = light.as_ref().map(|light| (light, light.row(point(y) as f32)));
        for (x, pixel) in (0..).zip(pixels).filter(|(_, pixel)| pixel.0[3] < u8::MAX) {
            let [r, g, b] = background.colour((point(x), point(y)));
            let mut behind = Rgba([r, g, b, u8::MAX]);
            if let Some((light, row)) = row {
                behind = tables.tinted(behind, light.between(columns[x as usize], row));
            }
            let above = std::mem::replace(pixel, behind);
            tables.blend(pixel, above);
        }
    }
}
