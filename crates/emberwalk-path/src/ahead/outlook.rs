//! A grid with its forecast.

use std::sync::{Arc, OnceLock};

use super::Forecast;
use super::timelines::Timelines;
use crate::grid::Cell;
use crate::time::Pace;
use crate::{CostGrid, EntryCost, Link, RouteCost, UNITS_PER_TILE};

/// A grid, and what will change on it: what [`Planner::plan_ahead`](crate::Planner::plan_ahead) plans on.
///
/// A copy shares everything. See the [module](super) for an example.
///
/// **Prepare planners for [`lowest`](Self::lowest)**, the grid of the lower bounds, and use one planner for each outlook
/// and its later versions. As long as only [`edit`](Self::edit) and [`set_grid`](Self::set_grid) change an outlook, the
/// planner updates what it has prepared.
#[derive(Clone, Debug)]
#[must_use]
pub struct Outlook {
    grid: Arc<CostGrid>,
    forecast: Forecast,
    bounds: StepBounds,
    /// The grid with the lowest cost that each cell ever has; the same one as `grid` if no cell becomes cheaper.
    lowest: Arc<CostGrid>,
    timelines: OnceLock<Arc<Timelines>>,
}

/// The shortest and the longest time of a step, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StepBounds {
    pub(crate) shortest: u64,
    pub(crate) longest: u64,
}

impl StepBounds {
    const NONE: Self = Self { shortest: 0, longest: u64::MAX };

    /// How long a step of this cost takes.
    #[inline(always)]
    pub(crate) fn apply(self, units: u64) -> u64 {
        units.max(self.shortest).min(self.longest)
    }
}

impl Outlook {
    /// An outlook on which nothing will change. An [`Arc`] of a grid is shared with the caller.
    pub fn new(grid: impl Into<Arc<CostGrid>>) -> Self {
        let grid = grid.into();
        Self {
            lowest: Arc::clone(&grid),
            grid,
            forecast: Forecast::new(),
            bounds: StepBounds::NONE,
            timelines: OnceLock::new(),
        }
    }

    /// The same outlook with another forecast.
    pub fn with_forecast(mut self, forecast: Forecast) -> Self {
        self.edit(|own| *own = forecast);
        self
    }

