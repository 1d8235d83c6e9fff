//! Agents: the components with which a game puts them on a grid.

use std::sync::Once;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_crowd::AgentSettings;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::{CrowdTime, Pace};
use tracing::warn;

use super::number::number_agent;
use super::placement::{Given, Placement, Removed};
use super::{AgentNumber, Goal, GridPosition, NavState};

/// An agent that walks on a [`NavGrid`](crate::NavGrid) by cheapest routes, as a member of the grid's
/// [crowd](crate::NavGrid::crowd). Agents pass through each other unless they are [`Solid`].
///
/// If its first cell is blocked, or taken while it is solid, it waits until the cell is free: its [`NavState`] is then
/// `Unplaced`, with the reason. If its map is replaced, it stays where it is, or is put in the nearest cell that has
/// room for it. Insert the component again to put the agent elsewhere. If it is not solid, and the [`GridPosition`]
/// beside it is in the middle of a step into that cell, as in a saved game, the agent continues that step.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn(NavGrid::new(64, 48));
///     commands.spawn((NavAgent::at(4, 7), Goal::cell(50, 30)));
/// }
/// # let _ = setup;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(AgentNumber, Goal, GridPosition, NavState, Placement, Given)]
#[component(on_insert = place, on_remove = take_off)]
#[must_use]
pub struct NavAgent {
    /// The cell where it is put on the grid.
    pub start: Cell,
    /// Its kind, its pace and its priority, which can be changed at any time. Another pace takes effect in the middle
    /// of a step. An agent whose kind has changed continues from its cell, or from a cell beside it if the new kind has
    /// no room there, and begins its [`Goal`] again. Whether it passes through others depends on [`Solid`] alone.
    #[cfg_attr(feature = "serde", serde(default))]
    pub settings: AgentSettings,
}

impl NavAgent {
    /// An agent that starts in a cell: of the first kind, at the pace of the grid, with priority 0.
    pub const fn at(x: i32, y: i32) -> Self {
        Self { start: Cell::new(x, y), settings: AgentSettings::new() }
    }

    /// The same agent at its own speed, in tiles of cost per second: this many cells per second where a step costs one
    /// tile. The speed of a grid is 1 by default.
    ///
    /// At speed 0 it stands still, even in the middle of a step, and yields to nobody. Negative numbers and NaN count
    /// as 0; the log warns of the first one.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let runner = NavAgent::at(3, 4).with_speed(4.0);
    /// assert_eq!(runner.settings.pace.unwrap().of(EntryCost::TILE.into()).seconds(), 0.25);
    /// let stunned = runner.with_speed(0.0);
    /// assert_eq!(stunned.settings.pace, Some(Pace::STILL));
    /// ```
    pub fn with_speed(self, tiles_per_second: f32) -> Self {
        static WARNS: Once = Once::new();
        if tiles_per_second.is_nan() || tiles_per_second < 0.0 {
            WARNS.call_once(|| warn!("an agent gets the speed {tiles_per_second}, which counts as 0"));
        }
        let pace = match tiles_per_second > 0.0 {
            true => Pace::new(CrowdTime::from_seconds(f64::from(tiles_per_second).recip())),
            false => Pace::STILL,
        };
        self.with(self.settings.with_pace(pace))
    }

    /// Gives it another speed, see [`with_speed`](Self::with_speed), even in the middle of a step. It stays where it
    /// is, while inserting another `NavAgent` would put it in its first cell.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// fn slow_down(mut agents: Query<&mut NavAgent>) {
    ///     agents.iter_mut().for_each(|mut agent| agent.set_speed(0.5));
    /// }
    /// # let _ = slow_down;
    /// ```
    pub fn set_speed(&mut self, tiles_per_second: f32) {
        *self = self.with_speed(tiles_per_second);
    }

    /// The same agent with another kind, pace or priority.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let hero = NavAgent::at(3, 4).with(AgentSettings::new().with_priority(1));
    /// assert_eq!(hero.settings.priority, 1);
    /// ```
    pub const fn with(self, settings: AgentSettings) -> Self {
        Self { settings, ..self }
    }
}

/// Makes an agent solid: no two solid agents are ever in the same cell, and they make way for each other. It can be
/// added and removed at any time; the agent then begins its [`Goal`] again. An agent that becomes solid in the cell of
/// another solid agent is put in the nearest free cell, by the cost of the route. While no free cell can be reached, it
/// waits where it is.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn(NavGrid::new(64, 48));
///     for x in 0..20 {
///         commands.spawn((NavAgent::at(x, 0), Solid, Goal::cell(x, 47)));
///     }
/// }
/// # let _ = setup;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct Solid;

/// The grid of an agent. Without this component, an agent walks on the only grid. Insert it again to put the agent in
/// its first cell on another grid, and remove it to put the agent there on the only grid.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn setup(mut commands: Commands) {
///     let cellar = commands.spawn(NavGrid::new(20, 20)).id();
///     commands.spawn(NavGrid::new(64, 48));
///     commands.spawn((NavAgent::at(3, 3), OnGrid(cellar)));
/// }
/// # let _ = setup;
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Clone, Debug, PartialEq)]
#[component(on_insert = place, on_remove = take_off)]
pub struct OnGrid(#[cfg_attr(feature = "serde", serde(with = "super::saved::entity"))] pub Entity);

/// Makes an agent stay where it is and yield to nobody, whatever its [`Goal`], until the component is removed. Then it
/// goes to its goal again; if it had arrived there before, this is not reported a second time.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct Hold;

/// Puts an agent in its first cell in the next run, and takes it from where it was.
fn place(mut world: DeferredWorld, context: HookContext) {
    number_agent(&mut world, context.entity);
    take_off(world, context);
}

/// Takes an agent off its grid in the next run. If it is still an agent, it is then put in its first cell.
fn take_off(mut world: DeferredWorld, context: HookContext) {
    let taken = world.get_mut::<Placement>(context.entity).and_then(|mut placement| placement.take());
    if let Some(mut removed) = world.get_resource_mut::<Removed>() {
        removed.0.extend(taken);
    }
}
