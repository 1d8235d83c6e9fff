//! Makes pixels of the key colour transparent, and gives transparent pixels next to opaque ones a similar colour.
//! Scaling down mixes adjacent pixels, so any other colour would be visible as a fringe.

use image::{Rgba, RgbaImage};

/// Pixels of exactly this colour are transparent.
const COLOUR_KEY: [u8; 3] = [255, 0, 255];

/// How many rings of transparent pixels around the opaque ones take on their colour.
const RINGS: usize = 2;

/// Makes pixels of the key colour transparent. Ring by ring, a transparent pixel next to coloured ones gets their mean
/// colour; all others become black.
pub(super) fn apply_transparency(image: &mut RgbaImage) {
    for pixel in image.pixels_mut() {
        if pixel.0[3] == 0 || pixel.0[..3] == COLOUR_KEY {
            *pixel = Rgba([0; 4]);
        }
    }
    let mut coloured: Vec<bool> = image.pixels().map(|pixel| pixel.0[3] > 0).collect();
    let (width, height) = image.dimensions();
    for _ in 0..RINGS {
        let mut ring = Vec::new();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            if coloured[(y * width + x) as usize] {
                continue;
            }
            let mut sum = [0_u32; 3];
            let mut count = 0;
            for (x, y) in [(x, y.wrapping_sub(1)), (x + 1, y), (x, y + 1), (x.wrapping_sub(1), y)] {
                if x < width && y < height && coloured[(y * width + x) as usize] {
                    let pixel = image.get_pixel(x, y);
                    (0..3).for_each(|c| sum[c] += u32::from(pixel.0[c]));
                    count += 1;
                }
            }
            if count > 0 {
                let [r, g, b] = sum.map(|sum| (sum / count) as u8);
                ring.push((x, y, Rgba([r, g, b, 0])));
            }
        }
        for (x, y, pixel) in ring {
            image.put_pixel(x, y, pixel);
            coloured[(y * width + x) as usize] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The side neighbours of a pixel that are in the image and were coloured by an earlier ring.
    fn coloured_neighbours(rings: &[Vec<Option<usize>>], x: usize, y: usize, ring: usize) -> Vec<(u32, u32)> {
        let near = [(x, y.wrapping_sub(1)), (x + 1, y), (x, y + 1), (x.wrapping_sub(1), y)];
        let is_coloured = |(x, y): &(usize, usize)| {
            rings.get(*y).and_then(|row| *row.get(*x)?).is_some_and(|coloured| coloured < ring)
        };
        near.into_iter().filter(is_coloured).map(|(x, y)| (x as u32, y as u32)).collect()
    }

    #[test]
    fn transparent_pixels_become_the_mean_of_their_coloured_neighbours() {
        let seed = fastrand::u64(..);
        let mut random = fastrand::Rng::with_seed(seed);
        for width in [1, 2, 54, 63, 64, 65, 127, 128, 129, 216] {
            let height = random.u32(1..40);
            let density = random.u32(1..60);
            let drawn = RgbaImage::from_fn(width, height, |_, _| match random.u32(0..density + 2) {
                0 => Rgba([random.u8(..), random.u8(..), random.u8(..), random.u8(1..)]),
                1 => Rgba([255, 0, 255, 255]),
                _ => Rgba([random.u8(..), 7, 7, 0]),
            });
            let mut found = drawn.clone();
            apply_transparency(&mut found);
            // Which ring coloured each pixel; the opaque ones are ring 0.
            let is_opaque = |pixel: &Rgba<u8>| pixel.0[3] > 0 && pixel.0[..3] != COLOUR_KEY;
            let mut rings: Vec<Vec<_>> =
                drawn.rows().map(|row| row.map(|pixel| is_opaque(pixel).then_some(0)).collect()).collect();
            for ring in 1..=RINGS {
                for (x, y) in (0..height as usize).flat_map(|y| (0..width as usize).map(move |x| (x, y))) {
                    let near = coloured_neighbours(&rings, x, y, ring);
                    if rings[y][x].is_none() && !near.is_empty() {
                        rings[y][x] = Some(ring);
                        let mean = |c: usize| {
                            let sum: usize = near.iter().map(|(x, y)| usize::from(found.get_pixel(*x, *y).0[c])).sum();
                            (sum / near.len()) as u8
                        };
                        let expected = [mean(0), mean(1), mean(2), 0];
                        assert_eq!(found.get_pixel(x as u32, y as u32).0, expected, "{x},{y} of {width}, seed {seed}");
                    }
                }
            }
            for (x, y, pixel) in found.enumerate_pixels() {
                match rings[y as usize][x as usize] {
                    Some(0) => assert_eq!(pixel, drawn.get_pixel(x, y), "{x},{y} of {width}, seed {seed}"),
                    Some(_) => {}
                    None => assert_eq!(pixel.0, [0; 4], "{x},{y} of {width}, seed {seed}"),
                }
            }
        }
    }
}
