//! The tileset: what every map character is, costs, joins with and looks like.
//!
//! Nothing about a terrain is written in the code: all of it is read from `tileset.ron`.

mod assets;
mod tileset;

pub use assets::{Assets, ImageId};
pub use tileset::{
    Cost, Edge, Effect, Ground, Influence, Layer, Patch, Role, Slab, Terrain, TerrainId, Tileset, Variant,
};
