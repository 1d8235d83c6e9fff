//! The overlay of the cost from each cell to the goal.

use super::{CellMark, Label, MarkStyle, Overlay, scale_colour};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Field, RouteCost};

/// The approximate number of lines of equal cost.
const LINES: f64 = 14.0;

/// Tints each cell by the cost of the cheapest route from it to the goal, and draws lines of equal cost. Blocked and
/// unreachable cells are hatched.
#[derive(Clone, Copy, Debug)]
pub struct DistanceOverlay<'a> {
    field: &'a Field,
    highest: f64,
    step: f64,
}

impl<'a> DistanceOverlay<'a> {
    /// Creates the overlay of a field that leads to the goal, on a grid of `size`. O(cells).
    pub fn new(field: &'a Field, size: Size) -> Self {
        Self::with_highest(field, size.cells().filter_map(|cell| field.cost(cell)).max().unwrap_or_default())
    }

    /// Creates the overlay of a field that leads to the goal and whose highest cost is known.
    pub fn with_highest(field: &'a Field, highest: RouteCost) -> Self {
        let highest = highest.tiles();
        Self { field, highest, step: round_step(highest / LINES) }
    }

    /// The highest cost, in tiles.
    pub fn highest(&self) -> f64 {
        self.highest
    }

    /// The difference in cost between two lines, in tiles: 1, 2 or 5 times a power of ten.
    pub fn step(&self) -> f64 {
        self.step
    }

    fn tiles(&self, cell: Cell) -> Option<f64> {
        self.field.cost(cell).map(|cost| cost.tiles())
    }
}

impl Overlay for DistanceOverlay<'_> {
    fn mark(&self, cell: Cell) -> CellMark {
        match self.tiles(cell) {
            None => CellMark { style: MarkStyle::Blocked, ..CellMark::default() },
            Some(tiles) => CellMark {
                style: MarkStyle::Value,
                colour: scale_colour((tiles / self.highest.max(1e-9)) as f32),
                ..CellMark::default()
            },
        }
    }

    fn label(&self, cell: Cell) -> Option<Label> {
        self.tiles(cell).map(Label::Number)
    }

    fn contour(&self, cell: Cell) -> Option<f32> {
        self.tiles(cell).map(|tiles| (tiles / self.step) as f32)
    }
}

/// The smallest number not below `step` that is 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.max(1e-6).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|round| *round >= step).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let steps = [0.9, 1.0, 1.1, 3.0, 7.0, 60.0, 0.03].map(round_step);
        for (step, expected) in steps.into_iter().zip([1.0, 1.0, 2.0, 5.0, 10.0, 100.0, 0.05]) {
            assert!((step - expected).abs() < 1e-9, "{step} and {expected}");
        }
    }
}
