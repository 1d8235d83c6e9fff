//! What a game can ask about its grids.

use std::cmp::Ordering;
use std::fmt;

use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, SystemParam};
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use emberwalk_crowd::Rest;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Breach, EntryCost, Field, FieldQuery, QueryError, Route, RouteCost, RouteQuery};

use crate::agent::Placement;
use crate::route::cost_of_steps;
use crate::{AgentNumber, GridPosition, NavAgent, NavGrid, NavMap};

/// Questions about the only grid of a world. [`Nav::on`] returns one of several, and a [`NavGrid`] answers the same
/// questions.
///
/// ```
/// use bevy_emberwalk::prelude::*;
/// fn distance_to_the_castle(nav: Nav) {
///     if let Some(route) = nav.route((0, 0), (20, 5)) {
///         println!("{} tiles in {} steps", route.cost.tiles(), route.cells.len() - 1);
///     }
/// }
/// # let _ = distance_to_the_castle;
/// ```
#[derive(SystemParam)]
pub struct Nav<'w, 's> {
    grids: Query<'w, 's, (Entity, &'static NavGrid)>,
    placements: Query<'w, 's, Placed>,
}

impl Nav<'_, '_> {
    /// The only grid; `None` if there is none, or more than one.
    pub fn grid(&self) -> Option<&NavGrid> {
        self.grids.single().ok().map(|(_, grid)| grid)
    }

    /// The grid of an entity.
    pub fn on(&self, grid: Entity) -> Option<&NavGrid> {
        self.grids.get(grid).ok().map(|(_, grid)| grid)
    }

