//! Hashes that are the same on every machine: to compare the states of two games, and to find out what differs.
//!
//! `Crowd::state_hash` of `emberwalk-crowd` is the hash of a crowd. A game hashes in the same way what else it has.

use std::fmt;
use std::str::FromStr;

use crate::grid::Cell;

/// A hash of numbered items, in any order. If one item differs between two states, it tells which one.
///
/// ```
/// use emberwalk_path::hash::Digest;
/// let mut one = Digest::default();
/// (0..9).for_each(|number| one.add(number, 1000 + number));
/// let mut other = one;
/// other.remove(7, 1007);
/// other.add(7, 5);
/// assert_eq!(one.differing(other, 9), Some(7));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Digest(u64, u64);

impl Digest {
    /// Adds an item.
    pub fn add(&mut self, number: u64, item: u64) {
        self.add_hash(number, hash_of_item(number, item));
    }

    /// Adds an item by a hash of it, which depends on its number.
    pub fn add_hash(&mut self, number: u64, hash: u64) {
        self.0 = self.0.wrapping_add(hash);
        self.1 = self.1.wrapping_add(hash.wrapping_mul(number));
    }

    /// The digest as one number, which is enough to find out whether anything differs.
    pub fn hash(self) -> u64 {
        mixed([self.0, self.1])
    }

    /// Removes an item that was added.
    pub fn remove(&mut self, number: u64, item: u64) {
        let hash = hash_of_item(number, item);
        self.0 = self.0.wrapping_sub(hash);
        self.1 = self.1.wrapping_sub(hash.wrapping_mul(number));
    }

    /// The number of the only item that differs, where all numbers are below `end`; `None` if there are several. It can name
    /// a wrong one of several: with a chance of `end` in 2^64.
    pub fn differing(self, other: Self, end: u64) -> Option<u64> {
        let (sum, weighted) = (self.0.wrapping_sub(other.0), self.1.wrapping_sub(other.1));
        // Odd numbers have inverses: an even sum is divided as far as that is possible.
        let shift = sum.trailing_zeros();
        if sum == 0 || weighted.trailing_zeros() < shift {
            return None;
        }
        // With an even sum, the upper bits of the number are not known; they are 0.
        let number = (weighted >> shift).wrapping_mul(inverse_of(sum >> shift)) & (u64::MAX >> shift);
        (number < end && sum.wrapping_mul(number) == weighted).then_some(number)
    }
}

/// Two hexadecimal numbers, such as `3f:1a`; `0` if nothing was added.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(0, 0) => f.write_str("0"),
            Self(sum, weighted) => write!(f, "{sum:x}:{weighted:x}"),
        }
    }
}

/// A text is no digest of numbered items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this has two hexadecimal numbers, such as `3f:1a`, or is `0`")]
pub struct NoDigest;

impl FromStr for Digest {
    type Err = NoDigest;

    fn from_str(text: &str) -> Result<Self, NoDigest> {
        let hexadecimal = |text| u64::from_str_radix(text, 16).map_err(|_| NoDigest);
        match text.split_once(':') {
            Some((sum, weighted)) => Ok(Self(hexadecimal(sum)?, hexadecimal(weighted)?)),
            None if text == "0" => Ok(Self::default()),
            None => Err(NoDigest),
        }
    }
}

/// A hash of a numbered item, which costs two products: a digest has thousands of them.
fn hash_of_item(number: u64, item: u64) -> u64 {
    let product = (item ^ number.rotate_left(32) ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let product = (product ^ product >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
    product ^ product >> 31
}

/// The number by which an odd number has to be multiplied for 1, by Newton's method.
fn inverse_of(odd: u64) -> u64 {
    (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

/// A cell as one number.
pub fn number_of(cell: Cell) -> u64 {
    (cell.y as u64) << 32 | u64::from(cell.x as u32)
}

/// A hash of some numbers in their order. Each bit of them changes half of its bits.
///
/// ```
/// use emberwalk_path::hash::mixed;
/// assert_ne!(mixed([1, 2]), mixed([2, 1]));
/// ```
pub fn mixed(numbers: impl IntoIterator<Item = u64>) -> u64 {
    // The finalizer of SplitMix64.
    numbers.into_iter().fold(0x9e37_79b9_7f4a_7c15, |hash: u64, number| {
        let mut mixed = (hash ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    })
}

/// A hash of several numbers, as a [`Mixer`] computes it.
pub fn hash_of(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let mut hash = Mixer::new(0);
    numbers.into_iter().for_each(|number| hash.add(number));
    hash.hash()
}

/// Mixes numbers into a hash, each with a multiplication: faster than [`mixed`], but weaker.
///
/// ```
/// use emberwalk_path::hash::Mixer;
/// let mut hash = Mixer::new(0);
/// hash.add(7);
/// hash.add_all([1, 2, 3]);
/// assert_ne!(hash.hash(), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mixer(u64);

impl Mixer {
    /// A hash of nothing but this number.
    pub const fn new(start: u64) -> Self {
        Self(start)
    }

    /// The hash of all numbers so far.
    pub const fn hash(self) -> u64 {
        self.0
    }

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, number: u64) {
        // The golden ratio, as in Fibonacci hashing.
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 32;
    }

    /// Adds several numbers as one: their sum, each times a factor of its own. That is quick, as no product depends on
    /// another one.
    #[inline]
    pub fn add_all<const N: usize>(&mut self, numbers: [u64; N]) {
        let factors = (1..).map(|k: u64| k.wrapping_mul(0xD6E8_FEB8_6659_FD93) | 1);
        let products = numbers.into_iter().zip(factors).map(|(number, factor)| {
            let product = number.wrapping_mul(factor);
            product ^ product >> 32
        });
        self.add(products.fold(0, u64::wrapping_add));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_difference_is_found_and_several_are_not_invented() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..2_000 {
            let items: Vec<_> = (0..50).map(|_| random.u64(..)).collect();
            let mut one = Digest::default();
            items.iter().zip(0..).for_each(|(&item, number)| one.add(number, item));
            let mut other = one;
            let number = random.u64(..50);
            other.remove(number, items[number as usize]);
            other.add(number, random.u64(..));
            assert_eq!(one.differing(other, 1 << 32), Some(number));
            assert_eq!(one.differing(one, 1 << 32), None);
            let next = (number + 1) % 50;
            other.remove(next, items[next as usize]);
            other.add(next, random.u64(..));
            assert_eq!(one.differing(other, 1 << 32), None);
        }
    }
}
