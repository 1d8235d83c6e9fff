//! Converts between cells and the pixels of a map's picture.

use std::ops::Range;

use emberwalk_map::terrain::TileMetrics;
use emberwalk_path::grid::{Cell, Direction, Size};

/// Where the cells of a map are in its picture.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_picture::iso::Projection;
/// use emberwalk_map::terrain::TileMetrics;
///
/// let map = Projection::new(Size::new(10, 10), TileMetrics::CLASSIC);
/// assert_eq!(map.picture_size(), (522, 288));
/// assert_eq!(map.corner(Cell::new(9, 0)), (234, 0));
/// assert_eq!(map.cell_at((261.5, 40.5)), Some(Cell::new(9, 0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    pub(super) size: Size,
    tile: TileMetrics,
    /// The height of the highest level of the map, in pixels.
    headroom: i32,
    /// The height of the plane on which cells lie, in pixels.
    height: i32,
}

impl Projection {
    /// Makes the projection of a flat map of `size` cells that is drawn with these tiles.
    pub const fn new(size: Size, tile: TileMetrics) -> Self {
        Self { size, tile, headroom: 0, height: 0 }
    }

    /// The projection for a map whose highest level is `top`. The picture is higher; cells are still placed at level 0.
    #[must_use]
    pub const fn with_top(self, top: u8) -> Self {
        Self { headroom: self.tile.level() * top as i32, ..self }
    }

    /// The projection with all cells at the given level.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_picture::iso::Projection;
    /// use emberwalk_map::terrain::TileMetrics;
    /// let map = Projection::new(Size::new(3, 3), TileMetrics::CLASSIC).with_top(5);
    /// assert_eq!(map.at_level(5).corner(Cell::new(2, 0)), (52, 0), "the highest cell is at the upper edge of the picture");
    /// assert_eq!(map.at_level(4).corner(Cell::new(2, 0)), (52, 12));
    /// ```
    #[must_use]
    pub const fn at_level(self, level: u8) -> Self {
        Self { height: self.tile.level() * level as i32, ..self }
    }

    /// The height of the highest level of the map, in pixels.
    pub const fn headroom(self) -> i32 {
        self.headroom
    }

    /// The number of columns and rows of the map.
    pub const fn size(self) -> Size {
        self.size
    }

    /// The metrics of the tiles.
    pub const fn tile(self) -> TileMetrics {
        self.tile
    }

    /// The width and height of the map's picture without margin, in pixels.
    pub const fn picture_size(self) -> (u32, u32) {
        let steps = self.size.width + self.size.height - 2;
        let (across, down) = self.tile.half_step();
        let (width, height) = self.tile.size();
        (across as u32 * steps + width, down as u32 * steps + height + self.headroom as u32)
    }

    /// The top left corner of the tile image of `cell`, in pixels.
    pub const fn corner(self, cell: Cell) -> (i32, i32) {
        let (across, down) = self.tile.half_step();
        (across * (cell.x + cell.y), down * (cell.y - cell.x) + self.top())
    }

    /// The point in the centre of the ground of `cell`.
    pub const fn centre(self, cell: Cell) -> (i32, i32) {
        let (x, y) = self.corner(cell);
        let (right, below) = self.tile.ground_centre();
        (x + right, y + below)
    }

    /// The top left corner of the tile image of something whose feet are at column `x` and row `y`, rounded to the
    /// nearest pixel (halves right and down). Whole numbers give the [`corner`](Self::corner) of that cell.
    pub fn corner_at(self, (x, y): (f64, f64)) -> (i32, i32) {
        let nearest = |pixels: f64| (pixels + 0.5).floor() as i32;
        let (across, down) = self.tile.half_step();
        (nearest(f64::from(across) * (x + y)), nearest(f64::from(down) * (y - x)) + self.top())
    }

    /// The position of the ground at a point, in columns and rows from the centre of cell 0,0. This is the
    /// inverse of [`centre`](Self::centre).
    pub fn position_at(self, point: (f64, f64)) -> (f64, f64) {
        let (east, south) = self.scaled_position(point, 1.0);
        let step = f64::from(self.tile.step().0);
        (east / step - 0.5, south / step - 0.5)
    }

    /// The cell whose diamond, with the size of a [step](TileMetrics::step), contains the point; `None` off the
    /// map.
    ///
    /// The upper left and lower left edges of a diamond belong to it, the right ones to its neighbours. Every point
    /// belongs to exactly one cell, however close to an edge it is.
    pub fn cell_at(self, point: (f64, f64)) -> Option<Cell> {
        self.cell_at_zoom(point, 1.0)
    }

