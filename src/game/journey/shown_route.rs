//! The route of the player's traveller as it is shown: to its goal, and after arrival from the cell where it set out.

use std::borrow::Cow;

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::world::open_map::OpenMap;
use emberwalk_jobs::planner::AskedRoute;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Options, Route, RouteCost, StepRules};
use emberwalk_world::PACE;

use super::ahead::Timetable;
use super::goal::TravellerGoal;
use super::planned_route::{News, PlanRoute, PlannedRoute, log_route};
use super::planning::{GridQuery, Planning, Reach, Urgency};
use super::trail::Trail;
use super::traveller::{Player, Traveller};

/// The route from the cell where a traveller set out to the cell where it has arrived. It is planned only if the route
/// to the goal began elsewhere, or if the terrain or the options have changed. It counts as changed when it is planned.
#[derive(Component, Default)]
pub(in crate::game) struct WalkedRoute {
    /// The cell of the traveller when its goal was set, or in which it waits to be sent there.
    set_out: Option<Cell>,
    /// The query that the shown route answers.
    shown: Option<GridQuery>,
    /// The route, while it is shown instead of the route to the goal.
    route: Option<Route>,
    /// Whether the route is the trail of the traveller, which is not planned.
    is_trail: bool,
    asked: AskedRoute,
}

impl WalkedRoute {
    /// The cell in which the traveller was when its goal was set, or in which it waits to be sent there.
    pub fn set_out(&self) -> Option<Cell> {
        self.set_out
    }

    /// The query that the shown route answers.
    pub fn shown(&self) -> Option<GridQuery> {
        self.shown
    }
}

/// The route that is shown.
#[derive(QueryData)]
pub struct ShownRoute {
    goal: &'static TravellerGoal,
    traveller: Traveller,
    planned: Ref<'static, PlannedRoute>,
    walked: Ref<'static, WalkedRoute>,
}

impl ShownRouteItem<'_, '_> {
    /// The target that the route reaches.
    pub fn reach(&self) -> Reach {
        self.planned.reach()
    }

    /// The times of the traveller on it, if changes are known to come.
    pub fn timetable(&self) -> Option<&Timetable> {
        self.planned.timetable().filter(|_| self.walked().is_none()).map(|timetable| &**timetable)
    }

    fn walked(&self) -> Option<&Route> {
        self.walked.route.as_ref()
    }

    /// The whole route, from where it was planned to its end; empty if it leads nowhere.
    pub fn cells(&self) -> &[Cell] {
        self.walked().map_or_else(|| self.planned.cells(), |walked| &walked.cells)
    }

    /// The cost of the whole route, in grass tiles.
    pub fn cost(&self) -> f64 {
        self.walked().map_or_else(|| self.planned.cost(), |walked| walked.cost).tiles()
    }

    /// The index of the cell in which the traveller stands, or which it is entering.
    pub(in crate::game) fn index(&self) -> usize {
        self.walked().map_or_else(|| self.planned.index(), |walked| walked.cells.len().saturating_sub(1))
    }

    /// Whether it is the trail of the traveller, which is not planned.
    pub(in crate::game) fn is_trail(&self) -> bool {
        self.walked().is_some() && self.walked.is_trail
    }

    /// Whether the end of the route has been reached.
    pub fn has_arrived(&self) -> bool {
        self.traveller.has_arrived()
    }

    /// Whether a route is being planned in the background. Until it is known, the old one is shown.
    pub fn is_planning(&self) -> bool {
        self.planned.is_planning() || self.walked.asked.routes.is_computing()
    }

    /// Whether it was planned again since the system last ran.
    pub(in crate::game) fn is_changed(&self) -> bool {
        self.planned.is_changed() || self.walked.is_changed()
    }

    /// Whether the route leads to the current goal, and was planned with these options.
    pub(in crate::game) fn answers(&self, options: Options) -> bool {
        let leads_there = |shown: &GridQuery| self.has_arrived() || Some(shown.query.to) == self.goal.cell;
        self.walked.shown.is_some_and(|shown| shown.query.options == options && leads_there(&shown))
    }

    /// The rest of the route: the cell that the traveller stands in or enters, and the cells after it.
    pub(in crate::game) fn cells_to_go(&self) -> &[Cell] {
        self.cells().get(self.index()..).unwrap_or_default()
    }

    /// The cost of the steps that the traveller has not begun, in grass tiles. If changes are known to come, it is
    /// their cost when the traveller walks them, with the rest of the current step. `None` if the map has changed and a
    /// step is no longer possible.
    pub(in crate::game) fn cost_to_go(&self, map: &OpenMap, rules: StepRules) -> Option<f64> {
        if let Some(timetable) = self.timetable() {
            return Some(timetable.cost_from(self.index(), self.counts_from(map, timetable)).tiles());
        }
        let step_cost = |step: &[Cell]| rules.step_cost(map.costs(), step[0], step[1]);
        self.cells_to_go().windows(2).map(step_cost).sum::<Option<RouteCost>>().map(RouteCost::tiles)
    }

