//! What agents tell observers.

use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use bevy_reflect::Reflect;
use emberwalk_path::RouteCost;
use emberwalk_path::grid::Cell;

/// An agent stands in its goal. This happens again if it had to make way and has come back.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((NavAgent::at(4, 7), Goal::cell(50, 30))).observe(|arrived: On<Arrived>| println!("it is in {}", arrived.cell));
/// }
/// # let _ = setup;
/// ```
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
    /// Where it stands.
    pub cell: Cell,
}

/// An agent that is not [`Solid`](crate::Solid) follows another route to the same goal, because the map has changed.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((NavAgent::at(4, 7), Goal::cell(50, 30))).observe(|rerouted: On<Rerouted>| println!("{} tiles to go", rerouted.cost.tiles()));
/// }
/// # let _ = setup;
/// ```
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
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((NavAgent::at(4, 7), Goal::cell(50, 30))).observe(|lost: On<Unreachable>| println!("{} stays where it is", lost.entity));
/// }
/// # let _ = setup;
/// ```
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Unreachable {
    /// The agent.
    pub entity: Entity,
}

/// A solid agent has not come nearer to its goal for several seconds. This happens once for each goal.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((NavAgent::at(4, 7), Solid, Goal::cell(50, 30))).observe(|stuck: On<Stuck>| println!("it waits for {:?}", stuck.waits_for));
/// }
/// # let _ = setup;
/// ```
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Stuck {
    /// The agent.
    pub entity: Entity,
    /// The agent that it waits for, if it waits for one.
    pub waits_for: Option<Entity>,
}
