//! The cost grid: what entering each cell costs, the cheapest of these costs, and what changed lately.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::grid::{Cell, Size};
use crate::{CostError, Diagonal, EntryCost, RouteCost};

/// The most columns and the most rows of a cost grid.
pub const MAX_SIDE: u32 = 4096;

/// How many changes a grid remembers; past that a reader has to look at all of it.
pub(crate) const MAX_REMEMBERED: usize = 4096;

/// One change of one cell, see [`CostGrid::changes_since`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The cell that changed.
    pub cell: Cell,
    /// Its entry cost before; `None` if it was blocked.
    pub was: Option<EntryCost>,
}

/// What entering each cell of a map costs, or that it is blocked.
///
/// Four bytes a cell, row by row, with a border of blocked cells around it, so that a search never asks whether a
/// neighbour is on the map. The grid keeps count of its distinct costs, so that the cheapest is always known, and
/// remembers its last 4096 changes, so that what was derived from it catches up without a look at every cell.
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
#[derive(Debug)]
pub struct CostGrid {
    size: Size,
    diagonal: Diagonal,
    /// Units, 0 where blocked. Rows of `width + 1`: the border east of a row is the border west of the next.
    stored: Vec<u32>,
    /// How many cells have each cost.
    counts: BTreeMap<u32, u32>,
    /// The sum of all of `stored`.
    total: u64,
    id: u64,
    version: u64,
    /// Where, and what was stored there; the newest last.
    changes: VecDeque<(u32, u32)>,
}

impl CostGrid {
    /// A grid of blocked cells.
    ///
    /// # Errors
    /// [`CostError::Size`] unless both sides are 1 to [`MAX_SIDE`].
    pub fn new(size: Size, diagonal: Diagonal) -> Result<Self, CostError> {
        let stored = vec![0; array_len(size)?];
        let changes = VecDeque::with_capacity(MAX_REMEMBERED);
        Ok(Self { size, diagonal, stored, counts: BTreeMap::new(), total: 0, id: new_id(), version: 0, changes })
    }

    /// A grid whose cells cost what `cost` says, `None` for blocked.
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

    /// Makes it the grid of another map, whose cells cost what `cost` says, in the memory that it has: nothing is
    /// allocated unless it is larger than any before. It is another grid then, with another [`id`](Self::id).
    ///
    /// # Errors
    /// [`CostError::Size`] unless both sides are 1 to [`MAX_SIDE`]; the grid is then as it was.
    pub fn rebuild(&mut self, size: Size, mut cost: impl FnMut(Cell) -> Option<EntryCost>) -> Result<(), CostError> {
        let len = array_len(size)?;
        (self.size, self.id, self.version, self.total) = (size, new_id(), 0, 0);
        self.counts.clear();
        self.changes.clear();
        self.stored.clear();
        self.stored.resize(len, 0);
        // Most cells cost what the one before does: they are counted by the run.
        let (mut run, mut length) = (0, 0);
        for cell in size.cells() {
            let Some(cost) = cost(cell) else { continue };
            let (units, at) = (cost.units(), self.index(cell));
            self.stored[at] = units;
            self.total += u64::from(units);
            if units != run {
                self.count(run, length);
                (run, length) = (units, 0);
            }
            length += 1;
        }
        self.count(run, length);
        Ok(())
    }

    fn count(&mut self, units: u32, cells: u32) {
        if cells > 0 {
            *self.counts.entry(units).or_insert(0) += cells;
        }
    }

    /// Makes room for a map of so many cells, whatever its shape.
    pub fn reserve(&mut self, cells: usize) {
        self.stored.reserve_exact(max_array_len(cells).saturating_sub(self.stored.len()));
    }

    /// How many bytes its containers hold; what it counts of its distinct costs apart.
    pub fn bytes(&self) -> usize {
        capacity_bytes(&self.stored) + self.changes.capacity() * size_of::<(u32, u32)>()
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How much dearer diagonal steps are.
    pub fn diagonal(&self) -> Diagonal {
        self.diagonal
    }

    /// What entering `cell` costs; `None` where it is blocked or off the grid.
    pub fn get(&self, cell: Cell) -> Option<EntryCost> {
        if self.size.contains(cell) { EntryCost::from_array(self.stored[self.index(cell)]) } else { None }
    }

    /// Whether `cell` is on the grid and not blocked.
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.get(cell).is_some()
    }

