//! Heuristics as numbers: estimates of the cost from a cell to the goal, by the columns and rows between them.

use crate::grid::{Cell, Size};
use crate::options::{Heuristic, Options, Scale};
use crate::{CostGrid, EntryCost, Moves, RouteCost};

/// The weights of weighted A* are rounded down to multiples of one over this, and limited to this.
const WEIGHT_STEPS: f64 = 1024.0;

/// An estimate of the remaining cost to the goal, in units.
pub(crate) trait Estimate {
    /// Returns the estimate for `cell`, which has this index in the grid; `offset` has the columns and rows from there
    /// to the goal.
    fn for_cell(&mut self, index: usize, cell: Cell, offset: Offset) -> u64;

    /// Returns the same for a cell whose entry cost is known, in units. Looking that up would take as long as reading
    /// other memory that is far away.
    #[inline(always)]
    fn for_cell_of_cost(&mut self, index: usize, _entry_cost: u32, cell: Cell, offset: Offset) -> u64 {
        self.for_cell(index, cell, offset)
    }
}

impl<E: Estimate + ?Sized> Estimate for &mut E {
    #[inline(always)]
    fn for_cell(&mut self, index: usize, cell: Cell, offset: Offset) -> u64 {
        (**self).for_cell(index, cell, offset)
    }

    #[inline(always)]
    fn for_cell_of_cost(&mut self, index: usize, entry_cost: u32, cell: Cell, offset: Offset) -> u64 {
        (**self).for_cell_of_cost(index, entry_cost, cell, offset)
    }
}

/// The columns eastwards and the rows southwards from one cell to another.
pub(crate) type Offset = (i32, i32);

/// A lower bound on the cost between two cells that is linear in the columns and rows between them.
pub(crate) trait Distance: Copy {
    /// Returns the lowest cost between two cells if no straight step costs less than `straight` units.
    fn by_steps(grid: &CostGrid, moves: Moves, straight: u32) -> Self;

    /// Returns the distance of two cells, in units.
    fn between(&self, offset: Offset) -> u64;

    /// Returns a number that no distance on a grid of this size exceeds.
    fn upper_limit(&self, Size { width, height }: Size) -> u64 {
        let (columns, rows) = (width as i32, height as i32);
        self.between((columns, rows)).max(self.between((columns, -rows)))
    }
}

/// A distance by the longer and the shorter side of the rectangle between two cells: every heuristic but the Euclidean
/// one and hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinearDistance {
    /// Units for each cell along the longer side.
    long_side: u64,
    /// Units for each cell along the shorter side, in addition.
    short_side: u64,
}

impl LinearDistance {
    pub(crate) const ZERO: Self = Self { long_side: 0, short_side: 0 };
}

impl Distance for LinearDistance {
    /// The octile distance with eight moves, the Manhattan distance with four.
    fn by_steps(grid: &CostGrid, moves: Moves, straight: u32) -> Self {
        let short_side = match moves {
            Moves::Eight => grid.diagonal().of(straight) - straight,
            Moves::Four => straight,
            Moves::Six => 0,
        };
        Self { long_side: straight.into(), short_side: short_side.into() }
    }

    #[inline(always)]
    fn between(&self, (dx, dy): Offset) -> u64 {
        let (columns, rows) = (dx.unsigned_abs(), dy.unsigned_abs());
        u64::from(columns.max(rows)) * self.long_side + u64::from(columns.min(rows)) * self.short_side
    }
}

/// A distance that can differ between the two diagonals, as that of hexagons does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SkewDistance {
    /// The distance towards north-west and south-east.
    along: LinearDistance,
    /// Units for each cell along the shorter side, in addition to those of the longer side, towards north-east and
    /// south-west.
    short_side_across: u64,
}

impl Distance for SkewDistance {
    /// The distance of hexagons with six moves, and [`LinearDistance`] with others.
    fn by_steps(grid: &CostGrid, moves: Moves, straight: u32) -> Self {
        let along = LinearDistance::by_steps(grid, moves, straight);
        let short_side_across = if moves == Moves::Six { straight.into() } else { along.short_side };
        Self { along, short_side_across }
    }

