//! Parses the XML of Tiled maps and tilesets into elements, within limits.
//!
//! Elements without terrain data are skipped. Names of elements and attributes are compared without their prefix; if an
//! attribute occurs twice under different prefixes, the last one counts.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::escape::EscapeError;
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader};

use crate::foreign_file::{ForeignFile, IMPORT_THE_MAP};
use emberwalk_map::MAX_SIDE;
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics};
use emberwalk_path::grid::Size;

/// The maximum depth of nested elements.
const MAX_DEPTH: usize = 32;

/// The maximum distance of a chunk or a layer from the origin, in cells.
const MAX_DISTANCE: u32 = 1 << 20;

/// The maximum distance by which a layer can be moved, in pixels.
const MAX_PIXELS: f64 = (1 << 30) as f64;

/// The maximum angle by which an object can be turned, in degrees.
const MAX_DEGREES: f64 = 1e6;

/// An error at a place in a file, with its correction if that is not obvious.
#[derive(Clone)]
pub(super) struct XmlError {
    /// The place, in bytes of the text.
    place: Range<usize>,
    /// The error, without words from the file.
    message: String,
    /// The error with words from the file, if they make it clearer.
    quoting: Option<String>,
    help: Option<&'static str>,
}

impl XmlError {
    /// An error whose message has no words from the file.
    pub fn new(place: Range<usize>, message: impl Into<String>, help: impl Into<Option<&'static str>>) -> Self {
        Self { place, message: message.into(), quoting: None, help: help.into() }
    }

    /// The same error, with a message that has words from the file.
    pub fn quoting(self, message: impl Into<String>) -> Self {
        Self { quoting: Some(message.into()), ..self }
    }

    fn invalid_xml(place: Range<usize>, error: impl Into<Error>) -> Self {
        let (message, quoting) = describe(&error.into());
        let full = |reason: &str| format!("this is not valid XML: {reason}");
        let quoting = quoting.map(|reason| full(&reason));
        Self { quoting, ..Self::new(place, full(&message), None) }
    }

    /// Converts the error to diagnostics for a file with this text.
    pub fn in_file(self, file: &str, source: &str) -> Diagnostics {
        let mut diagnostics = DiagnosticCollector::new(file, source);
        let message = self.quoting.unwrap_or(self.message);
        diagnostics.add_span(self.place, None, message, self.help.map(str::to_owned));
        diagnostics.finish().expect_err("an error has been added")
    }

    /// Like [`in_file`](Self::in_file), without a word from the file.
    pub fn in_hidden_file(self, file: &str, source: &str) -> Diagnostics {
        Self { quoting: None, ..self }.in_file(file, source).without_text()
    }
}

/// An element that may contain terrain data.
pub(super) struct Element<'a> {
    pub name: String,
    attributes: Vec<(String, String)>,
    pub children: Vec<Element<'a>>,
    /// The text in it, without comments and the text of its children.
    pub text: Cow<'a, str>,
    /// The global ids of the `tile` elements in the data of a layer. There can be millions of them, so they are not
    /// stored as elements.
    pub tile_ids: Vec<u32>,
    /// The first line of its tag, in bytes of the text of the file.
    pub place: Range<usize>,
}

