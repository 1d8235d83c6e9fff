//! Reads the search traces of Posthoc, in YAML or JSON: <https://posthoc.pathfinding.ai/docs/search-trace>.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::Read;

use emberwalk_path::grid::Cell;
use emberwalk_path::trace::{SaidEnd, SaidEvent, Trace};
use saphyr_parser::{Event as Node, Parser, ScalarStyle, StrInput};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

use super::Point;

/// The maximum length of a trace, in bytes; files are not longer, either.
const MAX_LENGTH: u64 = 256 << 20;

/// The keys of a trace, one of which is in its first line.
const KEYS: [&[u8]; 6] = [b"version", b"views", b"render", b"path", b"pivot", b"events"];

/// Why the rest of a trace cannot be read: a line, from 1, and a sentence.
pub type ReadError = (usize, String);

/// Whether this can be the first line of a trace, but for comments and `---`.
pub fn begins(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let inside = line.strip_prefix(b"{").unwrap_or(line).trim_ascii_start();
    let key = inside.strip_prefix(b"\"").unwrap_or(inside);
    let follows = |rest: &[u8]| rest.starts_with(b":") || rest.starts_with(b"\":");
    line == b"{" || KEYS.iter().filter_map(|known| key.strip_prefix(*known)).any(follows)
}

/// Reads a trace to its end, or to the first event that cannot be understood; in JSON, an error leaves nothing.
pub fn read(text: impl Read) -> (Trace, Option<ReadError>) {
    let mut events = Events::default();
    let error = match read_text(text).and_then(|text| match text.trim_start().starts_with('{') {
        true => read_json(&text).map(|read| events = read),
        false => Yaml(Parser::new_from_str(&text)).document(&mut events),
    }) {
        Err(error) => Some(error),
        Ok(()) if events.trace.events.is_empty() && events.trace.end == SaidEnd::Nothing => {
            Some((1, "it has no events of a search: generating, updating, expanding, end".into()))
        }
        Ok(()) => None,
    };
    // No event says that there is no route.
    if error.is_none() && events.trace.end == SaidEnd::Nothing {
        events.trace.end = SaidEnd::Exhausted;
    }
    (events.trace, error)
}

fn read_text(text: impl Read) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    text.take(MAX_LENGTH + 1).read_to_end(&mut bytes).map_err(|error| (1, error.to_string()))?;
    if bytes.len() as u64 > MAX_LENGTH {
        return Err((1, format!("it has more than {} MiB", MAX_LENGTH >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|_| (1, "it is not UTF-8".to_owned()))?;
    // The parser would end there.
    if text.contains('\0') { Err((1, "it has a zero byte".into())) } else { Ok(text) }
}

/// The events up to one of them.
#[derive(Default)]
struct Events {
    trace: Trace,
    count: usize,
    /// The start of the search.
    source: Option<Cell>,
    /// The cells that events have told, by their ids.
    cells: HashMap<String, Cell>,
}

/// The relevant keys of an event.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Event {
    #[serde(rename = "type")]
    kind: Option<String>,
    id: Option<Id>,
    #[serde(rename = "pId")]
    parent: Option<Id>,
    x: Option<f64>,
    y: Option<f64>,
    g: Option<f64>,
    h: Option<f64>,
    f: Option<f64>,
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(serde_json::Number),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}

impl Events {
    fn add(&mut self, event: Event) -> Result<(), String> {
        self.count += 1;
        let Event { kind, id, parent, g, h, f, .. } = &event;
        let kind = kind.as_deref().unwrap_or("");
        let error = |words: &str| Err(format!("event {} ({kind}) {words}", self.count));
        let is_opened = matches!(kind, "generating" | "generate" | "opening" | "open" | "updating" | "update");
        let is_expanded = matches!(kind, "expanding" | "expand");
        let is_end = matches!(kind, "end" | "solution");
        if !is_opened && !is_expanded && !is_end && !matches!(kind, "source" | "start") {
            return Ok(());
        }
        // There may be one for each cell of the route.
        if kind == "solution" && self.trace.end != SaidEnd::Nothing {
            return Ok(());
        }
        if self.trace.end != SaidEnd::Nothing {
            return error("comes after the event that ends the search");
        }
        if is_end {
            self.trace.end = SaidEnd::Found { cells: None, cost: *g };
            return Ok(());
        }
        let Some(Ok(Point(cell))) = event.x.zip(event.y).map(|(x, y)| Point::try_from([x, y])) else {
            return error("has no whole numbers x and y");
        };
        let parent = match parent.as_ref().map(|id| self.cells.get(&id.to_string())) {
            Some(Some(parent)) => Some(*parent),
            // Some programs give the start a parent that does not exist.
            Some(None) if self.source.is_none_or(|source| source != cell) && !self.trace.events.is_empty() => {
                return error("has a pId that no earlier generated or expanded cell has");
            }
            _ => None,
        };
        if let Some(id) = id {
            self.cells.insert(id.to_string(), cell);
        }
        let opened = SaidEvent::opened(cell).with_costs(*g, *h, *f);
        if is_opened {
            self.trace.events.push(opened.with_parent(parent));
        } else if is_expanded {
            // The start need not be generated: it is the source.
            if self.trace.events.is_empty() && self.source == Some(cell) {
                self.trace.events.push(opened);
            }
            self.trace.events.push(SaidEvent::closed(cell).with_costs(*g, *h, *f));
        } else {
            self.source = Some(cell);
        }
        Ok(())
    }
}

/// A trace in JSON. Its events are added one by one.
#[derive(serde::Deserialize)]
struct Document {
    events: Option<Events>,
}

impl<'de> Deserialize<'de> for Events {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Events;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of events")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Events, A::Error> {
                let mut events = Events::default();
                while let Some(event) = list.next_element()? {
                    events.add(event).map_err(A::Error::custom)?;
                }
                Ok(events)
            }
        }
        deserializer.deserialize_seq(List)
    }
}