    /// The cell at a point of the picture scaled by `zoom`.
    ///
    /// This is exact where dividing the point by the zoom would round it to the other side of an edge.
    pub fn cell_at_zoom(self, point: (f64, f64), zoom: f32) -> Option<Cell> {
        self.unbounded_cell_at_zoom(point, f64::from(zoom)).filter(|cell| self.size.contains(*cell))
    }

    /// The cell whose diamond would contain the point if the map were infinite; `None` where the coordinates of
    /// the cell would overflow, and for NaN.
    pub fn unbounded_cell_at(self, point: (f64, f64)) -> Option<Cell> {
        self.unbounded_cell_at_zoom(point, 1.0)
    }

    /// The cell whose diamond would contain the point of the picture scaled by `zoom` if the map were infinite.
    pub fn unbounded_cell_at_zoom(self, point: (f64, f64), zoom: f64) -> Option<Cell> {
        let (east, south) = self.scaled_position(point, zoom);
        let step = f64::from(self.tile.step().0) * zoom;
        Some(Cell::new(floor_divide(step, east)?, floor_divide(step, south)?))
    }

    /// Every cell in drawing order: by `y - x`, then by `x`.
    pub fn back_to_front(self) -> impl Iterator<Item = Cell> {
        (1 - self.size.width as i32..self.size.height as i32).flat_map(move |nearness| {
            let (first, last) = self.diagonal(nearness);
            (first..=last).map(move |x| Cell::new(x, x + nearness))
        })
    }

    /// The cells, on the map and off it, whose [corners](Self::corner) have an x in `columns` and a y in `rows`, in
    /// drawing order.
    pub fn cells_with_corners(
        self,
        columns: Range<i32>,
        rows: Range<i32>,
    ) -> impl DoubleEndedIterator<Item = Cell> + Clone {
        let (across, down) = self.tile.half_step();
        let steps = |from: i32, to: i32, step: i32| (from - 1).div_euclid(step) + 1..(to - 1).div_euclid(step) + 1;
        let sums = steps(columns.start, columns.end, across);
        let nearnesses = steps(rows.start - self.top(), rows.end - self.top(), down);
        nearnesses.flat_map(move |nearness| {
            let sums = sums.clone().filter(move |sum| (sum - nearness) % 2 == 0);
            sums.map(move |sum| Cell::new((sum - nearness) / 2, (sum + nearness) / 2))
        })
    }

    const fn top(self) -> i32 {
        self.tile.half_step().1 * (self.size.width as i32 - 1) + self.headroom - self.height
    }

    /// The side of `cell` at a point of the picture scaled by `zoom`, if its western and southern sides have these
    /// heights in pixels. The left and the upper edge of a side belong to it. This is as exact as
    /// [`cell_at_zoom`](Self::cell_at_zoom).
    pub fn side_at_zoom(self, cell: Cell, [west, south]: [i32; 2], point: (f64, f64), zoom: f64) -> Option<Direction> {
        let (east, down) = self.scaled_position(point, zoom);
        let step = f64::from(self.tile.step().0) * zoom;
        let left_edge = f64::from(cell.x) * step;
        let lower_edge = f64::from(cell.y + 1) * step;
        let from_middle = point.0 - f64::from(self.centre(cell).0) * zoom;
        let half = f64::from(self.tile.half_step().0) * zoom;
        let height = |pixels: i32| 2.0 * f64::from(pixels) * zoom;
        if (-half..0.0).contains(&from_middle) {
            (east <= left_edge && left_edge < east + height(west)).then_some(Direction::W)
        } else {
            let is_south = from_middle < half && lower_edge <= down && down - height(south) < lower_edge;
            (is_south && from_middle >= 0.0).then_some(Direction::S)
        }
    }

    /// The position of a point of the scaled picture, in columns and rows from the north-western corner of cell 0,0,
    /// multiplied by the scaled width of a step. This avoids a division, so that whole and half pixels stay exact; the
    /// product of a picture coordinate and an `f32` is exact in an `f64`.
    fn scaled_position(self, (x, y): (f64, f64), zoom: f64) -> (f64, f64) {
        let (right, below) = self.tile.ground_centre();
        let (half, _) = self.tile.half_step();
        let across = x - f64::from(right - half) * zoom;
        let down = 2.0 * (y - f64::from(below + self.top()) * zoom);
        (across - down, across + down)
    }

    /// The first and last column of the cells with `y - x` equal to `nearness`.
    pub(super) fn diagonal(self, nearness: i32) -> (i32, i32) {
        let width = self.size.width as i32;
        let height = self.size.height as i32;
        (0.max(-nearness), (width - 1).min(height - 1 - nearness))
    }
}

