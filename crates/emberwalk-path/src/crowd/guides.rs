//! The fields that lead agents to their goals: one for each goal, shared by all agents that have it.

use std::collections::HashMap;

use super::index::{CellIndex, GuideIndex};
use crate::grid::Cell;
use crate::{CostGrid, Field, FieldQuery, Stamp, StepRules};

/// After this many visited cells, no other field is repaired in the same beat, so that an edit does not make a tick
/// long. With 5,000 or 20,000 instead, agents in the small rooms travel 3 % longer or 1 % less while walls are built.
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
    by_goal: HashMap<Cell, GuideIndex>,
    unused: Vec<GuideIndex>,
    /// The guide that is brought up to date next.
    next: usize,
}

impl Guides {
    /// The guide to a goal, for one more agent. It is computed if there is none yet.
    pub(super) fn acquire(&mut self, grid: &CostGrid, rules: StepRules, goal: Cell) -> GuideIndex {
        let guide = *self.by_goal.entry(goal).or_insert_with(|| {
            let stamp = Stamp::default();
            self.unused.pop().unwrap_or_else(|| {
                self.guides.push(Guide { goal, field: Field::new(), stamp, agents: 0 });
                // To give back a guide never allocates.
                self.unused.reserve(self.guides.len());
                GuideIndex::new(self.guides.len() - 1)
            })
        });
        let entry = &mut self.guides[guide.get()];
        if entry.agents == 0 {
            entry.goal = goal;
            entry.update(grid, rules);
        }
        entry.agents += 1;
        guide
    }

    /// Gives back the guide of one agent.
    pub(super) fn release(&mut self, guide: GuideIndex) {
        let entry = &mut self.guides[guide.get()];
        entry.agents -= 1;
        if entry.agents == 0 {
            self.by_goal.remove(&entry.goal);
            self.unused.push(guide);
        }
    }

    /// The goal that a guide leads to.
    pub(super) fn goal(&self, guide: GuideIndex) -> Cell {
        self.guides[guide.get()].goal
    }

    /// The lowest cost from a cell to the goal, in units; [`u64::MAX`] if there is no route. After an edit, it may be
    /// outdated for some beats.
    #[inline]
    pub(super) fn cost(&self, guide: GuideIndex, at: CellIndex) -> u64 {
        self.guides[guide.get()].field.cost_at(at.get()).unwrap_or(u64::MAX)
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

impl Guide {
    /// Brings the field up to date with the grid, and returns how many cells were visited.
    fn update(&mut self, grid: &CostGrid, rules: StepRules) -> u64 {
        self.stamp = grid.stamp();
        // A goal that is blocked leaves the field empty, so that no cell has a route.
        self.field.update(grid, &FieldQuery::routes_to(self.goal).with_rules(rules)).unwrap_or(0)
    }
}
