//! Parses the elements of Tiled's maps and tilesets, within limits.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::events::BytesStart;

use super::attributes::{Attributes, ElementError, FORMAT_HELP};
use super::document::{CellBlock, Document, TiledTile, TiledTileset};
use super::layer_data::LayerEncoding;
use super::layer_offset::LayerOffsets;
use super::properties::{ABOUT, NAME, TERRAIN, unescape};
use emberwalk_map::MAX_SIDE;
use emberwalk_path::grid::{Cell, Size};

/// The maximum number of cells in all layers together: the five layers that `export` writes of the largest map.
const MAX_CELLS: u64 = 5 * MAX_SIDE as u64 * MAX_SIDE as u64;

/// The maximum of the sizes of tiles in pixels, and of the numbers of a tileset.
const MAX_NUMBER: u32 = 1 << 16;

/// The maximum number of tiles in all tilesets of a map together.
pub(super) const MAX_TILES: u32 = 1 << 18;

/// The maximum global id of a tile. The bits above say how it is flipped.
const MAX_ID: u32 = (1 << 28) - 1;

/// The maximum side of the picture of a tileset, in pixels.
const MAX_PICTURE_SIDE: u32 = 1 << 20;

/// The outermost element of a file of Tiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    Map,
    Tileset,
}

/// Parses one element after the other, and keeps what it must know of the elements before.
pub(super) struct ElementParser<'a, 't> {
    root: Root,
    tiles_left: &'t mut u32,
    /// The content that has been found so far.
    pub document: Document<'a>,
    /// Whether there has been an outermost element.
    pub has_root: bool,
    offsets: LayerOffsets,
    /// The margin of the open tileset, in pixels.
    margin: u32,
    /// The id of the open tile.
    tile: u32,
    /// Whether the open properties are those of a tile; otherwise they are those of the map.
    has_tile_properties: bool,
    /// The name and the text of the open property, if its value is a text between its tags.
    property: Option<(String, String)>,
    /// Where the open layer begins: column and row in Tiled.
    layer_corner: Cell,
    /// The corner, the size and the element of the open layer or chunk.
    area: (Cell, Size, Range<usize>),
    /// The encoding of the open layer.
    encoding: LayerEncoding,
    /// Whether the data of a finite layer or of a chunk are open, and their text once it has been read.
    data: Option<Option<Cow<'a, str>>>,
    /// The number of cells of all layers so far.
    total_cells: u64,
}

impl<'a, 't> ElementParser<'a, 't> {
    pub fn new(root: Root, tiles_left: &'t mut u32) -> Self {
        Self {
            root,
            tiles_left,
            document: Document::default(),
            has_root: false,
            offsets: LayerOffsets::default(),
            margin: 0,
            tile: 0,
            has_tile_properties: false,
            property: None,
            layer_corner: Cell::default(),
            area: Default::default(),
            encoding: LayerEncoding::Csv,
            data: None,
            total_cells: 0,
        }
    }

    /// Whether the data of a layer are open, which have no elements.
    pub fn is_in_data(&self) -> bool {
        self.data.is_some()
    }

    /// Whether an element inside `parent` is parsed.
    pub fn knows(&self, parent: &[u8], element: &[u8]) -> bool {
        let children: &[&[u8]] = match parent {
            b"" => return !self.has_root,
            b"map" => &[b"tileset", b"layer", b"group", b"properties"],
            b"group" => &[b"layer", b"group"],
            b"layer" => &[b"data"],
            b"data" => &[b"chunk"],
            b"tileset" => &[b"image", b"tile"],
            b"tile" => &[b"image", b"properties"],
            b"properties" => &[b"property"],
            _ => &[],
        };
        children.contains(&element)
    }

