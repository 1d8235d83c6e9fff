//! What of the whole state is compared: hashes that tell where two states differ.

use std::fmt;
use std::str::FromStr;

use emberwalk_map::terrain::Tileset;

/// A hash of numbered items, in any order. If one item differs between two states, it tells which one.
///
/// ```
/// use emberwalk_world::Digest;
/// let mut one = Digest::default();
/// (0..9).for_each(|number| one.add(number, 1000 + number));
/// let mut other = one;
/// other.remove(7, 1007);
/// other.add(7, 5);
/// assert_eq!(one.differing(other), Some(7));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(u64, u64);

/// The state at one time, as numbers. Its text has the four parts in this order, in hexadecimal.
///
/// ```
/// use emberwalk_world::{Digest, StateHash};
/// let hash = StateHash { traveller: 0x2a, town: 7, ..StateHash::default() };
/// assert_eq!(hash.to_string(), "0 2a 0 7");
/// assert_eq!("0 2a 0 7".parse(), Ok(hash));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateHash {
    /// The cells that have changed, by their index in the map.
    pub map: Digest,
    /// Where the player's traveller is, unless it is one of a crowd, its goal, and the rules of steps.
    pub traveller: u64,
    /// Where all agents of a town are, by their index.
    pub people: Digest,
    /// Everything else about the town: errands, orders, random numbers.
    pub town: u64,
}

impl Digest {
    /// Adds an item.
    pub fn add(&mut self, number: u64, item: u64) {
        let hash = hash_of_item(number, item);
        self.0 = self.0.wrapping_add(hash);
        self.1 = self.1.wrapping_add(hash.wrapping_mul(number));
    }

    /// Removes an item that was added.
    pub fn remove(&mut self, number: u64, item: u64) {
        let hash = hash_of_item(number, item);
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

/// Two hexadecimal numbers, such as `3f:1a`; `0` if nothing was added.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(0, 0) => f.write_str("0"),
            Self(sum, weighted) => write!(f, "{sum:x}:{weighted:x}"),
        }
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { map, traveller, people, town } = self;
        write!(f, "{map} {traveller:x} {people} {town:x}")
    }
}

/// A text is no digest of numbered items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this has two hexadecimal numbers, such as `3f:1a`, or is `0`")]
pub struct NoDigest;

/// A text is no hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash has four parts, such as `0 2a 3f:1a 7`: of the map, the traveller, the people and their plans")]
pub struct NoHash;

impl FromStr for Digest {
    type Err = NoDigest;

    fn from_str(text: &str) -> Result<Self, NoDigest> {
        match text.split_once(':') {
            Some((sum, weighted)) => match (hexadecimal(sum), hexadecimal(weighted)) {
                (Ok(sum), Ok(weighted)) => Ok(Self(sum, weighted)),
                _ => Err(NoDigest),
            },
            None if text == "0" => Ok(Self::default()),
            None => Err(NoDigest),
        }
    }
}

impl FromStr for StateHash {
    type Err = NoHash;

    fn from_str(text: &str) -> Result<Self, NoHash> {
        let mut parts = text.split(' ');
        let mut part = || parts.next().ok_or(NoHash);
        let hash = Self {
            map: part()?.parse().map_err(|_| NoHash)?,
            traveller: hexadecimal(part()?)?,
            people: part()?.parse().map_err(|_| NoHash)?,
            town: hexadecimal(part()?)?,
        };
        parts.next().is_none().then_some(hash).ok_or(NoHash)
    }
}

fn hexadecimal(text: &str) -> Result<u64, NoHash> {
    u64::from_str_radix(text, 16).map_err(|_| NoHash)
}

/// Writes a value in a recording as its text.
pub(super) mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The hash of a tileset, by which a recording tells whether it is played with the same one.
pub fn hash_of_tileset(tileset: &Tileset) -> String {
    let bytes = tileset.source().bytes().map(u64::from);
    format!("{:016x}", mixed(bytes))
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
