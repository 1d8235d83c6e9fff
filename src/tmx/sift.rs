//! Holds a Tiled file to bounds, and leaves out what maps do not need, before it is read.
//!
//! The reader of Tiled's files trusts them: it would follow groups as deep as they go, make room for as many tiles as a
//! file claims to have, unpack layers to whatever length, and take it for granted that a layer has all the cells that it
//! says. Here all that is made sure of, each with its place in the text. Attributes and elements are taken as that reader
//! takes them: by their name without prefix, the last of the same name.

use std::cell::Cell;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::attributes::{Attributes, Wrong, not_xml};
use super::inflate::{base64, gzip_len, zlib_len};
use crate::diagnostics::{DiagnosticCollector, Diagnostics};
use crate::map::MAX_SIDE;

/// Elements may stand so deep in each other.
const DEEPEST: usize = 32;

/// The most cells that all layers may have together: four layers of the largest map.
const MOST_CELLS: u64 = 4 * MAX_SIDE as u64 * MAX_SIDE as u64;

/// The most that numbers of a tileset may be: tiles, and pixels of a side.
const MOST_OF_TILESET: u32 = 1 << 16;

/// The most tiles that all tilesets of a map may say that they have.
pub(super) const MOST_TILES: u32 = 1 << 18;

/// An infinite map is kept in parts of so many cells a side.
const PART: i32 = 16;

/// The most pixels of a side that a tileset's picture may have.
const MOST_OF_PICTURE: u32 = 1 << 20;

/// How far from the origin a part of an infinite map may lie, in cells.
const FARTHEST: i32 = 1 << 20;

const FORMAT_HELP: &str = "in Tiled choose Map > Map Properties > Tile Layer Format: CSV, and save it again";

