//! Plays a recording, forwards and backwards.

use std::sync::Arc;

use emberwalk_map::terrain::Tileset;
use emberwalk_path::crowd::CrowdTime;

use super::check::Difference;
use super::world::{OrderError, World};
use super::{Entry, Recording};

/// How many copies of the world are kept at most. When there are more, every second one is dropped.
const MAX_SNAPSHOTS: usize = 128;

/// How much memory the copies take at most, about.
const MAX_BYTES: usize = 512 << 20;

/// The time between copies at first, in seconds.
const FIRST_SPACING: u32 = 2;

/// A recording that is being played. Copies of the world are kept on the way, so that going back is as fast as going on.
/// There are at most 128 of them, of at most about 512 MB together, so they are farther apart in long recordings.
#[derive(Debug)]
pub struct Replay {
    recording: Recording,
    world: World,
    /// The entry that comes next.
    next: usize,
    /// By time; never empty.
    snapshots: Vec<Snapshot>,
    spacing: CrowdTime,
    difference: Option<Difference>,
}

/// A copy of the world.
#[derive(Debug)]
struct Snapshot {
    world: World,
    /// The entry that comes next.
    next: usize,
    /// About how much memory it takes.
    bytes: usize,
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
        let snapshots = vec![Snapshot { world: world.clone(), next: 1, bytes: 0 }];
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
        let last = self.snapshots.partition_point(|snapshot| snapshot.world.now() <= time).saturating_sub(1);
        let Snapshot { world, next, .. } = &self.snapshots[last];
        if time < self.world.now() || world.now() > self.world.now() {
            (self.world, self.next) = (world.clone(), *next);
        }
        while let Some(&(at, _)) = self.recording.entries.get(self.next).filter(|(at, _)| *at <= time) {
            self.advance_to(at);
            let difference = self.world.play(&self.recording.entries[self.next].1);
            self.next += 1;
            if self.difference.is_none() {
                self.difference = difference;
            }
            self.keep();
        }
        self.advance_to(time);
    }

    /// Lets time pass, at most up to the next entry.
    fn advance_to(&mut self, time: CrowdTime) {
        while self.world.now() + self.spacing < time {
            self.world.advance_to(self.world.now() + self.spacing);
            self.keep();
        }
        self.world.advance_to(time);
    }

    /// Keeps a copy of the world from time to time.
    fn keep(&mut self) {
        let Some(last) = self.snapshots.last().map(|snapshot| &snapshot.world) else { return };
        if self.world.now() < last.now() + self.spacing {
            return;
        }
        let bytes = self.world.bytes_beside(last);
        self.snapshots.push(Snapshot { world: self.world.clone(), next: self.next, bytes });
        while self.snapshots.len() > MAX_SNAPSHOTS || self.bytes() > MAX_BYTES {
            let mut number = 0;
            self.snapshots.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing = self.spacing + self.spacing;
        }
    }

    fn bytes(&self) -> usize {
        self.snapshots.iter().map(|snapshot| snapshot.bytes).sum()
    }
}
