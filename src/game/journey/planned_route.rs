//! The route of the player's traveller to its goal, which is planned in the background.

use std::sync::Arc;

use bevy::prelude::*;
use tracing::info;

use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Options, Route, RouteCost, RouteQuery, Stamp};
use emberwalk_world::Coming;

use super::ahead::{AskedTravel, FoundTravel, Timetable};
use super::goal::TravellerGoal;
use super::planning::{FoundRoute, GridQuery, Planning, Reach, Urgency};
use super::traveller::{Player, Traveller};

/// The route of the player's traveller, from where it was planned to its end. It counts as changed when it is planned
/// again, not when the traveller takes a step. It stays until another route is known, even after another goal was set.
#[derive(Component, Default)]
pub(in crate::game) struct PlannedRoute {
    progress: Progress,
    /// Whether the route leads to the current goal, or it is known that there is none.
    is_known: bool,
    /// Whether to plan it again, whatever has changed.
    is_outdated: bool,
    /// The state of the map, the options, and the known future when it was last planned.
    planned_for: (Stamp, Options, Option<Coming>),
    /// When it was last planned, on the clock of the world, and for how long it is not refreshed.
    planned_at: CrowdTime,
    pause: CrowdTime,
    /// When its refresh was asked for, on the clock of the world: the route of a traveller that is not sent yet is being
    /// planned again only because it would set out later. Until the answer is there, the known route is as good.
    refreshing_since: Option<CrowdTime>,
    asked: AskedTravel,
    /// The changes to show; [taken](Self::take_news) once.
    news: News,
}

/// Changes to a planned route that the display must pick up.
#[derive(Default)]
pub(super) struct News {
    /// Whether the traveller was put elsewhere: its old route is not shown any more.
    pub was_put: bool,
    /// The route answers this query now.
    pub answers: Option<GridQuery>,
}

/// A route, and how far the traveller has come.
#[derive(Default)]
struct Progress {
    route: Route,
    reach: Reach,
    /// The index of the cell in which the traveller stands, or which it enters.
    index: usize,
    /// Its times, if changes were known to come when it was planned.
    timetable: Option<Arc<Timetable>>,
}

impl PlannedRoute {
    /// Where it leads.
    pub fn reach(&self) -> Reach {
        self.progress.reach
    }

    /// All its cells; empty if it leads nowhere.
    pub fn cells(&self) -> &[Cell] {
        &self.progress.route.cells
    }

    /// The cost of all of it.
    pub fn cost(&self) -> RouteCost {
        self.progress.route.cost
    }

    /// How many of its steps the traveller has begun.
    pub fn index(&self) -> usize {
        self.progress.index
    }

    /// The times of the traveller on it, if changes were known to come when it was planned.
    pub fn timetable(&self) -> Option<&Arc<Timetable>> {
        self.progress.timetable.as_ref()
    }

    /// Where the traveller still waits, by the index of the cell [ahead](Self::ahead), and until when.
    pub fn waits_ahead(&self, now: CrowdTime) -> impl Iterator<Item = (usize, CrowdTime)> {
        let Progress { index, timetable, .. } = &self.progress;
        let waits = timetable.iter().flat_map(|timetable| timetable.waits_from(*index));
        waits.map(move |(at, [_, until])| (at - index, until)).filter(move |(_, until)| *until > now)
    }

    /// Whether another route is being planned, because something has changed.
    pub fn is_planning(&self) -> bool {
        self.asked.is_computing() && self.refreshing_since.is_none()
    }

    /// Whether it should be refreshed at a time, if this is useful.
    fn is_old(&self, time: CrowdTime) -> bool {
        let is_recent = self.planned_at <= time && time < self.planned_at + LOOK_AGAIN.max(self.pause);
        self.refreshing_since.is_some() || !is_recent
    }

    /// The cells ahead, from the cell that the traveller stands in or enters.
    pub fn ahead(&self) -> &[Cell] {
        self.progress.route.cells.get(self.progress.index..).unwrap_or_default()
    }

    /// Whether the route leads to the current goal, or it is known that there is none.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// Whether the route is known, and the traveller is where it should be at this time.
    pub fn is_on_time(&self, now: CrowdTime) -> bool {
        let Progress { index, timetable, .. } = &self.progress;
        self.is_known && timetable.as_ref().is_none_or(|timetable| timetable.is_on_time(*index, now))
    }

    /// The traveller is put elsewhere: the route is planned again from there.
    pub fn put_elsewhere(&mut self) {
        self.begin();
        self.news = News { was_put: true, answers: None };
    }

    /// The route is planned again.
    fn begin(&mut self) {
        (self.is_known, self.is_outdated, self.refreshing_since) = (false, true, None);
        self.asked.forget();
    }

    /// Its changes since the last call.
    pub(super) fn take_news(&mut self) -> News {
        std::mem::take(&mut self.news)
    }

    /// Notes the cell that the traveller stands in or enters.
    pub fn follow(&mut self, at: Cell) {
        match self.ahead().iter().position(|cell| *cell == at) {
            Some(steps) => self.progress.index += steps,
            None if self.is_outdated || self.progress.route.cells.is_empty() => {}
            None => {
                // The answer that is known leads elsewhere, too.
                self.is_outdated = true;
                self.asked.forget();
            }
        }
    }

    /// Whether all changes since were known when it was planned, and the traveller is on time.
    fn has_foreseen(&self, planning: &Planning) -> bool {
        let (map, now) = (&planning.map, planning.map.world().clock());
        let has_times = self.progress.timetable.is_some();
        has_times && self.is_on_time(now) && !self.is_planning() && self.asked.has_foreseen(map, planning.coming(), now)
    }

