//! Planning with announced changes.

use std::ops::ControlFlow;

use super::dispatch::MIN_CELLS_FOR_TABLES;
use super::{Planner, PlannerTables};
use crate::ahead::search::{Ended, TimedAim, TimedLimits, TimedMemory};
use crate::ahead::timed_steps::{FirstStep, TimedSteps};
use crate::ahead::timeline::NEVER;
use crate::ahead::{AheadResult, Outlook, Stop};
use crate::bounds::cell_box::CellBox;
use crate::bounds::link_bounds::LinkBounds;
use crate::budget::Budget;
use crate::grid::Cell;
use crate::query::unusable;
use crate::search::cell_set::{CellSet, CellSets};
use crate::search::heuristic::{Estimate, LinearDistance};
use crate::{CostGrid, Endpoint, LimitKind, Limits, MultiQuery, Options, QueryError, RouteCost, RouteQuery, StepRules};

/// A query that departs at a time, with what will change.
#[derive(Clone, Copy)]
struct AheadQuery<'a> {
    outlook: &'a Outlook,
    query: &'a MultiQuery<'a>,
    departure: u64,
}

impl<'a> AheadQuery<'a> {
    fn lowest(self) -> &'a CostGrid {
        self.outlook.lowest()
    }

    fn rules(self) -> StepRules {
        self.query.options.rules
    }

    fn limits(self) -> TimedLimits {
        let limits = self.query.limits;
        TimedLimits { latest: self.departure.saturating_add(limits.max_units()), max_expanded: limits.max_expanded() }
    }
}

/// The goals of a search, and a lower bound on the time from each cell to them.
struct Goals<'a, E> {
    cells: &'a CellSet,
    estimate: E,
}

impl<E: FnMut(usize) -> u64> TimedAim for Goals<'_, E> {
    fn estimate(&mut self, at: usize) -> u64 {
        (self.estimate)(at)
    }

    fn is_goal(&self, at: usize) -> bool {
        self.cells.contains(at)
    }
}

