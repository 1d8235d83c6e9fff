//! Checks a Tiled file before it is parsed, and removes the elements that say nothing about terrain.
//!
//! The `tiled` crate trusts its input. It follows groups to any depth, allocates as many tiles as a file claims to
//! have, unpacks layers to any length, and expects a layer to have all the cells that its size promises. All of this is
//! checked here, and errors are reported with their place in the text. Attributes and elements are identified as that
//! crate does it: by their name without prefix, and by the last attribute of a name.

use std::cell::Cell;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::attributes::{Attributes, ElementError};
use super::layer_data::LayerEncoding;
use crate::diagnostics::{DiagnosticCollector, Diagnostics};
use crate::map::MAX_SIDE;

/// The maximum depth of nested elements.
const MAX_DEPTH: usize = 32;

/// The maximum number of cells in all layers together: four layers of the largest map.
const MAX_CELLS: u64 = 4 * MAX_SIDE as u64 * MAX_SIDE as u64;

/// The maximum of the numbers of a tileset: its tile count, its columns, and its sizes in pixels.
const MAX_TILESET_NUMBER: u32 = 1 << 16;

/// The maximum number of tiles in all tilesets of a map together.
pub(super) const MAX_TILES: u32 = 1 << 18;

/// The side of the square chunks in which the `tiled` crate stores an infinite map, in cells.
const CHUNK_SIDE: i32 = 16;

/// The maximum side of the picture of a tileset, in pixels.
const MAX_PICTURE_SIDE: u32 = 1 << 20;

/// The maximum distance of a chunk of an infinite map from the origin, in cells.
const MAX_CHUNK_DISTANCE: i32 = 1 << 20;

const FORMAT_HELP: &str = "in Tiled choose Map > Map Properties > Tile Layer Format: CSV, and save it again";

/// Whether an element inside `parent` is parsed. The outermost element always is.
fn is_parsed(parent: &[u8], element: &[u8]) -> bool {
    let children: &[&[u8]] = match parent {
        b"" => return true,
        b"map" => &[b"tileset", b"layer", b"group", b"properties"],
        b"group" => &[b"layer", b"group", b"properties"],
        b"layer" => &[b"data", b"properties"],
        b"data" => &[b"chunk"],
        b"tileset" => &[b"image", b"tileoffset", b"transformations", b"properties", b"tile"],
        b"tile" => &[b"image", b"properties"],
        b"properties" => &[b"property"],
        b"property" | b"item" => &[b"properties", b"item"],
        _ => &[],
    };
    children.contains(&element)
}

