//! The cost grid: the entry cost and the level of each cell, the lowest and highest cost, and the last changes.

use std::sync::Arc;

use crate::cost::changes::{Before, CellChange, History};
use crate::cost::climb::ClimbCosts;
use crate::cost::cost_counts::CostCounts;
use crate::cost::heights::Heights;
use crate::cost::links::{Link, LinkStep, Links};
use crate::cost::units::trailing_zeros_from;
use crate::grid::{Cell, MAX_SIDE, Size};
use crate::nearest_reachable;
use crate::{ClimbRule, CostError, Diagonal, EntryCost, Level, Stamp};

/// The entry cost, and optionally the [`Level`], of each cell of a map. A cell without an entry cost is blocked.
///
/// A grid takes eight bytes per cell, and one more if any cell is above level 0. It counts its distinct costs, so that
/// the lowest one is always known. It remembers its last 4096 changes, so that data computed from it can be updated
/// without reading every cell.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost};
/// let mut grid = CostGrid::new(Size::new(3, 2), Diagonal::GAME)?;
/// assert_eq!(grid.get(Cell::new(1, 1)), None, "at first all cells are blocked");
/// grid.set(Cell::new(1, 1), Some(EntryCost::TILE));
/// grid.set(Cell::new(2, 1), Some(EntryCost::from_tiles(0.5)?));
/// assert_eq!(grid.min_cost().unwrap().tiles(), 0.5);
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
///
/// # Levels
/// [`set_levels`](Self::set_levels) gives a new grid its levels and the [`ClimbRule`], and
/// [`set_level`](Self::set_level) changes the level of a cell. Blocked cells have levels too, which matter once they
/// become passable. [`StepRules::step_cost`](crate::StepRules::step_cost) is the cost of a step with its climb.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{ClimbRule, CostGrid, Level, Planner, RouteQuery};
/// let rows = ["0000", "0120", "0000"];
/// let mut grid = CostGrid::open(Size::new(4, 3))?;
/// grid.set_levels(ClimbRule::default(), |cell| {
///     Level::new(rows[cell.y as usize].as_bytes()[cell.x as usize] - b'0').expect("a digit")
/// });
/// let mut planner = Planner::new();
/// let query = RouteQuery::new(Cell::new(0, 1), Cell::new(2, 1));
/// assert_eq!(planner.plan(&grid, &query)?.cost().unwrap().tiles(), 4.0, "two steps that climb a level each");
/// grid.set_level(Cell::new(1, 1), Level::GROUND);
/// assert!(!planner.plan(&grid, &query)?.found(), "cliffs all around");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CostGrid {
    size: Size,
    diagonal: Diagonal,
    climb: ClimbRule,
    /// The entry costs row by row, 0 where blocked. The array has a border of blocked cells, so that a search need not
    /// check whether a neighbour is on the map. A row has `width + 1` entries: the border east of a row is also the
    /// border west of the next one.
    entry_units: Vec<u32>,
    /// The cost of a diagonal step into each of these cells, on level ground.
    diagonal_units: Vec<u32>,
    /// `None` if all cells are on level 0.
    heights: Option<Box<Heights>>,
    /// `None` if there are no links.
    links: Option<Arc<Links>>,
    counts: CostCounts,
    /// The sum of all of `entry_units`.
    total: u64,
    history: History,
}

impl CostGrid {
    /// Creates a grid of cells that all cost a tile, on level 0, with the diagonals of games.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost};
    /// let grid = CostGrid::open(Size::new(3, 2))?;
    /// assert_eq!((grid.get(Cell::new(2, 1)), grid.diagonal()), (Some(EntryCost::TILE), Diagonal::GAME));
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    ///
    /// # Errors
    /// [`CostError::Size`] unless both sides are 1 to [`MAX_SIDE`].
    pub fn open(size: Size) -> Result<Self, CostError> {
        Self::from_fn(size, Diagonal::GAME, |_| Some(EntryCost::TILE))
    }

