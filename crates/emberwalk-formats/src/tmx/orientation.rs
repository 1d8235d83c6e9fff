//! How Tiled's columns and rows relate to the cells of a map.

use emberwalk_path::grid::{Cell, Size};

/// The maximum distance by which a layer is moved, in cells. No map is as large, so its tiles are outside anyway.
const MAX_MOVE: f64 = (1 << 22) as f64;

/// How Tiled arranges the cells of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// Columns and rows of rectangles.
    #[default]
    Orthogonal,
    /// Columns and rows of diamonds: a column further is half a tile to the right and half a tile down, a row further
    /// half a tile to the left and half a tile down.
    Isometric,
    /// Diamonds, with every second row half a tile further right, or every second column half a tile further down. They
    /// have the same neighbours as the diamonds of an isometric map that is larger.
    Staggered(Stagger),
}

/// Which cells of a staggered map are moved by half a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stagger {
    /// Whether columns are moved down. Otherwise rows are moved to the right.
    pub moves_columns: bool,
    /// Whether those with an even number are moved. Otherwise those with an odd number are.
    pub moves_even: bool,
}

impl Stagger {
    /// 1 if the row or column with this number is moved, otherwise 0.
    fn half_tiles(self, number: i32) -> i32 {
        number.rem_euclid(2) ^ i32::from(self.moves_even)
    }
}

impl Arrangement {
    /// Converts a position in Tiled to columns and rows of a grid in which neighbours are one column or row apart.
    fn in_grid(self, tiled: Cell) -> Cell {
        let Self::Staggered(stagger) = self else { return tiled };
        // In half tiles to the right and down. The cells that are not moved have an even sum.
        let shift = i32::from(stagger.moves_even);
        let (right, down) = match stagger.moves_columns {
            true => (tiled.x + shift, 2 * tiled.y + stagger.half_tiles(tiled.x)),
            false => (2 * tiled.x + stagger.half_tiles(tiled.y), tiled.y + shift),
        };
        Cell::new((down + right) / 2, (down - right) / 2)
    }

    /// The inverse of [`in_grid`](Self::in_grid).
    fn in_tiled(self, grid: Cell) -> Cell {
        let Self::Staggered(stagger) = self else { return grid };
        let (right, down) = (grid.x - grid.y, grid.x + grid.y);
        let shift = i32::from(stagger.moves_even);
        if stagger.moves_columns {
            let column = right - shift;
            Cell::new(column, (down - stagger.half_tiles(column)) / 2)
        } else {
            let row = down - shift;
            Cell::new((right - stagger.half_tiles(row)) / 2, row)
        }
    }

    /// The position in Tiled that is this many columns and rows of the grid further.
    pub fn moved(self, tiled: Cell, (columns, rows): (i32, i32)) -> Cell {
        self.in_tiled(self.in_grid(tiled) + (columns, rows))
    }

    /// The columns and rows of the grid that correspond to this many pixels in a map with tiles of this size; `None` if
    /// they are not whole numbers. More than [`MAX_MOVE`] is shortened.
    pub fn cells_of_pixels(self, (x, y): (f64, f64), tile: (f64, f64)) -> Option<(i32, i32)> {
        if (x, y) == (0.0, 0.0) {
            return Some((0, 0));
        }
        let (across, down) = (x / tile.0, y / tile.1);
        let (columns, rows) = match self {
            Self::Orthogonal => (across, down),
            Self::Isometric | Self::Staggered(_) => (down + across, down - across),
        };
        let whole = |number: f64| (number.fract() == 0.0).then(|| number.clamp(-MAX_MOVE, MAX_MOVE) as i32);
        whole(columns).zip(whole(rows))
    }
}

/// Where a map is in Tiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    arrangement: Arrangement,
    /// Tiled's column and row of the first cell.
    first: Cell,
    /// The number of columns and rows in Tiled.
    size: Size,
    /// The first column and row in the grid of the arrangement.
    first_in_grid: Cell,
    orientation: MapOrientation,
}

impl Frame {
    /// The frame of the map that has these columns and rows in Tiled. The size is at least 1 x 1, and `first` is near the
    /// origin.
    pub fn new(arrangement: Arrangement, first: Cell, size: Size) -> Self {
        let (last_column, last_row) = (size.width as i32 - 1, size.height as i32 - 1);
        // The outermost cells of the grid are among the two outermost rows and columns.
        let columns = [0, 1.min(last_column), 0.max(last_column - 1), last_column];
        let rows = [0, 1.min(last_row), 0.max(last_row - 1), last_row];
        let cells = || {
            let cells = columns.iter().flat_map(|&x| rows.iter().map(move |&y| first + (x, y)));
            cells.map(|cell| arrangement.in_grid(cell))
        };
        let least = |of: fn(Cell) -> i32| cells().map(of).min().unwrap_or(0);
        let most = |of: fn(Cell) -> i32| cells().map(of).max().unwrap_or(0);
        let first_in_grid = Cell::new(least(|cell| cell.x), least(|cell| cell.y));
        let (width, height) = (most(|cell| cell.x) - first_in_grid.x + 1, most(|cell| cell.y) - first_in_grid.y + 1);
        let in_grid = Size::new(width as u32, height as u32);
        let orientation = match arrangement {
            Arrangement::Orthogonal => MapOrientation::Orthogonal(in_grid),
            Arrangement::Isometric | Arrangement::Staggered(_) => MapOrientation::Isometric(in_grid),
        };
        Self { arrangement, first, size, first_in_grid, orientation }
    }

