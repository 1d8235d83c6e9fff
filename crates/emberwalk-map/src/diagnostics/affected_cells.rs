//! The map cells that have the same error.

use std::ops::Range;

use super::counted::counted;
use emberwalk_path::grid::Cell;

/// The maximum number of cells that a message lists; it counts the others.
const MAX_LISTED: usize = 4;

/// The maximum number of cells that are marked, on the map and (if they are in the same line) in the source line.
pub(super) const MAX_MARKED: usize = 64;

/// Collects the cells that have the same error. Only the first few are stored, so that an error in every cell of a map
/// is cheap.
#[derive(Debug, Default)]
pub(crate) struct AffectedCells {
    pub(super) cells: Vec<Cell>,
    pub(super) spans: Vec<Range<usize>>,
    count: usize,
}

impl AffectedCells {
    /// Adds a cell. `span` computes its bytes in the text; it is only called if they are needed.
    pub fn add(&mut self, cell: Cell, span: impl FnOnce() -> Range<usize>) {
        self.count += 1;
        if self.cells.len() < MAX_MARKED {
            self.cells.push(cell);
            self.spans.push(span());
        }
    }
}

/// For example `6,2`, or `6,2 7,2 8,2 9,2 and 12 more cells`.
impl std::fmt::Display for AffectedCells {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let listed = &self.cells[..self.cells.len().min(MAX_LISTED)];
        for (k, cell) in listed.iter().enumerate() {
            match k {
                0 => {}
                _ if k + 1 == self.count => f.write_str(" and ")?,
                _ => f.write_str(" ")?,
            }
            write!(f, "{cell}")?;
        }
        match self.count - listed.len() {
            0 => Ok(()),
            more => write!(f, " and {}", counted(more, "more cell")),
        }
    }
}