    /// Creates a grid of blocked cells, all of them on level 0.
    ///
    /// # Errors
    /// [`CostError::Size`] unless both sides are 1 to [`MAX_SIDE`].
    pub fn new(size: Size, diagonal: Diagonal) -> Result<Self, CostError> {
        let [entry_units, diagonal_units] = [vec![0; array_len(size)?], vec![0; array_len(size)?]];
        let (climb, counts, history) = (ClimbRule::default(), CostCounts::default(), History::new());
        let (heights, links, total) = (None, None, 0);
        Ok(Self { size, diagonal, climb, entry_units, diagonal_units, heights, links, counts, total, history })
    }

    /// Creates a grid whose cells have the costs that `cost` returns, `None` for blocked. `cost` is called row by row.
    ///
    /// # Errors
    /// [`CostError::Size`] unless both sides are 1 to [`MAX_SIDE`].
    pub fn from_fn(
        size: Size,
        diagonal: Diagonal,
        cost: impl FnMut(Cell) -> Option<EntryCost>,
    ) -> Result<Self, CostError> {
        let mut grid = Self::new(size, diagonal)?;
        grid.rebuild(size, cost)?;
        Ok(grid)
    }

    /// An error unless a grid can have this size.
    pub(crate) fn check_size(size: Size) -> Result<(), CostError> {
        array_len(size).map(|_| ())
    }

    /// Replaces the size and all cells, as [`from_fn`](Self::from_fn) does, but keeps the memory of the grid: it
    /// allocates only if the new map is larger than every map before it. All cells are then on level 0, and there are no
    /// links. The grid forgets its changes.
    ///
    /// # Errors
    /// [`CostError::Size`] unless both sides are 1 to [`MAX_SIDE`]; the grid is then unchanged.
    ///
    /// # Panics
    /// If `cost` panics. A caller that catches the panic must rebuild the grid before using it again.
    pub fn rebuild(&mut self, size: Size, mut cost: impl FnMut(Cell) -> Option<EntryCost>) -> Result<(), CostError> {
        let len = array_len(size)?;
        (self.size, self.total) = (size, 0);
        self.history.clear();
        (self.heights, self.links) = (None, None);
        self.counts.clear();
        for units in [&mut self.entry_units, &mut self.diagonal_units] {
            units.clear();
            units.resize(len, 0);
        }
        // Most cells cost the same as the cell before them, so runs of equal cost are counted together.
        let (mut run_units, mut run_diagonal_units, mut run_cells) = (0, 0, 0);
        for cell in size.cells() {
            let Some(cost) = cost(cell) else { continue };
            let (at, units) = (self.index(cell), cost.units());
            self.total += u64::from(units);
            if units != run_units {
                self.counts.add(run_units, run_cells);
                (run_units, run_diagonal_units, run_cells) = (units, self.diagonal.of(units), 0);
            }
            (self.entry_units[at], self.diagonal_units[at]) = (units, run_diagonal_units);
            run_cells += 1;
        }
        self.counts.add(run_units, run_cells);
        Ok(())
    }

    /// Replaces the climb rule and the levels of all cells. `level` is called row by row, for blocked cells too. The
    /// grid forgets its changes.
    ///
    /// Level 0 everywhere takes no memory, and other levels a byte per cell.
    pub fn set_levels(&mut self, climb: ClimbRule, mut level: impl FnMut(Cell) -> Level) {
        self.history.clear();
        (self.climb, self.heights) = (climb, None);
        self.size.cells().for_each(|cell| self.put_level(self.index(cell), level(cell)));
    }

    /// Allocates memory for a map of that many cells, whatever its shape.
    pub fn reserve(&mut self, cells: usize) {
        for units in [&mut self.entry_units, &mut self.diagonal_units] {
            units.reserve_exact(max_array_len(cells).saturating_sub(units.len()));
        }
    }

    /// The number of bytes allocated for the costs of the cells.
    pub fn bytes(&self) -> usize {
        capacity_bytes(&self.entry_units) + capacity_bytes(&self.diagonal_units)
    }

    /// The number of columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How much more expensive diagonal steps are than straight ones.
    pub fn diagonal(&self) -> Diagonal {
        self.diagonal
    }

    /// The climb rule.
    pub fn climb(&self) -> &ClimbRule {
        &self.climb
    }

    /// Whether all cells are on level 0.
    #[inline]
    pub fn is_flat(&self) -> bool {
        self.heights.is_none()
    }

    /// The level of `cell`; level 0 off the grid.
    pub fn level(&self, cell: Cell) -> Level {
        if self.size.contains(cell) { Level::from_array(self.level_at(self.index(cell))) } else { Level::GROUND }
    }

