//! The last changes of a cost grid.

use std::collections::VecDeque;

use crate::cost::stamp::Stamp;
use crate::grid::Cell;
use crate::{EntryCost, Level};

/// The number of changes that a grid remembers. Data that is further behind has to be computed again.
pub(crate) const MAX_REMEMBERED: usize = 4096;

/// A change of one cell, see [`CostGrid::changes_since`](crate::CostGrid::changes_since).
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CellChange, CostGrid, Diagonal, EntryCost, Level};
/// let mut grid = CostGrid::new(Size::new(3, 2), Diagonal::GAME)?;
/// let (cell, before) = (Cell::new(1, 1), grid.stamp());
/// grid.set(cell, Some(EntryCost::TILE));
/// assert!(grid.changes_since(before).unwrap().eq([CellChange { cell, was: None, was_level: Level::GROUND }]));
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
pub struct CellChange {
    /// The cell that changed.
    pub cell: Cell,
    /// Its entry cost before; `None` if it was blocked.
    pub was: Option<EntryCost>,
    /// Its level before.
    pub was_level: Level,
}

/// The values that a change replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Before {
    /// The index of the cell.
    pub(crate) at: usize,
    pub(crate) units: u32,
    pub(crate) level: u8,
}

/// The number of bits for an index: enough for every index of the largest grid.
const INDEX_BITS: u32 = 28;

/// The stamp of a grid, and its last changes, oldest first.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct History {
    #[cfg_attr(feature = "serde", serde(with = "crate::cost::stamp::saved"))]
    stamp: Stamp,
    changes: VecDeque<Entry>,
}

/// A change in sixteen bytes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "(u64, u32, u32)", into = "(u64, u32, u32)")
)]
struct Entry {
    /// The stamp of the grid before the change.
    stamp: Stamp,
    /// The level before and the index of the cell.
    place: u32,
    /// The units before.
    units: u32,
}

#[cfg(feature = "serde")]
impl From<Entry> for (u64, u32, u32) {
    fn from(Entry { stamp, place, units }: Entry) -> Self {
        (stamp.0, place, units)
    }
}

#[cfg(feature = "serde")]
impl From<(u64, u32, u32)> for Entry {
    fn from((stamp, place, units): (u64, u32, u32)) -> Self {
        Self { stamp: Stamp(stamp), place, units }
    }
}

impl History {
    pub(crate) fn new() -> Self {
        Self { stamp: Stamp::new(), changes: VecDeque::with_capacity(MAX_REMEMBERED) }
    }

    /// Starts over with another stamp.
    pub(crate) fn clear(&mut self) {
        self.stamp = Stamp::new();
        self.changes.clear();
    }

    /// The current stamp.
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Adds a change; forgets the oldest one if the list is full.
    pub(crate) fn push(&mut self, Before { at, units, level }: Before) {
        if self.changes.len() == MAX_REMEMBERED {
            self.changes.pop_front();
        }
        let place = u32::from(level) << INDEX_BITS | at as u32;
        self.changes.push_back(Entry { stamp: self.stamp, place, units });
        self.stamp = Stamp::new();
    }

    /// Forgets the changes before the first time at which the grid had one of these stamps.
    #[cfg(feature = "serde")]
    pub fn keep_since(&mut self, stamps: &std::collections::BTreeSet<Stamp>) {
        let first = self.changes.iter().position(|entry| stamps.contains(&entry.stamp));
        self.changes.drain(..first.unwrap_or(self.changes.len()));
    }

    /// All stamps, to replace them.
    #[cfg(feature = "serde")]
    pub fn stamps_mut(&mut self) -> impl Iterator<Item = &mut Stamp> {
        self.changes.iter_mut().map(|entry| &mut entry.stamp).chain([&mut self.stamp])
    }

    /// The number of changes since the grid, or the grid that it was copied from, had this stamp; `None` if it never
    /// had the stamp, or if it no longer remembers the changes. O(1) for the current stamp, otherwise O(log changes).
    pub(crate) fn count_since(&self, stamp: Stamp) -> Option<usize> {
        if stamp == self.stamp {
            return Some(0);
        }
        let first = self.changes.binary_search_by_key(&stamp, |entry| entry.stamp).ok()?;
        Some(self.changes.len() - first)
    }

    /// The stamp of the grid before its last changes; `None` if there were not so many, or if it no longer remembers them.
    #[cfg(feature = "serde")]
    pub(crate) fn stamp_before(&self, changes: usize) -> Option<Stamp> {
        match self.changes.len().checked_sub(changes)? {
            first if first == self.changes.len() => Some(self.stamp),
            first => Some(self.changes[first].stamp),
        }
    }

    /// Iterates over the changes since the grid had this stamp, oldest first; `None` as for
    /// [`count_since`](Self::count_since).
    pub(crate) fn since(&self, stamp: Stamp) -> Option<impl Iterator<Item = Before> + '_> {
        let first = self.changes.len() - self.count_since(stamp)?;
        Some(self.changes.range(first..).map(|&Entry { place, units, .. }| {
            let at = (place & ((1 << INDEX_BITS) - 1)) as usize;
            Before { at, units, level: (place >> INDEX_BITS) as u8 }
        }))
    }
}
