//! Finds out whether jump points and landmarks pay on a grid, by what searches expand.
//!
//! On most maps a search over jump points expands far fewer cells than plain A*, but each takes several times as long.
//! Where costs differ everywhere, or the bounds are weak after an eruption, plain A* is faster. So now and then a query is
//! answered twice, by both; the search that is not used is cut short.

use crate::CostGrid;

/// The first queries are all trials, and then one of this many.
const QUERIES_BETWEEN_TRIALS: u32 = 32;
const FIRST_TRIALS: u32 = 4;

/// An expansion over jump points was measured to take about as long as this many quarters of one over neighbours.
const QUARTERS_PER_JUMP: u64 = 11;

/// To begin a search over jump points takes about as long as this many of its expansions.
const JUMPS_TO_BEGIN: u64 = 8;

/// What was seen on one grid, with landmarks or without them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trial {
    grid: u64,
    with_landmarks: bool,
    queries: u32,
    /// How many cells were expanded over jump points and over neighbours; older trials count half of later ones.
    jumps: u64,
    neighbours: u64,
}

impl Trial {
    /// Forgets what was seen on other grids.
    pub(super) fn begin(&mut self, grid: &CostGrid, with_landmarks: bool) {
        if (self.grid, self.with_landmarks) != (grid.id(), with_landmarks) {
            *self = Self { grid: grid.id(), with_landmarks, ..Self::default() };
        }
    }

    /// Counts a query, and returns whether it is a trial.
    pub(super) fn count_query(&mut self) -> bool {
        self.queries = self.queries.wrapping_add(1);
        self.queries <= FIRST_TRIALS || self.queries.is_multiple_of(QUERIES_BETWEEN_TRIALS)
    }

    /// Returns whether a search over jump points is faster, by what was seen so far.
    pub(super) fn jumps_pay(&self) -> bool {
        self.neighbours * 4 >= self.jumps * QUARTERS_PER_JUMP
    }

    /// Returns after how many expansions a search is certainly slower than the other one, which expanded `other` cells:
    /// that over neighbours, or that over jump points.
    pub(super) fn max_expanded(other: u64, is_over_neighbours: bool) -> u64 {
        let equal = if is_over_neighbours {
            (other + JUMPS_TO_BEGIN) * QUARTERS_PER_JUMP / 4
        } else {
            other * 4 / QUARTERS_PER_JUMP
        };
        2 * equal + 1
    }

    /// Records how many cells the two searches of a query expanded.
    pub(super) fn record(&mut self, jumps: u64, neighbours: u64) {
        self.jumps = self.jumps / 2 + jumps + JUMPS_TO_BEGIN;
        self.neighbours = self.neighbours / 2 + neighbours;
    }
}
