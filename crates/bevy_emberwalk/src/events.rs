//! What agents tell observers.

use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use emberwalk_path::grid::Cell;

/// An agent stands in its goal. This happens again if it had to make way and has come back.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
    /// Where it stands.
    pub cell: Cell,
}

/// No route leads an agent to its goal. It stays where it is, makes way for others, and goes on when a route leads there
/// again.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// The agent.
    pub entity: Entity,
}

/// An agent has not come nearer to its goal for several seconds. This happens once for each goal.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The agent.
    pub entity: Entity,
    /// The agent that it waits for, if it waits for one.
    pub waits_for: Option<Entity>,
}