    /// The seconds that the traveller still has to walk at the normal speed, and to wait.
    pub(in crate::game) fn seconds_to_go(&self, map: &OpenMap, rules: StepRules) -> f64 {
        if let Some((now, timetable)) = self.timetable_from_now(map) {
            return (timetable.arrival() - now).seconds();
        }
        let seconds = |from, to| PACE.of_step(map.costs(), rules, from, to).seconds();
        let rest: f64 = self.cells_to_go().windows(2).map(|step| seconds(step[0], step[1])).sum();
        let current = self.traveller.leaving().zip(self.traveller.origin());
        rest + current.map_or(0.0, |((from, done), into)| (1.0 - done) * seconds(from, into))
    }

    /// The times of the traveller on it, if changes are known to come, and the current time. A traveller that is not
    /// sent yet would set out now, however long ago its route was planned.
    pub(in crate::game) fn timetable_from_now(&self, map: &OpenMap) -> Option<(CrowdTime, Cow<'_, Timetable>)> {
        let timetable = self.timetable()?;
        let now = map.world().clock();
        Some(match self.goal.sent {
            true => (now, Cow::Borrowed(timetable)),
            false => (now.max(timetable.departure()), timetable.postponed(now)),
        })
    }

    /// The time from which its timetable is counted: now, or, if the traveller is not sent yet, its planned departure.
    pub(in crate::game) fn counts_from(&self, map: &OpenMap, timetable: &Timetable) -> CrowdTime {
        if self.goal.sent { map.world().clock() } else { timetable.departure() }
    }

    /// The number of steps that the traveller has walked, with the completed fraction of the current step.
    pub(in crate::game) fn steps_walked(&self) -> f64 {
        let ahead = self.traveller.leaving().map_or(0.0, |(_, done)| 1.0 - done);
        self.index() as f64 - ahead
    }
}

pub(super) fn plugin(app: &mut App) {
    app.register_required_components::<Player, WalkedRoute>();
    app.add_systems(
        Update,
        (set_out, show_planned, plan_walked_routes).chain().after(PlanRoute).in_set(AppSystems::Plan),
    );
}

type NewJourney = (Ref<'static, TravellerGoal>, Traveller, &'static mut WalkedRoute);

/// Notes where travellers set out for their goals.
fn set_out(mut journeys: Query<NewJourney>) {
    for (goal, traveller, mut walked) in &mut journeys {
        if goal.is_changed() || !goal.sent {
            walked.bypass_change_detection().set_out = traveller.origin();
        }
    }
}

/// Shows the route to the goal when it is planned.
fn show_planned(player: Single<(&mut PlannedRoute, &mut WalkedRoute), With<Player>>) {
    let (mut planned, mut walked) = player.into_inner();
    let News { was_put, answers } = planned.bypass_change_detection().take_news();
    if was_put || answers.is_some() {
        (walked.route, walked.shown) = (None, answers);
    }
}

/// Plans the walked routes that are to be shown.
pub(super) fn plan_walked_routes(
    mut planning: Planning,
    trail: Res<Trail>,
    mut travellers: Query<(&TravellerGoal, Traveller, &PlannedRoute, &mut WalkedRoute)>,
) {
    for (goal, traveller, planned, mut walked) in &mut travellers {
        let at = traveller.origin().filter(|_| traveller.has_arrived());
        // A traveller that waits near an unreachable goal first has to know whether it is still unreachable.
        let at = at.zip(goal.cell).filter(|(at, goal)| at == goal || !planned.is_planning()).map(|(at, _)| at);
        let start = walked.set_out.zip(at).filter(|_| planned.timetable().is_some());
        if let Some((start, at)) = start.filter(|(start, _)| trail.first() == Some(*start))
            && walked.shown.is_some_and(|shown| shown.query.from != start && shown.query.to == at)
        {
            // Changes announced on the way have come, so no other route to this cell would tell how it was walked.
            let route = Route { cells: trail.cells().collect(), cost: trail.cost() };
            (walked.route, walked.shown, walked.is_trail) = (Some(route), Some(planning.query(start, at)), true);
        }
        loop {
            let WalkedRoute { set_out, shown, asked, .. } = walked.bypass_change_detection();
            let wanted = at.and_then(|at| {
                let start = set_out.filter(|start| planning.map.costs().is_passable(*start));
                let wanted = planning.query(start.unwrap_or(at), at);
                let is_shown =
                    shown.is_some_and(|shown| shown.grid == wanted.grid && shown.query.with_goal(at) == wanted.query);
                (!is_shown).then_some(wanted)
            });
            if !planning.follow(asked, Urgency::Route, wanted) {
                break;
            }
            let Some((&query, found)) = asked.routes.last() else { continue };
            let route = if found.reach == Reach::Goal { found.route.clone() } else { Route::default() };
            log_route(&query, found);
            (walked.route, walked.shown, walked.is_trail) = (Some(route), Some(query), false);
        }
    }
}
