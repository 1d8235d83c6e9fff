//! Reads the terrain data of a Tiled map, within limits.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::layer_data::LayerEncoding;
use super::properties::{ABOUT, NAME, TERRAIN, unescape};
use super::xml::{Element, XmlError};
use emberwalk_map::MAX_SIDE;
use emberwalk_map::diagnostics::counted;
use emberwalk_path::grid::{Cell, Size};

/// The bits of a cell that flip or rotate its tile.
const FLIP_BITS: u32 = 0xf000_0000;

/// The maximum number of cells in all layers together: five layers, as `export` writes them, of the largest map.
const MAX_CELLS: u64 = 5 * MAX_SIDE as u64 * MAX_SIDE as u64;

/// The maximum size of a tile in pixels, and the maximum of other numbers in a tileset.
const MAX_NUMBER: u32 = 1 << 16;

/// The maximum number of tiles in all tilesets of a map.
pub(super) const MAX_TILES: u32 = 1 << 18;

/// The maximum global id of a tile. The bits above it are flip flags.
const MAX_ID: u32 = (1 << 28) - 1;

/// The maximum side of a tileset's picture, in pixels.
const MAX_PICTURE_SIDE: u32 = 1 << 20;

/// The help for an unsupported format of layer cells.
const FORMAT_HELP: &str = "in Tiled choose Map > Map Properties > Tile Layer Format: CSV, and save it again";

/// A Tiled map.
#[derive(Default)]
pub(super) struct Document<'a> {
    pub is_isometric: bool,
    /// An infinite map consists of chunks, and has no size.
    pub is_infinite: bool,
    /// The number of columns and rows in Tiled.
    pub size: Size,
    /// Width and height of a tile, in pixels.
    tile: (f64, f64),
    /// The property `name` of the map.
    pub name: Option<String>,
    /// The property `about` of the map.
    pub about: Option<String>,
    pub tilesets: Vec<TiledTileset>,
    /// The cells of all tile layers, the lowest layer first.
    pub blocks: Vec<CellBlock<'a>>,
    /// The number of cells of all layers.
    total_cells: u64,
}

impl<'a> Document<'a> {
    /// Reads a `map` element. `tiles_left` is the number of tiles that this file and its tileset files may still have.
    ///
    /// # Errors
    /// The first element that does not follow the format or exceeds a limit.
    pub fn read(map: Element<'a>, tiles_left: &mut u32) -> Result<Self, XmlError> {
        let orientation = map.get("orientation");
        if !["orthogonal", "isometric", ""].contains(&orientation) {
            let help = "orthogonal and isometric maps can be imported";
            return Err(map.error(format!("the map is {orientation}"), help));
        }
        let is_infinite = map.get("infinite") == "1";
        let size = if is_infinite { Size::default() } else { map.size()? };
        let [width, height] = ["tilewidth", "tileheight"].map(|name| map.number(name, 0, MAX_NUMBER));
        let tile = (width?.into(), height?.into());
        let mut document =
            Self { is_isometric: orientation == "isometric", is_infinite, size, tile, ..Self::default() };
        for child in map.children {
            match child.name.as_str() {
                "tileset" => document.tilesets.push(TiledTileset::read(&child, tiles_left)?),
                "properties" => {
                    for (name, value) in properties(&child) {
                        match name {
                            NAME => document.name = Some(value),
                            ABOUT => document.about = Some(value),
                            _ => {}
                        }
                    }
                }
                _ => document.read_layer(child, (0.0, 0.0))?,
            }
        }
        Ok(document)
    }

