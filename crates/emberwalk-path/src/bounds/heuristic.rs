//! Heuristics as numbers: lower bounds on the units from a cell to the goal.

use crate::grid::Cell;
use crate::query::{Heuristic, Options, Scale};
use crate::{CostGrid, EntryCost, Moves};

/// The weights of weighted A* count in steps of one over this.
const WEIGHT_STEPS: f64 = 1024.0;

/// An estimate by the columns and rows between a cell and the goal.
pub(crate) trait Estimate {
    /// In units.
    fn at(&self, columns: u32, rows: u32) -> u64;

    /// In units, from that cell with that index, so many columns and rows from the goal.
    #[inline(always)]
    fn of(&mut self, index: usize, cell: Cell, columns: u32, rows: u32) -> u64 {
        let _ = (index, cell);
        self.at(columns, rows)
    }
}

/// `far` for each step along the longer side and `near` for each along the shorter: all heuristics but the Euclidean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    far: u64,
    near: u64,
}

impl Linear {
    pub(crate) const ZERO: Self = Self { far: 0, near: 0 };

    /// The least cost between two cells where no straight step costs less than `straight`: octile, or Manhattan.
    pub(crate) fn of_steps(grid: &CostGrid, moves: Moves, straight: u32) -> Self {
        let near = match moves {
            Moves::Eight => grid.diagonal().of(straight) - straight,
            Moves::Four => straight,
        };
        Self { far: straight.into(), near: near.into() }
    }
}

impl Estimate for Linear {
    #[inline(always)]
    fn at(&self, columns: u32, rows: u32) -> u64 {
        u64::from(columns.max(rows)) * self.far + u64::from(columns.min(rows)) * self.near
    }
}

/// So many units for each cell of straight-line distance, rounded down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Euclidean {
    units: f64,
}

impl Estimate for Euclidean {
    #[inline(always)]
    fn at(&self, columns: u32, rows: u32) -> u64 {
        // Both squares fit, and IEEE 754 defines square root and product to the last bit, on every machine.
        (f64::from(columns * columns + rows * rows).sqrt() * self.units) as u64
    }
}

/// A heuristic made ready for one grid as it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ready {
    Linear(Linear),
    Euclidean(Euclidean),
}

impl Ready {
    /// Whether a step never lowers the sum of cost so far and estimate, on this grid as it is now, at weight 1. Then
    /// the estimate is admissible too.
    pub(crate) fn is_consistent(grid: &CostGrid, options: &Options) -> bool {
        let overestimates = options.heuristic == Heuristic::Manhattan && options.moves == Moves::Eight;
        let scaled = options.scale == Scale::Exact || grid.min_cost() >= Some(EntryCost::TILE);
        options.heuristic == Heuristic::Zero || scaled && !overestimates
    }

    /// The heuristic of `options`, `weight` times.
    ///
    /// Why it never overestimates at weight 1 under exact scale: let `m` be the smallest entry cost, and `d` that of
    /// a diagonal step into such a cell, rounded as all are. Rounding keeps order, so no straight step costs less than
    /// `m` and no diagonal one less than `d`, and `m <= d <= 2 m` as the ratio is 1 to 2. Then
    /// - octile is the least cost on an empty map where all steps cost `m` and `d`, a metric, hence consistent;
    /// - Chebyshev is at most that, and Manhattan is that with four moves;
    /// - a straight step is 1 long and a diagonal one √2, so that no way costs less than its length times the smaller
    ///   of `m` and `d / √2`; the Euclidean takes a little less, to be sure when floats round.
    pub(crate) fn new(grid: &CostGrid, options: &Options, weight: f64) -> Self {
        let straight = match options.scale {
            Scale::Exact => grid.min_cost().unwrap_or(EntryCost::MIN),
            Scale::Classic => EntryCost::TILE,
        };
        let diagonal = grid.diagonal().of(straight.units());
        // Rounded down, so that the estimate is at most `weight` times the plain one.
        let steps = (weight.min(WEIGHT_STEPS) * WEIGHT_STEPS) as u64;
        let weighted = |units: u32| u64::from(units) * steps / WEIGHT_STEPS as u64;
        let linear = |far, near| Self::Linear(Linear { far: weighted(far), near: weighted(near) });
        let straight = straight.units();
        match options.heuristic {
            Heuristic::Octile => linear(straight, diagonal - straight),
            Heuristic::Manhattan => linear(straight, straight),
            Heuristic::Chebyshev => linear(straight, 0),
            Heuristic::Zero => Self::Linear(Linear::ZERO),
            Heuristic::Euclidean => {
                let a_little_less = 1.0 - f64::EPSILON * 8.0;
                let units = f64::from(straight).min(f64::from(diagonal) / f64::sqrt(2.0));
                Self::Euclidean(Euclidean { units: units * a_little_less * steps as f64 / WEIGHT_STEPS })
            }
        }
    }
}

impl Estimate for Ready {
    fn at(&self, columns: u32, rows: u32) -> u64 {
        match self {
            Self::Linear(linear) => linear.at(columns, rows),
            Self::Euclidean(euclidean) => euclidean.at(columns, rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Diagonal;
    use crate::grid::Size;

    #[test]
    fn no_heuristic_is_above_octile_but_manhattan() {
        for tiles in [1.0 / 256.0, 0.0071, 1.0, 3.77, 4096.0] {
            for ratio in [1.0, 1.2, 1.4, 1.414, 2f64.sqrt(), 1.9, 2.0] {
                let cost = EntryCost::from_tiles(tiles).unwrap();
                let grid = CostGrid::from_fn(Size::new(1, 1), Diagonal::new(ratio).unwrap(), |_| Some(cost)).unwrap();
                let ready = |heuristic| Ready::new(&grid, &Options { heuristic, ..Options::default() }, 1.0);
                let step = |diagonal| grid.step_cost(Cell::new(0, 0), diagonal).unwrap().units();
                let lengths = [0, 1, 2, 3, 5, 7, 8, 12, 100, 1448, 4095];
                for (columns, rows) in lengths.iter().flat_map(|&c| lengths.map(|r| (c, r))) {
                    let (far, near) = (columns.max(rows), columns.min(rows));
                    let least = u64::from(near) * step(true) + u64::from(far - near) * step(false);
                    assert_eq!(ready(Heuristic::Octile).at(columns, rows), least);
                    for heuristic in [Heuristic::Chebyshev, Heuristic::Euclidean, Heuristic::Zero] {
                        let estimate = ready(heuristic).at(columns, rows);
                        assert!(estimate <= least, "{heuristic} {tiles} {ratio} {columns},{rows}");
                    }
                    let sum = u64::from(far + near) * step(false);
                    assert_eq!(ready(Heuristic::Manhattan).at(columns, rows), sum);
                }
            }
        }
    }
}
