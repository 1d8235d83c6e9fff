//! All plugins together.

use bevy_app::{PluginGroup, PluginGroupBuilder};

use super::EmberwalkTransformPlugin;
use crate::EmberwalkPlugin;

/// [`EmberwalkPlugin`], [`EmberwalkTransformPlugin`], and the plugins of the features `tilemap`, `gizmos` and
/// `diagnostics`.
///
/// ```
/// use bevy_app::{App, PluginGroup, Update};
/// use bevy_emberwalk::prelude::*;
/// // Agents that walk in another schedule than the fixed one.
/// App::new().add_plugins(EmberwalkPlugins.set(EmberwalkPlugin::in_schedule(Update)));
/// ```
#[derive(Default)]
pub struct EmberwalkPlugins;

impl PluginGroup for EmberwalkPlugins {
    fn build(self) -> PluginGroupBuilder {
        let group = PluginGroupBuilder::start::<Self>().add(EmberwalkPlugin::default()).add(EmberwalkTransformPlugin);
        #[cfg(feature = "tilemap")]
        let group = group.add(super::EmberwalkTilemapPlugin);
        #[cfg(feature = "gizmos")]
        let group = group.add(super::EmberwalkGizmosPlugin);
        #[cfg(feature = "diagnostics")]
        let group = group.add(super::EmberwalkDiagnosticsPlugin::default());
        group
    }
}
