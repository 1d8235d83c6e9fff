//! The player sends the traveller somewhere, and its journey begins again or continues on another map.

use bevy::prelude::*;
use tracing::info;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::is_painting;
use crate::game::screen::notice::Hint;
use crate::game::world::open_map::{MapOpened, MapRefreshed};
use crate::game::world::pointed_cells::TileCursor;
use emberwalk_map::Edges;
use emberwalk_path::grid::Cell;

use super::goal::TravellerGoal;
use super::placing::PutTraveller;
use super::planning::Reach;
use super::traveller::{Player, Traveller, TravellerItem};

pub(super) fn plugin(app: &mut App) {
    app.add_observer(restart_journey)
        .add_observer(continue_journey)
        .add_systems(Update, set_goal.run_if(not(is_painting)).in_set(AppSystems::Act));
}

/// Puts the traveller at the start, and shows the route to the first goal.
fn wait_at_start([start, first_goal]: [Option<Cell>; 2], traveller: &mut PutTraveller, goal: &mut TravellerGoal) {
    traveller.stand(start);
    goal.set(first_goal, false);
}

/// Whether a traveller stands at the castle, and would walk there from the tent once more.
pub(in crate::game) fn can_walk_again([start, castle]: [Option<Cell>; 2], traveller: &TravellerItem) -> bool {
    castle.is_some() && traveller.standing_cell() == castle && start != castle
}

/// Starts the journey again on a new map.
fn restart_journey(_: On<MapOpened>, mut traveller: PutTraveller, mut goal: Single<&mut TravellerGoal, With<Player>>) {
    wait_at_start(traveller.endpoints(), &mut traveller, &mut goal);
}

/// Sets the goal that the player has chosen. A traveller that is already there keeps the route that is shown.
fn set_goal(
    mut actions: MessageReader<Action>,
    cursor: Res<TileCursor>,
    mut traveller: PutTraveller,
    mut goal: Single<&mut TravellerGoal, With<Player>>,
    mut hints: MessageWriter<Hint>,
) {
    for action in actions.read() {
        let endpoints @ [start, castle] = traveller.endpoints();
        let asked = match *action {
            Action::Go(cell) => Some(cell),
            Action::GoToCursor { .. } => cursor.0,
            Action::GoToCastle => {
                if can_walk_again(endpoints, &traveller.here()) {
                    traveller.stand(start);
                }
                castle
            }
            Action::Reset => {
                wait_at_start(endpoints, &mut traveller, &mut goal);
                None
            }
            _ => None,
        };
        let here = traveller.here();
        let Some(cell) = asked.filter(|cell| here.exists() && traveller.map.size().contains(*cell)) else { continue };
        let waits = !goal.sent || here.has_arrived();
        if here.standing_cell() != Some(cell) {
            goal.set(Some(cell), true);
            continue;
        }
        hints.write(Hint { text: "You are here.".into(), holds: stands });
        let planned = traveller.planned();
        if waits && planned.reach() == Reach::Goal && planned.cells().len() > 1 {
            info!(%cell, "already there");
        } else {
            goal.set(Some(cell), true);
        }
    }
}

/// Whether the traveller stands.
fn stands(world: &World) -> bool {
    let players = world.try_query_filtered::<Traveller, With<Player>>();
    players.is_some_and(|mut players| players.single(world).is_ok_and(|traveller| !traveller.is_walking()))
}

/// Continues the journey, where that is possible, after the map file has changed.
fn continue_journey(
    before: On<MapRefreshed>,
    mut traveller: PutTraveller,
    mut goal: Single<&mut TravellerGoal, With<Player>>,
) {
    let [start, castle] = traveller.endpoints();
    let goal_before = goal.cell;
    if before.added != Edges::default() {
        // It stands on the same ground, and its route is planned again.
        let origin = traveller.here().origin().and_then(|cell| before.cell(cell, &traveller.map));
        traveller.stand(origin.or(start));
    }
    let start_before = before.start.map(|cell| before.added.moved(cell));
    // A traveller that waits at the tent for its first order moves with the tent. A traveller that is now in a wall or
    // off the map has been put beside it.
    let here = traveller.here();
    let waits = !goal.sent && here.standing_cell() == start_before;
    if (waits || !here.exists()) && here.standing_cell() != start {
        traveller.stand(start);
    }
    let wanted = match goal_before.map(|cell| before.added.moved(cell)) {
        // A traveller on its way to the castle follows it to its new cell.
        Some(cell) if goal_before == before.goal => castle.or(Some(cell).filter(|_| goal.sent)),
        other => other,
    };
    match wanted.filter(|cell| traveller.map.size().contains(*cell)) {
        Some(cell) if goal.cell == Some(cell) => {}
        Some(cell) => {
            let sent = goal.sent;
            goal.set(Some(cell), sent);
        }
        None if goal.cell.is_none() && castle.is_none() => {}
        None => goal.set(castle, false),
    }
}
