//! The drawing order of standing images and figures.

use super::projection::Projection;
use emberwalk_path::grid::Cell;

/// Positions of feet are rounded to this fraction of a cell.
const FRACTIONS: i32 = 1 << 12;

/// The drawing order of a standing image or a figure: smaller depths are drawn first, so that greater ones cover them.
///
/// Depths are ordered by `y - x` of the feet, then by `x`. At the same position a standing image is drawn first, then
/// its lit lamps, then marks that shine through it, then a figure.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_picture::iso::Depth;
///
/// let wall = Depth::of_cell(Cell::new(4, 4));
/// assert!(Depth::of_figure((4.0, 4.5)) > wall);
/// assert!(Depth::of_figure((4.5, 4.0)) < wall);
/// assert!(Depth::of_figure((4.0, 4.0)) > wall);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth {
    nearness: i32,
    column: i32,
    kind: Kind,
}

/// The kinds of images at a position, in drawing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Standing,
    Lamps,
    ShinesThrough,
    Figure,
}

impl Depth {
    /// The depth of the standing image of `cell`.
    pub const fn of_cell(cell: Cell) -> Self {
        Self::in_cell(cell, Kind::Standing)
    }

    /// The depth of the lamps in the standing image of `cell`.
    pub const fn of_lamps(cell: Cell) -> Self {
        Self::in_cell(cell, Kind::Lamps)
    }

    /// The depth of marks that shine through the standing image of `cell`.
    pub const fn of_shine_through(cell: Cell) -> Self {
        Self::in_cell(cell, Kind::ShinesThrough)
    }

    const fn in_cell(cell: Cell, kind: Kind) -> Self {
        Self { nearness: (cell.y - cell.x) * FRACTIONS, column: cell.x * FRACTIONS, kind }
    }

    /// The depth of a figure with its feet at `x` columns and `y` rows.
    pub fn of_figure((x, y): (f64, f64)) -> Self {
        let fractions = |cells: f64| (cells * f64::from(FRACTIONS)).round() as i32;
        Self { nearness: fractions(y).saturating_sub(fractions(x)), column: fractions(x), kind: Kind::Figure }
    }
}

impl Projection {
    /// A z coordinate for the sprite of a standing image or figure that gives the same order as its [`Depth`]. The one
    /// exception: on maps of more than four million cells, the lamps of a cell, marks that shine through its image and
    /// a figure in it have the same z.
    ///
    /// Cells are ranked by depth, and everything else lies between two ranks. A rank is a whole number below 2^24,
    /// counted from the middle of the map, so that half a rank is exact in an `f32`, even on 4096 x 4096 cells. A
    /// weighted sum of `y - x` and `x` would not be exact. The result is between -256 and 256; adding an offset to it
    /// would round it.
    pub fn sprite_z(self, depth: Depth) -> f32 {
        let diagonal = depth.nearness.div_euclid(FRACTIONS);
        let fraction = depth.nearness.rem_euclid(FRACTIONS);
        let (first, last) = self.diagonal(diagonal);
        let (column, rest) = if fraction == 0 {
            (depth.column.div_euclid(FRACTIONS), depth.column.rem_euclid(FRACTIONS))
        } else {
            (last, fraction)
        };
        let rank = self.cells_before(diagonal) + i64::from(column.clamp(first, last.max(first)) - first);
        let middle = (self.size.area() / 2) as i64;
        // The number of exact values between two ranks: a power of two, small enough for the last rank.
        let levels = 1 << ((1 << 23) / (middle + 1)).clamp(2, 64).ilog2();
        let lowest_of_figures = 3.min(levels - 1);
        let level = match depth.kind {
            Kind::Standing => 0,
            Kind::Lamps => 1,
            Kind::ShinesThrough => 2.min(levels - 1),
            Kind::Figure => lowest_of_figures + rest * (levels - lowest_of_figures) / FRACTIONS,
        };
        let height = (rank - middle) as f32 + level as f32 / levels as f32;
        height / 32768.0
    }

