//! Events of agents, for observers and for systems that read messages.

use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::message::Message;
use bevy_reflect::Reflect;
use emberwalk_path::grid::Cell;

/// Where an agent has arrived.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Clone, Debug, PartialEq)]
pub enum Reach {
    /// In its goal.
    Goal,
    /// In the reachable cell that is nearest to its goal, which is unreachable.
    Nearest,
}

/// An agent stands in its goal, or as near to it as it can. This happens once for each order, and again
///
/// - at each stop of a [patrol](crate::Goal::Patrol), and at each goal of a [queue](crate::Goal::Queue);
/// - when an agent that went [near](crate::Goal::Near) its goal or with a [group](crate::Goal::Group) has come nearer,
///   because a route has opened;
/// - when an agent whose goal is about another agent has caught up with it: if it [follows](crate::Goal::Follow) a
///   walking agent, about once per second;
/// - when the same goal is assigned again, even where it stands: that is a new order;
/// - when it has become [`Solid`](crate::Solid) or ceased to be, or its kind or its grid has changed, as it then begins again.
///
/// It does not happen again when an agent that others have pushed off comes back, or after it has [held](crate::Hold).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((NavAgent::at(4, 7), Goal::cell(50, 30))).observe(|arrived: On<Arrived>| println!("it is in {}", arrived.cell));
/// }
/// # let _ = setup;
/// ```
#[derive(EntityEvent, Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
    /// Where it stands.
    pub cell: Cell,
    /// Whether that is its goal, or the reachable cell that is nearest to it.
    pub reach: Reach,
}

/// No route leads an agent to its goal. It stays where it is, or goes as near as it can if its goal is
/// [`Goal::Near`](crate::Goal::Near) or [`Goal::Group`](crate::Goal::Group), and continues when a route leads there
/// again. The event is sent once until then. Meanwhile a [`Solid`](crate::Solid) agent makes way for others. The event
/// is not sent while an [announced](crate::NavGrid::announce) change is going to open a route.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((NavAgent::at(4, 7), Goal::cell(50, 30))).observe(|lost: On<Unreachable>| println!("{} stays where it is", lost.entity));
/// }
/// # let _ = setup;
/// ```
#[derive(EntityEvent, Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(EntityEvent, Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Stuck {
    /// The agent.
    pub entity: Entity,
    /// The agent that it waits for, if it waits for one.
    pub waits_for: Option<Entity>,
}
