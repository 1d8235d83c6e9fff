//! What somebody is going to do.

use emberwalk_map::terrain::Place;
use emberwalk_path::crowd::Goal;
use emberwalk_path::grid::Cell;

/// Something to do somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Errand {
    /// The place; `None` for a cell that is only a place to walk to.
    pub place: Option<Place>,
    /// The cell of the place. People stand beside it, unless they can enter it.
    pub cell: Cell,
    /// Whether it is done in the cell, and not beside it.
    pub is_entered: bool,
}

impl Errand {
    /// A walk to a cell.
    pub const fn walk(cell: Cell) -> Self {
        Self { place: None, cell, is_entered: true }
    }

    /// Where it leads in a crowd.
    pub const fn goal(&self) -> Goal {
        if self.is_entered { Goal::Cell(self.cell) } else { Goal::Beside(self.cell) }
    }

    /// How long it takes at least and at most, in seconds.
    pub(super) const fn duration(&self) -> (f64, f64) {
        match self.place {
            Some(Place::Home) => (6.0, 16.0),
            Some(Place::Stall) => (3.0, 8.0),
            Some(Place::Well) => (2.0, 4.0),
            Some(Place::Field) => (8.0, 20.0),
            Some(Place::Gate) => (8.0, 16.0),
            None => (1.0, 4.0),
        }
    }
}
