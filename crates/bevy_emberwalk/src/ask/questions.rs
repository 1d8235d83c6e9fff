//! Routes between cells, for agents of any kind.

use std::fmt;

use bevy_reflect::Reflect;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Breach, EntryCost, Field, FieldQuery, QueryError, Route, RouteCost, RouteQuery};

use crate::NavGrid;

/// Why no route leads from one cell to another.
///
/// ```
/// use bevy_emberwalk::prelude::*;
/// let mut grid = NavGrid::new(9, 1);
/// grid.set((4, 0), None);
/// assert_eq!(grid.why_not((0, 0), (4, 0)).unwrap().to_string(), "the goal 4,0 is blocked");
/// assert_eq!(grid.why_not((0, 0), (8, 0)), Some(WhyNot::Separated));
/// assert_eq!(grid.why_not((0, 0), (3, 0)), None);
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub enum WhyNot {
    /// One of the two cells is blocked or off the grid.
    Cell(QueryError),
    /// Blocked cells or cliffs lie between them.
    Separated,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell(error) => error.fmt(f),
            Self::Separated => f.write_str("blocked cells or cliffs lie between the two cells"),
        }
    }
}

/// Questions about a [`NavGrid`] for agents of one kind, see [`NavGrid::of_kind`].
///
/// ```
/// use bevy_emberwalk::emberwalk_path::Diagonal;
/// use bevy_emberwalk::emberwalk_path::kinds::{AgentKind, ClassGrid};
/// use bevy_emberwalk::prelude::*;
/// let kinds = [0, 1].map(|class| AgentKind::new().with_cost(class, Some(EntryCost::TILE)));
/// let classes = ClassGrid::from_fn(Size::new(9, 2), Diagonal::GAME, kinds, |cell| cell.y as u8)?;
/// let grid = NavGrid::with_kinds(classes)?;
/// let boats = grid.of_kind(1);
/// assert!(boats.is_reachable((0, 1), (8, 1)) && !grid.is_reachable((0, 1), (8, 1)));
/// assert_eq!(boats.cost((0, 1), (8, 1)).unwrap().tiles(), 8.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct OfKind<'a> {
    grid: &'a NavGrid,
    kind: usize,
}

impl OfKind<'_> {
    fn query(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> RouteQuery {
        RouteQuery::new(from.into(), to.into()).with_options(self.grid.options())
    }

    /// A cheapest route between two cells, as agents that pass through others would take it; `None` if there is no
    /// route, or no such kind. With [dangers](NavGrid::set_danger) it has the lowest sum of costs and dangers. Its cost
    /// is the cost of its steps alone.
    pub fn route(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<Route> {
        let query = self.query(from, to);
        let plan = self.grid.ask(self.kind, |planner, costs| Some(planner.plan(costs, &query).ok()?.route?.to_route()));
        let mut route = plan??;
        let costs = self.grid.costs_of(self.kind)?;
        if self.grid.crowd().grid_with_danger(self.kind)?.stamp() != costs.stamp() {
            let rules = query.options.rules;
            route.cost = route.cells.windows(2).filter_map(|step| rules.step_cost(costs, step[0], step[1])).sum();
        }
        Some(route)
    }

    /// The cost of such a route.
    pub fn cost(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<RouteCost> {
        Some(self.route(from, to)?.cost)
    }

    /// Whether a route leads from one cell to another, without looking for one; `false` if there is no such kind.
    pub fn is_reachable(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> bool {
        let query = self.query(from, to);
        self.grid.ask(self.kind, |planner, costs| matches!(planner.lower_bound(costs, &query), Ok(Some(_))))
            == Some(true)
    }

    /// Why no route leads from one cell to another; `None` if one does, or if there is no such kind.
    pub fn why_not(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<WhyNot> {
        let query = self.query(from, to);
        match self.grid.ask(self.kind, |planner, costs| planner.lower_bound(costs, &query))? {
            Ok(Some(_)) => None,
            Ok(None) => Some(WhyNot::Separated),
            Err(error) => Some(WhyNot::Cell(error)),
        }
    }

    /// The fewest blocked cells that would have to be opened, at this cost of entering them, for a route between two
    /// cells; `None` if that does not help. Its cost includes the [dangers](NavGrid::set_danger).
    pub fn breach(&self, from: impl Into<Cell>, to: impl Into<Cell>, opened: EntryCost) -> Option<Breach> {
        let query = self.query(from, to);
        self.grid.ask(self.kind, |planner, costs| planner.breach(costs, &query, |_| Some(opened)).ok()?)?
    }

    /// The lowest costs of all routes to a cell, with [dangers](NavGrid::set_danger): one search for any number of questions.
    /// `None` if it is blocked or off the grid.
    pub fn field(&self, to: impl Into<Cell>) -> Option<Field> {
        let mut field = Field::new();
        let query = FieldQuery::routes_to(to.into()).with_rules(self.grid.crowd().rules());
        field.compute(self.grid.crowd().grid_with_danger(self.kind)?, &query).ok()?;
        Some(field)
    }
}

/// Questions about routes.
impl NavGrid {
    /// Questions for agents of a kind. The methods of the same names on [`NavGrid`] are for agents of the first kind.
    pub fn of_kind(&self, kind: usize) -> OfKind<'_> {
        OfKind { grid: self, kind }
    }

    /// See [`OfKind::route`].
    pub fn route(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<Route> {
        self.of_kind(0).route(from, to)
    }

    /// See [`OfKind::is_reachable`].
    pub fn is_reachable(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> bool {
        self.of_kind(0).is_reachable(from, to)
    }

    /// See [`OfKind::why_not`].
    pub fn why_not(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<WhyNot> {
        self.of_kind(0).why_not(from, to)
    }

    /// See [`OfKind::breach`].
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(9, 5);
    /// grid.set_area((4, 0), Size::new(1, 5), None);
    /// let breach = grid.breach((0, 2), (8, 2), EntryCost::TILE).unwrap();
    /// assert_eq!(breach.opened, [Cell::new(4, 2)]);
    /// ```
    pub fn breach(&self, from: impl Into<Cell>, to: impl Into<Cell>, opened: EntryCost) -> Option<Breach> {
        self.of_kind(0).breach(from, to, opened)
    }

    /// See [`OfKind::field`].
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let field = NavGrid::new(9, 1).field((8, 0)).unwrap();
    /// assert_eq!(field.cost(Cell::new(2, 0)).unwrap().tiles(), 6.0);
    /// ```
    pub fn field(&self, to: impl Into<Cell>) -> Option<Field> {
        self.of_kind(0).field(to)
    }
}
