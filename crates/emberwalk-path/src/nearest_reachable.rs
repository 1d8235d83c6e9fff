//! The reachable cells that are nearest to a goal.

use crate::grid::{Cell, Size};

/// The square of the smallest straight-line distance from `goal` to a `reachable` cell; `None` if there is
/// none.
///
/// Looks at the cells in growing squares around the goal: O(square of that distance).
pub(crate) fn distance_squared(size: Size, goal: Cell, reachable: impl Fn(Cell) -> bool) -> Option<i64> {
    let mut smallest: Option<i64> = None;
    for radius in 0..size.width.max(size.height) as i32 {
        // No cell of this square or of a larger one is nearer than its radius.
        if smallest.is_some_and(|smallest| i64::from(radius).pow(2) >= smallest) {
            break;
        }
        for cell in square(goal, radius) {
            let distance = cell.distance_squared(goal);
            if smallest.is_none_or(|smallest| distance < smallest) && size.contains(cell) && reachable(cell) {
                smallest = Some(distance);
            }
        }
    }
    smallest
}

/// The smallest `distance` from `goal` to a `reachable` cell; `None` if there is none.
///
/// `distance` has to grow with the larger one of the columns and rows to the goal, by the same for each. Looks at the
/// cells in growing squares around the goal.
pub(crate) fn smallest_distance(
    size: Size,
    goal: Cell,
    reachable: impl Fn(Cell) -> bool,
    distance: impl Fn(Cell) -> u64,
) -> Option<u64> {
    let mut smallest: Option<u64> = None;
    for radius in 0..size.width.max(size.height) as i32 {
        if smallest.is_some_and(|smallest| distance(goal + (radius, 0)) >= smallest) {
            break;
        }
        for cell in square(goal, radius).filter(|&cell| size.contains(cell) && reachable(cell)) {
            smallest = Some(smallest.map_or(distance(cell), |smallest| smallest.min(distance(cell))));
        }
    }
    smallest
}

/// The cells whose larger one of the columns and rows to `centre` is `radius`; some of them more than once.
fn square(centre: Cell, radius: i32) -> impl Iterator<Item = Cell> {
    let edge = move |k: i32| [(k, -radius), (k, radius), (-radius, k), (radius, k)];
    (-radius..=radius).flat_map(edge).map(move |offset| centre + offset)
}

/// All cells at this distance, row by row, on the map or off it.
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
    fn cells_at_a_distance_are_those_found_by_looking_at_every_cell() {
        let goal = Cell::new(9, 9);
        for distance in 0..=81 {
            let found: Vec<_> = at_distance(goal, distance).collect();
            let size = Size::new(19, 19);
            let all: Vec<_> = size.cells().filter(|cell| cell.distance_squared(goal) == distance).collect();
            assert_eq!(found, all, "{distance}");
        }
    }
}