    #[inline(always)]
    fn between(&self, (dx, dy): Offset) -> u64 {
        let is_across = (dx ^ dy) < 0;
        let short_side = if is_across { self.short_side_across } else { self.along.short_side };
        LinearDistance { short_side, ..self.along }.between((dx, dy))
    }
}

/// Returns the lower bound by distance, at the lowest entry cost of the grid.
pub(crate) fn distance_bound<D: Distance>(grid: &CostGrid, moves: Moves) -> D {
    D::by_steps(grid, moves, grid.min_cost().map_or(0, EntryCost::units))
}

impl Estimate for LinearDistance {
    #[inline(always)]
    fn for_cell(&mut self, _: usize, _: Cell, offset: Offset) -> u64 {
        self.between(offset)
    }
}

/// An estimate by the straight-line distance, rounded down to whole units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EuclideanEstimate {
    units_per_cell: f64,
}

impl EuclideanEstimate {
    #[inline(always)]
    fn between(&self, (dx, dy): Offset) -> u64 {
        // Both squares fit, and IEEE 754 defines square root and product to the last bit, on every machine.
        (f64::from(dx * dx + dy * dy).sqrt() * self.units_per_cell) as u64
    }
}

/// A heuristic with its numbers for one grid as it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PreparedHeuristic {
    Linear(LinearDistance),
    Skew(SkewDistance),
    Euclidean(EuclideanEstimate),
}

impl PreparedHeuristic {
    /// Returns whether the heuristic of `options` is consistent at weight 1, on this grid as it is now: no step
    /// decreases the sum of the cost so far and the estimate. A consistent heuristic is admissible too.
    pub(crate) fn is_consistent(grid: &CostGrid, options: &Options) -> bool {
        let heuristic = options.heuristic();
        let scaled = options.scale == Scale::Exact || grid.min_cost() >= Some(EntryCost::TILE);
        heuristic == Heuristic::Zero || scaled && heuristic.is_admissible(options.moves)
    }

    /// Returns the heuristic of `options`, multiplied by `weight`.
    ///
    /// At weight 1 and exact scale it never overestimates if it is
    /// [admissible for the moves](Heuristic::is_admissible). Proof: let `m` be the lowest entry cost, and `d` the cost
    /// of a diagonal step into such a cell, rounded as all costs are. Rounding keeps the order of numbers and climbs
    /// cost no less than level steps, so no straight step costs less than `m` and no diagonal step less than `d`. As
    /// the ratio is 1 to 2, `m <= d <= 2 m`. Then, with eight moves,
    /// - octile is the lowest cost on an empty map where all steps cost `m` and `d`. This is a metric, so it is
    ///   consistent;
    /// - Chebyshev is never larger than octile;
    /// - a straight step is 1 long and a diagonal one √2, so every route costs at least its length times the smaller
    ///   one of `m` and `d / √2`. The Euclidean estimate is slightly smaller, to be safe when floats are rounded.
    ///
    /// With four moves Manhattan is the lowest cost on an empty map where all steps cost `m`, and the others are never
    /// larger. With six moves hex is, and Chebyshev is never larger; two steps of hexagons can lead to a cell that is
    /// √3 steps away in a straight line, but also, on the squares of the grid, one step to a cell that is √2 away.
    pub(crate) fn new(grid: &CostGrid, options: &Options, weight: f64) -> Self {
        let straight = match options.scale {
            Scale::Exact => grid.min_cost().unwrap_or(EntryCost::MIN),
            Scale::Classic => EntryCost::TILE,
        };
        let diagonal = grid.diagonal().of(straight.units());
        // Rounded down, so that the estimate is never more than `weight` times the plain one.
        let steps = (weight.min(WEIGHT_STEPS) * WEIGHT_STEPS) as u64;
        let weighted = |units: u32| u64::from(units) * steps / WEIGHT_STEPS as u64;
        let distance =
            |long_side, short_side| LinearDistance { long_side: weighted(long_side), short_side: weighted(short_side) };
        let straight = straight.units();
        match options.heuristic() {
            Heuristic::Octile => Self::Linear(distance(straight, diagonal - straight)),
            Heuristic::Manhattan => Self::Linear(distance(straight, straight)),
            Heuristic::Chebyshev => Self::Linear(distance(straight, 0)),
            Heuristic::Zero => Self::Linear(LinearDistance::ZERO),
            Heuristic::Hex => {
                Self::Skew(SkewDistance { along: distance(straight, 0), short_side_across: weighted(straight) })
            }
            Heuristic::Euclidean => {
                let slightly_less = 1.0 - f64::EPSILON * 8.0;
                let units = f64::from(straight).min(f64::from(diagonal) / f64::sqrt(2.0));
                let units_per_cell = units * slightly_less * steps as f64 / WEIGHT_STEPS;
                Self::Euclidean(EuclideanEstimate { units_per_cell })
            }
        }
    }
}

