//! Cell to pixel, pixel to cell, and the order of drawing.
//!
//! A point of a map's picture is measured in pixels from its top left corner, `x` to the right and `y` down; the
//! centre of the pixel in column `i` and row `j` is the point `(i + 0.5, j + 0.5)`.

mod depth;

pub use depth::Depth;

use crate::grid::{Cell, Size};

/// How far apart the images of neighbouring cells of a diagonal stand, in pixels: the width and height of a cell's
/// diamond.
pub const STEP: (i32, i32) = (52, 26);

/// Width and height of a tile image, in pixels. Its diamond is a pixel larger on every side than the cell's own, so that
/// no gap shows.
pub const TILE: i32 = 54;

/// The centre of the ground in a tile image, as a point.
pub const GROUND: (i32, i32) = (27, 40);

/// Where the box of the ground that is drawn begins in a tile image, in pixels: a diamond a pixel larger on every side
/// than the cell's own.
pub const DIAMOND: (i32, i32) = (GROUND.0 - DIAMOND_SIZE.0 / 2, GROUND.1 - DIAMOND_SIZE.1 / 2);

/// Width and height of the ground that is drawn, in pixels.
pub const DIAMOND_SIZE: (i32, i32) = (STEP.0 + 2, STEP.1 + 2);

/// Where the cells of a map of a given size stand in its picture.
///
/// ```
/// use emberwalk::grid::{Cell, Size};
/// use emberwalk::iso::Projection;
///
/// let map = Projection::new(Size::new(10, 10));
/// assert_eq!(map.picture(), (522, 288));
/// assert_eq!(map.corner(Cell::new(9, 0)), (234, 0));
/// assert_eq!(map.cell_at((261.5, 40.5)), Some(Cell::new(9, 0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    size: Size,
}

impl Projection {
    /// The projection of a map of `size` cells.
    pub const fn new(size: Size) -> Self {
        Self { size }
    }

    /// Columns and rows of the map.
    pub const fn size(self) -> Size {
        self.size
    }

    /// Width and height of the map's picture without margin, in pixels.
    pub const fn picture(self) -> (u32, u32) {
        let steps = self.size.width + self.size.height - 2;
        (26 * steps + TILE as u32, 13 * steps + TILE as u32)
    }

    /// The top left corner of the tile image of `cell`, in pixels.
    pub const fn corner(self, cell: Cell) -> (i32, i32) {
        (26 * (cell.x + cell.y), 13 * (cell.y - cell.x) + self.top())
    }

    /// The point in the middle of the ground of `cell`.
    pub const fn centre(self, cell: Cell) -> (i32, i32) {
        let (x, y) = self.corner(cell);
        (x + GROUND.0, y + GROUND.1)
    }

    /// The top left corner of the tile image of something whose feet stand between cells, on the nearest whole pixel
    /// (halves go right and down). A whole number of cells gives the [`corner`](Self::corner) of that cell.
    pub fn corner_at(self, (x, y): (f64, f64)) -> (i32, i32) {
        let nearest = |pixels: f64| (pixels + 0.5).floor() as i32;
        (nearest(26.0 * (x + y)), nearest(13.0 * (y - x)) + self.top())
    }

    /// Columns and rows, from the middle of cell 0,0, of the ground under a point. The inverse of [`centre`](Self::centre).
    pub fn ground_at(self, point: (f64, f64)) -> (f64, f64) {
        let (east, south) = self.past_west_corner(point);
        (east / 52.0 - 0.5, south / 52.0 - 0.5)
    }

    /// The cell whose 52 x 26 diamond holds the point; `None` off the map.
    ///
    /// The upper left and lower left edges of a diamond belong to it, the right ones to its neighbours. A point is given
    /// to exactly one cell, however near to an edge it lies.
    pub fn cell_at(self, point: (f64, f64)) -> Option<Cell> {
        self.cell_under(point).filter(|cell| self.size.contains(*cell))
    }

