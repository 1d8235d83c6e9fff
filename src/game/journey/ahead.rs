//! The route of a traveller: a cheapest one, or, if changes are known to come, the route with the earliest arrival.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use emberwalk_jobs::planner::AskedRoute;
use emberwalk_jobs::{Instant, Job, Latest};
use emberwalk_map::Map;
use emberwalk_path::ahead::{Outlook, Stop};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Planner, Route, RouteCost, RouteSearch, Stamp};
use emberwalk_world::{Coming, PACE};

use super::planning::{FoundRoute, GridQuery, Planning, Reach, Urgency, coming};

/// A search that has expanded this many cells does not look ahead any further: it would take too long.
const MAX_EXPANSIONS: u64 = 4_000_000;

/// A traveller that is later than this, in seconds, is not on time.
const SLACK: f64 = 0.1;

/// A query for a route, given the known future.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::game) struct AheadQuery {
    /// The query for a route without it.
    pub now: GridQuery,
    coming: Coming,
    /// When the traveller sets out, on the clock of the world.
    departure: CrowdTime,
}

/// The times of a traveller on a route with the earliest arrival. All times are on the clock of the world, at its
/// normal pace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timetable {
    /// The cells of the route: when it arrives in each, and when it walks on.
    times: Vec<[CrowdTime; 2]>,
    /// The indices of the cells that become passable or blocked, or change their costs.
    changing: Vec<usize>,
    /// The arrival of a traveller that does not know the future; `None` for never.
    pub unaware: Option<CrowdTime>,
}

impl Timetable {
    fn new(stops: &[Stop], outlook: &Outlook, unaware: Option<RouteCost>) -> Self {
        let times = stops.iter().map(|stop| [stop.arrival, stop.departure].map(|time| PACE.time_of(time))).collect();
        let changes: HashSet<_> = outlook.forecast().cells().collect();
        let changing = (0..).zip(stops).filter(|(_, stop)| changes.contains(&stop.cell)).map(|(index, _)| index);
        Self { times, changing: changing.collect(), unaware: unaware.map(|time| PACE.time_of(time)) }
    }

    /// The times on the same route with this departure, if it is later than planned: the traveller waits for less long.
    /// A traveller that does not know the future is later by the same time.
    pub fn postponed(&self, departure: CrowdTime) -> Cow<'_, Self> {
        let mut late = departure - self.departure();
        if late == CrowdTime::ZERO {
            return Cow::Borrowed(self);
        }
        let mut postponed = self.clone();
        for [arrival, leaves] in &mut postponed.times {
            *arrival = *arrival + late;
            late = *arrival - *leaves;
            *leaves = *leaves + late;
        }
        postponed.unaware = self.unaware.map(|unaware| unaware + late);
        Cow::Owned(postponed)
    }

    /// When it sets out.
    pub fn departure(&self) -> CrowdTime {
        self.times.first().map_or(CrowdTime::ZERO, |[arrival, _]| *arrival)
    }

    /// When it arrives in a cell, by the index of the cell.
    pub fn arrival_in(&self, index: usize) -> Option<CrowdTime> {
        self.times.get(index).map(|[arrival, _]| *arrival)
    }

    /// Whether a traveller that is in a cell, or enters it, at a time is on time.
    pub(super) fn is_on_time(&self, index: usize, now: CrowdTime) -> bool {
        self.times.get(index).is_some_and(|[_, leaves]| now.seconds() <= leaves.seconds() + SLACK)
    }

    /// When it arrives at its end.
    pub fn arrival(&self) -> CrowdTime {
        self.times.last().map_or(CrowdTime::ZERO, |[arrival, _]| *arrival)
    }

    /// The cost from a time on, at which the traveller is in the cell with this index or enters it: all costs of the
    /// rest except waits.
    pub fn cost_from(&self, index: usize, now: CrowdTime) -> RouteCost {
        let left = self.waits_from(index).filter(|(_, [_, leaves])| *leaves > now);
        let waits = left.map(|(_, [arrival, leaves])| leaves - arrival.max(now));
        let left = self.arrival() - now;
        PACE.cost_in(left - waits.fold(CrowdTime::ZERO, |sum, wait| sum + wait))
    }

    /// Where it waits from a cell on, by the index of the cell, and from when until when.
    pub fn waits_from(&self, index: usize) -> impl Iterator<Item = (usize, [CrowdTime; 2])> {
        (0..)
            .zip(&self.times)
            .skip(index)
            .filter(|(_, [arrival, leaves])| arrival < leaves)
            .map(|(at, times)| (at, *times))
    }

    /// The index of the first cell from this one on in which it waits after `now`, or that changes.
    pub fn next_stop(&self, index: usize, now: CrowdTime) -> Option<usize> {
        let waits = self.waits_from(index).find(|(_, [_, leaves])| *leaves > now).map(|(at, _)| at);
        let changes = self.changing.iter().copied().find(|at| *at > index);
        waits.into_iter().chain(changes).min()
    }
}

