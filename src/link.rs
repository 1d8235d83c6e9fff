//! Links to the web version: the map, the search and the view in an address.
//!
//! Parameters have the same names as the command-line options:
//! `map=figures/road&algorithm=dijkstra&to=7,5&view=search`. A map that is not bundled is part of the link, compressed,
//! and so is a recording.

use std::io::{Read, Write};
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::lessons::LESSONS;
use emberwalk_map::DayChoice;
use emberwalk_map::format_exactly;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Algorithm, Options, StepRules};
use emberwalk_world::town::MAX_AGENTS;

/// The maximum length of the text of a map or a recording in a link, in bytes.
const MAX_TEXT: u64 = 1 << 20;

/// The maximum length of a packed text, in bytes, so that browsers and messengers accept the link.
const MAX_DATA: usize = 8000;

/// The characters that would end or change a value.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/').remove(b',').remove(b':');

/// The content of a link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// The map; `None` for the default map.
    pub map: Option<LinkedMap>,
    /// The start of the route instead of the tent.
    pub start: Option<Cell>,
    /// The goal of the route instead of the castle.
    pub goal: Option<Cell>,
    /// Whether all volcanoes erupt (`true`) or are dormant (`false`); `None` leaves them unchanged.
    pub erupting: Option<bool>,
    /// The replacements of the map's hour and day.
    pub day: DayChoice,
    /// How many travellers there are; `None` for the number that the map brings.
    pub travellers: Option<usize>,
    /// How routes are planned.
    pub planning: Options,
    /// The panel over the map.
    pub view: LinkedView,
    /// The lesson that is open, counted from 1.
    pub lesson: Option<usize>,
    /// Whether the classic look is used.
    pub plain: bool,
    /// Whether only a still picture is shown.
    pub still: bool,
    /// Whether all text is larger.
    pub large_text: bool,
    /// The log filter, in the form of `RUST_LOG`.
    pub log: Option<String>,
}

/// The map of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkedMap {
    /// The bundled map with this name.
    Bundled(String),
    /// The text of a map file.
    Text(String),
    /// The text of a recording, which begins with a map and is played.
    Recording(String),
}

/// A panel over the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkedView {
    /// Nothing.
    #[default]
    Map,
    /// The search view.
    Search,
    /// The race of two searches.
    Race,
    /// The table of all algorithms.
    Compare,
}

impl LinkedMap {
    /// A map with this text; `None` if the link would be too long for browsers and messengers.
    pub fn of_text(text: String) -> Option<Self> {
        fits(&text).then_some(Self::Text(text))
    }

    /// A recording with this text; `None` if the link would be too long.
    pub fn of_recording(text: String) -> Option<Self> {
        fits(&text).then_some(Self::Recording(text))
    }
}

impl LinkedView {
    const NAMES: [(&str, Self); 4] =
        [("map", Self::Map), ("search", Self::Search), ("race", Self::Race), ("compare", Self::Compare)];

    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, view)| *view == self).map_or("map", |(name, _)| name)
    }
}

/// Why a link cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// A parameter has an invalid value.
    #[error("the link has {name}={value}, which is not valid")]
    Value {
        /// The name of the parameter.
        name: String,
        /// The beginning of its value.
        value: String,
    },
    /// The text of the map or the recording is too long.
    #[error("the {0} in the link is too large: its text has more than 1 MiB")]
    TooLarge(&'static str),
}

