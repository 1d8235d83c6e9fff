//! Plays a recording in the window: its world takes the place of the game, and can be left to the player at any time.

use bevy::prelude::*;
use tracing::info;

use crate::game::action::{Action, Playback};
use crate::game::app_systems::AppSystems;
use crate::game::frames::wake::Wake;
use crate::game::journey::goal::Goal;
use crate::game::journey::planning::PlanningOptions;
use crate::game::journey::traveller::{IsLed, Player};
use crate::game::people::player::InCrowd;
use crate::game::people::town::People;
use crate::game::recording::Recorder;
use crate::game::screen::notice::Notice;
use crate::game::world::open_map::{OpenMap, announce};
use crate::game::world::terrain_changed::TerrainChanged;
use crate::game::world::volcanoes::VolcanoChoice;
use crate::game::world_orders::IsReplay;
use crate::recording::Replay;
use bevy_emberwalk::{EmberwalkSystems, Goal as NavGoal, GridPosition, Hold, NavClock, NavRoute, NavState};
use emberwalk_path::crowd::CrowdTime;
use emberwalk_path::grid::Direction;

/// The maximum number of times that the speed is doubled or halved.
const MAX_DOUBLINGS: i32 = 6;

/// How far a step back or on leads, in seconds.
const STEP: f64 = 1.0;

/// A recording that is played in the window.
#[derive(Resource)]
pub struct WatchedReplay {
    replay: Replay,
    /// The time up to which it is played.
    time: CrowdTime,
    is_paused: bool,
    doublings: i32,
    /// The time that is shown, once it is.
    shown: Option<CrowdTime>,
}

impl WatchedReplay {
    /// Plays a recording from its beginning.
    pub fn new(replay: Replay) -> Self {
        Self { replay, time: CrowdTime::ZERO, is_paused: false, doublings: 0, shown: None }
    }

    /// Lets it take the place of the game.
    pub fn begin(self, world: &mut World) {
        world.insert_resource(IsReplay);
        world.insert_resource(self);
    }

    /// What is played.
    pub(in crate::game) fn replay(&self) -> &Replay {
        &self.replay
    }

    /// How long it is.
    pub(in crate::game) fn duration(&self) -> CrowdTime {
        self.replay.recording().duration()
    }

    /// The time that is shown.
    pub(in crate::game) fn time(&self) -> CrowdTime {
        self.time
    }

    /// Whether it goes on by itself.
    pub(in crate::game) fn is_playing(&self) -> bool {
        !self.is_paused && self.time < self.duration()
    }

    /// How many times as fast as it was recorded.
    pub(in crate::game) fn speed(&self) -> f64 {
        2f64.powi(self.doublings)
    }

    fn act(&mut self, playback: Playback) {
        let end = self.duration();
        match playback {
            // At the end it begins again.
            Playback::Toggle if self.time == end => (self.time, self.is_paused) = (CrowdTime::ZERO, false),
            Playback::Toggle => self.is_paused = !self.is_paused,
            Playback::Slower => self.doublings = (self.doublings - 1).max(-MAX_DOUBLINGS),
            Playback::Faster => self.doublings = (self.doublings + 1).min(MAX_DOUBLINGS),
            Playback::Doubled(times) => self.doublings = times.clamp(-MAX_DOUBLINGS, MAX_DOUBLINGS),
            Playback::StepBack => self.pause_at(self.time.seconds() - STEP),
            Playback::StepOn => self.pause_at(self.time.seconds() + STEP),
            Playback::Start => self.pause_at(0.0),
            Playback::End => self.pause_at(end.seconds()),
            Playback::Seek(share) => self.pause_at(f64::from(share.clamp(0.0, 1.0)) * end.seconds()),
        }
    }

    fn pause_at(&mut self, seconds: f64) {
        self.time = CrowdTime::from_seconds(seconds.max(0.0)).min(self.duration());
        self.is_paused = true;
    }
}

/// Whether a recording is played.
pub(in crate::game) fn is_watched(watched: Option<Res<WatchedReplay>>) -> bool {
    watched.is_some()
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            refuse.after(AppSystems::Listen).before(AppSystems::Act),
            (control, play, show_map, show_people).chain().in_set(AppSystems::Act),
            show_traveller.in_set(AppSystems::Walk).after(EmberwalkSystems::Writeback),
            play_on.in_set(AppSystems::Switch),
        )
            .distributive_run_if(is_watched),
    );
}

/// Refuses what would change the recorded world. The key that sends the traveller to the castle plays and pauses, as in
/// the search view.
fn refuse(mut actions: ResMut<Messages<Action>>, mut notices: MessageWriter<Notice>) {
    let asked: Vec<_> = actions.drain().collect();
    let changes_world = |action: &Action| {
        action.begins_journey()
            || matches!(
                action,
                Action::Erupt
                    | Action::SetWalkSpeed(_)
                    | Action::SkipWalk
                    | Action::LetTravel(_)
                    | Action::SendPeople(_)
                    | Action::Widen
                    | Action::NextMap
                    | Action::PreviousMap
                    | Action::OpenLesson(_)
                    | Action::Lessons
                    | Action::ToggleSearchView
                    | Action::ToggleRace
                    | Action::ToggleComparison
                    | Action::PlanWith(..)
                    | Action::RestoreOptions
                    | Action::OpenCells
                    | Action::ToggleWhy
                    | Action::TogglePainting
                    | Action::Brush(_)
                    | Action::Stroke(_)
                    | Action::Selection(_)
                    | Action::Undo
                    | Action::Redo
                    | Action::Save
                    | Action::SaveAnew
                    | Action::NewMap
                    | Action::ListMaps
                    | Action::ChooseFile
                    | Action::EditMap
                    | Action::OpenBundled(_)
                    | Action::SetWeight(..)
                    | Action::SaveRecording
            )
    };
    if asked.iter().any(|action| *action != Action::GoToCastle && changes_world(action)) {
        notices.write(Notice("This is a recording. To change something, play on from here.".into()));
    }
    let allowed = asked.into_iter().filter_map(|action| match action {
        Action::GoToCastle => Some(Action::Playback(Playback::Toggle)),
        action => Some(action).filter(|action| !changes_world(action)),
    });
    actions.write_batch(allowed);
}

