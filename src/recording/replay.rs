//! Plays a recording, forwards and backwards.

use std::sync::Arc;

use emberwalk_map::terrain::Tileset;
use emberwalk_path::crowd::CrowdTime;

use super::check::{Difference, Part, compare};
use super::world::{OrderError, World};
use super::{Entry, Recording};

/// How many copies of the world are kept at most. When there are more, every second one is dropped.
const MAX_SNAPSHOTS: usize = 128;

/// The time between copies at first, in seconds.
const FIRST_SPACING: u32 = 2;

/// A recording that is being played. Copies of the world are kept on the way, so that going back is as fast as going on.
#[derive(Debug)]
pub struct Replay {
    recording: Recording,
    world: World,
    /// The entry that comes next.
    next: usize,
    /// The world before an entry, by time.
    snapshots: Vec<(World, usize)>,
    spacing: CrowdTime,
    difference: Option<Difference>,
}

impl Replay {
    /// Begins to play a recording.
    ///
    /// # Errors
    /// An [`OrderError`] if its first order does not open a map that is valid with the tileset.
    pub fn new(recording: Recording, tileset: &Arc<Tileset>) -> Result<Self, OrderError> {
        let Some((_, Entry::Order(first))) = recording.entries.first() else { return Err(OrderError::NoMap) };
        let world = World::new(first, tileset)?;
        let spacing = CrowdTime::from_whole_seconds(FIRST_SPACING);
        let snapshots = vec![(world.clone(), 1)];
        Ok(Self { recording, world, next: 1, snapshots, spacing, difference: None })
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// The first difference from the recording that was found so far.
    pub fn difference(&self) -> Option<&Difference> {
        self.difference.as_ref()
    }

    /// Goes to a time, forwards or back, at most to the end. Takes as long as the time from the last copy of the world
    /// before it takes to simulate.
    pub fn go_to(&mut self, time: CrowdTime) {
        let time = time.min(self.recording.duration());
        let last = self.snapshots.partition_point(|(world, _)| world.now() <= time).saturating_sub(1);
        let (world, next) = &self.snapshots[last];
        if time < self.world.now() || world.now() > self.world.now() {
            (self.world, self.next) = (world.clone(), *next);
        }
        while let Some((at, entry)) = self.recording.entries.get(self.next).filter(|(at, _)| *at <= time) {
            self.world.advance_to(*at);
            self.next += 1;
            let difference = match entry {
                Entry::Order(order) => self.world.apply(order).err().map(|error| Difference {
                    time: self.world.now(),
                    part: Part::Order(error),
                    hashes: None,
                }),
                Entry::Hash(recorded) => compare(&self.world, *recorded),
            };
            if self.difference.is_none() {
                self.difference = difference;
            }
            self.keep();
        }
        self.world.advance_to(time);
    }

    /// Keeps a copy of the world from time to time.
    fn keep(&mut self) {
        let Some((last, _)) = self.snapshots.last() else { return };
        if self.world.now() < last.now() + self.spacing {
            return;
        }
        self.snapshots.push((self.world.clone(), self.next));
        if self.snapshots.len() > MAX_SNAPSHOTS {
            let mut number = 0;
            self.snapshots.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing = self.spacing + self.spacing;
        }
    }
}
