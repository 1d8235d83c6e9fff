//! Watching a search step by step.

use crate::grid::Cell;
use crate::{CostGrid, RouteCost};

/// A cell was put on the open list: for the first time, or again because a cheaper route to it was found.
///
/// All costs are exact. For breadth-first search, which ignores costs, one step counts as one tile.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::trace::{Opened, SearchObserver};
/// use emberwalk_path::{CostGrid, Planner, RouteQuery};
/// struct Last(Option<Opened>);
/// impl SearchObserver for Last {
///     fn opened(&mut self, event: Opened) {
///         self.0 = Some(event);
///     }
/// }
/// let grid = CostGrid::open(Size::new(3, 1)).unwrap();
/// let mut last = Last(None);
/// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(2, 0));
/// Planner::new().plan_observed(&grid, &query, &mut last).unwrap();
/// let event = last.0.unwrap();
/// assert_eq!((event.cell, event.parent), (Cell::new(2, 0), Some(Cell::new(1, 0))));
/// assert_eq!((event.g.tiles(), event.h.tiles(), event.f.tiles()), (2.0, 0.0, 2.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[non_exhaustive]
pub struct Opened {
    /// The cell.
    pub cell: Cell,
    /// The cell whose expansion opened this one; `None` for the start.
    ///
    /// It is a neighbour, except in a search over jump points: there it is the previous jump point, and the route
    /// between the two goes diagonally first and straight afterwards.
    pub parent: Option<Cell>,
    /// The cost so far: the parent's latest `g` plus the cost of the steps from there.
    pub g: RouteCost,
    /// The estimated cost to the goal, without the weight of weighted A*; 0 for Dijkstra and breadth-first search.
    ///
    /// For [`Algorithm::Auto`](crate::Algorithm::Auto) it is the lower bound that the search used: from landmarks where
    /// there are some, otherwise from the distance.
    pub h: RouteCost,
    /// The key that orders the open list: `g + h`; for weighted A* `g + weight * h`, rounded to whole units; for greedy
    /// search `h`.
    ///
    /// Cells are not closed exactly in the order of `f`: weighted A* rounds its weight down to a multiple of 1/1024,
    /// and the buckets of A* and Dijkstra return keys that are nearly equal in any order.
    pub f: RouteCost,
}

/// A cell was taken off the open list: it was expanded, or it is the goal.
///
/// The parent and the costs are the same as in the last [`Opened`] event of the cell.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::trace::{Closed, SearchObserver};
/// use emberwalk_path::{CostGrid, Planner, RouteQuery};
/// struct Last(Option<Closed>);
/// impl SearchObserver for Last {
///     fn closed(&mut self, event: Closed) {
///         self.0 = Some(event);
///     }
/// }
/// let grid = CostGrid::open(Size::new(3, 1)).unwrap();
/// let mut last = Last(None);
/// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(2, 0));
/// Planner::new().plan_observed(&grid, &query, &mut last).unwrap();
/// let event = last.0.unwrap();
/// assert_eq!((event.cell, event.parent), (Cell::new(2, 0), Some(Cell::new(1, 0))));
/// assert_eq!((event.g.tiles(), event.h.tiles(), event.f.tiles()), (2.0, 0.0, 2.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[non_exhaustive]
pub struct Closed {
    /// The cell.
    pub cell: Cell,
    /// The cell whose expansion opened this one, see [`Opened::parent`]; `None` for the start.
    pub parent: Option<Cell>,
    /// The cost so far, see [`Opened::g`].
    pub g: RouteCost,
    /// The estimated cost to the goal, see [`Opened::h`].
    pub h: RouteCost,
    /// The key that ordered the open list, see [`Opened::f`].
    pub f: RouteCost,
}

impl Closed {
    /// The event with the same cell, parent and costs.
    pub(crate) fn same_as(Opened { cell, parent, g, h, f }: Opened) -> Self {
        Self { cell, parent, g, h, f }
    }
}

/// Receives the events of a search, in order. `()` receives nothing and costs nothing.
///
/// For every route found between two different cells:
/// - a cell is opened before it is closed, and opened again before it is closed again;
/// - the first event opens the start; the last one closes the goal;
/// - there are as many [`Closed`] events as [`expanded`](crate::SearchResult::expanded) cells, plus one for the goal;
/// - the parents of the last [`Opened`] events lead from the goal back to the start, along the route. Its cost is the
///   goal's `g`. It is less only if a parent was opened again at a lower cost after its successor had been opened,
///   which happens only with options that do not guarantee the lowest cost.
///
/// A query whose start is its goal has no events. A query whose goal is unreachable has none either, unless
/// [`SEARCHES_UNREACHABLE`](Self::SEARCHES_UNREACHABLE) asks for a search.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::trace::{Closed, Opened, SearchObserver};
/// use emberwalk_path::{CostGrid, Planner, RouteQuery};
///
/// #[derive(Default)]
/// struct Recorder(Vec<String>);
///
/// impl SearchObserver for Recorder {
///     fn opened(&mut self, event: Opened) {
///         self.0.push(format!("open {}: f = {} + {}", event.cell, event.g, event.h));
///     }
///     fn closed(&mut self, event: Closed) {
///         self.0.push(format!("close {}", event.cell));
///     }
/// }
///
/// let grid = CostGrid::open(Size::new(2, 1)).unwrap();
/// let mut recorder = Recorder::default();
/// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(1, 0));
/// Planner::new().plan_observed(&grid, &query, &mut recorder).unwrap();
/// assert_eq!(recorder.0, ["open 0,0: f = 0 + 1", "close 0,0", "open 1,0: f = 1 + 0", "close 1,0"]);
/// ```
pub trait SearchObserver {
    /// Whether the observer receives events at all. If not, no event is created, and the search is compiled as if there
    /// were no observer.
    const ACTIVE: bool = true;

    /// Whether a search runs even if its goal is known to be unreachable. It then closes every reachable cell and finds
    /// no route. [`Algorithm::Auto`](crate::Algorithm::Auto) runs plain A* in that case.
    const SEARCHES_UNREACHABLE: bool = false;

    /// Called before the first event, with the grid; again if a [`RouteSearch`](crate::RouteSearch) starts over. Does
    /// nothing by default.
    fn began(&mut self, grid: &CostGrid) {
        let _ = grid;
    }

    /// Called after a cell was opened. Does nothing by default.
    fn opened(&mut self, event: Opened) {
        let _ = event;
    }

    /// Called after a cell was closed. Does nothing by default.
    fn closed(&mut self, event: Closed) {
        let _ = event;
    }
}

impl SearchObserver for () {
    const ACTIVE: bool = false;
}

impl<O: SearchObserver> SearchObserver for &mut O {
    const ACTIVE: bool = O::ACTIVE;
    const SEARCHES_UNREACHABLE: bool = O::SEARCHES_UNREACHABLE;

    fn began(&mut self, grid: &CostGrid) {
        (**self).began(grid);
    }

    fn opened(&mut self, event: Opened) {
        (**self).opened(event);
    }

    fn closed(&mut self, event: Closed) {
        (**self).closed(event);
    }
}
