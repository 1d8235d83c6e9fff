//! The cells around a cell.

use super::{Cell, Size};

impl Cell {
    /// The cells beside a building of that size whose north-western cell is this one: clockwise from the cell at its
    /// north-western corner, corners included.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// let around: Vec<_> = Cell::new(3, 4).around(Size::new(2, 1)).collect();
    /// assert_eq!(around.len(), 10);
    /// assert_eq!(around[..4], [Cell::new(2, 3), Cell::new(3, 3), Cell::new(4, 3), Cell::new(5, 3)]);
    /// ```
    pub fn around(self, size: Size) -> impl Iterator<Item = Self> {
        let (width, height) = (size.width as i32, size.height as i32);
        let north = (-1..width).map(|dx| (dx, -1));
        let east = (-1..height).map(move |dy| (width, dy));
        let south = (0..=width).rev().map(move |dx| (dx, height));
        let west = (0..=height).rev().map(|dy| (-1, dy));
        north.chain(east).chain(south).chain(west).map(move |offset| self + offset)
    }

    /// The cells in which an agent of `side` x `side` cells stands beside an agent or a building of `of_side` x `of_side`
    /// cells in this one, corners included. A square is in its north-western cell.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// let beside: Vec<_> = Cell::new(5, 5).places_beside(1, 2).collect();
    /// assert_eq!(beside.len(), 12);
    /// assert!(beside.contains(&Cell::new(3, 5)) && !beside.contains(&Cell::new(4, 5)), "two columns to the west");
    /// ```
    pub fn places_beside(self, of_side: u32, side: u32) -> impl Iterator<Item = Self> {
        let corner = self + (1 - side as i32, 1 - side as i32);
        let reach = (of_side + side).saturating_sub(1);
        corner.around(Size::new(reach, reach))
    }
}