    /// The entry cost of `cell`; `None` if it is blocked or off the grid.
    pub fn get(&self, cell: Cell) -> Option<EntryCost> {
        if self.size.contains(cell) { EntryCost::from_array(self.entry_units[self.index(cell)]) } else { None }
    }

    /// Whether `cell` is on the grid and not blocked.
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.get(cell).is_some()
    }

    /// The passable cell at the smallest straight-line distance from `cell`, which may be off the grid. Of several, it is
    /// the one in the smaller row, then the one in the smaller column. `None` if no cell is passable. O(square of that
    /// distance); O(cells) for a cell off the grid.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost};
    /// let grid = CostGrid::from_fn(Size::new(9, 9), Diagonal::GAME, |cell| (cell.x > 4).then_some(EntryCost::TILE))?;
    /// assert_eq!(grid.nearest_passable(Cell::new(2, 3)), Some(Cell::new(5, 3)));
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn nearest_passable(&self, cell: Cell) -> Option<Cell> {
        let is_passable = |cell: &Cell| self.is_passable(*cell);
        if !self.size.contains(cell) {
            return self.size.cells().filter(is_passable).min_by_key(|near| near.distance_squared(cell));
        }
        let distance = nearest_reachable::distance_squared(self.size, cell, |cell| self.is_passable(cell));
        nearest_reachable::at_distance(cell, distance?).find(is_passable)
    }

    /// Sets the entry cost of `cell`, or blocks it with `None`; returns whether that changes the grid.
    ///
    /// A cell off the grid always counts as blocked: setting it does nothing and returns `false`. O(log distinct
    /// costs).
    pub fn set(&mut self, cell: Cell, cost: Option<EntryCost>) -> bool {
        if !self.size.contains(cell) {
            return false;
        }
        let at = self.index(cell);
        let (before, units) = (self.entry_units[at], cost.map_or(0, EntryCost::units));
        if before == units {
            return false;
        }
        (self.entry_units[at], self.diagonal_units[at]) = (units, self.diagonal.of(units));
        if before != 0 {
            self.counts.remove(before);
        }
        if units != 0 {
            self.counts.add(units, 1);
        }
        self.total = self.total - u64::from(before) + u64::from(units);
        self.history.push(Before { at, units: before, level: self.level_at(at) });
        true
    }

    /// Sets the level of `cell`; returns whether that changes the grid.
    ///
    /// A cell off the grid is always on level 0: setting it does nothing and returns `false`. O(1), but O(cells) for
    /// the first cell that rises above level 0.
    pub fn set_level(&mut self, cell: Cell, level: Level) -> bool {
        if !self.size.contains(cell) || self.level(cell) == level {
            return false;
        }
        let at = self.index(cell);
        let before = Before { at, units: self.entry_units[at], level: self.level_at(at) };
        self.put_level(at, level);
        self.history.push(before);
        true
    }

    /// Replaces the level of a cell. Levels are not stored while all of them are 0.
    fn put_level(&mut self, at: usize, level: Level) {
        if self.heights.is_none() && level == Level::GROUND {
            return;
        }
        let (len, climb) = (self.entry_units.len(), &self.climb);
        let heights = self
            .heights
            .get_or_insert_with(|| Box::new(Heights::new(len, climb.rises(), ClimbCosts::new(climb, self.diagonal))));
        heights.put(at, level);
        if heights.are_flat() {
            self.heights = None;
        }
    }

    /// Adds a link: a step from `from` to any other cell, at a cost of its own, such as stairs, a portal, a lift or a
    /// one-way door. It leads one way; add a second link for the other direction. A link between the same cells is
    /// replaced. Returns `false`, and does nothing, if `from` is `to`, if either is off the grid, or if the link
    /// already has this cost.
    ///
    /// A link is used as if its ends were neighbours: it costs `cost`, whatever the entry cost of `to`, and neither the
    /// move set nor a cliff matters. It can be used while both of its ends are passable. Between neighbours, the cheaper one
    /// counts: the link or the ordinary step. [`StepRules::without_links`](crate::StepRules::without_links) is for agents that cannot use links. In this way,
    /// the floors of a building can be regions of one grid, with blocked cells between them.
    ///
    /// A grid without links is searched as fast as before. With links, searches use neither jump points nor landmarks, but a
    /// lower bound that takes up to 32 links into account, and with more links no bound. O(links). The grid forgets its
    /// changes, so planners and fields prepare for it again.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteQuery};
    /// // Two floors of 3 x 3 cells, side by side.
    /// let is_floor = |cell: Cell| cell.x != 3;
    /// let mut grid =
    ///     CostGrid::from_fn(Size::new(7, 3), Diagonal::GAME, |cell| is_floor(cell).then_some(EntryCost::TILE))?;
    /// let (query, mut planner) = (RouteQuery::new(Cell::new(0, 0), Cell::new(6, 0)), Planner::new());
    /// assert!(!planner.plan(&grid, &query)?.found());
    ///
    /// let (bottom, top) = (Cell::new(1, 0), Cell::new(5, 0));
    /// grid.add_link(bottom, top, EntryCost::from_tiles(4.0)?);
    /// let result = planner.plan(&grid, &query)?;
    /// assert_eq!(result.cells(), [query.from, bottom, top, query.to]);
    /// assert_eq!(result.cost().unwrap().tiles(), 6.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_link(&mut self, from: Cell, to: Cell, cost: EntryCost) -> bool {
        let is_on_grid = self.size.contains(from) && self.size.contains(to);
        if !is_on_grid || from == to || self.link_cost(from, to) == Some(cost) {
            return false;
        }
        let link = LinkStep { from: self.index(from), to: self.index(to), units: cost.units() };
        Arc::make_mut(self.links.get_or_insert_default()).insert(link);
        self.history.clear();
        true
    }

    /// Removes the link from one cell to another; returns whether there was one. O(links); the grid forgets its changes.
    pub fn remove_link(&mut self, from: Cell, to: Cell) -> bool {
        if self.link_cost(from, to).is_none() {
            return false;
        }
        let [from, to] = [from, to].map(|cell| self.index(cell));
        self.links.as_mut().map(Arc::make_mut).into_iter().for_each(|links| links.remove(from, to));
        self.links.take_if(|links| links.is_empty());
        self.history.clear();
        true
    }

    /// The cost of the link from one cell to another; `None` if there is none. O(log links).
    pub fn link_cost(&self, from: Cell, to: Cell) -> Option<EntryCost> {
        let links = self.links.as_ref().filter(|_| self.size.contains(from) && self.size.contains(to))?;
        links.units(self.index(from), self.index(to)).and_then(EntryCost::from_array)
    }

    /// The links, in the order of the rows and columns of their first cells.
    pub fn links(&self) -> impl Iterator<Item = Link> + '_ {
        self.links.iter().flat_map(|links| links.iter()).filter_map(|link| {
            let cost = EntryCost::from_array(link.units)?;
            Some(Link { from: self.cell(link.from), to: self.cell(link.to), cost })
        })
    }

    /// All links; `None` if there are none.
    #[inline]
    pub(crate) fn all_links(&self) -> Option<&Links> {
        self.links.as_deref()
    }

    /// The current lowest entry cost of all cells; `None` if all are blocked. O(log distinct costs).
    pub fn min_cost(&self) -> Option<EntryCost> {
        self.counts.min().and_then(EntryCost::from_array)
    }

    /// The current highest entry cost of all cells; `None` if all are blocked. O(log distinct costs).
    pub fn max_cost(&self) -> Option<EntryCost> {
        self.counts.max().and_then(EntryCost::from_array)
    }

    /// The number of passable cells. O(distinct costs).
    pub(crate) fn passable_cells(&self) -> u64 {
        self.counts.total()
    }

    /// The exponent of a power of two that divides the cost of every step on the current grid. O(log distinct costs).
    /// No step costs less than the lowest entry cost, and all costs are rounded to the same number of digits.
    pub(crate) fn step_trailing_zeros(&self) -> u32 {
        self.counts.min().map_or(0, trailing_zeros_from)
    }

    /// The lowest entry cost, in units, without the `cells` cheapest cells; 0 if no cell is left. O(cells).
    pub(crate) fn min_units_ignoring(&self, cells: u32) -> u32 {
        self.counts.min_ignoring(cells)
    }

    /// The stamp of the contents. Every change gives the grid a new, unique stamp, so a stamp tells whether data
    /// computed from a grid is still valid. A copy has the same stamp until it or the original changes.
    pub fn stamp(&self) -> Stamp {
        self.history.stamp()
    }

    /// Iterates over the changes since the grid, or the grid that it was copied from, had this stamp, oldest first. A
    /// cell can occur more than once. `None` if the grid never had the stamp, or if it no longer remembers the changes.
    pub fn changes_since(&self, stamp: Stamp) -> Option<impl Iterator<Item = CellChange> + '_> {
        let changes = self.history.since(stamp)?;
        Some(changes.map(|Before { at, units, level }| CellChange {
            cell: self.cell(at),
            was: EntryCost::from_array(units),
            was_level: Level::from_array(level),
        }))
    }

    /// The number of changes that [`changes_since`](Self::changes_since) returns. O(log changes).
    #[doc(hidden)]
    #[inline]
    pub fn count_changes_since(&self, stamp: Stamp) -> Option<usize> {
        self.history.count_since(stamp)
    }

    /// An upper bound, in units, on the cost of every route that enters no cell twice. No cheapest route does.
    #[doc(hidden)]
    #[inline]
    pub fn route_units_limit(&self) -> u64 {
        // No diagonal step costs more than two straight ones.
        2 * self.max_climb_factor() * self.total + self.link_units().map(u64::from).sum::<u64>() + 1
    }

    /// A number of units that no step exceeds; `None` if all cells are blocked.
    pub(crate) fn max_step_units(&self) -> Option<u64> {
        let step = self.max_climb_factor() * u64::from(self.diagonal.of(self.max_cost()?.units()));
        Some(self.link_units().map(u64::from).fold(step, u64::max))
    }

    /// The lowest cost of a step, in units; `None` if all cells are blocked. O(log distinct costs + links).
    pub(crate) fn min_step_units(&self) -> Option<u32> {
        Some(self.link_units().fold(self.min_cost()?.units(), u32::min))
    }

    /// The costs of the links.
    fn link_units(&self) -> impl Iterator<Item = u32> + '_ {
        self.links.iter().flat_map(|links| links.iter()).map(|link| link.units)
    }

    /// The cost of a step between neighbours that is known to be possible, if it costs so many units to enter the second.
    #[inline]
    pub(crate) fn step_units(&self, is_diagonal: bool, from: usize, to: usize, units: u32) -> u64 {
        match self.heights() {
            Some(heights) => heights.costs().step(is_diagonal, units, heights.rise(from, to)),
            None if is_diagonal => self.diagonal.of(units).into(),
            None => units.into(),
        }
    }

    /// The largest factor by which a climb can make a step more expensive than on level ground, rounded up.
    pub(crate) fn max_climb_factor(&self) -> u64 {
        self.heights.as_ref().map_or(1, |heights| heights.costs().max_factor())
    }

    /// The levels; `None` if all cells are on level 0.
    #[inline(always)]
    #[doc(hidden)]
    pub fn heights(&self) -> Option<&Heights> {
        self.heights.as_deref()
    }

    /// The level at an index of [`entry_units`](Self::entry_units).
    pub(crate) fn level_at(&self, at: usize) -> u8 {
        self.heights.as_ref().map_or(0, |heights| heights.levels()[at])
    }

    /// The entry cost of every cell and of the border in units, 0 where blocked, by [`index`](Self::index).
    #[doc(hidden)]
    #[inline]
    pub fn entry_units(&self) -> &[u32] {
        &self.entry_units
    }

    /// The cost of a diagonal step into each cell on level ground, in units, 0 where blocked, by
    /// [`index`](Self::index).
    #[inline]
    pub(crate) fn diagonal_units(&self) -> &[u32] {
        &self.diagonal_units
    }

    /// The distance between two rows in [`entry_units`](Self::entry_units).
    #[doc(hidden)]
    #[inline]
    pub fn stride(&self) -> usize {
        self.size.width as usize + 1
    }

    /// The changes, for a saved grid.
    #[cfg(feature = "serde")]
    #[doc(hidden)]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Gives the changes of a saved grid to an equal one.
    #[cfg(feature = "serde")]
    #[doc(hidden)]
    pub fn set_history(&mut self, history: History) {
        self.history = history;
    }

    /// The position of a cell of the grid in [`entry_units`](Self::entry_units).
    #[doc(hidden)]
    #[inline]
    pub fn index(&self, cell: Cell) -> usize {
        (cell.y as usize + 1) * self.stride() + cell.x as usize + 1
    }

    /// The positions of the cells that are at most `reach` columns and rows away from a cell.
    #[doc(hidden)]
    #[inline]
    pub fn indices_around(&self, cell: Cell, reach: i32) -> impl Iterator<Item = usize> {
        let square = (-reach..=reach).flat_map(move |dy| (-reach..=reach).map(move |dx| cell + (dx, dy)));
        square.filter(|&cell| self.size.contains(cell)).map(|cell| self.index(cell))
    }

    /// The cell at a position in [`entry_units`](Self::entry_units).
    #[doc(hidden)]
    #[inline]
    pub fn cell(&self, at: usize) -> Cell {
        let (row, column) = (at / self.stride(), at % self.stride());
        Cell::new(column as i32 - 1, row as i32 - 1)
    }
}