    /// Makes entering `cell` cost `cost`, or blocks it with `None`; says whether that is a change.
    ///
    /// A cell off the grid stays blocked: nothing happens. O(log of the number of distinct costs).
    pub fn set(&mut self, cell: Cell, cost: Option<EntryCost>) -> bool {
        if !self.size.contains(cell) {
            return false;
        }
        let at = self.index(cell);
        let (was, is) = (self.stored[at], cost.map_or(0, EntryCost::units));
        if was == is {
            return false;
        }
        if was != 0 {
            let count = self.counts.get_mut(&was).expect("every stored cost is counted");
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&was);
            }
        }
        if is != 0 {
            *self.counts.entry(is).or_insert(0) += 1;
        }
        self.total = self.total - u64::from(was) + u64::from(is);
        self.stored[at] = is;
        self.version += 1;
        if self.changes.len() == MAX_REMEMBERED {
            self.changes.pop_front();
        }
        self.changes.push_back((at as u32, was));
        true
    }

    /// The smallest entry cost of any cell as it is now; `None` if all are blocked. O(log distinct costs).
    pub fn min_cost(&self) -> Option<EntryCost> {
        self.counts.keys().next().copied().and_then(EntryCost::from_array)
    }

    /// The largest entry cost of any cell as it is now; `None` if all are blocked. O(log distinct costs).
    pub fn max_cost(&self) -> Option<EntryCost> {
        self.counts.keys().next_back().copied().and_then(EntryCost::from_array)
    }

    /// The largest power of two, as its exponent, of which the cost of every step is a multiple and will be while no
    /// other costs are set. O(distinct costs).
    pub(crate) fn common_trailing_zeros(&self) -> u32 {
        let bits = self.counts.keys().fold(0, |bits, &units| bits | units | self.diagonal.of(units));
        if bits == 0 { 0 } else { bits.trailing_zeros() }
    }

    /// The cheapest cost that is left when up to `few` cells are not counted, in units; 0 if none is left. O(few).
    pub(crate) fn min_units_ignoring(&self, few: u32) -> u32 {
        let mut left = few;
        let usual = self.counts.iter().find(|&(_, &count)| match left.checked_sub(count) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        });
        usual.map_or(0, |(&units, _)| units)
    }

    /// The cost of a step into `into`, a diagonal one or a straight one; `None` if it is blocked or off the grid.
    pub fn step_cost(&self, into: Cell, diagonal: bool) -> Option<RouteCost> {
        let units = self.get(into)?.units();
        Some(RouteCost::from_units(u64::from(if diagonal { self.diagonal.of(units) } else { units })))
    }

    /// How many changes there were so far.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// A number that no other grid has, a clone of this one neither (but a [`snapshot`](Self::snapshot)): with [`version`](Self::version) it tells
    /// whether something derived from a grid is still true.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The grid as it is now, to be looked at elsewhere while it changes here. O(cells).
    ///
    /// What a [`Planner`](super::Planner) prepares on it holds for the grid itself, for a snapshot keeps its
    /// [`id`](Self::id) and [`version`](Self::version), and never changes.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.copy(self.id))
    }

    fn copy(&self, id: u64) -> Self {
        let Self { size, diagonal, total, version, .. } = *self;
        let (stored, counts, changes) = (self.stored.clone(), self.counts.clone(), self.changes.clone());
        Self { size, diagonal, stored, counts, total, id, version, changes }
    }

    /// The changes since this grid had that version, oldest first (a cell may be named more than once); `None` if they
    /// are no longer remembered, or if it never had that version.
    pub fn changes_since(&self, version: u64) -> Option<impl Iterator<Item = Change> + '_> {
        let new = usize::try_from(self.version.checked_sub(version)?).ok()?;
        let skipped = self.changes.len().checked_sub(new)?;
        Some(
            self.changes
                .iter()
                .skip(skipped)
                .map(|&(at, was)| Change { cell: self.cell(at as usize), was: EntryCost::from_array(was) }),
        )
    }

    /// More units than a route costs that enters no cell twice, which no cheapest one does.
    pub(crate) fn route_units_limit(&self) -> u64 {
        // No diagonal step costs more than two straight ones.
        2 * self.total + 1
    }

    /// Units of every cell and of the border, 0 where blocked, by [`index`](Self::index).
    pub(crate) fn entry_units(&self) -> &[u32] {
        &self.stored
    }

    /// How far apart two rows stand in [`stored`](Self::stored).
    pub(crate) fn stride(&self) -> usize {
        self.size.width as usize + 1
    }

    /// Where a cell of the grid stands in [`stored`](Self::stored).
    pub(crate) fn index(&self, cell: Cell) -> usize {
        (cell.y as usize + 1) * self.stride() + cell.x as usize + 1
    }

    /// The cell that stands there.
    pub(crate) fn cell(&self, at: usize) -> Cell {
        let (row, column) = (at / self.stride(), at % self.stride());
        Cell::new(column as i32 - 1, row as i32 - 1)
    }
}

/// The clone has an [`id`](CostGrid::id) of its own, for it may be changed apart from the original.
impl Clone for CostGrid {
    fn clone(&self) -> Self {
        self.copy(new_id())
    }
}

