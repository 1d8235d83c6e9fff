//! The cells of brushes, lines and rectangles. They may be off the map.

use crate::map::Side;
use emberwalk_path::grid::{Cell, Cells, Size};

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

    /// Returns the number of columns and of rows.
    pub const fn cells(self) -> i32 {
        2 * self as i32 + 1
    }

    /// Returns the next larger size; the largest one stays.
    #[must_use]
    pub fn larger(self) -> Self {
        Self::ALL[(self as usize + 1).min(Self::ALL.len() - 1)]
    }

    /// Returns the next smaller size; the smallest one stays.
    #[must_use]
    pub fn smaller(self) -> Self {
        Self::ALL[(self as usize).saturating_sub(1)]
    }
}

/// A rectangle of cells.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_map::editing::Area;
/// let area = Area::between(Cell::new(4, 1), Cell::new(2, 2));
/// assert_eq!((area.first(), area.last(), area.size().to_string()), (Cell::new(2, 1), Cell::new(4, 2), "3 x 2".into()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    first: Cell,
    size: Size,
}

impl Area {
    /// Returns the rectangle of this size whose cell in the north-west is `first`.
    pub fn new(first: Cell, size: Size) -> Self {
        Self { first, size }
    }

    /// Returns the rectangle with these two cells in opposite corners.
    pub fn between(a: Cell, b: Cell) -> Self {
        let first = Cell::new(a.x.min(b.x), a.y.min(b.y));
        let side = |from: i32, to: i32| to.abs_diff(from).saturating_add(1);
        Self { first, size: Size::new(side(a.x, b.x), side(a.y, b.y)) }
    }

    /// Returns all cells of a map.
    pub fn of_map(size: Size) -> Self {
        Self { first: Cell::new(0, 0), size }
    }

    /// Returns the cell in the north-west.
    pub fn first(self) -> Cell {
        self.first
    }

    /// Returns the cell in the south-east.
    pub fn last(self) -> Cell {
        Cell::new(
            self.first.x.saturating_add_unsigned(self.size.width - 1),
            self.first.y.saturating_add_unsigned(self.size.height - 1),
        )
    }

    /// Returns the number of columns and rows.
    pub fn size(self) -> Size {
        self.size
    }

    /// Whether `cell` is in the rectangle.
    pub fn contains(self, cell: Cell) -> bool {
        let last = self.last();
        (self.first.x..=last.x).contains(&cell.x) && (self.first.y..=last.y).contains(&cell.y)
    }

    /// Returns the rectangle moved by as many columns and rows as there are from one cell to another.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_map::editing::Area;
    /// let area = Area::new(Cell::new(2, 1), Size::new(3, 2));
    /// assert_eq!(area.moved(Cell::new(4, 2), Cell::new(3, 2)).first(), Cell::new(1, 1));
    /// assert_eq!(area.border()[0], [(1.5, 0.5), (4.5, 0.5)], "its northern side");
    /// ```
    #[must_use]
    pub fn moved(self, from: Cell, to: Cell) -> Self {
        let by = |at: i32, from: i32, to: i32| at.saturating_add(to.saturating_sub(from));
        Self { first: Cell::new(by(self.first.x, from.x, to.x), by(self.first.y, from.y, to.y)), ..self }
    }

    /// Returns the part that is on a map of `size`; `None` if there is none.
    pub fn on_map(self, size: Size) -> Option<Self> {
        let map = Self::of_map(size);
        let (first, last) = (self.first, self.last());
        let from = Cell::new(first.x.max(0), first.y.max(0));
        let to = Cell::new(last.x.min(map.last().x), last.y.min(map.last().y));
        (from.x <= to.x && from.y <= to.y).then(|| Self::between(from, to))
    }

    /// Returns the smallest rectangle around two that are on a map.
    pub(super) fn around(self, other: Self) -> Self {
        let ((a, b), (c, d)) = ((self.first(), other.first()), (self.last(), other.last()));
        let first = Cell::new(a.x.min(b.x), a.y.min(b.y));
        Self::between(first, Cell::new(c.x.max(d.x), c.y.max(d.y)))
    }

    /// Returns the sides of the rectangle.
    pub fn border(self) -> [Side; 4] {
        let [left, top] = [self.first.x, self.first.y].map(|at| f64::from(at) - 0.5);
        let (right, bottom) = (left + f64::from(self.size.width), top + f64::from(self.size.height));
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        [0, 1, 2, 3].map(|side| [corners[side], corners[(side + 1) % 4]])
    }

    /// Iterates over the cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let first = self.first;
        let cells: Cells = self.size.cells();
        cells.map(move |cell| Cell::new(cell.x + first.x, cell.y + first.y))
    }
}

/// Returns the cells of a brush whose middle is at `cell`.
pub fn brush(cell: Cell, size: BrushSize) -> Area {
    let reach = size.cells() / 2;
    let corner = |by: i32| Cell::new(cell.x.saturating_add(by), cell.y.saturating_add(by));
    Area::between(corner(-reach), corner(reach))
}

/// Returns the cells on the line from one cell to another, both included. Successive cells share an edge, so that a
/// line of roads or walls is joined.
///
/// ```
/// use emberwalk_map::editing::line;
/// let cells: Vec<(i32, i32)> = line((0, 0).into(), (3, 1).into()).into_iter().map(Into::into).collect();
/// assert_eq!(cells, [(0, 0), (1, 0), (1, 1), (2, 1), (3, 1)]);
/// ```
pub fn line(from: Cell, to: Cell) -> Vec<Cell> {
    let (columns, rows) = (i64::from(to.x.abs_diff(from.x)), i64::from(to.y.abs_diff(from.y)));
    let (step_x, step_y) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    let mut cells = vec![from];
    let (mut cell, mut column, mut row) = (from, 0, 0);
    while column < columns || row < rows {
        // The step that comes first on the way is the one whose edge the line crosses first.
        if (2 * column + 1) * rows < (2 * row + 1) * columns {
            (cell.x, column) = (cell.x + step_x, column + 1);
        } else {
            (cell.y, row) = (cell.y + step_y, row + 1);
        }
        cells.push(cell);
    }
    cells
}

/// Returns the cells of a brush that is dragged from one cell to another, each once, row by row.
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
