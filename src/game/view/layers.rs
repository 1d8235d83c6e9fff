//! The heights of the layers of the picture: what is higher is drawn later.
//!
//! What stands takes the heights from -256 to 256, see [`crate::iso::Projection::sprite_z`]. A tilemap layer spreads over
//! less than two, so the layers lie that far apart.

use crate::grid::{Cell, Size};

/// The ground.
pub const GROUND: f32 = -320.0;
/// What creeps over lower ground.
pub const EDGES: f32 = -316.0;
/// Roads and bridges.
pub const FLAT: f32 = -312.0;
/// Shadows and the light of eruptions.
pub const SHADE: f32 = -308.0;
/// The shadow of what moves.
pub const MOVING_SHADE: f32 = -307.0;
/// The route that a click would take.
pub const PREVIEW: f32 = -306.0;
/// The route.
pub const ROUTE: f32 = -305.0;
/// Smoke and sparks.
pub const AIR: f32 = 300.0;
/// The outline of the cell under the pointer.
pub const OUTLINE: f32 = 310.0;

/// The sides of the slab that the map lies on; what is nearer laps over what is farther.
pub fn slab(cell: Cell, map: Size) -> f32 {
    let farthest = map.width as f32;
    -330.0 + 4.0 * ((cell.y - cell.x) as f32 + farthest) / (farthest + map.height as f32)
}
