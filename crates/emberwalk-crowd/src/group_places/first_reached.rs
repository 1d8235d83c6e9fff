//! Which of several cells the members of a group reach first.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use emberwalk_path::grid::Cell;
use emberwalk_path::internal::{LinearDistance, Steps, with_steps};
use emberwalk_path::{CostGrid, StepRules};

/// Routes that take longer to find do not count: then the members with the shortest straight line come first.
const MAX_VISITED: usize = 1 << 16;

/// How soon a member reaches a cell: the lowest cost of a route, or [`u64::MAX`] if it is not known; then the square of the
/// straight-line distance. The least one comes first.
pub(super) type Reached = (u64, u64);

/// A search from the members of a group towards a cell, which continues as long as cells are asked for. It is A\* with
/// consistent lower bounds, so the costs of all visited cells are the lowest ones.
pub(super) struct FirstReached<'a> {
    grid: &'a CostGrid,
    rules: StepRules,
    starts: Vec<Cell>,
    towards: Cell,
    distance: LinearDistance,
    /// The visited cells with their costs, by index.
    costs: HashMap<usize, u64>,
    /// By the sum of cost and lower bound, then the highest cost first.
    open: BinaryHeap<Reverse<(u64, Reverse<u64>, usize)>>,
}

impl<'a> FirstReached<'a> {
    /// A search from these cells towards another one.
    pub(super) fn new(grid: &'a CostGrid, rules: StepRules, starts: Vec<Cell>, towards: Cell) -> Self {
        let distance = LinearDistance::lower_bound(grid, rules);
        let (costs, open) = (HashMap::new(), BinaryHeap::new());
        let mut search = Self { grid, rules, starts, towards, distance, costs, open };
        for k in 0..search.starts.len() {
            search.open(grid.index(search.starts[k]), 0);
        }
        search
    }

    /// How soon a member reaches a cell of the grid.
    pub(super) fn at(&mut self, cell: Cell) -> Reached {
        let at = self.grid.index(cell);
        while !self.costs.contains_key(&at) && self.costs.len() < MAX_VISITED {
            let Some(Reverse((_, Reverse(cost), next))) = self.open.pop() else { break };
            self.visit(next, cost);
        }
        let distances = self.starts.iter().map(|start| start.distance_squared(cell).unsigned_abs());
        (self.costs.get(&at).copied().unwrap_or(u64::MAX), distances.min().unwrap_or(0))
    }

    /// How many cells were visited.
    pub(super) fn visited(&self) -> u64 {
        self.costs.len() as u64
    }

    fn visit(&mut self, at: usize, cost: u64) {
        if self.costs.contains_key(&at) {
            return;
        }
        self.costs.insert(at, cost);
        let Self { grid, rules, .. } = *self;
        with_steps!(grid, rules, steps => steps.for_each(at, None, |step| {
            if !self.costs.contains_key(&step.to) {
                self.open(step.to, cost + step.cost);
            }
        }));
    }

    fn open(&mut self, at: usize, cost: u64) {
        let left = self.distance.between(self.towards - self.grid.cell(at));
        self.open.push(Reverse((cost + left, Reverse(cost), at)));
    }
}