/// The answer to a query for a route of a traveller.
#[derive(Clone, Debug, Default)]
pub(in crate::game) struct FoundTravel<'a> {
    /// The route.
    pub found: Cow<'a, FoundRoute>,
    /// Its times, if anything is coming.
    pub timetable: Option<Arc<Timetable>>,
}

/// Asks for one route after the other.
#[derive(Default)]
pub(in crate::game) struct AskedTravel {
    /// The routes that were asked for without a known future.
    plain: AskedRoute,
    ahead: Latest<AheadQuery, FoundTravel<'static>>,
    look: Arc<Mutex<LookAhead>>,
}

/// The data that one query about the future keeps for the next.
#[derive(Default)]
struct LookAhead {
    /// The last outlook, and its inputs: tables that were prepared for it serve again.
    outlook: Option<(Stamp, Coming, Outlook)>,
    /// A planner that knows the future, and a planner that does not.
    planner: Planner,
    unaware: Planner,
}

impl LookAhead {
    fn outlook(&mut self, map: &Map, coming: Coming, now: CrowdTime) -> Outlook {
        let stamp = map.costs().stamp();
        match &self.outlook {
            Some((known, same, outlook)) if (*known, *same) == (stamp, coming) => outlook.clone(),
            _ => {
                let outlook = coming.outlook(map, now);
                self.outlook = Some((stamp, coming, outlook.clone()));
                outlook
            }
        }
    }
}

impl AskedTravel {
    /// Whether a route is being planned.
    pub fn is_computing(&self) -> bool {
        self.plain.routes.is_computing() || self.ahead.is_computing()
    }

    /// Whether all changes until now have come as foreseen when the last route was planned, and nothing else is known
    /// to come.
    pub fn has_foreseen(&self, map: &Map, coming: Option<Coming>, now: CrowdTime) -> bool {
        let Ok(look) = self.look.try_lock() else { return false };
        let Some((stamp, known, outlook)) = &look.outlook else { return false };
        let time = PACE.cost_in(now);
        let is_as_known = |cell: Cell| map.costs().get(cell) == outlook.cost_at(cell, time);
        let changes = map.costs().changes_since(*stamp);
        known.from(now) == coming
            && changes.is_some_and(|mut changes| changes.all(|change| is_as_known(change.cell)))
            && outlook.forecast().cells().all(is_as_known)
    }

    /// Forgets the answer that is known.
    pub fn forget(&mut self) {
        self.plain.routes.take();
        self.ahead.take();
    }

