//! Smooth noise: the fractal OpenSimplex2 noise of FastNoise Lite.

use emberwalk_path::grid::{Cell, Size};
use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};

use super::random::{ScalarField, SeededRandom};

/// Smooth noise over the map.
///
/// It only adds and multiplies floats, which gives the same results on every machine.
pub(super) struct Noise {
    noise: FastNoiseLite,
    /// The noise is offset because it is 0 at the origin for every seed.
    offset: (f32, f32),
}

impl Noise {
    /// Creates noise with a wavelength of about `wavelength` cells in the first octave.
    pub fn new(random: &mut SeededRandom, wavelength: u32, octaves: u8) -> Self {
        let mut noise = FastNoiseLite::with_seed(random.word() as i32);
        noise.set_noise_type(Some(NoiseType::OpenSimplex2));
        noise.set_fractal_type(Some(FractalType::FBm));
        noise.set_fractal_octaves(Some(octaves.into()));
        noise.set_frequency(Some(1.0 / wavelength.max(1) as f32));
        let mut offset = || random.below(8192) as f32;
        Self { noise, offset: (offset(), offset()) }
    }

    /// The noise at a cell, from -32767 to 32767.
    pub fn at(&self, cell: Cell) -> i16 {
        let (x, y) = (cell.x as f32 + self.offset.0, cell.y as f32 + self.offset.1);
        (self.noise.get_noise_2d(x, y) * 32767.0) as i16
    }

    /// The noise at every cell.
    pub fn field(&self, size: Size) -> ScalarField {
        ScalarField::new(size, |cell| self.at(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_the_same_on_every_machine() {
        let mut random = SeededRandom::new(42, "test");
        (0..4).for_each(|_| _ = random.word());
        let noise = Noise::new(&mut random, 20, 4);
        assert_eq!([(3, 4), (-17, 9), (4095, 4095)].map(|cell| noise.at(cell.into())), [-14919, -733, -20294]);
    }
}
