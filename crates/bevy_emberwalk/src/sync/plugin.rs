//! The plugin, and the order of its systems.

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::intern::Interned;
use bevy_ecs::schedule::{IntoScheduleConfigs, ScheduleLabel};

use super::EmberwalkSystems::{Step, Sync, Writeback};
use super::{PlanningBudget, budget, orders, outcome, place, queue, tell};
use crate::component::{Numbers, Removed, number_agents};
use crate::map::{Replaced, number_maps};

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
    /// Lets agents walk in this schedule. The duration of each run is from the generic clock `Time` there: the fixed
    /// timestep in a fixed schedule.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for EmberwalkPlugin {
    fn build(&self, app: &mut App) {
        register_types(app);
        app.init_resource::<Numbers>()
            .init_resource::<Removed>()
            .init_resource::<Replaced>()
            .init_resource::<orders::OrderedAt>()
            .init_resource::<PlanningBudget>();
        // Agents that were spawned before.
        number_agents(app.world_mut());
        number_maps(app.world_mut());
        tell::plugin(app);
        app.configure_sets(self.schedule, (Sync, Step, Writeback).chain());
        app.add_systems(
            self.schedule,
            (
                (
                    budget::set_budgets,
                    place::find_changed,
                    place::remove_agents,
                    place::place_agents,
                    place::change_agents,
                    queue::skip_goals,
                    orders::give_orders,
                )
                    .chain()
                    .in_set(Sync),
                outcome::pass_time.in_set(Step),
                (outcome::note_events, outcome::write_states, queue::go_on, tell::tell).chain().in_set(Writeback),
            ),
        );
    }
}

/// Registers all types for reflection, such as for inspectors.
fn register_types(app: &mut App) {
    use crate::{
        AgentNumber, Arrived, CellLayout, EditApplied, EditWaits, Edited, Goal, GridPosition, Hold, NavAgent, NavClock,
        NavState, OnGrid, Reach, Solid, Stuck, Unreachable, WaitingEdit, WhyUnplaced,
    };
    let registry = app.world_mut().get_resource_or_init::<bevy_ecs::reflect::AppTypeRegistry>();
    emberwalk_path::reflect::register_types(&mut registry.write());
    emberwalk_crowd::reflect::register_types(&mut registry.write());
    app.register_type::<(NavAgent, AgentNumber, OnGrid, Solid, Goal, Hold, GridPosition, NavState, WhyUnplaced)>()
        .register_type::<(Arrived, Reach, Unreachable, Stuck, CellLayout, PlanningBudget, NavClock)>()
        .register_type::<(Edited, WaitingEdit, EditWaits, EditApplied)>();
}