    /// Asks for a route in every frame, until its answer is known, and returns an answer once it is there. The answer may be
    /// to an earlier query for a route to the same cell.
    pub fn follow(
        &mut self,
        planning: &mut Planning,
        urgency: Urgency,
        wanted: GridQuery,
    ) -> Option<(GridQuery, FoundTravel<'_>)> {
        let Some(coming) = planning.coming() else {
            if self.ahead.known().is_some() || self.ahead.is_computing() {
                // On a large map, the kept data takes much memory.
                (self.ahead, self.look) = <_>::default();
            }
            let rest = self.plain.routes.known().filter(|known| known.has_rest_of(&wanted)).copied();
            if !planning.follow(&mut self.plain, urgency, Some(rest.unwrap_or(wanted))) {
                return None;
            }
            // Nothing is known if the search has failed.
            let last = self.plain.routes.last();
            let last =
                last.map(|(query, found)| (*query, FoundTravel { found: Cow::Borrowed(found), timetable: None }));
            return Some(last.unwrap_or((wanted, FoundTravel::default())));
        };
        self.plain.routes = Latest::default();
        let is_same = |asked: &&AheadQuery| asked.now.has_rest_of(&wanted) && asked.coming == coming;
        let departure = planning.departure();
        let asked = self.ahead.next().filter(|next| is_same(next) && next.now == wanted);
        let asked = asked.or(self.ahead.known().filter(is_same)).copied();
        let query = asked.unwrap_or(AheadQuery { now: wanted, coming, departure });
        let jobs = planning.jobs.with_patience(planning.patience(urgency));
        let start = |query: &AheadQuery| planning.start_ahead(urgency, *query, self.look.clone());
        if !Latest::follow(&mut self.ahead, Some(query), &jobs, start) {
            return None;
        }
        let last = self.ahead.last().map(|(query, FoundTravel { found, timetable })| {
            (query.now, FoundTravel { found: Cow::Borrowed(found), timetable: timetable.clone() })
        });
        Some(last.unwrap_or((wanted, FoundTravel::default())))
    }
}

impl Planning<'_> {
    /// The known future, if travellers take it into account.
    pub fn coming(&self) -> Option<Coming> {
        coming(&self.map, self.options())
    }

    /// When the traveller can set out: now, or when its step is over.
    fn departure(&self) -> CrowdTime {
        let world = self.map.world();
        world.walker().and_then(|walker| walker.step()).map_or(world.clock(), |step| step.end.max(world.clock()))
    }

    /// Starts to plan the route with the earliest arrival. If there is none, the answer is the answer of a plain query,
    /// which may lead to the nearest reachable cell.
    fn start_ahead(
        &self,
        urgency: Urgency,
        query: AheadQuery,
        look: Arc<Mutex<LookAhead>>,
    ) -> Job<FoundTravel<'static>> {
        let map = self.map.map().clone();
        let mut plain = None;
        self.planner.start(urgency as u8, "Planning ahead", move |planner, progress| {
            let search = match &mut plain {
                Some(search) => search,
                None => {
                    // Planners are valid after each answer, even if another one has panicked.
                    let look = &mut look.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some(found) = plan_ahead(look, &map, &query) {
                        return ControlFlow::Continue(found);
                    }
                    plain.insert(RouteSearch::new(query.now.query.with_partial()))
                }
            };
            let result = progress.in_slices(|cells| {
                let result = search.advance(planner, map.costs(), cells);
                result.map(|result| result.map_or_else(|_| FoundRoute::default(), |result| FoundRoute::from(&result)))
            });
            ControlFlow::Continue(FoundTravel { found: Cow::Owned(result?), timetable: None })
        })
    }
}

/// The route with the earliest arrival, given the known future; `None` without one.
fn plan_ahead(look: &mut LookAhead, map: &Map, query: &AheadQuery) -> Option<FoundTravel<'static>> {
    let begun = Instant::now();
    let AheadQuery { now: GridQuery { query, .. }, coming, departure } = *query;
    let (outlook, departure) = (look.outlook(map, coming, departure), PACE.cost_in(departure));
    let LookAhead { planner, unaware, .. } = look;
    let result = planner.plan_ahead(&outlook, &query.with_max_expansions(MAX_EXPANSIONS), departure).ok()?;
    let (stops, expanded) = (result.route?, result.expanded);
    let cost = result.duration()? - result.waits();
    let route = Route { cells: result.cells().collect(), cost };
    let unaware = unaware.arrival_unaware(&outlook, &query, departure).ok()?;
    let timetable = Some(Arc::new(Timetable::new(stops, &outlook, unaware)));
    let found = FoundRoute { reach: Reach::Goal, route, expanded, time: begun.elapsed() };
    Some(FoundTravel { found: Cow::Owned(found), timetable })
}
