//! Plays a recording, forwards and backwards.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use emberwalk_map::MapContent;
use emberwalk_map::clock::Instant;
use emberwalk_map::terrain::Tileset;
use emberwalk_map::threads::lock;
use emberwalk_path::crowd::CrowdTime;

use super::Recording;
use super::check::Difference;
use super::playhead::Playhead;
use super::world::{OrderError, World};

/// How many copies of the world are kept at most. When there are more, every second one is dropped.
const MAX_SNAPSHOTS: usize = 512;

/// How much memory the copies take at most, as it is counted. With 215 people on a small map, they took twice as much.
const MAX_BYTES: usize = if cfg!(target_arch = "wasm32") { 64 << 20 } else { 256 << 20 };

/// The time between copies at first, in seconds.
const FIRST_SPACING: u32 = 2;

/// A recording that is being played. Copies of the world are kept on the way, so that going back is as fast as going on.
/// Their number and their memory are limited, so they are farther apart in long recordings, and of towns with thousands of
/// people.
#[derive(Debug)]
pub struct Replay {
    recording: Arc<Recording>,
    shown: Playhead,
    played: Arc<Mutex<Played>>,
}

/// Plays a recording to its end, in the background, so that its [`Replay`] reaches every time quickly.
#[derive(Debug)]
pub struct PlayAhead {
    recording: Arc<Recording>,
    head: Playhead,
    played: Arc<Mutex<Played>>,
}

/// What is known about the part of a recording that was played.
#[derive(Debug)]
struct Played {
    /// By time; never empty.
    snapshots: Vec<Snapshot>,
    spacing: CrowdTime,
    /// The end of this part.
    end: CrowdTime,
    difference: Option<Arc<Difference>>,
}

/// A copy of the world.
#[derive(Debug)]
struct Snapshot {
    head: Playhead,
    /// About how much memory it takes.
    bytes: usize,
}

impl Replay {
    /// Begins to play a recording.
    ///
    /// # Errors
    /// An [`OrderError`] if its first order does not open a map that is valid with the tileset.
    pub fn new(recording: impl Into<Arc<Recording>>, tileset: &Arc<Tileset>) -> Result<Self, OrderError> {
        let recording = recording.into();
        let shown = Playhead::new(&recording, tileset)?;
        let played = Played {
            snapshots: vec![Snapshot { head: shown.clone(), bytes: 0 }],
            spacing: CrowdTime::from_whole_seconds(FIRST_SPACING),
            end: CrowdTime::ZERO,
            difference: None,
        };
        Ok(Self { recording, shown, played: Arc::new(Mutex::new(played)) })
    }

    /// The work that plays the recording ahead. The replay shares what it learns.
    pub fn play_ahead(&self) -> PlayAhead {
        let head = lock(&self.played).before(CrowdTime::ZERO).clone();
        PlayAhead { recording: self.recording.clone(), head, played: self.played.clone() }
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.shown.world
    }

    /// The map with which it begins.
    pub fn first_map(&self) -> MapContent {
        lock(&self.played).before(CrowdTime::ZERO).world.map().content().clone()
    }

    /// The recording.
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// Up to which time the recording was played. Until there, [`go_to`](Self::go_to) takes little time.
    pub fn played(&self) -> CrowdTime {
        lock(&self.played).end
    }

    /// The first difference from the recording that was found so far.
    pub fn difference(&self) -> Option<Arc<Difference>> {
        lock(&self.played).difference.clone()
    }

    /// Goes to a time, forwards or back, at most to the end. Returns the time that was simulated for that: it is no longer
    /// than the time since the last copy of the world before it.
    pub fn go_to(&mut self, time: CrowdTime) -> CrowdTime {
        self.go_while(time, || true)
    }

    /// The same, but stops on the way when this time has passed. It always gets a little further.
    pub fn go_towards(&mut self, time: CrowdTime, patience: Duration) {
        let begun = Instant::now();
        self.go_while(time, || begun.elapsed() < patience);
    }

    fn go_while(&mut self, time: CrowdTime, has_time: impl Fn() -> bool) -> CrowdTime {
        let time = time.min(self.recording.duration());
        let now = self.shown.world.now();
        let played = lock(&self.played);
        let before = played.before(time);
        if time < now || before.world.now() > now {
            self.shown = before.clone();
        }
        drop(played);
        let begin = self.shown.world.now();
        while self.shown.is_before(&self.recording, time) {
            let difference = self.shown.step(&self.recording, time);
            lock(&self.played).note(&self.shown, difference);
            // All that happens at one time belongs together.
            if !self.shown.is_before(&self.recording, self.shown.world.now()) && !has_time() {
                break;
            }
        }
        self.shown.world.now() - begin
    }
}

impl PlayAhead {
    /// Plays a little more of it; `Continue` at its end.
    pub fn step(&mut self) -> ControlFlow<()> {
        let end = self.recording.duration();
        if !self.head.is_before(&self.recording, end) {
            return ControlFlow::Continue(());
        }
        let difference = self.head.step(&self.recording, end);
        lock(&self.played).note(&self.head, difference);
        ControlFlow::Break(())
    }
}

impl Played {
    /// The last copy of the world before or at a time.
    fn before(&self, time: CrowdTime) -> &Playhead {
        let after = self.snapshots.partition_point(|snapshot| snapshot.head.world.now() <= time);
        &self.snapshots[after.saturating_sub(1)].head
    }

    /// Learns from a world that has gone on, and keeps a copy of it from time to time.
    fn note(&mut self, head: &Playhead, difference: Option<Difference>) {
        let now = head.world.now();
        self.end = self.end.max(now);
        if self.difference.is_none() {
            self.difference = difference.map(Arc::new);
        }
        let last = &self.snapshots[self.snapshots.len() - 1].head.world;
        if now < last.now() + self.spacing {
            return;
        }
        let bytes = head.world.bytes_beside(last);
        self.snapshots.push(Snapshot { head: head.clone(), bytes });
        while self.snapshots.len() > MAX_SNAPSHOTS || self.bytes() > MAX_BYTES {
            let mut number = 0;
            self.snapshots.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing = self.spacing + self.spacing;
            // What they shared with those that are gone.
            for at in 1..self.snapshots.len() {
                let bytes = self.snapshots[at].head.world.bytes_beside(&self.snapshots[at - 1].head.world);
                self.snapshots[at].bytes = bytes;
            }
        }
    }

    fn bytes(&self) -> usize {
        self.snapshots.iter().map(|snapshot| snapshot.bytes).sum()
    }
}