    /// The same outlook for agents whose steps take at least and at most as long as this pace says. A longest time
    /// below a tile counts as a tile.
    ///
    /// ```
    /// use emberwalk_path::ahead::Outlook;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteCost, RouteQuery};
    /// let pace = Pace::default().with_bounds(CrowdTime::ZERO, CrowdTime::from_seconds(3.0));
    /// let swamp = EntryCost::from_tiles(50.0)?;
    /// let grid = CostGrid::from_fn(Size::new(3, 1), Diagonal::GAME, |_| Some(swamp))?;
    /// let outlook = Outlook::new(grid).with_pace(pace);
    /// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(2, 0));
    /// let result = Planner::new().plan_ahead(&outlook, &query, RouteCost::ZERO)?.arrival();
    /// assert_eq!(result.map(|arrival| pace.time_of(arrival).seconds()), Some(6.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_pace(mut self, pace: Pace) -> Self {
        let (shortest, longest) = pace.bounds_of_cost();
        let longest = longest.units().max(UNITS_PER_TILE.into());
        self.bounds = StepBounds { shortest: shortest.units().min(longest), longest };
        self.find_lowest();
        self
    }

    /// The grid before all changes of the forecast.
    pub fn grid(&self) -> &Arc<CostGrid> {
        &self.grid
    }

    /// What will change.
    pub fn forecast(&self) -> &Forecast {
        &self.forecast
    }

    /// The grid on which each cell has the lowest cost that it ever has. It is the grid itself as long as no cell becomes
    /// cheaper. [`Planner::prepare`](crate::Planner::prepare) should prepare this grid.
    pub fn lowest(&self) -> &Arc<CostGrid> {
        &self.lowest
    }

    /// Changes the forecast. O(cells for which something is announced), and once O(cells) if it is the first time that a
    /// cell will become cheaper.
    ///
    /// ```
    /// use emberwalk_path::ahead::Outlook;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, RouteCost};
    /// let mut outlook = Outlook::new(CostGrid::open(Size::new(5, 5))?);
    /// let bridge = Cell::new(2, 2);
    /// outlook.edit(|forecast| forecast.change(bridge, RouteCost::from_tiles(9.0).unwrap(), None));
    /// assert_eq!(outlook.cost_at(bridge, RouteCost::from_tiles(9.0)?), None);
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn edit(&mut self, edit: impl FnOnce(&mut Forecast)) {
        let before = self.forecast.clone();
        edit(&mut self.forecast);
        self.timelines = OnceLock::new();
        self.update_lowest(&before);
    }

    /// Replaces the grid, for example by the version after an edit. The forecast stays. O(changes and cells for which
    /// something is announced) if it is a later version of the same grid and no cell becomes cheaper, otherwise O(cells).
    pub fn set_grid(&mut self, grid: impl Into<Arc<CostGrid>>) {
        let before = std::mem::replace(&mut self.grid, grid.into());
        let is_shared = Arc::ptr_eq(&before, &self.lowest) || before.stamp() == self.lowest.stamp();
        let changed = self.grid.changes_since(before.stamp()).filter(|_| !is_shared);
        let same_levels = |cell| before.level(cell) == self.grid.level(cell);
        match changed.map(|changes| changes.map(|change| change.cell).collect::<Vec<_>>()) {
            Some(cells) if cells.iter().all(|&cell| same_levels(cell)) => {
                cells.into_iter().for_each(|cell| self.update_lowest_at(cell));
            }
            _ => self.find_lowest(),
        }
    }

    /// The entry cost of a cell at a time; `None` if it is blocked then, or off the grid.
    pub fn cost_at(&self, cell: Cell, time: RouteCost) -> Option<EntryCost> {
        if !self.grid.size().contains(cell) {
            return None;
        }
        let at = self.grid.index(cell);
        let units = self.grid.entry_units()[at];
        let timeline = self.timelines().get(at);
        EntryCost::from_array(timeline.map_or(units, |timeline| timeline.piece(units, time.units()).units))
    }

    /// A copy of the grid as it will be at a time. O(cells).
    pub fn grid_at(&self, time: RouteCost) -> CostGrid {
        let mut grid = CostGrid::clone(&self.grid);
        for cell in self.forecast.cells() {
            grid.set(cell, self.cost_at(cell, time));
        }
        grid
    }

    pub(crate) fn timelines(&self) -> &Timelines {
        self.timelines.get_or_init(|| Timelines::new(&self.grid, &self.forecast).into())
    }

    pub(crate) fn bounds(&self) -> StepBounds {
        self.bounds
    }

    /// Finds the lowest costs of all cells again.
    fn find_lowest(&mut self) {
        self.lowest = Arc::clone(&self.grid);
        self.update_lowest(&Forecast::new());
    }

    /// Brings the lowest costs of all cells up to date for which something is or was announced.
    fn update_lowest(&mut self, before: &Forecast) {
        let cells: Vec<_> = self.forecast.cells().chain(before.cells()).collect();
        cells.into_iter().for_each(|cell| self.update_lowest_at(cell));
        if let Some(most) = self.most_units(1.0) {
            let above: Vec<_> = self.lowest.links().filter(|link| link.cost > most).collect();
            for Link { from, to, .. } in above {
                Arc::make_mut(&mut self.lowest).add_link(from, to, most);
            }
        }
        let Some(most) = self.most_entry_units() else { return };
        if self.lowest.max_cost().is_some_and(|cost| cost > most) {
            let is_above = |cell: &Cell| self.lowest.get(*cell).is_some_and(|cost| cost > most);
            let cells: Vec<_> = self.lowest.size().cells().filter(is_above).collect();
            cells.into_iter().for_each(|cell| self.update_lowest_at(cell));
        }
    }

    fn update_lowest_at(&mut self, cell: Cell) {
        if !self.grid.size().contains(cell) {
            return;
        }
        let at = self.grid.index(cell);
        let units = self.grid.entry_units()[at];
        let lowest = self.timelines().get(at).map_or(units, |timeline| timeline.lowest(units));
        let lowest =
            EntryCost::from_array(lowest).map(|cost| self.most_entry_units().map_or(cost, |most| cost.min(most)));
        if self.lowest.get(cell) != lowest {
            Arc::make_mut(&mut self.lowest).set(cell, lowest);
        }
    }

    /// The highest entry cost with which no step of the lowest grid costs more than the longest time of a step; `None` if
    /// steps have no longest time.
    fn most_entry_units(&self) -> Option<EntryCost> {
        self.most_units(self.grid.diagonal().ratio() * self.grid.max_climb_factor() as f64)
    }

    /// The highest cost of which so many times are no more than the longest time of a step; `None` if steps have no longest
    /// time.
    fn most_units(&self, factor: f64) -> Option<EntryCost> {
        let longest = self.bounds.longest;
        if longest == u64::MAX {
            return None;
        }
        // Costs are rounded by less than a thousandth.
        let units = (longest as f64 / factor * 0.999).clamp(0.0, f64::from(EntryCost::MAX.units()));
        Some(EntryCost::from_units(units as u32).unwrap_or(EntryCost::MIN))
    }
}

impl From<CostGrid> for Outlook {
    fn from(grid: CostGrid) -> Self {
        Self::new(grid)
    }
}