    /// The number of cells with a smaller `y - x`.
    fn cells_before(self, nearness: i32) -> i64 {
        let width = i64::from(self.size.width);
        let height = i64::from(self.size.height);
        let before = (i64::from(nearness) + width - 1).clamp(0, width + height - 1);
        let short = width.min(height);
        let long = width.max(height);
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
    use emberwalk_map::terrain::TileMetrics;
    use emberwalk_path::grid::{Direction, Size};

    const SIZES: [Size; 6] =
        [Size::new(1, 1), Size::new(1, 7), Size::new(6, 1), Size::new(5, 9), Size::new(9, 4), Size::new(7, 7)];

    /// Positions of feet on a step from `cell` in every direction that stays on the map.
    fn feet(size: Size, cell: Cell) -> impl Iterator<Item = (f64, f64)> {
        Direction::ALL.into_iter().filter(move |direction| size.contains(cell + *direction)).flat_map(
            move |direction| {
                let (dx, dy) = direction.offset();
                [0.0, 0.01, 0.25, 0.5, 0.75, 0.99]
                    .map(|part| (f64::from(cell.x) + f64::from(dx) * part, f64::from(cell.y) + f64::from(dy) * part))
            },
        )
    }

    #[test]
    fn sprite_z_has_the_order_of_depths() {
        for size in SIZES {
            let map = Projection::new(size, TileMetrics::CLASSIC);
            let depths = |cell| [Depth::of_cell(cell), Depth::of_lamps(cell), Depth::of_shine_through(cell)];
            let mut cells: Vec<_> = size.cells().flat_map(depths).collect();
            cells.sort();
            assert!(map.back_to_front().flat_map(depths).eq(cells.iter().copied()), "{size}");
            assert!(cells.windows(2).all(|pair| map.sprite_z(pair[0]) < map.sprite_z(pair[1])), "{size}");
            for moving in size.cells().flat_map(|cell| feet(size, cell)).map(Depth::of_figure) {
                for cell in &cells {
                    let by_depth = moving.cmp(cell);
                    let by_height = map.sprite_z(moving).total_cmp(&map.sprite_z(*cell));
                    assert_eq!(by_depth, by_height, "{moving:?} and {cell:?} of {size}");
                }
            }
        }
    }

    #[test]
    fn sprite_z_is_exact_on_the_largest_map() {
        for size in [Size::new(4096, 4096), Size::new(512, 512), Size::new(4096, 3), Size::new(2, 4096)] {
            let map = Projection::new(size, TileMetrics::CLASSIC);
            let right = size.width as i32 - 1;
            let bottom = size.height as i32 - 1;
            let corners = [
                (0, 0),
                (right, 0),
                (right - 1, 1),
                (0, bottom),
                (1, bottom),
                (right, bottom),
                (right / 2, bottom / 2),
            ];
            for cell in corners.map(Cell::from).into_iter().filter(|cell| size.contains(*cell)) {
                let height = map.sprite_z(Depth::of_cell(cell));
                assert!((-256.0..=256.0).contains(&height));
                for moving in feet(size, cell).map(Depth::of_figure) {
                    for near in Direction::ALL.map(|direction| cell + direction).into_iter().chain([cell]) {
                        if size.contains(near) {
                            let by_depth = moving.cmp(&Depth::of_cell(near));
                            let near = map.sprite_z(Depth::of_cell(near));
                            assert_eq!(
                                by_depth,
                                map.sprite_z(moving).total_cmp(&near),
                                "{moving:?} near {cell} of {size}"
                            );
                        }
                    }
                }
            }
            for cell in size.cells().step_by(911) {
                let [through, figure] =
                    [Depth::of_shine_through(cell), Depth::of_figure((f64::from(cell.x), f64::from(cell.y)))]
                        .map(|depth| map.sprite_z(depth));
                assert!(map.sprite_z(Depth::of_cell(cell)) < through && through <= figure, "{cell} of {size}");
                assert_eq!(through == figure, size.area() > 1 << 22, "{size}");
            }
            for pair in size.cells().step_by(911).collect::<Vec<_>>().windows(2) {
                let depths = [pair[0], pair[1]].map(Depth::of_cell);
                assert_eq!(depths[0].cmp(&depths[1]), map.sprite_z(depths[0]).total_cmp(&map.sprite_z(depths[1])));
            }
        }
    }
}
