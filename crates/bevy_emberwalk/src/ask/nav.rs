//! Queries of a system about its grids and agents.

use std::cmp::Ordering;

use bevy_ecs::entity::Entity;
use bevy_ecs::query::Without;
use bevy_ecs::system::{Query, SystemParam};
use bevy_math::Vec2;
use emberwalk_crowd::{AgentStop, Rest};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Breach, EntryCost, Field, Route, RouteCost};

use super::{OfKind, WhyNot};
use crate::component::Placement;
use crate::{AgentNumber, GridPosition, NavAgent, NavGrid, Solid};

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
    passing: Query<'w, 's, Placed, Without<Solid>>,
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

    /// Questions about the only grid for agents of a kind; see [`NavGrid::of_kind`]. The methods of the same names on
    /// [`Nav`] are for agents of the first kind.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// const CART: usize = 1;
    /// fn can_deliver(nav: Nav) -> bool {
    ///     nav.of_kind(CART).is_some_and(|carts| carts.is_reachable((0, 0), (20, 5)))
    /// }
    /// # let _ = can_deliver;
    /// ```
    pub fn of_kind(&self, kind: usize) -> Option<OfKind<'_>> {
        Some(self.grid()?.of_kind(kind))
    }

    /// See [`OfKind::route`].
    pub fn route(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<Route> {
        self.grid()?.route(from, to)
    }

    /// See [`OfKind::cost`].
    pub fn cost(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<RouteCost> {
        self.of_kind(0)?.cost(from, to)
    }

    /// See [`OfKind::is_reachable`]; `false` without a grid.
    pub fn is_reachable(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> bool {
        self.grid().is_some_and(|grid| grid.is_reachable(from, to))
    }

    /// See [`OfKind::why_not`]; `None` also without a grid.
    pub fn why_not(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<WhyNot> {
        self.grid()?.why_not(from, to)
    }

    /// See [`OfKind::breach`].
    pub fn breach(&self, from: impl Into<Cell>, to: impl Into<Cell>, opened: EntryCost) -> Option<Breach> {
        self.grid()?.breach(from, to, opened)
    }

    /// See [`OfKind::field`].
    pub fn field(&self, to: impl Into<Cell>) -> Option<Field> {
        self.grid()?.field(to)
    }

    /// The cell at a point of the world.
    pub fn cell_at(&self, world: Vec2) -> Option<Cell> {
        self.grid()?.cell_at(world)
    }

    /// An agent that takes up a cell of the only grid: the solid agent, or the first of the agents that pass through
    /// each other. O(agents).
    pub fn agent_at(&self, cell: impl Into<Cell>) -> Option<Entity> {
        let cell = cell.into();
        let (grid_entity, grid) = self.grids.single().ok()?;
        let passing = self.passing.iter().filter(|&(_, agent, placement, position, _)| {
            let side = grid.side_of(agent.settings.kind);
            let (x, y) = cell - position.cell;
            placement.grid == Some(grid_entity) && Size::new(side, side).contains(Cell::new(x, y))
        });
        grid.agent_at(cell).or_else(|| passing.min_by_key(|(.., number)| **number).map(|(entity, ..)| entity))
    }

    /// The agents of the only grid whose middles are at most this many cells from the middle of a cell, the nearest
    /// first; if equally near, by number. O(agents).
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

    /// The nearest agent of [`agents_within`](Self::agents_within) for which `is_wanted` returns `true`, such as an
    /// agent of a team. O(agents), without an allocation. `is_wanted` is called only for agents that come before the
    /// best agent found so far.
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

    /// The rest of an agent's route, without dangers: the cost, and the time if it need not wait. `None` without goal
    /// or route.
    pub fn remaining(&self, agent: Entity) -> Option<Rest> {
        let (grid, id) = self.placements.get(agent).ok()?.2.agent()?;
        self.on(grid)?.crowd().remaining(id)
    }

    /// The route of an agent to its goal, from the cell where it is or which it enters; `None` without goal or route.
    /// It is made on each call. O(cells of the route).
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// fn show_waits(nav: Nav, agents: Query<Entity, With<NavAgent>>) {
    ///     for route in agents.iter().filter_map(|agent| nav.route_of(agent)) {
    ///         println!("{} tiles to go", route.cost.tiles());
    ///         for stop in route.stops.iter().filter(|stop| stop.departure > stop.arrival) {
    ///             println!("waits {:.1} s in {}", stop.departure - stop.arrival, stop.cell);
    ///         }
    ///     }
    /// }
    /// # let _ = show_waits;
    /// ```
    pub fn route_of(&self, agent: Entity) -> Option<AgentRoute> {
        let (grid, id) = self.placements.get(agent).ok()?.2.agent()?;
        let crowd = self.on(grid)?.crowd();
        let stops = crowd.stops(id);
        (!stops.is_empty())
            .then(|| AgentRoute { cost: crowd.remaining(id).map_or(RouteCost::ZERO, |rest| rest.cost), stops })
    }
}

/// The route of an agent, see [`Nav::route_of`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRoute {
    /// Its cells, from the cell where the agent stands or which it enters, with the times of arrival and departure, in
    /// the time of its grid. For [solid](Solid) agents, the times are as if no other agent were in the way.
    pub stops: Vec<AgentStop>,
    /// The cost of the steps that the agent has not begun, without waits and [dangers](NavGrid::set_danger).
    pub cost: RouteCost,
}

impl AgentRoute {
    /// Its cells.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.stops.iter().map(|stop| stop.cell)
    }

    /// When the agent arrives.
    pub fn arrival(&self) -> Option<CrowdTime> {
        self.stops.last().map(|last| last.arrival)
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
    /// The nearest first; if equally near, by number.
    fn order(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.number.cmp(&other.number))
    }
}

/// Where agents are.
type Placed = (Entity, &'static NavAgent, &'static Placement, &'static GridPosition, &'static AgentNumber);
