//! Heuristics as numbers: estimates of the cost from a cell to the goal, by the columns and rows between them.

use crate::grid::Cell;
use crate::options::{Heuristic, Options, Scale};
use crate::{CostGrid, EntryCost, Moves, RouteCost};

/// The weights of weighted A* are rounded down to multiples of one over this, and limited to this.
const WEIGHT_STEPS: f64 = 1024.0;

/// An estimate of the remaining cost to the goal, in units.
pub(crate) trait Estimate {
    /// Returns the estimate for a cell that is `columns` and `rows` away from the goal.
    fn for_offset(&self, columns: u32, rows: u32) -> u64;

    /// Returns the estimate for `cell`, which has this index in the grid and is `columns` and `rows` away from the
    /// goal.
    #[inline(always)]
    fn for_cell(&mut self, index: usize, cell: Cell, columns: u32, rows: u32) -> u64 {
        let _ = (index, cell);
        self.for_offset(columns, rows)
    }
}

/// An estimate that is linear in the longer and in the shorter side of the rectangle between a cell and the goal: every
/// heuristic but the Euclidean one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinearEstimate {
    /// Units for each cell along the longer side.
    long_side: u64,
    /// Units for each cell along the shorter side, in addition.
    short_side: u64,
}

impl LinearEstimate {
    pub(crate) const ZERO: Self = Self { long_side: 0, short_side: 0 };

    /// Returns the lowest cost between two cells if no straight step costs less than `straight` units: the octile
    /// distance with eight moves, the Manhattan distance with four.
    pub(crate) fn by_steps(grid: &CostGrid, moves: Moves, straight: u32) -> Self {
        let short_side = match moves {
            Moves::Eight => grid.diagonal().of(straight) - straight,
            Moves::Four => straight,
        };
        Self { long_side: straight.into(), short_side: short_side.into() }
    }
}

impl Estimate for LinearEstimate {
    #[inline(always)]
    fn for_offset(&self, columns: u32, rows: u32) -> u64 {
        u64::from(columns.max(rows)) * self.long_side + u64::from(columns.min(rows)) * self.short_side
    }
}

/// An estimate by the straight-line distance, rounded down to whole units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EuclideanEstimate {
    units_per_cell: f64,
}

impl Estimate for EuclideanEstimate {
    #[inline(always)]
    fn for_offset(&self, columns: u32, rows: u32) -> u64 {
        // Both squares fit, and IEEE 754 defines square root and product to the last bit, on every machine.
        (f64::from(columns * columns + rows * rows).sqrt() * self.units_per_cell) as u64
    }
}

/// A heuristic with its numbers for one grid as it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PreparedHeuristic {
    Linear(LinearEstimate),
    Euclidean(EuclideanEstimate),
}

impl PreparedHeuristic {
    /// Returns whether the heuristic of `options` is consistent at weight 1, on this grid as it is now: no step
    /// decreases the sum of the cost so far and the estimate. A consistent heuristic is admissible too.
    pub(crate) fn is_consistent(grid: &CostGrid, options: &Options) -> bool {
        let overestimates = options.heuristic == Heuristic::Manhattan && options.moves == Moves::Eight;
        let scaled = options.scale == Scale::Exact || grid.min_cost() >= Some(EntryCost::TILE);
        options.heuristic == Heuristic::Zero || scaled && !overestimates
    }

