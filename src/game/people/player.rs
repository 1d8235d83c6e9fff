//! The player's traveller in a town: it is one of the crowd, which makes way for it. Its route is planned as ever.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::goal::Goal;
use crate::game::journey::planning::{PlanningOptions, Reach};
use crate::game::journey::traveller::{IsLed, Player};
use crate::game::world::open_map::OpenMap;
use crate::town::Town;
use bevy_emberwalk::{Arrived, EmberwalkSystems, Goal as NavGoal, GridPosition, Hold, NavClock, NavRoute, NavState};
use emberwalk_path::crowd::{CrowdTime, Step};
use emberwalk_path::grid::{Cell, Direction};

use super::clock::PassTime;
use super::town::People;

/// The player's traveller while it is one of a crowd.
#[derive(Component, Clone, Copy, Debug, Default)]
struct InCrowd {
    /// Where it has been shown last; `None` if it is not in the crowd yet.
    shown: Option<GridPosition>,
    /// Where it has been sent.
    sent: Option<Cell>,
}

/// Everything about the player's traveller that the crowd decides.
#[derive(QueryData)]
#[query_data(mutable)]
struct Led {
    entity: Entity,
    in_crowd: &'static mut InCrowd,
    goal: &'static Goal,
    order: &'static mut NavGoal,
    route: &'static mut NavRoute,
    position: &'static mut GridPosition,
    state: &'static mut NavState,
}

impl LedItem<'_, '_> {
    /// Whether it still ends the step that it took before it joined the crowd, or has ended it in this frame.
    fn ends_step(&self) -> bool {
        self.in_crowd.shown.is_none() && (self.position.step.is_some() || self.position.is_changed())
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            join.in_set(AppSystems::Plan).before(EmberwalkSystems::Sync),
            (give_orders, show).chain().in_set(AppSystems::Walk).after(EmberwalkSystems::Writeback),
        ),
    )
    .configure_sets(Update, PassTime.after(give_orders).before(show).after(EmberwalkSystems::Writeback));
}

/// Lets the crowd lead the traveller as long as there is one.
fn join(people: Res<People>, player: Single<(Entity, &Goal, Has<InCrowd>), With<Player>>, mut commands: Commands) {
    let (entity, goal, is_in_crowd) = *player;
    let mut player = commands.entity(entity);
    match people.town() {
        // The plugin lets nobody walk that holds.
        Some(_) if !is_in_crowd => drop(player.insert((InCrowd::default(), IsLed, Hold))),
        None if is_in_crowd && goal.sent => drop(player.remove::<(InCrowd, IsLed, Hold)>()),
        None if is_in_crowd => drop(player.remove::<(InCrowd, IsLed)>()),
        _ => {}
    }
}

/// Puts the traveller into the crowd, and sends it where its route leads.
fn give_orders(mut people: ResMut<People>, player: Option<Single<Led, With<Player>>>) {
    let (Some(town), Some(player)) = (people.bypass_change_detection().town_mut(), player) else { return };
    let mut led = player.into_inner();
    if led.ends_step() {
        return;
    }
    let stands = *led.state != NavState::Unplaced;
    let is_moved = led.in_crowd.shown.is_none_or(|shown| shown.entered() != led.position.entered());
    if is_moved || town.player().is_none() == stands {
        town.put_player(Some(led.position.entered()).filter(|_| stands));
        (led.in_crowd.shown, led.in_crowd.sent) = (None, None);
    }
    let end = led.route.cells().last().copied().filter(|_| led.goal.sent && led.route.reach() != Reach::Nowhere);
    let end = if led.route.is_planning() { led.in_crowd.sent } else { end };
    if end != led.in_crowd.sent {
        town.send_player(end);
        led.in_crowd.sent = end;
    }
}

/// Shows the traveller where it is in the crowd.
fn show(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    people: Res<People>,
    clock: Single<&NavClock, With<OpenMap>>,
    player: Option<Single<Led, With<Player>>>,
    mut commands: Commands,
) {
    let (Some(town), Some(player)) = (people.town(), player) else { return };
    let mut led = player.into_inner();
    if led.ends_step() {
        return;
    }
    let Some(position) = position(town, led.position.facing, clock.now()) else { return };
    let before = led.in_crowd.shown.map(|shown| shown.entered());
    led.position.set_if_neq(position);
    led.in_crowd.shown = Some(position);
    let (from, to) = (before.unwrap_or(position.entered()), position.entered());
    let cost = options.0.rules.step_cost(map.costs(), from, to).unwrap_or_default();
    let has_route = !led.route.cells().is_empty();
    if has_route && !led.route.bypass_change_detection().enter(to, cost) {
        // Planned again in the next frame.
        led.order.set_changed();
    }
    let has_arrived = town.player_has_arrived() && led.in_crowd.sent == Some(position.cell);
    let state = match led.route.reach() {
        _ if position.step.is_some() => NavState::Walking,
        Reach::Goal if has_arrived => NavState::Arrived,
        Reach::Nearest if has_arrived => NavState::Partial,
        _ if led.in_crowd.sent.is_some() => NavState::Walking,
        Reach::Nowhere if led.goal.sent && !led.route.is_planning() => NavState::Unreachable,
        _ => NavState::Idle,
    };
    let arrives = matches!(state, NavState::Arrived | NavState::Partial) && *led.state == NavState::Walking;
    if arrives {
        commands.trigger(Arrived { entity: led.entity, cell: position.cell, reach: led.route.reach() });
    }
    led.state.set_if_neq(state);
}

/// Where the player's traveller is, with the times of a clock that shows `now`.
fn position(town: &Town, facing: Option<Direction>, now: CrowdTime) -> Option<GridPosition> {
    let state = town.crowd().state(town.player()?)?;
    let step = state.step.filter(|step| step.start <= town.now());
    let here = |time: CrowdTime| now + time - town.now();
    Some(GridPosition {
        cell: state.cell,
        step: step.map(|Step { from, to, start, end }| Step { from, to, start: here(start), end: here(end) }),
        progress: step.map_or(0.0, |step| step.progress(town.now())),
        facing: state.facing.or(facing),
    })
}
