//! Keeps what has happened: at least the last ten minutes.

use std::path::PathBuf;
use std::sync::Arc;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::traveller::Player;
use crate::game::people::player::{InCrowd, ShowInCrowd};
use crate::game::people::town::{PassTime, People};
use crate::game::world::open_map::{MapOpened, OpenMap};
use crate::game::world_orders::{IsReplay, WorldOrders};
use bevy_emberwalk::{GridPosition, NavClock, NavState};
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{CellEdit, Map};
use emberwalk_path::StepRules;
use emberwalk_path::crowd::{CrowdTime, Walker};
use emberwalk_path::grid::Cell;
use emberwalk_world::{
    BETWEEN_HASHES, Digest, Entry, MAX_SECONDS, Order, Recording, StateHash, add_painted, hash_of_place, hash_of_town,
    hash_of_traveller,
};

use super::crash_file::keep;

/// For how long what has happened is kept at least.
const KEPT: CrowdTime = CrowdTime::from_whole_seconds(600);

/// For how long anything is recorded: what a recording may last.
const MOST: CrowdTime = CrowdTime::from_whole_seconds(MAX_SECONDS);

/// For how many entries there is room from the beginning, so that playing does not ask for memory all the time.
const ROOM: usize = 1024;

/// What has happened since a map was opened, and before that for at least ten minutes.
#[derive(Resource)]
pub struct Recorder {
    /// By the clock of the map, and a time ahead of it.
    entries: Vec<(CrowdTime, Entry)>,
    /// The entries that open another map, with which a recording can begin.
    openings: Vec<usize>,
    /// The tileset of the open map.
    tileset: Option<Arc<Tileset>>,
    /// Where all this is written if the program panics.
    pub(super) crash_file: Option<PathBuf>,
    /// How long the time between two hashes is at least.
    pub between_hashes: CrowdTime,
    /// When the last hash was taken.
    hashed: CrowdTime,
    /// How long recordings have taken before they were played on.
    ahead: CrowdTime,
    /// How many entries were dropped.
    dropped: usize,
    /// Where the traveller is going, and the rules of steps, as the orders say.
    goal: Option<Cell>,
    rules: StepRules,
    /// Whether what happens does not follow from recorded orders.
    is_stopped: bool,
    /// The recording that is played meanwhile.
    watched: Option<Arc<Recording>>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self {
            entries: Vec::with_capacity(ROOM),
            openings: Vec::new(),
            tileset: None,
            crash_file: None,
            between_hashes: BETWEEN_HASHES,
            hashed: CrowdTime::ZERO,
            ahead: CrowdTime::ZERO,
            dropped: 0,
            goal: None,
            rules: StepRules::default(),
            is_stopped: false,
            watched: None,
        }
    }
}

/// The digest of what was painted since the map was noted.
#[derive(Resource, Default)]
pub(super) struct Painted(Digest);

impl Painted {
    /// The whole map is noted again.
    pub fn begin_again(&mut self) {
        self.0 = Digest::default();
    }

    /// Begins with what was painted in a world.
    pub fn begin_with(&mut self, world: &emberwalk_world::World) {
        self.0 = world.hash().map;
    }

    /// Adds edits.
    pub fn add(&mut self, map: &Map, undo: &[CellEdit]) {
        add_painted(&mut self.0, map, undo);
    }
}

/// A map is opened in this frame, on which everything begins again.
#[derive(Resource, Default)]
pub(super) struct Opens(pub bool);

impl Recorder {
    /// What has happened; `None` if nothing is recorded.
    pub fn recording(&self) -> Option<Recording> {
        let tileset = self.tileset.as_ref()?;
        let (start, _) = *self.entries.first()?;
        let entries = self.entries.iter().map(|(time, entry)| (*time - start, entry.clone())).collect();
        Some(Recording { entries, ..Recording::new(tileset) })
    }

    /// The entries from this one on, counted since the program began, with their times since the first one that is
    /// kept, and how many there have been.
    pub(super) fn since(&self, number: usize) -> (&[(CrowdTime, Entry)], usize) {
        let from = number.saturating_sub(self.dropped).min(self.entries.len());
        (&self.entries[from..], self.dropped + self.entries.len())
    }

    /// What is saved when the player asks for it: the recording that is played, or else what has happened.
    pub(super) fn to_save(&self) -> Option<Arc<Recording>> {
        self.watched.clone().or_else(|| self.recording().map(Arc::new))
    }

    /// Records nothing until another map is opened, because a recording is played.
    pub(in crate::game) fn stop_for(&mut self, watched: Arc<Recording>) {
        self.clear();
        self.is_stopped = true;
        self.watched = Some(watched);
    }

