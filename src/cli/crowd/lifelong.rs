//! New goals for agents that have arrived.

use std::collections::HashMap;

use emberwalk_crowd::{AgentId, Crowd};
use emberwalk_path::grid::Cell;
use emberwalk_path::{Components, CostGrid, StepRules};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::orders::Orders;

/// How often a cell is chosen before an agent stays where it is.
const MAX_TRIES: usize = 100;

/// Chooses goals by the seed, among the cells that are connected with the cell where an agent is.
pub struct NewGoals {
    random: ChaCha8Rng,
    /// The cells to choose from: the lists of all components, in which of them each cell is, and which one each agent had
    /// last.
    cells: Vec<Vec<Cell>>,
    list_of: HashMap<Cell, usize>,
    lists: Vec<usize>,
}

impl NewGoals {
    /// `are_shared` tells whether the goals of the orders are the only ones.
    pub fn new(seed: u64, grid: &CostGrid, rules: StepRules, orders: &Orders, are_shared: bool) -> Self {
        // Other numbers than for the starts and the walls.
        let random = ChaCha8Rng::seed_from_u64(seed.rotate_left(32) ^ 1);
        if are_shared {
            let mut goals: Vec<_> = orders.cells_of_goals().collect();
            goals.sort_unstable();
            goals.dedup();
            let lists = vec![0; orders.agents.len()];
            return Self { random, cells: vec![goals], list_of: HashMap::new(), lists };
        }
        let mut components = Components::new(rules);
        components.update(grid);
        let cells = components.cells(grid);
        let list_of: HashMap<Cell, usize> =
            cells.iter().enumerate().flat_map(|(list, cells)| cells.iter().map(move |&cell| (cell, list))).collect();
        let lists = orders.agents.iter().map(|order| list_of[&order.from]).collect();
        Self { random, cells, list_of, lists }
    }

    /// A goal for an agent that is not where it is; `None` if no such cell was found.
    pub fn next(&mut self, crowd: &Crowd, agent: AgentId) -> Option<Cell> {
        let here = crowd.state(agent)?.cell;
        let list = &mut self.lists[agent.index()];
        // Down a ledge it has come into another component.
        *list = self.list_of.get(&here).copied().unwrap_or(*list);
        let cells = &self.cells[*list];
        let random = &mut self.random;
        let mut choices = (0..MAX_TRIES).map(|_| cells[random.random_range(0..cells.len())]);
        choices.find(|&cell| cell != here && crowd.grid().is_passable(cell))
    }
}
