//! What of the whole state is compared: hashes that tell where two states differ.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A hash of numbered items, in any order. If one item differs between two states, it tells which one.
///
/// ```
/// use emberwalk::recording::Digest;
/// let mut one = Digest::default();
/// (0..9).for_each(|number| one.add(number, 1000 + number));
/// let mut other = one;
/// other.remove(7, 1007);
/// other.add(7, 5);
/// assert_eq!(one.differing(other), Some(7));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest(u64, u64);

/// The state at one time, as numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateHash {
    /// The cells that were painted, by their index in the map.
    pub map: Digest,
    /// The player's traveller, unless it is one of a crowd.
    pub traveller: u64,
    /// Where all agents of a town are, by their index.
    pub people: Digest,
    /// Everything else about the town: errands, orders, random numbers.
    pub town: u64,
}

impl Digest {
    /// Adds an item.
    pub fn add(&mut self, number: u64, item: u64) {
        let hash = mixed([number, item]);
        self.0 = self.0.wrapping_add(hash);
        self.1 = self.1.wrapping_add(hash.wrapping_mul(number));
    }

    /// Removes an item that was added.
    pub fn remove(&mut self, number: u64, item: u64) {
        let hash = mixed([number, item]);
        self.0 = self.0.wrapping_sub(hash);
        self.1 = self.1.wrapping_sub(hash.wrapping_mul(number));
    }

    /// The number of the only item that differs; `None` if there are several.
    pub fn differing(self, other: Self) -> Option<u64> {
        let (sum, weighted) = (self.0.wrapping_sub(other.0), self.1.wrapping_sub(other.1));
        // Odd numbers have inverses: an even sum is divided as far as that is possible.
        let shift = sum.trailing_zeros();
        if sum == 0 || weighted.trailing_zeros() < shift {
            return None;
        }
        let inverse = inverse_of(sum >> shift);
        let number = (weighted >> shift).wrapping_mul(inverse);
        // With an even sum, the upper bits of the number are not known; they are 0.
        let number = if shift == 0 { number } else { number & (u64::MAX >> shift) };
        (number < 1 << 32 && sum.wrapping_mul(number) == weighted).then_some(number)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.0, self.1)
    }
}

/// A hash of some numbers.
pub fn mixed(numbers: impl IntoIterator<Item = u64>) -> u64 {
    // The finalizer of SplitMix64.
    numbers.into_iter().fold(0x9e37_79b9_7f4a_7c15, |hash: u64, number| {
        let mut mixed = (hash ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    })
}

/// The number by which an odd number has to be multiplied for 1, by Newton's method.
fn inverse_of(odd: u64) -> u64 {
    (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))))
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
            assert_eq!(one.differing(other), Some(number));
            assert_eq!(one.differing(one), None);
            let next = (number + 1) % 50;
            other.remove(next, items[next as usize]);
            other.add(next, random.u64(..));
            assert_eq!(one.differing(other), None);
        }
    }
}
