//! The levels of all cells of a cost grid.

use crate::cost::climb::{ClimbCosts, Level, Rises};

/// The levels of a grid that is not flat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heights {
    /// The level of every cell and of the border, by the grid's index. The level of the border means nothing.
    levels: Vec<u8>,
    /// The number of cells that are above level 0.
    raised: usize,
    /// The rises of possible steps.
    rises: Rises,
    costs: ClimbCosts,
}

impl Heights {
    /// Levels of 0 for `len` indices.
    pub(crate) fn new(len: usize, rises: Rises, costs: ClimbCosts) -> Self {
        Self { levels: vec![0; len], raised: 0, rises, costs }
    }

    /// Replaces everything by a copy of `other`, but keeps the memory.
    pub(crate) fn assign(&mut self, other: &Self) {
        self.levels.clone_from(&other.levels);
        (self.raised, self.rises, self.costs) = (other.raised, other.rises, other.costs);
    }

    /// Replaces the level at an index.
    pub(crate) fn put(&mut self, at: usize, level: Level) {
        let before = std::mem::replace(&mut self.levels[at], level.get());
        self.raised = self.raised + usize::from(level > Level::GROUND) - usize::from(before > 0);
    }

    /// Whether all cells are on level 0.
    pub(crate) fn are_flat(&self) -> bool {
        self.raised == 0
    }

    /// The levels, by the grid's index.
    #[inline(always)]
    pub(crate) fn levels(&self) -> &[u8] {
        &self.levels
    }

    /// The rises of possible steps.
    #[inline(always)]
    pub(crate) fn rises(&self) -> Rises {
        self.rises
    }

    /// Whether a step can lead from one neighbour to another.
    #[inline(always)]
    pub(crate) fn allow(&self, from: usize, to: usize) -> bool {
        self.rises.allow(self.levels[from], self.levels[to])
    }

    /// Whether steps can lead from each of two neighbours to the other.
    #[inline(always)]
    pub fn join(&self, one: usize, other: usize) -> bool {
        self.rises.join(self.levels[one], self.levels[other])
    }

    /// How much higher `to` is than `from`, in levels.
    #[inline(always)]
    pub(crate) fn rise(&self, from: usize, to: usize) -> i32 {
        i32::from(self.levels[to]) - i32::from(self.levels[from])
    }

    /// The costs of climbs.
    #[inline(always)]
    pub(crate) fn costs(&self) -> &ClimbCosts {
        &self.costs
    }
}
