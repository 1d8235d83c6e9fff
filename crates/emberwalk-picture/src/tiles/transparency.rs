//! Makes pixels of the key colour transparent, and gives the transparent pixels next to opaque ones a colour like
//! theirs. Scaling down mixes adjacent pixels, so any other colour would be visible as a fringe.

use image::{Rgba, RgbaImage};

/// Pixels of exactly this colour are transparent.
const COLOUR_KEY: [u8; 3] = [255, 0, 255];

/// How many rings of transparent pixels around the opaque ones take on their colour.
const RINGS: usize = 2;

/// Makes pixels of the key colour transparent. A transparent pixel next to coloured ones becomes their mean, ring by
/// ring; all others become black.
pub(super) fn apply_transparency(image: &mut RgbaImage) {
    for pixel in image.pixels_mut() {
        if pixel.0[3] == 0 || pixel.0[..3] == COLOUR_KEY {
            *pixel = Rgba([0; 4]);
        }
    }
    let mut coloured = PixelSet::opaque(image);
    for _ in 0..RINGS {
        let ring = coloured.border();
        for (x, y) in ring.pixels() {
            let (mut sum, mut count) = ([0_u32; 3], 0);
            for (x, y) in [(x, y.wrapping_sub(1)), (x + 1, y), (x, y + 1), (x.wrapping_sub(1), y)] {
                if coloured.contains(x, y) {
                    let pixel = image.get_pixel(x, y);
                    (0..3).for_each(|c| sum[c] += u32::from(pixel.0[c]));
                    count += 1;
                }
            }
            let [r, g, b] = sum.map(|sum| (sum / count) as u8);
            image.put_pixel(x, y, Rgba([r, g, b, 0]));
        }
        coloured.insert_all(&ring);
    }
}

/// Pixels of an image, in words of 64 pixels of a row. Most pixels are far from the border of what is drawn, and in
/// words they are skipped together.
struct PixelSet {
    width: u32,
    words_per_row: usize,
    words: Vec<u64>,
}

impl PixelSet {
    /// Returns the pixels that are not transparent.
    fn opaque(image: &RgbaImage) -> Self {
        let word = |pixels: &[u8]| {
            let bits = pixels.chunks_exact(4).enumerate().map(|(k, pixel)| u64::from(pixel[3] > 0) << k);
            bits.fold(0, |word, bit| word | bit)
        };
        let width = image.width();
        let rows = image.as_raw().chunks_exact(4 * width.max(1) as usize);
        let words = rows.flat_map(|row| row.chunks(4 * 64).map(word)).collect();
        Self { width, words_per_row: width.div_ceil(64) as usize, words }
    }

    /// Returns the pixels that are not in the set but have a neighbour above, below, left or right in it.
    fn border(&self) -> Self {
        let word = |k: usize| self.words.get(k).copied().unwrap_or(0);
        let border = |(k, &own): (usize, &u64)| {
            let column = k % self.words_per_row;
            let left = if column > 0 { word(k - 1) >> 63 } else { 0 };
            let right = if column + 1 < self.words_per_row { word(k + 1) << 63 } else { 0 };
            let above = k.checked_sub(self.words_per_row).map_or(0, word);
            let below = word(k + self.words_per_row);
            let in_image = u64::MAX >> 64_u32.saturating_sub(self.width - 64 * column as u32);
            (own << 1 | left | own >> 1 | right | above | below) & !own & in_image
        };
        let words = self.words.iter().enumerate().map(border).collect();
        Self { words, ..*self }
    }

    fn contains(&self, x: u32, y: u32) -> bool {
        let word = || self.words.get(y as usize * self.words_per_row + x as usize / 64);
        x < self.width && word().is_some_and(|word| word >> (x % 64) & 1 == 1)
    }

    fn pixels(&self) -> impl Iterator<Item = (u32, u32)> {
        self.words.iter().enumerate().flat_map(|(k, &word)| {
            let (x, y) = (64 * (k % self.words_per_row) as u32, (k / self.words_per_row) as u32);
            // Removes the lowest bit at each step.
            let rests = std::iter::successors(Some(word), |rest| Some(rest & rest.checked_sub(1)?));
            rests.take_while(|rest| *rest > 0).map(move |rest| (x + rest.trailing_zeros(), y))
        })
    }

    fn insert_all(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the four neighbours of a pixel that are in the image and that a ring has coloured before this one.
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
