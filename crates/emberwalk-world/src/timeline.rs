//! The running world and its recording, which can be replayed forwards and back. Orders are given at its end.

use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use emberwalk_crowd::CrowdEvent;
use emberwalk_map::clock::Instant;
use emberwalk_map::terrain::Tileset;
use emberwalk_map::threads::lock;
use emberwalk_map::{CellEdit, Map, MapContent};
use emberwalk_path::time::CrowdTime;

use crate::copies::Copies;
use crate::difference::Difference;
use crate::order::{MapSource, Order};
use crate::playhead::Playhead;
use crate::recording::{BETWEEN_HASHES, Entry, Recording};
use crate::seconds::MAX_DURATION;
use crate::town::Town;
use crate::world::{OrderError, World};

/// The number of entries for which room is reserved at the beginning.
const ROOM: usize = 1024;

/// A world with its recording. While its end is now, orders can be pushed, and the passing time is recorded. It can
/// also go back: then its end is later than now, and the recording cannot change until its later part is [cut
/// off](Self::truncate).
///
/// Copies of the world are kept for several times of the recording, so that going back is as fast as going forwards.
///
/// ```
/// # use std::sync::Arc;
/// # use emberwalk_map::{Map, terrain::Tileset};
/// # use emberwalk_path::time::CrowdTime;
/// use emberwalk_world::{MapSource, Order, Timeline};
/// let tileset = Arc::new(Tileset::load(None)?);
/// let map = Map::open("figures/road".as_ref(), &tileset)?;
/// let mut timeline = Timeline::new(Order::Open(MapSource::of(&map)), &tileset)?;
/// let travel = || Order::Travel { number: 5, seed: 1, start: map.start(), groups: Vec::new(), hour: None };
/// timeline.push(travel())?;
/// timeline.advance(CrowdTime::from_whole_seconds(3));
/// timeline.go_to(CrowdTime::SECOND);
/// assert!(timeline.push(travel()).is_err(), "this has happened already");
/// timeline.truncate();
/// assert!(timeline.push(travel()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Timeline {
    recording: Arc<Recording>,
    shown: Playhead,
    /// The end; `None` if it is now.
    end: Option<CrowdTime>,
    between_hashes: CrowdTime,
    /// When the last hash was recorded.
    hashed: CrowdTime,
    /// Whether events are recorded.
    records: bool,
    played: Arc<Mutex<Played>>,
}

/// Plays a recording to its end, in the background, so that its [`Timeline`] reaches every time quickly.
#[derive(Debug)]
pub struct PlayAhead {
    recording: Arc<Recording>,
    head: Playhead,
    played: Arc<Mutex<Played>>,
}

/// The results for the part of a recording that was played.
#[derive(Debug, Default)]
struct Played {
    copies: Copies,
    /// The end of this part.
    end: CrowdTime,
    difference: Option<Arc<Difference>>,
}

impl Timeline {
    /// Begins with the first order, which opens a map. The end is now.
    ///
    /// # Errors
    /// An [`OrderError`] if the order is another one, or its map is not valid with the tileset.
    pub fn new(first: Order, tileset: &Arc<Tileset>) -> Result<Self, OrderError> {
        Ok(Self::begun(World::new(&first, tileset)?, first))
    }

    /// Begins on a map in its current state. The end is now.
    pub fn on(map: Map) -> Self {
        let first = Order::Open(MapSource::of(&map));
        Self::begun(World::on(map), first)
    }

    fn begun(world: World, first: Order) -> Self {
        let mut recording = Recording::new(world.map().tileset());
        // So that recording does not allocate all the time.
        recording.entries.reserve(ROOM);
        recording.entries.push((CrowdTime::ZERO, Entry::Order(first)));
        Self::recorded(recording.into(), Playhead { world, next: 1 })
    }

    /// Continues a recording. The end is now.
    fn recorded(recording: Arc<Recording>, shown: Playhead) -> Self {
        Self {
            recording,
            shown,
            end: None,
            between_hashes: BETWEEN_HASHES,
            hashed: CrowdTime::ZERO,
            records: true,
            // Copies are kept once it goes back. Before that, they would waste memory.
            played: Arc::default(),
        }
    }

