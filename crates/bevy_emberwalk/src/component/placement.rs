//! The agent of an entity in a crowd, and its orders there.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use emberwalk_crowd::{AgentId, AgentSettings};

use super::Goal;

/// The agent of an entity, and its grid.
#[derive(Component, Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Placement {
    /// Its grid, once it is placed. It keeps the grid even while it has no cell.
    #[cfg_attr(feature = "serde", serde(with = "super::saved::optional_entity"))]
    pub(crate) grid: Option<Entity>,
    /// The agent of the grid's crowd; `None` while it has no cell.
    pub(crate) id: Option<AgentId>,
    /// The settings with which the crowd knows it.
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

/// The orders of a game that the crowd has got.
#[derive(Component, Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Given {
    /// The goal that the agent has begun; `None` if it still has to begin its goal.
    pub(crate) goal: Option<Goal>,
    /// The other agent of this goal, as it was then.
    pub(crate) about: Option<AgentId>,
    /// Whether it holds.
    pub(crate) holds: bool,
    /// Whether its arrival at this goal was reported.
    pub(crate) has_arrived: bool,
    /// Whether the crowd will report the arrival once more, as the agent got the same goal after it has held.
    pub(crate) arrives_again: bool,
}

impl Given {
    /// Whether it has already begun the current goal of a queue, to which others may have been added.
    pub(crate) fn goes_on_with(&self, goal: &Goal) -> bool {
        matches!(goal, Goal::Queue(_)) && self.goal.as_ref() == Some(goal.current())
    }
}

/// The agents that have gone since the last run, with their grids.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Removed(pub(crate) Vec<(Entity, AgentId)>);
