//! The states of agents, and the reasons why some are on no grid.

use std::fmt;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_crowd::CrowdError;
use emberwalk_path::time::CrowdTime;

/// The activity of an agent. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub enum NavState {
    /// It is on no map, for this reason.
    Unplaced(WhyUnplaced),
    /// It has no goal, or [holds](crate::Hold).
    Idle,
    /// Its route is still searched for, within the [budget](crate::PlanningBudget) of its grid.
    Planning,
    /// It takes a step towards its goal, or makes way. A step can be decided up to some seconds before it starts, so animate an
    /// agent by [`GridPosition::is_moving`](crate::GridPosition::is_moving), or by its changes.
    Walking,
    /// It stands although it has not arrived, perhaps in the middle of a step: because of its speed, of others, or of
    /// an [announced](crate::NavGrid::announce) change. Agents that are not solid do not wait for others.
    Waiting {
        /// The agent that it waits for, if it waits for one.
        #[cfg_attr(feature = "serde", serde(with = "super::saved::optional_entity"))]
        on: Option<Entity>,
        /// Since when, in the time of the grid.
        since: CrowdTime,
    },
    /// It stands in its goal, or rests close to it because others have pushed it off.
    Arrived,
    /// It stands as near to its goal as it can, as no route leads there, see [`Goal::Near`](crate::Goal::Near) and
    /// [`Goal::Group`](crate::Goal::Group).
    Partial,
    /// No route leads to its goal. It continues when a route does.
    Unreachable,
    /// No route leads to its goal, and no step leads out of its cell.
    WalledIn,
}

/// An agent that is new.
impl Default for NavState {
    fn default() -> Self {
        Self::Unplaced(WhyUnplaced::New)
    }
}

impl NavState {
    /// Whether the agent is on its map.
    pub const fn is_placed(self) -> bool {
        !matches!(self, Self::Unplaced(_))
    }

    /// Whether it stays as it is until something else changes.
    pub(crate) fn rests(self) -> bool {
        matches!(self, Self::Idle | Self::Arrived | Self::Partial)
    }
}

/// Why an agent is [`Unplaced`](crate::NavState::Unplaced). It is put on its map as soon as that is possible, and then goes
/// to its [`Goal`](crate::Goal).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn show(agents: Query<(Entity, &NavState), Changed<NavState>>) {
///     for (agent, state) in &agents {
///         if let NavState::Unplaced(why) = state {
///             println!("{agent}: {why}");
///         }
///     }
/// }
/// # let _ = show;
/// ```
// In this order: if several reasons apply, the last one says most.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Default, Clone, Debug, PartialEq, Hash)]
#[non_exhaustive]
pub enum WhyUnplaced {
    /// It is new, or was put elsewhere: the next run puts it on its map.
    #[default]
    New,
    /// There is no map, or none on the entity that its [`OnGrid`](crate::OnGrid) names. Solid agents need a
    /// [`NavGrid`](crate::NavGrid).
    NoMap,
    /// There are several maps, and it has no [`OnGrid`](crate::OnGrid).
    SeveralMaps,
    /// Its map has no such kind of agents.
    NoKind,
    /// Its first cell is off the map.
    OffMap,
    /// Its first cell is blocked, or one of the cells that it takes up.
    Blocked,
    /// Another solid agent is in its first cell or on the way into it, or an edit waits for that cell.
    Taken,
    /// It was on its map, but is now inside a new wall or off the new map, and no other cell has room for it.
    NoRoom,
}

impl fmt::Display for WhyUnplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::New => "it is new",
            Self::NoMap => "there is no map for it",
            Self::SeveralMaps => "there are several maps, and it has no OnGrid",
            Self::NoKind => "its map has no such kind of agents",
            Self::OffMap => "its first cell is off the map",
            Self::Blocked => "its first cell is blocked",
            Self::Taken => "its first cell is taken",
            Self::NoRoom => "no cell of its map has room for it",
        })
    }
}

impl From<CrowdError> for WhyUnplaced {
    fn from(error: CrowdError) -> Self {
        match error {
            CrowdError::NoKind(_) => Self::NoKind,
            CrowdError::Taken(_) => Self::Taken,
            _ => Self::Blocked,
        }
    }
}