    /// Reads a layer or a group of layers, inside groups with a combined offset of `outer` pixels.
    fn read_layer(&mut self, layer: Element<'a>, outer: (f64, f64)) -> Result<(), XmlError> {
        let own = (layer.pixels("offsetx")?, layer.pixels("offsety")?);
        let offset = (outer.0 + own.0, outer.1 + own.1);
        if layer.name == "group" {
            return layer.children.into_iter().try_for_each(|child| self.read_layer(child, offset));
        }
        let corner = Cell::new(layer.position("x", "0")?, layer.position("y", "0")?);
        let moved = self.cells_of_offset(offset).ok_or_else(|| {
            let ((x, y), (width, height)) = (offset, self.tile);
            let what = if own == offset { "the layer is" } else { "the layer and its groups are" };
            let cells = format!("whole cells of {width} x {height} pixels");
            let help = "in Tiled, set Horizontal Offset and Vertical Offset of the layer and of its groups to 0 or to \
                        whole cells";
            layer.error(format!("{what} moved by {x},{y} pixels, which are not {cells}"), help)
        })?;
        let corner = corner + moved;
        // The layers of an infinite map also have a size, but it is meaningless.
        let size = if self.is_infinite { Size::default() } else { layer.size()? };
        for data in layer.children {
            let (encoding, compression) = (data.get("encoding"), data.get("compression"));
            let encoding = LayerEncoding::from_attributes(encoding, compression).ok_or_else(|| {
                let format = [encoding, compression].join(" ");
                let format = if format.trim().is_empty() { "XML elements" } else { format.trim() };
                data.error(format!("the layer's cells are written as {format}, which cannot be read"), FORMAT_HELP)
            })?;
            if !self.is_infinite {
                self.read_cells(data, corner, size, encoding, layer.place.clone())?;
                continue;
            }
            for chunk in data.children.into_iter().filter(|child| child.name == "chunk") {
                let corner = corner + (chunk.position("x", "")?, chunk.position("y", "")?);
                let (size, place) = (chunk.size()?, chunk.place.clone());
                self.read_cells(chunk, corner, size, encoding, place)?;
            }
        }
        Ok(())
    }

    /// Converts an offset of a layer from pixels to Tiled's columns and rows; `None` if they are not whole numbers.
    fn cells_of_offset(&self, (x, y): (f64, f64)) -> Option<(i32, i32)> {
        if (x, y) == (0.0, 0.0) {
            return Some((0, 0));
        }
        let (across, down) = (x / self.tile.0, y / self.tile.1);
        // One column further is half a tile to the right and half a tile down, one row further half a tile to the left
        // and half a tile down.
        let (columns, rows) = if self.is_isometric { (down + across, down - across) } else { (across, down) };
        (columns.fract() == 0.0 && rows.fract() == 0.0).then_some((columns as i32, rows as i32))
    }

    /// Adds the cells of a layer or chunk from its data. `place` is the place of the element.
    fn read_cells(
        &mut self,
        data: Element<'a>,
        corner: Cell,
        size: Size,
        encoding: LayerEncoding,
        place: Range<usize>,
    ) -> Result<(), XmlError> {
        self.total_cells += size.area() as u64;
        if self.total_cells > MAX_CELLS {
            let help = "all layers together may have five times the cells of the largest map, which has 4096 x 4096";
            return Err(data.error("the layers have too many cells", help));
        }
        if let Some(child) = data.children.first() {
            return Err(child.error("the layer's data contain elements", FORMAT_HELP));
        }
        // Only the first text counts.
        let data = data.texts.into_iter().next().unwrap_or_default();
        self.blocks.push(CellBlock { corner, size, encoding, data, place });
        Ok(())
    }

    /// The tileset that contains the tile with this global id. Tilesets are sorted by id.
    pub fn tileset_of(&self, id: u32) -> Option<&TiledTileset> {
        let after = self.tilesets.partition_point(|tileset| tileset.first_id <= id);
        self.tilesets[..after].last()
    }
}

