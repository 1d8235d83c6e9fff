//! The levels of all cells of a cost grid.

use crate::cost::climb::{ClimbCosts, Level};

/// The levels of a grid that is not flat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heights {
    /// The level of every cell and of the border, by the grid's index. The level of the border means nothing.
    levels: Vec<u8>,
    /// The number of cells that are above level 0.
    raised: usize,
    /// A step over more levels than this is impossible.
    most: u8,
    costs: ClimbCosts,
}

impl Heights {
    /// Levels of 0 for `len` indices.
    pub(crate) fn new(len: usize, most: u8, costs: ClimbCosts) -> Self {
        Self { levels: vec![0; len], raised: 0, most, costs }
    }

    /// Replaces everything by a copy of `other`, but keeps the memory.
    pub(crate) fn assign(&mut self, other: &Self) {
        self.levels.clone_from(&other.levels);
        (self.raised, self.most, self.costs) = (other.raised, other.most, other.costs);
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

    /// The maximum number of levels between the ends of a step.
    #[inline(always)]
    pub(crate) fn most(&self) -> u8 {
        self.most
    }

    /// Whether a step can lead from one of two neighbours to the other.
    #[inline(always)]
    pub(crate) fn allow(&self, one: usize, other: usize) -> bool {
        self.levels[one].abs_diff(self.levels[other]) <= self.most
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