    pub fn open(&mut self, parent: &[u8], element: &BytesStart<'_>, place: Range<usize>) -> Result<(), ElementError> {
        let attributes = Attributes::new(element)?;
        match (parent, element.local_name().as_ref()) {
            (b"", root) => self.open_root(root, &attributes),
            (_, b"tileset") => self.open_tileset(&attributes),
            (parent, b"image") => self.open_image(parent, &attributes),
            (_, b"tile") => self.open_tile(&attributes),
            (parent, b"properties") => {
                self.has_tile_properties = parent == b"tile";
                Ok(())
            }
            (_, b"property") => {
                let (name, value) = (attributes.get("name"), attributes.get("value"));
                if !["", "string"].contains(&attributes.get("type")) {
                    // A number, a colour or the like says nothing about terrain.
                } else if value.is_empty() {
                    self.property = Some((name.to_owned(), String::new()));
                } else {
                    self.set_property(name, value);
                }
                Ok(())
            }
            (_, b"group") => self.offsets.push(&attributes),
            (_, b"layer") => self.open_layer(&attributes, place),
            (_, b"data") => self.open_data(&attributes),
            (_, b"chunk") if self.document.is_infinite => self.open_chunk(&attributes, place),
            _ => Ok(()),
        }
    }

    fn open_root(&mut self, element: &[u8], attributes: &Attributes) -> Result<(), ElementError> {
        self.has_root = true;
        match (self.root, element) {
            (Root::Map, b"map") => self.open_map(attributes),
            (Root::Tileset, b"tileset") => self.open_tileset(attributes),
            (Root::Map, b"tileset") => {
                let help = "import the map that uses it, a file whose name ends in .tmx";
                Err(ElementError::with_help("this is a tileset of Tiled, not a map", help))
            }
            _ => Err(self.wrong_root(&format!("<{}>", String::from_utf8_lossy(element)))),
        }
    }

    /// The error of a file with another outermost element than expected.
    pub fn wrong_root(&self, found: &str) -> ElementError {
        match self.root {
            Root::Map => ElementError::new(format!("a map of Tiled begins with <map>, but here is {found}")),
            Root::Tileset => {
                ElementError::new(format!("a tileset of Tiled begins with <tileset>, but here is {found}"))
            }
        }
    }

    fn open_map(&mut self, attributes: &Attributes) -> Result<(), ElementError> {
        let orientation = attributes.get("orientation");
        if !["orthogonal", "isometric", ""].contains(&orientation) {
            let help = "orthogonal and isometric maps can be imported";
            return Err(ElementError::with_help(format!("the map is {orientation}"), help));
        }
        self.document.is_isometric = orientation == "isometric";
        self.document.is_infinite = attributes.get("infinite") == "1";
        if !self.document.is_infinite {
            self.document.size = attributes.size()?;
        }
        let [width, height] = ["tilewidth", "tileheight"].map(|name| attributes.number(name, 0, MAX_NUMBER));
        self.offsets.set_tiles(self.document.is_isometric, (width?, height?));
        Ok(())
    }

    fn open_tileset(&mut self, attributes: &Attributes) -> Result<(), ElementError> {
        let source = attributes.get("source");
        if source.is_empty() && attributes.get("tilecount").is_empty() {
            let help = "the map was saved by an old version of Tiled: open it in a new one and save it again";
            return Err(ElementError::with_help("the tileset does not say how many tiles it has", help));
        }
        for name in ["columns", "tilewidth", "tileheight", "spacing"] {
            attributes.number(name, 0, MAX_NUMBER)?;
        }
        self.margin = attributes.number("margin", 0, MAX_NUMBER)?;
        let left = self.tiles_left.checked_sub(attributes.number("tilecount", 0, MAX_NUMBER)?);
        let too_many = || ElementError::new(format!("the tilesets have more than {MAX_TILES} tiles"));
        *self.tiles_left = left.ok_or_else(too_many)?;
        self.document.tilesets.push(TiledTileset {
            first_id: attributes.number("firstgid", 1, MAX_ID)?,
            source: source.to_owned(),
            name: attributes.get("name").to_owned(),
            tiles: Default::default(),
        });
        Ok(())
    }

    fn open_image(&mut self, parent: &[u8], attributes: &Attributes) -> Result<(), ElementError> {
        let width = attributes.number("width", 0, MAX_PICTURE_SIDE)?;
        attributes.number("height", 0, MAX_PICTURE_SIDE)?;
        if width < self.margin {
            let margin = self.margin;
            return Err(ElementError::new(format!("the picture is {width} pixels wide, but its margin is {margin}")));
        }
        if parent == b"tile"
            && let Some(tile) = self.open_tile_mut()
        {
            tile.image = attributes.get("source").to_owned();
        }
        Ok(())
    }

