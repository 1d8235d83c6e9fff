//! The colours of a GIF.

use std::collections::{BTreeMap, HashMap};

use color_quant::NeuQuant;

/// The index of a pixel that does not change.
pub(super) const UNCHANGED: u8 = 255;

/// The number of colours; one index is [`UNCHANGED`].
const COLOURS: usize = 255;

/// The quantiser samples one pixel in this many: from 1 (slow) to 30.
const SAMPLE_EVERY: i32 = 3;

/// Pictures with fewer pixels are sampled several times.
const MIN_PIXELS: usize = 200_000;

/// How often each colour is moved to the mean of the pixels that it represents.
const ROUNDS: usize = 4;

/// One palette for all frames.
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    /// Caches the nearest palette colour of every colour looked up so far.
    nearest: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// Chooses the palette for these pixels on a backdrop of one colour.
    pub(super) fn new(pixels: &[[u8; 3]], backdrop: [u8; 3]) -> Self {
        let mut counts: BTreeMap<[u8; 3], u32> = BTreeMap::new();
        for pixel in pixels.iter().filter(|pixel| **pixel != backdrop) {
            *counts.entry(*pixel).or_default() += 1;
        }
        let mut colours: Vec<[u8; 3]> = counts.keys().copied().collect();
        if colours.len() >= COLOURS {
            let pixels = pixels.iter().filter(|pixel| **pixel != backdrop);
            let opaque: Vec<u8> = pixels.flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
            let opaque = opaque.repeat((4 * MIN_PIXELS).div_ceil(opaque.len()));
            let learnt = NeuQuant::new(SAMPLE_EVERY, COLOURS - 1, &opaque).color_map_rgb();
            colours = learnt.as_chunks::<3>().0.to_vec();
            (0..ROUNDS).for_each(|_| move_to_means(&mut colours, &counts));
        }
        colours.push(backdrop);
        Self { colours, nearest: HashMap::new() }
    }

    /// Red, green and blue of each colour.
    pub(super) fn bytes(&self) -> &[u8] {
        self.colours.as_flattened()
    }

    /// The index of the colour that looks most like this one.
    pub(super) fn index(&mut self, colour: [u8; 3]) -> u8 {
        let Self { colours, nearest } = self;
        *nearest.entry(colour).or_insert_with(|| nearest_of(colours, colour) as u8)
    }
}

/// The index of the colour that looks most like `colour`.
fn nearest_of(colours: &[[u8; 3]], colour: [u8; 3]) -> usize {
    let by_distance = colours.iter().enumerate().min_by_key(|(_, other)| distance(colour, **other));
    by_distance.map_or(0, |(index, _)| index)
}

/// Moves each colour to the mean of the pixels that it is nearest to.
fn move_to_means(colours: &mut [[u8; 3]], counts: &BTreeMap<[u8; 3], u32>) {
    let mut sums = vec![[0_u64; 4]; colours.len()];
    for (pixel, count) in counts {
        let [sum @ .., all] = &mut sums[nearest_of(colours, *pixel)];
        for (sum, code) in sum.iter_mut().zip(pixel) {
            *sum += u64::from(*code) * u64::from(*count);
        }
        *all += u64::from(*count);
    }
    for (colour, [sum @ .., all]) in colours.iter_mut().zip(sums) {
        if all > 0 {
            *colour = sum.map(|sum| ((sum + all / 2) / all) as u8);
        }
    }
}

/// The visible difference between two colours: the eye is most sensitive to green, and least to blue.
fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let square = |k: usize| u32::from(a[k].abs_diff(b[k])).pow(2);
    3 * square(0) + 6 * square(1) + square(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_exact_and_many_are_near() {
        let pixels = |count: u32| (0..count).map(|k| [(k * 7) as u8, (k / 3) as u8, 40]).collect::<Vec<_>>();
        for (count, most) in [(200, 0), (700, 3000)] {
            let pixels = pixels(count);
            let backdrop = [1, 2, 3];
            let mut palette = Palette::new(&pixels, backdrop);
            let mut found = |pixel| {
                let index = palette.index(pixel);
                palette.colours[usize::from(index)]
            };
            for pixel in &pixels {
                assert!(distance(found(*pixel), *pixel) <= most, "{pixel:?} is {:?}", found(*pixel));
            }
            assert_eq!(found(backdrop), backdrop);
            assert!(palette.colours.len() <= COLOURS);
        }
    }
}