    /// The cell whose diamond would hold the point if the map had no end; `None` where cells cannot be counted.
    pub fn cell_under(self, point: (f64, f64)) -> Option<Cell> {
        let (east, south) = self.past_west_corner(point);
        Some(Cell::new(fifty_seconds(east)?, fifty_seconds(south)?))
    }

    /// Every cell in the order of drawing: by `y - x`, then by `x`.
    pub fn back_to_front(self) -> impl Iterator<Item = Cell> {
        let (width, height) = (self.size.width as i32, self.size.height as i32);
        (1 - width..height).flat_map(move |nearness| {
            let (first, last) = self.diagonal(nearness);
            (first..=last).map(move |x| Cell::new(x, x + nearness))
        })
    }

    const fn top(self) -> i32 {
        13 * (self.size.width as i32 - 1)
    }

    /// 52 times the columns and rows of a point from the corner of cell 0,0 that is furthest west on the ground: whole
    /// and half pixels stay exact.
    fn past_west_corner(self, (x, y): (f64, f64)) -> (f64, f64) {
        let across = x - f64::from(GROUND.0) + 26.0;
        let down = 2.0 * (y - f64::from(GROUND.1 + self.top()));
        (across - down, across + down)
    }

    /// The first and last column on a diagonal of cells with the same `y - x`.
    fn diagonal(self, nearness: i32) -> (i32, i32) {
        let (width, height) = (self.size.width as i32, self.size.height as i32);
        (0.max(-nearness), (width - 1).min(height - 1 - nearness))
    }
}

/// The top left corner of an image of another size than a tile, whose bottom edge and upright middle line stand where
/// those of the tile image at `corner` would.
pub const fn stand((x, y): (i32, i32), (width, height): (u32, u32)) -> (i32, i32) {
    (x + (TILE - width as i32) / 2, y + TILE - height as i32)
}

/// The marks of a route on the ground: where each stands, in columns and rows, and which step of the route (from 0) it
/// belongs to. Two on a straight step and three on a diagonal one, equally far apart.
pub fn route_marks(route: &[Cell]) -> impl Iterator<Item = (usize, (f64, f64))> {
    route.windows(2).enumerate().flat_map(|(step, ends)| {
        let (dx, dy) = ends[1] - ends[0];
        let marks = if dx != 0 && dy != 0 { 3 } else { 2 };
        let from = (f64::from(ends[0].x), f64::from(ends[0].y));
        (0..marks).map(move |mark| {
            let part = (f64::from(mark) + 0.5) / f64::from(marks);
            (step, (from.0 + f64::from(dx) * part, from.1 + f64::from(dy) * part))
        })
    })
}

