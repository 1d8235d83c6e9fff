//! The timelines of the cells of a grid, by the grid's index.

use std::sync::Arc;

use super::Forecast;
use super::timeline::{Timeline, common_multiple};
use crate::CostGrid;

/// The timelines by index: O(1) for each cell, with one bit for each index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timelines {
    /// A bit for each index that has a timeline.
    bits: Vec<u64>,
    /// How many timelines come before each word of these bits.
    ranks: Vec<u32>,
    /// By index.
    list: Vec<Arc<Timeline>>,
    /// The time from which on nothing happens but what repeats.
    repeats_from: u64,
    /// The least common multiple of all periods.
    period: u64,
}

impl Timelines {
    pub(crate) fn new(grid: &CostGrid, forecast: &Forecast) -> Self {
        let mut bits = vec![0; grid.entry_units().len().div_ceil(64)];
        let mut list = Vec::new();
        // By row and column, as the indices are.
        for (cell, timeline) in forecast.timelines().filter(|(cell, _)| grid.size().contains(*cell)) {
            let at = grid.index(cell);
            bits[at / 64] |= 1 << (at % 64);
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
        Self { bits, ranks, list, repeats_from, period }
    }

    /// The future of a cell; `None` if nothing is announced for it.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> Option<&Timeline> {
        let (word, bit) = (self.bits[at / 64], 1 << (at % 64));
        let rank = || self.ranks[at / 64] + (word & (bit - 1)).count_ones();
        (word & bit != 0).then(|| &*self.list[rank() as usize])
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
