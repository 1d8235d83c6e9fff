//! The target of a route as a set of distances from the landmarks: the goal, or a region where costs decreased.

use crate::CostGrid;
use crate::bounds::cost_decreases::{CostDecrease, MAX_CELLS};
use crate::bounds::distance_tables::{DistanceByTable, DistanceTables, INFINITE, LINE_LEN, MAX_TABLES};

/// Whether a table for one direction has the distances from all cells to its landmark; otherwise it has the distances
/// from the landmark to all cells. The tables alternate.
///
/// The first kind bounds how much farther a cell is from the target than from the landmark. The second kind bounds how
/// much farther the target is from the landmark than the cell.
pub(crate) fn leads_to_landmark(table: usize) -> bool {
    table % 2 == 1
}

/// The goal of a route, or a region that it goes through, as ranges of its distances from the landmarks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LandmarkTarget {
    /// Lower bounds on the target's distances.
    pub(crate) lower: DistanceByTable,
    /// Upper bounds on the target's distances.
    pub(crate) upper: DistanceByTable,
    /// A lower bound on the cost of entering it, in units.
    pub(crate) entry_cost: u64,
}

impl LandmarkTarget {
    /// A target of which nothing is known: no cell's distance is below or above these bounds.
    const UNKNOWN: Self = Self { lower: [-INFINITE; LINE_LEN], upper: [INFINITE; LINE_LEN], entry_cost: 0 };

    /// Creates a target from lower and upper bounds on its distance from each of the landmarks.
    ///
    /// In tables of one direction, only one side of a distance bounds anything: see [`leads_to_landmark`].
    pub(crate) fn new(
        tables: &DistanceTables,
        entry_cost: u32,
        distance: impl Fn(usize) -> Option<(i32, i32)>,
    ) -> Self {
        let mut target = Self { entry_cost: entry_cost.into(), ..Self::UNKNOWN };
        for k in 0..MAX_TABLES {
            if let Some((lower, upper)) = distance(k).filter(|&(_, upper)| upper < INFINITE) {
                if !tables.are_directed || !leads_to_landmark(k) {
                    target.lower[k] = lower - tables.rounding(k);
                }
                if !tables.are_directed || leads_to_landmark(k) {
                    target.upper[k] = upper + tables.rounding(k);
                }
            }
        }
        target
    }

    /// A lower bound on the distance between the target and a cell, or any cell of a region, whose distances
    /// from the landmarks lie between `lower` and `upper`: the largest gap between the two ranges. In units of the
    /// tables.
    #[inline(always)]
    pub(crate) fn distance(&self, lower: &DistanceByTable, upper: &DistanceByTable) -> u64 {
        let mut largest = 0;
        for k in 0..LINE_LEN {
            largest = largest.max(lower[k] - self.upper[k]).max(self.lower[k] - upper[k]);
        }
        largest as u64
    }
}

/// A region where costs decreased, with bounds on the distances of all its cells from the landmarks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecreasedRegion {
    pub(crate) decrease: CostDecrease,
    /// Lower bounds on the distances of all its cells.
    pub(crate) lower: DistanceByTable,
    /// Upper bounds on the distances of all its cells.
    pub(crate) upper: DistanceByTable,
    /// A lower bound on the entry costs of its cells, before and after the decrease.
    min_cost: u32,
    /// The highest entry cost of its cells, before and after the decrease; of a large region only the highest one
    /// before, of the cells that changed.
    pub(crate) max_cost: u32,
}

impl DecreasedRegion {
    /// Computes the bounds; O(cells of the region).
    pub(crate) fn new(tables: &DistanceTables, grid: &CostGrid, decrease: &CostDecrease) -> Self {
        let mut region = Self {
            decrease: *decrease,
            lower: [INFINITE; LINE_LEN],
            upper: [-1; LINE_LEN],
            min_cost: u32::MAX,
            max_cost: decrease.max_cost_before,
        };
        let is_small = decrease.cells.area() <= MAX_CELLS;
        for cell in decrease.cells.cells().filter(|&cell| is_small && grid.is_passable(cell)) {
            let at = grid.index(cell);
            region.min_cost = region.min_cost.min(grid.entry_units()[at]);
            region.max_cost = region.max_cost.max(grid.entry_units()[at]);
            // Routes from outside first reach cells that are known.
            for k in 0..if tables.is_unknown(at) { 0 } else { MAX_TABLES } {
                let (lower, upper) = tables.distance(at, k).unwrap_or((0, INFINITE));
                region.lower[k] = region.lower[k].min(lower);
                region.upper[k] = region.upper[k].max(upper);
            }
        }
        if region.upper[0] < 0 || region.min_cost == u32::MAX {
            (region.lower, region.upper, region.min_cost) = ([0; LINE_LEN], [INFINITE; LINE_LEN], 0);
        }
        region.min_cost = region.min_cost.min(decrease.min_cost);
        region
    }

    /// The region as the target of a route.
    pub(crate) fn target(&self, tables: &DistanceTables) -> LandmarkTarget {
        LandmarkTarget::new(tables, self.min_cost, |k| Some((self.lower[k], self.upper[k])))
    }
}
