//! The planner that knows what is coming.

use std::ops::ControlFlow;

use super::dispatch::MIN_CELLS_FOR_TABLES;
use super::{Planner, PlannerTables};
use crate::ahead::jump_search::{self, JumpQuery, NearChanges};
use crate::ahead::search::{Ended, TimedAim, TimedLimits, TimedMemory};
use crate::ahead::timed_steps::{FirstStep, TimedSteps};
use crate::ahead::timeline::NEVER;
use crate::ahead::{AheadMemory, AheadResult, Outlook, Stop};
use crate::bounds::cell_box::CellBox;
use crate::bounds::link_bounds::LinkBounds;
use crate::budget::Budget;
use crate::grid::Cell;
use crate::search::cell_set::{CellSet, CellSets};
use crate::search::heuristic::{Estimate, LinearDistance, NoEstimate};
use crate::search::jumps::jump_points::JumpPoints;
use crate::search::memory::{Endpoints, Memory};
use crate::{CostGrid, Endpoint, LimitKind, Limits, MultiQuery, Options, QueryError, RouteCost, RouteQuery, StepRules};

/// A route that takes longer is not worth a search over jump points, whose labels are limited.
const LONGEST: u64 = 1 << 50;

/// The search for the first of several goals.
struct FirstGoal<'a> {
    grid: &'a CostGrid,
    goals: &'a CellSet,
    /// A box around the goals.
    around: CellBox,
    /// The distance, unless links make it no lower bound.
    distance: Option<LinearDistance>,
}

impl TimedAim for FirstGoal<'_> {
    fn estimate(&mut self, at: usize) -> u64 {
        let Some(distance) = self.distance else { return 0 };
        distance.between(CellBox::of(self.grid.cell(at)).offset(self.around))
    }

    fn is_goal(&self, at: usize) -> bool {
        self.goals.contains(at)
    }
}

/// The search for one goal with better bounds.
struct OneGoal<'a, E> {
    grid: &'a CostGrid,
    goal: usize,
    estimate: E,
}

impl<E: Estimate> TimedAim for OneGoal<'_, E> {
    fn estimate(&mut self, at: usize) -> u64 {
        let cell = self.grid.cell(at);
        self.estimate.for_cell(at, cell, self.grid.cell(self.goal) - cell)
    }

    fn is_goal(&self, at: usize) -> bool {
        at == self.goal
    }
}

