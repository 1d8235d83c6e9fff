//! The player's traveller is put somewhere, and shown as it is in the world.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::Pages;
use bevy_emberwalk::{GridPosition, NavState, WhyUnplaced};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::Walker;
use emberwalk_world::town::Town;
use emberwalk_world::{Order, Position};

use super::goal::TravellerGoal;
use super::planned_route::{PlanRoute, PlannedRoute};
use super::planning::Reach;
use super::traveller::{Player, TravellerItem};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, appear.run_if(resource_changed::<OpenMap>).in_set(AppSystems::Plan).before(PlanRoute));
}

/// Puts the traveller on a map that had no passable cell until now.
fn appear(mut traveller: PutTraveller) {
    let [start, _] = traveller.endpoints();
    if traveller.map.world().walker().is_none() && start.is_some() && !traveller.map.is_replay() {
        traveller.stand(start);
    }
}

/// Puts the player's traveller elsewhere.
#[derive(SystemParam)]
pub(in crate::game) struct PutTraveller<'w, 's> {
    pub map: ResMut<'w, OpenMap>,
    pages: Res<'w, Pages>,
    player: Single<'w, 's, Put, With<Player>>,
}

type Put = (&'static mut GridPosition, &'static mut NavState, &'static mut PlannedRoute);

impl PutTraveller<'_, '_> {
    /// Where it is.
    pub fn here(&self) -> TravellerItem<'_, '_> {
        TravellerItem { position: &self.player.0, state: &self.player.1 }
    }

    /// The cell in which it starts, and the goal before the player sets one.
    pub fn endpoints(&self) -> [Option<Cell>; 2] {
        [self.pages.start(&self.map), self.pages.goal(&self.map)]
    }

    /// The planned route.
    pub fn planned(&self) -> &PlannedRoute {
        &self.player.2
    }

    /// Puts it in a cell, where it stands; with `None`, there is no traveller.
    pub fn stand(&mut self, cell: Option<Cell>) {
        self.put(cell.map(|cell| Position { cell, leaving: None }));
    }

    /// Puts it somewhere, perhaps in the middle of a step. Nothing is shown of what was before.
    pub fn put(&mut self, position: Option<Position>) {
        self.map.bypass_change_detection().order(Order::Put(position));
        let (place, state, planned) = &mut *self.player;
        planned.bypass_change_detection().put_elsewhere();
        show(&self.map, place, state, None);
    }
}

type Shown = (&'static mut GridPosition, &'static mut NavState, &'static TravellerGoal, &'static PlannedRoute);

/// Shows the player's traveller as it is in the world.
pub(in crate::game) fn show_traveller(map: Res<OpenMap>, player: Single<Shown, With<Player>>) {
    let (mut position, mut state, goal, planned) = player.into_inner();
    show(&map, &mut position, &mut state, Some((goal, planned)));
}

/// Shows the traveller. Without `journey`, it is idle.
fn show(
    map: &OpenMap,
    position: &mut Mut<GridPosition>,
    state: &mut Mut<NavState>,
    journey: Option<(&TravellerGoal, &PlannedRoute)>,
) {
    let world = map.world();
    let Some(walker) = world.walker() else {
        position.set_if_neq(GridPosition::default());
        state.set_if_neq(NavState::Unplaced(WhyUnplaced::NoRoom));
        return;
    };
    let (now, step) = (world.clock(), walker.step());
    let cell = step.map_or(walker.entered(), |step| if now < step.middle() { step.from } else { step.to });
    let progress = step.map_or(0.0, |step| step.progress(now));
    position.set_if_neq(GridPosition { cell, step, progress, facing: world.facing() });
    let next = journey.map_or(NavState::Idle, |(goal, planned)| state_of(map, walker, goal, planned, **state));
    let arrives = |state| matches!(state, NavState::Arrived | NavState::Partial);
    if arrives(next) && !arrives(**state) && !map.is_replay() {
        info!(%cell, "arrived");
    }
    state.set_if_neq(next);
}

/// What the traveller does.
fn state_of(map: &OpenMap, walker: Walker, goal: &TravellerGoal, planned: &PlannedRoute, before: NavState) -> NavState {
    let world = map.world();
    let in_town = world.town().filter(|_| world.is_in_town()).and_then(Town::player_state);
    if walker.step().is_some() {
        return NavState::Walking;
    }
    if map.is_replay() {
        let has_arrived = goal.cell == Some(walker.entered());
        return if has_arrived { NavState::Arrived } else { NavState::Idle };
    }
    if !goal.sent || goal.cell.is_none() {
        // One that has arrived and is not sent any more is still there.
        let is_there = planned.is_known() && matches!(before, NavState::Arrived | NavState::Partial);
        return if is_there { before } else { NavState::Idle };
    }
    let arrived = if planned.reach() == Reach::Nearest { NavState::Partial } else { NavState::Arrived };
    match (in_town, planned.ahead()) {
        _ if !planned.is_known() => NavState::Planning,
        (_, []) => NavState::Unreachable,
        (Some(state), ahead) if state.has_arrived && state.goal == ahead.last().copied() => arrived,
        (None, [here]) if *here == walker.entered() && !world.is_in_town() => arrived,
        _ => NavState::Walking,
    }
}
