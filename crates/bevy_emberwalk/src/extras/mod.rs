//! Optional parts: transforms, tilemaps, gizmos and diagnostics.

#[cfg(feature = "diagnostics")]
mod diagnostics;
#[cfg(feature = "gizmos")]
mod gizmos;
mod plugins;
#[cfg(feature = "tilemap")]
mod tilemap;
mod transforms;

#[cfg(feature = "diagnostics")]
pub use diagnostics::EmberwalkDiagnosticsPlugin;
#[cfg(feature = "gizmos")]
pub use gizmos::{EmberwalkGizmosPlugin, NavGizmos};
pub use plugins::EmberwalkPlugins;
#[cfg(feature = "tilemap")]
pub use tilemap::{EmberwalkTilemapPlugin, TileClass, TileCost};
pub use transforms::EmberwalkTransformPlugin;
