//! Reads the terrain data of a Tiled map, within limits.
//!
//! What Tiled itself does not need, such as the number of tiles in a tileset, is not read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;

use super::layer_data::{CellData, CellError, LayerEncoding};
use super::left_out::LeftOut;
use super::object::{FLIP_BITS, TiledObject};
use super::orientation::{Arrangement, Stagger};
use super::properties::{ABOUT, DAY, HOUR, NAME, number_property, text_properties};
use super::tiled_tileset::TiledTileset;
use super::xml::{Element, XmlError};
use emberwalk_map::diagnostics::counted;
use emberwalk_map::{DayLength, DayTime, Hour, MAX_LEVEL, MAX_SIDE};
use emberwalk_path::grid::{Cell, Size};

/// The maximum number of cells in all layers together: five layers, as `export` writes them, of the largest map.
const MAX_CELLS: u64 = 5 * MAX_SIDE as u64 * MAX_SIDE as u64;

/// The maximum size of a tile in pixels.
const MAX_TILE_SIDE: u32 = 1 << 16;

/// The help for an unsupported format of layer cells.
const FORMAT_HELP: &str = "in Tiled choose Map > Map Properties > Tile Layer Format: CSV, and save it again";

/// The help for a layer that is moved by a part of a cell.
const OFFSET_HELP: &str =
    "in Tiled, set Horizontal Offset and Vertical Offset of the layer and of its groups to 0 or to whole cells";

/// The help for a layer that is moved up, but not to a level.
const LEVEL_HELP: &str = "in Tiled, set Vertical Offset of the layer and of its groups to 0, to whole cells, or to \
                          minus the height of one to nine levels";

/// A Tiled map.
#[derive(Default)]
pub(super) struct Document<'a> {
    /// The path of the file.
    pub file: &'a str,
    pub arrangement: Arrangement,
    /// The number of columns and rows in Tiled; `None` if the map is infinite.
    pub size: Option<Size>,
    /// Whether a layer has chunks, which may be outside the size.
    pub has_chunks: bool,
    /// Width and height of a tile, in pixels.
    pub tile: (f64, f64),
    /// The property `name` of the map.
    pub name: Option<String>,
    /// The property `about` of the map.
    pub about: Option<String>,
    /// The properties `hour` and `day` of the map. What cannot be one is left out.
    pub day_time: DayTime,
    pub tilesets: Vec<TiledTileset>,
    /// The files of tilesets and templates that were read.
    pub files: Vec<PathBuf>,
    /// The tile layers, the lowest first.
    pub layers: Vec<TiledLayer>,
    /// The cells of all tile layers, the lowest layer first.
    pub blocks: Vec<CellBlock<'a>>,
    /// The objects of all object layers, the lowest first.
    pub objects: Vec<TiledObject>,
    /// The objects of templates, by what the map calls their files.
    pub templates: HashMap<String, TiledObject>,
    pub left_out: LeftOut,
    /// The number of cells of all layers.
    total_cells: u64,
}

/// A tile layer.
pub(super) struct TiledLayer {
    /// Its place, in bytes of the text.
    pub place: Range<usize>,
    /// How far it is moved to the right and down, in pixels, with its groups.
    pub offset: (f64, f64),
    /// Whether one of its groups is moved.
    pub has_moved_group: bool,
}

/// What the offset of a layer does to its cells.
#[derive(Clone, Copy)]
pub(super) struct Shift {
    /// The columns and rows of the grid by which they are moved.
    pub cells: (i32, i32),
    /// The level to which they are raised.
    pub level: u8,
}

