//! Copies of the whole state, to go back to, to save, and to send.

mod checksum;
mod restore;
mod saved;

use std::collections::HashMap;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use emberwalk_crowd::{AgentId, Crowd};
use serde::{Deserialize, Serialize};

use crate::component::{Given, Numbers, Placement, Removed};
use crate::map::{LastMap, MapNumber};
use crate::{
    AgentNumber, CellLayout, Goal, GridPosition, Hold, NavAgent, NavClock, NavGrid, NavState, OnGrid, PlanningBudget,
    Solid,
};

/// The whole state of this crate at one time: grids with their crowds, announced changes, clocks and agents. After it
/// is restored, the same orders give the same moves again.
///
/// A clone takes no time. Taking a snapshot takes O(agents); it shares grids, fields and routes with the world until they
/// change. Take and restore it outside of the schedule in which agents walk.
///
/// Agents and grids are known by their numbers. Agents and grids that have been despawned since are spawned again, with
/// the components of this crate only: a game adds its own components in an observer of `On<Add, NavAgent>`. Newer
/// agents and grids are despawned.
///
/// It can be saved, or sent to another machine, in a format that names its fields, such as JSON, RON or CBOR. A new app
/// loads it, spawns the agents and grids that it lacks, and makes the same moves after the same orders: so a player can
/// join a network game late. A snapshot that is loaded and saved again is the same, to the last byte. The tables of a
/// [prepared](NavGrid::prepared) grid are not saved; without it, searches take longer, and agents may take other routes
/// of the same cost.
///
/// It is a resource, so that it can be registered with libraries that roll games back, such as `bevy_ggrs`: with
/// `rollback_resource_with_clone::<NavSnapshot>()`, [`save`](Self::save) as a system before resources are saved, and
/// [`load`](Self::load) as a system after resources and entities were loaded. Register [`AgentNumber`] with them, too.
///
/// ```
/// use std::time::Duration;
/// use bevy_app::{App, TaskPoolPlugin};
/// use bevy_emberwalk::NavSnapshot;
/// use bevy_emberwalk::prelude::*;
/// use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// let mut app = App::new();
/// app.add_plugins((TaskPoolPlugin::default(), TimePlugin, EmberwalkPlugins));
/// app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
/// app.world_mut().spawn(NavGrid::new(20, 9));
/// let agent = app.world_mut().spawn((NavAgent::at(0, 4), Solid, Goal::cell(19, 4))).id();
/// let cell = |app: &App| app.world().get::<GridPosition>(agent).unwrap().cell;
/// (0..100).for_each(|_| app.update());
/// let (snapshot, then) = (NavSnapshot::take(app.world_mut()), cell(&app));
/// (0..400).for_each(|_| app.update());
/// assert_ne!(cell(&app), then);
/// snapshot.restore(app.world_mut());
/// assert_eq!(cell(&app), then);
/// ```
#[derive(Resource, Clone)]
pub struct NavSnapshot(Arc<State>);

/// In it, agents and maps are named by their [numbers](stand_in).
#[derive(Serialize, Deserialize)]
struct State {
    agents: Vec<Agent>,
    maps: Vec<Map>,
    /// The numbers of maps, and the agents that are to be removed from them.
    removed: Vec<(u32, AgentId)>,
    last_number: u64,
    last_map: u32,
    budget: u64,
}

#[derive(Clone, Serialize, Deserialize)]
struct Agent {
    number: u64,
    nav: NavAgent,
    is_solid: bool,
    holds: bool,
    on: Option<OnGrid>,
    goal: Goal,
    /// Whether the goal was assigned since orders were last given.
    is_ordered: bool,
    placement: Placement,
    given: Given,
    position: GridPosition,
    state: NavState,
}

#[derive(Serialize, Deserialize)]
struct Map {
    number: u32,
    clock: NavClock,
    layout: CellLayout,
    crowd: Crowd,
}

/// The entity that stands for an agent or a map with this number; 0 is none.
fn stand_in(number: u64) -> Entity {
    // No entity has an even number there.
    Entity::from_bits(number << 1 | 1)
}

/// The number for which an entity stands.
fn stands_for(entity: Entity) -> u64 {
    entity.to_bits() >> 1
}