    /// There is no goal. It counts as changed only if there was a route.
    fn clear(this: &mut Mut<Self>) {
        if !this.cells().is_empty() {
            this.progress.clear();
        }
        let this = this.bypass_change_detection();
        this.is_known = true;
        this.asked.forget();
    }
}

impl Progress {
    /// Takes an answer for a traveller that is in this cell, or enters it.
    fn take(&mut self, FoundTravel { found, timetable }: &FoundTravel, from: Cell, has_arrived: bool) -> Taken {
        let cells = &found.route.cells;
        let Some(index) = cells.iter().position(|cell| *cell == from) else {
            if !cells.is_empty() {
                return Taken::LeadsElsewhere;
            }
            self.clear();
            return if has_arrived { Taken::Stays } else { Taken::IsShown };
        };
        if has_arrived && index + 1 == cells.len() {
            self.reach = found.reach;
            return Taken::Stays;
        }
        self.route.assign(found.route.as_route_ref());
        (self.reach, self.index, self.timetable) = (found.reach, index, timetable.clone());
        Taken::IsShown
    }

    fn clear(&mut self) {
        self.route.clear();
        (self.reach, self.index, self.timetable) = (Reach::Nowhere, 0, None);
    }
}

/// The result of an answer.
enum Taken {
    IsShown,
    /// A traveller that has arrived, and stays, keeps the route that it has walked.
    Stays,
    /// While the route was planned, the traveller has followed the old one to a cell that is not on it.
    LeadsElsewhere,
}

/// While changes are announced, the route of a traveller that is not sent yet is refreshed after this time, or after
/// `REST` times the planning time. More often would be too much: other plugins use the planner, too, and a browser
/// stops while it plans.
const LOOK_AGAIN: CrowdTime = CrowdTime::SECOND;
const REST: f64 = 9.0;

pub(super) fn plugin(app: &mut App) {
    app.register_required_components::<Player, PlannedRoute>();
}

/// The route of the player's traveller is planned, and becomes an order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::game) struct PlanRoute;

type Planned = (&'static TravellerGoal, Traveller, &'static mut PlannedRoute);

/// Drops the route to another goal.
pub(super) fn begin(planned: Single<&mut PlannedRoute, (With<Player>, Changed<TravellerGoal>)>) {
    planned.into_inner().bypass_change_detection().begin();
}

/// Plans the route again if the goal, the map, the options or the known future have changed.
pub(super) fn plan(mut planning: Planning, player: Single<Planned, With<Player>>) {
    let (goal, traveller, mut planned) = player.into_inner();
    let options = planning.options();
    let coming = planning.coming();
    let now = (planning.map.costs().stamp(), options, coming);
    let Some((from, to)) = traveller.origin().zip(goal.cell) else {
        PlannedRoute::clear(&mut planned);
        return;
    };
    let time = planning.map.world().clock();
    let has_changed = planned.is_outdated || planned.planned_for != now;
    if !has_changed && (coming.is_none() || goal.sent || !planned.is_old(time)) {
        return;
    }
    if goal.sent && !planned.is_outdated && planned.planned_for.1 == options && planned.has_foreseen(&planning) {
        // It is still the route with the earliest arrival, with the known cost.
        let query = planned.cells().first().map(|start| planning.query(*start, to));
        let planned = planned.bypass_change_detection();
        (planned.planned_for, planned.news.answers) = (now, query);
        return;
    }
    // A traveller that is there stays there, whatever changes.
    let has_arrived = traveller.has_arrived();
    if !(has_arrived && from == to && planned.is_known) {
        let this = planned.bypass_change_detection();
        if has_changed {
            (this.is_outdated, this.planned_for, this.refreshing_since) = (true, now, None);
        } else if this.refreshing_since.is_none() {
            this.refreshing_since = Some(time);
            this.asked.forget();
        }
        let urgency = if this.refreshing_since.is_some() { Urgency::Refresh } else { Urgency::Route };
        let mut is_other = false;
        loop {
            let wanted = planning.query(from, to);
            let Some((query, found)) = this.asked.follow(&mut planning, urgency, wanted) else { break };
            match this.progress.take(&found, from, has_arrived) {
                Taken::IsShown => this.news.answers = Some(query),
                Taken::Stays => {}
                Taken::LeadsElsewhere => {
                    this.asked.forget();
                    continue;
                }
            }
            log_route(&query, &found.found);
            (this.is_known, is_other) = (true, true);
        }
        if is_other {
            planned.set_changed();
        }
        if planned.asked.is_computing() {
            return;
        }
    } else if planned.asked.is_computing() {
        planned.bypass_change_detection().asked.forget();
    }
    let planned = planned.bypass_change_detection();
    let took = planned.refreshing_since.take().map_or(CrowdTime::ZERO, |since| time - since);
    planned.pause = CrowdTime::from_seconds(REST * took.seconds());
    (planned.is_outdated, planned.planned_for, planned.planned_at) = (false, now, time);
}

/// Logs the answer to a query.
pub(super) fn log_route(GridQuery { query: RouteQuery { from, to, .. }, .. }: &GridQuery, found: &FoundRoute) {
    let FoundRoute { reach, route, expanded, time, .. } = found;
    if *reach == Reach::Goal {
        let (cost, cells, micros) = (format_args!("{:.3}", route.cost.tiles()), route.cells.len(), time.as_micros());
        info!(%from, %to, %cost, cells, expanded, micros, "route found");
    } else {
        let nearest = route.cells.last().unwrap_or(from);
        info!(%from, %to, %nearest, "no route");
    }
}