impl Planner {
    /// Answers a query by the route with the earliest arrival, given everything that is announced. All starts depart at
    /// `departure`. See the [module](crate::ahead) for the rules and an example.
    ///
    /// The query may be a [`RouteQuery`](crate::RouteQuery) or a [`MultiQuery`] with several starts and goals and cells to
    /// avoid. The answer is exact whatever algorithm the options name; their step rules count. Of the limits,
    /// [`max_cost`](crate::Limits::max_cost) limits the time from the departure to the arrival, with all waits,
    /// [`max_expansions`](crate::Limits::max_expansions) the work, and [`max_length`](crate::Limits::max_length) the steps
    /// of the answer. There are no partial routes, and blocked starts are not left.
    ///
    /// Goals may be blocked at the departure, if they are passable later: then the route waits.
    ///
    /// With one start and one goal, the route of [`plan`](Self::plan) on the grid of the [lowest](Outlook::lowest) costs
    /// comes first. If no change delays it, it is the answer, and has taken hardly longer. Otherwise a second search looks
    /// for an earlier arrival, from cell to cell. On a grid with [links](CostGrid::add_link) it uses no prepared tables.
    ///
    /// # Errors
    /// [`QueryError`] if no start can be used, because all of them are off the map or blocked at the departure; or no goal,
    /// because all of them are off the map, avoided, or blocked for ever.
    pub fn plan_ahead<'q>(
        &mut self,
        outlook: &Outlook,
        query: impl Into<MultiQuery<'q>>,
        departure: RouteCost,
    ) -> Result<AheadResult<'_>, QueryError> {
        let query = &query.into();
        let ahead = self.begin_ahead(outlook, query, departure)?;
        if !self.is_any_goal_reachable(ahead.lowest(), ahead.query) {
            return Ok(AheadResult { route: None, stopped_by: None, expanded: 0 });
        }
        let ended = match (ahead.query.starts, ahead.query.goals) {
            (&[from], &[to]) if ahead.query.avoided.is_empty() => self.plan_one_ahead(ahead, from, to),
            _ => self.plan_any_ahead(ahead),
        };
        Ok(self.ahead_result(ahead, ended))
    }

    /// The same from one start to one goal, without any shortcut: a search over cells and intervals alone, which
    /// reports its events to `aim`. A query is not refused because its goal is unreachable.
    pub(crate) fn watch_ahead(
        &mut self,
        outlook: &Outlook,
        query: &RouteQuery,
        departure: RouteCost,
        aim: &mut impl TimedAim,
    ) -> Result<AheadResult<'_>, QueryError> {
        let query = &MultiQuery::from(query);
        let ahead = self.begin_ahead(outlook, query, departure)?;
        let ended = search_timed((&mut self.timed, &mut self.stops), &self.sets, ahead, aim, ahead.limits());
        Ok(self.ahead_result(ahead, ended))
    }

    /// The answer that a search has found: how it has ended, the number of expansions, and its stops.
    fn ahead_result(&self, ahead: AheadQuery<'_>, (ended, expanded): (Ended, u64)) -> AheadResult<'_> {
        let departure = RouteCost::from_units(ahead.departure);
        let steps = self.stops.len().saturating_sub(1);
        let arrival = self.stops.last().map_or(departure, |stop| stop.arrival);
        let stopped_by = match ended {
            Ended::Found(_) => ahead.query.limits.broken_by(arrival - departure, steps),
            Ended::Unreachable => None,
            Ended::TooLate => Some(LimitKind::Cost),
            Ended::Stopped => Some(LimitKind::Expansions),
        };
        let is_route = matches!(ended, Ended::Found(_)) && stopped_by.is_none();
        AheadResult { route: is_route.then_some(&*self.stops), stopped_by, expanded }
    }

    /// Searches for the route with the earliest arrival from one of several starts to one of several goals, and writes it.
    fn plan_any_ahead(&mut self, ahead: AheadQuery<'_>) -> (Ended, u64) {
        let lowest = ahead.lowest();
        let Self { timed, stops, sets, .. } = self;
        let boxes = sets.goals.iter().map(|at| CellBox::of(lowest.cell(at)));
        let around = boxes.reduce(CellBox::union).unwrap_or_default();
        let distance = LinearDistance::lower_bound(lowest, ahead.rules());
        let estimate = |at| distance.between(CellBox::of(lowest.cell(at)).offset(around));
        let mut aim = Goals { cells: &sets.goals, estimate };
        search_timed((timed, stops), sets, ahead, &mut aim, ahead.limits())
    }

    /// The same from one start to one goal, both of which can be used.
    fn plan_one_ahead(&mut self, ahead: AheadQuery<'_>, from: Cell, to: Cell) -> (Ended, u64) {
        let AheadQuery { query: MultiQuery { options, limits, .. }, departure, .. } = ahead;
        let max_expanded = limits.max_expanded();
        let options = if options.optimal() { *options } else { Options::new().with_rules(options.rules) };
        let plain = RouteQuery::new(from, to).with_options(options).with_max_expansions(max_expanded);
        let plain = if max_expanded == u64::MAX { plain.with_limits(Limits::new()) } else { plain };
        let Ok(result) = self.plan(ahead.lowest(), &plain) else { return (Ended::Unreachable, 0) };
        let (expanded, stopped_by, cost) = (result.expanded, result.stopped_by, result.cost());
        let Some(cost) = cost else {
            return (stopped_by.map_or(Ended::Unreachable, |_| Ended::Stopped), expanded);
        };
        // The arrival along this route, if it does not get stuck.
        let Self { cells, stops, sets, .. } = &mut *self;
        let steps = TimedSteps::new(ahead.outlook, ahead.rules(), &sets.avoided);
        let (known, found) = (walk(steps, ahead.lowest(), cells, departure, stops), Ended::Found(0));
        if known == Some(departure.saturating_add(cost.units())) {
            // Nothing delays the route, so no other one arrives earlier.
            return (found, expanded);
        }
        let TimedLimits { latest, .. } = ahead.limits();
        // Only an earlier arrival is better.
        let latest = known.map_or(latest, |arrival| latest.min(arrival - 1));
        let timed_limits = TimedLimits { latest, max_expanded: max_expanded.saturating_sub(expanded) };
        let (ended, more) = self.search_one_ahead(ahead, from, to, timed_limits);
        let is_known = known.is_some_and(|arrival| arrival - departure <= limits.max_units());
        let ended = match ended {
            Ended::TooLate | Ended::Unreachable if is_known => found,
            ended => ended,
        };
        (ended, expanded + more)
    }

    /// Searches for an arrival within limits, with the best bounds that are there, and writes the route if there is one.
    fn search_one_ahead(&mut self, ahead: AheadQuery<'_>, from: Cell, to: Cell, limits: TimedLimits) -> (Ended, u64) {
        let (lowest, rules) = (ahead.lowest(), ahead.rules());
        let links = lowest.links_for(rules);
        let is_large = lowest.size().area() >= MIN_CELLS_FOR_TABLES || self.always_uses_tables;
        // Landmarks do not know links.
        let has_landmarks = is_large
            && links.is_none()
            && self.update_landmarks(lowest, rules, &mut Budget::new(Budget::UNLIMITED)) == ControlFlow::Continue(true);
        let Self { timed, stops, sets, tables: PlannerTables { landmarks, cheap_regions, .. }, .. } = self;
        let mut search = |bounds: &mut dyn Estimate| {
            let estimate = |at| bounds.for_cell(at, lowest.cell(at), to - lowest.cell(at));
            search_timed((timed, stops), sets, ahead, &mut Goals { cells: &sets.goals, estimate }, limits)
        };
        match (links, landmarks.as_deref_mut().filter(|_| has_landmarks)) {
            (Some(links), _) => search(&mut LinkBounds::new(lowest, rules.moves, links, to)),
            (None, Some(landmarks)) => search(&mut landmarks.bounds_to(lowest, lowest.index(to))),
            (None, None) => {
                cheap_regions.update(lowest);
                search(&mut cheap_regions.bounds(lowest, rules.moves, from, to))
            }
        }
    }

    /// Finds the starts and goals that can be used, and the cells to avoid; an error if there are no starts or no goals.
    fn begin_ahead<'a>(
        &mut self,
        outlook: &'a Outlook,
        query: &'a MultiQuery<'_>,
        departure: RouteCost,
    ) -> Result<AheadQuery<'a>, QueryError> {
        let grid = &**outlook.grid();
        super::check_weight(&query.options)?;
        self.paused = None;
        self.stops.clear();
        self.sets.begin(grid, query);
        let CellSets { starts, goals, avoided } = &mut self.sets;
        let can_start = |cell: &&Cell| outlook.cost_at(**cell, departure).is_some();
        starts.extend(query.starts.iter().filter(can_start).map(|&cell| grid.index(cell)));
        if starts.is_empty() {
            return Err(unusable(grid, Endpoint::Start, query.starts.first()));
        }
        let steps = TimedSteps::new(outlook, query.options.rules, avoided);
        let is_usable =
            |cell: Cell| grid.size().contains(cell) && steps.open_from(grid.index(cell), departure.units()) != NEVER;
        for &cell in query.goals.iter().filter(|&&cell| is_usable(cell)) {
            goals.insert(grid.index(cell));
        }
        if goals.is_empty() {
            return Err(unusable(grid, Endpoint::Goal, query.goals.first()));
        }
        Ok(AheadQuery { outlook, query, departure: departure.units() })
    }
}

