//! The fields that lead agents to their goals: one for each goal, shared by all agents that have it.

use std::collections::HashMap;

use super::Crowd;
use crate::grid::Cell;
use crate::{CostGrid, Field, FieldQuery, Stamp, StepRules};

/// After this many visited cells, no other field is repaired in the same beat, so that an edit does not make a tick long.
const CELLS_PER_BEAT: u64 = 10_000;

/// The lowest costs from every cell to one goal.
#[derive(Clone, Debug)]
struct Guide {
    goal: Cell,
    field: Field,
    /// The stamp of the grid that the field was computed for.
    stamp: Stamp,
    /// The number of agents with this goal. A guide without agents keeps its memory for the next new goal.
    agents: usize,
}

/// The guides of a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Guides {
    guides: Vec<Guide>,
    by_goal: HashMap<Cell, usize>,
    unused: Vec<usize>,
    /// The guide that is brought up to date next.
    next: usize,
}

impl Guides {
    /// The guide to a goal, for one more agent. It is computed if there is none yet.
    pub(super) fn acquire(&mut self, grid: &CostGrid, rules: StepRules, goal: Cell) -> usize {
        let guide = *self.by_goal.entry(goal).or_insert_with(|| {
            let stamp = Stamp::default();
            self.unused.pop().unwrap_or_else(|| {
                self.guides.push(Guide { goal, field: Field::new(), stamp, agents: 0 });
                // To give back a guide never allocates.
                self.unused.reserve(self.guides.len());
                self.guides.len() - 1
            })
        });
        let entry = &mut self.guides[guide];
        if entry.agents == 0 {
            entry.goal = goal;
            entry.update(grid, rules);
        }
        entry.agents += 1;
        guide
    }

    /// Gives back the guide of one agent.
    pub(super) fn release(&mut self, guide: usize) {
        let entry = &mut self.guides[guide];
        entry.agents -= 1;
        if entry.agents == 0 {
            self.by_goal.remove(&entry.goal);
            self.unused.push(guide);
        }
    }

    /// The goal that a guide leads to.
    pub(super) fn goal(&self, guide: usize) -> Cell {
        self.guides[guide].goal
    }

    /// The lowest cost from a cell to the goal, in units; [`u64::MAX`] if there is no route. After an edit, it may be
    /// outdated for some beats.
    #[inline]
    pub(super) fn cost(&self, guide: usize, at: usize) -> u64 {
        self.guides[guide].field.cost_at(at).unwrap_or(u64::MAX)
    }

    /// Brings fields up to date with the grid, as many as fit into one beat. Returns whether all are.
    pub(super) fn catch_up(&mut self, grid: &CostGrid, rules: StepRules) -> bool {
        let mut visited = 0;
        for _ in 0..self.guides.len() {
            self.next = (self.next + 1) % self.guides.len();
            let guide = &mut self.guides[self.next];
            if guide.stamp != grid.stamp() && guide.agents > 0 {
                visited += guide.update(grid, rules);
                if visited > CELLS_PER_BEAT {
                    return false;
                }
            }
        }
        true
    }
}

impl Crowd {
    /// The lowest cost from a cell to the goal of an agent; [`u64::MAX`] without goal or route.
    pub(super) fn cost_to_goal(&self, agent: usize, at: usize) -> u64 {
        self.agents[agent].guide.map_or(u64::MAX, |guide| self.guides.cost(guide, at))
    }

    /// The goal of an agent, if a route leads there.
    pub(super) fn goal_with_route(&self, agent: usize) -> Option<usize> {
        let guide = self.agents[agent].guide?;
        let has_route = self.guides.cost(guide, self.agents[agent].next_cell()) != u64::MAX;
        has_route.then(|| self.grid.index(self.guides.goal(guide)))
    }
}

impl Guide {
    /// Brings the field up to date with the grid, and returns how many cells were visited.
    fn update(&mut self, grid: &CostGrid, rules: StepRules) -> u64 {
        self.stamp = grid.stamp();
        // A goal that is blocked leaves the field empty, so that no cell has a route.
        self.field.update(grid, &FieldQuery::to_cell(self.goal).with_rules(rules)).unwrap_or(0)
    }
}
