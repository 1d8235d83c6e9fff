//! Priority inheritance with backtracking on a common clock (PIBT; Okumura, Machida, Défago, Tamura, 2022), to compare
//! crowds with: all agents take one step at the same time.

use std::cmp::Reverse;

use emberwalk_path::grid::{Cell, Direction, Grid, Size};
use fastrand::Rng;

/// Agents on a map with four moves.
pub struct Pibt<'a> {
    is_passable: &'a Grid<bool>,
    /// Where each agent is, and where it is after the step.
    at: Vec<Cell>,
    next: Vec<Option<Cell>>,
    /// For how long each agent has not reached a goal; of equal ones, the number of the agent decides.
    waited: Vec<u32>,
    now: Grid<Option<usize>>,
    after: Grid<Option<usize>>,
    rng: Rng,
}

impl<'a> Pibt<'a> {
    pub fn new(is_passable: &'a Grid<bool>, starts: &[Cell]) -> Self {
        let nobody = Grid::from_fn(is_passable.size(), |_| None);
        let mut now = nobody.clone();
        starts.iter().enumerate().for_each(|(agent, &at)| now[at] = Some(agent));
        let (next, waited) = (vec![None; starts.len()], vec![0; starts.len()]);
        Self { is_passable, at: starts.to_vec(), next, waited, now, after: nobody, rng: Rng::with_seed(9) }
    }

    /// Lets each agent take a step or wait; `distances` returns the distances of all cells to its goal.
    pub fn step<'b>(&mut self, distances: &impl Fn(usize) -> &'b Grid<u16>) {
        let mut order: Vec<_> = (0..self.at.len()).collect();
        order.sort_unstable_by_key(|&agent| (Reverse(self.waited[agent]), agent));
        for agent in order {
            if self.next[agent].is_none() {
                self.plan(agent, None, distances);
            }
        }
        for agent in 0..self.at.len() {
            self.now[self.at[agent]] = None;
        }
        for agent in 0..self.at.len() {
            let to = self.next[agent].take().expect("each agent has a step");
            self.at[agent] = to;
            self.waited[agent] += 1;
            self.now[to] = Some(agent);
            self.after[to] = None;
        }
    }

    /// Plans the step of an agent, and of all that have to make way for it. Returns whether it can leave its cell or,
    /// if nobody wants that, stay in it.
    fn plan<'b>(&mut self, agent: usize, pusher: Option<usize>, distances: &impl Fn(usize) -> &'b Grid<u16>) -> bool {
        let at = self.at[agent];
        let around = Direction::SIDES.map(Direction::offset).map(|offset| at + offset);
        let mut cells: Vec<_> = around.into_iter().chain([at]).collect();
        cells.retain(|&cell| self.is_passable.get(cell) == Some(&true));
        let field = distances(agent);
        cells.sort_by_cached_key(|&cell| (field[cell], self.now[cell].is_some(), self.rng.u32(..)));
        for cell in cells {
            let changes_places = pusher.is_some_and(|pusher| self.at[pusher] == cell);
            if self.after[cell].is_some() || changes_places {
                continue;
            }
            self.next[agent] = Some(cell);
            self.after[cell] = Some(agent);
            let other = self.now[cell].filter(|&other| other != agent && self.next[other].is_none());
            if other.is_none_or(|other| self.plan(other, Some(agent), distances)) {
                return true;
            }
        }
        self.next[agent] = Some(at);
        self.after[at] = Some(agent);
        false
    }

    /// The cell of an agent.
    pub fn at(&self, agent: usize) -> Cell {
        self.at[agent]
    }

    /// Gives an agent the lowest rank, because it has reached its goal.
    pub fn reach(&mut self, agent: usize) {
        self.waited[agent] = 0;
    }

    /// For how many steps an agent has not reached a goal.
    pub fn waited(&self, agent: usize) -> u32 {
        self.waited[agent]
    }
}

/// The distances of all cells to a goal, in steps; [`u16::MAX`] where there is no route.
pub fn distances(is_passable: &Grid<bool>, goal: Cell) -> Grid<u16> {
    let Size { width, height } = is_passable.size();
    let mut distances = Grid::from_fn(Size::new(width, height), |_| u16::MAX);
    distances[goal] = 0;
    let mut open = std::collections::VecDeque::from([goal]);
    while let Some(cell) = open.pop_front() {
        let next = distances[cell] + 1;
        for to in Direction::SIDES.map(Direction::offset).map(|offset| cell + offset) {
            if is_passable.get(to) == Some(&true) && distances[to] == u16::MAX {
                distances[to] = next;
                open.push_back(to);
            }
        }
    }
    distances
}