    /// The recording is not played any more.
    pub(in crate::game) fn end_watching(&mut self) {
        self.watched = None;
    }

    fn clear(&mut self) {
        self.watched = None;
        self.dropped += self.entries.len();
        self.entries.clear();
        self.openings.clear();
    }

    /// Goes on after entries that begin with a map and take this long, as if they had just been recorded.
    pub(super) fn go_on_after(
        &mut self,
        entries: Vec<(CrowdTime, Entry)>,
        duration: CrowdTime,
        now: CrowdTime,
        tileset: Arc<Tileset>,
    ) {
        self.clear();
        self.tileset = Some(tileset);
        self.openings.push(0);
        let begin = now + self.ahead;
        entries.into_iter().for_each(|(time, entry)| self.push(begin + time, entry));
        self.ahead = self.ahead + duration;
        self.is_stopped = false;
    }

    fn add(&mut self, time: CrowdTime, entry: Entry) {
        self.push(time + self.ahead, entry);
    }

    fn push(&mut self, time: CrowdTime, entry: Entry) {
        match &entry {
            Entry::Order(Order::Open(_)) => self.goal = None,
            Entry::Order(Order::Walk { goal, .. } | Order::Go(goal)) => self.goal = *goal,
            Entry::Order(Order::Rules(moves, corners)) => self.rules = StepRules::new(*moves, *corners),
            _ => {}
        }
        self.entries.push((time, entry));
    }

    /// Another map is opened: what ended long ago is forgotten.
    fn open(&mut self, now: CrowdTime) {
        if std::mem::take(&mut self.is_stopped) {
            self.clear();
        }
        self.openings.push(self.entries.len());
        let now = now + self.ahead;
        let is_old = |opening: &usize| self.entries.get(*opening).is_some_and(|(time, _)| *time + KEPT <= now);
        let kept = self.openings.iter().rposition(is_old).unwrap_or(0);
        let drop = self.openings[kept];
        self.entries.drain(..drop);
        self.dropped += drop;
        self.openings.drain(..kept);
        self.openings.iter_mut().for_each(|opening| *opening -= drop);
    }
}

/// The world is dropped while the program panics.
impl Drop for Recorder {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let (Some(file), Some(recording)) = (&self.crash_file, self.recording())
        {
            keep(file, &recording);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Recorder>()
        .init_resource::<Painted>()
        .init_resource::<Opens>()
        .add_observer(|_: On<MapOpened>, mut opens: ResMut<Opens>| opens.0 = true)
        .add_systems(
            Update,
            record.in_set(AppSystems::Walk).after(PassTime).after(ShowInCrowd).run_if(not(resource_exists::<IsReplay>)),
        );
}

type Recorded = (&'static GridPosition, &'static NavState, Option<&'static InCrowd>);

/// Records the orders of a frame, and what has come of it.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn record(
    people: Res<People>,
    map: Res<OpenMap>,
    player: Option<Single<Recorded, With<Player>>>,
    clock: Single<&NavClock, With<OpenMap>>,
    painted: Res<Painted>,
    mut opens: ResMut<Opens>,
    mut orders: ResMut<WorldOrders>,
    mut recorder: ResMut<Recorder>,
) {
    let recorder = recorder.bypass_change_detection();
    let (now, before) = (clock.now(), clock.now() - clock.last_run());
    let time = now + recorder.ahead;
    recorder.is_stopped |= recorder.entries.first().is_some_and(|(start, _)| time > *start + MOST);
    for order in orders.bypass_change_detection().drain() {
        if matches!(order, Order::Open(_)) && std::mem::take(&mut opens.bypass_change_detection().0) {
            recorder.open(before);
            recorder.tileset = Some(map.tileset().clone());
        }
        if !recorder.is_stopped {
            recorder.add(before, Entry::Order(order));
        }
    }
    if recorder.is_stopped || now == before || now < recorder.hashed + recorder.between_hashes {
        return;
    }
    recorder.hashed = now;
    let place = match player.map(|player| *player) {
        Some((_, _, Some(InCrowd { is_led: true }))) => 0,
        Some((position, state, _)) => {
            let walker = position.step.map_or(Walker::standing(position.cell), |step| Walker::stepping(step, false));
            hash_of_place(Some(&walker).filter(|_| state.is_placed()), now)
        }
        None => hash_of_place(None, now),
    };
    let traveller = hash_of_traveller(place, recorder.goal, recorder.rules);
    let hash = StateHash { map: painted.0, traveller, ..hash_of_town(people.town()) };
    recorder.add(now, Entry::Hash(hash));
}
