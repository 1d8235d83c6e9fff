//! The lowest cost of all routes with the same ends as the route of a traveller, to compare it with.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use emberwalk_jobs::planner::AskedRoute;
use emberwalk_path::{Options, RouteQuery};

use super::planning::{GridQuery, Planning, Urgency};
use super::shown_route::{ShownRoute, ShownRouteItem, WalkedRoute, plan_walked_routes};
use super::traveller::Player;

/// The cheapest route with the same ends. It is planned only if the options do not guarantee that the other one costs
/// as little.
#[derive(Component, Default)]
pub(in crate::game) struct LowestCost(AskedRoute);

impl LowestCost {
    /// The cost in grass tiles; `None` while it is not known.
    pub fn tiles(&self) -> Option<f64> {
        self.0.routes.current().map(|(_, found)| found.route.cost.tiles())
    }
}

pub(super) fn plugin(app: &mut App) {
    app.register_required_components::<Player, LowestCost>();
    app.add_systems(Update, compute.after(plan_walked_routes).in_set(AppSystems::Plan));
}

fn compute(mut planning: Planning, mut travellers: Query<(&WalkedRoute, ShownRoute, &mut LowestCost)>) {
    for (walked, planned, mut lowest) in &mut travellers {
        let wanted = walked.shown().and_then(|shown| cheapest(&shown, &planned));
        // After a change of terrain, the cost stays until the next route is shown.
        let is_known = lowest.0.routes.known() == wanted.as_ref();
        let wanted = wanted.filter(|wanted| is_known || wanted.grid == planning.map.costs().stamp());
        while planning.follow(&mut lowest.0, Urgency::LowestCost, wanted) {}
    }
}

/// The query for a cheapest route with the ends of the planned one, which answers `shown`.
fn cheapest(shown: &GridQuery, planned: &ShownRouteItem) -> Option<GridQuery> {
    let options = shown.query.options;
    let [from, .., to] = planned.cells() else { return None };
    let exact = RouteQuery::new(*from, *to).with_options(Options::default().with_rules(options.rules));
    (!options.optimal()).then_some(GridQuery { query: exact, ..*shown })
}
