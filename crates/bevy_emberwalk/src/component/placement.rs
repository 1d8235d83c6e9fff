//! Which agent of a crowd an entity is, and which orders that has.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use emberwalk_crowd::{AgentId, AgentSettings};

use super::Goal;

/// Which agent an entity is, and where.
#[derive(Component, Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Placement {
    /// Its grid, once it is placed. It stays there, also while it has no cell.
    #[cfg_attr(feature = "serde", serde(with = "super::saved::optional_entity"))]
    pub(crate) grid: Option<Entity>,
    /// The agent of the grid's crowd; `None` while it has no cell.
    pub(crate) id: Option<AgentId>,
    /// How the crowd knows it.
    pub(crate) settings: AgentSettings,
}

impl Placement {
    /// The agent, and its grid.
    pub(crate) fn agent(&self) -> Option<(Entity, AgentId)> {
        self.grid.zip(self.id)
    }

    /// Takes it off its grid, and returns its agent.
    pub(crate) fn take(&mut self) -> Option<(Entity, AgentId)> {
        self.grid.take().zip(self.id.take())
    }
}

/// Which orders of a game the crowd has.
#[derive(Component, Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Given {
    /// The goal that the agent has begun with; `None` if it has to begin with the one that it has.
    pub(crate) goal: Option<Goal>,
    /// The other agent that this goal is about, as it was then.
    pub(crate) about: Option<AgentId>,
    /// Whether it holds.
    pub(crate) holds: bool,
    /// Whether it was told that it has arrived at this goal.
    pub(crate) has_arrived: bool,
    /// Whether the crowd will say that once more, as it got the same goal after it has held.
    pub(crate) arrives_again: bool,
}

impl Given {
    /// Whether it has begun with the current goal of a queue already, behind which others may have been added.
    pub(crate) fn goes_on_with(&self, goal: &Goal) -> bool {
        matches!(goal, Goal::Queue(_)) && self.goal.as_ref() == Some(goal.current())
    }
}

/// The agents that are gone since the last run, with their grids.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Removed(pub(crate) Vec<(Entity, AgentId)>);
