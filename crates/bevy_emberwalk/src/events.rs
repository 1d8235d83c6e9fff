//! What agents tell observers.

use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use bevy_reflect::Reflect;
use emberwalk_path::RouteCost;
use emberwalk_path::grid::Cell;

/// An agent stands in its goal. This happens again if it had to make way and has come back.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
    /// Where it stands.
    pub cell: Cell,
}

/// An agent that is not [`Solid`](crate::Solid) follows another route to the same goal, because the map has changed.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Rerouted {
    /// The agent.
    pub entity: Entity,
    /// The cost of the new route, from the cell that the agent enters or in which it stands.
    pub cost: RouteCost,
}

/// No route leads an agent to its goal. It stays where it is, makes way for others, and goes on when a route leads there
/// again.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Unreachable {
    /// The agent.
    pub entity: Entity,
}

/// A solid agent has not come nearer to its goal for several seconds. This happens once for each goal.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Stuck {
    /// The agent.
    pub entity: Entity,
    /// The agent that it waits for, if it waits for one.
    pub waits_for: Option<Entity>,
}
