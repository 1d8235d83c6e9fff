//! The plugins, and the order of their systems.

use bevy_app::{App, FixedUpdate, Plugin, PluginGroup, PluginGroupBuilder};
use bevy_ecs::entity::Entity;
use bevy_ecs::intern::Interned;
use bevy_ecs::schedule::{IntoScheduleConfigs, ScheduleLabel, SystemSet};

use crate::number::Numbers;
use crate::transforms::EmberwalkTransformPlugin;
use crate::{
    AgentNumber, Arrived, EditApplied, EditWaits, NavAgent, NavClock, NavGrid, NavMap, PlanningBudget, PlanningOptions,
    Rerouted, Stuck, Unreachable,
};
use crate::{background, events, groups, near, noted, orders, outcome, plan, pursuit, queue, walk};

/// What happens in a run of the schedule, in this order. Systems of a game may run between the sets.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn open_gates(mut grid: Single<&mut NavGrid>) {
///     grid.set((20, 10), Some(EntryCost::TILE));
/// }
/// // Agents notice it in the same run.
/// App::new().add_plugins(EmberwalkPlugins).add_systems(FixedUpdate, open_gates.before(EmberwalkSystems::Sync));
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmberwalkSystems {
    /// New agents are put on their grids, and new goals of solid agents become orders.
    Sync,
    /// Routes of the other agents are planned whose goals or maps have changed, and their events triggered.
    Plan,
    /// Time passes: agents walk, those of crowds decide where to step, and waiting and announced edits are made.
    Step,
    /// Positions and states are written, and events are triggered.
    Writeback,
}

type Schedule = Interned<dyn ScheduleLabel>;

/// Lets agents walk.
pub struct EmberwalkPlugin {
    schedule: Schedule,
    /// Each lets agents walk on maps of another type.
    maps: Vec<fn(&mut App, Schedule)>,
}

impl Default for EmberwalkPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl EmberwalkPlugin {
    /// Lets agents walk in this schedule. The time of each step is that of the generic clock `Time` there: the fixed
    /// timestep in a fixed schedule.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), maps: Vec::new() }
    }

    /// Lets agents also walk on maps of another type, see [`NavMap`].
    #[must_use]
    pub fn with_map<M: NavMap>(mut self) -> Self {
        self.maps.push(|app, schedule| {
            add_map::<M>(app, schedule);
            app.add_systems(schedule, orders::complete_maps::<M>.in_set(EmberwalkSystems::Sync).before(Steps::Add));
            app.add_systems(schedule, walk::pass_time::<M>.in_set(Steps::Time));
        });
        self
    }
}

/// The parts of [`EmberwalkSystems`] in which the systems for each type of maps run.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Steps {
    Find,
    Add,
    Order,
    Revise,
    Plan,
    Tell,
    Time,
    Walk,
    Change,
    Write,
    Report,
}

impl Plugin for EmberwalkPlugin {
    fn build(&self, app: &mut App) {
        use EmberwalkSystems::{Plan, Step, Sync, Writeback};
        let schedule = self.schedule;
        register_types(app);
        app.init_resource::<noted::Noted>()
            .init_resource::<Numbers>()
            .init_resource::<events::Told>()
            .init_resource::<PlanningBudget>()
            .init_resource::<PlanningOptions>()
            .add_message::<Arrived>()
            .add_message::<Rerouted>()
            .add_message::<Unreachable>()
            .add_message::<Stuck>()
            .add_message::<EditWaits>()
            .add_message::<EditApplied>();
        note_agents(app);
        app.configure_sets(schedule, (Sync, Plan, Step, Writeback).chain());
        app.configure_sets(
            schedule,
            (
                (Steps::Find, Steps::Add, Steps::Order).chain().in_set(Sync),
                (Steps::Revise, Steps::Plan, Steps::Tell).chain().in_set(Plan),
                (Steps::Time, Steps::Walk, Steps::Change).chain().in_set(Step),
                (Steps::Write, Steps::Report).chain().in_set(Writeback),
            ),
        );
        app.add_systems(
            schedule,
            (
                (
                    orders::follow_clocks,
                    orders::set_budgets,
                    orders::find_lost_agents,
                    orders::change_kinds,
                    orders::sort_noted,
                    orders::remove_agents,
                    orders::add_solid,
                )
                    .chain()
                    .in_set(Steps::Find),
                (
                    orders::mark_unplaced,
                    orders::change_agents,
                    queue::skip_goals,
                    orders::give_orders,
                    near::go_near,
                    pursuit::pursue,
                )
                    .chain()
                    .after(Steps::Add)
                    .before(Steps::Order)
                    .in_set(Sync),
                (queue::go_on, events::tell).chain().in_set(Steps::Tell),
                outcome::pass_time.in_set(Steps::Time),
                outcome::pass_changes.run_if(outcome::are_changes_due).in_set(Steps::Change),
                (outcome::write_states, outcome::note_events).chain().in_set(Steps::Write),
                (queue::go_on, events::tell).chain().in_set(Steps::Report),
            ),
        );
        add_map::<NavGrid>(app, schedule);
        outcome::add_changes(app);
        self.maps.iter().for_each(|add| add(app, schedule));
    }
}

