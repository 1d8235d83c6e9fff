//! Cost decreases: the regions of a grid in which cells became cheaper or passable, or changed their level, after some
//! time.
//!
//! Lower bounds that were computed before changes of the grid remain valid for every route without a step that
//! became cheaper or possible since. Each such step begins and ends in one of the regions found here, so that routes
//! through a region can be bounded separately (see [`LandmarkBounds`](super::landmark_bounds::LandmarkBounds)).
//!
//! Recording a change takes time O(regions), of which there are never more than eight; the set of changed cells takes
//! one bit per cell of the grid.

use crate::bounds::cell_box::CellBox;
use crate::cost::changes::MAX_REMEMBERED;
use crate::search::cell_set::CellSet;
use crate::{CellChange, CostGrid, EntryCost, Stamp};

/// The maximum number of regions: each takes time at every cell that a search looks at.
pub(crate) const MAX_DECREASES: usize = 8;

/// The cells of larger regions are not looked at, because that would take too long. Their distances are unknown.
pub(crate) const MAX_CELLS: i64 = 1 << 10;

/// The maximum number of single cells that are remembered; of more, none.
pub(crate) const MAX_SINGLES: usize = 128;

/// A region in which cells became cheaper or passable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostDecrease {
    /// The cells that changed, with a margin: every step that became possible or cheaper begins and ends in this box.
    pub(crate) cells: CellBox,
    /// The highest entry cost, in units, that any of the changed cells had before; 0 if all were blocked.
    pub(crate) max_cost_before: u32,
    /// The lowest entry cost, in units, that any of the changed cells had before, or has now if it was blocked.
    pub(crate) min_cost: u32,
    /// A stamp of the grid after the last change in the region.
    pub(crate) last_stamp: Stamp,
}

/// All regions in which cells became cheaper or passable since some time.
#[derive(Clone, Debug)]
pub(crate) struct CostDecreases {
    regions: Vec<CostDecrease>,
    /// The last single cells in which costs decreased, each as a separate region.
    singles: Vec<CostDecrease>,
    /// The cells in which costs decreased, and the cells around them.
    cells: CellSet,
    /// Whether there were too many regions.
    are_many: bool,
    /// The cells that changed; only used while changes are recorded.
    changed: CellSet,
}

impl CostDecreases {
    /// Creates an empty record for a grid.
    pub(crate) fn new(grid: &CostGrid) -> Self {
        let mut changed = CellSet::default();
        changed.begin(grid.entry_units().len(), MAX_REMEMBERED);
        let mut cells = CellSet::default();
        let len = grid.entry_units().len();
        cells.begin(len, len.min(9 * MAX_REMEMBERED));
        let (regions, singles) = (Vec::with_capacity(MAX_DECREASES + 1), Vec::with_capacity(MAX_SINGLES + 1));
        Self { regions, singles, cells, are_many: false, changed }
    }

    /// Whether the regions say little about where costs decreased: because there were too many, or because one is so
    /// large that its cells are not looked at.
    pub(crate) fn are_vague(&self) -> bool {
        self.are_many || self.regions.iter().any(|region| region.cells.area() > MAX_CELLS)
    }

    /// Exchanges the ends of all steps that became cheaper or possible, and the single cells in which costs decreased,
    /// for empty containers. The regions stay.
    pub(crate) fn take(&mut self, cells: &mut CellSet, singles: &mut Vec<CostDecrease>, len: usize) {
        cells.begin(len, len.min(9 * MAX_REMEMBERED));
        singles.clear();
        singles.reserve(MAX_SINGLES + 1);
        std::mem::swap(&mut self.cells, cells);
        std::mem::swap(&mut self.singles, singles);
    }

    /// Forgets the regions of the decreases that were [taken](Self::take), when the grid had this stamp.
    pub(crate) fn forget_taken(&mut self, stamp: Stamp) {
        if self.singles.len() > MAX_SINGLES {
            self.regions.retain(|region| region.last_stamp > stamp);
            return;
        }
        self.regions.clear();
        self.are_many = false;
        for k in 0..self.singles.len() {
            self.add(self.singles[k]);
        }
    }