fn read_json(text: &str) -> Result<Events, ReadError> {
    let document: Document = serde_json::from_str(text).map_err(|error| {
        let words = error.to_string();
        (error.line().max(1), words.rsplit_once(" at line ").map_or(&*words, |(words, _)| words).to_owned())
    })?;
    Ok(document.events.unwrap_or_default())
}

/// A trace in YAML, node by node. Aliases are not resolved, so that a short text cannot become a long one.
struct Yaml<'a>(Parser<'a, StrInput<'a>>);

impl<'a> Yaml<'a> {
    fn next(&mut self) -> Result<(Node<'a>, usize), ReadError> {
        match self.0.next_event() {
            Some(Ok((node, span))) => Ok((node, span.start.line())),
            Some(Err(error)) => Err((error.marker().line(), error.info().to_owned())),
            None => Ok((Node::StreamEnd, 1)),
        }
    }

    fn document(&mut self, events: &mut Events) -> Result<(), ReadError> {
        loop {
            match self.next()? {
                (Node::StreamStart | Node::DocumentStart(_), _) => {}
                (Node::MappingStart(..), _) => break,
                (_, line) => return Err((line, "a trace has keys, such as version and events".into())),
            }
        }
        loop {
            match self.next()?.0 {
                Node::MappingEnd | Node::StreamEnd => return Ok(()),
                Node::Scalar(key, ..) if key == "events" => self.events(events)?,
                key => {
                    self.skip(key)?;
                    let (value, _) = self.next()?;
                    self.skip(value)?;
                }
            }
        }
    }

    fn events(&mut self, events: &mut Events) -> Result<(), ReadError> {
        let (node, line) = self.next()?;
        if !matches!(node, Node::SequenceStart(..)) {
            return Err((line, "events are a list".into()));
        }
        loop {
            match self.next()? {
                (Node::SequenceEnd, _) => return Ok(()),
                (Node::MappingStart(..), line) => {
                    let event = self.event()?;
                    events.add(event).map_err(|words| (line, words))?;
                }
                (_, line) => return Err((line, "an event has keys, such as type, id, x and y".into())),
            }
        }
    }

    fn event(&mut self) -> Result<Event, ReadError> {
        let mut event = Event::default();
        loop {
            let (key, line) = self.next()?;
            if key == Node::MappingEnd {
                return Ok(event);
            }
            let Node::Scalar(key, ..) = key else {
                return Err((line, "a key of an event is a word".into()));
            };
            match self.next()? {
                (Node::Scalar(value, style, ..), line) => {
                    let is_null = style == ScalarStyle::Plain && matches!(&*value, "" | "~" | "null" | "Null" | "NULL");
                    let text = (!is_null).then_some(value);
                    let number = || {
                        let number =
                            text.as_deref().map(|text| text.parse().ok().filter(|number: &f64| number.is_finite()));
                        number.map(|number| number.ok_or_else(|| (line, format!("{key} is not a number")))).transpose()
                    };
                    match &*key {
                        "type" => event.kind = text.map(Cow::into_owned),
                        "id" => event.id = text.map(|text| Id::Text(text.into_owned())),
                        "pId" => event.parent = text.map(|text| Id::Text(text.into_owned())),
                        "x" => event.x = number()?,
                        "y" => event.y = number()?,
                        "g" => event.g = number()?,
                        "h" => event.h = number()?,
                        "f" => event.f = number()?,
                        _ => {}
                    }
                }
                (Node::Alias(_), line) => return Err((line, "aliases in events are not read".into())),
                (value, _) => self.skip(value)?,
            }
        }
    }

    /// Skips the rest of a node that begins with this one.
    fn skip(&mut self, mut node: Node<'a>) -> Result<(), ReadError> {
        let mut depth = 0_usize;
        loop {
            match node {
                Node::MappingStart(..) | Node::SequenceStart(..) => depth += 1,
                Node::MappingEnd | Node::SequenceEnd => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 || node == Node::StreamEnd {
                return Ok(());
            }
            node = self.next()?.0;
        }
    }
}
