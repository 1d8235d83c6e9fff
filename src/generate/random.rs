//! SeededRandom and noise that are the same on every machine.

use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

use crate::grid::{Cell, Grid, Size};

/// SeededRandom for one purpose: the numbers of different purposes have nothing in common, so that a change of one leaves the
/// others as they are.
///
/// The generator is ChaCha with 8 rounds, its ranges are of `u32`: both give the same numbers everywhere.
pub(super) struct SeededRandom(ChaCha8Rng);

impl SeededRandom {
    /// The numbers of a seed for the purpose of that name.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (at, byte) in purpose.bytes().enumerate() {
            key[8 + at % 24] ^= byte;
        }
        Self(ChaCha8Rng::from_seed(key))
    }

    /// From 0 up to but not including `end`; 0 if that is 0.
    pub fn below(&mut self, end: u32) -> u32 {
        if end == 0 { 0 } else { self.0.random_range(0..end) }
    }

    /// From `low` to `high`, both included; `low` if `high` is less.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1).max(1) as u32) as i32
    }

    /// Whether something happens that happens in so many of a hundred cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of `these`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, these: &[T]) -> T {
        these[self.below(these.len() as u32) as usize]
    }

    /// A cell of a map of that size.
    pub fn cell(&mut self, size: Size) -> Cell {
        Cell::new(self.below(size.width) as i32, self.below(size.height) as i32)
    }

    /// Puts `these` into another order.
    pub fn shuffle<T>(&mut self, these: &mut [T]) {
        for last in (1..these.len()).rev() {
            these.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// Slow noise over the map.
///
/// It adds and multiplies floats and does nothing else with them, so that it is the same everywhere.
pub(super) struct Noise {
    noise: FastNoiseLite,
    shift: (f32, f32),
}

impl Noise {
    /// Noise whose largest waves are about `wave` cells long.
    pub fn new(random: &mut SeededRandom, wave: u32, octaves: u8) -> Self {
        let mut noise = FastNoiseLite::with_seed(random.0.next_u32() as i32);
        noise.set_noise_type(Some(NoiseType::OpenSimplex2));
        noise.set_fractal_type(Some(FractalType::FBm));
        noise.set_fractal_octaves(Some(i32::from(octaves)));
        noise.set_frequency(Some(1.0 / wave.max(1) as f32));
        // At its origin this noise is 0 whatever the seed.
        let mut shift = || random.below(8192) as f32;
        Self { noise, shift: (shift(), shift()) }
    }

    /// From -32767 to 32767.
    pub fn at(&self, cell: Cell) -> i16 {
        let value = self.noise.get_noise_2d(cell.x as f32 + self.shift.0, cell.y as f32 + self.shift.1);
        (value * 32767.0) as i16
    }
}

/// A number for each cell, of which a share of the cells can be told from the rest.
pub(super) struct ScalarField(pub Grid<i16>);

impl ScalarField {
    /// The numbers that `height` gives.
    pub fn new(size: Size, height: impl FnMut(Cell) -> i16) -> Self {
        Self(Grid::from_fn(size, height))
    }

    /// The height that so many of a thousand cells do not reach.
    pub fn quantile(&self, thousandths: u32) -> i16 {
        let mut counts = vec![0_u32; 1 << 16];
        for &height in self.0.values() {
            counts[usize::from(height.abs_diff(i16::MIN))] += 1;
        }
        let wanted = self.0.values().len() as u64 * u64::from(thousandths) / 1000;
        let mut sum = 0;
        let reached = counts.iter().position(|&count| {
            sum += u64::from(count);
            sum > wanted
        });
        reached.map_or(i16::MAX, |at| i16::MIN.wrapping_add_unsigned(at as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_the_same_on_every_machine() {
        let mut random = SeededRandom::new(42, "test");
        let numbers: Vec<_> = (0..4).map(|_| random.below(1000)).collect();
        assert_eq!(numbers, [416, 60, 241, 190]);
        let noise = Noise::new(&mut random, 20, 4);
        assert_eq!([(3, 4), (-17, 9), (4095, 4095)].map(|cell| noise.at(cell.into())), [-14919, -733, -20294]);
    }

    #[test]
    fn a_level_parts_the_cells() {
        let relief = ScalarField::new(Size::new(100, 10), |cell| (cell.x - 50) as i16);
        for thousandths in [0, 10, 250, 999] {
            let level = relief.quantile(thousandths);
            let below = relief.0.values().iter().filter(|&&height| height < level).count();
            assert_eq!(below as u32, thousandths / 10 * 10, "{thousandths}");
        }
    }
}
