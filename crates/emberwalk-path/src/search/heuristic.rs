//! Heuristics as numbers: estimates of the cost from a cell to the goal, by the columns and rows between them.

use crate::grid::{Cell, Size};
use crate::options::{Heuristic, HeuristicScale, Options};
use crate::{CostGrid, EntryCost, Moves, RouteCost, StepRules};

/// The weights of weighted A* are rounded down to multiples of one over this, and limited to this.
const WEIGHT_STEPS: f64 = 1024.0;

/// An estimate of the remaining cost to the goal, in units.
pub(crate) trait Estimate {
    /// The estimate for `cell`, which has this index in the grid; `offset` has the columns and rows from there
    /// to the goal.
    fn for_cell(&mut self, index: usize, cell: Cell, offset: Offset) -> u64;

    /// The same for a cell whose entry cost is known, in units. Looking that up would take as long as reading
    /// other memory that is far away.
    #[inline(always)]
    fn for_cell_of_cost(&mut self, index: usize, _entry_cost: u32, cell: Cell, offset: Offset) -> u64 {
        self.for_cell(index, cell, offset)
    }
}

/// The columns eastwards and the rows southwards from one cell to another.
pub(crate) type Offset = (i32, i32);

/// A lower bound on the cost between two cells that is linear in the columns and rows between them: every heuristic but
/// the Euclidean one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinearDistance {
    /// Units for each cell along the longer side of the rectangle between the two.
    long_side: u64,
    /// Units for each cell along the shorter side, in addition: towards north-west and south-east, and towards
    /// north-east and south-west.
    short_side: [u64; 2],
}

impl LinearDistance {
    /// The lowest cost between two cells if no straight step costs less than `straight` units: the octile distance with
    /// eight moves, the Manhattan distance with four, the distance of hexagons with six.
    pub(crate) fn by_steps(grid: &CostGrid, moves: Moves, straight: u32) -> Self {
        let long_side = u64::from(straight);
        let short_side = match moves {
            Moves::Eight => [u64::from(grid.diagonal().of(straight)) - long_side; 2],
            Moves::Four => [long_side; 2],
            Moves::Six => [0, long_side],
        };
        Self { long_side, short_side }
    }

    /// The same at the lowest entry cost of the grid.
    pub(crate) fn at_min_cost(grid: &CostGrid, moves: Moves) -> Self {
        Self::by_steps(grid, moves, grid.min_cost().map_or(0, EntryCost::units))
    }

    /// A lower bound on the cost between two cells: the same, or 0 for all cells if there are links, which may lead
    /// anywhere at any cost.
    pub fn lower_bound(grid: &CostGrid, rules: StepRules) -> Self {
        if grid.links_for(rules).is_none() { Self::at_min_cost(grid, rules.moves) } else { Self::default() }
    }

    /// The distance of two cells, in units.
    #[inline(always)]
    pub fn between(&self, (dx, dy): Offset) -> u64 {
        let (columns, rows) = (dx.unsigned_abs(), dy.unsigned_abs());
        let short_side = self.short_side[usize::from((dx ^ dy) < 0)];
        u64::from(columns.max(rows)) * self.long_side + u64::from(columns.min(rows)) * short_side
    }

    /// A number that no distance on a grid of this size exceeds.
    pub(crate) fn upper_limit(&self, Size { width, height }: Size) -> u64 {
        let (columns, rows) = (width as i32, height as i32);
        self.between((columns, rows)).max(self.between((columns, -rows)))
    }
}

impl Estimate for LinearDistance {
    #[inline(always)]
    fn for_cell(&mut self, _: usize, _: Cell, offset: Offset) -> u64 {
        self.between(offset)
    }
}

/// The estimate of a search without a heuristic.
#[derive(Clone, Copy)]
pub(crate) struct NoEstimate;

