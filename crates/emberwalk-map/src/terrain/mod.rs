//! The tileset: the meaning, cost, joins and look of each map character.
//!
//! No terrain is hard-coded: everything is read from `tileset.ron`.

mod asset_files;
mod field_text;
mod group;
mod neighbour_mask;
mod parse;
mod schema;
mod tile_metrics;
mod tileset;
mod validate;

pub use asset_files::AssetFiles;
pub use group::TerrainGroup;
pub use neighbour_mask::NeighbourMask;
pub use schema::{
    CliffImageNames, Cost, DetailStyle, Dot, EdgeStyle, Effect, FacingStyle, GroundStyle, ImageVariant, Influence,
    Layer, Light, MarkImageNames, NearStyle, Neighbour, PatchStyle, PeopleKind, PickedBy, Place, Role, SideImageNames,
    Terrain, TileSize, WaterStyle,
};
pub use tile_metrics::{TileMetrics, TileSizeError};
pub use tileset::{TerrainId, Tileset};
