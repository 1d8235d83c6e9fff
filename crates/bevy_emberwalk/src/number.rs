//! The numbers of agents and maps, which are the same on every machine.

use bevy_ecs::component::Component;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

use crate::orders::Noted;

/// The number of an agent. An entity may have another id on another machine, but the number is the same: agents are
/// numbered from 1 in the order in which they are spawned. A game may also give a new agent a number of its own, which no
/// other agent may have.
///
/// Orders of one run take effect in the order of these numbers, and recordings name agents by them.
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
pub struct AgentNumber(pub u64);

/// The number of a map: maps are numbered from 1 in the order in which they are spawned.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(on_add = number_map)]
pub(crate) struct MapNumber(pub(crate) u32);

fn number_map(mut world: DeferredWorld, context: HookContext) {
    let Some(mut noted) = world.get_resource_mut::<Noted>() else { return };
    noted.last_map += 1;
    let next = noted.last_map;
    if let Some(mut number) = world.get_mut::<MapNumber>(context.entity) {
        number.0 = next;
    }
}