/// A cost grid as it was at one moment, see [`CostGrid::snapshot`].
#[derive(Debug)]
pub struct Snapshot(CostGrid);

impl Deref for Snapshot {
    type Target = CostGrid;

    fn deref(&self) -> &CostGrid {
        &self.0
    }
}

/// How much is stored of a grid of that size.
fn array_len(Size { width, height }: Size) -> Result<usize, CostError> {
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
        return Err(CostError::Size { width, height });
    }
    Ok((width as usize + 1) * (height as usize + 2) + 1)
}

/// The most that is stored of a grid of so many cells, whatever its shape.
pub(crate) fn max_array_len(cells: usize) -> usize {
    // The cells, a border cell for each row, and a row above and one below.
    cells.min(MAX_SIDE as usize * MAX_SIDE as usize) + 3 * (MAX_SIDE as usize + 1)
}

/// How many bytes a vector holds.
pub(crate) fn capacity_bytes<T>(values: &Vec<T>) -> usize {
    values.capacity() * size_of::<T>()
}

fn new_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_refused() {
        for (width, height) in [(0, 1), (1, 0), (0, 0), (4097, 1), (1, 4097), (u32::MAX, u32::MAX)] {
            let grid = CostGrid::new(Size::new(width, height), Diagonal::GAME);
            assert_eq!(grid.err(), Some(CostError::Size { width, height }));
        }
    }

    #[test]
    fn indices_and_cells_are_inverse() {
        for (width, height) in [(1, 1), (1, 7), (7, 1), (5, 4)] {
            let grid = CostGrid::new(Size::new(width, height), Diagonal::GAME).unwrap();
            for cell in grid.size().cells() {
                assert_eq!(grid.cell(grid.index(cell)), cell);
            }
        }
    }

    #[test]
    fn nothing_happens_off_the_grid() {
        let mut grid = CostGrid::new(Size::new(2, 2), Diagonal::GAME).unwrap();
        for cell in [Cell::new(-1, 0), Cell::new(2, 0), Cell::new(0, 2), Cell::new(i32::MIN, i32::MAX)] {
            assert!(!grid.set(cell, Some(EntryCost::TILE)));
            assert_eq!(grid.get(cell), None);
        }
        assert_eq!((grid.version(), grid.min_cost()), (0, None));
    }

    #[test]
    fn a_grid_that_is_rebuilt_is_as_a_new_one() {
        let costs = [None, Some(EntryCost::TILE), Some(EntryCost::MIN), Some(EntryCost::MAX)];
        let mut grid = CostGrid::new(Size::new(9, 7), Diagonal::GAME).unwrap();
        grid.reserve(63);
        let bytes = grid.bytes();
        let mut before = grid.id();
        for (seed, (width, height)) in [(9, 7), (1, 63), (63, 1), (3, 3), (9, 7)].into_iter().enumerate() {
            let cost = |cell: Cell| costs[(cell.x * 7 + cell.y * cell.y + seed as i32) as usize / 3 % 4];
            grid.rebuild(Size::new(width, height), cost).unwrap();
            let mut new = CostGrid::new(grid.size(), Diagonal::GAME).unwrap();
            for cell in new.size().cells() {
                new.set(cell, cost(cell));
            }
            assert_eq!((&grid.stored, &grid.counts, grid.total), (&new.stored, &new.counts, new.total));
            assert!(grid.id() != before && grid.changes_since(0).unwrap().count() == 0);
            grid.set(Cell::new(0, 0), None);
            before = grid.id();
        }
        assert_eq!(grid.bytes(), bytes);
        assert!(grid.rebuild(Size::new(0, 3), |_| None).is_err() && grid.size() == Size::new(9, 7));
    }

    #[test]
    fn changes_are_told_until_they_are_forgotten() {
        let mut grid = CostGrid::new(Size::new(2, 1), Diagonal::GAME).unwrap();
        let cell = Cell::new(1, 0);
        assert!(grid.set(cell, Some(EntryCost::TILE)));
        assert!(!grid.set(cell, Some(EntryCost::TILE)));
        assert!(grid.set(cell, None));
        let told: Vec<_> = grid.changes_since(0).unwrap().collect();
        assert_eq!(told, [Change { cell, was: None }, Change { cell, was: Some(EntryCost::TILE) }]);
        assert_eq!(grid.changes_since(1).unwrap().count(), 1);
        assert_eq!(grid.changes_since(2).unwrap().count(), 0);
        assert!(grid.changes_since(3).is_none());
        for _ in 0..MAX_REMEMBERED / 2 {
            grid.set(cell, Some(EntryCost::TILE));
            grid.set(cell, None);
        }
        assert!(grid.changes_since(1).is_none());
        assert_eq!(grid.changes_since(2).unwrap().count(), MAX_REMEMBERED);
    }
}
