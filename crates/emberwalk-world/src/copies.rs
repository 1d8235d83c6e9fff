//! Copies of a world at several times of its recording. Their number and their memory are limited, so they are farther
//! apart in long recordings and for towns with thousands of people.

use emberwalk_path::time::CrowdTime;

use crate::playhead::Playhead;

/// The maximum number of copies. When there are more, every second one is dropped.
const MAX_COPIES: usize = 512;

/// The maximum counted memory of the copies. With 215 people on a small map, they really took twice as much.
const MAX_BYTES: usize = if cfg!(target_arch = "wasm32") { 64 << 20 } else { 256 << 20 };

/// The time between copies at first, in seconds.
const FIRST_SPACING: u32 = 2;

/// Copies of a world, by time.
#[derive(Debug)]
pub(crate) struct Copies {
    copies: Vec<Kept>,
    spacing: CrowdTime,
}

#[derive(Debug)]
struct Kept {
    head: Playhead,
    /// About how much memory it takes in addition to the previous copy.
    bytes: usize,
}

impl Default for Copies {
    fn default() -> Self {
        Self { copies: Vec::new(), spacing: CrowdTime::from_whole_seconds(FIRST_SPACING) }
    }
}

impl Copies {
    /// The last copy before or at a time.
    pub fn before(&self, time: CrowdTime) -> Option<&Playhead> {
        let after = self.copies.partition_point(|copy| copy.head.world.now() <= time);
        Some(&self.copies[after.checked_sub(1)?].head)
    }

    /// Keeps a copy of a world that has advanced, if the last copy is long ago.
    pub fn keep(&mut self, head: &Playhead) {
        let last = self.copies.last().map(|copy| &copy.head.world);
        if last.is_some_and(|last| head.world.now() < last.now() + self.spacing) {
            return;
        }
        let bytes = last.map_or(0, |last| head.world.bytes_beside(last));
        self.copies.push(Kept { head: head.clone(), bytes });
        while self.copies.len() > MAX_COPIES || self.bytes() > MAX_BYTES {
            let mut number = 0;
            self.copies.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing = self.spacing + self.spacing;
            // The memory that they shared with dropped copies.
            for at in 1..self.copies.len() {
                self.copies[at].bytes = self.copies[at].head.world.bytes_beside(&self.copies[at - 1].head.world);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.copies.iter().map(|copy| copy.bytes).sum()
    }
}