impl PreparedHeuristic {
    /// Returns the estimate of the cost between two cells.
    #[inline]
    pub(crate) fn between(&self, offset: Offset) -> u64 {
        match self {
            Self::Linear(distance) => distance.between(offset),
            Self::Skew(distance) => distance.between(offset),
            Self::Euclidean(estimate) => estimate.between(offset),
        }
    }

    /// Returns a number that no estimate on a grid of this size exceeds.
    pub(crate) fn upper_limit(&self, Size { width, height }: Size) -> u64 {
        let (columns, rows) = (width as i32, height as i32);
        self.between((columns, rows)).max(self.between((columns, -rows)))
    }
}

impl Estimate for PreparedHeuristic {
    #[inline]
    fn for_cell(&mut self, _: usize, _: Cell, offset: Offset) -> u64 {
        self.between(offset)
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
        RouteCost::from_units(heuristic.between(to - from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Diagonal;

    #[test]
    fn only_manhattan_and_hex_exceed_octile() {
        for tiles in [1.0 / 256.0, 0.0071, 1.0, 3.77, 4096.0] {
            for ratio in [1.0, 1.2, 1.4, 1.414, 2f64.sqrt(), 1.9, 2.0] {
                let cost = EntryCost::from_tiles(tiles).unwrap();
                let grid = CostGrid::from_fn(Size::new(1, 1), Diagonal::new(ratio).unwrap(), |_| Some(cost)).unwrap();
                let estimate_by = |heuristic| {
                    PreparedHeuristic::new(&grid, &Options { heuristic: Some(heuristic), ..Options::default() }, 1.0)
                };
                let step = |diagonal| grid.step_cost(Cell::new(0, 0), diagonal).unwrap().units();
                let lengths = [0u32, 1, 2, 3, 5, 7, 8, 12, 100, 1448, 4095];
                for (columns, rows) in lengths.iter().flat_map(|&c| lengths.map(|r| (c, r))) {
                    let (long, short) = (columns.max(rows), columns.min(rows));
                    let lowest = u64::from(short) * step(true) + u64::from(long - short) * step(false);
                    let sum = u64::from(long + short) * step(false);
                    for (dx, dy) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                        let offset = (dx * columns as i32, dy * rows as i32);
                        assert_eq!(estimate_by(Heuristic::Octile).between(offset), lowest);
                        for heuristic in [Heuristic::Chebyshev, Heuristic::Euclidean, Heuristic::Zero] {
                            let estimate = estimate_by(heuristic).between(offset);
                            assert!(estimate <= lowest, "{heuristic} {tiles} {ratio} {columns},{rows}");
                        }
                        assert_eq!(estimate_by(Heuristic::Manhattan).between(offset), sum);
                        let hex = offset.0.abs().max(offset.1.abs()).max((offset.0 - offset.1).abs());
                        assert_eq!(estimate_by(Heuristic::Hex).between(offset), hex as u64 * step(false));
                    }
                }
            }
        }
    }
}
