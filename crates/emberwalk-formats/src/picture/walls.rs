//! Tells the walls of a picture from its floor.

use image::{Rgb, RgbImage};

use super::Transparency;

/// Which pixels of a picture are walls.
///
/// ```
/// use emberwalk_formats::picture::PictureWalls;
/// use image::Rgb;
/// let [black, grey, white] = [Rgb([0; 3]), Rgb([100; 3]), Rgb([255; 3])];
/// let walls = PictureWalls::default();
/// assert_eq!([black, grey, white].map(|pixel| walls.is_wall(pixel)), [true, false, false]);
/// let dark = PictureWalls { threshold: 100, ..walls };
/// assert_eq!([black, grey, white].map(|pixel| dark.is_wall(pixel)), [true, true, false]);
/// let light = PictureWalls { inverted: true, ..walls };
/// assert_eq!([black, grey, white].map(|pixel| light.is_wall(pixel)), [false, false, true]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureWalls {
    /// The highest red of a wall, 0 to 254.
    pub threshold: u8,
    /// Whether the picture counts as inverted, so that light pixels are walls: those with a red of at least
    /// `255 - threshold`.
    pub inverted: bool,
}

impl PictureWalls {
    /// Whether a pixel is a wall.
    pub fn is_wall(self, pixel: Rgb<u8>) -> bool {
        self.tone(pixel) <= self.threshold
    }

    /// How a transparent picture is drawn: what is transparent is no wall.
    pub fn transparency(self) -> Transparency {
        if self.inverted { Transparency::OnBlack } else { Transparency::OnWhite }
    }

    /// The number of pixels of each tone, from 0, the tone of walls, to 255.
    pub(super) fn tones(self, picture: &RgbImage) -> [u32; 256] {
        let mut tones = [0; 256];
        picture.pixels().for_each(|&pixel| tones[usize::from(self.tone(pixel))] += 1);
        tones
    }

    /// The red that has this tone.
    pub(super) fn red(self, tone: u8) -> u8 {
        if self.inverted { u8::MAX - tone } else { tone }
    }

    fn tone(self, Rgb([red, ..]): Rgb<u8>) -> u8 {
        self.red(red)
    }
}
