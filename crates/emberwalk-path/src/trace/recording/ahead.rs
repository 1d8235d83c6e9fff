//! Recordings of searches that look ahead.

use super::{Recorder, Recording};
use crate::ahead::Outlook;
use crate::ahead::search::{TimedAim, TimedEvent};
use crate::ahead::timeline::NEVER;
use crate::bounds::link_bounds::LinkBounds;
use crate::grid::Cell;
use crate::search::heuristic::{Estimate, PreparedHeuristic};
use crate::trace::Opened;
use crate::{CostGrid, Heuristic, Options, Planner, QueryError, Route, RouteCost, RouteQuery};

impl Recording {
    /// Answers a query by the route with the earliest arrival, and records the search over pairs of a cell and an interval in
    /// which it stays passable: a cell that is open, closed for a while and open again has two [states](super::Moment::states).
    /// See [`ahead`](crate::ahead) for the rules, and what times are.
    ///
    /// Each g is the time since the departure, with all waits, and the cost of the route is its g at the goal. Each h
    /// is the [estimate](crate::Options::estimate) on the grid of the [lowest](Outlook::lowest) costs. The answer is
    /// the same as from [`plan_ahead`](Planner::plan_ahead), whose search is faster. So options that do not promise a
    /// cheapest route are replaced by the default ones. Give the query a limit of
    /// [expansions](crate::Limits::max_expansions): this search is not done in slices.
    ///
    /// # Errors
    /// The same as [`Planner::plan_ahead`].
    ///
    /// ```
    /// use emberwalk_path::ahead::{Forecast, Outlook};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::trace::Recording;
    /// use emberwalk_path::{CostGrid, Planner, RouteCost, RouteQuery};
    /// let tiles = |tiles| RouteCost::from_tiles(tiles).unwrap();
    /// let mut forecast = Forecast::new();
    /// // A gate in a corridor is closed while the traveller comes.
    /// let gate = Cell::new(4, 0);
    /// forecast.close(gate, tiles(2.0)..tiles(10.0));
    /// let outlook = Outlook::new(CostGrid::open(Size::new(9, 1))?).with_forecast(forecast);
    /// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(8, 0));
    /// let recording = Recording::ahead(&mut Planner::new(), &outlook, &query, RouteCost::ZERO)?;
    /// assert_eq!(recording.result().cost(), Some(tiles(15.0)));
    /// let state = recording.at(recording.len()).state(gate).unwrap();
    /// assert_eq!((state.g, state.open_until), (tiles(11.0), None), "it waits until the gate is open again");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ahead(
        planner: &mut Planner,
        outlook: &Outlook,
        query: &RouteQuery,
        departure: RouteCost,
    ) -> Result<Self, QueryError> {
        let (lowest, options) = (&**outlook.lowest(), query.options);
        let options = if options.optimal() { options } else { Options::new().with_rules(options.rules) };
        let query = &query.with_options(options);
        let heuristic: Box<dyn Estimate> = match lowest.links_for(options.rules) {
            Some(links) if options.used_heuristic() != Heuristic::Zero => {
                Box::new(LinkBounds::new(lowest, options.rules.moves, links, query.to))
            }
            _ => Box::new(PreparedHeuristic::new(lowest, &options, 1.0)),
        };
        let recorder = Recorder::new(lowest.size(), *query);
        let mut watched = Watched { recorder, heuristic, lowest, goal: query.to, departure: departure.units() };
        let result = planner.watch_ahead(outlook, query, departure, &mut watched)?;
        let route = result.duration().map(|cost| Route { cells: result.cells().collect(), cost });
        let Recorder { recording, sizes } = watched.recorder;
        let recording = if query.from == query.to { Self::empty(lowest.size(), *query) } else { recording };
        let reopened = sizes.reopened as u64;
        let is_complete = recording.is_complete && result.stopped_by.is_none();
        let expanded = result.expanded;
        Ok(Self { route, expanded, reopened, is_complete, departure: Some(departure), ..recording })
    }
}

/// A search for one goal that is recorded.
struct Watched<'a> {
    recorder: Recorder,
    heuristic: Box<dyn Estimate>,
    lowest: &'a CostGrid,
    goal: Cell,
    departure: u64,
}

impl TimedAim for Watched<'_> {
    fn estimate(&mut self, at: usize) -> u64 {
        let cell = self.lowest.cell(at);
        self.heuristic.for_cell(at, cell, self.goal - cell)
    }

    fn is_goal(&self, at: usize) -> bool {
        self.lowest.cell(at) == self.goal
    }

    fn note(&mut self, TimedEvent { is_closed, at, open_until, arrival, parent }: TimedEvent) {
        let (cell, parent) = (self.lowest.cell(at), parent.map(|at| self.lowest.cell(at)));
        let [g, h] = [arrival - self.departure, self.estimate(at)].map(RouteCost::from_units);
        let open_until = if open_until == NEVER { NEVER } else { open_until - self.departure };
        self.recorder.record(is_closed, Opened { cell, parent, g, h, f: g + h }, Some(open_until));
    }
}
