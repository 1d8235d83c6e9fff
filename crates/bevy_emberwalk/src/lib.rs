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
//! The [`Solid`] agents of a grid are a [`Crowd`](emberwalk_crowd::Crowd), which says how they move and what it costs.
//! The others each follow a [`NavRoute`] of their own, at the same pace.

mod agent;
mod ahead;
mod announce;
mod announced;
mod background;
mod clock;
#[cfg(feature = "diagnostics")]
mod diagnostics;
mod edits;
mod events;
#[cfg(feature = "gizmos")]
mod gizmos;
mod grid;
mod groups;
mod layout;
mod map;
mod nav;
mod near;
mod noted;
mod number;
mod orders;
mod outcome;
mod plan;
mod plugin;
mod pursuit;
mod queue;
mod ranges;
mod relation;
#[cfg(feature = "replay")]
mod replay;
mod route;
mod route_search;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "tilemap")]
mod tilemap;
mod transforms;
mod unplaced;
mod walk;

pub use agent::{Goal, GridPosition, Hold, NavAgent, NavState, OnGrid, Solid};
pub use announced::Announced;
pub use background::{AskedRoute, BackgroundPlanner, FoundRoute, GridQuery, Urgency};
pub use clock::NavClock;
#[cfg(feature = "diagnostics")]
pub use diagnostics::EmberwalkDiagnosticsPlugin;
pub use edits::{EditApplied, EditWaits, Edited, WaitingEdit};
pub use emberwalk_crowd;
pub use emberwalk_jobs;
pub use emberwalk_path;
pub use events::{Arrived, Planned, Rerouted, Stuck, Unreachable};
#[cfg(feature = "gizmos")]
pub use gizmos::{EmberwalkGizmosPlugin, NavGizmos};
pub use grid::NavGrid;
pub use layout::CellLayout;
pub use map::{NavMap, PlanningOptions};
pub use nav::{Nav, WhyNot};
pub use number::AgentNumber;
pub use plan::PlanningBudget;
pub use plugin::{EmberwalkPlugin, EmberwalkPlugins, EmberwalkSystems};
#[cfg(feature = "replay")]
pub use replay::{Diverged, NavRecording, NavReplay, NavReplayPlugin, NavSnapshot, RecordingError, replaying};
pub use route::{NavRoute, Reach, RouteStop};
#[cfg(feature = "tilemap")]
pub use tilemap::{EmberwalkTilemapPlugin, TileClass, TileCost};
pub use transforms::EmberwalkTransformPlugin;
pub use unplaced::WhyUnplaced;

/// What most games use.
pub mod prelude {
    pub use emberwalk_crowd::{AgentSettings, Danger, Formation};
    pub use emberwalk_path::EntryCost;
    pub use emberwalk_path::grid::{Cell, Size};
    pub use emberwalk_path::time::{CrowdTime, Pace};

    pub use crate::{
        AgentNumber, Arrived, CellLayout, EditApplied, EditWaits, Edited, EmberwalkPlugin, EmberwalkPlugins,
        EmberwalkSystems, Goal, GridPosition, Hold, Nav, NavAgent, NavClock, NavGrid, NavMap, NavRoute, NavState,
        OnGrid, Planned, PlanningBudget, PlanningOptions, Reach, Rerouted, RouteStop, Solid, Stuck, Unreachable,
        WhyNot, WhyUnplaced,
    };
}

/// The program of the README, which has to compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
