//! The arrival of a walker that does not know what will change.

use super::Planner;
use crate::ahead::Outlook;
use crate::grid::Cell;
use crate::time::{CrowdTime, Walker};
use crate::{CostGrid, EntryCost, QueryError, RouteCost, RouteQuery, StepRules};

/// A walker that waits for changes gives up after this many.
const MAX_CHANGES: usize = 10_000;

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
        // A tick is a unit.
        let ticks = |time: RouteCost| CrowdTime::from_ticks(time.units());
        let latest = departure.units().saturating_add(query.limits.max_units());
        let rules = query.options.rules;
        let (mut grid, mut now) = (outlook.grid_at(departure), departure);
        let mut walker = Walker::standing(query.from);
        for _ in 0..MAX_CHANGES {
            let onward = RouteQuery::new(walker.entered(), query.to).with_options(query.options);
            let route = match self.plan(&grid, &onward) {
                Ok(result) => result.cells(),
                // The goal may be passable later.
                Err(QueryError::Blocked { cell, .. }) if cell == query.to && cell != walker.entered() => &[],
                Err(error) => return Err(error),
            };
            let change = outlook.forecast().next_change(now);
            let mut next = route.iter().copied().skip(1);
            let mut arrival = walker.step().map_or(ticks(now), |step| step.end);
            walker.advance(ticks(now), change.map_or(CrowdTime::NEVER, ticks), |from| {
                let to = next.next()?;
                let duration = time_of_step(outlook, &grid, rules, from, to);
                arrival = arrival + duration;
                Some((to, duration))
            });
            if walker.standing_cell() == Some(query.to) {
                return Ok(Some(RouteCost::from_units(arrival.ticks())).filter(|arrival| arrival.units() <= latest));
            }
            let Some(change) = change.filter(|change| change.units() <= latest) else { return Ok(None) };
            now = change;
            for cell in outlook.forecast().cells() {
                grid.set(cell, outlook.cost_at(cell, now));
            }
            if !walker.revise(&grid, ticks(now), |from, to| time_of_step(outlook, &grid, rules, from, to)) {
                let Some(nearest) = grid.nearest_passable(walker.entered()) else { return Ok(None) };
                walker = Walker::standing(nearest);
            }
        }
        Ok(None)
    }
}

/// How long a step takes on a grid. A step that was not possible any more, but has begun, is as on open ground.
fn time_of_step(outlook: &Outlook, grid: &CostGrid, rules: StepRules, from: Cell, to: Cell) -> CrowdTime {
    let cost = rules.cost_of_begun_step(grid, from, to).unwrap_or(EntryCost::TILE.into());
    CrowdTime::from_ticks(outlook.bounds().apply(cost.units()))
}
