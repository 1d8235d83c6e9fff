//! The timelines of the cells of a grid, by the grid's index.

use std::sync::Arc;

use super::Forecast;
use super::timeline::{Timeline, common_multiple};
use crate::{CostGrid, Stamp};

/// The timelines by index: O(1) for each cell, with one bit for each index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timelines {
    /// A bit for each index that has a timeline.
    bits: Vec<u64>,
    /// How many timelines come before each word of these bits.
    ranks: Vec<u32>,
    /// By index.
    list: Vec<Arc<Timeline>>,
    /// The lowest cost that each of these cells ever has; 0 if it is always blocked.
    lowest: Vec<u32>,
    /// The highest cost that is announced.
    highest: u32,
    /// Stands for the grid and the forecast from which they are made.
    stamp: Stamp,
    /// The time from which on nothing happens but what repeats.
    repeats_from: u64,
    /// The least common multiple of all periods.
    period: u64,
}

impl Timelines {
    pub(crate) fn new(grid: &CostGrid, forecast: &Forecast) -> Self {
        let mut bits = vec![0; grid.entry_units().len().div_ceil(64)];
        let (mut list, mut lowest) = (Vec::new(), Vec::new());
        // By row and column, as the indices are.
        for (cell, timeline) in forecast.timelines().filter(|(cell, _)| grid.size().contains(*cell)) {
            let at = grid.index(cell);
            bits[at / 64] |= 1 << (at % 64);
            lowest.push(timeline.lowest(grid.entry_units()[at]));
            list.push(Arc::clone(timeline));
        }
        let mut rank = 0;
        let ranks = bits.iter().map(|word: &u64| {
            let before = rank;
            rank += word.count_ones();
            before
        });
        let ranks = ranks.collect();
        let repeats_from = list.iter().map(|timeline| timeline.last_once()).max().unwrap_or(0);
        let period = common_multiple(list.iter().flat_map(|timeline| timeline.periods()));
        let highest = list.iter().filter_map(|timeline| timeline.highest()).max().unwrap_or(0);
        Self { bits, ranks, list, lowest, highest, stamp: Stamp::new(), repeats_from, period }
    }

    /// What will become of a cell; `None` if nothing is announced for it.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> Option<&Timeline> {
        self.number(at).map(|number| &*self.list[number])
    }

    /// The number of a cell among those for which something is announced.
    #[inline(always)]
    pub(crate) fn number(&self, at: usize) -> Option<usize> {
        let (word, bit) = (self.bits[at / 64], 1 << (at % 64));
        (word & bit != 0).then(|| (self.ranks[at / 64] + (word & (bit - 1)).count_ones()) as usize)
    }

    /// What will become of the cell of this number, and the lowest cost that it ever has.
    #[inline(always)]
    pub(crate) fn with_lowest(&self, number: usize) -> (&Timeline, u32) {
        (&self.list[number], self.lowest[number])
    }

    /// The highest cost that is announced; 0 if none is.
    pub(crate) fn highest(&self) -> u32 {
        self.highest
    }

    /// The number of cells for which something is announced.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The indices of these cells.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        let bits =
            |(k, &word): (usize, &u64)| (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| k * 64 + bit);
        self.bits.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(bits)
    }

    /// Stands for the grid and the forecast from which they are made.
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// The time from which on nothing happens but what repeats.
    pub(crate) fn repeats_from(&self) -> u64 {
        self.repeats_from
    }

    /// The least common multiple of all periods, see [`common_multiple`].
    pub(crate) fn period(&self) -> u64 {
        self.period
    }
}
