//! Copies of the whole state, to go back to.

mod saved;
mod saved_walk;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Tick};
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use emberwalk_crowd::Crowd;
use emberwalk_path::hash::mixed;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Options, Planner};
use serde::{Deserialize, Serialize};

use super::hash::StateHash;
use super::recorder::Note;
use super::{NavRecording, NavReplay, numbered_agents, numbered_maps};
use crate::agent::Placement;
use crate::ahead::AheadPlanners;
use crate::announced::Announcements;
use crate::edits::Edit;
use crate::noted::Noted;
use crate::number::{MapNumber, Numbers};
use crate::plan::Planners;
use crate::route_search::Walk;
use crate::{
    AgentNumber, CellLayout, Goal, GridPosition, Hold, NavAgent, NavClock, NavGrid, NavRoute, NavState, OnGrid,
    PlanningBudget, PlanningOptions, Solid,
};

/// The whole state of this crate at one time: maps, what is announced, clocks, agents, their routes, and what they plan.
/// After it was restored, the same orders give the same moves again. It needs the [`NavReplayPlugin`](crate::NavReplayPlugin).
///
/// A clone takes no time. Taking a snapshot takes O(agents); it shares grids, fields and the last routes of searches with the
/// world until they change. Take and restore it outside of the schedule in which agents walk.
///
/// Agents and grids are known by their numbers. Those that have been despawned since are spawned again, with the components
/// of this crate alone: a game adds its own ones in an observer of `On<Add, NavAgent>`. Newer agents are despawned. What the
/// [`NavReplay`](crate::NavReplay) has recorded since is dropped; while it plays a recording, it plays that from there.
/// Maps of other types are not part of it, apart from their clocks.
///
/// It can be saved, or sent to another machine, in a format that names its fields, such as JSON, RON or CBOR. An app that was
/// made anew loads it, spawns the agents and grids that it does not have, and makes the same moves after the same orders: so
/// a player can join a game in a network late. What the app has recorded before is dropped: its recording begins there, and
/// is played after the snapshot was restored again. Not saved is what a grid was [prepared](NavGrid::prepared) with;
/// without it, searches take longer, and agents may take other routes of the same cost. Agents on maps of other types
/// plan their routes again.
///
/// A search that goes on over several runs, because of the [`PlanningBudget`], goes on from where it was, and has its answer
/// in the same run. One of a [`BackgroundPlanner`](crate::BackgroundPlanner) is begun again; when its answer is there depends
/// on the machine, as always. Routes without a search in the background are the same again.
///
/// It is a resource, so that it can be registered with libraries that roll games back, such as `bevy_ggrs`: with
/// `rollback_resource_with_clone::<NavSnapshot>()`, [`save`](Self::save) as a system before resources are saved, and
/// [`load`](Self::load) as one after they and the entities were loaded. Register [`AgentNumber`] with them, too.
///
/// ```
/// use std::time::Duration;
/// use bevy_app::{App, TaskPoolPlugin};
/// use bevy_emberwalk::prelude::*;
/// use bevy_emberwalk::{NavReplayPlugin, NavSnapshot};
/// use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// let mut app = App::new();
/// app.add_plugins((TaskPoolPlugin::default(), TimePlugin, EmberwalkPlugins, NavReplayPlugin::default()));
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

#[derive(Serialize, Deserialize)]
struct State {
    agents: Vec<Agent>,
    maps: Vec<Map>,
    noted: Noted,
    /// See [`Numbers::last`].
    last_number: u64,
    notes: Vec<Note>,
    budget: Saved<u64>,
    options: Saved<Options>,
    runs: u64,
    time: CrowdTime,
    run_time: Option<f64>,
    /// Whether it was loaded, so that its entities may be those of another world.
    #[serde(skip, default = "is_loaded")]
    is_loaded: bool,
}

fn is_loaded() -> bool {
    true
}

/// Whether a component or resource was added or has changed since orders were last given.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Changes {
    is_added: bool,
    is_changed: bool,
}

impl Changes {
    fn of<C>(component: &Ref<C>, is_new: impl Fn(Tick) -> bool) -> Self {
        Self { is_added: is_new(component.added()), is_changed: is_new(component.last_changed()) }
    }

    /// Lets a component count as changed since `old` only if it did then.
    fn restore<C>(self, component: &mut Mut<C>, old: Tick) {
        component.set_last_added(old);
        component.set_last_changed(old);
        if self.is_changed {
            component.set_changed();
        }
        if self.is_added {
            component.set_added();
        }
    }
}

