//! Which of two standing things is drawn first.

use super::Projection;
use crate::grid::Cell;

/// Parts of a cell in which feet are counted.
const FINE: i32 = 1 << 12;

/// When a standing thing is drawn: the smaller, the earlier, so that the later covers it.
///
/// By `y - x` of its feet, then by `x`; on the same spot what moves is drawn after what stands.
///
/// ```
/// use emberwalk::grid::Cell;
/// use emberwalk::iso::Depth;
///
/// let wall = Depth::of(Cell::new(4, 4));
/// assert!(Depth::at((4.0, 4.5)) > wall);
/// assert!(Depth::at((4.5, 4.0)) < wall);
/// assert!(Depth::at((4.0, 4.0)) > wall);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth {
    nearness: i32,
    column: i32,
    moves: bool,
}

impl Depth {
    /// Of what stands in `cell`.
    pub const fn of(cell: Cell) -> Self {
        Self { nearness: (cell.y - cell.x) * FINE, column: cell.x * FINE, moves: false }
    }

    /// Of a moving figure with its feet at so many columns and rows.
    pub fn at((x, y): (f64, f64)) -> Self {
        let fine = |cells: f64| (cells * f64::from(FINE)).round() as i32;
        Self { nearness: fine(y).saturating_sub(fine(x)), column: fine(x), moves: true }
    }
}

impl Projection {
    /// The order in which standing things are drawn, as the height of a sprite.
    ///
    /// Cells rank by their [`Depth`]; what moves stands between two ranks. A rank is a whole number below 2^24, and a
    /// half more is still exact in an `f32` that has its zero in the middle: so the order holds on 4096 x 4096 cells,
    /// where the sum of a weighted `y - x` and `x` would not. The heights lie between -256 and 256; nothing may be added
    /// to them, or they round.
    pub fn sprite_z(self, depth: Depth) -> f32 {
        let (diagonal, along) = (depth.nearness.div_euclid(FINE), depth.nearness.rem_euclid(FINE));
        let (first, last) = self.diagonal(diagonal);
        let (column, past) =
            if along == 0 { (depth.column.div_euclid(FINE), depth.column.rem_euclid(FINE)) } else { (last, along) };
        let rank = self.cells_before(diagonal) + i64::from(column.clamp(first, last.max(first)) - first);
        let middle = (self.size.area() / 2) as i64;
        // So many heights, a power of two, are exact between one rank and the next, even for the last rank.
        let levels = 1 << ((1 << 23) / (middle + 1)).clamp(2, 64).ilog2();
        let level = if depth.moves { 1 + past * (levels - 1) / FINE } else { 0 };
        let height = (rank - middle) as f32 + level as f32 / levels as f32;
        height / 32768.0
    }

    /// How many cells have a smaller `y - x`.
    fn cells_before(self, nearness: i32) -> i64 {
        let (width, height) = (i64::from(self.size.width), i64::from(self.size.height));
        let before = (i64::from(nearness) + width - 1).clamp(0, width + height - 1);
        let (short, long) = (width.min(height), width.max(height));
        if before <= short {
            before * (before + 1) / 2
        } else if before <= long {
            short * (short + 1) / 2 + (before - short) * short
        } else {
            let left = short + long - 1 - before;
            short * long - left * (left + 1) / 2
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Direction, Size};
    use crate::iso::TileMetrics;

    const SIZES: [Size; 6] =
        [Size::new(1, 1), Size::new(1, 7), Size::new(6, 1), Size::new(5, 9), Size::new(9, 4), Size::new(7, 7)];

    /// Feet on the way from `cell` one step in every direction, on the map.
    fn feet(size: Size, cell: Cell) -> impl Iterator<Item = (f64, f64)> {
        Direction::ALL.into_iter().filter(move |way| size.contains(cell + *way)).flat_map(move |way| {
            let (dx, dy) = way.offset();
            [0.0, 0.01, 0.25, 0.5, 0.75, 0.99]
                .map(|part| (f64::from(cell.x) + f64::from(dx) * part, f64::from(cell.y) + f64::from(dy) * part))
        })
    }

    #[test]
    fn heights_order_as_depths_do() {
        for size in SIZES {
            let map = Projection::new(size, TileMetrics::CLASSIC);
            let mut cells: Vec<_> = size.cells().map(Depth::of).collect();
            cells.sort();
            assert!(map.back_to_front().map(Depth::of).eq(cells.iter().copied()), "{size}");
            assert!(cells.windows(2).all(|pair| map.sprite_z(pair[0]) < map.sprite_z(pair[1])), "{size}");
            for moving in size.cells().flat_map(|cell| feet(size, cell)).map(Depth::at) {
                for cell in &cells {
                    let (by_depth, by_height) =
                        (moving.cmp(cell), map.sprite_z(moving).total_cmp(&map.sprite_z(*cell)));
                    assert_eq!(by_depth, by_height, "{moving:?} and {cell:?} of {size}");
                }
            }
        }
    }

    #[test]
    fn heights_hold_on_the_largest_map() {
        for size in [Size::new(4096, 4096), Size::new(512, 512), Size::new(4096, 3), Size::new(2, 4096)] {
            let map = Projection::new(size, TileMetrics::CLASSIC);
            let (right, bottom) = (size.width as i32 - 1, size.height as i32 - 1);
            let spots = [
                (0, 0),
                (right, 0),
                (right - 1, 1),
                (0, bottom),
                (1, bottom),
                (right, bottom),
                (right / 2, bottom / 2),
            ];
            for cell in spots.map(Cell::from).into_iter().filter(|cell| size.contains(*cell)) {
                let height = map.sprite_z(Depth::of(cell));
                assert!((-256.0..=256.0).contains(&height));
                for moving in feet(size, cell).map(Depth::at) {
                    for near in Direction::ALL.map(|way| cell + way).into_iter().chain([cell]) {
                        if size.contains(near) {
                            let (by_depth, near) = (moving.cmp(&Depth::of(near)), map.sprite_z(Depth::of(near)));
                            assert_eq!(
                                by_depth,
                                map.sprite_z(moving).total_cmp(&near),
                                "{moving:?} near {cell} of {size}"
                            );
                        }
                    }
                }
            }
            for pair in size.cells().step_by(911).collect::<Vec<_>>().windows(2) {
                let depths = [pair[0], pair[1]].map(Depth::of);
                assert_eq!(depths[0].cmp(&depths[1]), map.sprite_z(depths[0]).total_cmp(&map.sprite_z(depths[1])));
            }
        }
    }
}
