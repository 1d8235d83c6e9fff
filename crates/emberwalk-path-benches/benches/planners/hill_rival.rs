//! A* of the crate `pathfinding` on a map with levels.

use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_path::{CostGrid, StepRules};
use pathfinding::directed::astar::astar;

use crate::rival::{NAMES, Rival};

/// A* on flat arrays with a border, which have the cost of each step from each cell, and with the octile heuristic of
/// this library.
pub struct PathfindingOnHills {
    stride: u32,
    /// The cost of the step in each direction, 0 where there is none.
    steps: Vec<[u32; 8]>,
    /// The lowest cost of a straight and of a diagonal step.
    lowest: [u64; 2],
}

impl PathfindingOnHills {
    pub fn new(grid: &CostGrid) -> Self {
        let Size { width, height } = grid.size();
        let stride = width + 2;
        let cost = |from: Cell, direction| {
            let cost = StepRules::default().step_cost(grid, from, from + direction);
            cost.map_or(0, |cost| u32::try_from(cost.units()).expect("a cost of a few tiles"))
        };
        let cells = Size::new(stride, height + 2).cells().map(|cell| Cell::new(cell.x - 1, cell.y - 1));
        let steps = cells.map(|cell| match grid.is_passable(cell) {
            true => Direction::ALL.map(|direction| cost(cell, direction)),
            false => [0; 8],
        });
        let lowest = grid.min_cost().expect("a passable cell").units();
        let diagonal = (f64::from(lowest) * grid.diagonal().ratio()) as u64;
        Self { stride, steps: steps.collect(), lowest: [lowest.into(), diagonal] }
    }

    fn index(&self, cell: Cell) -> u32 {
        (cell.y + 1) as u32 * self.stride + (cell.x + 1) as u32
    }

    fn successors(&self, at: u32) -> impl Iterator<Item = (u32, u64)> {
        let row = self.stride;
        let to = [at - row, at - row + 1, at + 1, at + row + 1, at + row, at + row - 1, at - 1, at - row - 1];
        let steps = to.into_iter().zip(self.steps[at as usize]);
        steps.filter(|&(_, cost)| cost > 0).map(|(to, cost)| (to, cost.into()))
    }

    fn octile(&self, from: u32, to: u32) -> u64 {
        let (dx, dy) =
            ((from % self.stride).abs_diff(to % self.stride), (from / self.stride).abs_diff(to / self.stride));
        self.lowest[1] * u64::from(dx.min(dy)) + self.lowest[0] * u64::from(dx.abs_diff(dy))
    }
}

impl Rival for PathfindingOnHills {
    fn name(&self) -> &'static str {
        NAMES[0]
    }

    fn plan(&mut self, from: Cell, to: Cell) -> u64 {
        let (from, to) = (self.index(from), self.index(to));
        let found = astar(&from, |&at| self.successors(at), |&at| self.octile(at, to), |&at| at == to);
        found.expect("both ends are connected").1
    }
}
