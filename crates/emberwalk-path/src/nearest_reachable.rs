//! The reachable cells that are nearest to a goal.

use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::grid::{Cell, Size};

/// The search for the smallest straight-line distance from a goal to a reachable cell. It looks at the cells in growing
/// squares around the goal: O(square of that distance).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SmallestDistance {
    /// The next square, by half its side.
    radius: i32,
    squared: Option<i64>,
}

impl SmallestDistance {
    /// The square of the distance; `None` if no cell is reachable. Pauses when the budget is spent, and continues with
    /// the same arguments.
    pub(crate) fn find(
        &mut self,
        size: Size,
        goal: Cell,
        reachable: impl Fn(Cell) -> bool,
        budget: &mut Budget,
    ) -> ControlFlow<(), Option<i64>> {
        let Self { radius, squared } = self;
        // No cell of this square or of a larger one is nearer than its radius.
        while *radius < size.width.max(size.height) as i32
            && squared.is_none_or(|squared| i64::from(*radius).pow(2) < squared)
        {
            for cell in square(goal, *radius).filter(|&cell| size.contains(cell)) {
                let distance = cell.distance_squared(goal);
                if squared.is_none_or(|squared| distance < squared) && reachable(cell) {
                    *squared = Some(distance);
                }
            }
            *radius += 1;
            budget.spend(8 * *radius as u64)?;
        }
        ControlFlow::Continue(*squared)
    }
}

/// The square of the smallest straight-line distance from `goal` to a `reachable` cell; `None` if there is none.
pub fn distance_squared(size: Size, goal: Cell, reachable: impl Fn(Cell) -> bool) -> Option<i64> {
    let budget = &mut Budget::new(Budget::UNLIMITED);
    SmallestDistance::default().find(size, goal, reachable, budget).continue_value().flatten()
}

/// The cells whose larger one of the columns and rows to `centre` is `radius`; some of them more than once.
fn square(centre: Cell, radius: i32) -> impl Iterator<Item = Cell> {
    let edge = move |k: i32| [(k, -radius), (k, radius), (-radius, k), (radius, k)];
    (-radius..=radius).flat_map(edge).map(move |offset| centre + offset)
}

/// All cells at this distance, row by row, on the map or off it.
pub fn at_distance(goal: Cell, distance_squared: i64) -> impl Iterator<Item = Cell> {
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