fn control(mut actions: MessageReader<Action>, mut watched: ResMut<WatchedReplay>) {
    for action in actions.read() {
        if let Action::Playback(playback) = *action {
            watched.act(playback);
        }
    }
}

/// Lets the recording go on.
fn play(time: Res<Time>, mut watched: ResMut<WatchedReplay>, mut wakes: MessageWriter<Wake>) {
    let watched = watched.bypass_change_detection();
    if watched.is_playing() {
        let passed = CrowdTime::from_seconds(time.delta_secs_f64() * watched.speed());
        watched.time = (watched.time + passed).min(watched.duration());
        wakes.write(Wake::NextFrame);
    }
    watched.replay.go_to(watched.time);
}

/// Shows the map as it was.
fn show_map(
    watched: Res<WatchedReplay>,
    mut map: ResMut<OpenMap>,
    mut options: ResMut<PlanningOptions>,
    mut changes: MessageWriter<TerrainChanged>,
    mut commands: Commands,
) {
    let world = watched.replay.world();
    if options.0.rules != world.rules() {
        options.0.rules = world.rules();
    }
    let recorded = world.map();
    match map.edits_towards(recorded) {
        Some(edits) if edits.is_empty() => {}
        Some(edits) => {
            if let Ok(changed) = map.show_recorded(&edits) {
                changes.write(changed);
            }
        }
        // It has another size.
        None => {
            *map = OpenMap::new(recorded.clone(), VolcanoChoice::AsInFile, false);
            announce(&map, &mut commands);
        }
    }
}

/// Shows people where they were.
fn show_people(mut watched: ResMut<WatchedReplay>, mut people: ResMut<People>) {
    let watched = watched.bypass_change_detection();
    if watched.shown.replace(watched.time) != Some(watched.time) {
        people.show(watched.replay.world().town().cloned());
    }
}

type Shown = (
    Entity,
    &'static mut Goal,
    &'static mut NavGoal,
    &'static mut NavRoute,
    &'static mut GridPosition,
    &'static mut NavState,
    Has<IsLed>,
);

/// Shows the traveller where it was. Its route is planned as ever.
fn show_traveller(
    watched: Res<WatchedReplay>,
    map: Res<OpenMap>,
    clock: Single<&NavClock, With<OpenMap>>,
    player: Single<Shown, With<Player>>,
    mut commands: Commands,
) {
    let world = watched.replay.world();
    let (entity, mut goal, mut order, mut route, mut position, mut state, is_led) = player.into_inner();
    if !is_led {
        commands.entity(entity).insert((IsLed, Hold));
    }
    let Some(walker) = world.walker(clock.now()) else {
        state.set_if_neq(NavState::Unplaced);
        return;
    };
    if goal.cell != world.goal() {
        goal.set(world.goal(), true);
    }
    let step = walker.step();
    let facing = step.and_then(|step| Direction::from_offset(step.to - step.from)).or(position.facing);
    let cell = step.map_or(walker.entered(), |step| if clock.now() < step.middle() { step.from } else { step.to });
    let progress = step.map_or(0.0, |step| step.progress(clock.now()));
    let (from, to) = (position.entered(), walker.entered());
    position.set_if_neq(GridPosition { cell, step, progress, facing });
    let cost = world.rules().step_cost(map.costs(), from, to).unwrap_or_default();
    if !route.cells().is_empty() && !route.bypass_change_detection().enter(to, cost) {
        order.set_changed();
    }
    let has_arrived = step.is_none() && goal.cell == Some(to);
    state.set_if_neq(match step {
        Some(_) => NavState::Walking,
        None if has_arrived => NavState::Arrived,
        None => NavState::Idle,
    });
}

/// Leaves the world to the player.
fn play_on(
    mut actions: MessageReader<Action>,
    watched: Res<WatchedReplay>,
    player: Single<Entity, With<Player>>,
    mut recorder: ResMut<Recorder>,
    mut commands: Commands,
) {
    if !actions.read().any(|action| *action == Action::PlayOn) {
        return;
    }
    let world = watched.replay.world();
    let mut player = commands.entity(*player);
    if world.is_in_town() {
        player.insert((InCrowd { is_led: true }, IsLed, Hold));
    } else {
        player.remove::<(IsLed, Hold)>();
    }
    recorder.stop();
    info!(seconds = world.now().seconds(), "played on");
    commands.remove_resource::<WatchedReplay>();
    commands.remove_resource::<IsReplay>();
}
