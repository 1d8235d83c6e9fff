//! Hashes that are the same on every machine.

use crate::grid::Cell;

/// A cell as one number.
pub(super) fn number_of(cell: Cell) -> u64 {
    (cell.y as u64) << 32 | u64::from(cell.x as u32)
}

/// A hash of several numbers.
pub(super) fn hash_of(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let mut hash = Mixer::new(0);
    numbers.into_iter().for_each(|number| hash.add(number));
    hash.hash()
}

/// Mixes numbers into a hash, each with a multiplication.
pub(super) struct Mixer(u64);

impl Mixer {
    pub(super) const fn new(start: u64) -> Self {
        Self(start)
    }

    pub(super) const fn hash(self) -> u64 {
        self.0
    }

    #[inline]
    pub(super) fn add(&mut self, number: u64) {
        // The golden ratio, as in Fibonacci hashing.
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 32;
    }

    /// Adds several numbers as one: their sum, each times a factor of its own. That is quick, as no product depends on
    /// another one.
    #[inline]
    pub(super) fn add_all<const N: usize>(&mut self, numbers: [u64; N]) {
        let factors = (1..).map(|k: u64| k.wrapping_mul(0xD6E8_FEB8_6659_FD93) | 1);
        let products = numbers.into_iter().zip(factors).map(|(number, factor)| {
            let product = number.wrapping_mul(factor);
            product ^ product >> 32
        });
        self.add(products.fold(0, u64::wrapping_add));
    }
}
