//! The trace of a search, as a program writes it.

use crate::grid::Cell;

/// An event of a search as a program tells it. Costs are in tiles. Missing values are not judged.
///
/// ```
/// use emberwalk_path::grid::Cell;
/// use emberwalk_path::trace::SaidEvent;
/// let event = SaidEvent::opened(Cell::new(1, 0)).with_parent(Some(Cell::new(0, 0))).with_costs(Some(1.0), None, None);
/// assert_eq!((event.g(), event.h()), (Some(1.0), None));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct SaidEvent {
    /// The cell, which may be off the map.
    pub cell: Cell,
    /// Whether the cell was taken off the open list; otherwise it was put on it.
    pub is_closed: bool,
    /// The cell whose expansion opened this one.
    pub parent: Option<Cell>,
    /// Costs are NaN where nothing is said, which takes half the memory of options.
    g: f64,
    h: f64,
    f: f64,
}

impl SaidEvent {
    /// The cell was put on the open list, or its g became less.
    pub const fn opened(cell: Cell) -> Self {
        Self { cell, is_closed: false, parent: None, g: f64::NAN, h: f64::NAN, f: f64::NAN }
    }

    /// The cell was taken off the open list.
    pub const fn closed(cell: Cell) -> Self {
        Self { is_closed: true, ..Self::opened(cell) }
    }

    /// The same event with another parent.
    pub const fn with_parent(self, parent: Option<Cell>) -> Self {
        Self { parent, ..self }
    }

    /// The same event with other costs.
    pub fn with_costs(self, g: Option<f64>, h: Option<f64>, f: Option<f64>) -> Self {
        let [g, h, f] = [g, h, f].map(|cost| cost.unwrap_or(f64::NAN));
        Self { g, h, f, ..self }
    }

    /// The cost from the start.
    pub fn g(&self) -> Option<f64> {
        said(self.g)
    }

    /// The estimated cost to the goal.
    pub fn h(&self) -> Option<f64> {
        said(self.h)
    }

    /// The key of the open list.
    pub fn f(&self) -> Option<f64> {
        said(self.f)
    }
}

/// A cost, unless it is NaN.
pub(super) fn said(cost: f64) -> Option<f64> {
    (!cost.is_nan()).then_some(cost)
}

/// How a search ended, as the program tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SaidEnd {
    /// It did not say.
    #[default]
    Nothing,
    /// There is a route.
    Found {
        /// The cells of the route, with both ends; without them, the parents of the events show the route.
        cells: Option<Vec<Cell>>,
        /// The cost of the route in tiles.
        cost: Option<f64>,
    },
    /// There is no route.
    Exhausted,
    /// It could not say: the program failed, or its output cannot be read.
    Failed {
        /// What failed.
        failure: Failure,
        /// A sentence about it.
        words: String,
    },
}

/// Why the end of a search is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// A line cannot be parsed.
    NotUnderstood,
    /// The program failed.
    Crashed,
    /// The program took too long, or told too much.
    TimedOut,
}

/// A search as a program tells it. The events are numbered from 1; the number of the end is one more than theirs.
///
/// ```
/// use emberwalk_path::trace::{SaidEnd, Trace};
/// assert_eq!(Trace::default().end, SaidEnd::Nothing);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The events, in order.
    pub events: Vec<SaidEvent>,
    /// The end.
    pub end: SaidEnd,
}
