//! Lower bounds on path costs for grids in which a few cells are much cheaper than all others.
//!
//! The distance to the goal, counted at the minimum cost of the grid, is a weak bound as soon as one cell is ten times
//! cheaper than the others: a search then expands nearly all cells. But only routes through such cells are that cheap.
//! Let the cheap cells lie in boxes with a margin of one cell, the regions, and let all other cells cost at least `m`.
//! A step into a cheap cell then begins and ends in one region, and every other step costs at least `m`. So a route
//! - either enters no cheap cell, and costs at least its length at `m`;
//! - or first goes to some region, at `m`, crosses it at no cost, and continues to the goal, perhaps through
//!   other regions.
//!
//! The minimum of these bounds never exceeds the cost of a route. It is also consistent: no step decreases it by
//! more than the step costs. A bound takes O(regions), of which there are up to eight.

use crate::CostGrid;
use crate::Moves;
use crate::bounds::cell_box::CellBox;
use crate::grid::{Cell, Size};
use crate::search::heuristic::{Estimate, LinearDistance, Offset};

/// The maximum number of regions: each takes time at every cell that a search looks at.
pub(crate) const MAX_REGIONS: usize = 8;

/// Lower bounds on the cost to one goal, on a grid with regions of cheap cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheapRegionBounds {
    distance: LinearDistance,
    goal: Cell,
    count: usize,
    /// The regions, each with a lower bound on the cost from there to the goal.
    regions: [(CellBox, u64); MAX_REGIONS],
}

impl CheapRegionBounds {
    /// Computes the bounds if all cells outside `regions` cost at least `usual_cost` units. There are no more than
    /// [`MAX_REGIONS`]; with `k` of them that takes O(k^3).
    pub(crate) fn new(grid: &CostGrid, moves: Moves, usual_cost: u32, regions: &[CellBox], goal: Cell) -> Self {
        let distance = LinearDistance::by_steps(grid, moves, usual_cost);
        let mut rests = [(CellBox::default(), 0); MAX_REGIONS];
        let count = regions.len();
        let between = |one: CellBox, other: CellBox| distance.between(one.offset(other));
        for (entry, &region) in rests.iter_mut().zip(regions) {
            *entry = (region, between(region, CellBox::of(goal)));
        }
        // Routes may go through several regions. As in the Bellman-Ford algorithm, each round settles at least one.
        for _ in 1..count {
            for (one, other) in (0..count).flat_map(|one| (0..count).map(move |other| (one, other))) {
                let through_other = between(rests[one].0, rests[other].0) + rests[other].1;
                rests[one].1 = rests[one].1.min(through_other);
            }
        }
        Self { distance, goal, count, regions: rests }
    }

    /// A lower bound on the cost from `cell` to the goal, and from the goal to `cell`, in units.
    #[inline(always)]
    pub(crate) fn lower_bound(&self, cell: Cell) -> u64 {
        let mut bound = self.distance.between(self.goal - cell);
        for &(region, rest) in &self.regions[..self.count] {
            bound = bound.min(self.distance.between(CellBox::of(cell).offset(region)) + rest);
        }
        bound
    }

    /// Whether there are regions; without any, the bounds are the distance at the minimum cost of the grid.
    pub(crate) fn has_regions(&self) -> bool {
        self.count > 0
    }

    /// The maximum difference between the bounds of two cells that are `steps` straight steps apart.
    pub(crate) fn max_difference(&self, steps: i32) -> u64 {
        self.distance.between((steps, 0))
    }

    /// A number that no bound exceeds.
    pub(crate) fn upper_limit(&self, size: Size) -> u64 {
        self.distance.upper_limit(size)
    }
}

impl Estimate for CheapRegionBounds {
    #[inline(always)]
    fn for_cell(&mut self, _: usize, cell: Cell, _: Offset) -> u64 {
        self.lower_bound(cell)
    }
}
