//! The order of a step of time.

use bevy_ecs::schedule::SystemSet;

/// The sets of systems in a run of the schedule, in their order. Systems of a game may run between the sets.
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
    /// New agents are put on their grids, and new goals become orders.
    Sync,
    /// Time passes: agents find routes and walk, and waiting and announced edits are made.
    Step,
    /// Positions and states are written, and events are triggered.
    Writeback,
}