    /// Returns the heuristic of `options`, multiplied by `weight`.
    ///
    /// At weight 1 and exact scale it never overestimates, except Manhattan with eight moves. Proof: let `m` be the
    /// lowest entry cost, and `d` the cost of a diagonal step into such a cell, rounded as all costs are. Rounding
    /// keeps the order of numbers, so no straight step costs less than `m` and no diagonal step less than `d`. As the
    /// ratio is 1 to 2, `m <= d <= 2 m`. Then
    /// - octile is the lowest cost on an empty map where all steps cost `m` and `d`. This is a metric, so it is
    ///   consistent;
    /// - Chebyshev is never larger than octile, and Manhattan is the same as octile for four moves;
    /// - a straight step is 1 long and a diagonal one √2, so every route costs at least its length times the smaller
    ///   one of `m` and `d / √2`. The Euclidean estimate is slightly smaller, to be safe when floats are rounded.
    pub(crate) fn new(grid: &CostGrid, options: &Options, weight: f64) -> Self {
        let straight = match options.scale {
            Scale::Exact => grid.min_cost().unwrap_or(EntryCost::MIN),
            Scale::Classic => EntryCost::TILE,
        };
        let diagonal = grid.diagonal().of(straight.units());
        // Rounded down, so that the estimate is never more than `weight` times the plain one.
        let steps = (weight.min(WEIGHT_STEPS) * WEIGHT_STEPS) as u64;
        let weighted = |units: u32| u64::from(units) * steps / WEIGHT_STEPS as u64;
        let linear = |long_side, short_side| {
            Self::Linear(LinearEstimate { long_side: weighted(long_side), short_side: weighted(short_side) })
        };
        let straight = straight.units();
        match options.heuristic {
            Heuristic::Octile => linear(straight, diagonal - straight),
            Heuristic::Manhattan => linear(straight, straight),
            Heuristic::Chebyshev => linear(straight, 0),
            Heuristic::Zero => Self::Linear(LinearEstimate::ZERO),
            Heuristic::Euclidean => {
                let slightly_less = 1.0 - f64::EPSILON * 8.0;
                let units = f64::from(straight).min(f64::from(diagonal) / f64::sqrt(2.0));
                let units_per_cell = units * slightly_less * steps as f64 / WEIGHT_STEPS;
                Self::Euclidean(EuclideanEstimate { units_per_cell })
            }
        }
    }
}

impl Estimate for PreparedHeuristic {
    #[inline]
    fn for_offset(&self, columns: u32, rows: u32) -> u64 {
        match self {
            Self::Linear(linear) => linear.for_offset(columns, rows),
            Self::Euclidean(euclidean) => euclidean.for_offset(columns, rows),
        }
    }
}

impl Options {
    /// Returns h, the estimated cost of a route between two cells by the heuristic: 0 if the algorithm uses none. For
    /// [`Auto`](crate::Algorithm::Auto) a planner may know a better lower bound.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{Algorithm, CostGrid, Diagonal, EntryCost, Options};
    /// let grid = CostGrid::from_fn(Size::new(9, 9), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let (from, to) = (Cell::new(0, 0), Cell::new(5, 0));
    /// assert_eq!(Options::default().estimate(&grid, from, to).tiles(), 5.0);
    /// let dijkstra = Options { algorithm: Algorithm::Dijkstra, ..Options::default() };
    /// assert_eq!(dijkstra.estimate(&grid, from, to).tiles(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate(&self, grid: &CostGrid, from: Cell, to: Cell) -> RouteCost {
        if !self.algorithm.uses_heuristic() {
            return RouteCost::ZERO;
        }
        let heuristic = PreparedHeuristic::new(grid, self, 1.0);
        RouteCost::from_units(heuristic.for_offset(from.x.abs_diff(to.x), from.y.abs_diff(to.y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Diagonal;
    use crate::grid::Size;

    #[test]
    fn only_manhattan_exceeds_octile() {
        for tiles in [1.0 / 256.0, 0.0071, 1.0, 3.77, 4096.0] {
            for ratio in [1.0, 1.2, 1.4, 1.414, 2f64.sqrt(), 1.9, 2.0] {
                let cost = EntryCost::from_tiles(tiles).unwrap();
                let grid = CostGrid::from_fn(Size::new(1, 1), Diagonal::new(ratio).unwrap(), |_| Some(cost)).unwrap();
                let estimate_by =
                    |heuristic| PreparedHeuristic::new(&grid, &Options { heuristic, ..Options::default() }, 1.0);
                let step = |diagonal| grid.step_cost(Cell::new(0, 0), diagonal).unwrap().units();
                let lengths = [0, 1, 2, 3, 5, 7, 8, 12, 100, 1448, 4095];
                for (columns, rows) in lengths.iter().flat_map(|&c| lengths.map(|r| (c, r))) {
                    let (long, short) = (columns.max(rows), columns.min(rows));
                    let lowest = u64::from(short) * step(true) + u64::from(long - short) * step(false);
                    assert_eq!(estimate_by(Heuristic::Octile).for_offset(columns, rows), lowest);
                    for heuristic in [Heuristic::Chebyshev, Heuristic::Euclidean, Heuristic::Zero] {
                        let estimate = estimate_by(heuristic).for_offset(columns, rows);
                        assert!(estimate <= lowest, "{heuristic} {tiles} {ratio} {columns},{rows}");
                    }
                    let sum = u64::from(long + short) * step(false);
                    assert_eq!(estimate_by(Heuristic::Manhattan).for_offset(columns, rows), sum);
                }
            }
        }
    }
}
