//! New goals for agents that have arrived.

use std::collections::HashMap;

use emberwalk_path::crowd::{AgentId, Crowd};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Components, CostGrid, StepRules};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::orders::Orders;

/// How often a cell is chosen before an agent stays where it is.
const MAX_TRIES: usize = 100;

/// Chooses goals by the seed, among the cells that are connected with the start of an agent.
pub struct NewGoals {
    random: ChaCha8Rng,
    /// The cells to choose from, and which of these lists each agent has.
    cells: Vec<Vec<Cell>>,
    lists: Vec<usize>,
}

impl NewGoals {
    /// `are_shared` tells whether the goals of the orders are the only ones.
    pub fn new(seed: u64, grid: &CostGrid, rules: StepRules, orders: &Orders, are_shared: bool) -> Self {
        // Other numbers than those of the starts and the walls.
        let random = ChaCha8Rng::seed_from_u64(seed.rotate_left(32) ^ 1);
        if are_shared {
            let mut goals: Vec<_> = orders.cells_of_goals().collect();
            goals.sort_unstable();
            goals.dedup();
            return Self { random, cells: vec![goals], lists: vec![0; orders.agents.len()] };
        }
        let mut components = Components::new(rules);
        components.update(grid);
        let cells = components.cells(grid);
        let lists: HashMap<Cell, usize> =
            cells.iter().enumerate().flat_map(|(list, cells)| cells.iter().map(move |&cell| (cell, list))).collect();
        let lists = orders.agents.iter().map(|order| lists[&order.from]).collect();
        Self { random, cells, lists }
    }

    /// A goal for an agent that is not where it is; `None` if no such cell was found.
    pub fn next(&mut self, crowd: &Crowd, agent: AgentId) -> Option<Cell> {
        let here = crowd.state(agent)?.cell;
        let cells = &self.cells[self.lists[agent.index()]];
        let random = &mut self.random;
        let mut choices = (0..MAX_TRIES).map(|_| cells[random.random_range(0..cells.len())]);
        choices.find(|&cell| cell != here && crowd.grid().is_passable(cell))
    }
}
