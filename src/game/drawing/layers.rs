//! The z coordinates of the layers, where higher layers are drawn later, and the layers that only one half of the
//! window shows.
//!
//! Tall sprites use z from -256 to 256, see [`emberwalk_picture::iso::Projection::sprite_z`]. The tilemaps of one level
//! of a layer take a range of 4, and a layer with its ten levels a range of 40.

use bevy::camera::visibility::RenderLayers;

use crate::game::action::half::Half;
use emberwalk_path::grid::{Cell, Size};

/// The background around the map.
pub(in crate::game) const BACKGROUND: f32 = -457.0;
/// The small picture of the map, where no other pictures exist yet.
pub(in crate::game) const BACKDROP: f32 = -456.0;
/// Pictures of the map. They replace terrain, flat layers, shade and standing images.
pub(in crate::game) const FAR: f32 = -455.0;
/// The lamps in these pictures.
pub(in crate::game) const FAR_LAMPS: f32 = -454.0;
/// The slab sides below the cells at the edge of the map.
pub(in crate::game) const SLAB: f32 = -450.0;
/// Ground and faces at level 0.
pub const TERRAIN: f32 = -444.0;
/// The edges of ground that overlap neighbouring ground, at level 0.
pub(in crate::game) const EDGES: f32 = -404.0;
/// Roads and bridges, at level 0.
pub const FLAT: f32 = -364.0;
/// Shadows and the light of eruptions.
pub(in crate::game) const SHADE: f32 = -308.0;
/// The shadows of travellers.
pub(in crate::game) const MOVING_SHADE: f32 = -307.0;
/// The ghost: what a click would paint on the ground.
pub(in crate::game) const GHOST: f32 = -306.5;
/// The route that a click would take.
pub(in crate::game) const PREVIEW: f32 = -306.0;
/// The route.
pub const ROUTE: f32 = -305.0;
/// The light of the hour, over everything that it falls on.
pub(in crate::game) const LIGHT: f32 = 275.0;
/// The light of lamps, over the light of the hour.
pub(in crate::game) const LAMPS: f32 = 277.0;
/// The silhouette of the traveller.
pub(in crate::game) const SILHOUETTE: f32 = 280.0;
/// The overlay of the search, or of costs.
pub(in crate::game) const OVERLAY: f32 = 285.0;
/// An overlay on the ground, behind standing images.
pub(in crate::game) const GROUND_OVERLAY: f32 = -307.5;
/// How much route marks are raised while an overlay is shown.
pub(in crate::game) const RAISED: f32 = 595.0;
/// The texts on the cells, above the route marks.
pub(in crate::game) const LABELS: f32 = 292.0;
/// The rings around the dots of selected people.
pub(in crate::game) const DOT_RING: f32 = 297.0;
/// The dots of people who are too small to be seen, above an overlay and the line of the route.
pub(in crate::game) const DOTS: f32 = 298.0;
/// Smoke and sparks.
pub(in crate::game) const AIR: f32 = 300.0;
/// The mark of the player's traveller where it is too small to be seen.
pub(in crate::game) const PLAYER_DOT: f32 = AIR + 1.0;
/// The border of the area in which the inspected terrain has an influence.
pub(in crate::game) const REACH: f32 = 305.0;
/// The outlines of the cells that a click would paint.
pub(in crate::game) const GHOST_OUTLINE: f32 = 309.5;
/// The tent and the castle above an overlay.
pub(in crate::game) const RAISED_ENDPOINT: f32 = OVERLAY + 0.1;
/// The flag on the goal above an overlay.
pub(in crate::game) const RAISED_FLAG: f32 = OVERLAY + 0.25;
/// The player's traveller above an overlay and the route marks, including its hidden part, below the texts.
pub(in crate::game) const RAISED_SILHOUETTE: f32 = LABELS - 1.1;
pub(in crate::game) const RAISED_PLAYER: f32 = LABELS - 1.0;
/// The marks of single cells above an overlay.
pub(in crate::game) const CELL_MARKS: f32 = OVERLAY + 0.3;
/// The ring around the feet of a selected person, below an overlay and above one.
pub(in crate::game) const RING: f32 = -304.0;
pub(in crate::game) const RAISED_RING: f32 = OVERLAY + 0.8;

/// The z of a terrain level, relative to level 0.
pub fn level(level: u8) -> f32 {
    4.0 * f32::from(level)
}

/// The z of something at a cell, relative to the lowest z of its layer and level: nearer things are drawn over farther
/// ones. It is less than a level.
pub(in crate::game) fn within_level(cell: Cell, map: Size) -> f32 {
    3.9 * (cell.y - cell.x + map.width as i32) as f32 / (map.width + map.height) as f32
}

/// The render layers that, in a race, only this half of the window shows.
pub(in crate::game) fn only_on(half: Half) -> RenderLayers {
    RenderLayers::layer(1 + half as usize)
}

/// All render layers that this half of the window shows.
pub(in crate::game) fn seen_on(half: Half) -> RenderLayers {
    RenderLayers::layer(0) | only_on(half)
}
