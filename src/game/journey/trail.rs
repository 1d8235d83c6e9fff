//! The trail of the player's traveller: the cells that it has entered since it set out, and the cost that it paid for
//! each step. The terrain may change behind it.

use bevy::prelude::*;

use emberwalk_path::RouteCost;
use emberwalk_path::grid::Cell;

/// The trail since the traveller set out; a single cell until it is sent somewhere.
#[derive(Resource, Default)]
pub(super) struct Trail(Vec<Entered>);

struct Entered {
    cell: Cell,
    /// The cost of the step into the cell when it was taken; zero for the first cell.
    cost: RouteCost,
}

impl Trail {
    /// The cells, from the cell where the traveller set out to the cell that it enters or stands in.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = Cell> {
        self.0.iter().map(|entered| entered.cell)
    }

    /// The cell where the traveller set out.
    pub fn first(&self) -> Option<Cell> {
        self.0.first().map(|entered| entered.cell)
    }

    /// The cell that the traveller is entering, or in which it stands.
    pub fn last(&self) -> Option<Cell> {
        self.0.last().map(|entered| entered.cell)
    }

    /// The cost that the steps had together.
    pub fn cost(&self) -> RouteCost {
        self.0.iter().map(|entered| entered.cost).sum()
    }

    /// Begins again in a cell, with room for a route of this many cells, because a walk allocates nothing.
    pub fn begin(&mut self, at: Cell, cells: usize) {
        self.0.clear();
        self.0.reserve(cells);
        self.enter(at, RouteCost::ZERO);
    }

    /// Adds a cell, with the cost of the step into it.
    pub fn enter(&mut self, cell: Cell, cost: RouteCost) {
        self.0.push(Entered { cell, cost });
    }

    /// Removes the last cell, which the traveller has left again.
    pub fn turn_back(&mut self) {
        self.0.pop();
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}
