//! The tileset: what every map character is, costs, joins with and looks like.
//!
//! Nothing about a terrain is written in the code: all of it is read from `tileset.ron`.

mod assets;
mod check;
mod files;
mod names;
mod notation;
mod png;
mod read;
mod scale;
mod tileset;

pub use assets::{Assets, ImageId};
pub use notation::{
    Cost, Edge, Effect, Facing, Ground, Influence, Layer, Marks, Patch, Role, Slab, Terrain, TileSize, Variant,
};
pub use tileset::{TerrainId, Tileset};