/// Whether an element is read where it stands; the outermost is whatever it is.
fn is_read(parent: &[u8], element: &[u8]) -> bool {
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

/// The text without elements that say nothing of terrain, if it keeps all bounds. `tiles` is how many there still may be,
/// in this file and the others of its map.
pub(super) fn sift(file: &str, source: &str, tiles: &Cell<u32>) -> Result<String, Diagnostics> {
    let mut faults = DiagnosticCollector::new(file, source);
    let mut sifter = Sifter::new(tiles);
    let mut reader = Reader::from_str(source);
    let (mut kept, mut from) = (String::with_capacity(source.len()), 0);
    let mut open: Vec<Vec<u8>> = Vec::new();
    let fault = loop {
        let start = reader.buffer_position();
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => break Some((start, not_xml(error))),
        };
        let parent = open.last().map_or(&b""[..], Vec::as_slice);
        let result = match &event {
            Event::Eof if !open.is_empty() => Err(("the file ends before all is closed".to_owned(), None)),
            Event::Eof => break None,
            Event::Start(_) | Event::Empty(_) if sifter.data.is_some() => {
                Err(("the layer's data have elements in them".to_owned(), Some(FORMAT_HELP)))
            }
            Event::Start(element) | Event::Empty(element) if !is_read(parent, element.local_name().as_ref()) => {
                kept.push_str(&source[from..start]);
                let end = matches!(event, Event::Start(_)).then(|| reader.read_to_end(element.name()));
                from = reader.buffer_position();
                end.map_or(Ok(()), |end| end.map(drop).map_err(not_xml))
            }
            Event::Start(element) => {
                open.push(element.local_name().as_ref().to_vec());
                let deep = ("elements stand too deep in each other".to_owned(), None);
                if open.len() > DEEPEST { Err(deep) } else { sifter.open(element) }
            }
            Event::Empty(element) => sifter.open(element).and_then(|()| sifter.close(element.local_name().as_ref())),
            Event::End(element) => {
                open.pop();
                sifter.close(element.local_name().as_ref())
            }
            Event::Text(text) => text.unescape().map(|text| sifter.text(&text)).map_err(not_xml),
            Event::CData(text) => {
                sifter.text(&String::from_utf8_lossy(text));
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(wrong) = result {
            break Some((start, wrong));
        }
    };
    if let Some((start, (message, help))) = fault {
        // At the end of the text the reader is off by a byte. Space before the element is not meant.
        let rest = &source[source.floor_char_boundary(start)..];
        let start = source.len() - rest.trim_start().len();
        let end = source[start..].find(['\n', '>']).map_or(source.len(), |at| start + at + 1);
        faults.add_span(start..end, None, message, help.map(str::to_owned));
    }
    faults.finish()?;
    kept.push_str(&source[from..]);
    Ok(kept)
}

/// What is known of the elements around.
struct Sifter<'a> {
    tiles: &'a Cell<u32>,
    infinite: bool,
    /// Of the tileset that is open, in pixels.
    margin: u32,
    /// Of the layer or chunk that is open.
    cells: u64,
    encoding: String,
    compression: String,
    /// Whether the data of a finite layer or of a chunk are open, and their text once it has come.
    data: Option<Option<String>>,
    /// Of all layers so far.
    all_cells: u64,
}

impl<'a> Sifter<'a> {
    fn new(tiles: &'a Cell<u32>) -> Self {
        let (encoding, compression) = (String::new(), String::new());
        Self { tiles, infinite: false, margin: 0, cells: 0, encoding, compression, data: None, all_cells: 0 }
    }

    fn open(&mut self, element: &BytesStart<'_>) -> Result<(), Wrong> {
        let attributes = Attributes::new(element)?;
        match element.local_name().as_ref() {
            b"map" => {
                self.infinite = attributes.get("infinite") == "1";
                let known = ["orthogonal", "isometric"].contains(&attributes.get("orientation"));
                if !known && !attributes.get("orientation").is_empty() {
                    let message = format!("the map is {}", attributes.get("orientation"));
                    return Err((message, Some("orthogonal and isometric maps can be imported")));
                }
                if !self.infinite {
                    attributes.sides()?;
                }
            }
            b"tileset" => {
                if attributes.get("source").is_empty() && attributes.get("tilecount").is_empty() {
                    let help = "the map was saved by an old version of Tiled: open it in a new one and save it again";
                    return Err(("the tileset does not say how many tiles it has".to_owned(), Some(help)));
                }
                for name in ["tilecount", "columns", "tilewidth", "tileheight", "spacing", "margin"] {
                    attributes.number(name, 0, MOST_OF_TILESET)?;
                }
                let left = self.tiles.get().checked_sub(attributes.number("tilecount", 0, MOST_OF_TILESET)?);
                self.margin = attributes.number("margin", 0, MOST_OF_TILESET)?;
                let many = || (format!("the tilesets have more than {MOST_TILES} tiles"), None);
                self.tiles.set(left.ok_or_else(many)?);
            }
            b"image" => {
                // The columns of a tileset may be counted from these.
                let width = attributes.number("width", 0, MOST_OF_PICTURE)?;
                attributes.number("height", 0, MOST_OF_PICTURE)?;
                if width < self.margin {
                    return Err((format!("the picture is {width} pixels wide, its margin {}", self.margin), None));
                }
            }
            b"layer" => {
                // An infinite map's layers say a size that means nothing.
                self.cells = if self.infinite { 0 } else { attributes.sides()? };
            }
            b"chunk" if self.infinite => {
                self.cells = attributes.sides()?;
                let mut parts = 1;
                for (name, side) in [("x", "width"), ("y", "height")] {
                    let at: i32 = attributes.get(name).parse().unwrap_or(FARTHEST);
                    if at.unsigned_abs() >= FARTHEST.unsigned_abs() {
                        return Err((format!("{name} is {:?}", attributes.get(name)), Some("it is a column or row")));
                    }
                    let last = at + attributes.number(side, 1, MAX_SIDE)? as i32 - 1;
                    parts *= u64::from((last.div_euclid(PART) - at.div_euclid(PART)).unsigned_abs() + 1);
                }
                self.begin_data(parts)?;
            }
            b"data" => {
                self.encoding = attributes.get("encoding").to_owned();
                self.compression = attributes.get("compression").to_owned();
                let known = match self.encoding.as_str() {
                    "csv" => self.compression.is_empty(),
                    "base64" => ["", "zlib", "gzip"].contains(&self.compression.as_str()),
                    _ => false,
                };
                if !known {
                    let how = [self.encoding.as_str(), self.compression.as_str()].join(" ");
                    let how = if how.trim().is_empty() { "XML elements" } else { how.trim() };
                    let message = format!("the layer's cells are written as {how}, which cannot be read");
                    return Err((message, Some(FORMAT_HELP)));
                }
                if !self.infinite {
                    self.begin_data(1)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What comes is a layer, or what touches so many parts of one.
    fn begin_data(&mut self, parts: u64) -> Result<(), Wrong> {
        self.all_cells += self.cells.max(parts * (PART * PART) as u64);
        if self.all_cells > MOST_CELLS {
            let help = "all layers together may have four times the cells of the largest map, which has 4096 x 4096";
            return Err(("the layers have too many cells".to_owned(), Some(help)));
        }
        self.data = Some(None);
        Ok(())
    }

    /// Only the first text of an element counts.
    fn text(&mut self, text: &str) {
        if let Some(data @ None) = &mut self.data {
            *data = Some(text.to_owned());
        }
    }

    fn close(&mut self, element: &[u8]) -> Result<(), Wrong> {
        if element != if self.infinite { &b"chunk"[..] } else { b"data" } {
            return Ok(());
        }
        let Some(text) = self.data.take() else { return Ok(()) };
        let text = text.unwrap_or_default();
        let most = self.cells * 4;
        let unpacked = |length: fn(&[u8], u64) -> Option<u64>| length(&base64(&text)?, most).map(|bytes| bytes / 4);
        let found = match (self.encoding.as_str(), self.compression.as_str()) {
            ("csv", _) => count(&text),
            (_, "") => base64(&text).map(|bytes| bytes.len() as u64 / 4),
            (_, "zlib") => unpacked(zlib_len),
            _ => unpacked(gzip_len),
        };
        match found {
            Some(found) if found == self.cells => Ok(()),
            Some(found) => Err((format!("the layer has {found} cells; its width and height say {}", self.cells), None)),
            None => {
                let message = format!("the layer's data are broken, or hold more than {} cells", self.cells);
                Err((message, None))
            }
        }
    }
}

/// How many numbers a list has; `None` if something in it is none.
fn count(text: &str) -> Option<u64> {
    let is_number = |number: &str| number.trim().parse::<u32>().is_ok();
    text.split(',').try_fold(0, |count, number| is_number(number).then_some(count + 1))
}