/// A component or resource.
#[derive(Clone, Serialize, Deserialize)]
struct Saved<C> {
    value: C,
    changes: Changes,
}

impl<C: Clone> Saved<C> {
    fn of(component: &Ref<C>, is_new: impl Fn(Tick) -> bool) -> Self {
        Self { value: (**component).clone(), changes: Changes::of(component, is_new) }
    }

    fn restore(&self, mut component: Mut<C>, old: Tick) {
        *component = self.value.clone();
        self.changes.restore(&mut component, old);
    }
}

#[derive(Serialize, Deserialize)]
struct Agent {
    #[serde(with = "crate::saved::entity")]
    entity: Entity,
    number: u64,
    nav: Saved<NavAgent>,
    goal: Saved<Goal>,
    /// Whether the plugin itself has changed it last, see [`Walk::went_on`].
    #[serde(default)]
    went_on: bool,
    hold: Option<Saved<Hold>>,
    is_solid: bool,
    on: Option<OnGrid>,
    placement: Placement,
    position: GridPosition,
    route: NavRoute,
    state: NavState,
    /// Saved [in a form of its own](saved_walk).
    #[serde(skip)]
    walk: Walk,
}

#[derive(Serialize, Deserialize)]
struct Map {
    #[serde(with = "crate::saved::entity")]
    entity: Entity,
    number: u32,
    clock: Saved<NavClock>,
    /// Not saved: they are made again.
    #[serde(skip)]
    planners: Vec<Planner>,
    grid: Option<Grid>,
}

#[derive(Serialize, Deserialize)]
struct Grid {
    crowd: Crowd,
    layout: CellLayout,
    edits: Option<Vec<Edit>>,
    #[serde(default)]
    announcements: Announcements,
    changes: Changes,
}

