//! What agents tell observers, and systems that read messages.

use std::time::Duration;

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::message::{Message, Messages};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Commands, ResMut, SystemParam};
use bevy_reflect::Reflect;
use emberwalk_path::RouteCost;
use emberwalk_path::grid::Cell;

use crate::background::GridQuery;
use crate::{EditApplied, EditWaits, Reach};

/// What has happened to agents, and is not told yet. The memory is kept.
#[derive(Resource, Default)]
pub(crate) struct Told {
    pub(crate) planned: Vec<Planned>,
    pub(crate) rerouted: Vec<Rerouted>,
    pub(crate) unreachable: Vec<Unreachable>,
    pub(crate) stuck: Vec<Stuck>,
    pub(crate) arrived: Vec<Arrived>,
    pub(crate) edits_wait: Vec<EditWaits>,
    pub(crate) edits_applied: Vec<EditApplied>,
}

/// The messages for systems that read what has happened to many agents at once.
#[derive(SystemParam)]
pub(crate) struct Sent<'w> {
    rerouted: ResMut<'w, Messages<Rerouted>>,
    unreachable: ResMut<'w, Messages<Unreachable>>,
    stuck: ResMut<'w, Messages<Stuck>>,
    arrived: ResMut<'w, Messages<Arrived>>,
    edits_wait: ResMut<'w, Messages<EditWaits>>,
    edits_applied: ResMut<'w, Messages<EditApplied>>,
}

/// Tells observers and readers of messages.
pub(crate) fn tell(mut commands: Commands, mut told: ResMut<Told>, mut sent: Sent) {
    let Told { planned, rerouted, unreachable, stuck, arrived, edits_wait, edits_applied } =
        told.bypass_change_detection();
    planned.drain(..).for_each(|event| commands.trigger(event));
    tell_all(rerouted, &mut commands, &mut sent.rerouted);
    tell_all(unreachable, &mut commands, &mut sent.unreachable);
    tell_all(stuck, &mut commands, &mut sent.stuck);
    tell_all(arrived, &mut commands, &mut sent.arrived);
    tell_all(edits_wait, &mut commands, &mut sent.edits_wait);
    tell_all(edits_applied, &mut commands, &mut sent.edits_applied);
}

fn tell_all<E>(events: &mut Vec<E>, commands: &mut Commands, sent: &mut ResMut<Messages<E>>)
where
    E: for<'a> EntityEvent<Trigger<'a>: Default> + Message + Copy,
{
    if !events.is_empty() {
        events.iter().for_each(|event| commands.trigger(*event));
        sent.write_batch(events.drain(..));
    }
}

/// An agent stands at the end of its route. This happens once for each order. An agent whose goal is about another agent that
/// moves arrives each time that it has caught up: one that [follows](crate::Goal::Follow) a walking one about once per second.
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

/// The route of an agent that is not [`Solid`](crate::Solid) was planned, although perhaps it is the same as before. For logs,
/// and to see what searches cost.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.add_observer(|planned: On<Planned>| println!("to {}: {} cells expanded", planned.end, planned.expanded));
/// }
/// # let _ = setup;
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct Planned {
    /// The agent.
    pub entity: Entity,
    /// What was asked, and on which state of the map. Of several goals, this is the first one.
    pub query: GridQuery,
    /// Where the route leads.
    pub reach: Reach,
    /// Its last cell; that of the agent if there is no route.
    pub end: Cell,
    /// Its cost.
    pub cost: RouteCost,
    /// How many cells it has.
    pub cells: usize,
    /// How many cells the search has expanded; none if the last route is known to be still the cheapest.
    pub expanded: u64,
    /// How long a search in the [background](crate::BackgroundPlanner) has taken; zero for others.
    pub time: Duration,
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
#[derive(EntityEvent, Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct Rerouted {
    /// The agent.
    pub entity: Entity,
    /// The cost of the new route, from the cell that the agent enters or in which it stands.
    pub cost: RouteCost,
}

/// No route leads an agent to its goal. It stays where it is, or goes as near as it can if its goal is
/// [`Goal::Near`](crate::Goal::Near) or [`Goal::Group`](crate::Goal::Group), and goes on when a route leads there again. It
/// is told so once until then. Meanwhile a [`Solid`](crate::Solid) one makes way for others.
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
