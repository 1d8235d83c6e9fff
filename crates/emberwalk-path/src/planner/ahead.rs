//! The planner that knows what is coming.

use super::Planner;
use crate::ahead::search::{Ended, TimedAim, TimedLimits};
use crate::ahead::timed_steps::TimedSteps;
use crate::ahead::timeline::NEVER;
use crate::ahead::{AheadResult, Outlook, Stop};
use crate::bounds::cell_box::CellBox;
use crate::bounds::heuristic::LinearDistance;
use crate::search::cell_set::{CellSet, CellSets};
use crate::{CostGrid, Endpoint, LimitKind, MultiQuery, QueryError, RouteCost};

/// The search for the first of several goals.
struct FirstGoal<'a> {
    grid: &'a CostGrid,
    goals: &'a CellSet,
    /// A box around the goals.
    around: CellBox,
    distance: LinearDistance,
}

impl TimedAim for FirstGoal<'_> {
    fn estimate(&mut self, at: usize) -> u64 {
        self.distance.between(CellBox::of(self.grid.cell(at)).offset(self.around))
    }

    fn is_goal(&self, at: usize) -> bool {
        self.goals.contains(at)
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
        let (grid, lowest, rules) = (&**outlook.grid(), &**outlook.lowest(), query.options.rules);
        if !self.is_any_goal_reachable(lowest, &query) {
            return Ok(AheadResult { route: None, stopped_by: None, expanded: 0 });
        }
        let Self { ahead: memory, stops, sets: CellSets { starts, goals, avoided }, .. } = self;
        let steps = TimedSteps::new(outlook, rules, avoided);
        let boxes = goals.iter().map(|at| CellBox::of(grid.cell(at)));
        let around = boxes.reduce(CellBox::union).unwrap_or_default();
        let mut aim = FirstGoal { grid, goals, around, distance: LinearDistance::at_min_cost(lowest, rules.moves) };
        let limits = TimedLimits {
            latest: departure.units().saturating_add(query.limits.max_units()),
            max_expanded: query.limits.max_expanded(),
        };
        let (ended, expanded) =
            memory.search(steps, outlook.timelines(), starts.iter().copied(), departure.units(), &mut aim, limits);
        stops.clear();
        let stopped_by = match ended {
            Ended::Found(number) => {
                stops.extend(memory.route(number).map(|(at, arrival, leaves)| Stop {
                    cell: grid.cell(at),
                    arrival: RouteCost::from_units(arrival),
                    departure: RouteCost::from_units(leaves),
                }));
                query.limits.broken_by(RouteCost::ZERO, stops.len() - 1)
            }
            Ended::Unreachable => None,
            Ended::TooLate => Some(LimitKind::Cost),
            Ended::Stopped => Some(LimitKind::Expansions),
        };
        let is_route = matches!(ended, Ended::Found(_)) && stopped_by.is_none();
        Ok(AheadResult { route: is_route.then_some(&**stops), stopped_by, expanded })
    }

    /// Finds the starts and goals that can be used, and the cells to avoid; an error if there are no starts or no goals.
    fn find_ends_ahead(
        &mut self,
        outlook: &Outlook,
        query: &MultiQuery<'_>,
        departure: RouteCost,
    ) -> Result<(), QueryError> {
        let grid = &**outlook.grid();
        let CellSets { starts, goals, avoided } = &mut self.sets;
        let len = grid.entry_units().len();
        avoided.begin(len, query.avoided.len());
        goals.begin(len, query.goals.len());
        starts.clear();
        let on_map = |cell| grid.size().contains(cell);
        for &cell in query.avoided.iter().filter(|&&cell| on_map(cell)) {
            avoided.insert(grid.index(cell));
        }
        let mut error = QueryError::Missing(Endpoint::Start);
        for (k, &cell) in query.starts.iter().enumerate() {
            let endpoint = Endpoint::Start;
            if !on_map(cell) || outlook.cost_at(cell, departure).is_none() {
                let new = if on_map(cell) {
                    QueryError::Blocked { endpoint, cell }
                } else {
                    QueryError::OffTheMap { endpoint, cell }
                };
                error = if k == 0 { new } else { error };
            } else {
                starts.push(grid.index(cell));
            }
        }
        if starts.is_empty() {
            return Err(error);
        }
        let steps = TimedSteps::new(outlook, query.options.rules, avoided);
        let mut error = QueryError::Missing(Endpoint::Goal);
        for (k, &cell) in query.goals.iter().enumerate() {
            let endpoint = Endpoint::Goal;
            if !on_map(cell) || steps.open_from(grid.index(cell), departure.units()) == NEVER {
                let new = if on_map(cell) {
                    QueryError::Blocked { endpoint, cell }
                } else {
                    QueryError::OffTheMap { endpoint, cell }
                };
                error = if k == 0 { new } else { error };
            } else {
                goals.insert(grid.index(cell));
            }
        }
        if goals.iter().next().is_none() { Err(error) } else { Ok(()) }
    }
}