impl<'a> Document<'a> {
    /// Reads the `map` element of a file, and the templates that it uses.
    ///
    /// # Errors
    /// The first element that does not follow the format or exceeds a limit.
    pub fn read(file: &'a str, map: Element<'a>) -> Result<Self, XmlError> {
        let arrangement = arrangement(&map)?;
        let size = if map.get("infinite") == "1" { None } else { Some(map.size()?) };
        let [width, height] = ["tilewidth", "tileheight"].map(|name| map.number(name, 0, MAX_TILE_SIDE));
        let tile = (width?.into(), height?.into());
        let mut document = Self { file, arrangement, size, tile, ..Self::default() };
        for child in map.children {
            match child.name.as_str() {
                "tileset" => document.tilesets.push(TiledTileset::read(&child)?),
                "properties" => {
                    document.day_time = DayTime {
                        start: number_property(&child, HOUR).and_then(Hour::from_hours).unwrap_or_default(),
                        day: number_property(&child, DAY).and_then(DayLength::from_seconds),
                    };
                    for (name, value) in text_properties(&child) {
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
        match layer.name.as_str() {
            "group" => return layer.children.into_iter().try_for_each(|child| self.read_layer(child, offset)),
            "objectgroup" => {
                for object in &layer.children {
                    let template = self.template(object.get("template"), &object.place);
                    self.objects.push(TiledObject::read(object, offset, template)?);
                }
                return Ok(());
            }
            "imagelayer" => {
                self.left_out.image_layers += 1;
                return Ok(());
            }
            _ => {}
        }
        let corner = Cell::new(layer.position("x", "0")?, layer.position("y", "0")?);
        // The size is not needed if all cells are in chunks.
        let size = layer.size();
        self.layers.push(TiledLayer { place: layer.place.clone(), offset, has_moved_group: own != offset });
        for data in layer.children {
            let encoding = encoding(&data)?;
            self.read_cells(data, corner, &size, encoding, &layer.place)?;
        }
        Ok(())
    }

    /// Adds the cells in an element of a layer, and in the chunks inside it. `place` is the place of the element that
    /// specifies the number of cells.
    fn read_cells(
        &mut self,
        data: Element<'a>,
        corner: Cell,
        size: &Result<Size, XmlError>,
        encoding: LayerEncoding,
        place: &Range<usize>,
    ) -> Result<(), XmlError> {
        let place_of_data = data.place.clone();
        for chunk in data.children {
            self.has_chunks = true;
            let corner = corner + (chunk.position("x", "")?, chunk.position("y", "")?);
            let (size, place) = (chunk.size()?, chunk.place.clone());
            self.read_cells(chunk, corner, &Ok(size), encoding, &place)?;
        }
        let written = [CellData::Elements(data.tile_ids), CellData::Text(encoding, data.text)];
        for cells in written.into_iter().filter(|cells| !cells.is_empty()) {
            let size = size.clone()?;
            self.total_cells += size.area() as u64;
            if self.total_cells > MAX_CELLS {
                let help =
                    "all layers together may have five times the cells of the largest map, which has 4096 x 4096";
                return Err(XmlError::new(place_of_data, "the layers have too many cells", help));
            }
            let layer = self.layers.len() - 1;
            self.blocks.push(CellBlock { layer, corner, size, cells, place: place.clone() });
        }
        Ok(())
    }

    /// What the offset of a layer does to its cells, if a level is `level_height` high in a map whose tiles are 1 high;
    /// `None` if they are moved by a part of a cell.
    ///
    /// Tiled has no levels, so a layer that is drawn a few levels higher is how its users raise the ground.
    pub fn shift(&self, layer: &TiledLayer, level_height: f64) -> Option<Shift> {
        if let Some(cells) = self.arrangement.cells_of_pixels(layer.offset, self.tile) {
            return Some(Shift { cells, level: 0 });
        }
        let (x, y) = layer.offset;
        let (height, up) = (self.level_height(level_height), -y);
        let level = (up / height).round();
        let is_raised = x == 0.0
            && (1.0..=f64::from(MAX_LEVEL)).contains(&level)
            && is_whole_level(up, height)
            && !self.arrangement.is_seen_from_above();
        is_raised.then_some(Shift { cells: (0, 0), level: level as u8 })
    }

    /// The error of a layer that is moved by a part of a cell, or to a level that maps do not have. `level_height` is
    /// the same as in [`shift`](Self::shift).
    pub fn wrong_offset(&self, layer: &TiledLayer, level_height: f64) -> XmlError {
        let ((x, y), (width, height)) = (layer.offset, self.tile);
        let what = if layer.has_moved_group { "the layer and its groups are" } else { "the layer is" };
        if self.arrangement.is_seen_from_above() || x != 0.0 || y >= 0.0 {
            let message =
                format!("{what} moved by {x},{y} pixels, which are not whole cells of {width} x {height} pixels");
            return XmlError::new(layer.place.clone(), message, OFFSET_HELP);
        }
        let height_of_level = self.level_height(level_height);
        let level = (-y / height_of_level).round();
        let message = match level > f64::from(MAX_LEVEL) && is_whole_level(-y, height_of_level) {
            true => format!("{what} moved by {x},{y} pixels, to level {level}, but the highest level is {MAX_LEVEL}"),
            false => {
                let rounded = (height_of_level * 100.0).round() / 100.0;
                format!(
                    "{what} moved by {x},{y} pixels, which are not whole cells of {width} x {height} pixels, nor \
                     levels, which are {rounded} pixels high at this size of the tiles"
                )
            }
        };
        XmlError::new(layer.place.clone(), message, LEVEL_HELP)
    }

    /// The height of a level in pixels.
    fn level_height(&self, level_height: f64) -> f64 {
        level_height * self.tile.1
    }

    /// The tileset that contains the tile with this global id. Tilesets are sorted by id.
    pub fn tileset_of(&self, id: u32) -> Option<&TiledTileset> {
        let after = self.tilesets.partition_point(|tileset| tileset.first_id <= id);
        self.tilesets[..after].last()
    }
}

/// Whether a layer that is moved up by `up` pixels is at a level, if a level is `height` pixels high.
fn is_whole_level(up: f64, height: f64) -> bool {
    // Offsets are mostly whole numbers of pixels, so they may be rounded.
    (up - (up / height).round() * height).abs() < 0.5
}

/// How a map arranges its cells.
fn arrangement(map: &Element<'_>) -> Result<Arrangement, XmlError> {
    let stagger =
        Stagger { moves_columns: map.get("staggeraxis") == "x", moves_even: map.get("staggerindex") == "even" };
    Ok(match map.get("orientation") {
        // An oblique map has the columns and rows of an orthogonal one, and is only drawn slanted.
        "orthogonal" | "oblique" | "" => Arrangement::Orthogonal,
        "isometric" => Arrangement::Isometric,
        "staggered" => Arrangement::Staggered(stagger),
        "hexagonal" => Arrangement::Hexagonal(stagger, map.number("hexsidelength", 0, MAX_TILE_SIDE)?),
        orientation => {
            let help = "orthogonal, isometric, staggered and hexagonal maps can be imported";
            let error = map.error("the map has an arrangement of cells that cannot be imported", help);
            return Err(error.quoting(format!("the map is {orientation}")));
        }
    })
}

/// The encoding of a layer's data.
fn encoding(data: &Element<'_>) -> Result<LayerEncoding, XmlError> {
    let (encoding, compression) = (data.get("encoding"), data.get("compression"));
    LayerEncoding::from_attributes(encoding, compression).ok_or_else(|| {
        let format = [encoding, compression].join(" ");
        let error = data.error("the layer's cells are written in a format that cannot be read", FORMAT_HELP);
        error.quoting(format!("the layer's cells are written as {}, which cannot be read", format.trim()))
    })
}

/// A rectangle of cells: a layer, or a chunk of a layer. The cells are decoded each time they are read, because a small
/// file can contain very many.
pub(super) struct CellBlock<'a> {
    /// The index of its layer.
    pub layer: usize,
    /// Tiled's column and row of the first cell.
    corner: Cell,
    size: Size,
    cells: CellData<'a>,
    /// The place of the element that specifies the number of cells, in bytes of the text.
    pub place: Range<usize>,
}

impl CellBlock<'_> {
    /// Calls `visit` with Tiled's column and row and the global id of each tile. The offset of the layer is ignored.
    /// `source` is the text of the file.
    pub fn for_each_tile(&self, source: &str, mut visit: impl FnMut(Cell, u32)) -> Result<(), XmlError> {
        let mut cells = self.size.cells();
        let counted_cells = self.cells.for_each_cell(self.size, |bits| {
            let id = bits & !FLIP_BITS;
            if let Some(cell) = cells.next().filter(|_| id != 0) {
                visit(cell + (self.corner.x, self.corner.y), id);
            }
        });
        let expected = self.size.area() as u64;
        match counted_cells {
            Ok(count) if count == expected => Ok(()),
            Ok(count) => {
                let cells = counted(count as usize, "cell");
                let message = format!("the layer has {cells}, but its width and height say {expected}");
                Err(XmlError::new(self.place.clone(), message, None))
            }
            Err(CellError { reason, place }) => {
                let place = place.and_then(|place| self.place_in(source, place)).unwrap_or(self.place.clone());
                Err(XmlError::new(place, format!("the layer's data are invalid: {reason}"), None))
            }
        }
    }

    /// The place in the text of the file of a place in the data. `None` if the data are not written in one piece.
    fn place_in(&self, source: &str, place: Range<usize>) -> Option<Range<usize>> {
        let CellData::Text(_, Cow::Borrowed(data)) = self.cells else { return None };
        let start = (data.as_ptr() as usize).checked_sub(source.as_ptr() as usize)?;
        let place = start + place.start..start + place.end;
        source.get(place.clone()).map(|_| place)
    }
}
