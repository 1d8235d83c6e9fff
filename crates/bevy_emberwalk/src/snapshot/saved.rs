//! Saving and loading snapshots, for example to send them to another machine.

use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{NavSnapshot, State};
use crate::component::MAX_NUMBER;

/// The number of the form in which snapshots are saved.
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Saved<S> {
    /// Read first, so that a snapshot in another form is refused before anything else of it is read.
    #[serde(deserialize_with = "version")]
    version: u32,
    checksum: u64,
    state: S,
}

/// In a format that names its fields, such as JSON, RON or CBOR. See [`NavSnapshot`] for what is not saved.
impl Serialize for NavSnapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Saved { version: VERSION, checksum: self.checksum(), state: &*self.0 }.serialize(serializer)
    }
}

/// Fails if the snapshot was saved in another form, or if it has been changed since.
impl<'de> Deserialize<'de> for NavSnapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { checksum, state, .. } = Saved::<State>::deserialize(deserializer)?;
        let is_possible = state.is_possible();
        let snapshot = Self(Arc::new(state));
        match is_possible && snapshot.checksum() == checksum {
            true => Ok(snapshot),
            false => Err(D::Error::custom("the saved snapshot has been changed")),
        }
    }
}

impl State {
    /// Whether all numbers are possible ones.
    fn is_possible(&self) -> bool {
        let are_ordered = self.agents.is_sorted_by(|one, next| one.number < next.number);
        let are_numbers = self.agents.iter().all(|agent| (1..=MAX_NUMBER).contains(&agent.number));
        let are_maps = self.maps.is_sorted_by(|one, next| one.number < next.number);
        are_ordered && are_numbers && are_maps && self.last_number <= MAX_NUMBER && self.last_map < u32::MAX
    }
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(D::Error::custom(format!("the snapshot was saved in form {other}, not {VERSION}"))),
    }
}
