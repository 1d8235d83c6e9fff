//! Agents for Bevy games: they walk on weighted grids by cheapest routes, make way for each other, and notice every edit
//! of the map by themselves.
//!
//! A [`NavGrid`] is a map, a [`NavAgent`] walks on it, and a [`Goal`] says where it goes. Goals are values: replace one,
//! and the agent goes there.
//!
//! ```
//! use bevy_app::{App, Startup, TaskPoolPlugin};
//! use bevy_ecs::prelude::*;
//! use bevy_emberwalk::prelude::*;
//! use bevy_time::TimePlugin;
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn(NavGrid::new(64, 48));
//!     commands
//!         .spawn((NavAgent::at(4, 7), Goal::cell(50, 30)))
//!         .observe(|arrived: On<Arrived>| println!("{} is there", arrived.entity));
//! }
//!
//! /// An edit needs no further line: agents find another route.
//! fn build(mut grid: Single<&mut NavGrid>) {
//!     grid.set((20, 10), None);
//! }
//!
//! App::new()
//!     .add_plugins((TaskPoolPlugin::default(), TimePlugin, EmberwalkPlugins))
//!     .add_systems(Startup, setup)
//!     .update();
//! ```
//!
//! # When things happen
//! By default, agents move in [`FixedUpdate`](bevy_app::FixedUpdate), so that the same orders at the same times give the
//! same moves at every frame rate. [`EmberwalkPlugin::in_schedule`] chooses another schedule. In each run, the systems of
//! [`EmberwalkSystems`] follow one another: orders given before `Sync` take effect in the same run.
//!
//! This crate is a shell: components in, states and events out. All agents of a grid walk in a
//! [`Crowd`](emberwalk_crowd::Crowd), whose docs describe their moves and costs: [`Solid`] agents make way for each
//! other, and the others pass through everybody.

mod ask;
mod component;
mod extras;
mod map;
#[cfg(feature = "serde")]
mod snapshot;
mod sync;

pub use ask::{AgentRoute, Nav, OfKind, WhyNot};
pub use component::{
    AgentNumber, Arrived, Goal, GridPosition, Hold, NavAgent, NavState, OnGrid, Reach, Solid, Stuck, Unreachable,
    WhyUnplaced,
};
pub use emberwalk_crowd;
pub use emberwalk_path;
#[cfg(feature = "diagnostics")]
pub use extras::EmberwalkDiagnosticsPlugin;
#[cfg(feature = "gizmos")]
pub use extras::{EmberwalkGizmosPlugin, NavGizmos};
pub use extras::{EmberwalkPlugins, EmberwalkTransformPlugin};
#[cfg(feature = "tilemap")]
pub use extras::{EmberwalkTilemapPlugin, TileClass, TileCost};
pub use map::{CellLayout, EditApplied, EditWaits, Edited, NavClock, NavGrid, WaitingEdit};
#[cfg(feature = "serde")]
pub use snapshot::NavSnapshot;
pub use sync::{EmberwalkPlugin, EmberwalkSystems, PlanningBudget};

/// The items that most games use.
pub mod prelude {
    pub use emberwalk_crowd::{AgentSettings, AgentStop, Danger, Formation};
    pub use emberwalk_path::EntryCost;
    pub use emberwalk_path::grid::{Cell, Size};
    pub use emberwalk_path::time::{CrowdTime, Pace};

    pub use crate::{
        AgentNumber, AgentRoute, Arrived, CellLayout, EditApplied, EditWaits, Edited, EmberwalkPlugin,
        EmberwalkPlugins, EmberwalkSystems, Goal, GridPosition, Hold, Nav, NavAgent, NavClock, NavGrid, NavState,
        OnGrid, PlanningBudget, Reach, Solid, Stuck, Unreachable, WhyNot, WhyUnplaced,
    };
}

/// The programs of the README, which have to compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The program of the guide's page about recordings, which has to run.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../../../docs/src/pathfinder/recordings.md")]
struct Recordings;
