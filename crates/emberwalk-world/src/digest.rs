//! Hashes of the whole state, which tell where two states differ.

use std::fmt;
use std::str::FromStr;

use emberwalk_map::terrain::Tileset;
use emberwalk_path::hash::{Digest, mixed};

/// The state at one time, as numbers. Its text has the parts in this order, in hexadecimal.
///
/// ```
/// use emberwalk_world::StateHash;
/// let hash = StateHash { traveller: 0x2a, town: 7, day: 0x1f, ..StateHash::default() };
/// assert_eq!(hash.to_string(), "0 2a 0 7 1f");
/// assert_eq!("0 2a 0 7 1f".parse(), Ok(hash));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateHash {
    /// The cells that have changed, by their index in the map.
    pub map: Digest,
    /// The place and the goal of the player's traveller, and the rules of steps.
    pub traveller: u64,
    /// The places of all agents of a town, by their index.
    pub people: Digest,
    /// Everything else about the town: errands, orders, random numbers.
    pub town: u64,
    /// The hour, the speed of days, which terrain is shut, and when an eruption is announced.
    pub day: u64,
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { map, traveller, people, town, day } = self;
        write!(f, "{map} {traveller:x} {people} {town:x} {day:x}")
    }
}

/// A text is no hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a hash has five parts, such as `0 2a 3f:1a 7 1f`: of the map, the traveller, the people, their plans and the hour"
)]
pub struct NoHash;

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
            day: hexadecimal(part()?)?,
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

/// The hash of a tileset, by which a recording tells whether it is played with the same tileset.
pub fn hash_of_tileset(tileset: &Tileset) -> String {
    let bytes = tileset.source().bytes().map(u64::from);
    format!("{:016x}", mixed(bytes))
}
