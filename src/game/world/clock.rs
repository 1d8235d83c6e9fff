//! The world's clock: how much time passes in a frame, at the speed that the player has chosen, and in a sleep of the window
//! while nothing but the day passes.

use std::time::Duration;

use bevy::prelude::*;

use crate::game::action::{Action, WalkSpeed};
use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::frames::wake::Wake;
use crate::game::screen::mode::{Screen, plays_search};
use emberwalk_map::Hour;
use emberwalk_path::time::CrowdTime;
use emberwalk_picture::light::next_change;

use super::open_map::OpenMap;
use super::terrain_changed::TerrainChanged;

/// How time passes in a frame. The public fields are set in each frame, before they are read.
#[derive(Resource, Debug, Default)]
pub(in crate::game) struct WorldClock {
    /// Whether it stands still.
    pub stands: bool,
    /// The skipped seconds, in addition to the passing ones.
    pub skipped: f64,
    /// Whether anybody walks, so that the next frame follows immediately.
    pub anybody_walks: bool,
    /// How much time has passed in this frame, apart from the sleep before it.
    passed: CrowdTime,
    /// How long the window may sleep while nothing but the day passes. This part of the sleep counts as time.
    day_sleep: Duration,
}

impl WorldClock {
    /// Whether time has passed in this frame, apart from the sleep before it.
    pub fn has_passed(&self) -> bool {
        self.passed > CrowdTime::ZERO
    }
}

/// The window does not sleep while nothing but the day passes if this is shorter.
const SHORTEST_SLEEP: Duration = Duration::from_millis(20);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<WalkSpeed>().init_resource::<WorldClock>().add_systems(
        Update,
        (
            pass_sleep.in_set(AppSystems::Listen),
            choose_speed.run_if(not(plays_search)).in_set(AppSystems::Act),
            pass_time.in_set(PassTime),
            wake_while_time_shows.run_if(not(plays_search)).after(PassTime).in_set(AppSystems::Walk),
        ),
    );
}

/// Takes the speed that the player has chosen.
fn choose_speed(mut actions: MessageReader<Action>, mut speed: ResMut<WalkSpeed>) {
    for action in actions.read() {
        if let Action::SetWalkSpeed(chosen) = *action {
            *speed = chosen;
        }
    }
}

/// Lets the time of a sleep pass in which only the day was passing, before anything new begins.
fn pass_sleep(
    (time, real_time): (Res<Time>, Res<Time<Real>>),
    speed: Res<WalkSpeed>,
    mut clock: ResMut<WorldClock>,
    mut map: ResMut<OpenMap>,
    mut changes: MessageWriter<TerrainChanged>,
) {
    let slept = real_time.delta().min(std::mem::take(&mut clock.day_sleep));
    if time.delta().is_zero() && !slept.is_zero() && !map.is_replay() {
        let passed = CrowdTime::from_seconds(slept.as_secs_f64() * f64::from(speed.factor()));
        pass(&mut map, passed, &mut changes);
    }
}

/// Lets time pass on the map, and reports the changes of the map.
fn pass(map: &mut ResMut<OpenMap>, time: CrowdTime, changes: &mut MessageWriter<TerrainChanged>) {
    if let Some(changed) = map.bypass_change_detection().advance(time) {
        map.set_changed();
        changes.write(changed);
    }
}

/// Lets the time of this frame pass. In a recording, `replay.rs` does so.
pub(in crate::game) fn pass_time(
    time: Res<Time>,
    screen: Res<Screen>,
    speed: Res<WalkSpeed>,
    mut clock: ResMut<WorldClock>,
    mut map: ResMut<OpenMap>,
    mut changes: MessageWriter<TerrainChanged>,
) {
    clock.passed = CrowdTime::ZERO;
    if clock.stands || map.is_replay() || screen.plays_search() {
        return;
    }
    clock.passed = CrowdTime::from_seconds(time.delta_secs_f64() * f64::from(speed.factor()) + clock.skipped);
    pass(&mut map, clock.passed, &mut changes);
}

/// Draws frames while an eruption is announced, and when the light of a passing day changes or something opens or
/// shuts. In a recording, `replay.rs` asks for frames.
pub(in crate::game) fn wake_while_time_shows(
    map: Res<OpenMap>,
    speed: Res<WalkSpeed>,
    mut clock: ResMut<WorldClock>,
    mut wakes: MessageWriter<Wake>,
) {
    if map.is_replay() || clock.anybody_walks {
        return;
    }
    if map.world().announced().is_some() {
        wakes.write(Wake::NextFrame);
        return;
    }
    // With people on the map, the day passes as they walk.
    let day = map.day();
    let light = day.seconds_until(day.start, next_change(day.start));
    // The bar shows the hour, by steps of ten minutes.
    let shown = Hour::from_hours(((6.0 * day.start.hours()).floor() + 1.0) / 6.0).unwrap_or_default();
    let shown = day.seconds_until(day.start, shown);
    let opening = map.world().next_opening().map(|(time, _)| (time - map.world().clock()).seconds());
    if let Some(seconds) =
        light.into_iter().chain(shown).chain(opening).reduce(f64::min).filter(|_| map.town().is_none())
    {
        // A little later, because the hour is rounded.
        clock.day_sleep = Duration::from_secs_f64(seconds / f64::from(speed.factor())) + Duration::from_millis(1);
        let is_long = clock.day_sleep >= SHORTEST_SLEEP;
        wakes.write(if is_long { Wake::After(clock.day_sleep) } else { Wake::NextFrame });
    }
}
