//! Parses the XML of Tiled's maps and tilesets.
//!
//! Elements that say nothing about terrain are skipped. Elements and attributes are identified by their names without
//! prefix, and attributes by the last one of a name.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::attributes::{ElementError, FORMAT_HELP};
use super::document::Document;
use super::element_parser::{ElementParser, Root};
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics};

/// The maximum depth of nested elements.
const MAX_DEPTH: usize = 32;

/// Parses a file. `tiles_left` is the number of tiles that this file and the later files of the same map may still
/// have.
///
/// # Errors
/// The first place where the text is not valid XML, does not follow the format, or exceeds a limit.
pub(super) fn parse<'a>(
    file: &str,
    source: &'a str,
    root: Root,
    tiles_left: &mut u32,
) -> Result<Document<'a>, Diagnostics> {
    let mut parser = ElementParser::new(root, tiles_left);
    let mut reader = Reader::from_str(source);
    let mut open: Vec<Vec<u8>> = Vec::new();
    let error = loop {
        let start = reader.buffer_position();
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => break Some((start, ElementError::invalid_xml(error))),
        };
        let parent = open.last().map_or(&b""[..], Vec::as_slice);
        let place = || element_at(source, start);
        let result = match &event {
            Event::Eof if !open.is_empty() => Err(ElementError::new("the file ends before all elements are closed")),
            Event::Eof if !parser.has_root => Err(parser.wrong_root("no element")),
            Event::Eof => break None,
            Event::Start(_) | Event::Empty(_) if parser.is_in_data() => {
                Err(ElementError::with_help("the layer's data contain elements", FORMAT_HELP))
            }
            Event::Start(element) | Event::Empty(element) if !parser.knows(parent, element.local_name().as_ref()) => {
                let end = matches!(event, Event::Start(_)).then(|| reader.read_to_end(element.name()));
                end.map_or(Ok(()), |end| end.map(drop).map_err(ElementError::invalid_xml))
            }
            Event::Start(_) if open.len() == MAX_DEPTH => Err(ElementError::new("elements are nested too deeply")),
            Event::Start(element) => {
                let result = parser.open(parent, element, place());
                open.push(element.local_name().as_ref().to_vec());
                result
            }
            Event::Empty(element) => {
                let name = element.local_name();
                parser.open(parent, element, place()).map(|()| parser.close(name.as_ref()))
            }
            Event::End(_) => {
                let element = open.pop().unwrap_or_default();
                parser.close(&element);
                Ok(())
            }
            Event::Text(text) => text.unescape().map(|text| parser.text(text)).map_err(ElementError::invalid_xml),
            Event::CData(text) => {
                parser.text(String::from_utf8_lossy(text).into_owned().into());
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(error) = result {
            break Some((start, error));
        }
    };
    match error {
        Some((start, error)) => Err(error_at(file, source, element_at(source, start), error)),
        None => Ok(parser.document),
    }
}

/// The error at a place in the text.
pub(super) fn error_at(file: &str, source: &str, place: Range<usize>, error: ElementError) -> Diagnostics {
    let ElementError { message, help } = error;
    let mut diagnostics = DiagnosticCollector::new(file, source);
    diagnostics.add_span(place, None, message, help.map(str::to_owned));
    diagnostics.finish().expect_err("an error has been added")
}

/// The bytes of the first line of the element that begins at `start` or after the white space there.
fn element_at(source: &str, start: usize) -> Range<usize> {
    // At the end of the text, the reader's position may be inside a character.
    let rest = &source[source.floor_char_boundary(start)..];
    let start = source.len() - rest.trim_start().len();
    let end = source[start..].find(['\n', '>']).map_or(source.len(), |at| start + at + 1);
    start..end
}
