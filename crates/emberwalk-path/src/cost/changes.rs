//! The last changes of a cost grid.

use std::collections::VecDeque;

use crate::grid::Cell;
use crate::{EntryCost, Level};

/// How many changes a grid remembers. What was derived before more changes than that has to be derived again.
pub(crate) const MAX_REMEMBERED: usize = 4096;

/// A change of one cell, see [`CostGrid::changes_since`](crate::CostGrid::changes_since).
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{Change, CostGrid, Diagonal, EntryCost, Level};
/// let mut grid = CostGrid::new(Size::new(3, 2), Diagonal::GAME)?;
/// let (cell, version) = (Cell::new(1, 1), grid.version());
/// grid.set(cell, Some(EntryCost::TILE));
/// assert!(grid.changes_since(version).unwrap().eq([Change { cell, was: None, was_level: Level::GROUND }]));
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// The cell that changed.
    pub cell: Cell,
    /// Its entry cost before; `None` if it was blocked.
    pub was: Option<EntryCost>,
    /// Its level before.
    pub was_level: Level,
}

/// What a change replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Before {
    /// The index of the cell.
    pub(crate) at: usize,
    pub(crate) units: u32,
    pub(crate) level: u8,
}

/// The number of bits for an index, in which every index of the largest grid fits.
const INDEX_BITS: u32 = 28;

/// The last changes, oldest first: the level before and the index of the cell in one number, and its units before.
#[derive(Clone, Debug)]
pub(crate) struct ChangeLog {
    changes: VecDeque<(u32, u32)>,
}

impl ChangeLog {
    pub(crate) fn new() -> Self {
        Self { changes: VecDeque::with_capacity(MAX_REMEMBERED) }
    }

    pub(crate) fn clear(&mut self) {
        self.changes.clear();
    }

    /// Adds a change; forgets the oldest one if the log is full.
    pub(crate) fn push(&mut self, Before { at, units, level }: Before) {
        if self.changes.len() == MAX_REMEMBERED {
            self.changes.pop_front();
        }
        self.changes.push_back((u32::from(level) << INDEX_BITS | at as u32, units));
    }

    /// Iterates over the last `count` changes, oldest first; `None` if fewer are remembered.
    pub(crate) fn last(&self, count: usize) -> Option<impl Iterator<Item = Before> + '_> {
        let skipped = self.changes.len().checked_sub(count)?;
        Some(self.changes.iter().skip(skipped).map(|&(place, units)| {
            let at = (place & ((1 << INDEX_BITS) - 1)) as usize;
            Before { at, units, level: (place >> INDEX_BITS) as u8 }
        }))
    }

    /// Returns how many bytes the container holds.
    pub(crate) fn bytes(&self) -> usize {
        self.changes.capacity() * size_of::<(u32, u32)>()
    }
}