/// Returns the text of a map or tileset without the elements that say nothing about terrain.
///
/// `tiles_left` is the number of tiles that this file and the later files of the same map may still have.
///
/// # Errors
/// The first place where the text is not valid XML or exceeds a limit.
pub(super) fn validate(file: &str, source: &str, tiles_left: &Cell<u32>) -> Result<String, Diagnostics> {
    let mut diagnostics = DiagnosticCollector::new(file, source);
    let mut validator = Validator::new(tiles_left);
    let mut reader = Reader::from_str(source);
    let (mut kept, mut kept_to) = (String::with_capacity(source.len()), 0);
    let mut open: Vec<Vec<u8>> = Vec::new();
    let error = loop {
        let start = reader.buffer_position();
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => break Some((start, ElementError::invalid_xml(error))),
        };
        let parent = open.last().map_or(&b""[..], Vec::as_slice);
        let result = match &event {
            Event::Eof if !open.is_empty() => Err(ElementError::new("the file ends before all elements are closed")),
            Event::Eof => break None,
            Event::Start(_) | Event::Empty(_) if validator.data.is_some() => {
                Err(ElementError::with_help("the layer's data contain elements", FORMAT_HELP))
            }
            Event::Start(element) | Event::Empty(element) if !is_parsed(parent, element.local_name().as_ref()) => {
                kept.push_str(&source[kept_to..start]);
                let end = matches!(event, Event::Start(_)).then(|| reader.read_to_end(element.name()));
                kept_to = reader.buffer_position();
                end.map_or(Ok(()), |end| end.map(drop).map_err(ElementError::invalid_xml))
            }
            Event::Start(element) => {
                open.push(element.local_name().as_ref().to_vec());
                if open.len() > MAX_DEPTH {
                    Err(ElementError::new("elements are nested too deeply"))
                } else {
                    validator.open(element)
                }
            }
            Event::Empty(element) => {
                validator.open(element).and_then(|()| validator.close(element.local_name().as_ref()))
            }
            Event::End(element) => {
                open.pop();
                validator.close(element.local_name().as_ref())
            }
            Event::Text(text) => text.unescape().map(|text| validator.text(&text)).map_err(ElementError::invalid_xml),
            Event::CData(text) => {
                validator.text(&String::from_utf8_lossy(text));
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(error) = result {
            break Some((start, error));
        }
    };
    if let Some((start, ElementError { message, help })) = error {
        // At the end of the text, the reader's position may be inside a character. Whitespace before the element is
        // skipped, so that the mark is on the element.
        let rest = &source[source.floor_char_boundary(start)..];
        let start = source.len() - rest.trim_start().len();
        let end = source[start..].find(['\n', '>']).map_or(source.len(), |at| start + at + 1);
        diagnostics.add_span(start..end, None, message, help.map(str::to_owned));
    }
    diagnostics.finish()?;
    kept.push_str(&source[kept_to..]);
    Ok(kept)
}

/// Validates one element after the other, and keeps what it must know of the elements before.
struct Validator<'a> {
    tiles_left: &'a Cell<u32>,
    infinite: bool,
    /// The margin of the open tileset, in pixels.
    margin: u32,
    /// The number of cells that the size of the open layer or chunk promises.
    cells: u64,
    /// The encoding of the open layer.
    encoding: LayerEncoding,
    /// Whether the data of a finite layer or of a chunk are open, and their text once it has been read.
    data: Option<Option<String>>,
    /// The number of cells of all layers so far.
    total_cells: u64,
}

impl<'a> Validator<'a> {
    fn new(tiles_left: &'a Cell<u32>) -> Self {
        let encoding = LayerEncoding::Csv;
        Self { tiles_left, infinite: false, margin: 0, cells: 0, encoding, data: None, total_cells: 0 }
    }

    fn open(&mut self, element: &BytesStart<'_>) -> Result<(), ElementError> {
        let attributes = Attributes::new(element)?;
        match element.local_name().as_ref() {
            b"map" => self.open_map(&attributes),
            b"tileset" => self.open_tileset(&attributes),
            b"image" => self.open_image(&attributes),
            b"layer" => {
                // The layers of an infinite map have a size too, but it has no meaning.
                self.cells = if self.infinite { 0 } else { attributes.area()? };
                Ok(())
            }
            b"chunk" if self.infinite => self.open_chunk(&attributes),
            b"data" => self.open_data(&attributes),
            _ => Ok(()),
        }
    }

    fn open_map(&mut self, attributes: &Attributes) -> Result<(), ElementError> {
        self.infinite = attributes.get("infinite") == "1";
        let orientation = attributes.get("orientation");
        if !["orthogonal", "isometric", ""].contains(&orientation) {
            let help = "orthogonal and isometric maps can be imported";
            return Err(ElementError::with_help(format!("the map is {orientation}"), help));
        }
        if !self.infinite {
            attributes.area()?;
        }
        Ok(())
    }

    fn open_tileset(&mut self, attributes: &Attributes) -> Result<(), ElementError> {
        if attributes.get("source").is_empty() && attributes.get("tilecount").is_empty() {
            let help = "the map was saved by an old version of Tiled: open it in a new one and save it again";
            return Err(ElementError::with_help("the tileset does not say how many tiles it has", help));
        }
        for name in ["tilecount", "columns", "tilewidth", "tileheight", "spacing", "margin"] {
            attributes.number(name, 0, MAX_TILESET_NUMBER)?;
        }
        self.margin = attributes.number("margin", 0, MAX_TILESET_NUMBER)?;
        let left = self.tiles_left.get().checked_sub(attributes.number("tilecount", 0, MAX_TILESET_NUMBER)?);
        let too_many = || ElementError::new(format!("the tilesets have more than {MAX_TILES} tiles"));
        self.tiles_left.set(left.ok_or_else(too_many)?);
        Ok(())
    }

