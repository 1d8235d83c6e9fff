//! Puts the player's traveller somewhere, and shows its state in the world.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use tracing::info;

use crate::game::app_systems::{AppSystems, PassTime};
use crate::game::world::clock::pass_time;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::Pages;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::Walker;
use emberwalk_world::town::Town;
use emberwalk_world::{Order, Position};

use super::goal::TravellerGoal;
use super::planned_route::{PlanRoute, PlannedRoute};
use super::traveller::{Player, TravellerItem, TravellerPlace, TravellerState};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            appear.run_if(resource_changed::<OpenMap>).in_set(AppSystems::Plan).before(PlanRoute),
            (follow_route, show_traveller).chain().after(pass_time).in_set(PassTime),
        ),
    );
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

type Put = (&'static mut TravellerPlace, &'static mut TravellerState, &'static mut PlannedRoute);

impl PutTraveller<'_, '_> {
    /// Where it is.
    pub fn here(&self) -> TravellerItem<'_, '_> {
        TravellerItem { place: &self.player.0, state: &self.player.1 }
    }

    /// The cell in which it starts, and its goal before the player sets one.
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

    /// Puts it somewhere, perhaps in the middle of a step. Its past is not shown.
    pub fn put(&mut self, position: Option<Position>) {
        self.map.bypass_change_detection().order(Order::Put(position));
        let (place, state, planned) = &mut *self.player;
        planned.bypass_change_detection().put_elsewhere();
        show(&self.map, place, state, None);
    }
}

/// Notes the cells of the route that the traveller has entered.
fn follow_route(map: Res<OpenMap>, mut planned: Single<&mut PlannedRoute, With<Player>>) {
    if let Some(walker) = map.world().walker() {
        planned.bypass_change_detection().follow(walker.entered());
    }
}

type Shown = (&'static mut TravellerPlace, &'static mut TravellerState, &'static TravellerGoal, &'static PlannedRoute);

/// Shows the state of the player's traveller in the world.
pub(in crate::game) fn show_traveller(map: Res<OpenMap>, player: Single<Shown, With<Player>>) {
    let (mut place, mut state, goal, planned) = player.into_inner();
    show(&map, &mut place, &mut state, Some((goal, planned)));
}

/// Shows the traveller. Without `journey`, it stands.
fn show(
    map: &OpenMap,
    place: &mut Mut<TravellerPlace>,
    state: &mut Mut<TravellerState>,
    journey: Option<(&TravellerGoal, &PlannedRoute)>,
) {
    let world = map.world();
    let Some(walker) = world.walker() else {
        place.set_if_neq(TravellerPlace::default());
        state.set_if_neq(TravellerState::Missing);
        return;
    };
    let cell = walker.entered();
    let leaving = walker.step().map(|step| (step.from, f64::from(step.progress(world.clock()))));
    place.set_if_neq(TravellerPlace { entered: cell, leaving, facing: world.facing() });
    let standing = TravellerState::Standing;
    let next = journey.map_or(standing, |(goal, planned)| state_of(map, walker, goal, planned, **state));
    let arrives = next == TravellerState::Arrived && **state != TravellerState::Arrived;
    if arrives && !map.is_replay() {
        info!(%cell, "arrived");
    }
    state.set_if_neq(next);
}

/// The activity of the traveller.
fn state_of(
    map: &OpenMap,
    walker: Walker,
    goal: &TravellerGoal,
    planned: &PlannedRoute,
    before: TravellerState,
) -> TravellerState {
    use TravellerState::{Arrived, Standing, Walking};
    let world = map.world();
    let in_town = world.town().and_then(Town::player_state);
    if walker.step().is_some() {
        return Walking;
    }
    if map.is_replay() {
        let has_arrived = goal.cell == Some(walker.entered());
        return if has_arrived { Arrived } else { Standing };
    }
    if !goal.sent || goal.cell.is_none() {
        // A traveller that has arrived and is not sent any more is still there.
        return if planned.is_known() && before == Arrived { Arrived } else { Standing };
    }
    if !planned.is_known() {
        return Standing;
    }
    match (in_town, planned.ahead()) {
        (_, []) => Standing,
        (Some(state), ahead) if state.has_arrived && state.goal == ahead.last().copied() => Arrived,
        (None, [here]) if *here == walker.entered() => Arrived,
        _ => Walking,
    }
}
