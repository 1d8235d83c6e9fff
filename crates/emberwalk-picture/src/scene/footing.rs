//! Where things stand on a map with hills, and which cell they are on.

use super::route_marks::RouteMark;
use super::{projection, raised_corner};
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

/// How far in front of a tent or castle in their cell figures stand, in columns and rows.
const IN_FRONT: f64 = 0.3;

/// Where something stands or lies, in a cell or between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Footing {
    /// The cell that it is on. Terrain that is nearer and higher than this cell [covers](super::Scene::cover) it.
    pub on: Cell,
    /// The top left corner of the tile image that its image is aligned with, in pixels of the map's picture.
    pub corner: (i32, i32),
}

/// The position of the feet of a figure, in columns and rows: it stands in a cell, or is on a step from the cell that
/// it leaves, after a part of the step, 0 to 1. Whole numbers are the centres of cells.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_picture::scene::feet;
/// assert_eq!(feet(Cell::new(3, 4), None), (3.0, 4.0));
/// assert_eq!(feet(Cell::new(3, 4), Some((Cell::new(2, 4), 0.25))), (2.25, 4.0));
/// ```
pub fn feet(cell: Cell, leaving: Option<(Cell, f64)>) -> (f64, f64) {
    let (from, part) = leaving.unwrap_or((cell, 1.0));
    let (dx, dy) = cell - from;
    (f64::from(from.x) + f64::from(dx) * part, f64::from(from.y) + f64::from(dy) * part)
}

impl Footing {
    /// The footing of something in a cell.
    pub fn in_cell(map: &Layers, cell: Cell) -> Self {
        Self { on: cell, corner: raised_corner(map, cell) }
    }

    /// The footing of a figure on a step, after `part` of it, 0 to 1. Its height is interpolated, and it is on the
    /// higher of the two cells; between cells of equal height, on the nearer one.
    pub fn on_step(map: &Layers, from: Cell, to: Cell, part: f64) -> Self {
        let [before, after] = [from, to].map(|cell| f64::from(map.level(cell)));
        let feet = feet(to, Some((from, part)));
        let is_first = if before == after { part < 0.5 } else { before > after };
        let on = match part {
            0.0 => from,
            1.0 => to,
            _ if is_first => from,
            _ => to,
        };
        Self { on, corner: corner_at(map, feet, before + (after - before) * part) }
    }

    /// The footing of a figure whose feet are at a position in columns and rows: in a cell, or on a step between two
    /// cells. The middle of a diagonal step counts as a step from north-west to south-east.
    pub fn of_feet(map: &Layers, (x, y): (f64, f64)) -> Self {
        let left = x.floor();
        let top = y.floor();
        let right = x - left;
        let down = y - top;
        let cell = |dx: i32, dy: i32| Cell::new(left as i32 + dx, top as i32 + dy);
        let (from, to, part) = if right == 0.0 || down == 0.0 {
            (cell(0, 0), cell(i32::from(right > 0.0), i32::from(down > 0.0)), right.max(down))
        } else if (right - down).abs() <= (right + down - 1.0).abs() {
            (cell(0, 0), cell(1, 1), (right + down) / 2.0)
        } else {
            (cell(0, 1), cell(1, 0), (1.0 + right - down) / 2.0)
        };
        let footing = Self::on_step(map, from, to, part);
        // Keep the position, even if it is not exactly on the step.
        let [before, after] = [from, to].map(|cell| f64::from(map.level(cell)));
        Self { corner: corner_at(map, (x, y), before + (after - before) * part), ..footing }
    }

    /// The position of a figure's feet in columns and rows, and its footing: it stands in a cell, or is on a step from
    /// the cell that it leaves, after a part of the step. It stands in front of the tent or castle in its cell.
    pub fn of_figure(map: &Layers, cell: Cell, leaving: Option<(Cell, f64)>) -> ((f64, f64), Self) {
        let offset_in = |cell: Cell| {
            let has_role = map.overlay_at(cell).is_some_and(|terrain| terrain.role.is_some());
            if has_role { IN_FRONT } else { 0.0 }
        };
        let (from, part) = leaving.unwrap_or((cell, 1.0));
        let (x, y) = feet(cell, leaving);
        let offset = offset_in(from) * (1.0 - part) + offset_in(cell) * part;
        let Self { on, corner: (left, top) } = match leaving {
            Some((from, part)) => Self::on_step(map, from, cell, part),
            None => Self::in_cell(map, cell),
        };
        let below = (offset * f64::from(projection(map).tile().step().1)).round() as i32;
        ((x - offset, y + offset), Self { on, corner: (left, top + below) })
    }

    /// The footing of a route mark: on the ground of the nearer end of its step. In the middle of a step it is the
    /// footing of a figure.
    pub fn of_mark(map: &Layers, mark: &RouteMark) -> Self {
        let RouteMark { from, to, part, feet, .. } = *mark;
        let on = match part.total_cmp(&0.5) {
            std::cmp::Ordering::Less => from,
            std::cmp::Ordering::Greater => to,
            std::cmp::Ordering::Equal => return Self::on_step(map, from, to, part),
        };
        Self { on, corner: corner_at(map, feet, f64::from(map.level(on))) }
    }
}

/// The corner of the tile image for feet at a position and level, rounded to the nearest pixel.
fn corner_at(map: &Layers, feet: (f64, f64), level: f64) -> (i32, i32) {
    let projection = projection(map);
    let (x, y) = projection.corner_at(feet);
    (x, y - (level * f64::from(projection.tile().level())).round() as i32)
}