/// How many whole times 52 goes into `value`, rounded down.
///
/// Exact: the last number before `52 * k` lies more than half a step of a float below `k` when divided, because 52 is
/// less than twice 32, so that the quotient never rounds up to `k`.
fn fifty_seconds(value: f64) -> Option<i32> {
    let times = (value / 52.0).floor();
    (times.abs() < f64::from(i32::MAX)).then_some(times as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [Size; 6] =
        [Size::new(1, 1), Size::new(1, 7), Size::new(6, 1), Size::new(5, 9), Size::new(9, 4), Size::new(7, 7)];

    #[test]
    fn every_pixel_picks_the_cell_whose_diamond_holds_it() {
        for size in SIZES {
            let map = Projection::new(size);
            let (width, height) = map.picture();
            let mut pixels = vec![0; size.area()];
            for (j, i) in (-60..height as i32 + 60).flat_map(|j| (-60..width as i32 + 60).map(move |i| (j, i))) {
                let point = (f64::from(i) + 0.5, f64::from(j) + 0.5);
                let holds = |cell: &Cell| {
                    let (x, y) = map.centre(*cell);
                    (point.0 - f64::from(x)).abs() + 2.0 * (point.1 - f64::from(y)).abs() < 26.0
                };
                let picked = map.cell_at(point);
                assert_eq!(picked, size.cells().find(holds), "{size} at {point:?}");
                if let Some(cell) = picked {
                    pixels[size.index(cell).unwrap()] += 1;
                }
            }
            assert!(pixels.iter().all(|count| *count == 26 * 26), "each diamond has the area of its cell: {size}");
        }
    }

    #[test]
    fn an_edge_belongs_to_one_cell() {
        let map = Projection::new(Size::new(3, 3));
        let (x, y) = map.centre(Cell::new(1, 1));
        let at = |dx: f64, dy: f64| map.cell_at((f64::from(x) + dx, f64::from(y) + dy));
        let middle = Some(Cell::new(1, 1));
        assert_eq!([at(-26.0, 0.0), at(-13.0, -6.5), at(-13.0, 6.5)], [middle; 3]);
        assert_eq!(at(13.0, -6.5), Some(Cell::new(2, 1)), "the upper right edge is the eastern neighbour's");
        assert_eq!(at(13.0, 6.5), Some(Cell::new(1, 2)), "the lower right edge is the southern neighbour's");
        assert_eq!(at(26.0, 0.0), Some(Cell::new(2, 2)));
        assert_eq!(at(26.0 - 1e-9, 0.0), middle, "a hair before the corner");
    }

    #[test]
    fn no_hair_before_an_edge_is_over_it() {
        for times in 1..100_000 {
            let edge = f64::from(times) * 52.0;
            assert_eq!([fifty_seconds(edge.next_down()), fifty_seconds(edge)], [Some(times - 1), Some(times)]);
        }
    }

    #[test]
    fn points_far_off_or_not_numbers_pick_nothing() {
        let map = Projection::new(Size::new(4096, 4096));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300] {
            assert_eq!(map.cell_at((bad, 40.0)), None);
            assert_eq!(map.cell_at((40.0, bad)), None);
        }
        assert_eq!(map.cell_at((27.5, f64::from(40 + 13 * 4095) + 0.5)), Some(Cell::new(0, 0)));
    }

    #[test]
    fn corners_and_pictures_are_those_of_the_formula() {
        for size in SIZES {
            let map = Projection::new(size);
            let corners: Vec<_> = size.cells().map(|cell| map.corner(cell)).collect();
            let span = |pick: fn(&(i32, i32)) -> i32| {
                (corners.iter().map(pick).min().unwrap(), corners.iter().map(pick).max().unwrap())
            };
            let (width, height) = map.picture();
            assert_eq!(span(|corner| corner.0), (0, width as i32 - TILE));
            assert_eq!(span(|corner| corner.1), (0, height as i32 - TILE));
            for cell in size.cells() {
                let (x, y) = map.centre(cell);
                let (x, y) = (f64::from(x), f64::from(y));
                assert_eq!(map.cell_at((x, y)), Some(cell));
                assert_eq!(map.ground_at((x, y)), (f64::from(cell.x), f64::from(cell.y)));
                assert_eq!(map.corner_at(map.ground_at((x, y))), map.corner(cell));
            }
        }
    }

    #[test]
    fn feet_half_way_stand_half_way() {
        let map = Projection::new(Size::new(4, 4));
        let (x, y) = map.corner(Cell::new(1, 2));
        assert_eq!(map.corner_at((1.5, 2.0)), (x + 13, y - 6));
        assert_eq!(map.corner_at((1.5, 2.5)), (x + 26, y));
        assert_eq!(map.corner_at((1.5, 1.5)), (x, y - 13));
    }

    #[test]
    fn large_images_stand_on_the_same_bottom_and_middle() {
        assert_eq!(stand((100, 200), (54, 54)), (100, 200));
        assert_eq!(stand((100, 200), (108, 120)), (73, 134));
        assert_eq!(stand((100, 200), (20, 30)), (117, 224));
    }

    #[test]
    fn marks_are_spread_evenly_over_a_step() {
        let route = [Cell::new(1, 1), Cell::new(2, 1), Cell::new(3, 0)];
        let marks: Vec<_> = route_marks(&route).collect();
        assert_eq!(marks.len(), 5);
        assert_eq!(marks[..2], [(0, (1.25, 1.0)), (0, (1.75, 1.0))]);
        assert_eq!(marks[3], (1, (2.5, 0.5)));
        assert_eq!(route_marks(&route[..1]).count(), 0);
    }
}
