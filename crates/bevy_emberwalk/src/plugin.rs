//! The plugins, and the order of their systems.

use bevy_app::{App, FixedUpdate, Plugin, PluginGroup, PluginGroupBuilder};
use bevy_ecs::intern::Interned;
use bevy_ecs::schedule::{IntoScheduleConfigs, ScheduleLabel, SystemSet};

use crate::transforms::EmberwalkTransformPlugin;
use crate::{orders, outcome};

/// What happens in a run of the schedule, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmberwalkSystems {
    /// New agents are put on their grids, and new goals become orders.
    Sync,
    /// Time passes: agents decide and step, and waiting edits are made.
    Step,
    /// Positions and states are written, and events are triggered.
    Writeback,
}

/// Lets agents walk.
pub struct EmberwalkPlugin {
    schedule: Interned<dyn ScheduleLabel>,
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
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for EmberwalkPlugin {
    fn build(&self, app: &mut App) {
        use EmberwalkSystems::{Step, Sync, Writeback};
        emberwalk_path::reflect::register_types(
            &mut app.world_mut().get_resource_or_init::<bevy_ecs::reflect::AppTypeRegistry>().write(),
        );
        app.init_resource::<orders::Noted>();
        app.configure_sets(self.schedule, (Sync, Step, Writeback).chain());
        app.add_systems(
            self.schedule,
            (
                (orders::remove_agents, orders::add_agents, orders::change_agents, orders::give_orders)
                    .chain()
                    .in_set(Sync),
                outcome::pass_time.in_set(Step),
                (outcome::write_states, outcome::trigger_events).chain().in_set(Writeback),
            ),
        );
    }
}

/// [`EmberwalkPlugin`] and [`EmberwalkTransformPlugin`].
#[derive(Default)]
pub struct EmberwalkPlugins;

impl PluginGroup for EmberwalkPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>().add(EmberwalkPlugin::default()).add(EmberwalkTransformPlugin)
    }
}
