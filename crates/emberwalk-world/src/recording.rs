//! Recordings: the orders that changed a world, with their times, from which everything else follows.

use emberwalk_map::terrain::Tileset;
use emberwalk_path::hash::Digest;
use emberwalk_path::time::CrowdTime;

use crate::digest::{StateHash, hash_of_tileset};
use crate::order::{MapSource, Order};
use crate::remark::Remark;

/// The default time between two hashes.
pub(super) const BETWEEN_HASHES: CrowdTime = CrowdTime::SECOND;

/// An entry of a recording.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entry {
    /// An order.
    Order(Order),
    /// The digest of all cells of the map that was just opened, from [`digest_of_map`](crate::digest_of_map).
    Map(#[serde(with = "crate::digest::as_text")] Digest),
    /// The hash of the whole state, after all orders of this time.
    Hash(#[serde(with = "crate::digest::as_text")] StateHash),
    /// A remark in the file, which changes nothing. It is kept when the recording is continued and saved.
    #[serde(skip)]
    Remark(Remark),
}

/// A recording.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The version of the program that made it.
    pub program: String,
    /// The [hash](hash_of_tileset) of the tileset.
    pub tileset: String,
    /// The entries, by time. The first entry that is not a remark opens a map.
    pub entries: Vec<(CrowdTime, Entry)>,
    /// Whether the file was cut off, so that its end is missing.
    pub is_cut_off: bool,
}

impl Recording {
    /// A recording by this program with a tileset, in which nothing has happened.
    pub fn new(tileset: &Tileset) -> Self {
        Self {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            tileset: hash_of_tileset(tileset),
            entries: Vec::new(),
            is_cut_off: false,
        }
    }

    /// The number of its first entry that is not a remark, from 0; `None` if there is none.
    pub fn first_entry(&self) -> Option<usize> {
        self.entries.iter().position(|(_, entry)| !matches!(entry, Entry::Remark(_)))
    }

    /// The map with which it begins.
    pub fn first_map(&self) -> Option<&MapSource> {
        match self.entries.get(self.first_entry()?) {
            Some((_, Entry::Order(Order::Open(map)))) => Some(map),
            _ => None,
        }
    }

    /// Whether it was made with this tileset. A recording written by hand need not name one.
    pub fn has_tileset(&self, tileset: &Tileset) -> bool {
        self.tileset.is_empty() || self.tileset == hash_of_tileset(tileset)
    }

    /// Tells which version of the program made it, if it was another version. A recording written by hand need not name
    /// one.
    pub fn note_of_version(&self) -> Option<String> {
        /// How much of a version is shown. A hostile file may have a very long one.
        const MAX_CHARS: usize = 30;
        let this = env!("CARGO_PKG_VERSION");
        let shown: String = self.program.chars().take(MAX_CHARS).collect();
        let is_other = !self.program.is_empty() && self.program != this;
        is_other.then(|| format!("the recording was made by version {shown}, and this is version {this}"))
    }

    /// The same, followed by a later recording that begins at `time`.
    #[must_use]
    pub fn followed_by(mut self, time: CrowdTime, later: &Self) -> Self {
        self.entries.extend(later.entries.iter().map(|(at, entry)| (time + *at, entry.clone())));
        self
    }

    /// How many hashes it has, of states and of maps.
    pub fn hashes(&self) -> usize {
        self.entries.iter().filter(|(_, entry)| matches!(entry, Entry::Map(_) | Entry::Hash(_))).count()
    }

    /// How many orders it has.
    pub fn orders(&self) -> usize {
        self.entries.iter().filter(|(_, entry)| matches!(entry, Entry::Order(_))).count()
    }

    /// How long it is.
    pub fn duration(&self) -> CrowdTime {
        self.entries.last().map_or(CrowdTime::ZERO, |(time, _)| *time)
    }
}
