//! Records what a game orders, plays it again, and takes snapshots.

mod file;
mod hash;
mod order;
mod player;
mod recorder;
mod snapshot;

pub use file::{NavRecording, RecordingError};
pub use player::{Diverged, replaying};
pub use snapshot::NavSnapshot;

use std::collections::BTreeMap;

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::change_detection::Tick;
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use emberwalk_path::time::CrowdTime;

use crate::AgentNumber;
use crate::EmberwalkSystems::{Step, Sync, Writeback};
use crate::number::MapNumber;
use crate::plugin::Steps;
use order::Entry;
use recorder::Note;

/// Records everything that a game tells this crate, and plays recordings: see [`NavReplay`]. Also needed for
/// [snapshots](NavSnapshot).
///
/// Add it after [`EmberwalkPlugin`](crate::EmberwalkPlugin), before the first agents and maps are spawned.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// use bevy_emberwalk::{NavReplay, NavReplayPlugin, replaying};
/// # use bevy_app::{TaskPoolPlugin, Update};
/// # use bevy_time::TimePlugin;
/// fn give_orders() {
///     // Reads the mouse.
/// }
///
/// let mut app = App::new();
/// # app.add_plugins((TaskPoolPlugin::default(), TimePlugin));
/// app.add_plugins((EmberwalkPlugins, NavReplayPlugin::default()))
///     .add_systems(Update, give_orders.run_if(not(replaying)));
/// app.update();
/// let text = app.world().resource::<NavReplay>().recording().to_ron();
/// assert!(text.contains("format: 1"));
/// ```
pub struct NavReplayPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for NavReplayPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl NavReplayPlugin {
    /// For agents that walk in this schedule, see [`EmberwalkPlugin::in_schedule`](crate::EmberwalkPlugin::in_schedule).
    ///
    /// ```
    /// use bevy_app::{App, PluginGroup, Update};
    /// use bevy_emberwalk::NavReplayPlugin;
    /// use bevy_emberwalk::prelude::*;
    /// let walking = EmberwalkPlugins.set(EmberwalkPlugin::in_schedule(Update));
    /// App::new().add_plugins((walking, NavReplayPlugin::in_schedule(Update)));
    /// ```
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for NavReplayPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(NavReplay::new());
        recorder::note_all(app.world_mut());
        recorder::add_observers(app);
        app.add_systems(
            self.schedule,
            (
                player::play.run_if(replaying).in_set(Sync).before(Steps::Find),
                recorder::record.in_set(Sync).after(Steps::Order),
                (player::play_planned.run_if(replaying), recorder::record_planned)
                    .chain()
                    .in_set(Step)
                    .before(Steps::Time),
                // Observers of what has happened give orders for the next run.
                player::end_run.in_set(Writeback).after(Steps::Write).before(Steps::Report),
            ),
        );
    }
}

/// Records, or plays a recording.
///
/// Everything is recorded that a game tells this crate before [`EmberwalkSystems::Sync`](crate::EmberwalkSystems), outside
/// of the schedule, or in observers: agents that are spawned, put elsewhere or despawned, their goals, paces and priorities, `Solid`
/// and `Hold`; edits of a [`NavGrid`](crate::NavGrid), and what is announced on it; the speed of a [`NavClock`](crate::NavClock);
/// [`PlanningBudget`](crate::PlanningBudget) and [`PlanningOptions`](crate::PlanningOptions). Maps themselves are not
/// recorded, nor the edits of maps of other types: a game that plays a recording sets up the same ones.
///
/// Agents that the game itself spawns while a recording is played, such as those of a level, are the recorded ones if they
/// have the same [numbers](crate::AgentNumber), as they have if they are spawned in the same order. The other agents of the
/// recording are spawned by the player: give them what they look like in an observer of `On<Add, NavAgent>`. The player
/// despawns agents that were recorded as gone.
///
/// A recording comes true in every app, at every frame rate and with any number of threads, as each run takes as long as the
/// recorded one did. With a [`BackgroundPlanner`](crate::BackgroundPlanner), routes depend on the machine, and recordings do
/// not come true.
///
/// ```
/// use std::time::Duration;
/// use bevy_app::{App, TaskPoolPlugin};
/// use bevy_emberwalk::prelude::*;
/// use bevy_emberwalk::{NavRecording, NavReplay, NavReplayPlugin};
/// use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// fn app(frame: u64) -> App {
///     let mut app = App::new();
///     app.add_plugins((TaskPoolPlugin::default(), TimePlugin, EmberwalkPlugins, NavReplayPlugin::default()));
///     app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(frame)));
///     app.world_mut().spawn(NavGrid::new(9, 9));
///     app
/// }
///
/// let mut played = app(10);
/// played.world_mut().spawn((NavAgent::at(0, 4), Goal::cell(8, 4)));
/// (0..200).for_each(|_| played.update());
/// let text = played.world().resource::<NavReplay>().recording().to_ron();
///
/// let mut again = app(33);
/// again.world_mut().resource_mut::<NavReplay>().play(NavRecording::parse(&text)?);
/// (0..70).for_each(|_| again.update());
/// let replay = again.world().resource::<NavReplay>();
/// assert!(!replay.is_playing() && replay.difference().is_none());
/// # Ok::<(), bevy_emberwalk::RecordingError>(())
/// ```
#[derive(Resource)]
pub struct NavReplay {
    recording: NavRecording,
    /// The next entry that is played; `None` while it records.
    next: Option<usize>,
    /// The number of runs until now, and the time that has passed in them.
    runs: u64,
    time: CrowdTime,
    /// How many seconds the last run took; `None` before the first one.
    run_time: Option<f64>,
    /// What observers have noted since orders were last recorded.
    notes: Vec<Note>,
    /// When orders were last given to crowds. What has changed since is an order for the next run.
    synced: Tick,
    /// When orders were last recorded.
    recorded: Tick,
    difference: Option<Diverged>,
}

