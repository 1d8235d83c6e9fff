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
    /// Hexagons, moved like the diamonds of a staggered map, with two sides of this length in pixels that run along the
    /// rows or columns that are moved. They have the same neighbours as the cells of a larger map with six moves.
    Hexagonal(Stagger, u32),
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
    /// How the cells are moved, if every second row or column is, and the length of the sides of hexagons.
    fn stagger(self) -> Option<(Stagger, u32)> {
        match self {
            Self::Orthogonal | Self::Isometric => None,
            Self::Staggered(stagger) => Some((stagger, 0)),
            Self::Hexagonal(stagger, side) => Some((stagger, side)),
        }
    }

    /// Whether the map is seen from above, so that a layer cannot be raised.
    pub fn is_seen_from_above(self) -> bool {
        matches!(self, Self::Orthogonal | Self::Hexagonal(..))
    }

    /// Converts a position in Tiled to columns and rows of a grid in which neighbours are one column or row apart, or of
    /// hexagons one of six moves.
    fn in_grid(self, tiled: Cell) -> Cell {
        let Some((stagger, _)) = self.stagger() else { return tiled };
        // In half tiles to the right and down. Their sum is even.
        let shift = i32::from(stagger.moves_even);
        let (right, down) = match stagger.moves_columns {
            true => (tiled.x + shift, 2 * tiled.y + stagger.half_tiles(tiled.x)),
            false => (2 * tiled.x + stagger.half_tiles(tiled.y), tiled.y + shift),
        };
        self.grid_of_halves(right, down)
    }

    /// The column and row of the grid for a number of half tiles to the right and down, whose sum is even.
    fn grid_of_halves(self, right: i32, down: i32) -> Cell {
        match self {
            Self::Hexagonal(stagger, _) if stagger.moves_columns => Cell::new(right, (down + right) / 2),
            Self::Hexagonal(..) => Cell::new((down + right) / 2, down),
            _ => Cell::new((down + right) / 2, (down - right) / 2),
        }
    }

    /// The inverse of [`in_grid`](Self::in_grid).
    fn in_tiled(self, grid: Cell) -> Cell {
        let Some((stagger, _)) = self.stagger() else { return grid };
        let (right, down) = match self {
            Self::Hexagonal(..) if stagger.moves_columns => (grid.x, 2 * grid.y - grid.x),
            Self::Hexagonal(..) => (2 * grid.x - grid.y, grid.y),
            _ => (grid.x - grid.y, grid.x + grid.y),
        };
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
        let whole = |number: f64| (number.fract() == 0.0).then(|| number.clamp(-MAX_MOVE, MAX_MOVE) as i32);
        if let Self::Hexagonal(stagger, side) = self {
            let pitch = pitch(stagger, side, tile);
            let (right, down) = match stagger.moves_columns {
                true => (x / pitch.0, 2.0 * down),
                false => (2.0 * across, y / pitch.1),
            };
            let (right, down) = whole(right).zip(whole(down)).filter(|(right, down)| (right + down) % 2 == 0)?;
            let Cell { x, y } = self.grid_of_halves(right, down);
            return Some((x, y));
        }
        let (columns, rows) = match self {
            Self::Orthogonal => (across, down),
            _ => (down + across, down - across),
        };
        whole(columns).zip(whole(rows))
    }

    /// The width and height of a cell in the pixels in which objects are placed.
    pub fn pixels_of_cell(self, tile: (f64, f64)) -> (f64, f64) {
        // The objects of an isometric map have the axes of its columns and rows.
        if self == Self::Isometric { (tile.1, tile.1) } else { tile }
    }

    /// Converts a vector in the pixels in which objects are placed to pixels of the screen.
    pub fn on_screen(self, (x, y): (f64, f64), tile: (f64, f64)) -> (f64, f64) {
        match self {
            Self::Isometric => ((x - y) * tile.0 / tile.1 / 2.0, (x + y) / 2.0),
            _ => (x, y),
        }
    }

    /// The inverse of [`on_screen`](Self::on_screen).
    pub fn of_screen(self, (x, y): (f64, f64), tile: (f64, f64)) -> (f64, f64) {
        match self {
            Self::Isometric => (y + x * tile.1 / tile.0, y - x * tile.1 / tile.0),
            _ => (x, y),
        }
    }

    /// Tiled's column and row at a place, in the pixels of objects, that is moved by `offset`, in pixels of the screen, in
    /// a map with tiles of this size.
    pub fn position(self, place: (f64, f64), offset: (f64, f64), tile: (f64, f64)) -> Cell {
        let whole = |number: f64| number.floor().clamp(-MAX_MOVE, MAX_MOVE) as i32;
        let on_screen = (place.0 + offset.0, place.1 + offset.1);
        let Some((stagger, side)) = self.stagger() else {
            let (across, down) = (offset.0 / tile.0, offset.1 / tile.1);
            return match self {
                Self::Isometric => {
                    Cell::new(whole(place.0 / tile.1 + down + across), whole(place.1 / tile.1 + down - across))
                }
                _ => Cell::new(whole(on_screen.0 / tile.0), whole(on_screen.1 / tile.1)),
            };
        };
        let pitch = pitch(stagger, side, tile);
        let near = Cell::new(whole(on_screen.0 / pitch.0), whole(on_screen.1 / pitch.1));
        // The distance from the centre of a cell, in which its outline is a circle, as nearly as it is one.
        let distance = |cell: Cell| {
            let half_tiles = f64::from(stagger.half_tiles(if stagger.moves_columns { cell.x } else { cell.y }));
            let moved = if stagger.moves_columns { (0.0, tile.1 / 2.0) } else { (tile.0 / 2.0, 0.0) };
            let across = f64::from(cell.x) * pitch.0 + moved.0 * half_tiles + tile.0 / 2.0 - on_screen.0;
            let down = f64::from(cell.y) * pitch.1 + moved.1 * half_tiles + tile.1 / 2.0 - on_screen.1;
            match self {
                Self::Hexagonal(..) => across * across + down * down,
                _ => (across / tile.0).abs() + (down / tile.1).abs(),
            }
        };
        let around = (-2..=1).flat_map(|x| (-2..=1).map(move |y| near + (x, y)));
        around.min_by(|&one, &other| distance(one).total_cmp(&distance(other))).unwrap_or(near)
    }
}

