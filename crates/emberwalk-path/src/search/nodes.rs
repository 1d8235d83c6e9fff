//! What a search knows of each cell, in eight bytes that need no clearing between searches.

use crate::cost::cost_grid::capacity_bytes;
use crate::grid::Direction;

const FLAGS: u32 = 4;
const CLOSED: u64 = 1 << 3;
const ALL_FLAGS: u64 = (1 << FLAGS) - 1;
const UNSEEN: u64 = u64::MAX;
/// Every zero is a multiple of this, so that no bucket of labels begins elsewhere in one search than in another, and
/// the same query gives the same route whatever was searched before.
const ALIGNED: u64 = 1 << 30;
/// Above every label.
const TOP: u64 = (UNSEEN >> FLAGS) & !(ALIGNED - 1);

/// One word a cell: the cost so far, the direction of the step that leads here, and whether the cell is closed.
///
/// Costs are kept as labels: each search counts from a zero of its own, so far below the one before that all its
/// labels lie below every older one. A label of an older search therefore counts as "dearer than anything", which is
/// what a cell that was not seen yet has to be, and nothing is ever cleared but once in thousands of searches.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    words: Vec<u64>,
    /// Where the way to a cell comes from, if that is not a neighbour; as long as such searches needed.
    from: Vec<u32>,
    is_far: bool,
    zero: u64,
    limit: u64,
}

/// What [`Nodes::improves`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Improved {
    /// The way known before is as cheap, or the cell is closed for good.
    No,
    /// The cell was unseen or open.
    Opened,
    /// The cell was closed.
    Reopened,
}

impl Default for Nodes {
    fn default() -> Self {
        Self { words: Vec::new(), from: Vec::new(), is_far: false, zero: TOP, limit: TOP }
    }
}

impl Nodes {
    /// Forgets all cells, for a search over `len` of them in which no cost reaches `budget`.
    pub(crate) fn begin(&mut self, len: usize, budget: u64) {
        self.is_far = false;
        if self.words.len() < len {
            self.words.resize(len, UNSEEN);
        }
        let budget = budget.next_multiple_of(ALIGNED);
        if self.zero < budget {
            self.words.fill(UNSEEN);
            self.zero = TOP;
        }
        self.limit = self.zero;
        self.zero -= budget;
    }

    /// Makes room for a search over `len` cells.
    pub(crate) fn reserve(&mut self, len: usize) {
        self.words.reserve_exact(len.saturating_sub(self.words.len()));
    }

    /// How many bytes are held.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.words) + capacity_bytes(&self.from)
    }

    /// Goes on from [`begin`](Self::begin), for a search in which the way to a cell need not come from a neighbour.
    pub(crate) fn begin_far(&mut self) {
        self.is_far = true;
        if self.from.len() < self.words.len() {
            self.from.resize(self.words.len(), 0);
        }
    }

    /// Notes from where the way comes to a cell.
    #[inline(always)]
    pub(crate) fn set_from(&mut self, at: usize, from: usize) {
        self.from[at] = from as u32;
    }

    /// From where the way comes to a cell that this search has seen; `None` if from a neighbour.
    pub(crate) fn from(&self, at: usize) -> Option<usize> {
        self.is_far.then(|| self.from[at] as usize)
    }

    /// The label of cost 0.
    pub(crate) fn zero(&self) -> u64 {
        self.zero
    }

    /// Above every label of this search.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// The label of a cell that this search has seen; at least [`limit`](Self::limit) for another.
    #[inline(always)]
    pub(crate) fn label(&self, at: usize) -> u64 {
        self.words[at] >> FLAGS
    }

    /// Whether this search has seen the cell.
    pub(crate) fn is_seen(&self, at: usize) -> bool {
        self.label(at) < self.limit
    }

    /// Closes a cell that this search has seen, and gives its label and the step that leads here; `None` if it was closed before.
    #[inline(always)]
    pub(crate) fn close(&mut self, at: usize) -> Option<(u64, Direction)> {
        let word = &mut self.words[at];
        if *word & CLOSED != 0 {
            return None;
        }
        *word |= CLOSED;
        Some((*word >> FLAGS, by(*word)))
    }

    /// Whether a cell that this search has seen is closed.
    pub(crate) fn is_closed(&self, at: usize) -> bool {
        self.words[at] & CLOSED != 0
    }

    /// Opens the start, or any other cell whatever was known of it.
    #[inline(always)]
    pub(crate) fn open(&mut self, at: usize, label: u64, by: Direction) {
        self.words[at] = label << FLAGS | by as u64;
    }

    /// What it would be to reach the cell at `label`; without `REOPEN` a closed cell is never improved.
    #[inline(always)]
    pub(crate) fn improves<const REOPEN: bool>(&self, at: usize, label: u64) -> Improved {
        let known = self.words[at];
        if known >> FLAGS <= label {
            Improved::No
        } else if known & CLOSED == 0 || known >> FLAGS >= self.limit {
            Improved::Opened
        } else if REOPEN {
            Improved::Reopened
        } else {
            Improved::No
        }
    }

    /// The step that leads to a cell that this search has seen; any direction for the start.
    pub(crate) fn by(&self, at: usize) -> Direction {
        by(self.words[at])
    }
}

#[inline(always)]
fn by(word: u64) -> Direction {
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
            assert_eq!(nodes.improves::<false>(0, last), Improved::Opened);
            nodes.open(0, last, Direction::SW);
            assert!(nodes.is_seen(0));
            assert_eq!(nodes.improves::<false>(0, last), Improved::No);
            assert_eq!(nodes.improves::<false>(0, zero), Improved::Opened);
            assert_eq!(nodes.close(0), Some((last, Direction::SW)));
            assert_eq!(nodes.close(0), None);
            assert_eq!(nodes.improves::<false>(0, zero), Improved::No);
            assert_eq!(nodes.improves::<true>(0, zero), Improved::Reopened);
            nodes.open(0, zero, Direction::NW);
            assert_eq!(nodes.close(0), Some((zero, Direction::NW)));
            assert_eq!((nodes.by(0), nodes.label(0)), (Direction::NW, zero));
        }
    }
}
