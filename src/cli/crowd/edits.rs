//! The walls that are built and opened while a crowd walks.

use std::collections::{HashSet, VecDeque};

use emberwalk_crowd::Crowd;
use emberwalk_path::EntryCost;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::orders::Orders;

/// For how long walls are built.
const BUILDING: CrowdTime = CrowdTime::from_whole_seconds(240);
/// For how long each of them stands.
const STANDING: CrowdTime = CrowdTime::from_whole_seconds(10);

/// Builds a wall in a random cell every second, but in no goal, and opens each one again.
pub struct Walls {
    random: ChaCha8Rng,
    goals: HashSet<Cell>,
    next: CrowdTime,
    /// The walls, with the cost of their cells before, and when they are opened.
    walls: VecDeque<(CrowdTime, Cell, Option<EntryCost>)>,
}

impl Walls {
    pub fn new(seed: u64, orders: &Orders) -> Self {
        let goals = orders.cells_of_goals().collect();
        Self { random: ChaCha8Rng::seed_from_u64(!seed), goals, next: CrowdTime::SECOND, walls: VecDeque::new() }
    }

    /// Makes the edits that are due.
    pub fn edit(&mut self, crowd: &mut Crowd) {
        while let Some(&(time, cell, cost)) = self.walls.front()
            && time <= crowd.now()
        {
            crowd.set(cell, cost);
            self.walls.pop_front();
        }
        while self.next <= crowd.now() && self.next < BUILDING {
            self.next = self.next + CrowdTime::SECOND;
            let size = crowd.grid().size();
            let any = |random: &mut ChaCha8Rng, side: u32| random.random_range(0..side) as i32;
            let cell = Cell::new(any(&mut self.random, size.width), any(&mut self.random, size.height));
            if let cost @ Some(_) = crowd.grid().get(cell)
                && !self.goals.contains(&cell)
                && !crowd.agents().any(|(_, agent)| agent.goal == Some(cell))
                && !self.walls.iter().any(|&(_, wall, _)| wall == cell)
            {
                crowd.set(cell, None);
                self.walls.push_back((crowd.now() + STANDING, cell, cost));
            }
        }
    }
}
