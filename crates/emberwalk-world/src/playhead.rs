//! A world that follows a recording, step by step.

use std::sync::Arc;

use emberwalk_map::terrain::Tileset;
use emberwalk_path::time::CrowdTime;

use crate::difference::Difference;
use crate::recording::{Entry, Recording};
use crate::world::{OrderError, World};

/// The longest time that passes in one step, in seconds. It takes a few milliseconds with ten thousand people.
const STEP: f64 = 0.25;

/// A world that follows a recording.
#[derive(Clone, Debug)]
pub(super) struct Playhead {
    pub world: World,
    /// The entry that comes next.
    pub next: usize,
}

impl Playhead {
    /// The world after the first order, which opens a map.
    ///
    /// # Errors
    /// An [`OrderError`] if the order is not `Open`, or its map is not valid.
    pub fn new(recording: &Recording, tileset: &Arc<Tileset>) -> Result<Self, OrderError> {
        let number = recording.first_entry().ok_or(OrderError::NoMap)?;
        let (_, Entry::Order(first)) = &recording.entries[number] else { return Err(OrderError::NoMap) };
        Ok(Self { world: World::new(first, tileset)?, next: number + 1 })
    }

    /// Whether something is left to do until this time.
    pub fn is_before(&self, recording: &Recording, time: CrowdTime) -> bool {
        self.world.now() < time || recording.entries.get(self.next).is_some_and(|(at, _)| *at <= time)
    }

    /// Plays the next entry, or lets a little time pass, at most up to this time. Returns the difference from the
    /// recording, if there is one.
    pub fn step(&mut self, recording: &Recording, time: CrowdTime) -> Option<Difference> {
        let stop = time.min(self.world.now() + CrowdTime::from_seconds(STEP));
        match recording.entries.get(self.next).filter(|(at, _)| *at <= stop) {
            Some((at, entry)) => {
                self.world.advance_to(*at);
                self.next += 1;
                self.world.play(self.next - 1, entry)
            }
            None => {
                self.world.advance_to(stop);
                None
            }
        }
    }
}