    /// The size of our map.
    pub fn size(&self) -> Size {
        self.orientation.size()
    }

    /// The cell at Tiled's column and row; `None` if it is outside the map.
    pub fn cell_at(&self, tiled: Cell) -> Option<Cell> {
        self.is_inside(tiled).then(|| {
            let grid = self.arrangement.in_grid(tiled);
            self.orientation.cell_at(grid + (-self.first_in_grid.x, -self.first_in_grid.y))
        })
    }

    /// Tiled's column and row of a cell.
    pub fn tiled_position(&self, cell: Cell) -> Cell {
        let grid = self.orientation.tiled_position(cell) + (self.first_in_grid.x, self.first_in_grid.y);
        self.arrangement.in_tiled(grid)
    }

    /// Whether the map in Tiled has this cell. If it is staggered, the corners of our map are outside.
    pub fn contains(&self, cell: Cell) -> bool {
        self.is_inside(self.tiled_position(cell))
    }

    fn is_inside(&self, tiled: Cell) -> bool {
        self.size.contains(tiled + (-self.first.x, -self.first.y))
    }
}

/// How a map is drawn in Tiled, with its size in Tiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MapOrientation {
    /// Seen from above, with north at the top: columns and rows are the same as ours.
    Orthogonal(Size),
    /// Isometric: rotated by a quarter turn against ours, so that it looks the same on both screens.
    Isometric(Size),
}

impl MapOrientation {
    /// The size of our map.
    pub fn size(self) -> Size {
        match self {
            Self::Orthogonal(size) => size,
            Self::Isometric(size) => Size::new(size.height, size.width),
        }
    }

    /// Tiled's column and row of a cell.
    pub fn tiled_position(self, cell: Cell) -> Cell {
        match self {
            Self::Orthogonal(_) => cell,
            Self::Isometric(size) => Cell::new(cell.y, size.height as i32 - 1 - cell.x),
        }
    }

    /// The cell at Tiled's column and row.
    pub fn cell_at(self, tiled: Cell) -> Cell {
        match self {
            Self::Orthogonal(_) => tiled,
            Self::Isometric(size) => Cell::new(size.height as i32 - 1 - tiled.y, tiled.x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::terrain::TileMetrics;
    use emberwalk_picture::iso::Projection;

    #[test]
    fn an_isometric_map_looks_the_same_in_tiled() {
        let size = Size::new(5, 3);
        let isometric = MapOrientation::Isometric(size);
        let picture = Projection::new(isometric.size(), TileMetrics::CLASSIC);
        let (left, top) = picture.corner(isometric.cell_at(Cell::new(0, 0)));
        for tiled in size.cells() {
            let cell = isometric.cell_at(tiled);
            assert!(isometric.size().contains(cell));
            assert_eq!(isometric.tiled_position(cell), tiled);
            // Tiled draws each column half a step to the right, each row half a step to the left, and both further
            // down.
            let (x, y) = picture.corner(cell);
            assert_eq!((x - left, y - top), (26 * (tiled.x - tiled.y), 13 * (tiled.x + tiled.y)));
            assert_eq!(MapOrientation::Orthogonal(size).cell_at(tiled), tiled);
        }
    }

    #[test]
    fn a_staggered_map_looks_the_same_in_tiled() {
        for (moves_columns, moves_even) in [(false, false), (false, true), (true, false), (true, true)] {
            let stagger = Stagger { moves_columns, moves_even };
            let (first, size) = (Cell::new(-3, -2), Size::new(4, 5));
            let frame = Frame::new(Arrangement::Staggered(stagger), first, size);
            let picture = Projection::new(frame.size(), TileMetrics::CLASSIC);
            let place = |tiled: Cell| {
                let moved = |number: i32| i32::from((number.rem_euclid(2) == 0) == moves_even);
                match moves_columns {
                    true => (26 * tiled.x, 26 * tiled.y + 13 * moved(tiled.x)),
                    false => (52 * tiled.x + 26 * moved(tiled.y), 13 * tiled.y),
                }
            };
            let corner = |tiled| picture.corner(frame.cell_at(tiled).unwrap());
            let (left, top) = corner(first);
            for tiled in size.cells().map(|cell| first + (cell.x, cell.y)) {
                assert_eq!(frame.tiled_position(frame.cell_at(tiled).unwrap()), tiled);
                let ((x, y), (x0, y0)) = (place(tiled), place(first));
                let (px, py) = corner(tiled);
                assert_eq!((px - left, py - top), (x - x0, y - y0), "{stagger:?} {tiled}");
            }
            assert_eq!(frame.cell_at(first + (4, 0)), None);
            let inside = frame.size().cells().filter(|&cell| frame.contains(cell)).count();
            assert_eq!(inside, size.area(), "{stagger:?}");
        }
    }
}