    fn open_image(&mut self, attributes: &Attributes) -> Result<(), ElementError> {
        // The `tiled` crate may compute the columns of a tileset from the width and the margin.
        let width = attributes.number("width", 0, MAX_PICTURE_SIDE)?;
        attributes.number("height", 0, MAX_PICTURE_SIDE)?;
        if width < self.margin {
            let margin = self.margin;
            return Err(ElementError::new(format!("the picture is {width} pixels wide, but its margin is {margin}")));
        }
        Ok(())
    }

    fn open_chunk(&mut self, attributes: &Attributes) -> Result<(), ElementError> {
        self.cells = attributes.area()?;
        let mut chunks = 1;
        for (name, side) in [("x", "width"), ("y", "height")] {
            let value = attributes.get(name);
            let first: i32 = value.parse().unwrap_or(MAX_CHUNK_DISTANCE);
            if first.unsigned_abs() >= MAX_CHUNK_DISTANCE.unsigned_abs() {
                let help = "it must be a column or row near the origin";
                return Err(ElementError::with_help(format!("{name} is {value:?}"), help));
            }
            let last = first + attributes.number(side, 1, MAX_SIDE)? as i32 - 1;
            chunks *= u64::from((last.div_euclid(CHUNK_SIDE) - first.div_euclid(CHUNK_SIDE)).unsigned_abs() + 1);
        }
        self.begin_cells(chunks)
    }

    fn open_data(&mut self, attributes: &Attributes) -> Result<(), ElementError> {
        let (encoding, compression) = (attributes.get("encoding"), attributes.get("compression"));
        self.encoding = LayerEncoding::from_attributes(encoding, compression).ok_or_else(|| {
            let format = [encoding, compression].join(" ");
            let format = if format.trim().is_empty() { "XML elements" } else { format.trim() };
            let message = format!("the layer's cells are written as {format}, which cannot be read");
            ElementError::with_help(message, FORMAT_HELP)
        })?;
        if self.infinite { Ok(()) } else { self.begin_cells(1) }
    }

    /// Begins the cells of a layer, or of a chunk that overlaps this number of the chunks in which cells are stored.
    fn begin_cells(&mut self, chunks: u64) -> Result<(), ElementError> {
        self.total_cells += self.cells.max(chunks * (CHUNK_SIDE * CHUNK_SIDE) as u64);
        if self.total_cells > MAX_CELLS {
            let help = "all layers together may have four times the cells of the largest map, which has 4096 x 4096";
            return Err(ElementError::with_help("the layers have too many cells", help));
        }
        self.data = Some(None);
        Ok(())
    }

    /// Takes the text of an element. The `tiled` crate reads only the first one, so the others are ignored.
    fn text(&mut self, text: &str) {
        if let Some(data @ None) = &mut self.data {
            *data = Some(text.to_owned());
        }
    }

    fn close(&mut self, element: &[u8]) -> Result<(), ElementError> {
        if element != if self.infinite { &b"chunk"[..] } else { b"data" } {
            return Ok(());
        }
        let Some(text) = self.data.take() else { return Ok(()) };
        // A few cells too many are counted, so that the message can say how many there are.
        let cells = self.cells;
        match self.encoding.count_cells(&text.unwrap_or_default(), 2 * cells) {
            Some(count) if count == cells => Ok(()),
            Some(count) => {
                let message = format!("the layer has {count} cells, but its width and height say {cells}");
                Err(ElementError::new(message))
            }
            None => {
                Err(ElementError::new(format!("the layer's data are invalid, or have far more than {cells} cells")))
            }
        }
    }
}