impl Link {
    /// Reads the query of an address, with or without the question mark. Unknown parameters are ignored.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// use emberwalk::link::{Link, LinkedMap, LinkedView};
    /// let link = Link::parse("?map=figures%2Froad&to=7,5&view=search")?;
    /// assert_eq!(link.map, Some(LinkedMap::Bundled("figures/road".into())));
    /// assert_eq!((link.goal, link.view), (Some(Cell::new(7, 5)), LinkedView::Search));
    /// assert_eq!(link.to_query(), "map=figures/road&to=7,5&view=search");
    /// # Ok::<(), emberwalk::link::LinkError>(())
    /// ```
    ///
    /// # Errors
    /// A parameter has an invalid value.
    pub fn parse(query: &str) -> Result<Self, LinkError> {
        let mut link = Self::default();
        let mut weight = Algorithm::DEFAULT_WEIGHT;
        for pair in query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = &decode(value);
            let invalid = || LinkError::Value { name: name.to_owned(), value: value.chars().take(40).collect() };
            let planning = &mut link.planning;
            match name {
                "map" => link.map = Some(LinkedMap::Bundled(value.clone())),
                "data" => link.map = Some(LinkedMap::Text(unpack(value, "map").ok_or_else(invalid)??)),
                "play" => link.map = Some(LinkedMap::Recording(unpack(value, "recording").ok_or_else(invalid)??)),
                "from" => link.start = Some(parse(value).ok_or_else(invalid)?),
                "to" => link.goal = Some(parse(value).ok_or_else(invalid)?),
                "erupting" => link.erupting = Some(true),
                "dormant" => link.erupting = Some(false),
                "hour" => link.day.hour = Some(parse(value).ok_or_else(invalid)?),
                "day" => link.day.day = Some(parse(value).ok_or_else(invalid)?),
                "travellers" => {
                    let number = parse(value).filter(|number| (1..=MAX_AGENTS).contains(number));
                    link.travellers = Some(number.ok_or_else(invalid)?);
                }
                "algorithm" => planning.algorithm = parse(value).ok_or_else(invalid)?,
                "weight" => weight = parse(value).filter(|weight| *weight >= 1.0).ok_or_else(invalid)?,
                "heuristic" => planning.heuristic = Some(parse(value).ok_or_else(invalid)?),
                "moves" => planning.rules.moves = parse(value).ok_or_else(invalid)?,
                "corners" => planning.rules.corners = parse(value).ok_or_else(invalid)?,
                "scale" => planning.scale = parse(value).ok_or_else(invalid)?,
                "view" => {
                    let known = LinkedView::NAMES.iter().find(|(known, _)| known == value);
                    link.view = known.ok_or_else(invalid)?.1;
                }
                "lesson" => {
                    let number = parse(value).filter(|number| (1..=LESSONS.len()).contains(number));
                    link.lesson = Some(number.ok_or_else(invalid)?);
                }
                "plain" => link.plain = true,
                "still" => link.still = true,
                "large-text" => link.large_text = true,
                "log" => link.log = Some(value.clone()),
                _ => {}
            }
        }
        if let Algorithm::Weighted { weight: of_algorithm } = &mut link.planning.algorithm {
            *of_algorithm = weight;
        }
        Ok(link)
    }

    /// The query of the address, without the question mark. It is empty if everything has its default.
    pub fn to_query(&self) -> String {
        let mut parts = Vec::new();
        match &self.map {
            Some(LinkedMap::Bundled(name)) => parts.push(format!("map={}", utf8_percent_encode(name, ENCODED))),
            Some(LinkedMap::Text(text)) => parts.push(format!("data={}", pack(text))),
            Some(LinkedMap::Recording(text)) => parts.push(format!("play={}", pack(text))),
            None => {}
        }
        parts.extend(self.start.map(|cell| format!("from={cell}")));
        parts.extend(self.goal.map(|cell| format!("to={cell}")));
        parts.extend(self.day.hour.map(|hour| format!("hour={hour}")));
        parts.extend(self.day.day.map(|day| format!("day={}", day.seconds())));
        parts.extend(self.travellers.map(|number| format!("travellers={number}")));
        let default = Options::default();
        let Options { rules: StepRules { moves, corners, .. }, algorithm, heuristic, scale, .. } = self.planning;
        parts.extend((algorithm != default.algorithm).then(|| format!("algorithm={algorithm}")));
        if let Algorithm::Weighted { weight } = algorithm {
            parts.push(format!("weight={}", format_exactly(weight)));
        }
        parts.extend(heuristic.map(|heuristic| format!("heuristic={heuristic}")));
        parts.extend((moves != default.rules.moves).then(|| format!("moves={moves}")));
        parts.extend((corners != default.rules.corners).then(|| format!("corners={corners}")));
        parts.extend((scale != default.scale).then(|| format!("scale={scale}")));
        parts.extend((self.view != LinkedView::Map).then(|| format!("view={}", self.view.name())));
        parts.extend(self.lesson.map(|number| format!("lesson={number}")));
        let flags = [
            ("erupting", self.erupting == Some(true)),
            ("dormant", self.erupting == Some(false)),
            ("plain", self.plain),
            ("still", self.still),
            ("large-text", self.large_text),
        ];
        parts.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name.to_owned()));
        parts.extend(self.log.as_ref().map(|log| format!("log={}", utf8_percent_encode(log, ENCODED))));
        parts.join("&")
    }
}

fn parse<T: FromStr>(value: &str) -> Option<T> {
    value.parse().ok()
}

/// Decodes percent-encoding. Invalid codes stay as they are.
fn decode(value: &str) -> String {
    percent_decode_str(&value.replace('+', " ")).decode_utf8_lossy().into_owned()
}

/// Whether a link with this text is accepted by browsers and messengers.
fn fits(text: &str) -> bool {
    text.len() as u64 <= MAX_TEXT && pack(text).len() <= MAX_DATA
}

fn pack(text: &str) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory never fails.
    let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    BASE64.encode(packed.unwrap_or_default())
}

/// The text of a map or a recording, or the error that it is too long; `None` if this is not a packed text.
fn unpack(data: &str, what: &'static str) -> Option<Result<String, LinkError>> {
    let packed = BASE64.decode(data).ok()?;
    let mut bytes = Vec::new();
    // One byte more than the maximum shows that the text is too long, even if it ends inside a character.
    DeflateDecoder::new(&packed[..]).take(MAX_TEXT + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MAX_TEXT {
        return Some(Err(LinkError::TooLarge(what)));
    }
    String::from_utf8(bytes).ok().map(Ok)
}
