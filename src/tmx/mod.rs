//! Maps of the Tiled editor: read, and written for it with the tileset's own images.
//!
//! The format is that of Tiled 1.10, <https://doc.mapeditor.org/en/stable/reference/tmx-map-format/>. Isometric maps
//! look the same there and here: Tiled's rows run down to the left from the top, so that its column is our row, and its
//! row our column, counted from the east. Orthogonal maps have north up, and their columns and rows are ours.

mod attributes;
mod inflate;
mod names;
mod read;
mod sheet;
mod sift;
mod turn;
mod write;

pub use names::{Names, ParseTileError, TileName};
pub use read::{read, read_with};
pub use sheet::Sheet;
pub use write::{Export, export};

/// The tile property and the map properties that `export` writes and `import` reads.
const TERRAIN: &str = "terrain";
const NAME: &str = "name";
const ABOUT: &str = "about";