/// Lets agents that pass through each other walk on maps of a type.
fn add_map<M: NavMap>(app: &mut App, schedule: Schedule) {
    app.add_observer(orders::note_lost_map::<M>);
    app.add_systems(
        schedule,
        (
            orders::add_passing::<M>.in_set(Steps::Add),
            groups::choose_places::<M>.in_set(Steps::Order),
            walk::revise_steps::<M>.in_set(Steps::Revise),
            plan::plan_routes::<M>.in_set(Steps::Plan),
            walk::walk::<M>.in_set(Steps::Walk),
            // After the planning of this run, which must not be delayed.
            background::prepare::<M>.in_set(EmberwalkSystems::Writeback),
        ),
    );
}

/// Registers all types for reflection, such as for inspectors.
fn register_types(app: &mut App) {
    use crate::{
        CellLayout, Edited, Goal, GridPosition, Hold, NavRoute, NavState, OnGrid, Reach, Solid, WaitingEdit,
        WhyUnplaced,
    };
    let registry = app.world_mut().get_resource_or_init::<bevy_ecs::reflect::AppTypeRegistry>();
    emberwalk_path::reflect::register_types(&mut registry.write());
    emberwalk_crowd::reflect::register_types(&mut registry.write());
    app.register_type::<(NavAgent, AgentNumber, OnGrid, Solid, Goal, Hold, GridPosition, NavRoute, Reach, NavState)>()
        .register_type::<(Arrived, Rerouted, Unreachable, Stuck, CellLayout, PlanningBudget, NavClock)>()
        .register_type::<(WhyUnplaced, Edited, WaitingEdit, EditWaits, EditApplied, PlanningOptions)>();
}

/// Takes note of agents that were spawned before the plugin was added.
fn note_agents(app: &mut App) {
    let world = app.world_mut();
    let mut agents: Vec<_> =
        world.query::<(Entity, &NavAgent)>().iter(world).map(|(entity, agent)| (entity, *agent)).collect();
    agents.sort_unstable_by_key(|(entity, _)| entity.index());
    // First the numbers that the game has chosen.
    for &(entity, _) in &agents {
        if let Some(number @ AgentNumber(1..)) = world.get(entity).copied() {
            world.entity_mut(entity).insert(number);
        }
    }
    for (entity, agent) in agents {
        // This is noted as when it was spawned.
        world.entity_mut(entity).insert(agent);
    }
}

/// [`EmberwalkPlugin`], [`EmberwalkTransformPlugin`], and the plugins of the features `tilemap`, `gizmos` and
/// `diagnostics`.
///
/// ```
/// use bevy_app::{App, PluginGroup, Update};
/// use bevy_emberwalk::prelude::*;
/// // Agents that walk in another schedule than the fixed one.
/// App::new().add_plugins(EmberwalkPlugins.set(EmberwalkPlugin::in_schedule(Update)));
/// ```
#[derive(Default)]
pub struct EmberwalkPlugins;

impl PluginGroup for EmberwalkPlugins {
    fn build(self) -> PluginGroupBuilder {
        let group = PluginGroupBuilder::start::<Self>().add(EmberwalkPlugin::default()).add(EmberwalkTransformPlugin);
        #[cfg(feature = "tilemap")]
        let group = group.add(crate::EmberwalkTilemapPlugin);
        #[cfg(feature = "gizmos")]
        let group = group.add(crate::EmberwalkGizmosPlugin);
        #[cfg(feature = "diagnostics")]
        let group = group.add(crate::EmberwalkDiagnosticsPlugin::default());
        group
    }
}
