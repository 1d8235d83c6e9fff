//! What a search knows about each cell, in eight or sixteen bytes that need no clearing between searches.

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

/// What a search knows about one cell. Part of it is a word with the cost so far, the direction of the step into the
/// cell, and whether the cell is closed.
pub(crate) trait Record: Copy {
    /// Returns the record of a cell about which nothing is known but the word.
    fn new(word: u64) -> Self;
    fn word(&self) -> u64;
    fn word_mut(&mut self) -> &mut u64;
}

/// A search over neighbours needs only the word.
impl Record for u64 {
    fn new(word: u64) -> Self {
        word
    }

    #[inline(always)]
    fn word(&self) -> u64 {
        *self
    }

    #[inline(always)]
    fn word_mut(&mut self) -> &mut u64 {
        self
    }
}

/// The record of a search over jump points.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) struct JumpRecord {
    word: u64,
    /// The index of the jump point before.
    pub(crate) parent: u32,
    /// The estimate of the remaining cost; [`u32::MAX`] also stands for all larger ones.
    pub(crate) estimate: u32,
}

impl Record for JumpRecord {
    fn new(word: u64) -> Self {
        Self { word, parent: 0, estimate: 0 }
    }

    #[inline(always)]
    fn word(&self) -> u64 {
        self.word
    }

    #[inline(always)]
    fn word_mut(&mut self) -> &mut u64 {
        &mut self.word
    }
}

/// One record a cell.
///
/// Costs are stored as labels. Each search counts from its own zero, so far below the one before that all its labels
/// are below every older label. A label from an older search is then more expensive than any new one, which is what a
/// search needs of an unseen cell. The words are cleared only once in thousands of searches.
#[derive(Clone, Debug)]
pub(crate) struct Nodes<R = u64> {
    records: Vec<R>,
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

impl<R> Default for Nodes<R> {
    fn default() -> Self {
        Self { records: Vec::new(), zero: TOP, limit: TOP }
    }
}

impl<R: Record> Nodes<R> {
    /// Forgets all cells, for a search over `len` indices in which every cost is below `budget`.
    ///
    /// On the steepest and most expensive of the largest grids the sum of all steps exceeds every label, so there the
    /// budget is all labels. No cheapest route costs as much: to need more than 2^60 units it would have to enter more
    /// than two thirds of 2^24 cells, none of them beside an earlier one, at 4096 tiles times a climb by 91.
    pub(crate) fn begin(&mut self, len: usize, budget: u64) {
        if self.records.len() < len {
            self.records.resize(len, R::new(UNSEEN));
        }
        let budget = budget.next_multiple_of(ALIGNMENT).min(TOP);
        if self.zero < budget {
            self.records.fill(R::new(UNSEEN));
            self.zero = TOP;
        }
        self.limit = self.zero;
        self.zero -= budget;
    }

    /// Allocates memory for a search over `len` indices.
    pub(crate) fn reserve(&mut self, len: usize) {
        self.records.reserve_exact(len.saturating_sub(self.records.len()));
    }

    /// Returns how many bytes the containers hold.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.records)
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
        self.records[at].word() >> FLAGS
    }

    /// Returns whether every cost of a search over the grid as it is now has a label.
    pub(crate) fn has_labels_for(&self, grid: &CostGrid) -> bool {
        self.limit - self.zero >= grid.route_units_limit()
    }

    /// Forgets what is known about a cell.
    pub(crate) fn forget(&mut self, at: usize) {
        *self.records[at].word_mut() = UNSEEN;
    }

    /// Whether this search has seen the cell.
    pub(crate) fn is_seen(&self, at: usize) -> bool {
        self.label(at) < self.limit
    }

    /// Closes a cell that this search has seen, and returns its label and the direction of the step into it; `None` if
    /// it is closed already.
    #[inline(always)]
    pub(crate) fn close(&mut self, at: usize) -> Option<(u64, Direction)> {
        let word = self.records[at].word_mut();
        if *word & CLOSED != 0 {
            return None;
        }
        *word |= CLOSED;
        Some((*word >> FLAGS, direction(*word)))
    }

    /// Whether a cell that this search has seen is closed.
    pub(crate) fn is_closed(&self, at: usize) -> bool {
        self.records[at].word() & CLOSED != 0
    }

    /// Opens a cell with that label, whatever was known about it before. The start may have any direction.
    #[inline(always)]
    pub(crate) fn open(&mut self, at: usize, label: u64, direction: Direction) {
        *self.records[at].word_mut() = label << FLAGS | direction as u64;
    }

    /// Returns what a route with that label would change about a cell. Without `REOPEN` closed cells stay closed.
    #[inline(always)]
    pub(crate) fn improvement<const REOPEN: bool>(&self, at: usize, label: u64) -> Improvement {
        let known = self.records[at].word();
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

    /// Returns the record of a cell.
    #[inline(always)]
    pub(crate) fn record(&self, at: usize) -> &R {
        &self.records[at]
    }

    /// Returns the record of a cell, of which only the word belongs to this type.
    #[inline(always)]
    pub(crate) fn record_mut(&mut self, at: usize) -> &mut R {
        &mut self.records[at]
    }

    /// Returns the direction of the step into a cell that this search has seen; any direction for the start.
    pub(crate) fn direction(&self, at: usize) -> Direction {
        direction(self.records[at].word())
    }
}

impl Nodes {
    /// Returns the neighbour from which the step into a cell comes; any cell for the start.
    pub(crate) fn parent_cell(&self, grid: &CostGrid, at: usize) -> Cell {
        grid.cell(at) + self.direction(at).opposite()
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
        let mut nodes = Nodes::<u64>::default();
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
