//! The goal of a traveller, and the actions that set it.

use bevy::prelude::*;
use tracing::info;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::is_painting;
use crate::game::screen::notice::Notice;
use crate::game::world::open_map::{MapOpened, MapRenewed, OpenMap};
use crate::game::world::pages::Endpoints;
use crate::game::world::pointed_cells::TileCursor;
use bevy_emberwalk::{EmberwalkSystems, Goal as NavGoal, Hold, NavRoute};
use emberwalk_map::Edges;
use emberwalk_path::grid::Cell;

use super::planning::Reach;
use super::traveller::{IsLed, MovedTraveller, MovedTravellerItem, Player, TravellerItem};

/// The goal of a traveller. It changes only when another goal is set. Then the route is planned again.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Goal {
    /// The cell, if there is a goal.
    pub cell: Option<Cell>,
    /// Whether the traveller was sent there; otherwise the route is only shown.
    pub sent: bool,
}

impl Goal {
    /// Sets another goal, or none, and logs it.
    pub fn set(&mut self, cell: Option<Cell>, sent: bool) {
        *self = Self { cell, sent };
        if let Some(cell) = cell {
            info!(%cell, "goal set");
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.register_required_components::<Player, Goal>();
    app.add_observer(restart_journey)
        .add_observer(continue_journey)
        .add_systems(Update, set_goal.run_if(not(is_painting)).in_set(AppSystems::Act))
        .add_systems(Update, give_order.in_set(AppSystems::Plan).before(EmberwalkSystems::Sync));
}

/// Passes a goal on to the agent. Until the traveller is sent, and while something else lets it walk, the route is planned,
/// but it holds.
fn give_order(mut changed: Query<(Entity, &Goal, &mut NavGoal, Has<IsLed>), Changed<Goal>>, mut commands: Commands) {
    for (entity, goal, mut order, is_led) in &mut changed {
        *order = goal.cell.map_or(NavGoal::None, NavGoal::Near);
        let mut traveller = commands.entity(entity);
        if goal.sent && !is_led {
            traveller.remove::<Hold>()
        } else {
            traveller.insert(Hold)
        };
    }
}

/// Puts the traveller at the start, and shows the route to the first goal.
fn wait_at_start(endpoints: &Endpoints, traveller: &mut MovedTravellerItem, goal: &mut Goal, commands: &mut Commands) {
    traveller.stand(endpoints.start(), commands);
    goal.set(endpoints.goal(), false);
}

/// Whether a traveller stands at the castle, and would walk there from the tent once more.
pub(in crate::game) fn can_walk_again(endpoints: &Endpoints, traveller: &TravellerItem) -> bool {
    let castle = endpoints.goal();
    castle.is_some() && traveller.standing_cell() == castle && endpoints.start() != castle
}

/// Starts the journey again on a new map.
fn restart_journey(
    _: On<MapOpened>,
    endpoints: Endpoints,
    player: Single<(MovedTraveller, &mut Goal), With<Player>>,
    mut commands: Commands,
) {
    let (mut traveller, mut goal) = player.into_inner();
    wait_at_start(&endpoints, &mut traveller, &mut goal, &mut commands);
}

/// Sets the goal that the player has chosen. A traveller that is already there keeps the route that is shown.
fn set_goal(
    mut actions: MessageReader<Action>,
    map: Res<OpenMap>,
    endpoints: Endpoints,
    cursor: Res<TileCursor>,
    player: Single<(MovedTraveller, &mut Goal, &NavRoute), With<Player>>,
    mut notices: MessageWriter<Notice>,
    mut commands: Commands,
) {
    let (mut traveller, mut goal, planned) = player.into_inner();
    for action in actions.read() {
        let asked = match *action {
            Action::Go(cell) => Some(cell),
            Action::GoToCursor { .. } => cursor.0,
            Action::GoToCastle => {
                if can_walk_again(&endpoints, &traveller.here()) {
                    traveller.stand(endpoints.start(), &mut commands);
                }
                endpoints.goal()
            }
            Action::Reset => {
                wait_at_start(&endpoints, &mut traveller, &mut goal, &mut commands);
                None
            }
            _ => None,
        };
        let here = traveller.here();
        let Some(cell) = asked.filter(|cell| here.exists() && map.size().contains(*cell)) else { continue };
        let waits = !goal.sent || here.has_arrived();
        if here.standing_cell() != Some(cell) {
            goal.set(Some(cell), true);
            continue;
        }
        notices.write(Notice("You are here.".into()));
        if waits && planned.reach() == Reach::Goal && planned.cells().len() > 1 {
            info!(%cell, "already there");
        } else {
            goal.set(Some(cell), true);
        }
    }
}

/// Continues the journey, where that is possible, after the map file has changed.
fn continue_journey(
    before: On<MapRenewed>,
    map: Res<OpenMap>,
    endpoints: Endpoints,
    player: Single<(MovedTraveller, &mut Goal), With<Player>>,
    mut commands: Commands,
) {
    let (mut traveller, mut goal) = player.into_inner();
    let goal_before = goal.cell;
    if before.added != Edges::default() {
        // It stands on the same ground, and its route is planned again.
        let origin = traveller.here().origin().and_then(|cell| before.cell(cell, &map));
        traveller.stand(origin.or(endpoints.start()), &mut commands);
    }
    let start_before = before.start.map(|cell| before.added.moved(cell));
    // A traveller that waits at the tent for its first order moves with the tent. One that is now in a wall or off the
    // map is moved when its route is planned.
    let here = traveller.here();
    let waits = !goal.sent && here.standing_cell() == start_before;
    if (waits || !here.exists()) && here.standing_cell() != endpoints.start() {
        traveller.stand(endpoints.start(), &mut commands);
    }
    let wanted = match goal_before.map(|cell| before.added.moved(cell)) {
        // A traveller on its way to the castle follows it to its new cell.
        Some(cell) if goal_before == before.goal => endpoints.goal().or(Some(cell).filter(|_| goal.sent)),
        other => other,
    };
    match wanted.filter(|cell| map.size().contains(*cell)) {
        Some(cell) if goal.cell == Some(cell) => {}
        Some(cell) => {
            let sent = goal.sent;
            goal.set(Some(cell), sent);
        }
        None if goal.cell.is_none() && endpoints.goal().is_none() => {}
        None => goal.set(endpoints.goal(), false),
    }
}
