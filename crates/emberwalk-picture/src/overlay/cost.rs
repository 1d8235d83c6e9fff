//! The overlay of entry costs.

use super::{CellMark, Label, MarkStyle, Overlay, scale_colour};
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, EntryCost};

/// Tints each cell by the logarithm of its entry cost, from the cheapest on the map to the most expensive. Blocked
/// cells are hatched.
#[derive(Clone, Copy, Debug)]
pub struct CostOverlay<'a> {
    costs: &'a CostGrid,
    /// The lowest and the highest cost, in tiles.
    range: (f64, f64),
}

impl<'a> CostOverlay<'a> {
    /// Creates the overlay of a cost grid.
    pub fn new(costs: &'a CostGrid) -> Self {
        let tiles = |cost: Option<EntryCost>| cost.map_or(1.0, EntryCost::tiles);
        Self { costs, range: (tiles(costs.min_cost()), tiles(costs.max_cost())) }
    }

    /// The costs at the two ends of the scale, in tiles.
    pub fn range(&self) -> (f64, f64) {
        self.range
    }
}

impl Overlay for CostOverlay<'_> {
    fn mark(&self, cell: Cell) -> CellMark {
        let Some(cost) = self.costs.get(cell) else {
            return CellMark { style: MarkStyle::Blocked, ..CellMark::default() };
        };
        let (low, high) = self.range;
        let share = if high > low { (cost.tiles() / low).ln() / (high / low).ln() } else { 0.0 };
        CellMark { style: MarkStyle::Value, colour: scale_colour(share as f32), ..CellMark::default() }
    }

    fn label(&self, cell: Cell) -> Option<Label> {
        self.costs.get(cell).map(|cost| Label::Number(cost.tiles()))
    }
}
