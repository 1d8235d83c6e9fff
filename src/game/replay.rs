//! Plays a recording in the window: its world replaces the game, and the player can take it over at any time.

use std::sync::Arc;
use std::time::Duration;

use bevy::prelude::*;
use emberwalk_jobs::Job;
use tracing::{info, warn};

use crate::game::action::playback::PlaybackState;
use crate::game::action::{Action, Playback};
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::jobs::Jobs;
use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::planned_route::PlannedRoute;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::people::town::{People, Travellers};
use crate::game::screen::mode::Screen;
use crate::game::screen::notice::{Hint, Notice};
use crate::game::world::open_map::{OpenMap, Shown, announce, tell};
use crate::game::world::opener::MapReplaced;
use crate::game::world::pages::Pages;
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_path::time::CrowdTime;
use emberwalk_world::{Recording, shown_seconds};

/// Why something cannot be changed.
pub(in crate::game) const REFUSAL: &str = "This is a recording. To change something, play on from here.";

/// The length of a step back or forward, in seconds.
const STEP: f64 = 1.0;

/// How long a frame plays towards the requested time. With thousands of people, a jump takes several frames.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often the window updates the mark that shows how far a recording was played ahead.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// The playback of a recording in the window. The open map has the world of the recording.
#[derive(Resource)]
pub struct WatchedReplay {
    recording: Arc<Recording>,
    /// The time to show. Until the recording has been played up to there, an earlier time is shown.
    time: CrowdTime,
    playback: PlaybackState,
    /// Whether the player takes it over once its time is shown.
    is_left: bool,
    /// The shown time, once it is reached.
    shown: Option<CrowdTime>,
    /// Plays it ahead, and checks it; `None` when this is done.
    ahead: Option<Job<()>>,
    has_told_difference: bool,
}

/// Replaces the game by a recording, on its first map, which is open.
pub fn watch(recording: Arc<Recording>, world: &mut World) {
    world.remove_resource::<WatchedReplay>();
    let mut map = world.resource_mut::<OpenMap>();
    if let Err(error) = map.bypass_change_detection().play(recording.clone()) {
        warn!("{error}");
        return;
    }
    let mut work = map.timeline().play_ahead();
    let has_tileset = recording.has_tileset(map.tileset());
    info!(seconds = recording.duration().seconds(), "recording opened");
    if recording.is_cut_off {
        let seconds = shown_seconds(recording.duration());
        let text = format!("The end of this recording is missing: it is played up to {seconds} s.");
        world.write_message(Notice(text));
    }
    if !has_tileset {
        let text = "This recording was made with another tileset, so it may play differently.";
        world.write_message(Notice(text.into()));
    }
    let mut screen = world.resource_mut::<Screen>();
    screen.close_comparison();
    screen.close_search();
    screen.leave_mode();
    let jobs = world.get_resource_or_init::<Jobs>().clone();
    let ahead = jobs.start_in_slices("Playing ahead", move |progress| progress.in_slices(|_| work.step()));
    world.insert_resource(WatchedReplay {
        recording,
        time: CrowdTime::ZERO,
        playback: PlaybackState::playing(),
        is_left: false,
        shown: None,
        ahead: Some(ahead),
        has_told_difference: false,
    });
}

impl WatchedReplay {
    /// How long it is.
    pub(in crate::game) fn duration(&self) -> CrowdTime {
        self.recording.duration()
    }

    /// The shown time.
    pub fn time(&self) -> CrowdTime {
        self.shown.unwrap_or_default()
    }

    /// The requested time. It is shown as soon as the recording has been played up to there.
    pub fn asked(&self) -> CrowdTime {
        self.time
    }

    /// Whether it plays by itself.
    pub(in crate::game) fn is_playing(&self) -> bool {
        self.playback.is_playing
    }

    /// The speed, as a multiple of the recorded speed.
    pub(in crate::game) fn speed(&self) -> f64 {
        self.playback.speed()
    }

    /// Steps begin at the requested time, however far the world has come.
    fn act(&mut self, playback: Playback) {
        let time = self.playback.act(playback, self.time.seconds(), self.duration().seconds(), STEP);
        self.time = CrowdTime::from_seconds(time);
        self.is_left = false;
    }
}

/// Whether a recording is played.
pub(in crate::game) fn is_watched(watched: Option<Res<WatchedReplay>>) -> bool {
    watched.is_some()
}

pub(super) fn plugin(app: &mut App) {
    app.add_observer(replace)
        .add_systems(Update, refuse.after(AppSystems::Listen).before(AppSystems::Act))
        .add_systems(
            Update,
            (control, play_on, tell_findings, play, show_goal)
                .chain()
                .in_set(AppSystems::Act)
                .distributive_run_if(is_watched),
        );
}

/// Plays the recording that begins with another map, or ends the current one.
fn replace(replaced: On<MapReplaced>, mut commands: Commands) {
    let recording = replaced.recording.clone();
    commands.queue(move |world: &mut World| match recording {
        Some(recording) => watch(recording, world),
        None => drop(world.remove_resource::<WatchedReplay>()),
    });
}

