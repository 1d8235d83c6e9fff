//! Jams as they are saved: without the memory of jams that are over.

use super::{Jam, MAX_JAMS, Phase};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<S: Serializer>(jams: &[Jam; MAX_JAMS], serializer: S) -> Result<S::Ok, S::Error> {
    jams.each_ref().map(|jam| Some(jam).filter(|jam| jam.phase != Phase::Over)).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Jam; MAX_JAMS], D::Error> {
    let jams = <[Option<Jam>; MAX_JAMS]>::deserialize(deserializer)?;
    Ok(jams.map(Option::unwrap_or_default))
}
