//! Pictures of large parts of a map, made of the mean colours of terrain.

use image::{Rgba, RgbaImage};

use super::{PicturePart, paint_part};
use crate::iso::Projection;
use crate::scene::{Look, Scene, SrgbTables, projection, terrain_at};
use crate::tiles::TileImages;
use emberwalk_map::Layers;

/// The most pixels at zoom 1, in each direction, that become one where a picture is painted image by image. A cell is
/// about three pixels wide then.
const MAX_PAINTED: u32 = 16;

/// The greatest distance between samples in pixels at zoom 1. With the classic tiles there is one for each cell.
const SAMPLE_DISTANCE: u32 = 26;

/// Returns a part of the picture of a map as [`paint_part`] does, or as [`paint_from_afar`] does if each of its pixels
/// stands for a whole cell or more.
///
/// Time is proportional to the part at zoom 1; a part that is painted takes about ten times as long as one that is not.
///
/// # Panics
/// `part.parts` is not a power of two.
pub fn paint_reduced(map: &Layers, scene: &Scene, images: &TileImages, look: Look, part: PicturePart) -> RgbaImage {
    assert!(part.parts.is_power_of_two(), "{} is not a power of two", part.parts);
    if part.parts <= MAX_PAINTED {
        paint_part(map, scene, images, look, part)
    } else {
        paint_from_afar(map, scene, images, look, part, part.parts.div_ceil(SAMPLE_DISTANCE))
    }
}

/// Returns a part of the picture of a map, made of the mean colours of the terrain at `samples` x `samples` points in
/// each of its pixels.
///
/// Time is proportional to the number of samples on the map, and no more memory is needed than for the picture.
pub fn paint_from_afar(
    map: &Layers,
    scene: &Scene,
    images: &TileImages,
    look: Look,
    part: PicturePart,
    samples: u32,
) -> RgbaImage {
    let (tables, projection) = (SrgbTables::get(), projection(map));
    let side = f64::from(part.parts);
    let step = side / f64::from(samples);
    let mut last = None;
    RgbaImage::from_fn(part.size.0, part.size.1, |x, y| {
        let left = f64::from(part.corner.0) + f64::from(x) * side;
        let top = f64::from(part.corner.1) + f64::from(y) * side;
        if !may_show_map(projection, (left, top), side) {
            return Rgba([0; 4]);
        }
        let (mut sum, mut count) = ([0.0; 3], 0_u32);
        for (j, i) in (0..samples).flat_map(|j| (0..samples).map(move |i| (j, i))) {
            let point = (left + (f64::from(i) + 0.5) * step, top + (f64::from(j) + 0.5) * step);
            let Some(seen) = terrain_at(map, point) else { continue };
            let light = match last {
                Some((known, light)) if known == seen => light,
                _ => scene.light_from_afar(images, map, look, seen),
            };
            last = Some((seen, light));
            (0..3).for_each(|k| sum[k] += light[k]);
            count += 1;
        }
        if count == 0 {
            return Rgba([0; 4]);
        }
        let [red, green, blue] = sum.map(|sum: f32| tables.encode(sum / count as f32));
        Rgba([red, green, blue, (count * 255).div_ceil(samples * samples) as u8])
    })
}

