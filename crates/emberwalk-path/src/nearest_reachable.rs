//! The cells nearest to a goal that cannot be reached.

use crate::grid::{Cell, Size};

/// The square of the smallest straight-line distance from `goal` to a cell that is `reachable`; `None` if none is.
///
/// Looks at the cells in growing squares around the goal: O(square of that distance).
pub(crate) fn distance_squared(size: Size, goal: Cell, reachable: impl Fn(Cell) -> bool) -> Option<i64> {
    let mut least: Option<i64> = None;
    for radius in 0..size.width.max(size.height) as i32 {
        // No cell of this square or of a larger one is nearer than its radius.
        if least.is_some_and(|least| i64::from(radius).pow(2) >= least) {
            break;
        }
        let edge = |k: i32| [(k, -radius), (k, radius), (-radius, k), (radius, k)];
        for cell in (-radius..=radius).flat_map(edge).map(|offset| goal + offset) {
            let distance = cell.distance_squared(goal);
            if least.is_none_or(|least| distance < least) && size.contains(cell) && reachable(cell) {
                least = Some(distance);
            }
        }
    }
    least
}

/// All cells at that distance, row by row; cells off the map among them.
pub(crate) fn at_distance(goal: Cell, distance_squared: i64) -> impl Iterator<Item = Cell> {
    let radius = distance_squared.isqrt() as i32;
    (-radius..=radius).flat_map(move |dy| {
        let rest = distance_squared - i64::from(dy).pow(2);
        let dx = rest.isqrt();
        let is_whole = dx * dx == rest;
        let west = is_whole.then(|| goal + (-dx as i32, dy));
        let east = (is_whole && dx > 0).then(|| goal + (dx as i32, dy));
        west.into_iter().chain(east)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_at_a_distance_are_those_of_a_whole_look() {
        let goal = Cell::new(9, 9);
        for distance in 0..=81 {
            let told: Vec<_> = at_distance(goal, distance).collect();
            let size = Size::new(19, 19);
            let all: Vec<_> = size.cells().filter(|cell| cell.distance_squared(goal) == distance).collect();
            assert_eq!(told, all, "{distance}");
        }
    }
}