    fn open_tile(&mut self, attributes: &Attributes) -> Result<(), ElementError> {
        self.tile = attributes.number("id", 0, MAX_ID)?;
        let class = [attributes.get("type"), attributes.get("class")].into_iter().find(|class| !class.is_empty());
        if let Some(tileset) = self.document.tilesets.last_mut() {
            let class = class.unwrap_or_default().to_owned();
            tileset.tiles.insert(self.tile, TiledTile { class, ..TiledTile::default() });
        }
        Ok(())
    }

    fn open_tile_mut(&mut self) -> Option<&mut TiledTile> {
        self.document.tilesets.last_mut()?.tiles.get_mut(&self.tile)
    }

    fn open_layer(&mut self, attributes: &Attributes, place: Range<usize>) -> Result<(), ElementError> {
        self.offsets.push(attributes)?;
        let corner = Cell::new(attributes.position("x", "0")?, attributes.position("y", "0")?);
        self.layer_corner = corner + self.offsets.cells()?;
        // The layers of an infinite map have a size too, but it has no meaning.
        let size = if self.document.is_infinite { Size::default() } else { attributes.size()? };
        self.area = (self.layer_corner, size, place);
        Ok(())
    }

    fn open_chunk(&mut self, attributes: &Attributes, place: Range<usize>) -> Result<(), ElementError> {
        let corner = (attributes.position("x", "")?, attributes.position("y", "")?);
        self.area = (self.layer_corner + corner, attributes.size()?, place);
        self.begin_cells()
    }

    fn open_data(&mut self, attributes: &Attributes) -> Result<(), ElementError> {
        let (encoding, compression) = (attributes.get("encoding"), attributes.get("compression"));
        self.encoding = LayerEncoding::from_attributes(encoding, compression).ok_or_else(|| {
            let format = [encoding, compression].join(" ");
            let format = if format.trim().is_empty() { "XML elements" } else { format.trim() };
            let message = format!("the layer's cells are written as {format}, which cannot be read");
            ElementError::with_help(message, FORMAT_HELP)
        })?;
        if self.document.is_infinite { Ok(()) } else { self.begin_cells() }
    }

    /// Begins the cells of a layer or of a chunk.
    fn begin_cells(&mut self) -> Result<(), ElementError> {
        self.total_cells += self.area.1.area() as u64;
        if self.total_cells > MAX_CELLS {
            let help = "all layers together may have five times the cells of the largest map, which has 4096 x 4096";
            return Err(ElementError::with_help("the layers have too many cells", help));
        }
        self.data = Some(None);
        Ok(())
    }

    /// Takes the text of an element. Of a layer's data, only the first text counts.
    pub fn text(&mut self, text: Cow<'a, str>) {
        if let Some(data @ None) = &mut self.data {
            *data = Some(text);
        } else if let Some((_, value)) = &mut self.property {
            value.push_str(&text);
        }
    }

    pub fn close(&mut self, element: &[u8]) {
        match element {
            b"property" => {
                if let Some((name, value)) = self.property.take() {
                    self.set_property(&name, &value);
                }
            }
            b"group" | b"layer" => self.offsets.pop(),
            b"data" | b"chunk" => {
                let Some(data) = self.data.take() else { return };
                let (corner, size, place) = self.area.clone();
                let data = data.unwrap_or_default();
                self.document.blocks.push(CellBlock { corner, size, encoding: self.encoding, data, place });
            }
            _ => {}
        }
    }

    fn set_property(&mut self, name: &str, value: &str) {
        let value = Some(unescape(value));
        match name {
            TERRAIN if self.has_tile_properties => {
                if let Some(tile) = self.open_tile_mut() {
                    tile.terrain = value;
                }
            }
            NAME if !self.has_tile_properties => self.document.name = value,
            ABOUT if !self.has_tile_properties => self.document.about = value,
            _ => {}
        }
    }
}
