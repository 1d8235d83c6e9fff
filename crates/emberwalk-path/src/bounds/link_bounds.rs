//! A lower bound by distance that knows the links of a grid.

use crate::cost::links::{LinkStep, Links};
use crate::grid::Cell;
use crate::search::heuristic::{Estimate, LinearDistance, Offset};
use crate::{CostGrid, Moves};

/// With more links, looking at all of them for each cell takes longer than the bound saves.
const MAX_LINKS: usize = 32;

/// A lower bound on the cost to a goal: the distance to it, or the distance to a link and the bound from there, whichever
/// is less.
///
/// It is the lowest cost on a map with these links, without blocked cells, on which each step has the lowest cost of the
/// grid. Such costs satisfy the triangle inequality, so the bound is consistent. It takes O(links) per cell, and
/// O(links²) once per goal.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkBounds {
    distance: LinearDistance,
    /// For each link the cell in which it begins, and a lower bound on the cost to the goal by that link.
    by_link: Vec<(Cell, u64)>,
}

impl LinkBounds {
    /// The bounds for a goal. They are the default, which is 0 for every cell, if there are so many links that they do
    /// not pay.
    pub(crate) fn new(grid: &CostGrid, moves: Moves, links: &Links, goal: Cell) -> Self {
        if links.iter().count() > MAX_LINKS {
            return Self::default();
        }
        let distance = LinearDistance::at_min_cost(grid, moves);
        let mut bounds = Self { distance, by_link: Vec::new() };
        // As in Dijkstra's algorithm, the bound of the link with the smallest one is final.
        let mut left: Vec<_> = links.iter().collect();
        let bound_by = |bounds: &Self, link: &LinkStep| {
            let end = grid.cell(link.to);
            u64::from(link.units) + bounds.between(end, goal - end)
        };
        while let Some(next) = (0..left.len()).min_by_key(|&k| bound_by(&bounds, &left[k])) {
            let link = left.swap_remove(next);
            let bound = bound_by(&bounds, &link);
            bounds.by_link.push((grid.cell(link.from), bound));
        }
        bounds
    }

    /// The bound for a cell, with the columns and rows from there to the goal.
    fn between(&self, cell: Cell, offset: Offset) -> u64 {
        let by_link = self.by_link.iter().map(|&(start, bound)| self.distance.between(start - cell) + bound);
        by_link.fold(self.distance.between(offset), u64::min)
    }
}

impl Estimate for LinkBounds {
    fn for_cell(&mut self, _: usize, cell: Cell, offset: Offset) -> u64 {
        self.between(cell, offset)
    }
}
