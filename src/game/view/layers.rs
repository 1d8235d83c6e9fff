//! The z coordinates of the layers, of which higher ones are drawn later, and what only one half of the window shows.
//!
//! Tall sprites use z from -256 to 256, see [`emberwalk_picture::iso::Projection::sprite_z`]. The tilemaps of a layer and a level
//! take a z range of 2, so the levels are 4 apart, and layers of tilemaps 40.

use bevy::camera::visibility::RenderLayers;

use crate::game::half::Half;
use emberwalk_path::grid::{Cell, Size};

/// The small picture of the map, where there are no others yet.
pub const BACKDROP: f32 = -456.0;
/// Pictures of the map. They take the place of terrain, flat layers, shade and standing images.
pub const FAR: f32 = -455.0;
/// Ground and faces at level 0.
pub const TERRAIN: f32 = -444.0;
/// The edges of ground that overlap neighbouring ground, at level 0.
pub const EDGES: f32 = -404.0;
/// Roads and bridges, at level 0.
pub const FLAT: f32 = -364.0;
/// Shadows and the light of eruptions.
pub const SHADE: f32 = -308.0;
/// The shadow of the traveller.
pub const MOVING_SHADE: f32 = -307.0;
/// What a click would paint on the ground.
pub const GHOST: f32 = -306.5;
/// The route that a click would take.
pub const PREVIEW: f32 = -306.0;
/// The route.
pub const ROUTE: f32 = -305.0;
/// The silhouette of the traveller.
pub const SILHOUETTE: f32 = 280.0;
/// The overlay of the search, or of costs.
pub const OVERLAY: f32 = 285.0;
/// By how much the marks of the routes are raised while an overlay is shown.
pub const RAISED: f32 = 595.0;
/// What is written on the cells, over the marks of the routes.
pub const LABELS: f32 = 292.0;
/// Smoke and sparks.
pub const AIR: f32 = 300.0;
/// The border of the area in which the inspected terrain has an influence.
pub const REACH: f32 = 305.0;
/// The marks of cells for which the map's file has faults.
pub const FAULT: f32 = 309.0;
/// The outlines of the cells that a click would paint.
pub const GHOST_OUTLINE: f32 = 309.5;
/// The outline of the cell under the pointer.
pub const OUTLINE: f32 = 310.0;

/// Returns by how much a level of the terrain is above level 0.
pub fn level(level: u8) -> f32 {
    4.0 * f32::from(level)
}

/// Returns the z of the slab sides below a cell at the edge of the map. Nearer sides are drawn over farther ones.
pub fn slab(cell: Cell, map: Size) -> f32 {
    let farthest = map.width as f32;
    -450.0 + 4.0 * ((cell.y - cell.x) as f32 + farthest) / (farthest + map.height as f32)
}

/// Returns what only this half of the window shows in a race.
pub fn only_on(half: Half) -> RenderLayers {
    RenderLayers::layer(1 + half as usize)
}

/// Returns everything that this half of the window shows.
pub fn seen_on(half: Half) -> RenderLayers {
    RenderLayers::layer(0) | only_on(half)
}
