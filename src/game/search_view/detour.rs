//! Why the route does not lead through the inspected cell: compares the cheapest route through the cell with the actual
//! route.

use std::ops::ControlFlow;

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::app_systems::AppSystems;
use crate::game::journey::planning::{GridQuery, Urgency};
use crate::game::screen::mode::{AsksWhy, Screen, ScreenChanged};
use crate::game::screen::notice::Hint;
use crate::game::world::pointed_cells::InspectedCell;
use emberwalk_jobs::Latest;
use emberwalk_path::ahead::Outlook;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Planner, Route, RouteQuery, RouteSearch, SearchResult, StepRules};
use emberwalk_world::{Coming, PACE};

use super::current_query::CurrentQuery;

/// The route through the inspected cell, and the actual one.
#[derive(Resource, Default)]
pub struct Detour(Latest<Question, Routes>);

/// The query for the actual route, the cell, and the known future with the departure on the clock of the world.
type Question = (GridQuery, Cell, Option<(Coming, CrowdTime)>);

/// Two routes with the same ends.
#[derive(Debug, Default)]
pub struct Routes {
    /// The rules for their steps.
    pub rules: StepRules,
    /// The route with the current options; `None` if there is none.
    pub free: Option<Route>,
    /// The route through the cell; `None` if there is none.
    pub through: Option<Route>,
    /// If they know the future: the departure, on the clock of the world. Their costs are the times from then until
    /// they arrive, with waits.
    pub depart: Option<CrowdTime>,
}

impl Detour {
    /// The cell and the routes; `None` if the player does not ask, if the cell or an end is blocked, or while
    /// they are being planned.
    pub fn routes(&self) -> Option<(Cell, &Routes)> {
        self.0.current().map(|((_, cell, _), routes)| (*cell, routes))
    }

    /// The cells of the route through the cell; empty if there is none.
    pub fn cells(&self) -> &[Cell] {
        self.routes().and_then(|(_, routes)| routes.through.as_ref()).map_or(&[], |route| &route.cells)
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Detour>()
        .add_observer(switch_off)
        .add_systems(Update, (switch.in_set(AppSystems::Act), plan.after(AppSystems::Walk).before(AppSystems::Show)));
}

/// A race has two routes, so the question does not apply.
fn switch_off(changed: On<ScreenChanged>, mut asks: ResMut<AsksWhy>) {
    if changed.now.is_race() {
        asks.switched_on = false;
    }
}

fn switch(
    mut actions: MessageReader<Action>,
    screen: Res<Screen>,
    mut asks: ResMut<AsksWhy>,
    mut hints: MessageWriter<Hint>,
) {
    for _ in actions.read().filter(|action| **action == Action::ToggleWhy) {
        if screen.is_race() {
            hints.write(Hint {
                text: "A race has two routes: close it with Race (B), then use Why (Y).".into(),
                holds: |world| world.resource::<Screen>().is_race(),
            });
        } else {
            asks.switched_on = !asks.switched_on;
        }
    }
}

/// Plans the detour through the inspected cell again if something has changed.
fn plan(
    asks: Res<AsksWhy>,
    inspected: Res<InspectedCell>,
    screen: Res<Screen>,
    current: CurrentQuery,
    detour: ResMut<Detour>,
) {
    let is_on = asks.is_on() && !screen.is_race();
    let cell = inspected.0.filter(|cell| is_on && current.map.costs().is_passable(*cell));
    let coming = current.coming().map(|coming| (coming, current.departure()));
    let question = current.query().zip(cell).map(|(query, cell)| (query, cell, coming));
    Latest::follow(
        detour.map_unchanged(|detour| &mut detour.0),
        question,
        &current.jobs,
        |(question, cell, coming)| {
            let (query, cell) = (question.query, *cell);
            if let Some((coming, departure)) = *coming {
                let map = current.map.map().clone();
                return current.start(Urgency::Detour, "Planning the detour", move |_, _, _| {
                    let outlook = coming.outlook(&map, departure);
                    ControlFlow::Continue(routes_ahead(&outlook, &query, cell, departure))
                });
            }
            // The actual route, and the two parts of the route through the cell.
            let mut searches = [query, query.with_goal(cell), query.with_start(cell)].map(RouteSearch::new);
            let mut routes = Vec::new();
            current.start(Urgency::Detour, "Planning the detour", move |planner, grid, progress| {
                let route =
                    |result: Result<SearchResult, _>| result.ok().and_then(|result| result.route).map(Route::from);
                while let Some(search) = searches.get_mut(routes.len()) {
                    routes.push(progress.in_slices(|cells| search.advance(planner, grid, cells).map(route))?);
                }
                let second = routes.pop().flatten();
                let first = routes.pop().flatten();
                let free = routes.pop().flatten();
                let through = first.zip(second).map(|(first, second)| joined(first, &second));
                ControlFlow::Continue(Routes { rules: query.options.rules, free, through, depart: None })
            })
        },
    );
}

/// The routes with the earliest arrival, given the known future: the actual route, and the route through a cell.
fn routes_ahead(outlook: &Outlook, query: &RouteQuery, cell: Cell, depart: CrowdTime) -> Routes {
    let (mut planner, departure) = (Planner::new(), PACE.cost_in(depart));
    let mut route = |query: RouteQuery, departure| {
        let result = planner.plan_ahead(outlook, &query, departure).ok()?;
        Some(Route { cells: result.route?.iter().map(|stop| stop.cell).collect(), cost: result.duration()? })
    };
    let free = route(*query, departure);
    let through = route(query.with_goal(cell), departure).and_then(|first| {
        let second = route(query.with_start(cell), departure + first.cost)?;
        Some(joined(first, &second))
    });
    Routes { rules: query.options.rules, free, through, depart: Some(depart) }
}

/// The first route, continued by the second.
fn joined(mut first: Route, second: &Route) -> Route {
    first.cells.extend(second.cells.iter().skip(1));
    first.cost += second.cost;
    first
}
