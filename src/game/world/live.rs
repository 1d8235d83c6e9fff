//! The running world and its history, which can be saved and replayed at any time.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use emberwalk_map::Map;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::{MAX_DURATION, Recording, Timeline};

use super::crash_file::keep;

/// The history of earlier maps is kept for at least this long.
const KEPT: CrowdTime = CrowdTime::from_whole_seconds(600);

/// The world on the open map with its timeline, and the history of earlier maps.
pub(in crate::game) struct Live {
    pub timeline: Timeline,
    /// A number that is unique to each recording.
    pub number: u64,
    earlier: Vec<Earlier>,
    /// The file to which all this is written if the program panics.
    pub(super) crash_file: Option<PathBuf>,
}

fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The history of a map that was open before.
struct Earlier {
    number: u64,
    recording: Arc<Recording>,
    duration: CrowdTime,
}

impl Live {
    /// Begins on a drawn map.
    pub(super) fn on(map: Map) -> Self {
        Self::of(Timeline::on(map))
    }

    /// Continues with a timeline.
    pub(super) fn of(timeline: Timeline) -> Self {
        Self { timeline, number: next_number(), earlier: Vec::new(), crash_file: None }
    }

    /// Continues after another map, and forgets maps that were left long ago. The history before a played recording is
    /// not kept, nor the history of maps with another tileset, as one recording has one tileset.
    pub(super) fn follow(&mut self, before: &mut Self) {
        self.crash_file = before.crash_file.take();
        let is_other_tileset = !before.timeline.recording().has_tileset(self.timeline.world().map().tileset());
        if before.timeline.is_replay() || is_other_tileset {
            return;
        }
        self.earlier = std::mem::take(&mut before.earlier);
        let (recording, duration) = (before.timeline.recording().clone(), before.timeline.end());
        self.earlier.push(Earlier { number: before.number, recording, duration });
        let mut since = CrowdTime::ZERO;
        let is_old = |earlier: &Earlier| {
            let was = since;
            since = since + earlier.duration;
            was >= KEPT || since > MAX_DURATION
        };
        let kept = self.earlier.iter().rposition(is_old).map_or(0, |old| old + 1);
        self.earlier.drain(..kept);
    }

    /// Gives it another number: its recording begins again.
    pub(super) fn renumber(&mut self) {
        self.number = next_number();
    }

    /// The recordings from this number on, or only the last one, with their numbers.
    pub fn since(&self, number: u64) -> impl Iterator<Item = (u64, &Recording)> {
        let known = self.earlier.iter().position(|earlier| earlier.number == number).unwrap_or(self.earlier.len());
        let earlier = self.earlier[known..].iter().map(|earlier| (earlier.number, &*earlier.recording));
        earlier.chain(std::iter::once((self.number, &**self.timeline.recording())))
    }

    /// The history, or the played recording.
    pub fn recording(&self) -> Recording {
        let mut parts = self.earlier.iter().map(|earlier| (&earlier.recording, earlier.duration));
        let last = self.timeline.recording();
        let Some((first, duration)) = parts.next() else { return (**last).clone() };
        let mut end = duration;
        let mut all = (**first).clone();
        for (recording, duration) in parts {
            all = all.followed_by(end, recording);
            end = end + duration;
        }
        all.followed_by(end, last)
    }
}

/// The world is dropped while the program panics.
impl Drop for Live {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(file) = &self.crash_file
        {
            keep(file, &self.recording());
        }
    }
}
