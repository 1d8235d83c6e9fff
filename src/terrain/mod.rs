//! The tileset: what each map character means, what it costs, what it joins, and how it looks.
//!
//! No terrain is hard-coded: all of this is read from `tileset.ron`.

mod asset_files;
mod factor_table;
mod field_text;
mod image_names;
mod neighbour_mask;
mod parse;
mod png;
mod scale;
mod schema;
mod tile_images;
mod tileset;
mod transparency;
mod validate;

pub(crate) use factor_table::FactorTable;
pub use neighbour_mask::NeighbourMask;
pub use schema::{
    CliffImageNames, Climb, Cost, CourseImageNames, EdgeStyle, Effect, FacingStyle, GroundStyle, ImageVariant,
    Influence, Layer, MarkImageNames, PatchStyle, PickedBy, Role, SlabImageNames, Terrain, TileSize,
};
pub use tile_images::{ImageId, TileImages};
pub use tileset::{TerrainId, Tileset};
