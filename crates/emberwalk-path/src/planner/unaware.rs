//! The arrival of a walker that does not know what will change.

use super::Planner;
use crate::ahead::Outlook;
use crate::grid::Cell;
use crate::{CostGrid, EntryCost, QueryError, RouteCost, RouteQuery, StepRules};

/// A walker that waits for changes gives up after this many.
const MAX_CHANGES: usize = 10_000;

/// A walker: in a cell, or on a step.
#[derive(Clone, Copy)]
struct Walk {
    /// The cell that the step enters, or in which the walker stands.
    to: Cell,
    step: Option<Step>,
}

#[derive(Clone, Copy)]
struct Step {
    from: Cell,
    /// How much of its duration is over.
    gone: u64,
    duration: u64,
}

impl Planner {
    /// When a walker arrives that does not know what will change: it plans on the grid as it is, walks, and plans again
    /// whenever anything changes. `None` if it never arrives, or has not arrived after 10,000 changes or at the
    /// [latest arrival](crate::Limits::max_cost) of the query.
    ///
    /// It moves by the rules of [`Walker`](crate::time::Walker): it turns round in the middle of a step if the
    /// cell that it enters is blocked, and if its own cell is blocked, it is put into the nearest passable one. While
    /// there is no route, it waits.
    ///
    /// This takes a search for each announced change until the arrival, and a copy of the grid. Use another planner
    /// than for [`plan_ahead`](Self::plan_ahead), which may have prepared the grid of the lowest costs.
    ///
    /// ```
    /// use emberwalk_path::ahead::Outlook;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Planner, RouteCost, RouteQuery};
    /// let tiles = |tiles| RouteCost::from_tiles(tiles).unwrap();
    /// // A wall with two gates; the nearer one is about to close.
    /// let mut grid = CostGrid::open(Size::new(9, 9))?;
    /// for y in (1..8).filter(|&y| y != 4) {
    ///     grid.set(Cell::new(4, y), None);
    /// }
    /// let mut outlook = Outlook::new(grid);
    /// outlook.edit(|forecast| forecast.change(Cell::new(4, 4), tiles(3.0), None));
    /// let query = RouteQuery::new(Cell::new(0, 4), Cell::new(8, 4));
    /// let aware = Planner::new().plan_ahead(&outlook, &query, tiles(0.0))?.arrival().unwrap();
    /// let unaware = Planner::new().arrival_unaware(&outlook, &query, tiles(0.0))?.unwrap();
    /// assert!(unaware > aware);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError`] if the start is off the map or blocked at the departure, or if the goal is off the map.
    pub fn arrival_unaware(
        &mut self,
        outlook: &Outlook,
        query: &RouteQuery,
        departure: RouteCost,
    ) -> Result<Option<RouteCost>, QueryError> {
        let options = query.options;
        let mut grid = outlook.grid_at(departure);
        let mut now = departure.units();
        let latest = now.saturating_add(query.limits.max_units());
        let mut walk = Walk { to: query.from, step: None };
        for _ in 0..MAX_CHANGES {
            let onward = RouteQuery::new(walk.to, query.to).with_options(options);
            let route = match self.plan(&grid, &onward) {
                Ok(result) => result.cells(),
                // The goal may be passable later.
                Err(QueryError::Blocked { cell, .. }) if cell == query.to && cell != walk.to => &[],
                Err(error) => return Err(error),
            };
            let change = outlook.forecast().next_change(RouteCost::from_units(now));
            let until = change.map_or(u64::MAX, RouteCost::units);
            let duration = |from, to| Some(outlook.bounds().apply(cost_of_step(&grid, options.rules, from, to)?));
            let has_arrived = walk.advance(&mut now, until, route, query.to, duration);
            if has_arrived || now > latest {
                return Ok(Some(RouteCost::from_units(now)).filter(|_| now <= latest));
            }
            let Some(change) = change else { return Ok(None) };
            for cell in outlook.forecast().cells() {
                grid.set(cell, outlook.cost_at(cell, change));
            }
            let duration = |from, to| Some(outlook.bounds().apply(cost_of_step(&grid, options.rules, from, to)?));
            if !walk.revise(&grid, duration) {
                return Ok(None);
            }
        }
        Ok(None)
    }
}

impl Walk {
    /// Walks along a route until a time; returns whether it arrives, at the time that is `now` then. Without a route, it
    /// ends its step.
    fn advance(
        &mut self,
        now: &mut u64,
        until: u64,
        route: &[Cell],
        goal: Cell,
        duration: impl Fn(Cell, Cell) -> Option<u64>,
    ) -> bool {
        let mut next = route.iter().skip(1);
        loop {
            if let Some(step) = &mut self.step {
                let left = step.duration - step.gone;
                if left > until - *now {
                    step.gone += until - *now;
                    *now = until;
                    return false;
                }
                *now += left;
                self.step = None;
            }
            if self.to == goal {
                return true;
            }
            let Some(&to) = next.next() else {
                *now = until;
                return false;
            };
            let Some(duration) = duration(self.to, to) else { return false };
            self.step = Some(Step { from: self.to, gone: 0, duration });
            self.to = to;
        }
    }

    /// Reacts to a change of the grid. Returns `false` if there is no passable cell left.
    fn revise(&mut self, grid: &CostGrid, duration: impl Fn(Cell, Cell) -> Option<u64>) -> bool {
        if let Some(step) = self.step {
            if grid.is_passable(self.to) {
                self.step = Some(step.lasting(duration(step.from, self.to)));
                return true;
            }
            if grid.is_passable(step.from) {
                let back = Step { from: self.to, gone: step.duration - step.gone, duration: step.duration };
                *self = Self { to: step.from, step: Some(back.lasting(duration(self.to, step.from))) };
                return true;
            }
        } else if grid.is_passable(self.to) {
            return true;
        }
        let nearest = grid.nearest_passable(self.to);
        *self = Self { to: nearest.unwrap_or(self.to), step: None };
        nearest.is_some()
    }
}

impl Step {
    /// The same step, of which the same part is over, with another duration; unchanged without one.
    fn lasting(self, duration: Option<u64>) -> Self {
        let Some(duration) = duration else { return self };
        let gone = u128::from(self.gone) * u128::from(duration) / u128::from(self.duration.max(1));
        Self { gone: gone as u64, duration, ..self }
    }
}

/// The cost of a step that has begun, as [`Pace::of_step`](crate::time::Pace::of_step) counts it; `None` for the way
/// back along a one-way link.
fn cost_of_step(grid: &CostGrid, rules: StepRules, from: Cell, to: Cell) -> Option<u64> {
    let (dx, dy) = to - from;
    let open_ground = (dx.abs().max(dy.abs()) <= 1).then_some(EntryCost::TILE.into());
    rules.cost_of_begun_step(grid, from, to).or(open_ground).map(RouteCost::units)
}
