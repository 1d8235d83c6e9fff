//! Overviews: pictures of large parts of a map, painted from the mean colours of its terrain.

use image::{GrayImage, Luma, Rgba, RgbaImage};

use super::PicturePart;
use crate::light::is_lit_at;
use crate::scene::{Scene, SrgbTables, TerrainPart, terrain_at};
use emberwalk_map::{Hour, Layers};
use emberwalk_path::grid::Cell;

/// Paints a part of a map's picture. Each pixel is the mean light of the terrain at `samples` x `samples` points in it.
/// Time is proportional to the number of samples.
pub fn paint_overview(map: &Layers, scene: &Scene, part: PicturePart, samples: u32) -> RgbaImage {
    RgbaImage::from_fn(part.size.0, part.size.1, |x, y| {
        let mut sum = [0.0; 3];
        let mut count = 0_u32;
        for (cell, part) in terrain_in_pixel(map, part, (x, y), samples) {
            let light = scene.mean_light(map, cell, part);
            (0..3).for_each(|k| sum[k] += light[k]);
            count += 1;
        }
        let [red, green, blue] = sum.map(|sum: f32| SrgbTables::get().encode(sum / count.max(1) as f32));
        Rgba([red, green, blue, (count * 255).div_ceil(samples * samples) as u8])
    })
}

/// Paints how brightly lamps shine in a part of a map's picture at an hour: in each pixel, the mean of the cells at
/// `samples` x `samples` points in it.
pub(super) fn lamps(map: &Layers, scene: &Scene, part: PicturePart, samples: u32, hour: Hour) -> GrayImage {
    GrayImage::from_fn(part.size.0, part.size.1, |x, y| {
        let cells = terrain_in_pixel(map, part, (x, y), samples).filter(|(_, part)| *part == TerrainPart::Ground);
        let sum: f32 = cells.map(|(cell, _)| lamps_of(map, scene, cell, hour)).sum();
        Luma([(sum * 255.0 / (samples * samples) as f32).round() as u8])
    })
}

/// The share of a cell's area that is as bright as a lamp at an hour.
fn lamps_of(map: &Layers, scene: &Scene, cell: Cell, hour: Hour) -> f32 {
    let lamps = scene.standing(map, cell).first().and_then(|image| scene.lamps(*image));
    lamps.filter(|_| is_lit_at(map, cell, hour)).map_or(0.0, |lamps| scene.mean_coverage(lamps))
}

/// The terrain at `samples` x `samples` points in a pixel of a part; points off the map are left out.
fn terrain_in_pixel(
    map: &Layers,
    PicturePart { corner, downscale, .. }: PicturePart,
    (x, y): (u32, u32),
    samples: u32,
) -> impl Iterator<Item = (Cell, TerrainPart)> {
    let step = f64::from(downscale) / f64::from(samples);
    let along = move |corner: i32, sample: u32| f64::from(corner) + (f64::from(sample) + 0.5) * step;
    (0..samples)
        .flat_map(move |j| (0..samples).map(move |i| (j, i)))
        .filter_map(move |(j, i)| terrain_at(map, (along(corner.0, x * samples + i), along(corner.1, y * samples + j))))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::paint::{paint_averaged, paint_part};
    use crate::scene::{Look, projection};
    use crate::tiles::TileImages;
    use emberwalk_generate::{MapKind, MapSpec, generate};
    use emberwalk_map::terrain::Tileset;
    use emberwalk_map::{CellEdit, Map};
    use emberwalk_path::grid::Size;

    /// The difference between two pictures where both are opaque: the largest difference between the
    /// means of a channel, and the mean difference per pixel.
    fn difference(first: &RgbaImage, second: &RgbaImage) -> (f64, f64) {
        let both = first.pixels().zip(second.pixels()).filter(|(a, b)| a.0[3] == 255 && b.0[3] == 255);
        let mut bias = [0.0_f64; 3];
        let mut each = 0.0;
        let mut count = 0.0;
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
    fn an_overview_looks_like_the_picture_reduced() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = Arc::new(TileImages::load(&tileset, None).unwrap());
        for (kind, look) in
            [(MapKind::Valley, Look::Full), (MapKind::Highlands, Look::Full), (MapKind::City, Look::Plain)]
        {
            let scene = Scene::new(&tileset, images.clone(), look);
            let hills = if kind == MapKind::Highlands { 7 } else { 0 };
            let spec = MapSpec { kind, size: Size::new(96, 80), seed: 5, hills, name: None };
            let text = generate(&spec, &mut |_| {}).unwrap();
            let map = Map::parse("map.ron", &text, &tileset).unwrap();
            let (width, height) = projection(&map).picture_size();
            let painted = |downscale: u32| {
                let size = (width.div_ceil(downscale), height.div_ceil(downscale));
                let part = PicturePart { corner: (0, 0), size, downscale };
                (part, paint_averaged(&map, &scene, part))
            };
            for (downscale, tolerance) in [(32, 12.0), (64, 10.0)] {
                let (part, painted) = painted(downscale);
                let (bias, each) = difference(&painted, &paint_part(&map, &scene, part));
                assert!(bias < 4.0 && each < tolerance, "{kind:?} at 1/{downscale}: {bias}, {each}");
                let (_, rough) = difference(&painted, &paint_overview(&map, &scene, part, 1));
                assert!(rough < 3.0 * tolerance, "{kind:?} at 1/{downscale}, roughly: {rough}");
            }
            // The tolerance is so small that a missing overlay fails the test.
            let bare: Vec<_> = map.size().cells().map(|cell| CellEdit::overlay(cell, None)).collect();
            let mut without = map.clone();
            without.apply(&bare).unwrap();
            let (part, painted) = painted(64);
            let (bias, each) = difference(&painted, &paint_part(&without, &scene, part));
            assert!(bias > 4.0 || each > 10.0, "{kind:?} without overlays: {bias}, {each}");
        }
    }

    #[test]
    fn nothing_is_left_out_at_the_edges_of_a_map() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let scene = Scene::new(&tileset, TileImages::load(&tileset, None).unwrap(), Look::Plain);
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
            let all = |downscale: u32| {
                let size = (picture_width.div_ceil(downscale), picture_height.div_ceil(downscale));
                PicturePart { corner: (0, 0), size, downscale }
            };
            let seen = |part: PicturePart, samples: u32| -> f64 {
                let picture = paint_overview(&map, &scene, part, samples);
                let shown: f64 = picture.pixels().map(|pixel| f64::from(pixel.0[3]) / 255.0).sum();
                shown * f64::from(part.downscale * part.downscale)
            };
            // The visible area does not depend on the size of the picture.
            let fine = seen(all(2), 1);
            let coarse = seen(all(64), 32);
            assert!((fine / coarse - 1.0).abs() < 0.02, "{width} x {height} at level {level}: {fine}, {coarse}");
        }
    }
}