impl<'a> Element<'a> {
    fn new(tag: &BytesStart<'_>, place: Range<usize>) -> Result<Self, XmlError> {
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| XmlError::invalid_xml(place.clone(), error))?;
            let value = attribute.unescape_value().map_err(|error| XmlError::invalid_xml(place.clone(), error))?;
            attributes.push((text(attribute.key.local_name().as_ref()), value.into_owned()));
        }
        let name = text(tag.local_name().as_ref());
        Ok(Self { name, attributes, children: Vec::new(), text: Cow::default(), tile_ids: Vec::new(), place })
    }

    pub fn error(&self, message: impl Into<String>, help: impl Into<Option<&'static str>>) -> XmlError {
        XmlError::new(self.place.clone(), message, help)
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().rfind(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The value of an attribute, or an empty text if it is missing.
    pub fn get(&self, name: &str) -> &str {
        self.attribute(name).unwrap_or("")
    }

    /// The size in the attributes `width` and `height`.
    pub fn size(&self) -> Result<Size, XmlError> {
        if let Some(name) = ["width", "height"].into_iter().find(|name| self.get(name).is_empty()) {
            return Err(self.error(format!("{name} is missing"), None));
        }
        Ok(Size::new(self.number("width", 1, MAX_SIDE)?, self.number("height", 1, MAX_SIDE)?))
    }

    /// The number in an attribute, or `min` if it is missing.
    pub fn number(&self, name: &str, min: u32, max: u32) -> Result<u32, XmlError> {
        let value = self.get(name);
        let number = if value.is_empty() { Some(min) } else { value.parse().ok() };
        let rule = format!("it must be a number from {min} to {max}");
        number.filter(|number| (min..=max).contains(number)).ok_or_else(|| self.wrong_value(name, &rule))
    }

    /// The column or row in an attribute, or `if_missing`.
    pub fn position(&self, name: &str, if_missing: &str) -> Result<i32, XmlError> {
        let value = self.attribute(name).unwrap_or(if_missing);
        let position = value.parse().ok().filter(|position: &i32| position.unsigned_abs() <= MAX_DISTANCE);
        let rule = || format!("it must be a number from -{MAX_DISTANCE} to {MAX_DISTANCE}");
        position.ok_or_else(|| self.wrong_value(name, &rule()))
    }

    /// The number of pixels in an attribute, or 0 if it is missing.
    pub fn pixels(&self, name: &str) -> Result<f64, XmlError> {
        self.real(name, "pixels", MAX_PIXELS)
    }

    /// The number of degrees in an attribute, or 0 if it is missing.
    pub fn degrees(&self, name: &str) -> Result<f64, XmlError> {
        self.real(name, "degrees", MAX_DEGREES)
    }

    fn real(&self, name: &str, unit: &str, max: f64) -> Result<f64, XmlError> {
        let value = self.get(name);
        let number = if value.is_empty() { Some(0.0) } else { value.parse().ok() };
        let rule = || format!("it must be a number of {unit} from -{max} to {max}");
        number.filter(|number: &f64| number.abs() <= max).ok_or_else(|| self.wrong_value(name, &rule()))
    }

    /// The error of an attribute whose value breaks this rule.
    fn wrong_value(&self, name: &str, rule: &str) -> XmlError {
        let quoting = format!("{name} is {:?}; {rule}", self.get(name));
        self.error(format!("{name} is wrong: {rule}"), None).quoting(quoting)
    }
}

/// Whether an element inside `parent` may contain terrain data.
fn is_relevant(parent: &str, element: &[u8]) -> bool {
    let children: &[&[u8]] = match parent {
        "map" => &[b"tileset", b"layer", b"group", b"properties", b"objectgroup", b"imagelayer"],
        "group" => &[b"layer", b"group", b"objectgroup", b"imagelayer"],
        "layer" => &[b"data"],
        "data" => &[b"chunk"],
        "objectgroup" => &[b"object"],
        "template" => &[b"tileset", b"object"],
        "object" => &[b"properties", b"point", b"polygon", b"polyline", b"text"],
        "tileset" => &[b"image", b"tile", b"wangsets", b"terraintypes"],
        "wangsets" => &[b"wangset"],
        "wangset" => &[b"wangcolor", b"wangtile"],
        "terraintypes" => &[b"terrain"],
        "tile" => &[b"image", b"properties"],
        "properties" => &[b"property"],
        _ => &[],
    };
    children.contains(&element)
}

/// Parses a text, and returns its outermost element, which must be `root`: `map` or `tileset`.
///
/// # Errors
/// The first place where the text is not valid XML or exceeds a limit.
pub(super) fn parse<'a>(source: &'a str, root: &str) -> Result<Element<'a>, XmlError> {
    let mut reader = Reader::from_str(source);
    let mut outermost = None;
    let mut open: Vec<Element<'a>> = Vec::new();
    loop {
        let place = first_line(source, reader.buffer_position());
        let invalid_xml = |error| XmlError::invalid_xml(place.clone(), error);
        let event = reader.read_event().map_err(invalid_xml)?;
        match &event {
            Event::Start(tag) | Event::Empty(tag) => {
                let is_relevant = match open.last() {
                    Some(parent) => is_relevant(&parent.name, tag.local_name().as_ref()),
                    None => outermost.is_none(),
                };
                if !is_relevant {
                    if let Some(data) = open.last_mut().filter(|parent| is_tile_of_data(&parent.name, tag)) {
                        data.tile_ids.push(Element::new(tag, place.clone())?.number("gid", 0, u32::MAX)?);
                    }
                    if matches!(event, Event::Start(_)) {
                        reader.read_to_end(tag.name()).map_err(invalid_xml)?;
                    }
                    continue;
                }
                if open.len() == MAX_DEPTH {
                    return Err(XmlError::new(place, "elements are nested too deeply", None));
                }
                let element = Element::new(tag, place)?;
                if open.is_empty() && element.name != root {
                    return Err(wrong_root(&element, root));
                }
                open.push(element);
            }
            Event::Text(text) => {
                let text = text.unescape().map_err(invalid_xml)?;
                if let Some(element) = open.last_mut() {
                    element.text += text;
                }
            }
            Event::CData(text) => {
                let text = String::from_utf8_lossy(text).into_owned();
                if let Some(element) = open.last_mut() {
                    element.text += Cow::from(text);
                }
            }
            Event::Eof if !open.is_empty() => {
                return Err(XmlError::new(place, "the file ends before all elements are closed", None));
            }
            Event::Eof => {
                let message = format!("this is not a Tiled {root}, which begins with <{root}>");
                return outermost.ok_or_else(|| XmlError::new(first_line(source, 0), message, None));
            }
            _ => {}
        }
        if matches!(event, Event::Empty(_) | Event::End(_))
            && let Some(complete) = open.pop()
        {
            match open.last_mut() {
                Some(parent) => parent.children.push(complete),
                None => outermost = Some(complete),
            }
        }
    }
}

