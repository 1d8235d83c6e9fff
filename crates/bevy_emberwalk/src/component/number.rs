//! The numbers of agents, which are the same on every machine.

use std::collections::HashMap;

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use tracing::warn;

use super::placement::Placement;

/// The number of an agent. An entity may have another id on another machine, but the number is the same: agents are
/// numbered from 1 in the order in which they are spawned. A game may also choose the number of a new agent, from 1 to
/// 2^53. If another entity has that number, or if it is out of range, the agent gets the next number instead, and a
/// warning is logged.
///
/// Orders of one run take effect in the order of these numbers, and snapshots name agents by them. To change a number,
/// insert another one.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn spawn_hero(mut commands: Commands) {
///     commands.spawn((NavAgent::at(4, 7), AgentNumber(1000)));
/// }
/// # let _ = spawn_hero;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[component(on_insert = note_number, on_discard = free_number)]
pub struct AgentNumber(pub u64);

/// The greatest number of an agent. JSON and other formats know all numbers up to this one.
pub(crate) const MAX_NUMBER: u64 = 1 << 53;

/// Which entity has which number.
#[derive(Resource, Default)]
pub(crate) struct Numbers {
    owners: HashMap<u64, Entity>,
    /// The next number is the first free one after this.
    pub(crate) last: u64,
}

impl Numbers {
    /// Gives an entity this number if it is possible and free, and otherwise the next number.
    fn give(&mut self, entity: Entity, wanted: u64) -> u64 {
        let is_possible = (1..=MAX_NUMBER).contains(&wanted);
        let number = if is_possible && self.owners.get(&wanted).is_none_or(|owner| *owner == entity) {
            self.last = self.last.max(wanted);
            wanted
        } else {
            let mut next = (self.last + 1..=MAX_NUMBER).chain(1..);
            self.last = next.find(|number| !self.owners.contains_key(number)).expect("there are fewer entities");
            self.last
        };
        self.owners.insert(number, entity);
        number
    }
}

/// Notes the number of an agent, and gives it the next number if it has none or an impossible one.
pub(crate) fn number_agent(world: &mut DeferredWorld, entity: Entity) {
    let Some(AgentNumber(wanted)) = world.get(entity).copied() else { return };
    let Some(mut numbers) = world.get_resource_mut::<Numbers>() else { return };
    let given = numbers.give(entity, wanted);
    if wanted != given
        && let Some(mut number) = world.get_mut::<AgentNumber>(entity)
    {
        number.0 = given;
        if wanted != 0 {
            warn!("an agent got the number {given}, because {wanted} is taken or more than 2^53");
        }
    }
}

fn note_number(mut world: DeferredWorld, context: HookContext) {
    // An entity that is not an agent yet has no placement; it gets its number when it becomes an agent.
    if world.get::<Placement>(context.entity).is_some() || world.get(context.entity) != Some(&AgentNumber(0)) {
        number_agent(&mut world, context.entity);
    }
}

fn free_number(mut world: DeferredWorld, context: HookContext) {
    let Some(AgentNumber(number)) = world.get(context.entity).copied() else { return };
    let Some(mut numbers) = world.get_resource_mut::<Numbers>() else { return };
    if numbers.owners.get(&number) == Some(&context.entity) {
        numbers.owners.remove(&number);
    }
}

/// Numbers the agents that were spawned before the plugin was added.
pub(crate) fn number_agents(world: &mut World) {
    let mut agents: Vec<_> =
        world.query_filtered::<(Entity, &AgentNumber), With<Placement>>().iter(world).map(|(e, n)| (e, *n)).collect();
    // First the numbers that the game has chosen.
    agents.sort_unstable_by_key(|(entity, number)| (number.0 == 0, entity.index()));
    for (entity, number) in agents {
        world.entity_mut(entity).insert(number);
    }
}