impl NavReplay {
    fn new() -> Self {
        Self {
            recording: NavRecording::default(),
            next: None,
            runs: 0,
            time: CrowdTime::ZERO,
            run_time: None,
            notes: Vec::new(),
            synced: Tick::new(0),
            recorded: Tick::new(0),
            difference: None,
        }
    }

    /// What was recorded since the plugin was added, or what is played.
    pub fn recording(&self) -> &NavRecording {
        &self.recording
    }

    /// Plays a recording from the current run on: in an app in which the plugin has just been added, or after an older
    /// [`NavSnapshot`] has been restored. When it ends, the game goes on, and is recorded again.
    pub fn play(&mut self, recording: NavRecording) {
        self.next = Some(recording.entries.partition_point(|&(run, _)| run < self.runs));
        self.recording = recording;
        self.difference = None;
        self.notes.clear();
        if self.next == Some(self.recording.len()) {
            self.stop();
        }
    }

    /// Stops playing: the game goes on from there, and is recorded.
    pub fn stop(&mut self) {
        if let Some(next) = self.next.take() {
            self.recording.entries.truncate(next);
        }
    }

    /// Whether a recording is played.
    pub fn is_playing(&self) -> bool {
        self.next.is_some()
    }

    /// The first difference between the recording and what has happened when it was played.
    pub fn difference(&self) -> Option<&Diverged> {
        self.difference.as_ref()
    }

    /// The number of runs of the schedule until now.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The time of the game that has passed in these runs.
    pub fn time(&self) -> CrowdTime {
        self.time
    }

    /// How many seconds this run takes, if it is one of a recording.
    pub(crate) fn played_run_time(&self) -> Option<f64> {
        self.run_time.filter(|_| self.is_playing())
    }

    /// Goes back to the beginning of a run.
    fn go_back(&mut self, runs: u64, time: CrowdTime, run_time: Option<f64>) {
        (self.runs, self.time, self.run_time, self.difference) = (runs, time, run_time, None);
        let next = self.recording.entries.partition_point(|&(run, _)| run < runs);
        match &mut self.next {
            Some(played) => *played = next,
            None => self.recording.entries.truncate(next),
        }
    }

    fn add(&mut self, entry: Entry) {
        self.recording.entries.push((self.runs, entry.bounded()));
    }
}

/// The agents by their numbers, also those that are not agents any more.
fn numbered_agents(world: &mut World) -> BTreeMap<u64, Entity> {
    let mut agents = world.query::<(&AgentNumber, Entity)>();
    agents.iter(world).map(|(number, agent)| (number.0, agent)).collect()
}

/// The maps by their numbers.
fn numbered_maps(world: &mut World) -> BTreeMap<u32, Entity> {
    world.query::<(&MapNumber, Entity)>().iter(world).map(|(number, map)| (number.0, map)).collect()
}