    /// Whether a step that became cheaper or possible begins or ends at that index.
    pub(crate) fn contain(&self, at: usize) -> bool {
        self.cells.contains(at)
    }

    /// Forgets all decreases.
    pub(crate) fn clear(&mut self) {
        self.regions.clear();
        self.singles.clear();
        self.cells.clear();
        self.are_many = false;
    }

    /// The regions; there are never more than [`MAX_DECREASES`].
    pub(crate) fn regions(&self) -> &[CostDecrease] {
        &self.regions
    }

    /// Records the cost decreases among `changes`, the last changes of the grid, and calls `unblocked` with the index
    /// of each blocked cell that became passable.
    pub(crate) fn record(
        &mut self,
        grid: &CostGrid,
        changes: impl Iterator<Item = CellChange>,
        mut unblocked: impl FnMut(usize),
    ) {
        for change in changes {
            let at = grid.index(change.cell);
            let (before, now) = (change.was.map_or(0, EntryCost::units), grid.entry_units()[at]);
            // From another level, some steps to and from the cell are cheaper.
            let level_stays = change.was_level.get() == grid.level_at(at);
            // The first change of a cell has the cost and the level before all of them.
            if !self.changed.insert(at)
                || now == 0
                || before != 0 && level_stays && bounds_stay_valid(grid, before, now)
            {
                continue;
            }
            if before == 0 {
                unblocked(at);
            }
            for at in grid.indices_around(change.cell, 1) {
                self.cells.insert(at);
            }
            let decrease = CostDecrease {
                cells: CellBox::of(change.cell).with_margin(),
                max_cost_before: before,
                min_cost: if before == 0 { now } else { before },
                last_stamp: grid.stamp(),
            };
            if self.singles.len() <= MAX_SINGLES {
                self.singles.push(decrease);
            }
            self.add(decrease);
        }
        self.changed.clear();
    }

    /// Forgets the regions in which nothing decreased after the grid had this stamp.
    pub(crate) fn forget_until(&mut self, stamp: Stamp) {
        self.regions.retain(|region| region.last_stamp > stamp);
        if self.regions.is_empty() {
            self.clear();
        }
    }

    /// Merges a region with the regions near it, and adds it. If there are too many regions then, merges the two
    /// whose common box grows least.
    fn add(&mut self, mut region: CostDecrease) {
        while let Some(k) = self.regions.iter().position(|other| other.cells.is_near(region.cells)) {
            region = region.merged(self.regions.swap_remove(k));
        }
        self.regions.push(region);
        if self.regions.len() > MAX_DECREASES {
            self.are_many = true;
            let pairs = (1..self.regions.len()).flat_map(|k| (0..k).map(move |other| (k, other)));
            let growth = |&(k, other): &(usize, usize)| self.regions[k].cells.union_growth(self.regions[other].cells);
            if let Some((k, other)) = pairs.min_by_key(growth) {
                let removed = self.regions.swap_remove(k);
                self.regions[other] = self.regions[other].merged(removed);
            }
        }
    }
}

impl CostDecrease {
    fn merged(self, other: Self) -> Self {
        Self {
            cells: self.cells.union(other.cells),
            max_cost_before: self.max_cost_before.max(other.max_cost_before),
            min_cost: self.min_cost.min(other.min_cost),
            last_stamp: self.last_stamp.max(other.last_stamp),
        }
    }
}

/// Whether older bounds of landmarks stay valid when the entry cost of a cell changes from `before` to `now`
/// units. They do if it increases, with one exception.
///
/// The bounds add the current entry cost of the goal to a distance and are halved. So they stay valid only if twice the
/// cost of a step into the cell increases at least as much as its entry cost. Where an entry cost increases by its last
/// digit, rounding can leave the cost of a diagonal step as it was; such an increase is treated as a decrease.
fn bounds_stay_valid(grid: &CostGrid, before: u32, now: u32) -> bool {
    let step = |units| u64::from(grid.diagonal().of(units));
    before <= now && 2 * (step(now) - step(before)) >= u64::from(now - before)
}