/// Whether a tag in an element called `parent` is a cell in the data of a layer.
fn is_tile_of_data(parent: &str, tag: &BytesStart<'_>) -> bool {
    ["data", "chunk"].contains(&parent) && tag.local_name().as_ref() == b"tile"
}

/// The error for a file whose outermost element is not `root`.
fn wrong_root(element: &Element<'_>, root: &str) -> XmlError {
    let is_foreign = |foreign: ForeignFile| element.error(foreign.message(), IMPORT_THE_MAP);
    match (root, element.name.as_str()) {
        ("map", "tileset") => is_foreign(ForeignFile::TiledTileset),
        ("map", "template" | "objecttemplate") => is_foreign(ForeignFile::TiledTemplate),
        (_, found) => {
            let expected = format!("a Tiled {root} begins with <{root}>");
            let error = element.error(format!("{expected}, but this file with another element"), None);
            error.quoting(format!("{expected}, but here is <{found}>"))
        }
    }
}

/// The bytes of the first line of the element that begins at `start`, or after the white space there.
fn first_line(source: &str, start: usize) -> Range<usize> {
    // At the end of the text, the reader's position may be inside a character.
    let rest = &source[source.floor_char_boundary(start)..];
    let start = source.len() - rest.trim_start().len();
    let end = source[start..].find(['\n', '>']).map_or(source.len(), |at| start + at + 1);
    start..end
}

/// The names of elements that every file of Tiled may have, so that a message can contain them.
const ELEMENTS: [&str; 14] = [
    "map",
    "tileset",
    "layer",
    "group",
    "objectgroup",
    "object",
    "data",
    "chunk",
    "tile",
    "image",
    "properties",
    "property",
    "wangsets",
    "wangset",
];

/// Describes an XML error, in words that follow a colon: without words from the file, and with them if they help.
fn describe(error: &Error) -> (Cow<'static, str>, Option<String>) {
    let (message, quoting) = match error {
        Error::EndEventMismatch { expected, found } if !expected.is_empty() => {
            let known = ELEMENTS.iter().find(|name| *name == expected);
            let message = known.map(|name| Cow::from(format!("a closing tag is wrong: `</{name}>` was expected")));
            let message = message.unwrap_or("another closing tag was expected".into());
            return (message, Some(format!("expected `</{expected}>`, not `</{found}>`")));
        }
        Error::UnexpectedEof(_) => ("the file ends in the middle of a tag or a comment", None),
        Error::EndEventMismatch { found, .. } => {
            ("a closing tag closes nothing", Some(format!("`</{found}>` closes nothing")))
        }
        Error::InvalidAttr(error) => match error {
            AttrError::ExpectedEq(_) => ("an attribute has no `=`", None),
            AttrError::ExpectedValue(_) => ("an attribute has no value", None),
            AttrError::UnquotedValue(_) => ("the value of an attribute is not in quotes", None),
            AttrError::ExpectedQuote(..) => ("the value of an attribute has no closing quote", None),
            AttrError::Duplicated(..) => ("an attribute is written twice", None),
        },
        Error::EscapeError(EscapeError::UnrecognizedSymbol(_, name)) => (
            "unknown entity; a plain `&` is written `&amp;`",
            Some(format!("unknown entity `&{name};`; a plain `&` is written `&amp;`")),
        ),
        Error::EscapeError(EscapeError::UnterminatedEntity(_)) => {
            ("there is no `;` after a `&`; a plain `&` is written `&amp;`", None)
        }
        Error::EscapeError(_) => ("the number between `&#` and `;` is not a character", None),
        Error::UnexpectedBang(_) => ("`<!` begins neither a comment nor CDATA", None),
        _ => ("a tag cannot be read", None),
    };
    (message.into(), quoting)
}
