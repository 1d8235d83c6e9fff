//! The route that is shown after arrival: from the cell where the traveller set out.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;

use bevy_emberwalk::AskedRoute;

use super::planned_route::IsPlanning;
use super::planning::{FoundRoute, GridQuery, Planning, Reach, Urgency, log_route};
use super::route_planning::{Journey, JourneyItem, plan_routes};
use super::traveller::Traveller;

/// The route from the cell where a traveller set out to the one where it has arrived. It is planned only if the route
/// that is shown began elsewhere, or if the terrain or the options have changed.
#[derive(Component, Default)]
pub(super) struct WalkedRoute(AskedRoute);

pub(super) fn plugin(app: &mut App) {
    app.register_required_components::<Traveller, WalkedRoute>();
    app.add_systems(Update, plan_walked_routes.after(plan_routes).in_set(AppSystems::Plan));
}

/// Plans the walked routes that are to be shown.
pub(super) fn plan_walked_routes(
    mut planning: Planning,
    mut travellers: Query<(Journey, &mut WalkedRoute, &mut IsPlanning)>,
) {
    for (mut journey, mut walked, mut is_planning) in &mut travellers {
        let WalkedRoute(asker) = &mut *walked;
        loop {
            let wanted = wanted(&journey, &planning);
            if !planning.follow(asker, Urgency::Route, wanted) {
                break;
            }
            if let Some((query, found)) = asker.routes.last() {
                show(&mut journey, query, found);
            }
        }
        is_planning.set_if_neq(IsPlanning(journey.state.to_goal.routes.is_computing() || asker.routes.is_computing()));
    }
}

/// The query for the walked route, if another one is shown.
fn wanted(journey: &JourneyItem, planning: &Planning) -> Option<GridQuery> {
    let at = journey.traveller.origin().filter(|_| journey.progress.arrived)?;
    let goal = journey.goal.cell?;
    // A traveller that waits near an unreachable goal first has to know whether it is still unreachable.
    let stays = at == goal || journey.state.known(&planning.query(at, goal)).is_some();
    let start = journey.state.set_out().filter(|start| planning.map.costs().is_passable(*start));
    let wanted = planning.query(start.unwrap_or(at), at);
    let is_shown =
        journey.state.shown.is_some_and(|shown| shown.grid == wanted.grid && shown.query.with_goal(at) == wanted.query);
    (stays && !is_shown).then_some(wanted)
}

fn show(journey: &mut JourneyItem, query: &GridQuery, found: &FoundRoute) {
    let JourneyItem { planned, progress, state, .. } = journey;
    planned.route.clear();
    if found.reach == Reach::Goal {
        planned.route.assign(found.route.as_route_ref());
    }
    progress.index = planned.route.cells.len().saturating_sub(1);
    state.shown = Some(*query);
    log_route(found, &query.query);
}
