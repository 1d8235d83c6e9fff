//! Links: steps from a cell to any other cell, such as stairs, portals and lifts.

use crate::EntryCost;
use crate::grid::Cell;

/// A link: a step from a cell to any other cell, at a cost of its own. It leads one way.
///
/// See [`CostGrid::add_link`](crate::CostGrid::add_link).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// The cell in which it begins.
    pub from: Cell,
    /// The cell in which it ends.
    pub to: Cell,
    /// The cost of the step, whatever the entry cost of `to`.
    pub cost: EntryCost,
}

/// A link by the indices of its ends, with its cost in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkStep {
    /// The index of the cell in which it begins.
    pub from: usize,
    /// The index of the cell in which it ends.
    pub to: usize,
    /// Its cost.
    pub units: u32,
}

/// The links of a grid, of which there is at least one.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// In the order of the indices of `from`, then of `to`.
    by_start: Vec<LinkStep>,
    /// In the order of the indices of `to`, then of `from`.
    by_end: Vec<LinkStep>,
}

impl Links {
    pub(crate) fn iter(&self) -> impl Iterator<Item = LinkStep> + '_ {
        self.by_start.iter().copied()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_start.is_empty()
    }

    /// The links that begin in a cell. O(log links).
    #[inline]
    pub fn starting_in(&self, at: usize) -> &[LinkStep] {
        let start = self.by_start.partition_point(|link| link.from < at);
        let len = self.by_start[start..].iter().take_while(|link| link.from == at).count();
        &self.by_start[start..start + len]
    }

    /// The links that end in a cell. O(log links).
    #[inline]
    pub fn ending_in(&self, at: usize) -> &[LinkStep] {
        let start = self.by_end.partition_point(|link| link.to < at);
        let len = self.by_end[start..].iter().take_while(|link| link.to == at).count();
        &self.by_end[start..start + len]
    }

    /// The cost of a link, in units.
    pub(crate) fn units(&self, from: usize, to: usize) -> Option<u32> {
        self.starting_in(from).iter().find(|link| link.to == to).map(|link| link.units)
    }

    /// Adds a link, or replaces the one between the same cells.
    pub(crate) fn insert(&mut self, link: LinkStep) {
        self.remove(link.from, link.to);
        let place = self.by_start.partition_point(|other| (other.from, other.to) < (link.from, link.to));
        self.by_start.insert(place, link);
        let place = self.by_end.partition_point(|other| (other.to, other.from) < (link.to, link.from));
        self.by_end.insert(place, link);
    }

    pub(crate) fn remove(&mut self, from: usize, to: usize) {
        for list in [&mut self.by_start, &mut self.by_end] {
            list.retain(|link| (link.from, link.to) != (from, to));
        }
    }
}
