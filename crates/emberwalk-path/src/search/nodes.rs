//! What a search knows about each cell, in eight bytes that need no clearing between searches.

use crate::CostGrid;
use crate::cost::cost_grid::capacity_bytes;
use crate::grid::{Cell, Direction};

const FLAGS: u32 = 4;
const CLOSED: u64 = 1 << 3;
const ALL_FLAGS: u64 = (1 << FLAGS) - 1;
const UNSEEN: u64 = u64::MAX;
/// Every zero label is a multiple of this. Buckets of labels then have the same bounds in every search, and the same
/// query gives the same route whatever was searched before.
const ALIGNMENT: u64 = 1 << 30;
/// Above every label.
const TOP: u64 = (UNSEEN >> FLAGS) & !(ALIGNMENT - 1);

/// One word a cell: the cost so far, the direction of the step into the cell, and whether the cell is closed.
///
/// Costs are stored as labels. Each search counts from its own zero, so far below the one before that all its labels
/// are below every older label. A label from an older search is then more expensive than any new one, which is what a
/// search needs of an unseen cell. The words are cleared only once in thousands of searches.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    words: Vec<u64>,
    /// The parent of each cell, for searches in which it need not be a neighbour; empty before the first of them.
    parents: Vec<u32>,
    has_parents: bool,
    zero: u64,
    limit: u64,
}

/// What a new route to a cell would change, see [`Nodes::improvement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Improvement {
    /// Nothing: the known route is as cheap, or the cell stays closed.
    No,
    /// It opens an unseen cell, or it lowers the cost of an open one.
    Opens,
    /// It reopens a closed cell.
    Reopens,
}

impl Default for Nodes {
    fn default() -> Self {
        Self { words: Vec::new(), parents: Vec::new(), has_parents: false, zero: TOP, limit: TOP }
    }
}

impl Nodes {
    /// Forgets all cells, for a search over `len` indices in which every cost is below `budget`.
    ///
    /// On the steepest and most expensive of the largest grids the sum of all steps exceeds every label, so there the
    /// budget is all labels. No cheapest route costs as much: to need more than 2^60 units it would have to enter more
    /// than two thirds of 2^24 cells, none of them beside an earlier one, at 4096 tiles times a climb by 91.
    pub(crate) fn begin(&mut self, len: usize, budget: u64) {
        self.has_parents = false;
        if self.words.len() < len {
            self.words.resize(len, UNSEEN);
        }
        let budget = budget.next_multiple_of(ALIGNMENT).min(TOP);
        if self.zero < budget {
            self.words.fill(UNSEEN);
            self.zero = TOP;
        }
        self.limit = self.zero;
        self.zero -= budget;
    }

    /// Allocates memory for a search over `len` indices.
    pub(crate) fn reserve(&mut self, len: usize) {
        self.words.reserve_exact(len.saturating_sub(self.words.len()));
    }

    /// Returns how many bytes the containers hold.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.words) + capacity_bytes(&self.parents)
    }

    /// Continues [`begin`](Self::begin), for a search in which the parent of a cell need not be a neighbour.
    pub(crate) fn begin_with_parents(&mut self) {
        self.has_parents = true;
        if self.parents.len() < self.words.len() {
            self.parents.resize(self.words.len(), 0);
        }
    }

    #[inline(always)]
    pub(crate) fn set_parent(&mut self, at: usize, parent: usize) {
        self.parents[at] = parent as u32;
    }

    /// Returns the parent of a cell that this search has seen; `None` if it is the neighbour opposite to
    /// [`direction`](Self::direction).
    pub(crate) fn parent(&self, at: usize) -> Option<usize> {
        self.has_parents.then(|| self.parents[at] as usize)
    }

    /// Returns the cell whose expansion opened the cell at `at`, for observers; any cell for the start.
    pub(crate) fn parent_cell(&self, grid: &CostGrid, at: usize) -> Cell {
        match self.parent(at) {
            Some(parent) => grid.cell(parent),
            None => grid.cell(at) + self.direction(at).opposite(),
        }
    }

    /// Returns the label of cost 0.
    pub(crate) fn zero(&self) -> u64 {
        self.zero
    }

    /// Returns a number above every label of this search.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns the label of a cell; [`limit`](Self::limit) or more if this search has not seen it.
    #[inline(always)]
    pub(crate) fn label(&self, at: usize) -> u64 {
        self.words[at] >> FLAGS
    }

    /// Whether this search has seen the cell.
    pub(crate) fn is_seen(&self, at: usize) -> bool {
        self.label(at) < self.limit
    }

    /// Closes a cell that this search has seen, and returns its label and the direction of the step into it; `None` if
    /// it is closed already.
    #[inline(always)]
    pub(crate) fn close(&mut self, at: usize) -> Option<(u64, Direction)> {
        let word = &mut self.words[at];
        if *word & CLOSED != 0 {
            return None;
        }
        *word |= CLOSED;
        Some((*word >> FLAGS, direction(*word)))
    }

    /// Whether a cell that this search has seen is closed.
    pub(crate) fn is_closed(&self, at: usize) -> bool {
        self.words[at] & CLOSED != 0
    }

    /// Opens a cell with that label, whatever was known about it before. The start may have any direction.
    #[inline(always)]
    pub(crate) fn open(&mut self, at: usize, label: u64, direction: Direction) {
        self.words[at] = label << FLAGS | direction as u64;
    }

    /// Returns what a route with that label would change about a cell. Without `REOPEN` closed cells stay closed.
    #[inline(always)]
    pub(crate) fn improvement<const REOPEN: bool>(&self, at: usize, label: u64) -> Improvement {
        let known = self.words[at];
        if known >> FLAGS <= label {
            Improvement::No
        } else if known & CLOSED == 0 || known >> FLAGS >= self.limit {
            Improvement::Opens
        } else if REOPEN {
            Improvement::Reopens
        } else {
            Improvement::No
        }
    }

    /// Returns the direction of the step into a cell that this search has seen; any direction for the start.
    pub(crate) fn direction(&self, at: usize) -> Direction {
        direction(self.words[at])
    }
}

#[inline(always)]
fn direction(word: u64) -> Direction {
    Direction::ALL[(word & ALL_FLAGS & !CLOSED) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_search_has_seen_nothing() {
        let mut nodes = Nodes::default();
        for round in 0..40 {
            nodes.begin(2, 1 << 56);
            let (zero, last) = (nodes.zero(), nodes.limit() - 1);
            assert!(!nodes.is_seen(0), "round {round}");
            assert_eq!(nodes.improvement::<false>(0, last), Improvement::Opens);
            nodes.open(0, last, Direction::SW);
            assert!(nodes.is_seen(0));
            assert_eq!(nodes.improvement::<false>(0, last), Improvement::No);
            assert_eq!(nodes.improvement::<false>(0, zero), Improvement::Opens);
            assert_eq!(nodes.close(0), Some((last, Direction::SW)));
            assert_eq!(nodes.close(0), None);
            assert_eq!(nodes.improvement::<false>(0, zero), Improvement::No);
            assert_eq!(nodes.improvement::<true>(0, zero), Improvement::Reopens);
            nodes.open(0, zero, Direction::NW);
            assert_eq!(nodes.close(0), Some((zero, Direction::NW)));
            assert_eq!((nodes.direction(0), nodes.label(0)), (Direction::NW, zero));
        }
    }
}
