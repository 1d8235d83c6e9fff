//! The colours of a GIF.

use std::collections::HashMap;

use color_quant::NeuQuant;

/// The index that stands for a pixel that stays as it is.
pub(super) const UNCHANGED: u8 = 255;

/// The number of colours; one index is [`UNCHANGED`].
const COLOURS: usize = 255;

/// One pixel of this many is learnt from, from 1 (slow) to 30.
const SAMPLE_EVERY: i32 = 3;

/// The colours that are used for all frames.
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    /// The nearest colour for every colour that was asked for.
    nearest: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// Chooses the colours for pictures that consist of these pixels and of a backdrop of one colour.
    pub(super) fn new(pixels: &[[u8; 3]], backdrop: [u8; 3]) -> Self {
        let pixels = pixels.iter().filter(|pixel| **pixel != backdrop);
        let opaque: Vec<u8> = pixels.flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
        let learnt = NeuQuant::new(SAMPLE_EVERY, COLOURS - 1, &opaque).color_map_rgb();
        let colours = learnt.as_chunks::<3>().0.iter().copied().chain([backdrop]).collect();
        Self { colours, nearest: HashMap::new() }
    }

    /// Returns red, green and blue of each colour.
    pub(super) fn bytes(&self) -> &[u8] {
        self.colours.as_flattened()
    }

    /// Returns the index of the colour that looks most like this one.
    pub(super) fn index(&mut self, colour: [u8; 3]) -> u8 {
        let Self { colours, nearest } = self;
        *nearest.entry(colour).or_insert_with(|| {
            let by_distance = (0..).zip(colours.iter()).min_by_key(|(_, other)| distance(colour, **other));
            by_distance.map_or(0, |(index, _)| index)
        })
    }
}

/// Returns how different two colours look: the eye sees green best, and blue worst.
fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let square = |k: usize| u32::from(a[k].abs_diff(b[k])).pow(2);
    3 * square(0) + 6 * square(1) + square(2)
}