/// The route on the grid of the lowest costs, and what becomes of it with the changes.
#[derive(Clone, Copy)]
enum Lowest {
    /// Nothing delays it, so no route arrives earlier.
    IsEarliest,
    /// It arrives at this time.
    Arrives(u64),
    /// It does not arrive.
    Stuck,
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
    /// for an earlier arrival. If that route does not get through, a search for one that takes no more than twice its cost
    /// comes before one without a bound. With eight moves and [`Corners::Never`](crate::Corners::Never) it goes over jump points where
    /// nothing changes; for that, the first query on an outlook needs O(cells), and 16 bytes per cell. On a grid with
    /// [links](CostGrid::add_link) it goes from cell to cell, and uses no prepared tables.
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
        let query = query.into();
        self.paused = None;
        self.find_ends_ahead(outlook, &query, departure)?;
        let lowest = &**outlook.lowest();
        if !self.is_any_goal_reachable(lowest, &query) {
            return Ok(AheadResult { route: None, stopped_by: None, expanded: 0 });
        }
        self.stops.clear();
        let (ended, expanded) = match (query.starts, query.goals) {
            (&[from], &[to]) if query.avoided.is_empty() => self.plan_one_ahead(outlook, &query, (from, to), departure),
            _ => self.plan_any_ahead(outlook, &query, departure),
        };
        Ok(self.ahead_result(query.limits, departure, (ended, expanded)))
    }

    /// The same from one start to one goal, without all that makes it faster: a search over cells and intervals alone, which
    /// tells `aim` what it does. A query is not refused because its goal is unreachable.
    pub(crate) fn watch_ahead(
        &mut self,
        outlook: &Outlook,
        query: &RouteQuery,
        departure: RouteCost,
        aim: &mut impl TimedAim,
    ) -> Result<AheadResult<'_>, QueryError> {
        let query = MultiQuery::from(query);
        self.paused = None;
        self.find_ends_ahead(outlook, &query, departure)?;
        self.stops.clear();
        let ended = self.search_timed(outlook, &query, departure, aim);
        Ok(self.ahead_result(query.limits, departure, ended))
    }

    /// The answer that a search has found: how it has ended, the number of expansions, and its stops.
    fn ahead_result(&self, limits: Limits, departure: RouteCost, (ended, expanded): (Ended, u64)) -> AheadResult<'_> {
        let steps = self.stops.len().saturating_sub(1);
        let arrival = self.stops.last().map_or(departure, |stop| stop.arrival);
        let stopped_by = match ended {
            Ended::Found(_) => limits.broken_by(arrival - departure, steps),
            Ended::Unreachable => None,
            Ended::TooLate => Some(LimitKind::Cost),
            Ended::Stopped => Some(LimitKind::Expansions),
        };
        let is_route = matches!(ended, Ended::Found(_)) && stopped_by.is_none();
        AheadResult { route: is_route.then_some(&*self.stops), stopped_by, expanded }
    }

    /// Searches for the route with the earliest arrival from one of several starts to one of several goals, and writes it.
    fn plan_any_ahead(&mut self, outlook: &Outlook, query: &MultiQuery<'_>, departure: RouteCost) -> (Ended, u64) {
        let (grid, lowest) = (&**outlook.grid(), &**outlook.lowest());
        let goals = std::mem::take(&mut self.sets.goals);
        let boxes = goals.iter().map(|at| CellBox::of(grid.cell(at)));
        let around = boxes.reduce(CellBox::union).unwrap_or_default();
        let rules = query.options.rules;
        let distance = lowest.links_for(rules).is_none().then(|| LinearDistance::at_min_cost(lowest, rules.moves));
        let ended =
            self.search_timed(outlook, query, departure, &mut FirstGoal { grid, goals: &goals, around, distance });
        self.sets.goals = goals;
        ended
    }

    /// Searches over cells and intervals, and writes the route if there is one.
    fn search_timed(
        &mut self,
        outlook: &Outlook,
        query: &MultiQuery<'_>,
        departure: RouteCost,
        aim: &mut impl TimedAim,
    ) -> (Ended, u64) {
        let Self { ahead: memory, stops, sets: CellSets { starts, avoided, .. }, .. } = self;
        let steps = TimedSteps::new(outlook, query.options.rules, avoided);
        let limits = TimedLimits {
            latest: departure.units().saturating_add(query.limits.max_units()),
            max_expanded: query.limits.max_expanded(),
        };
        let (timelines, starts) = (outlook.timelines(), starts.iter().copied());
        let (ended, expanded) = memory.timed.search(steps, timelines, starts, departure.units(), aim, limits);
        if let Ended::Found(number) = ended {
            write_route(&memory.timed, number, outlook.grid(), stops);
        }
        (ended, expanded)
    }

    /// The same from one start to one goal, both of which can be used.
    fn plan_one_ahead(
        &mut self,
        outlook: &Outlook,
        query: &MultiQuery<'_>,
        (from, to): (Cell, Cell),
        departure: RouteCost,
    ) -> (Ended, u64) {
        let (lowest, rules, departure) = (&**outlook.lowest(), query.options.rules, departure.units());
        let max_expanded = query.limits.max_expanded();
        let options = if query.options.optimal() { query.options } else { Options::new().with_rules(rules) };
        let plain = RouteQuery::new(from, to).with_options(options).with_max_expansions(max_expanded);
        let plain = if max_expanded == u64::MAX { plain.with_limits(Limits::new()) } else { plain };
        let Ok(result) = self.plan(lowest, &plain) else { return (Ended::Unreachable, 0) };
        let (expanded, stopped_by, cost) = (result.expanded, result.stopped_by, result.cost());
        let Some(cost) = cost else {
            return (stopped_by.map_or(Ended::Unreachable, |_| Ended::Stopped), expanded);
        };
        let (known, found) = (self.walk_lowest(outlook, query, departure, cost), Ended::Found(0));
        let latest = departure.saturating_add(query.limits.max_units());
        let (latest, tried_first) = match known {
            Lowest::IsEarliest => return (found, expanded),
            // Only an earlier arrival is better.
            Lowest::Arrives(arrival) => (latest.min(arrival - 1), latest.min(arrival - 1)),
            // Few detours are twice as long, and the search over jump points needs a bound.
            Lowest::Stuck => (latest, latest.min(departure.saturating_add(cost.units().saturating_mul(2)))),
        };
        let mut more = 0;
        let mut search = |planner: &mut Self, latest| {
            let limits = TimedLimits { latest, max_expanded: max_expanded.saturating_sub(expanded + more) };
            let (ended, expanded) = planner.search_one_ahead(outlook, query, (from, to), departure, limits);
            more += expanded;
            ended
        };
        let mut ended = search(self, tried_first);
        if tried_first < latest && matches!(ended, Ended::TooLate | Ended::Unreachable) {
            ended = search(self, latest);
        }
        let is_known = matches!(known, Lowest::Arrives(arrival) if arrival - departure <= query.limits.max_units());
        let ended = match ended {
            Ended::TooLate | Ended::Unreachable if is_known => found,
            Ended::Unreachable if query.limits.max_cost.is_some() => Ended::TooLate,
            ended => ended,
        };
        (ended, expanded + more)
    }

    /// Walks along the plain route on the grid of the lowest costs, which has this cost, and writes the stops.
    fn walk_lowest(&mut self, outlook: &Outlook, query: &MultiQuery<'_>, departure: u64, cost: RouteCost) -> Lowest {
        let (rules, lowest) = (query.options.rules, &**outlook.lowest());
        let Self { cells, stops, sets, .. } = self;
        if outlook.timelines().len() == 0 && outlook.has_plain_steps() {
            let mut time = departure;
            for (k, &cell) in cells.iter().enumerate() {
                if k > 0 {
                    time = time.saturating_add(rules.cost_of_steps(lowest, &cells[k - 1..=k]).units());
                }
                stops.push(stop(cell, time, time));
            }
            return Lowest::IsEarliest;
        }
        let steps = TimedSteps::new(outlook, rules, &sets.avoided);
        let route = cells.iter().map(|&cell| (cell, None));
        match walk(steps, lowest, route, departure, stops) {
            Some(arrival) if arrival == departure.saturating_add(cost.units()) => Lowest::IsEarliest,
            Some(arrival) => Lowest::Arrives(arrival),
            None => Lowest::Stuck,
        }
    }

    /// Searches for an arrival within limits, with the best bounds that are there, and writes the route if there is one.
    fn search_one_ahead(
        &mut self,
        outlook: &Outlook,
        query: &MultiQuery<'_>,
        (from, to): (Cell, Cell),
        departure: u64,
        limits: TimedLimits,
    ) -> (Ended, u64) {
        let (lowest, rules) = (&**outlook.lowest(), query.options.rules);
        let endpoints = Endpoints { start: lowest.index(from), goal: lowest.index(to) };
        let links = lowest.links_for(rules);
        let is_large = lowest.size().area() >= MIN_CELLS_FOR_TABLES || self.always_uses_tables;
        // Neither landmarks nor jump points know links.
        let has_tables = is_large && links.is_none();
        let budget = &mut Budget::new(Budget::UNLIMITED);
        let has_landmarks = has_tables && self.update_landmarks(lowest, rules, budget) == ControlFlow::Continue(true);
        let has_jumps = limits.latest - departure.min(limits.latest) < LONGEST
            && has_tables
            && outlook.has_plain_steps()
            && self.update_jump_points(lowest, rules, budget) == ControlFlow::Continue(true);
        if has_jumps
            && let Some(points) = &self.tables.jump_points
            && self.near_changes.as_ref().is_none_or(|near| !near.are_for(outlook))
        {
            self.near_changes = Some(NearChanges::new(outlook, points).into());
        }
        let Self { memory, ahead, stops, sets, tables, near_changes, .. } = self;
        let PlannerTables { landmarks, jump_points, cheap_regions, .. } = tables;
        let points = jump_points.as_deref().zip(near_changes.as_deref()).filter(|_| has_jumps);
        let search = SearchOne { outlook, rules, endpoints, departure, limits, points, avoided: &sets.avoided };
        let found = (memory, ahead, stops);
        if let Some(links) = links {
            return match LinkBounds::new(lowest, rules.moves, links, to) {
                Some(bounds) => search.run(found, bounds),
                None => search.run(found, NoEstimate),
            };
        }
        match landmarks.as_deref_mut().filter(|_| has_landmarks) {
            Some(landmarks) => search.run(found, landmarks.bounds_to(lowest, endpoints.goal)),
            None => {
                cheap_regions.update(lowest);
                search.run(found, cheap_regions.bounds(lowest, rules.moves, from, to))
            }
        }
    }

    /// Finds the starts and goals that can be used, and the cells to avoid; an error if there are no starts or no goals.
    fn find_ends_ahead(
        &mut self,
        outlook: &Outlook,
        query: &MultiQuery<'_>,
        departure: RouteCost,
    ) -> Result<(), QueryError> {
        let grid = &**outlook.grid();
        super::weight(&query.options)?;
        let CellSets { starts, goals, avoided } = &mut self.sets;
        let len = grid.entry_units().len();
        avoided.begin(len, query.avoided.len());
        goals.begin(len, query.goals.len());
        starts.clear();
        for &cell in query.avoided.iter().filter(|&&cell| grid.size().contains(cell)) {
            avoided.insert(grid.index(cell));
        }
        let error = |endpoint, cell| match grid.size().contains(cell) {
            true => QueryError::Blocked { endpoint, cell },
            false => QueryError::OffTheMap { endpoint, cell },
        };
        starts.extend(
            query
                .starts
                .iter()
                .filter(|&&cell| outlook.cost_at(cell, departure).is_some())
                .map(|&cell| grid.index(cell)),
        );
        if starts.is_empty() {
            let first = query.starts.first().map(|&cell| error(Endpoint::Start, cell));
            return Err(first.unwrap_or(QueryError::Missing(Endpoint::Start)));
        }
        let steps = TimedSteps::new(outlook, query.options.rules, avoided);
        let is_usable =
            |cell: Cell| grid.size().contains(cell) && steps.open_from(grid.index(cell), departure.units()) != NEVER;
        for &cell in query.goals.iter().filter(|&&cell| is_usable(cell)) {
            goals.insert(grid.index(cell));
        }
        if goals.iter().next().is_none() {
            let first = query.goals.first().map(|&cell| error(Endpoint::Goal, cell));
            return Err(first.unwrap_or(QueryError::Missing(Endpoint::Goal)));
        }
        Ok(())
    }
}

