//! A world with its recording: it goes on at its end, which orders are given to, and both ways before.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
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

/// For how many entries there is room from the beginning.
const ROOM: usize = 1024;

/// A world with its recording. While its end is now, orders can be pushed, and time that passes is recorded. It can go back,
/// too: then its end is later than now, and nothing can change what was recorded, until that is [cut off](Self::truncate).
///
/// Copies of the world are kept on the way through what was recorded, so that going back is as fast as going on.
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
    /// Whether what happens is recorded.
    records: bool,
    played: Arc<Mutex<Played>>,
    tileset: Arc<Tileset>,
}

/// Plays a recording to its end, in the background, so that its [`Timeline`] reaches every time quickly.
#[derive(Debug)]
pub struct PlayAhead {
    recording: Arc<Recording>,
    head: Playhead,
    played: Arc<Mutex<Played>>,
}

/// What is known about the part of a recording that was played.
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

    /// Begins on a map as it is. The end is now.
    pub fn on(map: Map) -> Self {
        let first = Order::Open(MapSource::of(&map));
        Self::begun(World::on(map), first)
    }

    fn begun(world: World, first: Order) -> Self {
        let tileset = world.map().tileset().clone();
        let mut recording = Recording::new(&tileset);
        // So that what happens does not ask for memory all the time.
        recording.entries.reserve(ROOM);
        recording.entries.push((CrowdTime::ZERO, Entry::Order(first)));
        Self {
            recording: recording.into(),
            shown: Playhead { world, next: 1 },
            end: None,
            between_hashes: BETWEEN_HASHES,
            hashed: CrowdTime::ZERO,
            records: true,
            // Copies are kept once it goes back. Before that, they would take memory for nothing.
            played: Arc::default(),
            tileset,
        }
    }

    /// A copy of the world as it is now, without anybody, in which nothing is recorded.
    pub fn draft(&self) -> Self {
        let world = self.world().clone().without_anybody();
        let shown = Playhead { world, next: 0 };
        let (played, tileset) = (Arc::default(), self.tileset.clone());
        Self { recording: Recording::new(&tileset).into(), shown, end: None, records: false, played, tileset, ..*self }
    }

    /// Begins to play a recording. The end is where the recording ends.
    ///
    /// # Errors
    /// An [`OrderError`] if its first order does not open a map that is valid with the tileset.
    pub fn of(recording: impl Into<Arc<Recording>>, tileset: &Arc<Tileset>) -> Result<Self, OrderError> {
        let recording = recording.into();
        let shown = Playhead::new(&recording, tileset)?;
        let mut played = Played::default();
        played.copies.keep(&shown);
        Ok(Self {
            end: Some(recording.duration()),
            recording,
            shown,
            between_hashes: BETWEEN_HASHES,
            hashed: CrowdTime::ZERO,
            records: true,
            played: Arc::new(Mutex::new(played)),
            tileset: tileset.clone(),
        })
    }

    /// The work that plays the recording ahead. The timeline shares what it learns.
    pub fn play_ahead(&self) -> PlayAhead {
        let first = lock(&self.played).copies.before(CrowdTime::ZERO).cloned();
        let head = first.unwrap_or_else(|| self.shown.clone());
        PlayAhead { recording: self.recording.clone(), head, played: self.played.clone() }
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.shown.world
    }

    /// The map with which a recording that is played begins.
    pub fn first_map(&self) -> MapContent {
        let played = lock(&self.played);
        played.copies.before(CrowdTime::ZERO).unwrap_or(&self.shown).world.map().content().clone()
    }

    /// The recording.
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// The end: the time up to which anything is recorded.
    pub fn end(&self) -> CrowdTime {
        self.end.unwrap_or(self.world().now())
    }

    /// Up to which time the recording was played. Until there, [`go_to`](Self::go_to) takes little time.
    pub fn played(&self) -> CrowdTime {
        lock(&self.played).end
    }

    /// The first difference from the recording that was found so far.
    pub fn difference(&self) -> Option<Arc<Difference>> {
        lock(&self.played).difference.clone()
    }

    /// Records a hash after each such duration from now on, by default each second. Less than 1/65,536 s counts as that.
    pub fn record_hashes_every(&mut self, duration: CrowdTime) {
        self.between_hashes = duration.max(CrowdTime::from_seconds(1.0 / 65536.0));
    }

    /// Whether it plays what was recorded: no order can be given until that is [cut off](Self::truncate), even at its end.
    pub fn is_replay(&self) -> bool {
        self.end.is_some()
    }

    /// Gives an order now, and records it. Returns the edits that undo what it has changed on the map; none if it opens
    /// another one.
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

    /// Opens another map, or another version of it, as it is drawn: [`Order::Open`] without another computation of its
    /// costs.
    ///
    /// # Errors
    /// [`OrderError::Recorded`] if the end is not now.
    pub fn open(&mut self, map: Map) -> Result<(), OrderError> {
        self.check_end()?;
        self.record(Entry::Order(Order::Open(MapSource::of(&map))));
        self.shown.world.open(map);
        Ok(())
    }

    /// Lets a town that was made by this [`Order::Travel`] on the map as it is take the place of the one before, or nobody.
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

    /// Gives the map another name and description, on which nothing depends, and which is not recorded.
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

    /// Lets time pass. If the end is now, it is later then, and hashes are recorded on the way; otherwise what was
    /// recorded is played on, at most to the end. Nothing is recorded after [`MAX_DURATION`].
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
                let Ok(first) = Playhead::new(&self.recording, &self.tileset) else { return CrowdTime::ZERO };
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
            // All that happens at one time belongs together.
            if !self.shown.is_before(&self.recording, self.shown.world.now()) && !has_time() {
                break;
            }
        }
        self.world().now() - begin
    }

    /// Cuts off what was recorded after now, so that orders can be pushed. If something else has happened until now than was
    /// recorded, its hashes are forgotten.
    pub fn truncate(&mut self) {
        let now = self.world().now();
        let is_true = self.difference().is_none_or(|difference| difference.time > now);
        let mut entries = self.recording.entries[..self.shown.next].to_vec();
        entries.retain(|(_, entry)| is_true || !matches!(entry, Entry::Map(_) | Entry::Hash(_)));
        self.shown.next = entries.len();
        self.recording = Arc::new(Recording { entries, ..Recording::new(&self.tileset) });
        (self.end, self.hashed, self.played) = (None, now, Arc::default());
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
    /// Learns from a world that has gone on.
    fn note(&mut self, head: &Playhead, difference: Option<Difference>) {
        self.end = self.end.max(head.world.now());
        if self.difference.is_none() {
            self.difference = difference.map(Arc::new);
        }
        self.copies.keep(head);
    }
}
