//! How time passes in the world: at the speed that the player has chosen, not at all while a search is played, all of a
//! walk in one frame when it is skipped, and for people only as long as a lesson or the player's traveller lets them walk.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::action::{Action, WalkSpeed};
use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::frames::wake::Wake;
use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::placing::show_traveller;
use crate::game::journey::planned_route::PlannedRoute;
use crate::game::journey::planning::PlanningOptions;
use crate::game::journey::shown_route::ShownRoute;
use crate::game::journey::traveller::Player;
use crate::game::screen::mode::{Screen, plays_search};
use crate::game::world::open_map::OpenMap;
use crate::game::world::terrain_changed::TerrainChanged;
use bevy_emberwalk::{EmberwalkSystems, GridPosition, NavState};
use emberwalk_path::time::CrowdTime;
use emberwalk_picture::light::next_change;
use emberwalk_world::World;

use super::town::People;

/// How much time is skipped in a frame in a town, in seconds, until the player's traveller has arrived.
const SKIPPED: f64 = 4.0;

/// Whether people walk.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PeopleMove {
    /// They do.
    #[default]
    Always,
    /// Only while the player's traveller is on the way.
    WithPlayer,
    /// They stand, for a still picture.
    Never,
}

/// Whether a lesson lets people wait or walk, whatever the player has chosen.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) enum PeopleCue {
    /// No lesson is about people.
    #[default]
    None,
    /// They wait, unless the player's traveller is on the way.
    Wait,
    /// They walk, until all are where they want to be.
    Walk,
}

/// Whether time passes for people.
#[derive(SystemParam)]
pub(in crate::game) struct PeopleTime<'w> {
    moves: Res<'w, PeopleMove>,
    cue: Res<'w, PeopleCue>,
}

impl PeopleTime<'_> {
    /// Whether time passes in a world with a town.
    pub fn passes(&self, world: &World) -> bool {
        let Some(town) = world.town() else { return true };
        let is_on_the_way = town.player_is_on_the_way();
        // Before the traveller joins the town, it ends its step.
        let alone = world.walker().filter(|_| !world.is_in_town());
        let (is_alone, ends_step) = (alone.is_some(), alone.is_some_and(|walker| walker.step().is_some()));
        match (*self.moves, *self.cue) {
            (PeopleMove::Never, _) => false,
            (_, PeopleCue::Wait) => is_on_the_way || ends_step,
            (_, PeopleCue::Walk) => !town.is_still() || ends_step,
            (PeopleMove::Always, PeopleCue::None) => true,
            (PeopleMove::WithPlayer, PeopleCue::None) => is_on_the_way || is_alone,
        }
    }
}

/// Whether the player wants the traveller to arrive immediately. If its route is still being planned, it arrives as
/// soon as the route is known.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
struct WantsToArrive(bool);

/// How long the window may sleep while nothing but the day passes. This part of the sleep counts as time.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
struct DaySleep(Duration);

/// The window does not sleep while nothing but the day passes if this is shorter.
const SHORTEST_SLEEP: Duration = Duration::from_millis(20);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PeopleMove>().init_resource::<PeopleCue>().init_resource::<WalkSpeed>();
    app.init_resource::<WantsToArrive>()
        .init_resource::<DaySleep>()
        .configure_sets(Update, EmberwalkSystems::Writeback.after(PassTime))
        .add_systems(
            Update,
            (
                pass_sleep.in_set(AppSystems::Listen),
                choose_speed.run_if(not(plays_search)).in_set(AppSystems::Act),
                (pass_time, follow_route, show_traveller).chain().in_set(PassTime),
                wake_while_walking.run_if(not(plays_search)).after(PassTime).in_set(AppSystems::Walk),
            ),
        );
}

/// Takes the speed that the player has chosen. Only the current walk is skipped.
fn choose_speed(mut actions: MessageReader<Action>, mut speed: ResMut<WalkSpeed>, mut skips: ResMut<WantsToArrive>) {
    for action in actions.read() {
        match *action {
            Action::SetWalkSpeed(chosen) => *speed = chosen,
            Action::SkipWalk => skips.0 = true,
            action if action.begins_journey() => skips.0 = false,
            _ => {}
        }
    }
}