/// Refuses actions that would change the recorded world. The key that sends the traveller to the castle plays and
/// pauses, as in the search view.
fn refuse(watched: Option<Res<WatchedReplay>>, mut actions: MessageMutator<Action>, mut hints: MessageWriter<Hint>) {
    if watched.is_none() {
        actions.clear();
        return;
    }
    let mut is_refused = false;
    for action in actions.read() {
        if *action == Action::GoToCastle {
            *action = Action::Playback(Playback::Toggle);
        } else if action.changes_world() {
            *action = Action::Refused;
            is_refused = true;
        }
    }
    if is_refused {
        hints.write(Hint { text: REFUSAL.into(), holds: |world| world.contains_resource::<WatchedReplay>() });
    }
}

fn control(mut actions: MessageReader<Action>, mut watched: ResMut<WatchedReplay>) {
    for action in actions.read() {
        match *action {
            Action::Playback(playback) => watched.act(playback),
            Action::PlayOn => {
                watched.playback.is_playing = false;
                watched.is_left = true;
            }
            _ => {}
        }
    }
}

/// Continues the recording, once the last jump has reached its time.
fn play(
    time: Res<Time>,
    mut watched: ResMut<WatchedReplay>,
    mut map: ResMut<OpenMap>,
    mut people: ResMut<People>,
    mut changes: MessageWriter<TerrainChanged>,
    mut wakes: MessageWriter<Wake>,
    mut commands: Commands,
) {
    let watched = watched.bypass_change_detection();
    if watched.is_playing() {
        if watched.time() == watched.time {
            let passed = CrowdTime::from_seconds(time.delta_secs_f64() * watched.speed());
            watched.time = (watched.time + passed).min(watched.duration());
            watched.playback.is_playing = watched.time < watched.duration();
        }
        wakes.write(Wake::NextFrame);
    }
    let next = watched.time.min(map.timeline().played());
    let changed = map.bypass_change_detection().go_towards(next, PATIENCE);
    if changed.is_some() {
        map.set_changed();
    }
    match changed {
        None => {}
        Some(Shown::Changed(changed)) => tell(changed, &mut changes, &mut commands),
        Some(Shown::Other) => announce(&map, &mut commands),
    }
    let now = map.world().now();
    if watched.shown.replace(now) != Some(now) {
        people.set_changed();
    }
    if now < next || watched.is_left && now == watched.time {
        wakes.write(Wake::NextFrame);
    }
}

/// Reports the findings of playing it ahead.
fn tell_findings(
    jobs: Res<Jobs>,
    map: Res<OpenMap>,
    mut watched: ResMut<WatchedReplay>,
    mut notices: MessageWriter<Notice>,
    mut wakes: MessageWriter<Wake>,
) {
    let watched = watched.bypass_change_detection();
    let begins = watched.shown.is_none();
    let done = watched.ahead.as_ref().map(|ahead| if begins { jobs.wait_briefly(ahead) } else { ahead.take() });
    let difference = map.timeline().difference();
    if let Some(difference) = difference.as_ref().filter(|_| !watched.has_told_difference) {
        watched.has_told_difference = true;
        let text = difference.to_string();
        let in_one_line = text.replace('\n', ",");
        warn!("recording is {}", in_one_line.split_whitespace().collect::<Vec<_>>().join(" "));
        let version = watched.recording.note_of_version();
        notices.write(Notice(version.map_or_else(|| text.clone(), |version| format!("{text}\n{version}"))));
    }
    let Some(done) = done else { return };
    let Some(result) = done else {
        wakes.write(Wake::After(LOOK_AGAIN));
        return;
    };
    watched.ahead = None;
    watched.playback.is_playing &= result.is_ok();
    if result.is_ok() && difference.is_none() {
        let recording = &watched.recording;
        info!(seconds = recording.duration().seconds(), hashes = recording.hashes(), "recording checked");
    }
}

/// Shows the goal of the traveller. Its route is planned as usual; if it sets out, it takes the shown route.
fn show_goal(map: Res<OpenMap>, player: Single<(&mut TravellerGoal, &PlannedRoute), With<Player>>) {
    let (mut goal, planned) = player.into_inner();
    let world = map.world();
    let recorded = (world.goal(), world.is_sent());
    if (goal.cell, true) == recorded && planned.is_on_time(world.clock()) {
        goal.bypass_change_detection().sent = true;
    } else if (goal.cell, goal.sent) != recorded {
        goal.set(world.goal(), world.is_sent());
    }
}

/// Lets the player take over the world as it is shown. The played part is the beginning of the recording from now on.
fn play_on(
    watched: Res<WatchedReplay>,
    mut map: ResMut<OpenMap>,
    mut pages: ResMut<Pages>,
    mut people: ResMut<People>,
    mut travellers: ResMut<Travellers>,
    player: Single<(&mut TravellerGoal, &PlannedRoute, Traveller), With<Player>>,
    mut commands: Commands,
) {
    if !watched.is_left || watched.shown != Some(watched.asked()) {
        return;
    }
    if !map.play_on() {
        pages.make_own(&map);
    }
    people.take_over(&map, &mut travellers);
    let world = map.world();
    let (mut goal, planned, traveller) = player.into_inner();
    if !traveller.has_arrived() && !planned.is_on_time(world.clock()) {
        // It was planned for another time.
        goal.set(world.goal(), world.is_sent());
    }
    info!(seconds = world.now().seconds(), "played on");
    commands.remove_resource::<WatchedReplay>();
}
