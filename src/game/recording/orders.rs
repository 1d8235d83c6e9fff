//! Notices the orders that follow from what is on the map: edits, rules, where the traveller was put, and its route. The
//! orders to people are noted where they are given.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::goal::Goal;
use crate::game::journey::planning::PlanningOptions;
use crate::game::journey::traveller::{IsLed, Player};
use crate::game::people::town::MakeTown;
use crate::game::world::open_map::{MapShown, OpenMap};
use crate::game::world::terrain_changed::TerrainChanged;
use crate::game::world_orders::{IsReplay, WorldOrders};
use bevy_emberwalk::{EmberwalkSystems, GridPosition, Hold, NavAgent, NavClock, NavRoute, NavState};
use emberwalk_map::CellEdit;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Stamp, StepRules};
use emberwalk_world::{MapSource, Order, Paint, Position, Seconds, Steps, World};

use super::recorder::Painted;

/// What the orders so far say.
#[derive(Resource, Default)]
pub(super) struct Noted {
    /// Whether the whole map has to be noted again.
    is_other_map: bool,
    stamp: Stamp,
    rules: Option<StepRules>,
    was_placed: bool,
    /// The cell that the traveller entered, or in which it stood, at the beginning of the frame.
    entered: Cell,
    /// The cells along which the traveller walks, and whether they are noted. Their memory is kept.
    walk: Vec<Cell>,
    is_walk_noted: bool,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Noted>().add_observer(note_shown_map).add_systems(
        Update,
        (
            note_map.in_set(AppSystems::Plan).before(MakeTown),
            (
                note_place.in_set(AppSystems::Plan).after(EmberwalkSystems::Sync).before(EmberwalkSystems::Plan),
                note_walk.in_set(AppSystems::Plan).after(EmberwalkSystems::Plan),
            )
                .distributive_run_if(not(resource_exists::<IsReplay>)),
        ),
    );
}

impl Noted {
    /// Begins with the orders that have led to a world.
    pub fn begin_with(&mut self, world: &World) {
        self.is_other_map = false;
        self.rules = Some(world.rules());
        self.is_walk_noted = false;
    }
}

fn note_shown_map(shown: On<MapShown>, map: Res<OpenMap>, mut noted: ResMut<Noted>) {
    // Very many edits are not told one by one.
    noted.is_other_map |= !shown.keeps_cells || map.costs().stamp() != noted.stamp;
}

fn note_map(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    replay: Option<Res<IsReplay>>,
    mut changes: MessageReader<TerrainChanged>,
    mut noted: ResMut<Noted>,
    mut painted: ResMut<Painted>,
    mut orders: ResMut<WorldOrders>,
) {
    if replay.is_some() {
        noted.is_other_map = false;
        changes.clear();
    } else if noted.is_other_map {
        noted.is_other_map = false;
        changes.clear();
        painted.begin_again();
        noted.is_walk_noted = false;
        // A recording may begin with this order, in a world with other rules.
        noted.rules = None;
        orders.note(Order::Open(MapSource::Content(Box::new(map.content().clone()))));
    } else if !changes.is_empty() {
        // Of a cell that was painted twice, the first content counts, which is in the last undo.
        let batches: Vec<&[CellEdit]> = changes.read().map(|change| &*change.undo).collect();
        let undo: Vec<CellEdit> = batches.into_iter().rev().flatten().copied().collect();
        painted.add(&map, &undo);
        let paint = Paint::of(&map, undo);
        if !paint.is_empty() {
            orders.note(Order::Paint(paint));
        }
    }
    noted.stamp = map.costs().stamp();
    if replay.is_none() && noted.rules != Some(options.0.rules) {
        noted.rules = Some(options.0.rules);
        orders.note(Order::rules(options.0.rules));
    }
}

fn note_place(
    player: Single<(Ref<NavAgent>, &GridPosition, &NavState), With<Player>>,
    clock: Single<&NavClock, With<OpenMap>>,
    mut noted: ResMut<Noted>,
    mut orders: ResMut<WorldOrders>,
) {
    let (agent, position, state) = player.into_inner();
    noted.entered = position.entered();
    let is_placed = state.is_placed();
    if !agent.is_changed() && is_placed == noted.was_placed {
        return;
    }
    noted.was_placed = is_placed;
    noted.is_walk_noted = false;
    let place = is_placed.then(|| Position {
        cell: position.entered(),
        leaving: position
            .step
            .map(|step| (step.from, Seconds(clock.now() - step.start), Seconds(step.end - step.start))),
    });
    orders.note(Order::Put(place));
}

type Walking =
    (Ref<'static, Goal>, Ref<'static, NavRoute>, &'static GridPosition, &'static NavState, Has<Hold>, Has<IsLed>);

fn note_walk(
    player: Single<Walking, With<Player>>,
    mut held: Local<bool>,
    mut noted: ResMut<Noted>,
    mut orders: ResMut<WorldOrders>,
) {
    let (goal, route, position, state, holds, is_led) = player.into_inner();
    if is_led {
        noted.is_walk_noted = false;
        return;
    }
    let waits = route.is_planning() && *state == NavState::Planning;
    let is_due = !noted.is_walk_noted
        || route.is_changed()
        || std::mem::replace(&mut *held, holds) != holds
        || waits && goal.is_changed();
    if !is_due {
        return;
    }
    let ahead = if holds || waits { &[] } else { route.ahead() };
    // In the middle of a step along the same cells, it goes on, unless it has just turned round.
    let goes_on = if ahead.is_empty() { noted.walk.is_empty() } else { noted.walk.ends_with(ahead) };
    if noted.is_walk_noted
        && goes_on
        && (ahead.is_empty() || position.step.is_some() && position.entered() == noted.entered)
    {
        return;
    }
    noted.walk.clear();
    noted.walk.extend_from_slice(ahead);
    noted.is_walk_noted = true;
    orders.note(Order::Walk { goal: goal.cell, route: Some(Steps::of(ahead)) });
}