    /// See [`NavGrid::route`].
    pub fn route(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<Route> {
        self.grid()?.route(from, to)
    }

    /// The cost of a cheapest route between two cells, for agents of the first kind; `None` if there is none.
    pub fn cost(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<RouteCost> {
        Some(self.route(from, to)?.cost)
    }

    /// See [`NavGrid::is_reachable`]; `false` without a grid.
    pub fn is_reachable(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> bool {
        self.grid().is_some_and(|grid| grid.is_reachable(from, to))
    }

    /// See [`NavGrid::why_not`]; `None` also without a grid.
    pub fn why_not(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<WhyNot> {
        self.grid()?.why_not(from, to)
    }

    /// See [`NavGrid::breach`].
    pub fn breach(&self, from: impl Into<Cell>, to: impl Into<Cell>, opened: EntryCost) -> Option<Breach> {
        self.grid()?.breach(from, to, opened)
    }

    /// See [`NavGrid::field`].
    pub fn field(&self, to: impl Into<Cell>) -> Option<Field> {
        self.grid()?.field(to)
    }

    /// The cell at a point of the world.
    pub fn cell_at(&self, world: Vec2) -> Option<Cell> {
        self.grid()?.cell_at(world)
    }

    /// An agent that takes up a cell of the only grid: the solid one, or the first of those that pass through each other.
    /// O(agents).
    pub fn agent_at(&self, cell: impl Into<Cell>) -> Option<Entity> {
        let cell = cell.into();
        let (grid_entity, grid) = self.grids.single().ok()?;
        let passing = self.placements.iter().filter(|(_, agent, placement, position, _)| {
            let side = grid.side_of(agent.settings.kind);
            let (x, y) = cell - position.cell;
            let covers = Size::new(side, side).contains(Cell::new(x, y));
            placement.grid == Some(grid_entity) && placement.id.is_none() && covers
        });
        grid.agent_at(cell).or_else(|| passing.min_by_key(|(.., number)| **number).map(|(entity, ..)| entity))
    }

    /// The agents of the only grid whose middles are at most so many cells from the middle of a cell, the nearest first, and
    /// of those that are equally near the one with the lowest number. O(agents).
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// #[derive(Component)]
    /// struct Enemy;
    /// fn aim(nav: Nav, enemies: Query<&Enemy>) {
    ///     let target = nav.agents_within((12, 8), 6.0).into_iter().find(|&agent| enemies.contains(agent));
    ///     println!("{target:?}");
    /// }
    /// # let _ = aim;
    /// ```
    pub fn agents_within(&self, cell: impl Into<Cell>, radius: f32) -> Vec<Entity> {
        let mut found: Vec<_> = self.near(cell.into(), radius).collect();
        found.sort_unstable_by(Near::order);
        found.into_iter().map(|near| near.agent).collect()
    }

    /// The nearest agent of [`agents_within`](Self::agents_within) for which `is_wanted` returns `true`, such as one of a team.
    /// O(agents), without an allocation. `is_wanted` is called only for agents that come before the best one found so far.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// #[derive(Component, PartialEq)]
    /// struct Team(u8);
    /// fn aim(towers: Query<(&Block, &Team)>, nav: Nav, teams: Query<&Team>) {
    ///     for (tower, team) in &towers {
    ///         let is_enemy = |agent| teams.get(agent).is_ok_and(|other| other != team);
    ///         let target = nav.nearest_agent(tower.0, 6.0, is_enemy);
    ///         println!("{target:?}");
    ///     }
    /// }
    /// # #[derive(Component)]
    /// # struct Block(Cell);
    /// # let _ = aim;
    /// ```
    pub fn nearest_agent(
        &self,
        cell: impl Into<Cell>,
        radius: f32,
        mut is_wanted: impl FnMut(Entity) -> bool,
    ) -> Option<Entity> {
        let mut nearest: Option<Near> = None;
        for near in self.near(cell.into(), radius) {
            if nearest.is_none_or(|nearest| near.order(&nearest).is_lt()) && is_wanted(near.agent) {
                nearest = Some(near);
            }
        }
        nearest.map(|near| near.agent)
    }

    /// The agents within a radius, in no order.
    fn near(&self, middle: Cell, radius: f32) -> impl Iterator<Item = Near> {
        self.grids.single().into_iter().flat_map(move |(grid_entity, grid)| {
            let on_grid =
                self.placements.iter().filter(move |(_, _, placement, ..)| placement.grid == Some(grid_entity));
            on_grid.filter_map(move |(agent, nav, _, position, &number)| {
                let half = (grid.side_of(nav.settings.kind) - 1) as f32 / 2.0;
                let (x, y) = position.cell - middle;
                let distance = Vec2::new(x as f32 + half, y as f32 + half).length();
                (distance <= radius).then_some(Near { distance, number, agent })
            })
        })
    }

    /// What is left of the way of a solid agent, without dangers: the cost, and the time if it need not wait.
    pub fn remaining(&self, agent: Entity) -> Option<Rest> {
        let (grid, id) = self.placements.get(agent).ok()?.2.agent()?;
        self.on(grid)?.crowd().remaining(id)
    }
}

/// An agent near a cell.
#[derive(Clone, Copy)]
struct Near {
    distance: f32,
    number: AgentNumber,
    agent: Entity,
}

impl Near {
    /// The nearest first, and of those that are equally near the one with the lowest number.
    fn order(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.number.cmp(&other.number))
    }
}

/// Where agents are.
type Placed = (Entity, &'static NavAgent, &'static Placement, &'static GridPosition, &'static AgentNumber);

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

/// Questions, for agents of the first kind.
impl NavGrid {
    fn query(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> RouteQuery {
        RouteQuery::new(from.into(), to.into()).with_options(self.options())
    }

    /// A cheapest route between two cells, as agents would take it who pass through others; `None` if there is none. With
    /// [dangers](Self::set_danger) it has the lowest sum of costs and dangers. Its cost is that of its steps alone.
    pub fn route(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<Route> {
        self.route_of_kind(0, from, to)
    }

    /// The same, for agents of a kind.
    pub fn route_of_kind(&self, kind: usize, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<Route> {
        let query = self.query(from, to);
        let mut route =
            self.ask(kind, |planner, costs| Some(planner.plan(costs, &query).ok()?.route?.to_route()))??;
        let costs = self.costs_of(kind)?;
        if self.planned_costs_of(kind)?.stamp() != costs.stamp() {
            route.cost = cost_of_steps(query.options.rules, costs, &route.cells);
        }
        Some(route)
    }

    /// Whether a route leads from one cell to another, for agents of the first kind, without looking for one.
    pub fn is_reachable(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> bool {
        self.why_not(from, to).is_none()
    }

    /// Why no route leads from one cell to another, for agents of the first kind; `None` if one does.
    pub fn why_not(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<WhyNot> {
        let query = self.query(from, to);
        match self.ask(0, |planner, costs| planner.lower_bound(costs, &query))? {
            Ok(Some(_)) => None,
            Ok(None) => Some(WhyNot::Separated),
            Err(error) => Some(WhyNot::Cell(error)),
        }
    }

    /// The fewest blocked cells that would have to be opened, at this cost of entering them, for a route between two
    /// cells; `None` if that does not help. Its cost has the [dangers](Self::set_danger).
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(9, 5);
    /// grid.set_area((4, 0), Size::new(1, 5), None);
    /// let breach = grid.breach((0, 2), (8, 2), EntryCost::TILE).unwrap();
    /// assert_eq!(breach.opened, [Cell::new(4, 2)]);
    /// ```
    pub fn breach(&self, from: impl Into<Cell>, to: impl Into<Cell>, opened: EntryCost) -> Option<Breach> {
        let query = self.query(from, to);
        self.ask(0, |planner, costs| planner.breach(costs, &query, |_| Some(opened)).ok()?)?
    }

    /// The lowest costs of all routes to a cell, with [dangers](Self::set_danger), for agents of the first kind: one search for
    /// any number of questions.
    /// `None` if it is blocked or off the grid.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let field = NavGrid::new(9, 1).field((8, 0)).unwrap();
    /// assert_eq!(field.cost(Cell::new(2, 0)).unwrap().tiles(), 6.0);
    /// ```
    pub fn field(&self, to: impl Into<Cell>) -> Option<Field> {
        let mut field = Field::new();
        let query = FieldQuery::routes_to(to.into()).with_rules(self.options().rules);
        field.compute(self.planned_costs_of(0)?, &query).ok()?;
        Some(field)
    }
}