impl Estimate for NoEstimate {
    #[inline(always)]
    fn for_cell(&mut self, _: usize, _: Cell, _: Offset) -> u64 {
        0
    }
}

/// A heuristic with its numbers for one grid as it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PreparedHeuristic {
    Linear(LinearDistance),
    /// The straight-line distance, rounded down to whole units.
    Euclidean {
        units_per_cell: f64,
    },
}

impl PreparedHeuristic {
    /// Whether the heuristic of `options` is consistent at weight 1, on this grid as it is now: no step
    /// decreases the sum of the cost so far and the estimate. A consistent heuristic is admissible too.
    pub(crate) fn is_consistent(grid: &CostGrid, options: &Options) -> bool {
        let heuristic = options.used_heuristic();
        let scaled = options.scale == HeuristicScale::Exact || grid.min_cost() >= Some(EntryCost::TILE);
        heuristic == Heuristic::Zero || scaled && heuristic.is_admissible(options.rules.moves)
    }

    /// The heuristic of `options`, multiplied by `weight`.
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
            HeuristicScale::Exact => grid.min_cost().unwrap_or(EntryCost::MIN),
            HeuristicScale::Classic => EntryCost::TILE,
        };
        let diagonal = grid.diagonal().of(straight.units());
        // Rounded down, so that the estimate is never more than `weight` times the plain one.
        let steps = (weight.min(WEIGHT_STEPS) * WEIGHT_STEPS) as u64;
        let weighted = |units: u32| u64::from(units) * steps / WEIGHT_STEPS as u64;
        let straight = straight.units();
        let (long_side, short_side) = match options.used_heuristic() {
            Heuristic::Octile => (straight, [diagonal - straight; 2]),
            Heuristic::Manhattan => (straight, [straight; 2]),
            Heuristic::Chebyshev => (straight, [0; 2]),
            Heuristic::Hex => (straight, [0, straight]),
            Heuristic::Zero => (0, [0; 2]),
            Heuristic::Euclidean => {
                let slightly_less = 1.0 - f64::EPSILON * 8.0;
                let units = f64::from(straight).min(f64::from(diagonal) / f64::sqrt(2.0));
                let units_per_cell = units * slightly_less * steps as f64 / WEIGHT_STEPS;
                return Self::Euclidean { units_per_cell };
            }
        };
        Self::Linear(LinearDistance { long_side: weighted(long_side), short_side: short_side.map(weighted) })
    }

    /// The estimate of the cost between two cells.
    #[inline]
    pub(crate) fn between(&self, offset: Offset) -> u64 {
        match self {
            Self::Linear(distance) => distance.between(offset),
            Self::Euclidean { units_per_cell } => {
                let (dx, dy) = offset;
                // Both squares fit, and IEEE 754 defines square root and product to the last bit, on every machine.
                (f64::from(dx * dx + dy * dy).sqrt() * units_per_cell) as u64
            }
        }
    }

    /// A number that no estimate on a grid of this size exceeds.
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
    /// h, the estimated cost of a route between two cells by the heuristic: 0 if the algorithm uses none. For
    /// [`Auto`](crate::Algorithm::Auto) a planner may know a better lower bound.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{Algorithm, CostGrid, Options};
    /// let grid = CostGrid::open(Size::new(9, 9))?;
    /// let (from, to) = (Cell::new(0, 0), Cell::new(5, 0));
    /// assert_eq!(Options::default().estimate(&grid, from, to).tiles(), 5.0);
    /// let dijkstra = Options::default().with_algorithm(Algorithm::Dijkstra);
    /// assert_eq!(dijkstra.estimate(&grid, from, to).tiles(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate(&self, grid: &CostGrid, from: Cell, to: Cell) -> RouteCost {
        RouteCost::from_units(PreparedHeuristic::new(grid, self, 1.0).between(to - from))
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
                let step = |diagonal| u64::from(if diagonal { grid.diagonal().of(cost.units()) } else { cost.units() });
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
