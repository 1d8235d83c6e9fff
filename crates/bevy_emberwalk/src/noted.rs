//! What has happened to components since the last run.

use std::collections::HashMap;

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use emberwalk_crowd::AgentId;

use crate::WhyUnplaced;

/// What hooks of components have noted since the last run, which may be several frames ago.
#[derive(Resource, Clone, Default)]
#[cfg_attr(feature = "replay", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Noted {
    /// The highest number of a map.
    pub(crate) last_map: u32,
    /// The agents that are not on their grids yet.
    #[cfg_attr(feature = "replay", serde(with = "crate::saved::entities"))]
    pub(crate) unplaced: Vec<Entity>,
    /// The agents that were put into a crowd in this run.
    #[cfg_attr(feature = "replay", serde(skip))]
    pub(crate) placed: Vec<Entity>,
    /// The agents that are gone, with their grids.
    #[cfg_attr(feature = "replay", serde(with = "crate::saved::removed"))]
    pub(crate) removed: Vec<(Entity, AgentId)>,
    /// The agents that do not hold any more.
    #[cfg_attr(feature = "replay", serde(with = "crate::saved::entities"))]
    pub(crate) released: Vec<Entity>,
    /// The solid agents that got the goal to go near a cell in this run.
    #[cfg_attr(feature = "replay", serde(skip))]
    pub(crate) near: Vec<Entity>,
    /// The solid agents whose goals are about other agents that move.
    #[cfg_attr(feature = "replay", serde(default, with = "crate::saved::entities"))]
    pub(crate) pursuers: Vec<Entity>,
    /// The maps that are gone.
    #[cfg_attr(feature = "replay", serde(with = "crate::saved::entities"))]
    pub(crate) lost_maps: Vec<Entity>,
    /// Why agents could not be put on their maps in this run.
    #[cfg_attr(feature = "replay", serde(skip))]
    pub(crate) reasons: HashMap<Entity, WhyUnplaced>,
}
