//! The lower bound on the cost between two cells.

use std::ops::ControlFlow;

use super::{Planner, ends};
use crate::bounds::link_bounds::LinkBounds;
use crate::budget::Budget;
use crate::search::heuristic::Estimate;
use crate::{CostGrid, QueryError, RouteCost, RouteQuery};

impl Planner {
    /// A lower bound on the cost of every route for this query, without a search; `None` if there is no route.
    ///
    /// It is the best bound that the planner knows for the [step rules](crate::Options::rules): by distance, by the
    /// regions of cheap cells, and by the landmarks if they are [prepared](Self::prepare). Nearly always it takes less
    /// than a microsecond. Use it to sort goals, or to leave out goals that are too far away.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteQuery};
    /// let two = EntryCost::from_tiles(2.0)?;
    /// let grid = CostGrid::from_fn(Size::new(9, 9), Diagonal::GAME, |_| Some(two))?;
    /// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(8, 0));
    /// assert_eq!(Planner::new().lower_bound(&grid, &query)?.unwrap().tiles(), 16.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError`] if the start or the goal is off the map or blocked.
    pub fn lower_bound(&mut self, grid: &CostGrid, query: &RouteQuery) -> Result<Option<RouteCost>, QueryError> {
        let (ends, rules) = (ends(grid, query)?, query.options.rules);
        if !self.components(grid, rules).are_connected(grid, query.from, query.to) {
            return Ok(None);
        }
        if let Some(links) = grid.links_for(rules) {
            let mut bounds = LinkBounds::new(grid, rules.moves, links, query.to);
            let bound = bounds.for_cell(ends.start, query.from, query.to - query.from);
            return Ok(Some(RouteCost::from_units(bound)));
        }
        let regions = self.cheap_regions(grid).bounds(grid, rules.moves, query.from, query.to);
        let mut bound = regions.lower_bound(query.from);
        let budget = &mut Budget::new(Budget::UNLIMITED);
        if self.update_landmarks(grid, rules, budget) == ControlFlow::Continue(true)
            && let Some(landmarks) = self.tables.landmarks.as_deref_mut()
        {
            let mut bounds = landmarks.bounds_to(grid, ends.goal);
            bound = bound.max(bounds.for_cell(ends.start, query.from, query.to - query.from));
        }
        // Landmarks know no better bound for a cell and itself.
        Ok(Some(RouteCost::from_units(if query.from == query.to { 0 } else { bound })))
    }
}
