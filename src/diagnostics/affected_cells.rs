//! The cells in which one and the same thing is wrong.

use std::ops::Range;

use crate::grid::Cell;

/// So many cells are named; of the others it is said how many they are.
const NAMED: usize = 4;

/// So many spots are marked if they stand in one line.
const MARKED: usize = 64;

/// Gathers cells for one fault. Of the many only a few are kept, so that a fault in every cell costs little.
#[derive(Debug, Default)]
pub(crate) struct AffectedCells {
    cells: Vec<Cell>,
    pub(super) spans: Vec<Range<usize>>,
    count: usize,
}

impl AffectedCells {
    /// Adds a cell; `span` finds the bytes of the text that it takes, if these are wanted.
    pub fn add(&mut self, cell: Cell, span: impl FnOnce() -> Range<usize>) {
        self.count += 1;
        if self.cells.len() < NAMED {
            self.cells.push(cell);
        }
        if self.spans.len() < MARKED {
            self.spans.push(span());
        }
    }

    /// The first cell that was added.
    pub fn first(&self) -> Option<Cell> {
        self.cells.first().copied()
    }
}

/// Such as `6,2`, or `6,2 7,2 8,2 9,2 and 12 more cells`.
impl std::fmt::Display for AffectedCells {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (k, cell) in self.cells.iter().enumerate() {
            match k {
                0 => {}
                _ if k + 1 == self.count => f.write_str(" and ")?,
                _ => f.write_str(" ")?,
            }
            write!(f, "{cell}")?;
        }
        match self.count - self.cells.len() {
            0 => Ok(()),
            1 => f.write_str(" and 1 more cell"),
            more => write!(f, " and {more} more cells"),
        }
    }
}
