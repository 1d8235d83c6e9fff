//! A rectangle of cells.

use std::ops::Range;

use super::Side;
use emberwalk_path::grid::{Cell, Size};

/// A rectangle of cells.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_map::Area;
/// let area = Area::between(Cell::new(4, 1), Cell::new(2, 2));
/// assert_eq!((area.first(), area.last(), area.size().to_string()), (Cell::new(2, 1), Cell::new(4, 2), "3 x 2".into()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    first: Cell,
    size: Size,
}

impl Area {
    /// The rectangle of this size whose north-western cell is `first`.
    pub fn new(first: Cell, size: Size) -> Self {
        Self { first, size }
    }

    /// The rectangle with these two cells in opposite corners.
    pub fn between(a: Cell, b: Cell) -> Self {
        let first = Cell::new(a.x.min(b.x), a.y.min(b.y));
        let side = |from: i32, to: i32| to.abs_diff(from).saturating_add(1);
        Self { first, size: Size::new(side(a.x, b.x), side(a.y, b.y)) }
    }

    /// The cells that are at most `reach` columns and rows away from `cell`.
    pub fn square(cell: Cell, reach: i32) -> Self {
        let corner = |by: i32| Cell::new(cell.x.saturating_add(by), cell.y.saturating_add(by));
        Self::between(corner(-reach), corner(reach))
    }

    /// All cells of a map.
    pub fn of_map(size: Size) -> Self {
        Self { first: Cell::new(0, 0), size }
    }

    /// The north-western cell.
    pub fn first(self) -> Cell {
        self.first
    }

    /// The south-eastern cell.
    pub fn last(self) -> Cell {
        Cell::new(
            self.first.x.saturating_add_unsigned(self.size.width - 1),
            self.first.y.saturating_add_unsigned(self.size.height - 1),
        )
    }

    /// The number of columns and rows.
    pub fn size(self) -> Size {
        self.size
    }

    /// Whether `cell` is in the rectangle.
    pub fn contains(self, cell: Cell) -> bool {
        let last = self.last();
        (self.first.x..=last.x).contains(&cell.x) && (self.first.y..=last.y).contains(&cell.y)
    }

    /// The rectangle moved by the columns and rows between two cells.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_map::Area;
    /// let area = Area::new(Cell::new(2, 1), Size::new(3, 2));
    /// assert_eq!(area.moved(Cell::new(4, 2), Cell::new(3, 2)).first(), Cell::new(1, 1));
    /// assert_eq!(area.border()[0], [(1.5, 0.5), (4.5, 0.5)], "its northern side");
    /// ```
    #[must_use]
    pub fn moved(self, from: Cell, to: Cell) -> Self {
        let by = |at: i32, from: i32, to: i32| at.saturating_add(to.saturating_sub(from));
        Self { first: Cell::new(by(self.first.x, from.x, to.x), by(self.first.y, from.y, to.y)), ..self }
    }

    /// The part that is on a map of `size`; `None` if there is none.
    pub fn on_map(self, size: Size) -> Option<Self> {
        self.overlap(Self::of_map(size))
    }

    /// The cells that are in both rectangles; `None` if there are none.
    pub fn overlap(self, other: Self) -> Option<Self> {
        let last = self.last();
        let other_last = other.last();
        let first = Cell::new(self.first.x.max(other.first.x), self.first.y.max(other.first.y));
        let last = Cell::new(last.x.min(other_last.x), last.y.min(other_last.y));
        (first.x <= last.x && first.y <= last.y).then(|| Self::between(first, last))
    }

    /// The smallest rectangle around two rectangles that are on a map.
    pub(crate) fn around(self, other: Self) -> Self {
        let last = self.last();
        let other_last = other.last();
        let first = Cell::new(self.first.x.min(other.first.x), self.first.y.min(other.first.y));
        Self::between(first, Cell::new(last.x.max(other_last.x), last.y.max(other_last.y)))
    }

    /// The rectangle extended by `reach` columns and rows on every side.
    #[must_use]
    pub fn grown(self, reach: i32) -> Self {
        let first = self.first;
        let last = self.last();
        Self::between(Cell::new(first.x - reach, first.y - reach), Cell::new(last.x + reach, last.y + reach))
    }

    /// The rectangle without `reach` columns and rows on every side; `None` if nothing is left.
    #[must_use]
    pub fn inset(self, reach: i32) -> Option<Self> {
        let first = self.first;
        let last = self.last();
        let first = Cell::new(first.x + reach, first.y + reach);
        let last = Cell::new(last.x - reach, last.y - reach);
        (first.x <= last.x && first.y <= last.y).then(|| Self::between(first, last))
    }

    /// The cells along its sides, row by row.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_map::Area;
    /// let area = Area::new(Cell::new(2, 1), Size::new(4, 3));
    /// assert_eq!((area.rim().count(), area.middle()), (10, Cell::new(4, 2)));
    /// ```
    pub fn rim(self) -> impl Iterator<Item = Cell> {
        let inner = self.inset(1);
        self.cells().filter(move |&cell| inner.is_none_or(|inner| !inner.contains(cell)))
    }

    /// The cell in the middle; of two or four such cells, the south-eastern one.
    pub fn middle(self) -> Cell {
        self.first + (self.size.width as i32 / 2, self.size.height as i32 / 2)
    }

    pub(super) fn columns(self) -> Range<i32> {
        self.first.x..self.last().x + 1
    }

    pub(super) fn rows(self) -> Range<i32> {
        self.first.y..self.last().y + 1
    }

    /// The sides of the rectangle.
    pub fn border(self) -> [Side; 4] {
        let [left, top] = [self.first.x, self.first.y].map(|at| f64::from(at) - 0.5);
        let right = left + f64::from(self.size.width);
        let bottom = top + f64::from(self.size.height);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        [0, 1, 2, 3].map(|side| [corners[side], corners[(side + 1) % 4]])
    }

    /// Iterates over the cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let first = self.first;
        self.size.cells().map(move |cell| Cell::new(cell.x + first.x, cell.y + first.y))
    }
}
