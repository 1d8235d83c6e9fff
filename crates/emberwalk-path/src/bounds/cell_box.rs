//! A box of cells.

use crate::grid::Cell;
use crate::search::heuristic::Offset;

/// Two boxes are near each other if there are at most this many columns and rows between them.
const MAX_GAP: i32 = 4;

/// A rectangle of cells, both corners included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellBox {
    /// The north-west corner.
    pub(crate) min: Cell,
    /// The south-east corner.
    pub(crate) max: Cell,
}

impl CellBox {
    /// The box of one cell.
    pub(crate) fn of(cell: Cell) -> Self {
        Self { min: cell, max: cell }
    }

    /// The smallest box around both.
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            min: Cell::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Cell::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// The box with all cells around it.
    pub(crate) fn with_margin(self) -> Self {
        Self { min: self.min + (-1, -1), max: self.max + (1, 1) }
    }

    /// The number of cells.
    pub(crate) fn area(self) -> i64 {
        i64::from(self.max.x - self.min.x + 1) * i64::from(self.max.y - self.min.y + 1)
    }

    /// All cells, row by row.
    pub(crate) fn cells(self) -> impl Iterator<Item = Cell> {
        (self.min.y..=self.max.y).flat_map(move |y| (self.min.x..=self.max.x).map(move |x| Cell::new(x, y)))
    }

    /// The smallest offset in columns and in rows from a cell of this box to one of the other; 0 where they
    /// overlap.
    #[inline(always)]
    pub(crate) fn offset(self, other: Self) -> Offset {
        let gap = |min: i32, max: i32| (min - max).max(0);
        let columns = gap(other.min.x, self.max.x) - gap(self.min.x, other.max.x);
        let rows = gap(other.min.y, self.max.y) - gap(self.min.y, other.max.y);
        (columns, rows)
    }

    /// Whether the two are so near each other that they are treated as one.
    pub(crate) fn is_near(self, other: Self) -> bool {
        let (columns, rows) = self.offset(other);
        columns.abs().max(rows.abs()) <= MAX_GAP
    }

    /// The growth of the box around both, in length and width, over the two together.
    pub(crate) fn union_growth(self, other: Self) -> i32 {
        let half_perimeter = |cells: Self| cells.max.x - cells.min.x + cells.max.y - cells.min.y;
        half_perimeter(self.union(other)) - half_perimeter(self) - half_perimeter(other)
    }
}
