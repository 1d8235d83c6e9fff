//! The border of a set of cells.

use emberwalk_path::grid::{Cell, Direction};

/// The straight directions, each with the corners at the ends of that side of a cell: in columns and rows from its
/// centre, clockwise.
const SIDES: [(Direction, Side); 4] = [
    (Direction::N, [(-0.5, -0.5), (0.5, -0.5)]),
    (Direction::E, [(0.5, -0.5), (0.5, 0.5)]),
    (Direction::S, [(0.5, 0.5), (-0.5, 0.5)]),
    (Direction::W, [(-0.5, 0.5), (-0.5, -0.5)]),
];

/// A line between two points in columns and rows, where whole numbers are the centres of cells.
pub type Side = [(f64, f64); 2];

/// The sides between these cells and all other cells.
///
/// O(cells of the smallest rectangle around them).
///
/// ```
/// use emberwalk_map::border;
/// assert_eq!(border(&[(3, 1).into(), (4, 1).into()]).len(), 6);
/// assert!(border(&[]).is_empty());
/// ```
pub fn border(cells: &[Cell]) -> Vec<Side> {
    let columns = cells.iter().map(|cell| cell.x);
    let rows = cells.iter().map(|cell| cell.y);
    let (Some(left), Some(right)) = (columns.clone().min(), columns.max()) else { return Vec::new() };
    let (Some(top), Some(bottom)) = (rows.clone().min(), rows.max()) else { return Vec::new() };
    let width = right.abs_diff(left) as usize + 1;
    let index = |cell: Cell| {
        let is_near = (left..=right).contains(&cell.x) && (top..=bottom).contains(&cell.y);
        is_near.then(|| cell.y.abs_diff(top) as usize * width + cell.x.abs_diff(left) as usize)
    };
    let mut is_inside = vec![false; width * (bottom.abs_diff(top) as usize + 1)];
    cells.iter().filter_map(|cell| index(*cell)).for_each(|at| is_inside[at] = true);
    let is_outside = |cell: Cell| !index(cell).is_some_and(|at| is_inside[at]);
    let is_outside = &is_outside;
    let sides = cells.iter().flat_map(|&cell| {
        let outside = SIDES.iter().filter(move |(side, _)| is_outside(cell + *side));
        outside.map(move |(_, ends)| ends.map(|(x, y)| (f64::from(cell.x) + x, f64::from(cell.y) + y)))
    });
    sides.collect()
}