/// Lets the time of a sleep pass in which only the day was passing, before anything new begins.
fn pass_sleep(
    (time, real_time): (Res<Time>, Res<Time<Real>>),
    speed: Res<WalkSpeed>,
    mut day_sleep: ResMut<DaySleep>,
    mut map: ResMut<OpenMap>,
    mut changes: MessageWriter<TerrainChanged>,
) {
    let slept = real_time.delta().min(std::mem::take(&mut day_sleep.0));
    if time.delta().is_zero() && !slept.is_zero() && !map.is_replay() {
        let passed = CrowdTime::from_seconds(slept.as_secs_f64() * f64::from(speed.factor()));
        pass(&mut map, passed, &mut changes);
    }
}

/// Lets time pass on the map, and tells others what has changed on it.
fn pass(map: &mut ResMut<OpenMap>, time: CrowdTime, changes: &mut MessageWriter<TerrainChanged>) {
    if let Some(changed) = map.bypass_change_detection().advance(time) {
        map.set_changed();
        changes.write(changed);
    }
}

/// Lets the time of this frame pass. In a recording, `replay.rs` does so.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn pass_time(
    time: Res<Time>,
    options: Res<PlanningOptions>,
    screen: Res<Screen>,
    speed: Res<WalkSpeed>,
    people_move: PeopleTime,
    player: Single<(&TravellerGoal, ShownRoute), With<Player>>,
    mut skips: ResMut<WantsToArrive>,
    mut map: ResMut<OpenMap>,
    mut people: ResMut<People>,
    mut changes: MessageWriter<TerrainChanged>,
) {
    skips.0 &= !map.is_replay();
    if map.is_replay() || screen.plays_search() {
        return;
    }
    let (goal, route) = &*player;
    let skipped = match map.town() {
        Some(town) => {
            let is_on_the_way = town.player_is_on_the_way();
            skips.0 &= is_on_the_way || route.is_planning();
            if !people_move.passes(map.world()) {
                return;
            }
            if skips.0 && is_on_the_way { SKIPPED } else { 0.0 }
        }
        None if skips.0 && !route.is_planning() => {
            skips.0 = false;
            // A little more, because the sum is rounded.
            if goal.sent { route.seconds_to_go(&map, options.0.rules) + 0.01 } else { 0.0 }
        }
        None => 0.0,
    };
    let passed = CrowdTime::from_seconds(time.delta_secs_f64() * f64::from(speed.factor()) + skipped);
    pass(&mut map, passed, &mut changes);
    if map.town().is_some() && passed > CrowdTime::ZERO {
        people.set_changed();
    }
}

/// Takes note of the cells of the route that the traveller has entered.
fn follow_route(map: Res<OpenMap>, mut planned: Single<&mut PlannedRoute, With<Player>>) {
    if let Some(walker) = map.world().walker() {
        planned.bypass_change_detection().follow(walker.entered());
    }
}

/// Draws frames as long as anybody walks, while an eruption is announced, and when the light of a passing day changes or
/// something opens or closes. In a recording, `replay.rs` asks for
/// frames.
fn wake_while_walking(
    map: Res<OpenMap>,
    people: Res<People>,
    speed: Res<WalkSpeed>,
    mut day_sleep: ResMut<DaySleep>,
    player: Single<(Ref<GridPosition>, &NavState), With<Player>>,
    mut wakes: MessageWriter<Wake>,
) {
    let (position, state) = &*player;
    if map.is_replay() {
        return;
    }
    if people.is_changed() && map.town().is_some() || position.is_changed() || **state == NavState::Walking {
        wakes.write(Wake::NextFrame);
        return;
    }
    if map.world().announced().is_some() {
        wakes.write(Wake::NextFrame);
        return;
    }
    // With people on the map, the day passes as they walk.
    let day = map.day();
    let light = day.seconds_until(day.start, next_change(day.start));
    let opening = map.world().next_opening().map(|(time, _)| (time - map.world().clock()).seconds());
    if let Some(seconds) = light.into_iter().chain(opening).reduce(f64::min).filter(|_| map.town().is_none()) {
        // A little later, because the hour is rounded.
        day_sleep.0 = Duration::from_secs_f64(seconds / f64::from(speed.factor())) + Duration::from_millis(1);
        let is_long = day_sleep.0 >= SHORTEST_SLEEP;
        wakes.write(if is_long { Wake::After(day_sleep.0) } else { Wake::NextFrame });
    }
}
