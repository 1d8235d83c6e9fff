//! The cells of brushes, lines and rectangles. They may be off the map.

use crate::map::Area;
use emberwalk_path::grid::Cell;

/// The side of a square brush: 1, 3, 5 or 7 cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BrushSize {
    /// One cell.
    #[default]
    One,
    /// 3 x 3 cells.
    Three,
    /// 5 x 5 cells.
    Five,
    /// 7 x 7 cells.
    Seven,
}

impl BrushSize {
    /// All sizes, the smallest first.
    pub const ALL: [Self; 4] = [Self::One, Self::Three, Self::Five, Self::Seven];

    /// The number of columns and rows.
    pub const fn cells(self) -> i32 {
        2 * self as i32 + 1
    }

    /// The next larger size; the largest size if there is none.
    #[must_use]
    pub fn larger(self) -> Self {
        Self::ALL[(self as usize + 1).min(Self::ALL.len() - 1)]
    }

    /// The next smaller size; the smallest size if there is none.
    #[must_use]
    pub fn smaller(self) -> Self {
        Self::ALL[(self as usize).saturating_sub(1)]
    }
}

/// The cells of a brush whose middle is at `cell`.
pub fn brush(cell: Cell, size: BrushSize) -> Area {
    Area::square(cell, size.cells() / 2)
}

/// The cells on the line from one cell to another, including both. Successive cells share an edge, so that a line of
/// roads or walls joins.
///
/// ```
/// use emberwalk_map::editing::line;
/// let cells: Vec<(i32, i32)> = line((0, 0).into(), (3, 1).into()).into_iter().map(Into::into).collect();
/// assert_eq!(cells, [(0, 0), (1, 0), (1, 1), (2, 1), (3, 1)]);
/// ```
pub fn line(from: Cell, to: Cell) -> Vec<Cell> {
    let columns = i64::from(to.x.abs_diff(from.x));
    let rows = i64::from(to.y.abs_diff(from.y));
    let step_x = (to.x - from.x).signum();
    let step_y = (to.y - from.y).signum();
    let mut cells = vec![from];
    let mut cell = from;
    let mut column = 0;
    let mut row = 0;
    while column < columns || row < rows {
        // The next step is over the edge that the line crosses first.
        if (2 * column + 1) * rows < (2 * row + 1) * columns {
            cell.x += step_x;
            column += 1;
        } else {
            cell.y += step_y;
            row += 1;
        }
        cells.push(cell);
    }
    cells
}

/// The cells of a brush that is dragged from one cell to another, each once, row by row.
pub fn brush_line(from: Cell, to: Cell, size: BrushSize) -> Vec<Cell> {
    let line = line(from, to);
    if size == BrushSize::One {
        return line;
    }
    let mut cells: Vec<_> = line.into_iter().flat_map(|cell| brush(cell, size).cells()).collect();
    cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
    cells.dedup();
    cells
}
