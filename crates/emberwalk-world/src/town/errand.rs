//! The errands of people: activities at places.

use emberwalk_map::terrain::Place;
use emberwalk_path::grid::Cell;

/// How far people are from their place at most while they make way for others, in columns and rows.
const NEAR: i32 = 2;

/// An activity at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Errand {
    /// The place; `None` for a cell that is only a place to walk to.
    pub place: Option<Place>,
    /// The cell of the place.
    pub cell: Cell,
    /// Where they stand: in the cell of the place, or near it.
    pub spot: Cell,
}

impl Errand {
    /// A walk to a cell.
    pub const fn walk(cell: Cell) -> Self {
        Self { place: None, cell, spot: cell }
    }

    /// Whether a cell is where people stand for it, or a few cells away.
    pub(super) fn is_near(&self, cell: Cell) -> bool {
        let (x, y) = cell - self.spot;
        x.abs().max(y.abs()) <= NEAR
    }

    /// How long it takes at least and at most, in seconds.
    pub(super) const fn duration(&self) -> (f64, f64) {
        match self.place {
            Some(Place::Home) => (10.0, 30.0),
            Some(Place::Stall) => (6.0, 15.0),
            Some(Place::Well) => (4.0, 8.0),
            Some(Place::Field) => (15.0, 40.0),
            Some(Place::Gate) => (12.0, 30.0),
            None => (1.0, 4.0),
        }
    }
}
