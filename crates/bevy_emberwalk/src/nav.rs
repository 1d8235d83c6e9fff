//! What a game can ask about its grids.

use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, SystemParam};
use bevy_math::Vec2;
use emberwalk_path::crowd::Rest;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Planner, Route, RouteQuery};

use crate::NavGrid;
use crate::agent::Placement;

/// Questions about the only grid of a world; see [`Nav::on`] for several.
///
/// ```
/// use bevy_emberwalk::prelude::*;
/// fn distance_to_the_castle(nav: Nav) {
///     if let Some(route) = nav.route((0, 0), (20, 5)) {
///         println!("{} tiles in {} steps", route.cost.tiles(), route.cells.len() - 1);
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct Nav<'w, 's> {
    grids: Query<'w, 's, (Entity, &'static NavGrid)>,
    placements: Query<'w, 's, &'static Placement>,
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

    /// A cheapest route between two cells, for agents of the first kind; `None` if there is none.
    pub fn route(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<Route> {
        let grid = self.grid()?;
        let options = emberwalk_path::Options::default().with_rules(grid.crowd.rules());
        let query = RouteQuery::new(from.into(), to.into()).with_options(options);
        let mut planner = Planner::new();
        let result = planner.plan(grid.costs(), &query).ok()?;
        Some(result.route?.to_route())
    }

    /// The cell at a point of the world.
    pub fn cell_at(&self, world: Vec2) -> Option<Cell> {
        self.grid()?.cell_at(world)
    }

    /// The agent in a cell.
    pub fn agent_at(&self, cell: impl Into<Cell>) -> Option<Entity> {
        self.grid()?.agent_at(cell)
    }

    /// What is left of the way of an agent: the cost, and the time if it need not wait.
    pub fn rest(&self, agent: Entity) -> Option<Rest> {
        let (grid, id) = self.placements.get(agent).ok()?.agent?;
        self.on(grid)?.crowd.rest(id)
    }
}
