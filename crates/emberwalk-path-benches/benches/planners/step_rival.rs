//! A* of the crate `pathfinding` with the cost of every step in an array: on a map with levels, or with six moves.

use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::{CostGrid, Moves, StepRules};

use crate::bordered::Bordered;
use crate::rival::{NAMES, Rival};

/// The crate's planner.
pub struct PathfindingBySteps {
    bordered: Bordered,
    /// The cost of the step in each direction, 0 where there is none.
    steps: Vec<[u32; 8]>,
}

impl PathfindingBySteps {
    pub fn new(grid: &CostGrid, moves: Moves) -> Self {
        let lowest = grid.min_cost().expect("a passable cell").units();
        let diagonal = (f64::from(lowest) * grid.diagonal().ratio()) as u64;
        let bordered = Bordered::new(grid.size(), [lowest.into(), diagonal], moves);
        let cost = |from: Cell, direction| {
            let cost = StepRules::default().with_moves(moves).step_cost(grid, from, from + direction);
            cost.map_or(0, |cost| u32::try_from(cost.units()).expect("a cost of a few tiles"))
        };
        let steps = bordered.cells().map(|cell| match grid.is_passable(cell) {
            true => Direction::ALL.map(|direction| cost(cell, direction)),
            false => [0; 8],
        });
        Self { steps: steps.collect(), bordered }
    }

    fn successors(&self, at: u32) -> impl Iterator<Item = (u32, u64)> {
        let row = self.bordered.stride;
        let to = [at - row, at - row + 1, at + 1, at + row + 1, at + row, at + row - 1, at - 1, at - row - 1];
        let steps = to.into_iter().zip(self.steps[at as usize]);
        steps.filter(|&(_, cost)| cost > 0).map(|(to, cost)| (to, cost.into()))
    }
}

impl Rival for PathfindingBySteps {
    fn name(&self) -> &'static str {
        NAMES[0]
    }

    fn plan(&mut self, from: Cell, to: Cell) -> u64 {
        self.bordered.plan(from, to, |at| self.successors(at))
    }
}
