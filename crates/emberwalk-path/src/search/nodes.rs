//! The state of each cell in a search, in eight bytes that need no clearing between searches.

use std::collections::BTreeMap;

use crate::CostGrid;
use crate::cost::cost_grid::capacity_bytes;
use crate::grid::{Cell, Direction};
use crate::search::steps::{Step, Steps};

const FLAGS: u32 = 4;
const CLOSED: u64 = 1 << 3;
const ALL_FLAGS: u64 = (1 << FLAGS) - 1;

/// The state of each cell in a search: a word with the cost so far, the direction of the step into the cell, and
/// whether the cell is closed.
///
/// Costs are stored as labels. Each search counts from its own zero, so far below the one before that all its labels
/// are below every older label. A label from an older search is then more expensive than any new one, as the label of
/// an unseen cell must be. The words are cleared only when no label is left: once in thousands of searches.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// The inverted words: unseen cells are 0, so that the system provides their memory when a search first reaches
    /// them.
    inverted: Vec<u64>,
    zero: u64,
    limit: u64,
    /// The links by which cells were opened last: for the cell that a link leads to, its label then and the cell from
    /// which the link comes. With any other label the cell was opened by a step since.
    links: BTreeMap<usize, (u64, usize)>,
}

/// The effect of a new route to a cell, see [`Nodes::improvement`].
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
        Self { inverted: Vec::new(), zero: Self::TOP, limit: Self::TOP, links: BTreeMap::new() }
    }
}

impl Nodes {
    /// Every zero label is a multiple of this. Buckets of labels then have the same bounds in every search, and the
    /// same query gives the same route whatever was searched before.
    const ALIGNMENT: u64 = 1 << 30;
    /// No label is above this.
    const TOP: u64 = (u64::MAX >> FLAGS) & !(Self::ALIGNMENT - 1);

    /// Forgets all cells, for a search over `len` indices in which every cost is below `budget`, in units. If there are
    /// not so many labels, it gets all that there are.
    ///
    /// These are enough. On the steepest and most expensive of the largest grids the sum of all steps exceeds every
    /// label, but no cheapest route costs as much: to need more than 2^60 units it would have to enter more than two
    /// thirds of 2^24 cells, none of them beside an earlier one, at 4096 tiles times a climb by 91.
    pub fn begin(&mut self, len: usize, budget: u64) {
        self.links.clear();
        if self.inverted.len() < len {
            self.inverted = Vec::new();
            self.inverted = vec![0; len];
            self.zero = Self::TOP;
        }
        let budget = budget.saturating_add(2).min(Self::TOP).next_multiple_of(Self::ALIGNMENT);
        if self.zero < budget {
            self.inverted.fill(0);
            self.zero = Self::TOP;
        }
        self.limit = self.zero;
        self.zero -= budget;
    }

    /// Allocates memory for a search over `len` indices.
    pub(crate) fn reserve(&mut self, len: usize) {
        if self.inverted.len() < len {
            *self = Self { inverted: vec![0; len], ..Self::default() };
        }
    }

    /// How many bytes are held.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.inverted)
    }

    /// The lowest known cost of a cell, in units; `None` if this search has not seen it.
    #[inline(always)]
    pub fn cost(&self, at: usize) -> Option<u64> {
        let label = self.label(at);
        (label < self.limit).then(|| label - self.zero)
    }

    /// The label of cost 0.
    pub fn zero(&self) -> u64 {
        self.zero
    }

    /// A number above every label of this search.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The label of a cell; [`limit`](Self::limit) or more if this search has not seen it.
    #[inline(always)]
    pub fn label(&self, at: usize) -> u64 {
        self.word(at) >> FLAGS
    }

    /// Forgets the state of a cell.
    pub(crate) fn forget(&mut self, at: usize) {
        self.inverted[at] = 0;
    }

    /// The state of a cell, to [restore](Self::restore) it.
    pub(crate) fn record(&self, at: usize) -> u64 {
        self.inverted[at]
    }

    /// Makes a cell as it was when it had this record.
    pub(crate) fn restore(&mut self, at: usize, record: u64) {
        self.inverted[at] = record;
    }

    /// Whether this search has seen the cell.
    pub fn is_seen(&self, at: usize) -> bool {
        self.label(at) < self.limit
    }

    /// Closes a cell that this search has seen, and returns its label and the direction of the step into it; `None` if
    /// it is closed already.
    #[inline(always)]
    pub fn close(&mut self, at: usize) -> Option<(u64, Direction)> {
        let word = self.word(at);
        if word & CLOSED != 0 {
            return None;
        }
        self.inverted[at] = !(word | CLOSED);
        Some((word >> FLAGS, direction(word)))
    }

    /// Whether a cell that this search has seen is closed.
    pub fn is_closed(&self, at: usize) -> bool {
        self.word(at) & CLOSED != 0
    }

    /// Opens a cell with that label, whatever was known about it before. The start may have any direction.
    #[inline(always)]
    pub fn open(&mut self, at: usize, label: u64, direction: Direction) {
        self.inverted[at] = !(label << FLAGS | direction as u64);
    }

    /// Opens the cell that a step from `from` leads to, with that label.
    #[inline(always)]
    pub fn open_by<S: Steps>(&mut self, from: usize, step: Step, label: u64) {
        self.open(step.to, label, step.direction);
        if S::HAVE_LINKS && step.is_link {
            self.links.insert(step.to, (label, from));
        }
    }

    /// Lets the route to a cell that this search has seen end with this step from `from`, at the same cost, if the step
    /// precedes the current one: by its direction, and links come last, by the index of the cell at their other end.
    pub(crate) fn redirect_among_links<S: Steps>(&mut self, from: usize, step: Step) {
        let (at, known) = (step.to, self.link_parent(step.to));
        let precedes = match known {
            None => !step.is_link && S::precedes(step.direction, self.direction(at)),
            Some(other) => !step.is_link || from < other,
        };
        if precedes {
            self.redirect(at, step.direction);
            self.links.remove(&at);
            if step.is_link {
                self.links.insert(at, (self.label(at), from));
            }
        }
    }

    /// The cell from which a link leads to a cell, if the route to it ends with a link.
    #[inline(always)]
    pub fn link_parent(&self, at: usize) -> Option<usize> {
        if self.links.is_empty() {
            return None;
        }
        self.links.get(&at).filter(|(label, _)| *label == self.label(at)).map(|&(_, from)| from)
    }

    /// Replaces the direction of the step into a cell that this search has seen.
    pub(crate) fn redirect(&mut self, at: usize, direction: Direction) {
        self.inverted[at] = !(self.word(at) & !(ALL_FLAGS & !CLOSED) | direction as u64);
    }

    /// The effect of a route with that label on a cell. Without `REOPEN` closed cells stay closed.
    #[inline(always)]
    pub(crate) fn improvement<const REOPEN: bool>(&self, at: usize, label: u64) -> Improvement {
        let known = self.word(at);
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

    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        !self.inverted[at]
    }

    /// The direction of the step into a cell that this search has seen; any direction for the start.
    pub fn direction(&self, at: usize) -> Direction {
        direction(self.word(at))
    }

    /// The cell from which the step into a cell comes; any cell for the start.
    pub(crate) fn parent_cell(&self, grid: &CostGrid, at: usize) -> Cell {
        match self.link_parent(at) {
            Some(parent) => grid.cell(parent),
            None => grid.cell(at) + self.direction(at).opposite(),
        }
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