/// The distance from one column to the next and from one row to the next, in pixels of the screen, if every second one
/// is moved.
fn pitch(stagger: Stagger, side: u32, tile: (f64, f64)) -> (f64, f64) {
    match stagger.moves_columns {
        true => ((tile.0 + f64::from(side)) / 2.0, tile.1),
        false => (tile.0, (tile.1 + f64::from(side)) / 2.0),
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
            // A quarter turn would give hexagons other neighbours.
            Arrangement::Orthogonal | Arrangement::Hexagonal(..) => MapOrientation::Orthogonal(in_grid),
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

    /// Whether the map in Tiled has this cell. If it is staggered or hexagonal, the corners of our map are outside.
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

    /// All ways to move every second row or column.
    fn staggers() -> impl Iterator<Item = Stagger> {
        let both = [false, true];
        both.into_iter().flat_map(move |moves_columns| {
            both.into_iter().map(move |moves_even| Stagger { moves_columns, moves_even })
        })
    }

    /// The centre of a cell of Tiled in pixels, if every second row or column is moved.
    fn centre(tiled: Cell, stagger: Stagger, side: f64, (width, height): (f64, f64)) -> (f64, f64) {
        let (column, row) = (f64::from(tiled.x), f64::from(tiled.y));
        let is_moved = |number: i32| (number.rem_euclid(2) == 0) == stagger.moves_even;
        let (x, y) = match stagger.moves_columns {
            true => (column * (width + side) / 2.0, height * (row + if is_moved(tiled.x) { 0.5 } else { 0.0 })),
            false => (width * (column + if is_moved(tiled.y) { 0.5 } else { 0.0 }), row * (height + side) / 2.0),
        };
        (x + width / 2.0, y + height / 2.0)
    }

    #[test]
    fn hexagons_that_touch_are_one_of_six_moves_apart() {
        // Regular hexagons, so that touching ones are those whose centres are nearest.
        let (long, short) = (40.0, 40.0 * 0.75_f64.sqrt());
        for stagger in staggers() {
            let (side, tile) = (20, if stagger.moves_columns { (long, short) } else { (short, long) });
            let arrangement = Arrangement::Hexagonal(stagger, side);
            let (first, size) = (Cell::new(-3, -2), Size::new(4, 5));
            let frame = Frame::new(arrangement, first, size);
            let cells = || size.cells().map(|cell| first + (cell.x, cell.y));
            for (one, other) in cells().flat_map(|one| cells().map(move |other| (one, other))) {
                let [a, b] = [one, other].map(|cell| centre(cell, stagger, side.into(), tile));
                let touch = ((a.0 - b.0).hypot(a.1 - b.1) - short).abs() < 0.1;
                let [a, b] = [one, other].map(|cell| frame.cell_at(cell).unwrap());
                let is_move = [(1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1)].contains(&(a.x - b.x, a.y - b.y));
                assert_eq!(touch, is_move, "{stagger:?} {one} {other}");
                assert_eq!(frame.tiled_position(a), one);
                // A layer that is moved from one cell to the other moves all cells alike.
                let [from, to] = [one, other].map(|cell| centre(cell, stagger, side.into(), (40.0, 40.0)));
                let moved = arrangement.cells_of_pixels((to.0 - from.0, to.1 - from.1), (40.0, 40.0));
                assert_eq!(arrangement.moved(one, moved.unwrap()), other, "{stagger:?}");
            }
            assert_eq!(frame.size().cells().filter(|&cell| frame.contains(cell)).count(), size.area());
        }
    }

    #[test]
    fn the_places_of_objects_are_those_of_the_cells_below_them() {
        let tile = (40.0, 30.0);
        let near = [(0.0, 0.0), (9.0, 0.0), (-9.0, 0.0), (0.0, 6.0), (0.0, -6.0)];
        for tiled in Size::new(5, 6).cells().map(|cell| cell + (-2, -3)) {
            let (column, row) = (f64::from(tiled.x), f64::from(tiled.y));
            let on_screen = |arrangement: Arrangement, place: (f64, f64)| {
                for (x, y) in near {
                    assert_eq!(arrangement.position(place, (x, y), tile), tiled, "{arrangement:?} {x},{y}");
                }
            };
            on_screen(Arrangement::Orthogonal, (40.0 * (column + 0.5), 30.0 * (row + 0.5)));
            on_screen(Arrangement::Isometric, (30.0 * (column + 0.5), 30.0 * (row + 0.5)));
            for stagger in staggers() {
                on_screen(Arrangement::Staggered(stagger), centre(tiled, stagger, 0.0, tile));
                on_screen(Arrangement::Hexagonal(stagger, 14), centre(tiled, stagger, 14.0, tile));
            }
        }
    }
}