    /// A copy of the current world, without agents and without recording.
    pub fn draft(&self) -> Self {
        let world = self.world().clone().without_anybody();
        let recording = Recording::new(world.map().tileset());
        Self { records: false, ..Self::recorded(recording.into(), Playhead { world, next: 0 }) }
    }

    /// Begins to play a recording. The end is where the recording ends.
    ///
    /// # Errors
    /// An [`OrderError`] if its first order does not open a map that is valid with the tileset.
    pub fn of(recording: impl Into<Arc<Recording>>, tileset: &Arc<Tileset>) -> Result<Self, OrderError> {
        let recording = recording.into();
        let shown = Playhead::new(&recording, tileset)?;
        let timeline = Self { end: Some(recording.duration()), ..Self::recorded(recording, shown) };
        lock(&timeline.played).copies.keep(&timeline.shown);
        Ok(timeline)
    }

    /// The work that plays the recording ahead. The timeline shares its results.
    pub fn play_ahead(&self) -> PlayAhead {
        let first = lock(&self.played).copies.before(CrowdTime::ZERO).cloned();
        let head = first.unwrap_or_else(|| self.shown.clone());
        PlayAhead { recording: self.recording.clone(), head, played: self.played.clone() }
    }

    /// The current world.
    pub fn world(&self) -> &World {
        &self.shown.world
    }

    /// The map with which the played recording begins.
    pub fn first_map(&self) -> MapContent {
        let played = lock(&self.played);
        played.copies.before(CrowdTime::ZERO).unwrap_or(&self.shown).world.map().content().clone()
    }

    /// The recording.
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// The end: the time of the last recorded moment.
    pub fn end(&self) -> CrowdTime {
        self.end.unwrap_or(self.world().now())
    }

    /// The time up to which the recording was played. Up to there, [`go_to`](Self::go_to) takes little time.
    pub fn played(&self) -> CrowdTime {
        lock(&self.played).end
    }

    /// The first known difference from the recording.
    pub fn difference(&self) -> Option<Arc<Difference>> {
        lock(&self.played).difference.clone()
    }

    /// Records a hash after each such duration from now on, by default each second. The minimum is 1/65,536 s.
    pub fn record_hashes_every(&mut self, duration: CrowdTime) {
        self.between_hashes = duration.max(CrowdTime::from_seconds(1.0 / 65536.0));
    }

    /// Whether it plays a recording: no order can be given until the rest is [cut off](Self::truncate), even at its
    /// end.
    pub fn is_replay(&self) -> bool {
        self.end.is_some()
    }

    /// Gives an order now, and records it. Returns the edits that undo its changes of the map; none if it opens another
    /// map.
    ///
    /// # Errors
    /// [`OrderError::Recorded`] if the end is not now, or another [`OrderError`] if the order is not possible. Then nothing has
    /// changed.
    pub fn push(&mut self, order: Order) -> Result<Vec<CellEdit>, OrderError> {
        self.check_end()?;
        let undo = self.shown.world.apply(&order)?;
        self.record(Entry::Order(order));
        Ok(undo)
    }

    /// Opens another map, or another version of it, as drawn: [`Order::Open`] without computing its costs again.
    ///
    /// # Errors
    /// [`OrderError::Recorded`] if the end is not now.
    pub fn open(&mut self, map: Map) -> Result<(), OrderError> {
        self.check_end()?;
        self.record(Entry::Order(Order::Open(MapSource::of(&map))));
        self.shown.world.open(map);
        Ok(())
    }

    /// Replaces the town by a town that this [`Order::Travel`] made on the current map, or by none.
    ///
    /// # Errors
    /// [`OrderError::Recorded`] if the end is not now.
    pub fn settle(&mut self, order: Order, town: Option<Town>) -> Result<(), OrderError> {
        self.check_end()?;
        let start = if let Order::Travel { start, .. } = order { start } else { None };
        self.shown.world.settle(town, start);
        self.record(Entry::Order(order));
        Ok(())
    }

    /// Gives the map another name and description, on which nothing depends, and which are not recorded.
    ///
    /// # Errors
    /// [`OrderError::Recorded`] if the end is not now.
    pub fn rename(&mut self, name: String, about: Option<String>) -> Result<(), OrderError> {
        self.check_end()?;
        self.shown.world.rename(name, about);
        Ok(())
    }

