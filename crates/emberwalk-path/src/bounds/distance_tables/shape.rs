//! How fine tables are, and so how much memory they take.

use super::CHUNK_LEN;

/// How fine tables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The side of the square of cells that share a row, as a power of two.
    pub(super) square_log2: u32,
    /// The number of chunks in a row. The numbers in them are one for each table, and last the spread: by how many
    /// steps the distances of a cell of the square exceed the row's at most. It is 0 if each cell has a row of its own.
    pub(super) chunks: usize,
}

impl Shape {
    /// All shapes, the best first; each takes less memory than the one before.
    pub(crate) const ALL: [Self; 7] = [
        Self { square_log2: 0, chunks: 4 },
        Self { square_log2: 0, chunks: 3 },
        Self { square_log2: 0, chunks: 2 },
        Self { square_log2: 1, chunks: 4 },
        Self { square_log2: 1, chunks: 3 },
        Self { square_log2: 1, chunks: 2 },
        Self { square_log2: 1, chunks: 1 },
    ];

    /// Returns the maximum number of tables.
    pub(crate) fn max_tables(self) -> usize {
        self.chunks * CHUNK_LEN - 1
    }
}