/// The components of an agent.
type Agents = (
    Entity,
    &'static AgentNumber,
    Ref<'static, NavAgent>,
    Ref<'static, Goal>,
    Option<Ref<'static, Hold>>,
    Has<Solid>,
    Option<&'static OnGrid>,
    (&'static Placement, &'static GridPosition, &'static NavRoute, &'static NavState, &'static Walk),
);

type Maps = (Entity, &'static MapNumber, Ref<'static, NavClock>, &'static Planners, Option<Ref<'static, NavGrid>>);

impl NavSnapshot {
    /// Takes a snapshot.
    ///
    /// # Panics
    /// Without the [`NavReplayPlugin`](crate::NavReplayPlugin).
    pub fn take(world: &mut World) -> Self {
        let now = world.change_tick();
        let replay = world.resource::<NavReplay>();
        let synced = replay.synced;
        let (notes, runs, time, run_time) = (replay.notes.clone(), replay.runs, replay.time, replay.run_time);
        let is_new = |tick: Tick| tick.is_newer_than(synced, now);
        let mut agents: Vec<_> = world
            .query::<Agents>()
            .iter(world)
            .map(|(entity, number, nav, goal, hold, is_solid, on, (placement, position, route, state, walk))| Agent {
                entity,
                number: number.0,
                nav: Saved::of(&nav, is_new),
                goal: Saved::of(&goal, is_new),
                went_on: walk.went_on == Some(goal.last_changed()),
                hold: hold.map(|hold| Saved::of(&hold, is_new)),
                is_solid,
                on: on.copied(),
                placement: *placement,
                position: *position,
                route: route.clone(),
                state: *state,
                walk: walk.clone(),
            })
            .collect();
        agents.sort_unstable_by_key(|agent| agent.number);
        let searching: HashSet<_> =
            agents.iter().filter(|agent| agent.walk.is_searching()).filter_map(|agent| agent.placement.grid).collect();
        let mut maps: Vec<_> = world
            .query::<Maps>()
            .iter(world)
            .map(|(entity, number, clock, planners, grid)| Map {
                entity,
                number: number.0,
                clock: Saved::of(&clock, is_new),
                // The memory of a search is only needed to go on with it.
                planners: match searching.contains(&entity) {
                    true => planners.0.clone(),
                    false => planners.0.iter().map(|planner| Planner::with_tables(planner.tables())).collect(),
                },
                grid: grid.map(|grid| Grid {
                    crowd: grid.crowd.clone(),
                    layout: *grid.layout(),
                    edits: grid.edits.clone(),
                    announcements: grid.announcements.clone(),
                    changes: Changes::of(&grid, is_new),
                }),
            })
            .collect();
        maps.sort_unstable_by_key(|map| map.number);
        Self(Arc::new(State {
            agents,
            maps,
            noted: world.resource::<Noted>().clone(),
            last_number: world.resource::<Numbers>().last,
            notes,
            budget: Saved::of(&world.resource_ref::<PlanningBudget>().map(|budget| &budget.0), is_new),
            options: Saved::of(&world.resource_ref::<PlanningOptions>().map(|options| &options.0), is_new),
            runs,
            time,
            run_time,
            is_loaded: false,
        }))
    }

    /// When it was taken, in the [time of the game](crate::NavReplay::time).
    pub fn time(&self) -> CrowdTime {
        self.0.time
    }

    /// A checksum of the state, the same on every machine and in every build with the same version of this crate: two players
    /// whose checksums of one tick differ do not play the same game any more. O(agents), some 10 ns for each.
    pub fn checksum(&self) -> u64 {
        let StateHash { agents, maps } = self.0.hash();
        mixed([agents.hash(), maps])
    }

    /// Goes back to the snapshot. If it was loaded, the [`NavReplay`](crate::NavReplay) begins to record again.
    ///
    /// # Panics
    /// Without the [`NavReplayPlugin`](crate::NavReplayPlugin).
    pub fn restore(&self, world: &mut World) {
        let state = &*self.0;
        // So old that it is new to no system, not even to one that has never run.
        let old = Tick::new(world.change_tick().get().wrapping_sub(Tick::MAX.get()));
        let entities = state.entities(world);
        state.maps.iter().for_each(|map| map.restore(world, &entities, old));
        state.agents.iter().for_each(|agent| agent.restore(world, &entities, old));
        for (agent, map, id) in state.agents.iter().filter_map(|agent| {
            let (map, id) = agent.placement.agent()?;
            Some((entities.of(agent.entity), entities.of(map), id))
        }) {
            if let Some(mut grid) = world.get_mut::<NavGrid>(map).filter(|grid| grid.crowd().state(id).is_some()) {
                grid.bypass_change_detection().set_entity(id, agent);
            }
        }
        state.budget.restore(world.resource_mut::<PlanningBudget>().map_unchanged(|budget| &mut budget.0), old);
        state.options.restore(world.resource_mut::<PlanningOptions>().map_unchanged(|options| &mut options.0), old);
        // At last, as hooks and observers have noted what was done here.
        let mut noted = state.noted.clone();
        let Noted { unplaced, placed, removed, released, pursuers, lost_maps, .. } = &mut noted;
        let agents = unplaced.iter_mut().chain(placed).chain(released).chain(pursuers).chain(lost_maps);
        agents.chain(removed.iter_mut().map(|(map, _)| map)).for_each(|entity| *entity = entities.of(*entity));
        *world.resource_mut::<Noted>() = noted;
        world.resource_mut::<Numbers>().last = state.last_number;
        let mut replay = world.resource_mut::<NavReplay>();
        if state.is_loaded && !replay.is_playing() {
            replay.recording = NavRecording::default();
        }
        replay.go_back(state.runs, state.time, state.run_time);
        replay.notes = state.notes.clone();
        replay.notes.iter_mut().for_each(|note| note.agent = entities.of(note.agent));
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

    /// A system that goes back to the snapshot that is a resource, if there is one.
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

/// Which entities agents and maps have now, by those that they had.
struct Entities {
    now: HashMap<Entity, Entity>,
    /// Whether those that are neither may be anything here.
    are_foreign: bool,
}

impl Entities {
    fn of(&self, entity: Entity) -> Entity {
        let same = if self.are_foreign { Entity::PLACEHOLDER } else { entity };
        self.now.get(&entity).copied().unwrap_or(same)
    }
}

impl State {
    /// The hash of the state.
    fn hash(&self) -> StateHash {
        let mut hash = StateHash::default();
        for Agent { number, goal, position, state, route, walk, .. } in &self.agents {
            hash.add_agent(*number, &goal.value, position, state, route, walk);
        }
        for Map { number, clock, grid, .. } in &self.maps {
            hash.add_map(
                MapNumber(*number),
                &clock.value,
                grid.as_ref().map(|grid| (&grid.crowd, &grid.announcements)),
            );
        }
        hash
    }

    /// Despawns newer agents and maps, and spawns those that are gone.
    fn entities(&self, world: &mut World) -> Entities {
        let mut now = HashMap::new();
        let mut here = numbered_agents(world);
        for agent in &self.agents {
            let spawn = || world.spawn((AgentNumber(agent.number), agent.nav.value)).id();
            now.insert(agent.entity, here.remove(&agent.number).unwrap_or_else(spawn));
        }
        for newer in here.into_values() {
            if world.get::<NavAgent>(newer).is_some() {
                world.despawn(newer);
            }
        }
        let mut here = numbered_maps(world);
        for map in &self.maps {
            let spawn = |grid: &Grid| {
                let grid = NavGrid::on(grid.crowd.clone()).with_layout(grid.layout);
                let map_entity = world.spawn(grid).id();
                world.entity_mut(map_entity).insert(MapNumber(map.number));
                map_entity
            };
            let entity = here.remove(&map.number).or_else(|| map.grid.as_ref().map(spawn));
            now.extend(entity.map(|entity| (map.entity, entity)));
        }
        for newer in here.into_values() {
            if world.get::<NavGrid>(newer).is_some() {
                world.despawn(newer);
            }
        }
        Entities { now, are_foreign: self.is_loaded }
    }
}

impl Map {
    fn restore(&self, world: &mut World, entities: &Entities, old: Tick) {
        let entity = entities.of(self.entity);
        let Ok(mut map) = world.get_entity_mut(entity) else { return };
        set(&mut map, &self.clock, old);
        if let Some(mut planners) = map.get_mut::<Planners>() {
            planners.0.clone_from(&self.planners);
        }
        if let Some(mut planners) = map.get_mut::<AheadPlanners>() {
            planners.clear();
        }
        if let (Some(grid), Some(mut here)) = (&self.grid, map.get_mut::<NavGrid>()) {
            here.restore(grid.crowd.clone(), grid.layout, grid.announcements.clone());
            here.edits.clone_from(&grid.edits);
            grid.changes.restore(&mut here, old);
        }
    }
}

impl Agent {
    fn restore(&self, world: &mut World, entities: &Entities, old: Tick) {
        let Ok(mut agent) = world.get_entity_mut(entities.of(self.entity)) else { return };
        // First what has hooks, which change other components.
        match self.on.map(|on| OnGrid(entities.of(on.0))) {
            Some(on) if agent.get::<OnGrid>() != Some(&on) => _ = agent.insert(on),
            Some(_) => {}
            None => _ = agent.remove::<OnGrid>(),
        }
        match (self.is_solid, agent.contains::<Solid>()) {
            (true, false) => _ = agent.insert(Solid),
            (false, true) => _ = agent.remove::<Solid>(),
            _ => {}
        }
        match (&self.hold, agent.contains::<Hold>()) {
            (Some(_), false) => _ = agent.insert(Hold),
            (None, true) => _ = agent.remove::<Hold>(),
            _ => {}
        }
        if !agent.contains::<NavAgent>() {
            agent.insert(self.nav.value);
        }
        set(&mut agent, &self.nav, old);
        let mut goal = self.goal.clone();
        goal.value.map_agents(&mut |other| entities.of(other));
        set(&mut agent, &goal, old);
        if let Some(hold) = &self.hold {
            set(&mut agent, hold, old);
        }
        let mut placement = self.placement;
        placement.grid = placement.grid.map(|grid| entities.of(grid));
        let mut state = self.state;
        if let NavState::Waiting { on: Some(other), .. } = &mut state {
            *other = entities.of(*other);
        }
        put(&mut agent, placement);
        put(&mut agent, self.position);
        put(&mut agent, self.route.clone());
        put(&mut agent, state);
        let mut walk = self.walk.clone();
        walk.begun.iter_mut().for_each(|goal| goal.map_agents(&mut |other| entities.of(other)));
        walk.went_on = agent.get_ref::<Goal>().filter(|_| self.went_on).map(|goal| goal.last_changed());
        put(&mut agent, walk);
    }
}

/// Writes a component that the plugin writes.
fn put<C: Component<Mutability = Mutable>>(entity: &mut EntityWorldMut, value: C) {
    if let Some(mut component) = entity.get_mut::<C>() {
        *component = value;
    }
}

/// Writes a component that is an order if it has changed.
fn set<C: Component<Mutability = Mutable> + Clone>(entity: &mut EntityWorldMut, saved: &Saved<C>, old: Tick) {
    if let Some(component) = entity.get_mut::<C>() {
        saved.restore(component, old);
    }
}
