//! Random numbers that are the same on every machine and in every version of the program.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use rayon::prelude::*;

use super::parallel;
use emberwalk_path::grid::{Cell, Grid, Size};

/// A seeded random generator for one purpose.
///
/// Generators for different purposes are independent, so that changing how one of them is used does not affect the
/// others.
///
/// The random words come from ChaCha with 8 rounds, which is specified bit by bit. Everything else, such as numbers in
/// a range, is computed here instead of by the `rand` crate, because every seed must give the same map forever and
/// `rand` may change how it draws ranges.
pub(super) struct SeededRandom(ChaCha8Rng);

impl SeededRandom {
    /// Creates the generator for a seed and a purpose.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (at, byte) in purpose.bytes().enumerate() {
            key[8 + at % 24] ^= byte;
        }
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number from 0 up to but not including `end`. If `end` is 0, returns 0 and draws no word.
    ///
    /// This is Canon's method with at most two words: the range is multiplied by a word, which gives an integer part
    /// (the high half of the product) and a fraction (the low half). If the fraction is so large that another word
    /// could carry into the integer part, that word is drawn too. The bias is below 2^-32. `rand` 0.10 uses the same
    /// method.
    pub fn below(&mut self, end: u32) -> u32 {
        if end == 0 {
            return 0;
        }
        let (number, fraction) = self.scaled_word(end);
        if fraction <= end.wrapping_neg() {
            return number;
        }
        let (carry, _) = self.scaled_word(end);
        number + u32::from(fraction.checked_add(carry).is_none())
    }

    /// Any number.
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// The high and the low half of the product of `range` and the next word.
    fn scaled_word(&mut self, range: u32) -> (u32, u32) {
        let product = u64::from(self.word()) * u64::from(range);
        ((product >> 32) as u32, product as u32)
    }

    /// A number from `low` to `high`, both included; `low` if `high` is less.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1).max(1) as u32) as i32
    }

    /// True with a probability of `percent` in 100.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of `items`.
    ///
    /// # Panics
    /// `items` is empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }

    /// Any cell of a map of this size.
    pub fn cell(&mut self, size: Size) -> Cell {
        Cell::new(self.below(size.width) as i32, self.below(size.height) as i32)
    }

    /// Shuffles `items` (Fisher and Yates, from the last item down).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// A number for each cell, such as its height.
pub(super) struct ScalarField(pub Grid<i16>);

impl ScalarField {
    /// Creates the field with the values that `value` returns.
    pub fn new(size: Size, value: impl Fn(Cell) -> i16 + Sync) -> Self {
        Self(parallel::grid(size, value))
    }

    /// The value that exceeds the values of `thousandths` out of a thousand cells.
    pub fn quantile(&self, thousandths: u32) -> i16 {
        let counts = self.histogram(|_| true);
        quantile(&counts, thousandths)
    }

    /// Divides the cells for which `keep` is true by their values into `parts` with about equal numbers of cells.
    /// Returns the lowest value of each part except the first.
    pub fn divide(&self, parts: u32, keep: impl Fn(Cell) -> bool + Sync) -> Vec<i16> {
        let counts = self.histogram(keep);
        (1..parts).map(|part| quantile(&counts, 1000 * part / parts)).collect()
    }

    /// Counts how often each value occurs, from the lowest possible value up.
    fn histogram(&self, keep: impl Fn(Cell) -> bool + Sync) -> Vec<u32> {
        let width = self.0.size().width as usize;
        let zeros = || vec![0_u32; 1 << 16];
        let count = |mut counts: Vec<u32>, y: i32| {
            let row = &self.0.values()[y as usize * width..][..width];
            for (&value, _) in row.iter().zip(0..).filter(|&(_, x)| keep(Cell::new(x, y))) {
                counts[usize::from(value.abs_diff(i16::MIN))] += 1;
            }
            counts
        };
        let add = |mut sums: Vec<u32>, counts: Vec<u32>| {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            sums
        };
        parallel::rows(self.0.size()).fold(zeros, count).reduce(zeros, add)
    }
}

fn quantile(histogram: &[u32], thousandths: u32) -> i16 {
    let cells: u64 = histogram.iter().map(|&count| u64::from(count)).sum();
    let wanted = cells * u64::from(thousandths) / 1000;
    let mut sum = 0;
    let reached = histogram.iter().position(|&count| {
        sum += u64::from(count);
        sum > wanted
    });
    reached.map_or(i16::MAX, |at| i16::MIN.wrapping_add_unsigned(at as u16))
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    /// Range ends; some need a second word for every other number.
    const ENDS: [u32; 8] = [1, 2, 3, 100, 1000, (1 << 31) + 1, 3 << 30, u32::MAX];

    #[test]
    fn numbers_are_the_same_on_every_machine() {
        let mut random = SeededRandom::new(42, "test");
        let numbers: Vec<_> = (0..4).map(|_| random.below(1000)).collect();
        assert_eq!(numbers, [416, 60, 241, 190]);
    }

    #[test]
    fn ranges_are_the_same_for_ever() {
        let mut random = SeededRandom::new(7, "ranges");
        let drawn = [ENDS; 2].map(|ends| ends.map(|end| random.below(end)));
        let pinned = [
            [0, 0, 2, 37, 55, 1_798_196_666, 2_469_319_293, 3_370_377_619],
            [0, 1, 0, 92, 542, 980_513_139, 2_455_438_028, 2_539_391_026],
        ];
        assert_eq!(drawn, pinned);
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
        assert_eq!((random.below(0), random.between(5, 4)), (0, 5));
        random.shuffle(&mut order);
        assert_eq!(order, [1, 2, 3, 6, 7, 4, 0, 5]);
        assert_eq!((random.between(-7, 7), random.pick(&order), random.percent(50)), (2, 4, true));
    }

    /// Fails if the `rand` crate changes how it draws ranges. Then this test can be removed: nothing else depends on
    /// it.
    #[test]
    fn ranges_are_those_of_the_rand_crate() {
        for seed in 0..50 {
            let mut random = SeededRandom::new(seed, "ranges");
            let mut other = SeededRandom::new(seed, "ranges");
            for end in ENDS.into_iter().cycle().take(400) {
                assert_eq!(random.below(end), other.0.random_range(0..end), "seed {seed}, end {end}");
            }
        }
    }

    #[test]
    fn a_quantile_divides_the_cells() {
        let field = ScalarField::new(Size::new(100, 10), |cell| (cell.x - 50) as i16);
        for thousandths in [0, 10, 250, 999] {
            let quantile = field.quantile(thousandths);
            let below = field.0.values().iter().filter(|&&value| value < quantile).count();
            assert_eq!(below as u32, thousandths / 10 * 10, "{thousandths}");
        }
    }
}
