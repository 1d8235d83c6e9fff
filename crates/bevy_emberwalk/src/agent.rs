//! The components of agents: what a game says, and what it is told.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use emberwalk_path::crowd::{AgentId, AgentSettings, CrowdTime, Step};
use emberwalk_path::grid::{Cell, Direction};

use crate::orders::Noted;

/// An agent that walks on a [`NavGrid`](crate::NavGrid). No two are ever in one cell.
///
/// If its first cell is blocked or taken, it waits until that is free: its [`NavState`] is then `Unplaced`.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(Goal, GridPosition, NavState, Placement)]
#[component(on_add = number, on_remove = note_removal)]
pub struct NavAgent {
    /// The cell where it is put on the grid.
    pub start: Cell,
    /// Its kind, which cannot be changed later, its pace and its priority.
    pub settings: AgentSettings,
}

impl NavAgent {
    /// An agent that starts in a cell: of the first kind, at the pace of the grid, with priority 0.
    pub const fn at(x: i32, y: i32) -> Self {
        Self { start: Cell::new(x, y), settings: AgentSettings::new() }
    }

    /// The same agent with another kind, pace or priority.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let hero = NavAgent::at(3, 4).with(AgentSettings::new().with_priority(1));
    /// assert_eq!(hero.settings.priority, 1);
    /// ```
    #[must_use]
    pub const fn with(self, settings: AgentSettings) -> Self {
        Self { settings, ..self }
    }
}

/// The grid of an agent. Without it, an agent walks on the only grid that there is.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct OnGrid(pub Entity);

/// Where an agent goes. Replace it to send the agent elsewhere.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub enum Goal {
    /// Nowhere: it stays where it is and makes way for others.
    #[default]
    None,
    /// To this cell.
    Cell(Cell),
    /// To the one of these cells that is nearest by the cost of the route.
    AnyOf(Vec<Cell>),
    /// To a cell beside this one, which may be blocked, such as a tree.
    Beside(Cell),
    /// Beside another agent of the same grid, also when that walks on.
    Follow(Entity),
    /// To a place near this cell: all agents that get this goal in the same run are a group, and each has a place of its
    /// own.
    Group(Cell),
    /// To these cells in turn, and then from the first one again.
    Patrol(Vec<Cell>),
}

impl Goal {
    /// The goal of a cell.
    pub const fn cell(x: i32, y: i32) -> Self {
        Self::Cell(Cell::new(x, y))
    }
}

/// Lets an agent stay where it is and make way for nobody, whatever its [`Goal`], until the component is removed.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[component(on_remove = note_release)]
pub struct Hold;

/// Where an agent is. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct GridPosition {
    /// The cell that it is nearer to.
    pub cell: Cell,
    /// The step that it is taking or is about to take.
    pub step: Option<Step>,
    /// The direction of its last step.
    pub facing: Option<Direction>,
}

impl GridPosition {
    /// The position at a time of the crowd, in cells: whole numbers are the middles of cells.
    pub fn at(&self, time: CrowdTime) -> Vec2 {
        let point = |cell: Cell| Vec2::new(cell.x as f32, cell.y as f32);
        match self.step {
            Some(step) => point(step.from).lerp(point(step.to), step.progress(time)),
            None => point(self.cell),
        }
    }
}

/// What an agent does. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub enum NavState {
    /// It is not on a grid yet: its first cell is blocked or taken, or there is no grid.
    #[default]
    Unplaced,
    /// It has no goal.
    Idle,
    /// It takes a step towards its goal, or makes way.
    Walking,
    /// It stands although it has not arrived.
    Waiting {
        /// The agent that it waits for, if it waits for one.
        on: Option<Entity>,
        /// Since when, in the time of the crowd.
        since: CrowdTime,
    },
    /// It stands in its goal.
    Arrived,
    /// No route leads to its goal.
    Unreachable,
}

/// Which agent of a crowd an entity is.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct Placement {
    /// The grid and the agent, once it is placed.
    pub(crate) agent: Option<(Entity, AgentId)>,
    /// How many agents there were before. Orders of one run are given in the order of these numbers, whatever entities
    /// the engine chooses.
    pub(crate) number: u64,
}

fn number(mut world: DeferredWorld, context: HookContext) {
    let Some(mut noted) = world.get_resource_mut::<Noted>() else { return };
    let number = noted.added;
    noted.added += 1;
    noted.unplaced.push(context.entity);
    if let Some(mut placement) = world.get_mut::<Placement>(context.entity) {
        placement.number = number;
    }
}

fn note_removal(mut world: DeferredWorld, context: HookContext) {
    let agent = world.get_mut::<Placement>(context.entity).and_then(|mut placement| placement.agent.take());
    if let Some(mut noted) = world.get_resource_mut::<Noted>() {
        noted.removed.extend(agent);
    }
}

fn note_release(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut noted) = world.get_resource_mut::<Noted>() {
        noted.released.push(context.entity);
    }
}
