//! Why agents are on no map.

use std::collections::BTreeMap;
use std::fmt;

use bevy_ecs::change_detection::{DetectChangesMut, Mut};
use bevy_ecs::entity::Entity;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_crowd::CrowdError;
use tracing::warn;

use crate::NavState;

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
// In this order: where several would do, the last one says most.
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
    /// It was on its map, but is inside a new wall or off the new map, and no other cell has room for it.
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

/// The agents that a run has left without a place, by the reason: how many, and the first one. One line each in the log.
#[derive(Default)]
pub(crate) struct LeftOut(BTreeMap<WhyUnplaced, (usize, Option<Entity>)>);

impl LeftOut {
    /// Writes that an agent is on no map, unless that is known.
    pub(crate) fn leave_out(&mut self, agent: Entity, state: &mut Mut<NavState>, why: WhyUnplaced) {
        if state.set_if_neq(NavState::Unplaced(why)) {
            let (count, first) = self.0.entry(why).or_default();
            *count += 1;
            first.get_or_insert(agent);
        }
    }

    pub(crate) fn warn(self) {
        for (why, (count, first)) in self.0 {
            let Some(first) = first.filter(|_| why != WhyUnplaced::New) else { continue };
            match count {
                1 => warn!("the agent {first} is on no map: {why}"),
                _ => warn!("{count} agents are on no map, first {first}: {why}"),
            }
        }
    }
}
