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
use crate::search::cell_set::{CellSet, CellSets};
use crate::search::heuristic::{Estimate, LinearDistance, NoEstimate};
use crate::{CostGrid, Endpoint, LimitKind, Limits, MultiQuery, Options, QueryError, RouteCost, RouteQuery, StepRules};

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
struct OneGoal<'a> {
    grid: &'a CostGrid,
    goal: usize,
    estimate: &'a mut dyn Estimate,
}

impl TimedAim for OneGoal<'_> {
    fn estimate(&mut self, at: usize) -> u64 {
        let cell = self.grid.cell(at);
        self.estimate.for_cell(at, cell, self.grid.cell(self.goal) - cell)
    }

    fn is_goal(&self, at: usize) -> bool {
        at == self.goal
    }
}

/// The route on the grid of the lowest costs, and its times with the changes.
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

    /// The same from one start to one goal, without any shortcut: a search over cells and intervals alone, which
    /// reports its events to `aim`. A query is not refused because its goal is unreachable.
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
        let limits = timed_limits(&query, departure.units());
        let found = (&mut self.timed, &mut self.stops);
        let ended = search_timed(found, &self.sets, outlook, query.options.rules, departure.units(), aim, limits);
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
        let Self { timed, stops, sets, .. } = self;
        let boxes = sets.goals.iter().map(|at| CellBox::of(grid.cell(at)));
        let around = boxes.reduce(CellBox::union).unwrap_or_default();
        let rules = query.options.rules;
        let distance = lowest.links_for(rules).is_none().then(|| LinearDistance::at_min_cost(lowest, rules.moves));
        let mut aim = FirstGoal { grid, goals: &sets.goals, around, distance };
        let (departure, limits) = (departure.units(), timed_limits(query, departure.units()));
        search_timed((timed, stops), sets, outlook, rules, departure, &mut aim, limits)
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
        let latest = match known {
            Lowest::IsEarliest => return (found, expanded),
            // Only an earlier arrival is better.
            Lowest::Arrives(arrival) => latest.min(arrival - 1),
            Lowest::Stuck => latest,
        };
        let limits = TimedLimits { latest, max_expanded: max_expanded.saturating_sub(expanded) };
        let (ended, more) = self.search_one_ahead(outlook, query, (from, to), departure, limits);
        let is_known = matches!(known, Lowest::Arrives(arrival) if arrival - departure <= query.limits.max_units());
        let ended = match ended {
            Ended::TooLate | Ended::Unreachable if is_known => found,
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
        match walk(steps, lowest, cells, departure, stops) {
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
        let links = lowest.links_for(rules);
        let is_large = lowest.size().area() >= MIN_CELLS_FOR_TABLES || self.always_uses_tables;
        // Landmarks do not know links.
        let has_landmarks = is_large
            && links.is_none()
            && self.update_landmarks(lowest, rules, &mut Budget::new(Budget::UNLIMITED)) == ControlFlow::Continue(true);
        let Self { timed, stops, sets, tables: PlannerTables { landmarks, cheap_regions, .. }, .. } = self;
        let goal = lowest.index(to);
        let mut search = |estimate: &mut dyn Estimate| {
            search_timed(
                (timed, stops),
                sets,
                outlook,
                rules,
                departure,
                &mut OneGoal { grid: lowest, goal, estimate },
                limits,
            )
        };
        match (links, landmarks.as_deref_mut().filter(|_| has_landmarks)) {
            (Some(links), _) => match LinkBounds::new(lowest, rules.moves, links, to) {
                Some(mut bounds) => search(&mut bounds),
                None => search(&mut NoEstimate),
            },
            (None, Some(landmarks)) => search(&mut landmarks.bounds_to(lowest, goal)),
            (None, None) => {
                cheap_regions.update(lowest);
                search(&mut cheap_regions.bounds(lowest, rules.moves, from, to))
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

/// The limits of a query.
fn timed_limits(query: &MultiQuery<'_>, departure: u64) -> TimedLimits {
    TimedLimits {
        latest: departure.saturating_add(query.limits.max_units()),
        max_expanded: query.limits.max_expanded(),
    }
}

/// Searches over cells and intervals, and writes the route if there is one.
fn search_timed(
    (memory, stops): (&mut TimedMemory, &mut Vec<Stop>),
    sets: &CellSets,
    outlook: &Outlook,
    rules: StepRules,
    departure: u64,
    aim: &mut impl TimedAim,
    limits: TimedLimits,
) -> (Ended, u64) {
    let steps = TimedSteps::new(outlook, rules, &sets.avoided);
    let starts = sets.starts.iter().copied();
    let (ended, expanded) = memory.search(steps, outlook.timelines(), starts, departure, aim, limits);
    if let Ended::Found(number) = ended {
        write_route(memory, number, outlook.grid(), stops);
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
