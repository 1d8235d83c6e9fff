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

use emberwalk_map::MAX_SIDE;
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics};
use emberwalk_path::grid::Size;

/// The maximum depth of nested elements.
const MAX_DEPTH: usize = 32;

/// The maximum distance of a chunk or a layer from the origin, in cells.
const MAX_DISTANCE: u32 = 1 << 20;

/// The maximum distance by which a layer can be moved, in pixels.
const MAX_PIXELS: f64 = (1 << 30) as f64;

/// An error at a place in a file, with its correction if that is not obvious.
pub(super) struct XmlError {
    /// The place, in bytes of the text.
    place: Range<usize>,
    message: String,
    help: Option<&'static str>,
}

impl XmlError {
    pub fn new(place: Range<usize>, message: impl Into<String>, help: impl Into<Option<&'static str>>) -> Self {
        Self { place, message: message.into(), help: help.into() }
    }

    fn invalid_xml(place: Range<usize>, error: impl Into<Error>) -> Self {
        Self::new(place, format!("this is not valid XML: {}", describe(&error.into())), None)
    }

    /// Converts the error to diagnostics for a file with this text.
    pub fn in_file(self, file: &str, source: &str) -> Diagnostics {
        let mut diagnostics = DiagnosticCollector::new(file, source);
        diagnostics.add_span(self.place, None, self.message, self.help.map(str::to_owned));
        diagnostics.finish().expect_err("an error has been added")
    }
}

/// An element that may contain terrain data.
pub(super) struct Element<'a> {
    pub name: String,
    attributes: Vec<(String, String)>,
    pub children: Vec<Element<'a>>,
    /// The texts in it, separated by comments and elements.
    pub texts: Vec<Cow<'a, str>>,
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
        Ok(Self { name, attributes, children: Vec::new(), texts: Vec::new(), place })
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
        let message = || format!("{name} is {value:?}; it must be a number from {min} to {max}");
        number.filter(|number| (min..=max).contains(number)).ok_or_else(|| self.error(message(), None))
    }

    /// The column or row in an attribute, or `if_missing`.
    pub fn position(&self, name: &str, if_missing: &str) -> Result<i32, XmlError> {
        let value = self.attribute(name).unwrap_or(if_missing);
        let position = value.parse().ok().filter(|position: &i32| position.unsigned_abs() <= MAX_DISTANCE);
        let help = "it must be a column or row near the origin";
        position.ok_or_else(|| self.error(format!("{name} is {value:?}"), help))
    }

    /// The number of pixels in an attribute, or 0 if it is missing.
    pub fn pixels(&self, name: &str) -> Result<f64, XmlError> {
        let value = self.get(name);
        let pixels = if value.is_empty() { Some(0.0) } else { value.parse().ok() };
        let message = || format!("{name} is {value:?}; it must be a number of pixels");
        pixels.filter(|pixels: &f64| pixels.abs() <= MAX_PIXELS).ok_or_else(|| self.error(message(), None))
    }
}

/// Whether an element inside `parent` may contain terrain data. Elements that must not be in the data of a layer are
/// kept too.
fn is_relevant(parent: &str, element: &[u8]) -> bool {
    let children: &[&[u8]] = match parent {
        "map" => &[b"tileset", b"layer", b"group", b"properties"],
        "group" => &[b"layer", b"group"],
        "layer" => &[b"data"],
        "data" | "chunk" => return true,
        "tileset" => &[b"image", b"tile"],
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
                    return Err(wrong_root(element.place, root, &format!("<{}>", element.name)));
                }
                open.push(element);
            }
            Event::Text(text) => {
                let text = text.unescape().map_err(invalid_xml)?;
                open.last_mut().into_iter().for_each(|element| element.texts.push(text.clone()));
            }
            Event::CData(text) => {
                let text = String::from_utf8_lossy(text).into_owned();
                open.last_mut().into_iter().for_each(|element| element.texts.push(text.clone().into()));
            }
            Event::Eof if !open.is_empty() => {
                return Err(XmlError::new(place, "the file ends before all elements are closed", None));
            }
            Event::Eof => return outermost.ok_or_else(|| wrong_root(place, root, "no element")),
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

/// The error for a file whose outermost element is not `root`.
fn wrong_root(place: Range<usize>, root: &str, found: &str) -> XmlError {
    if (root, found) == ("map", "<tileset>") {
        let help = "import the map that uses it, a file whose name ends in .tmx";
        return XmlError::new(place, "this is a Tiled tileset, not a map", help);
    }
    XmlError::new(place, format!("a Tiled {root} begins with <{root}>, but here is {found}"), None)
}

/// The bytes of the first line of the element that begins at `start`, or after the white space there.
fn first_line(source: &str, start: usize) -> Range<usize> {
    // At the end of the text, the reader's position may be inside a character.
    let rest = &source[source.floor_char_boundary(start)..];
    let start = source.len() - rest.trim_start().len();
    let end = source[start..].find(['\n', '>']).map_or(source.len(), |at| start + at + 1);
    start..end
}

/// Describes an XML error, in words that follow a colon.
fn describe(error: &Error) -> String {
    match error {
        Error::UnexpectedEof(_) => "the file ends in the middle of a tag or a comment".into(),
        Error::EndEventMismatch { expected, found } if expected.is_empty() => format!("`</{found}>` closes nothing"),
        Error::EndEventMismatch { expected, found } => format!("expected `</{expected}>`, not `</{found}>`"),
        Error::InvalidAttr(error) => match error {
            AttrError::ExpectedEq(_) => "an attribute has no `=`".into(),
            AttrError::ExpectedValue(_) => "an attribute has no value".into(),
            AttrError::UnquotedValue(_) => "the value of an attribute is not in quotes".into(),
            AttrError::ExpectedQuote(_, quote) => {
                format!("the value of an attribute has no closing `{}`", char::from(*quote))
            }
            AttrError::Duplicated(..) => "an attribute is written twice".into(),
        },
        Error::EscapeError(EscapeError::UnrecognizedSymbol(_, name)) => {
            format!("unknown entity `&{name};`; a plain `&` is written `&amp;`")
        }
        Error::EscapeError(EscapeError::UnterminatedEntity(_)) => {
            "there is no `;` after a `&`; a plain `&` is written `&amp;`".into()
        }
        Error::EscapeError(_) => "the number between `&#` and `;` is not a character".into(),
        Error::UnexpectedBang(_) => "`<!` begins neither a comment nor CDATA".into(),
        _ => "a tag cannot be read".into(),
    }
}