/// A search from one start to one goal.
struct SearchOne<'a> {
    outlook: &'a Outlook,
    rules: StepRules,
    endpoints: Endpoints,
    departure: u64,
    limits: TimedLimits,
    /// The jump points of the lowest grid, and what is near changes.
    points: Option<(&'a JumpPoints, &'a NearChanges)>,
    avoided: &'a CellSet,
}

impl SearchOne<'_> {
    /// Searches with these bounds, over jump points if there are any; writes the route if there is one.
    fn run(
        &self,
        (memory, ahead, stops): (&mut Memory, &mut AheadMemory, &mut Vec<Stop>),
        mut bounds: impl Estimate,
    ) -> (Ended, u64) {
        let &Self { outlook, endpoints, departure, limits, .. } = self;
        let lowest = &**outlook.lowest();
        let steps = TimedSteps::new(outlook, self.rules, self.avoided);
        let query = self.points.map(|(points, near)| {
            let less_than = (limits.latest - departure.min(limits.latest)).saturating_add(1);
            JumpQuery { outlook, near, points, endpoints, departure, less_than, max_expanded: limits.max_expanded }
        });
        let found = query.and_then(|query| match lowest.is_flat() {
            true => jump_search::search::<_, false>(memory, &mut ahead.jumps, query, steps, &mut bounds),
            false => jump_search::search::<_, true>(memory, &mut ahead.jumps, query, steps, &mut bounds),
        });
        if let Some((ended, expanded)) = found {
            if let Ended::Found(number) = ended {
                let route = &mut ahead.route;
                route.clear();
                let visit = |cell, arrival| route.push((cell, arrival));
                jump_search::cells(memory, &ahead.jumps, lowest, departure, number, visit);
                stops.clear();
                let arrival = walk(steps, lowest, route.iter().rev().copied(), departure, stops);
                debug_assert!(arrival.is_some_and(|arrival| arrival <= limits.latest));
            }
            return (ended, expanded);
        }
        let mut aim = OneGoal { grid: lowest, goal: endpoints.goal, estimate: bounds };
        let start = [endpoints.start].into_iter();
        let (ended, expanded) = ahead.timed.search(steps, outlook.timelines(), start, departure, &mut aim, limits);
        if let Ended::Found(number) = ended {
            write_route(&ahead.timed, number, lowest, stops);
        }
        (ended, expanded)
    }
}