/// The positions of route marks on the ground, in columns and rows, each with the index of its step: two marks on a
/// straight step and three on a diagonal one, evenly spaced. The first mark after a sharp turn is left out if it would
/// overlap the last mark before the turn.
pub fn route_mark_positions(route: &[Cell]) -> impl Iterator<Item = (usize, (f64, f64))> {
    /// The minimum distance on the screen, in units of half a diamond's height. On a line straight up the screen, marks
    /// are two thirds apart.
    const MIN_DISTANCE: f64 = 0.66;
    let all = route.windows(2).enumerate().flat_map(|(step, ends)| {
        let (dx, dy) = ends[1] - ends[0];
        let marks = if ends[0].is_diagonal_to(ends[1]) { 3 } else { 2 };
        let from = (f64::from(ends[0].x), f64::from(ends[0].y));
        (0..marks).map(move |mark| {
            let part = (f64::from(mark) + 0.5) / f64::from(marks);
            (step, (from.0 + f64::from(dx) * part, from.1 + f64::from(dy) * part))
        })
    });
    let mut last: Option<(f64, f64)> = None;
    all.filter(move |(_, (x, y))| {
        let keep = last.is_none_or(|(last_x, last_y)| {
            let dx = x - last_x;
            let dy = y - last_y;
            (2.0 * (dx + dy)).hypot(dy - dx) > MIN_DISTANCE
        });
        if keep {
            last = Some((*x, *y));
        }
        keep
    })
}

