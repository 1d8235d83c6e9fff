//! The player's traveller in a town: it is one of the crowd, which makes way for it. Its route is planned as ever.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::goal::Goal;
use crate::game::journey::planning::{PlanningOptions, Reach};
use crate::game::journey::traveller::{IsLed, Player};
use crate::game::world::open_map::OpenMap;
use crate::game::world_orders::{IsReplay, WorldOrders};
use bevy_emberwalk::{Arrived, EmberwalkSystems, Goal as NavGoal, GridPosition, Hold, NavClock, NavRoute, NavState};
use emberwalk_path::crowd::{AgentState, CrowdTime};
use emberwalk_path::grid::Direction;
use emberwalk_world::town::Town;
use emberwalk_world::{Order, walker_in};

use super::town::{MakeTown, PassTime, People, TownReplaced};

/// The player's traveller while it is one of a crowd. What it does there is the crowd's to say.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(in crate::game) struct InCrowd {
    /// Whether the crowd leads it already. Before that, it ends its step.
    pub is_led: bool,
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

pub(super) fn plugin(app: &mut App) {
    app.add_observer(leave_crowd).add_systems(
        Update,
        (
            join.in_set(AppSystems::Plan).after(MakeTown).before(EmberwalkSystems::Sync),
            give_orders.in_set(AppSystems::Plan).after(EmberwalkSystems::Plan),
            show.in_set(AppSystems::Walk).in_set(ShowInCrowd).after(PassTime),
        )
            .distributive_run_if(not(resource_exists::<IsReplay>)),
    );
}

/// The traveller is shown where it is in the crowd.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::game) struct ShowInCrowd;

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

/// In another crowd, the traveller first ends its step.
fn leave_crowd(_: On<TownReplaced>, player: Option<Single<(&mut InCrowd, &mut NavGoal), With<Player>>>) {
    if let Some(player) = player {
        let (mut in_crowd, mut order) = player.into_inner();
        in_crowd.is_led = false;
        // The plugin looks at the traveller in this frame.
        order.set_changed();
    }
}

/// Puts the traveller into the crowd, and sends it where its route leads.
fn give_orders(mut people: ResMut<People>, player: Option<Single<Led, With<Player>>>, mut orders: ResMut<WorldOrders>) {
    let (Some(town), Some(player)) = (people.bypass_change_detection().town_mut(), player) else { return };
    let mut led = player.into_inner();
    let here = Some(led.position.entered()).filter(|_| led.state.is_placed());
    let entered =
        |state: AgentState| state.step.filter(|step| step.start <= town.now()).map_or(state.cell, |step| step.to);
    // It was put elsewhere, or has turned round.
    if town.player_state().map(entered) != here {
        led.in_crowd.is_led = false;
    }
    if !led.in_crowd.is_led {
        if led.position.step.is_some() {
            // The plugin ends the step if it looks at the traveller.
            led.order.set_changed();
            return;
        }
        town.put_player(here);
        orders.note(Order::Join(here));
        led.in_crowd.is_led = true;
    }
    let end = led.route.cells().last().copied().filter(|_| led.goal.sent && led.route.reach() != Reach::Nowhere);
    if !led.route.is_planning() && end != town.player_state().and_then(|state| state.goal) {
        town.send_player(end);
        orders.note(Order::Go(end));
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
    let Some(state) = town.player_state().filter(|_| led.in_crowd.is_led) else { return };
    let position = position(town, state, led.position.facing, clock.now());
    let (from, to) = (led.position.entered(), position.entered());
    led.position.set_if_neq(position);
    let cost = options.0.rules.step_cost(map.costs(), from, to).unwrap_or_default();
    let has_route = !led.route.cells().is_empty();
    if has_route && !led.route.bypass_change_detection().enter(to, cost) {
        // Planned again in the next frame.
        led.order.set_changed();
    }
    let shown = match led.route.reach() {
        _ if position.step.is_some() => NavState::Walking,
        Reach::Goal if state.has_arrived => NavState::Arrived,
        Reach::Nearest if state.has_arrived => NavState::Partial,
        _ if state.goal.is_some() => NavState::Walking,
        Reach::Nowhere if led.goal.sent && !led.route.is_planning() => NavState::Unreachable,
        _ => NavState::Idle,
    };
    let arrives = matches!(shown, NavState::Arrived | NavState::Partial) && *led.state == NavState::Walking;
    if arrives {
        commands.trigger(Arrived { entity: led.entity, cell: position.cell, reach: led.route.reach() });
    }
    led.state.set_if_neq(shown);
}

/// Where the player's traveller is, with the times of a clock that shows `now`.
fn position(town: &Town, state: AgentState, facing: Option<Direction>, now: CrowdTime) -> GridPosition {
    let step = walker_in(town, state, now).step();
    GridPosition {
        cell: state.cell,
        step,
        progress: step.map_or(0.0, |step| step.progress(now)),
        facing: state.facing.or(facing),
    }
}