/// Walks along cells and writes the stops; returns the arrival, or `None` if it gets stuck, or would wait for ages. A cell
/// with a time is reached in the interval of this time in which it stays passable, and others as early as possible.
fn walk(
    steps: TimedSteps<'_>,
    grid: &CostGrid,
    mut route: impl Iterator<Item = (Cell, Option<u64>)>,
    departure: u64,
    stops: &mut Vec<Stop>,
) -> Option<u64> {
    let (mut cell, _) = route.next()?;
    let mut time = departure;
    let mut open_until = steps.start_blocked_from(grid.index(cell), time);
    for (next, arrival) in route {
        let (from, to) = (grid.index(cell), grid.index(next));
        let first = |way| {
            let mut start = time;
            loop {
                match steps.first(from, way, start, open_until) {
                    FirstStep::At(step) if arrival.is_some_and(|arrival| step.open_until <= arrival) => {
                        start = steps.open_from(to, step.open_until);
                    }
                    FirstStep::At(step) => return Some(step),
                    FirstStep::NotBefore(later) if arrival.is_some() => start = later,
                    FirstStep::NotBefore(_) | FirstStep::Never => return None,
                }
            }
        };
        let step = steps.ways_between(from, to).filter_map(first).min_by_key(|step| step.end)?;
        stops.push(stop(cell, time, step.start));
        (cell, time, open_until) = (next, step.end, step.open_until);
    }
    stops.push(stop(cell, time, time));
    Some(time)
}

/// Writes the route that ends in a node.
fn write_route(memory: &TimedMemory, number: u32, grid: &CostGrid, stops: &mut Vec<Stop>) {
    stops.clear();
    stops.extend(memory.route_back(number).map(|(at, arrival, leaves)| stop(grid.cell(at), arrival, leaves)));
    stops.reverse();
}

fn stop(cell: Cell, arrival: u64, departure: u64) -> Stop {
    let [arrival, departure] = [arrival, departure].map(RouteCost::from_units);
    Stop { cell, arrival, departure }
}
