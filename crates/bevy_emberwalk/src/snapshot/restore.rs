//! How a snapshot is restored.

use std::collections::HashMap;

use bevy_ecs::change_detection::{DetectChangesMut, Tick};
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;

use super::{Agent, Map, NavSnapshot, stands_for};
use crate::component::{Numbers, Removed};
use crate::map::{LastMap, MapNumber};
use crate::{AgentNumber, Goal, Hold, NavAgent, NavGrid, OnGrid, PlanningBudget, Solid};

/// The entities of this world, by the numbers of agents and maps.
struct Entities {
    agents: HashMap<u64, Entity>,
    maps: HashMap<u64, Entity>,
}

impl NavSnapshot {
    /// Goes back to the snapshot.
    ///
    /// # Panics
    /// Without the [`EmberwalkPlugin`](crate::EmberwalkPlugin).
    pub fn restore(&self, world: &mut World) {
        let state = &*self.0;
        let entities = self.entities(world);
        state.maps.iter().for_each(|map| map.restore(world, entities.maps[&map.number.into()]));
        state.agents.iter().for_each(|agent| agent.restore(world, &entities));
        let removed = state.removed.iter().filter_map(|(map, id)| Some((*entities.maps.get(&(*map).into())?, *id)));
        // Last, as hooks have noted the changes made here.
        world.resource_mut::<Removed>().0 = removed.collect();
        world.resource_mut::<Numbers>().last = state.last_number;
        world.resource_mut::<LastMap>().0 = state.last_map;
        world.resource_mut::<PlanningBudget>().0 = state.budget;
    }

    /// Despawns newer agents and maps, and spawns missing ones.
    fn entities(&self, world: &mut World) -> Entities {
        let mut entities = Entities { agents: HashMap::new(), maps: HashMap::new() };
        let mut here: HashMap<_, _> =
            world.query::<(&AgentNumber, Entity)>().iter(world).map(|(number, agent)| (number.0, agent)).collect();
        for agent in &self.0.agents {
            let spawn = || world.spawn((AgentNumber(agent.number), agent.nav)).id();
            entities.agents.insert(agent.number, here.remove(&agent.number).unwrap_or_else(spawn));
        }
        for (number, other) in here {
            if world.get::<NavAgent>(other).is_some() {
                world.despawn(other);
            } else {
                entities.agents.insert(number, other);
            }
        }
        let mut here: HashMap<_, _> =
            world.query::<(&MapNumber, Entity)>().iter(world).map(|(number, map)| (number.0, map)).collect();
        for map in &self.0.maps {
            let entity = here.remove(&map.number).unwrap_or_else(|| world.spawn_empty().id());
            if world.get::<NavGrid>(entity).is_none() {
                world.entity_mut(entity).insert(NavGrid::on(map.crowd.clone()));
            }
            world.entity_mut(entity).insert(MapNumber(map.number));
            entities.maps.insert(map.number.into(), entity);
        }
        for newer in here.into_values() {
            if world.get::<NavGrid>(newer).is_some() {
                world.despawn(newer);
            }
        }
        entities
    }
}

impl Map {
    fn restore(&self, world: &mut World, map: Entity) {
        put(&mut world.entity_mut(map), self.clock);
        if let Some(mut grid) = world.get_mut::<NavGrid>(map) {
            grid.restore(self.crowd.clone(), self.layout);
        }
    }
}

impl Agent {
    fn restore(&self, world: &mut World, Entities { agents, maps }: &Entities) {
        let of = |known: &HashMap<u64, Entity>, entity| {
            known.get(&stands_for(entity)).copied().unwrap_or(Entity::PLACEHOLDER)
        };
        let mut saved = self.clone();
        saved.map_entities(|agent| of(agents, agent), |map| of(maps, map));
        let entity = agents[&self.number];
        let mut agent = world.entity_mut(entity);
        // First the components with hooks, which change other components.
        match saved.on {
            Some(on) if agent.get::<OnGrid>() != Some(&on) => _ = agent.insert(on),
            Some(_) => {}
            None => _ = agent.remove::<OnGrid>(),
        }
        if !agent.contains::<NavAgent>() {
            agent.insert(saved.nav);
        }
        match self.is_solid {
            true => agent.insert(Solid),
            false => agent.remove::<Solid>(),
        };
        match self.holds {
            true => agent.insert(Hold),
            false => agent.remove::<Hold>(),
        };
        put(&mut agent, saved.nav);
        put(&mut agent, saved.goal);
        put(&mut agent, saved.placement);
        put(&mut agent, saved.given);
        put(&mut agent, saved.position);
        put(&mut agent, saved.state);
        if !self.is_ordered
            && let Some(mut goal) = agent.get_mut::<Goal>()
        {
            // So old that it is new to no system, not even to a system that has never run.
            let now = goal.last_changed().get();
            goal.set_last_changed(Tick::new(now.wrapping_sub(Tick::MAX.get())));
        }
        if let Some((map, id)) = saved.placement.agent()
            && let Some(mut grid) = world.get_mut::<NavGrid>(map)
        {
            grid.bypass_change_detection().set_entity(id, entity);
        }
    }
}

/// Writes a component.
fn put<C: Component<Mutability = Mutable>>(entity: &mut EntityWorldMut, value: C) {
    if let Some(mut component) = entity.get_mut::<C>() {
        *component = value;
    }
}