/// Searches over cells and intervals, and writes the route if there is one.
fn search_timed(
    (memory, stops): (&mut TimedMemory, &mut Vec<Stop>),
    sets: &CellSets,
    ahead: AheadQuery<'_>,
    aim: &mut impl TimedAim,
    limits: TimedLimits,
) -> (Ended, u64) {
    let AheadQuery { outlook, departure, .. } = ahead;
    let steps = TimedSteps::new(outlook, ahead.rules(), &sets.avoided);
    let starts = sets.starts.iter().copied();
    let (ended, expanded) = memory.search(steps, outlook.timelines(), starts, departure, aim, limits);
    if let Ended::Found(number) = ended {
        let route_back = memory.route_back(number);
        stops.clear();
        stops.extend(route_back.map(|(at, arrival, leaves)| stop(outlook.grid().cell(at), arrival, leaves)));
        stops.reverse();
    }
    (ended, expanded)
}

/// Walks along cells as early as possible and writes the stops; returns the arrival, or `None` if it gets stuck, or would
/// wait for ages.
fn walk(steps: TimedSteps<'_>, grid: &CostGrid, cells: &[Cell], departure: u64, stops: &mut Vec<Stop>) -> Option<u64> {
    let mut time = departure;
    let mut open_until = steps.start_blocked_from(grid.index(*cells.first()?), time);
    for pair in cells.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|cell| grid.index(cell));
        let first = |way| match steps.first(from, way, time, open_until) {
            FirstStep::At(step) => Some(step),
            FirstStep::NotBefore(_) | FirstStep::Never => None,
        };
        let step = steps.ways_between(from, to).filter_map(first).min_by_key(|step| step.end)?;
        stops.push(stop(pair[0], time, step.start));
        (time, open_until) = (step.end, step.open_until);
    }
    stops.push(stop(*cells.last()?, time, time));
    Some(time)
}

fn stop(cell: Cell, arrival: u64, departure: u64) -> Stop {
    let [arrival, departure] = [arrival, departure].map(RouteCost::from_units);
    Stop { cell, arrival, departure }
}
