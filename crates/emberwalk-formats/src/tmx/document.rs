//! What the XML of a Tiled map says about terrain.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::attributes::ElementError;
use super::layer_data::{DataError, LayerEncoding};
use emberwalk_map::diagnostics::counted;
use emberwalk_path::grid::{Cell, Size};

/// The bits of a cell that say how its tile is flipped or turned.
const FLIP_BITS: u32 = 0xf000_0000;

/// A map of Tiled, or a file with one tileset.
#[derive(Default)]
pub(super) struct Document<'a> {
    pub is_isometric: bool,
    /// An infinite map consists of chunks, and has no size.
    pub is_infinite: bool,
    /// The number of columns and rows in Tiled.
    pub size: Size,
    /// The property `name` of the map.
    pub name: Option<String>,
    /// The property `about` of the map.
    pub about: Option<String>,
    pub tilesets: Vec<TiledTileset>,
    /// The cells of all tile layers, the lowest layer first.
    pub blocks: Vec<CellBlock<'a>>,
}

impl Document<'_> {
    /// The tileset with the tile of this global id. The tilesets are in the order of their ids.
    pub fn tileset_of(&self, id: u32) -> Option<&TiledTileset> {
        let after = self.tilesets.partition_point(|tileset| tileset.first_id <= id);
        self.tilesets[..after].last()
    }
}

/// A tileset of Tiled.
#[derive(Default)]
pub(super) struct TiledTileset {
    /// The global id of its first tile.
    pub first_id: u32,
    /// The file that has everything else, relative to the map's file; empty if the tileset is in the map.
    pub source: String,
    pub name: String,
    /// The tiles that have properties, a class or an image of their own, by their ids.
    pub tiles: HashMap<u32, TiledTile>,
}

/// A tile of a tileset.
#[derive(Default)]
pub(super) struct TiledTile {
    /// Its property `terrain`.
    pub terrain: Option<String>,
    pub class: String,
    /// The file of its image.
    pub image: String,
}

/// A rectangle of cells: a layer, or a chunk of an infinite one. The cells are decoded each time that they are read,
/// because a small file can have very many of them.
pub(super) struct CellBlock<'a> {
    /// Tiled's column and row of the first cell.
    pub corner: Cell,
    pub size: Size,
    pub encoding: LayerEncoding,
    pub data: Cow<'a, str>,
    /// The element that says how many cells there are, in bytes of the text.
    pub place: Range<usize>,
}

impl CellBlock<'_> {
    /// Calls `visit` with Tiled's column and row, and the global id, of each tile.
    pub fn for_each_tile(&self, mut visit: impl FnMut(Cell, u32)) -> Result<(), ElementError> {
        let expected = self.size.area() as u64;
        let mut cells = self.size.cells();
        // A few cells too many are counted, so that the message can say how many there are.
        let count = self.encoding.for_each_cell(&self.data, 2 * expected, |bits| {
            let id = bits & !FLIP_BITS;
            if let Some(cell) = cells.next().filter(|_| id != 0) {
                visit(cell + (self.corner.x, self.corner.y), id);
            }
        });
        let message = match count {
            Ok(count) if count == expected => return Ok(()),
            Ok(count) => {
                format!("the layer has {}, but its width and height say {expected}", counted(count as usize, "cell"))
            }
            Err(error) => format!("the layer's data are invalid: {}", self.describe(error)),
        };
        Err(ElementError::new(message))
    }

    /// Describes an error of the data, in words that follow a colon.
    fn describe(&self, error: DataError) -> String {
        let Size { width, height } = self.size;
        match error {
            DataError::NotANumber { text, .. } if text.is_empty() => "a number is missing next to a comma".into(),
            DataError::NotANumber { before, text } => {
                let (column, row) = (before % u64::from(width.max(1)), before / u64::from(width.max(1)));
                format!("{text:?} in column {column} of row {row} is not a number")
            }
            DataError::NotBase64 => "they are not Base64".into(),
            DataError::Damaged => "they are damaged or cut off, and cannot be unpacked".into(),
            DataError::TooMany => format!("they have far more than {width} x {height} cells"),
        }
    }
}
