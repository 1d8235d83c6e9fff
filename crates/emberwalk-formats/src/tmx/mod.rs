//! Reads Tiled maps, and writes maps for Tiled with the images of the tileset.
//!
//! The format is the one of Tiled 1.10, <https://doc.mapeditor.org/en/stable/reference/tmx-map-format/>. Isometric maps
//! look the same in Tiled and in the game. In such maps, Tiled's rows run from the top to the lower left: its column is
//! the game's row, and its row is the game's column, counted from the east. Orthogonal maps have north at the top, and
//! the same columns and rows as the game.

mod atlas;
mod atlas_file;
mod document;
mod layer_data;
mod left_out;
mod object;
mod orientation;
mod properties;
mod read;
mod read_context;
mod templates;
mod tile_names;
mod tiled_tileset;
mod tileset_files;
mod unknown_names;
mod write;
mod xml;

pub use atlas::TileAtlas;
pub use atlas_file::is_exported_picture;
pub use read::{TiledMap, read};
pub use tile_names::{ParseTileMappingError, TileMapping, TileNames};
pub use write::{Export, export};