/// Whether something of the map may be seen in a square of its picture.
fn may_show_map(projection: Projection, (left, top): (f64, f64), side: f64) -> bool {
    // Terrain is drawn above its place at level 0.
    let (right, bottom) = (left + side, top + side + f64::from(projection.headroom()));
    let is_within = |low: f64, high: f64, cells: u32| low < f64::from(cells) - 0.5 && high > -0.5;
    let (west, _) = projection.position_at((left, bottom));
    let (east, _) = projection.position_at((right, top));
    let (_, north) = projection.position_at((left, top));
    let (_, south) = projection.position_at((right, bottom));
    is_within(west, east, projection.size().width) && is_within(north, south, projection.size().height)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use emberwalk_generate::{MapKind, MapSpec, generate};
    use emberwalk_map::terrain::Tileset;
    use emberwalk_map::{CellEdit, Map};
    use emberwalk_path::grid::Size;

    /// Returns how far the colours of two pictures differ on average, where both are opaque: of all channels the
    /// largest difference between the means, and the mean difference of a pixel.
    fn difference(first: &RgbaImage, second: &RgbaImage) -> (f64, f64) {
        let both = first.pixels().zip(second.pixels()).filter(|(a, b)| a.0[3] == 255 && b.0[3] == 255);
        let (mut bias, mut each, mut count) = ([0.0_f64; 3], 0.0, 0.0);
        for (a, b) in both {
            for (bias, (a, b)) in bias.iter_mut().zip(a.0.into_iter().zip(b.0)) {
                let difference = f64::from(b) - f64::from(a);
                *bias += difference;
                each += difference.abs() / 3.0;
            }
            count += 1.0;
        }
        assert!(count > 200.0, "{count} pixels");
        (bias.map(f64::abs).into_iter().fold(0.0, f64::max) / count, each / count)
    }

    #[test]
    fn a_map_from_afar_looks_like_its_picture_reduced() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = TileImages::load(&tileset, None).unwrap();
        let scene = Scene::new(&tileset, &images);
        for (kind, look) in
            [(MapKind::Valley, Look::Full), (MapKind::Highlands, Look::Full), (MapKind::City, Look::Plain)]
        {
            let hills = if kind == MapKind::Highlands { 7 } else { 0 };
            let spec = MapSpec { kind, size: Size::new(96, 80), seed: 5, hills, name: None };
            let text = generate(&spec, &mut |_| {}).unwrap();
            let map = Map::parse("map.ron", &text, &tileset).unwrap();
            let (width, height) = projection(&map).picture_size();
            let painted = |parts: u32| {
                let size = (width.div_ceil(parts), height.div_ceil(parts));
                let part = PicturePart { corner: (0, 0), size, parts };
                (part, paint_part(&map, &scene, &images, look, part))
            };
            for (parts, tolerance) in [(32, 12.0), (64, 10.0)] {
                let (part, painted) = painted(parts);
                let (bias, each) = difference(&painted, &paint_reduced(&map, &scene, &images, look, part));
                assert!(bias < 4.0 && each < tolerance, "{kind:?} at 1/{parts}: {bias}, {each}");
                let (_, rough) = difference(&painted, &paint_from_afar(&map, &scene, &images, look, part, 1));
                assert!(rough < 3.0 * tolerance, "{kind:?} at 1/{parts}, roughly: {rough}");
            }
            // The tolerance is so small that one notices what is missing.
            let bare: Vec<_> = map.size().cells().map(|cell| CellEdit::overlay(cell, None)).collect();
            let mut without = map.clone();
            without.apply(&bare).unwrap();
            let (part, painted) = painted(64);
            let (bias, each) = difference(&painted, &paint_reduced(&without, &scene, &images, look, part));
            assert!(bias > 4.0 || each > 10.0, "{kind:?} without overlays: {bias}, {each}");
        }
    }

    #[test]
    fn nothing_is_left_out_at_the_edges_of_a_map() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = TileImages::load(&tileset, None).unwrap();
        let scene = Scene::new(&tileset, &images);
        let rows = |cell: &str, width: usize, height: usize| vec![cell.repeat(width); height];
        for (width, height, level) in [(1, 200, "0"), (200, 1, "9"), (40, 30, "9"), (3, 3, "0")] {
            let text = format!(
                "(name: \"a\", base: {:?}, overlay: {:?}, heights: {:?})",
                rows("G", width, height),
                rows(".", width, height),
                rows(level, width, height)
            );
            let map = Map::parse("a.ron", &text, &tileset).unwrap();
            let (picture_width, picture_height) = projection(&map).picture_size();
            let all = |parts: u32| {
                let size = (picture_width.div_ceil(parts), picture_height.div_ceil(parts));
                PicturePart { corner: (0, 0), size, parts }
            };
            let seen = |part: PicturePart, samples: u32| -> f64 {
                let picture = paint_from_afar(&map, &scene, &images, Look::Plain, part, samples);
                let shown: f64 = picture.pixels().map(|pixel| f64::from(pixel.0[3]) / 255.0).sum();
                shown * f64::from(part.parts * part.parts)
            };
            // The area of everything that is seen, in pixels, does not depend on the size of the picture.
            let (fine, coarse) = (seen(all(2), 1), seen(all(64), 32));
            assert!((fine / coarse - 1.0).abs() < 0.02, "{width} x {height} at level {level}: {fine}, {coarse}");
        }
    }
}
