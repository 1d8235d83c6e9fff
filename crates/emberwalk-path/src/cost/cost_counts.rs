//! How many cells have each cost, so that the lowest and the highest cost are always known.

use std::collections::BTreeMap;

/// The number of cells with each entry cost, in units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CostCounts {
    cells: BTreeMap<u32, u32>,
}

impl CostCounts {
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
    }

    /// Counts `cells` more cells of the same cost. O(log distinct costs).
    pub(crate) fn add(&mut self, units: u32, cells: u32) {
        if cells > 0 {
            *self.cells.entry(units).or_insert(0) += cells;
        }
    }

    /// Counts one cell less; the cost must have been counted before. O(log distinct costs).
    pub(crate) fn remove(&mut self, units: u32) {
        let count = self.cells.get_mut(&units).expect("the cost of every cell is counted");
        *count -= 1;
        if *count == 0 {
            self.cells.remove(&units);
        }
    }

    /// The number of all cells. O(distinct costs).
    pub(crate) fn total(&self) -> u64 {
        self.cells.values().map(|&count| u64::from(count)).sum()
    }

    /// The lowest cost in units.
    pub(crate) fn min(&self) -> Option<u32> {
        self.cells.keys().next().copied()
    }

    /// The highest cost in units.
    pub(crate) fn max(&self) -> Option<u32> {
        self.cells.keys().next_back().copied()
    }

    /// The lowest cost, in units, without the `ignored` cheapest cells; 0 if no cell is left. O(ignored).
    pub(crate) fn min_ignoring(&self, ignored: u32) -> u32 {
        let mut left = ignored;
        let lowest = self.cells.iter().find(|&(_, &count)| match left.checked_sub(count) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        });
        lowest.map_or(0, |(&units, _)| units)
    }
}