/// `value / step`, rounded down.
///
/// This is exact where `step * k` is: the quotient of a `value` below `step * k` never rounds up to `k`. Even for the
/// largest such float, it is less than `k` by more than half a unit in the last place, because `step` is less than
/// twice the greatest power of two that does not exceed it.
fn floor_divide(step: f64, value: f64) -> Option<i32> {
    let times = (value / step).floor();
    (times.abs() < f64::from(i32::MAX)).then_some(times as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [Size; 6] =
        [Size::new(1, 1), Size::new(1, 7), Size::new(6, 1), Size::new(5, 9), Size::new(9, 4), Size::new(7, 7)];

    /// Tiles of several sizes: the classic one, others with an overlap, and others without.
    fn tiles() -> impl Iterator<Item = TileMetrics> {
        let sizes =
            [(54, 54), (16, 8), (18, 40), (32, 32), (58, 49), (64, 32), (64, 64), (96, 97), (128, 96), (256, 512)];
        sizes.into_iter().map(|(width, height)| TileMetrics::new(width, height).unwrap())
    }

    #[test]
    fn every_pixel_picks_the_cell_whose_diamond_contains_it() {
        for (size, tile) in SIZES.into_iter().flat_map(|size| tiles().take(8).map(move |tile| (size, tile))) {
            let map = Projection::new(size, tile);
            let half = map.tile().half_step().0;
            let (width, height) = map.picture_size();
            let mut pixels = vec![0; size.area()];
            for (j, i) in (-20..height as i32 + 20).flat_map(|j| (-20..width as i32 + 20).map(move |i| (j, i))) {
                let point = (f64::from(i) + 0.5, f64::from(j) + 0.5);
                let contains = |cell: &Cell| {
                    let (x, y) = map.centre(*cell);
                    (point.0 - f64::from(x)).abs() + 2.0 * (point.1 - f64::from(y)).abs() < f64::from(half)
                };
                let picked = map.cell_at(point);
                assert_eq!(picked, size.cells().find(contains), "{size} of {tile:?} at {point:?}");
                if let Some(cell) = picked {
                    pixels[size.index(cell).unwrap()] += 1;
                }
            }
            assert!(
                pixels.iter().all(|count| *count == half * half),
                "each has the area of its cell: {size}, {tile:?}"
            );
        }
    }

    #[test]
    fn an_edge_belongs_to_one_cell() {
        let map = Projection::new(Size::new(3, 3), TileMetrics::CLASSIC);
        let (x, y) = map.centre(Cell::new(1, 1));
        let at = |dx: f64, dy: f64| map.cell_at((f64::from(x) + dx, f64::from(y) + dy));
        let middle = Some(Cell::new(1, 1));
        assert_eq!([at(-26.0, 0.0), at(-13.0, -6.5), at(-13.0, 6.5)], [middle; 3]);
        assert_eq!(at(13.0, -6.5), Some(Cell::new(2, 1)), "the upper right edge is the eastern neighbour's");
        assert_eq!(at(13.0, 6.5), Some(Cell::new(1, 2)), "the lower right edge is the southern neighbour's");
        assert_eq!(at(26.0, 0.0), Some(Cell::new(2, 2)));
        assert_eq!(at(26.0 - 1e-9, 0.0), middle, "just before the corner");
    }

    #[test]
    fn a_point_just_before_an_edge_is_not_over_it() {
        for (times, step) in (1..100_000).flat_map(|times| tiles().map(move |tile| (times, tile.step().0))) {
            let edge = f64::from(times) * f64::from(step);
            let step = f64::from(step);
            let before = floor_divide(step, edge.next_down());
            assert_eq!([before, floor_divide(step, edge)], [Some(times - 1), Some(times)], "{step}");
        }
    }

    #[test]
    fn points_far_away_and_nan_pick_nothing() {
        let map = Projection::new(Size::new(4096, 4096), TileMetrics::CLASSIC);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300] {
            assert_eq!(map.cell_at((bad, 40.0)), None);
            assert_eq!(map.cell_at((40.0, bad)), None);
        }
        assert_eq!(map.cell_at((27.5, f64::from(40 + 13 * 4095) + 0.5)), Some(Cell::new(0, 0)));
    }

    #[test]
    fn corners_and_picture_sizes_follow_the_formula() {
        for (size, tile) in SIZES.into_iter().flat_map(|size| tiles().map(move |tile| (size, tile))) {
            let map = Projection::new(size, tile);
            let corners: Vec<_> = size.cells().map(|cell| map.corner(cell)).collect();
            let span = |pick: fn(&(i32, i32)) -> i32| {
                (corners.iter().map(pick).min().unwrap(), corners.iter().map(pick).max().unwrap())
            };
            let (width, height) = map.picture_size();
            assert_eq!(span(|corner| corner.0), (0, (width - tile.size().0) as i32));
            assert_eq!(span(|corner| corner.1), (0, (height - tile.size().1) as i32));
            for cell in size.cells() {
                let (x, y) = map.centre(cell);
                let x = f64::from(x);
                let y = f64::from(y);
                assert_eq!(map.cell_at((x, y)), Some(cell));
                assert_eq!(map.position_at((x, y)), (f64::from(cell.x), f64::from(cell.y)));
                assert_eq!(map.corner_at(map.position_at((x, y))), map.corner(cell));
            }
        }
    }

    #[test]
    fn the_cells_in_ranges_are_the_cells_with_a_corner_there() {
        for (size, tile) in SIZES.into_iter().flat_map(|size| tiles().take(4).map(move |tile| (size, tile))) {
            let map = Projection::new(size, tile);
            for (columns, rows) in [
                (-9..300, -9..1),
                (0..1, -5..30),
                (13..200, 13..14),
                (27..5000, 14..200),
                (0..99, 40..40),
                (9..90, 60..5000),
            ] {
                let is_there = |cell: &Cell| {
                    let (x, y) = map.corner(*cell);
                    columns.contains(&x) && rows.contains(&y)
                };
                let found = map.cells_with_corners(columns.clone(), rows.clone());
                let on_map = found.clone().filter(|cell| size.contains(*cell));
                assert!(on_map.eq(map.back_to_front().filter(is_there)), "{size} of {tile:?}, {columns:?}, {rows:?}");
                assert!(found.clone().all(|cell| is_there(&cell)));
                assert_eq!(found.clone().count(), found.rev().count());
            }
            assert_eq!(map.back_to_front().count(), size.area());
        }
    }

    #[test]
    fn feet_between_cells_are_drawn_between_them() {
        let map = Projection::new(Size::new(4, 4), TileMetrics::CLASSIC);
        let (x, y) = map.corner(Cell::new(1, 2));
        assert_eq!(map.corner_at((1.5, 2.0)), (x + 13, y - 6));
        assert_eq!(map.corner_at((1.5, 2.5)), (x + 26, y));
        assert_eq!(map.corner_at((1.5, 1.5)), (x, y - 13));
    }

    #[test]
    fn marks_are_evenly_spaced() {
        let route = [Cell::new(1, 1), Cell::new(2, 1), Cell::new(3, 0)];
        let marks: Vec<_> = route_mark_positions(&route).collect();
        assert_eq!(marks.len(), 5);
        assert_eq!(marks[..2], [(0, (1.25, 1.0)), (0, (1.75, 1.0))]);
        assert_eq!(marks[3], (1, (2.5, 0.5)));
        assert_eq!(route_mark_positions(&route[..1]).count(), 0);
    }

    #[test]
    fn marks_do_not_overlap_at_sharp_turns() {
        for before in Direction::ALL {
            for after in Direction::ALL {
                let middle = Cell::new(5, 5);
                let back = before.opposite().offset();
                let ahead = after.offset();
                let route = [middle + back, middle, middle + ahead];
                let on_screen: Vec<_> =
                    route_mark_positions(&route).map(|(_, (x, y))| (26.0 * (x + y), 13.0 * (y - x))).collect();
                for pair in on_screen.windows(2) {
                    let distance = (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
                    assert!(distance > 8.5, "{before:?}, then {after:?}: {distance} pixels");
                }
                assert!(on_screen.len() >= 3, "{before:?}, then {after:?}: {} marks", on_screen.len());
            }
        }
    }
}