/// The length of the array for a grid of this size.
fn array_len(Size { width, height }: Size) -> Result<usize, CostError> {
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
        return Err(CostError::Size { width, height });
    }
    Ok((width as usize + 1) * (height as usize + 2) + 1)
}

/// The largest length of the array for a grid of `cells` cells, whatever its shape.
pub(crate) fn max_array_len(cells: usize) -> usize {
    // The cells, one border cell for each row, and a row above and one below.
    cells.min(MAX_SIDE as usize * MAX_SIDE as usize) + 3 * (MAX_SIDE as usize + 1)
}

/// The number of bytes that a vector has allocated.
pub(crate) fn capacity_bytes<T>(values: &Vec<T>) -> usize {
    values.capacity() * size_of::<T>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CellChange;
    use crate::cost::changes::MAX_REMEMBERED;

    #[test]
    fn sizes_out_of_range_are_rejected() {
        for (width, height) in [(0, 1), (1, 0), (0, 0), (4097, 1), (1, 4097), (u32::MAX, u32::MAX)] {
            let grid = CostGrid::new(Size::new(width, height), Diagonal::GAME);
            assert_eq!(grid.err(), Some(CostError::Size { width, height }));
        }
    }

    #[test]
    fn index_and_cell_are_inverse() {
        for (width, height) in [(1, 1), (1, 7), (7, 1), (5, 4)] {
            let grid = CostGrid::new(Size::new(width, height), Diagonal::GAME).unwrap();
            for cell in grid.size().cells() {
                assert_eq!(grid.cell(grid.index(cell)), cell);
            }
        }
    }

    #[test]
    fn copies_have_the_stamp_until_they_change() {
        let mut grid = CostGrid::new(Size::new(2, 2), Diagonal::GAME).unwrap();
        let mut copy = grid.clone();
        assert_eq!(copy.stamp(), grid.stamp());
        let before = grid.stamp();
        for grid in [&mut grid, &mut copy] {
            assert!(grid.set(Cell::new(1, 1), Some(EntryCost::TILE)));
        }
        assert_ne!(grid.stamp(), copy.stamp());
        assert!(grid.changes_since(copy.stamp()).is_none() && copy.changes_since(grid.stamp()).is_none());
        assert_eq!([&grid, &copy].map(|grid| grid.changes_since(before).unwrap().count()), [1; 2]);
    }

    #[test]
    fn cells_off_the_grid_cannot_be_set() {
        let mut grid = CostGrid::new(Size::new(2, 2), Diagonal::GAME).unwrap();
        let before = grid.stamp();
        for cell in [Cell::new(-1, 0), Cell::new(2, 0), Cell::new(0, 2), Cell::new(i32::MIN, i32::MAX)] {
            assert!(!grid.set(cell, Some(EntryCost::TILE)));
            assert_eq!(grid.get(cell), None);
        }
        assert_eq!((grid.stamp(), grid.min_cost()), (before, None));
    }

    #[test]
    fn a_rebuilt_grid_equals_a_new_one() {
        let costs = [None, Some(EntryCost::TILE), Some(EntryCost::MIN), Some(EntryCost::MAX)];
        let mut grid = CostGrid::new(Size::new(9, 7), Diagonal::GAME).unwrap();
        grid.reserve(63);
        let (bytes, mut before) = (grid.bytes(), grid.stamp());
        for (seed, (width, height)) in [(9, 7), (1, 63), (63, 1), (3, 3), (9, 7)].into_iter().enumerate() {
            let cost = |cell: Cell| costs[(cell.x * 7 + cell.y * cell.y + seed as i32) as usize / 3 % 4];
            grid.rebuild(Size::new(width, height), cost).unwrap();
            let mut new = CostGrid::new(grid.size(), Diagonal::GAME).unwrap();
            for cell in new.size().cells() {
                new.set(cell, cost(cell));
            }
            let parts = |grid: &CostGrid| (grid.entry_units.clone(), grid.diagonal_units.clone(), grid.total);
            assert_eq!(parts(&grid), parts(&new));
            assert_eq!(grid.counts, new.counts);
            assert!(grid.stamp() != before && grid.changes_since(before).is_none());
            grid.set(Cell::new(0, 0), None);
            before = grid.stamp();
        }
        grid.rebuild(Size::new(9, 7), |_| None).unwrap();
        assert!(grid.stamp() != before && grid.changes_since(before).is_none());
        assert!(grid.total == 0 && grid.size().cells().all(|cell| grid.get(cell).is_none()));
        assert_eq!(grid.bytes(), bytes);
        assert!(grid.rebuild(Size::new(0, 3), |_| None).is_err() && grid.size() == Size::new(9, 7));
    }

    #[test]
    fn levels_are_kept_only_while_a_cell_is_raised() {
        let mut grid = CostGrid::new(Size::new(3, 2), Diagonal::GAME).unwrap();
        let (cell, two) = (Cell::new(2, 1), Level::new(2).unwrap());
        let before = grid.stamp();
        assert!(!grid.set_level(cell, Level::GROUND) && !grid.set_level(Cell::new(3, 1), two));
        assert!(grid.is_flat() && grid.stamp() == before);
        assert!(grid.set_level(cell, two) && !grid.set_level(cell, two));
        assert_eq!((grid.level(cell), grid.level(Cell::new(1, 1)), grid.is_flat()), (two, Level::GROUND, false));
        assert!(grid.set_level(cell, Level::GROUND));
        assert!(grid.is_flat());
        let changes = [Level::GROUND, two].map(|was_level| CellChange { cell, was: None, was_level });
        assert!(grid.changes_since(before).unwrap().eq(changes));
        let before = grid.stamp();
        grid.set_levels(ClimbRule::new(0.5, 0.0, 3).unwrap(), |cell| Level::new(cell.x as u8).unwrap());
        assert!(grid.stamp() != before && grid.changes_since(before).is_none());
        assert_eq!((grid.level(cell), grid.climb().up_most()), (two, 3));
        assert_eq!(grid.clone().level(cell), two);
        grid.rebuild(Size::new(4, 4), |_| None).unwrap();
        assert!(grid.is_flat() && grid.climb().up_most() == 3);
    }

    #[test]
    fn changes_are_listed_until_they_are_forgotten() {
        let mut grid = CostGrid::new(Size::new(2, 1), Diagonal::GAME).unwrap();
        let (cell, first) = (Cell::new(1, 0), grid.stamp());
        assert!(grid.set(cell, Some(EntryCost::TILE)));
        let second = grid.stamp();
        assert!(!grid.set(cell, Some(EntryCost::TILE)));
        assert!(grid.set(cell, None));
        let third = grid.stamp();
        let changes: Vec<_> = grid.changes_since(first).unwrap().collect();
        let was_level = Level::GROUND;
        let was = |was| CellChange { cell, was, was_level };
        assert_eq!(changes, [was(None), was(Some(EntryCost::TILE))]);
        assert_eq!(grid.changes_since(second).unwrap().count(), 1);
        assert_eq!(grid.changes_since(third).unwrap().count(), 0);
        assert!(grid.changes_since(Stamp::default()).is_none());
        for _ in 0..MAX_REMEMBERED / 2 {
            grid.set(cell, Some(EntryCost::TILE));
            grid.set(cell, None);
        }
        assert!(grid.changes_since(second).is_none());
        assert_eq!(grid.changes_since(third).unwrap().count(), MAX_REMEMBERED);
    }
}
