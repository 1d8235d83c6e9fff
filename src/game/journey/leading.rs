//! The route of the player's traveller becomes an order to walk along it.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;
use emberwalk_world::town::Town;
use emberwalk_world::{Order, Seconds, Steps};

use super::goal::TravellerGoal;
use super::placing::show_traveller;
use super::planned_route::{PlanRoute, PlannedRoute, begin, plan};
use super::planning::Reach;
use super::traveller::Player;

pub(super) fn plugin(app: &mut App) {
    let plan = (begin, show_traveller, plan, show_traveller, lead).chain();
    app.add_systems(Update, plan.in_set(PlanRoute).in_set(AppSystems::Plan));
}

/// Orders the traveller to walk along its route.
fn lead(mut map: ResMut<OpenMap>, player: Single<(&TravellerGoal, &PlannedRoute), With<Player>>) {
    let map = map.bypass_change_detection();
    if map.is_replay() {
        return;
    }
    let (goal, planned) = *player;
    if map.town().is_some() {
        lead_in_town(map, goal, planned);
        return;
    }
    // While another route to the same goal is planned, the traveller follows the old one.
    if planned.is_planning() && planned.is_known() {
        return;
    }
    let (clock, is_sent) = (map.world().clock(), goal.sent && planned.is_known());
    let ahead = if is_sent { planned.ahead() } else { &[] };
    let waits: Vec<_> = planned.waits_ahead(clock).filter(|_| is_sent).collect();
    let stands = |route: &[Cell]| route.len() <= 1;
    let goes_on = stands(ahead) && stands(map.world().route()) || ahead == map.world().route();
    let waits_as_planned = map.world().waits().eq(waits.iter().copied());
    if !goes_on || !waits_as_planned || map.world().goal() != goal.cell {
        let waits = waits.into_iter().map(|(at, until)| (at, Seconds(until - clock))).collect();
        map.order(Order::Walk { goal: goal.cell, route: Steps::of(ahead), waits });
    }
}

/// Sends the traveller where its route leads, as soon as it belongs to the town.
fn lead_in_town(map: &mut OpenMap, goal: &TravellerGoal, planned: &PlannedRoute) {
    let Some(state) = map.town().filter(|town| !town.player_joins()).and_then(Town::player_state) else { return };
    // If cells of the route open, shut or change their cost, the town leads it from one such cell to the next.
    let stop = planned.timetable().and_then(|times| times.next_stop(planned.index(), map.world().clock()));
    let end = stop.map_or(planned.cells().last(), |stop| planned.cells().get(stop)).copied();
    let end = end.filter(|_| goal.sent && planned.reach() != Reach::Nowhere);
    if !planned.is_planning() && end != state.goal {
        map.order(Order::Go(end));
    }
    // It may be led to a gate on the way, or to the reachable cell nearest to its goal, or not be sent yet.
    if !planned.is_planning() && map.world().goal() != goal.cell {
        map.order(Order::Walk { goal: goal.cell, route: Steps::default(), waits: Vec::new() });
    }
}