/// A Tiled tileset.
#[derive(Default)]
pub(super) struct TiledTileset {
    /// The global id of its first tile.
    pub first_id: u32,
    /// The file with the rest of the tileset, relative to the map file; empty if the tileset is in the map.
    pub source: String,
    pub name: String,
    /// The tiles with their own properties, class or image, by id.
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

impl TiledTileset {
    /// Reads a `tileset` element, and subtracts its tiles from `tiles_left`.
    ///
    /// # Errors
    /// The first element that does not follow the format or exceeds a limit.
    pub fn read(tileset: &Element<'_>, tiles_left: &mut u32) -> Result<Self, XmlError> {
        let source = tileset.get("source").to_owned();
        if source.is_empty() && tileset.get("tilecount").is_empty() {
            let help = "the map was saved by an old version of Tiled: open it in a new one and save it again";
            return Err(tileset.error("the tileset does not state how many tiles it has", help));
        }
        for name in ["columns", "tilewidth", "tileheight", "spacing"] {
            tileset.number(name, 0, MAX_NUMBER)?;
        }
        let margin = tileset.number("margin", 0, MAX_NUMBER)?;
        let left = tiles_left.checked_sub(tileset.number("tilecount", 0, MAX_NUMBER)?);
        let too_many = || tileset.error(format!("the tilesets have more than {MAX_TILES} tiles"), None);
        *tiles_left = left.ok_or_else(too_many)?;
        let first_id = tileset.number("firstgid", 1, MAX_ID)?;
        let mut tiles = HashMap::new();
        for child in &tileset.children {
            if child.name == "image" {
                image_source(child, margin)?;
            } else {
                tiles.insert(child.number("id", 0, MAX_ID)?, TiledTile::read(child, margin)?);
            }
        }
        Ok(Self { first_id, source, name: tileset.get("name").to_owned(), tiles })
    }
}

impl TiledTile {
    fn read(tile: &Element<'_>, margin: u32) -> Result<Self, XmlError> {
        let class = [tile.get("type"), tile.get("class")].into_iter().find(|class| !class.is_empty());
        let mut read = Self { class: class.unwrap_or_default().to_owned(), ..Self::default() };
        for child in &tile.children {
            if child.name == "image" {
                read.image = image_source(child, margin)?;
            } else if let Some((_, terrain)) = properties(child).rfind(|(name, _)| *name == TERRAIN) {
                read.terrain = Some(terrain);
            }
        }
        Ok(read)
    }
}

/// The file of an image in a tileset with this margin.
fn image_source(image: &Element<'_>, margin: u32) -> Result<String, XmlError> {
    let width = image.number("width", 0, MAX_PICTURE_SIDE)?;
    image.number("height", 0, MAX_PICTURE_SIDE)?;
    if width < margin {
        let message = format!("the picture is {width} pixels wide, but its margin is {margin}");
        return Err(image.error(message, None));
    }
    Ok(image.get("source").to_owned())
}

/// The names and values of the text properties. Numbers, colours and the like never name a terrain.
fn properties<'e>(properties: &'e Element<'_>) -> impl DoubleEndedIterator<Item = (&'e str, String)> {
    let texts = properties.children.iter().filter(|property| ["", "string"].contains(&property.get("type")));
    texts.map(|property| {
        let value = property.get("value");
        let value = if value.is_empty() { Cow::from(property.texts.concat()) } else { value.into() };
        (property.get("name"), unescape(&value))
    })
}

/// A rectangle of cells: a layer, or a chunk of an infinite layer. The cells are decoded each time they are read,
/// because a small file can contain very many.
pub(super) struct CellBlock<'a> {
    /// Tiled's column and row of the first cell.
    pub corner: Cell,
    pub size: Size,
    pub encoding: LayerEncoding,
    pub data: Cow<'a, str>,
    /// The place of the element that specifies the number of cells, in bytes of the text.
    pub place: Range<usize>,
}

impl CellBlock<'_> {
    /// Calls `visit` with Tiled's column and row and the global id of each tile.
    pub fn for_each_tile(&self, mut visit: impl FnMut(Cell, u32)) -> Result<(), XmlError> {
        let expected = self.size.area() as u64;
        let mut cells = self.size.cells();
        let count = self.encoding.for_each_cell(&self.data, self.size, |bits| {
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
            Err(error) => format!("the layer's data are invalid: {error}"),
        };
        Err(XmlError::new(self.place.clone(), message, None))
    }
}