impl Agent {
    /// Replaces all entities that it names: other agents, and its map.
    fn map_entities(&mut self, agent: impl Fn(Entity) -> Entity, map: impl Fn(Entity) -> Entity) {
        self.goal.map_agents(&agent);
        self.given.goal.iter_mut().for_each(|goal| goal.map_agents(&agent));
        if let NavState::Waiting { on: Some(other), .. } = &mut self.state {
            *other = agent(*other);
        }
        self.on.iter_mut().for_each(|on| on.0 = map(on.0));
        self.placement.grid.iter_mut().for_each(|grid| *grid = map(*grid));
    }
}

/// The components of an agent.
type Agents = (
    (&'static AgentNumber, &'static NavAgent, Has<Solid>, Has<Hold>, Option<&'static OnGrid>),
    (Ref<'static, Goal>, &'static Placement, &'static Given, &'static GridPosition, &'static NavState),
);

impl NavSnapshot {
    /// Takes a snapshot.
    ///
    /// # Panics
    /// Without the [`EmberwalkPlugin`](crate::EmberwalkPlugin).
    pub fn take(world: &mut World) -> Self {
        let (now, ordered) = (world.change_tick(), world.resource::<crate::sync::OrderedAt>().0);
        let numbers: HashMap<_, _> =
            world.query::<(Entity, &AgentNumber)>().iter(world).map(|(entity, number)| (entity, number.0)).collect();
        let maps: HashMap<_, _> =
            world.query::<(Entity, &MapNumber)>().iter(world).map(|(entity, number)| (entity, number.0)).collect();
        let agent_of = |entity: Entity| stand_in(numbers.get(&entity).copied().unwrap_or_default());
        let map_of = |entity: Entity| stand_in(maps.get(&entity).copied().unwrap_or_default().into());
        let mut query = world.query::<Agents>();
        let agents =
            query.iter(world).map(|((number, nav, is_solid, holds, on), (goal, placement, given, position, state))| {
                let mut agent = Agent {
                    number: number.0,
                    nav: *nav,
                    is_solid,
                    holds,
                    on: on.copied(),
                    goal: (*goal).clone(),
                    is_ordered: goal.last_changed().is_newer_than(ordered, now),
                    placement: *placement,
                    given: given.clone(),
                    position: *position,
                    state: *state,
                };
                agent.map_entities(agent_of, map_of);
                agent
            });
        let mut agents: Vec<_> = agents.collect();
        agents.sort_unstable_by_key(|agent| agent.number);
        let mut query = world.query::<(&MapNumber, &NavClock, &NavGrid)>();
        let saved = query.iter(world).map(|(number, clock, grid)| Map {
            number: number.0,
            clock: clock.with_finite_speed(),
            layout: *grid.layout(),
            crowd: grid.crowd().clone(),
        });
        let mut saved: Vec<_> = saved.collect();
        saved.sort_unstable_by_key(|map| map.number);
        let removed = world.resource::<Removed>().0.iter().filter_map(|(map, id)| Some((*maps.get(map)?, *id)));
        Self(Arc::new(State {
            agents,
            maps: saved,
            removed: removed.collect(),
            last_number: world.resource::<Numbers>().last,
            last_map: world.resource::<LastMap>().0,
            budget: world.resource::<PlanningBudget>().0,
        }))
    }

    /// A system that takes a snapshot, and inserts it as a resource.
    ///
    /// ```
    /// use bevy_app::{App, Last};
    /// use bevy_emberwalk::NavSnapshot;
    /// App::new().add_systems(Last, NavSnapshot::save);
    /// ```
    pub fn save(world: &mut World) {
        let snapshot = Self::take(world);
        world.insert_resource(snapshot);
    }

    /// A system that goes back to the snapshot resource, if there is one.
    ///
    /// ```
    /// use bevy_app::{App, First};
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::NavSnapshot;
    /// fn is_rolled_back() -> bool {
    ///     // Ask the network.
    ///     false
    /// }
    /// App::new().add_systems(First, NavSnapshot::load.run_if(is_rolled_back));
    /// ```
    pub fn load(world: &mut World) {
        if let Some(snapshot) = world.get_resource::<Self>().cloned() {
            snapshot.restore(world);
        }
    }
}