    /// The events in the town since they were last taken, if it keeps them.
    pub fn take_events(&mut self) -> Vec<CrowdEvent> {
        self.shown.world.take_events()
    }

    fn check_end(&self) -> Result<(), OrderError> {
        if self.is_replay() { Err(OrderError::Recorded) } else { Ok(()) }
    }

    /// Lets time pass. If the end is now, it moves on, and hashes are recorded; otherwise the recording is played, at
    /// most to the end. Nothing is recorded after [`MAX_DURATION`].
    pub fn advance(&mut self, duration: CrowdTime) {
        let time = self.world().now() + duration;
        if self.end.is_some() {
            self.go_to(time);
            return;
        }
        self.records &= time <= MAX_DURATION;
        while self.records && self.hashed + self.between_hashes <= time {
            self.hashed = self.hashed + self.between_hashes;
            self.shown.world.advance_to(self.hashed);
            self.record(Entry::Hash(self.world().hash()));
        }
        self.shown.world.advance_to(time);
    }

    fn record(&mut self, entry: Entry) {
        if !self.records {
            return;
        }
        let time = self.world().now();
        Arc::make_mut(&mut self.recording).entries.push((time, entry));
        self.shown.next = self.recording.entries.len();
    }

    /// Goes to a time, forwards or back, at most to the end. Returns how much time was simulated: at most the time
    /// since the last copy of the world before it.
    pub fn go_to(&mut self, time: CrowdTime) -> CrowdTime {
        self.go_while(time, || true)
    }

    /// The same, but stops on the way when this time has passed. It always makes some progress.
    pub fn go_towards(&mut self, time: CrowdTime, patience: Duration) {
        let begun = Instant::now();
        self.go_while(time, || begun.elapsed() < patience);
    }

    fn go_while(&mut self, time: CrowdTime, has_time: impl Fn() -> bool) -> CrowdTime {
        let now = self.world().now();
        let time = time.min(self.end());
        if time < now {
            self.end = Some(self.end());
        }
        let mut played = lock(&self.played);
        match played.copies.before(time) {
            Some(before) if time < now || before.world.now() > now => self.shown = before.clone(),
            None if time < now => {
                // It was valid before.
                let Ok(first) = Playhead::new(&self.recording, self.world().map().tileset()) else {
                    return CrowdTime::ZERO;
                };
                played.copies.keep(&first);
                self.shown = first;
            }
            _ => {}
        }
        drop(played);
        let begin = self.world().now();
        while self.shown.is_before(&self.recording, time) {
            let difference = self.shown.step(&self.recording, time);
            lock(&self.played).note(&self.shown, difference);
            // All entries of one time belong together.
            if !self.shown.is_before(&self.recording, self.shown.world.now()) && !has_time() {
                break;
            }
        }
        self.world().now() - begin
    }

    /// Cuts off the recording after now, so that orders can be pushed. If the world differs from the recording until
    /// now, the recorded hashes are forgotten.
    pub fn truncate(&mut self) {
        let now = self.world().now();
        let is_true = self.difference().is_none_or(|difference| difference.time > now);
        let mut entries = self.recording.entries[..self.shown.next].to_vec();
        entries.retain(|(_, entry)| is_true || !matches!(entry, Entry::Map(_) | Entry::Hash(_)));
        self.shown.next = entries.len();
        self.recording = Arc::new(Recording { entries, ..Recording::new(self.world().map().tileset()) });
        (self.end, self.hashed, self.played) = (None, now, Arc::default());
    }
}

impl PlayAhead {
    /// Plays a little more of it; ready at its end.
    pub fn step(&mut self) -> Poll<()> {
        let end = self.recording.duration();
        if !self.head.is_before(&self.recording, end) {
            return Poll::Ready(());
        }
        let difference = self.head.step(&self.recording, end);
        lock(&self.played).note(&self.head, difference);
        Poll::Pending
    }
}

impl Played {
    /// Notes the progress of a world that plays ahead.
    fn note(&mut self, head: &Playhead, difference: Option<Difference>) {
        self.end = self.end.max(head.world.now());
        if self.difference.is_none() {
            self.difference = difference.map(Arc::new);
        }
        self.copies.keep(head);
    }
}
