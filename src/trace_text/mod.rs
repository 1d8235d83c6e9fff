//! Reads what a program tells about its search: lines of JSON, as `route --trace` writes them, or a search trace of Posthoc.

mod posthoc;

use std::borrow::Cow;
use std::io::{BufRead, Read};

use emberwalk_map::diagnostics::escape_invisible;
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::{Failure, Recording, SaidEnd, SaidEvent, Trace};
use serde::Deserialize;

/// The maximum length of a line, in bytes.
const MAX_LINE: usize = 1 << 26;

/// How many characters of a line are quoted that cannot be understood.
const QUOTED: usize = 80;

/// A line, of which a program may leave out most.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    event: Cow<'a, str>,
    cell: Option<Point>,
    parent: Option<Point>,
    g: Option<f64>,
    h: Option<f64>,
    f: Option<f64>,
    cells: Option<Vec<Point>>,
    cost: Option<f64>,
}

/// A cell. Some languages write whole numbers with a fraction.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "[f64; 2]")]
struct Point(Cell);

impl TryFrom<[f64; 2]> for Point {
    type Error = String;

    fn try_from([x, y]: [f64; 2]) -> Result<Self, String> {
        let is_whole = |number: f64| number.fract() == 0.0 && number.abs() < 1e9;
        if is_whole(x) && is_whole(y) {
            Ok(Self(Cell::new(x as i32, y as i32)))
        } else {
            Err(format!("a cell is [x,y], two whole numbers, not [{x},{y}]"))
        }
    }
}

/// Why a trace was not read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// A line cannot be understood.
    Line {
        /// Its number, from 1.
        number: usize,
        /// A sentence about it.
        words: String,
        /// Its first characters; empty if it could not be read.
        start: String,
        /// Whether it is the last line, without its end: the program may have been ended while it wrote.
        is_cut: bool,
    },
    /// There are more events than a [`Recording`] can have.
    Events,
}

impl Unread {
    /// The end of a trace that was read up to there.
    pub fn end(self) -> SaidEnd {
        match self {
            Self::Line { number, words, start, .. } => {
                let start = if start.is_empty() { start } else { format!(": {}", escape_invisible(&start)) };
                let words = format!("line {number} is not understood: {words}{start}");
                SaidEnd::Failed { failure: Failure::NotUnderstood, words }
            }
            Self::Events => {
                let words = format!("there are more than {} events", Recording::MAX_EVENTS);
                SaidEnd::Failed { failure: Failure::TimedOut, words }
            }
        }
    }
}

/// Reads a trace to its end, or to the first line that cannot be understood. What belongs to no trace is passed to `other`, line
/// by line.
///
/// It is a search trace of Posthoc, in YAML or JSON, if it begins with a key of one, after comments and empty lines. Without an
/// event `end`, there is no route.
///
/// ```
/// use emberwalk::trace_text::{Unread, read};
/// let text = "searching\n{\"event\":\"exhausted\"}\n{}";
/// let mut other = Vec::new();
/// let (trace, unread) = read(text.as_bytes(), |line| other.extend_from_slice(line));
/// assert!(trace.events.is_empty() && other == b"searching\n");
/// assert!(matches!(unread, Some(Unread::Line { number: 3, .. })));
/// ```
pub fn read(mut lines: impl BufRead, mut other: impl FnMut(&[u8])) -> (Trace, Option<Unread>) {
    let (mut trace, mut line) = (Trace::default(), Vec::new());
    let mut has_begun = false;
    for number in 1.. {
        line.clear();
        let unread = |words, start, is_cut| Some(Unread::Line { number, words, start, is_cut });
        match lines.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) => break,
            // The first words of a program may look like it, but then lines of JSON follow.
            Ok(_)
                if !has_begun
                    && posthoc::begins(without_mark(&line))
                    && (line.starts_with(b"{") || !lines.fill_buf().is_ok_and(|next| next.starts_with(b"{"))) =>
            {
                let (trace, error) = posthoc::read(without_mark(&line).chain(lines));
                let line = |(below, words)| Unread::Line {
                    number: number + below - 1,
                    words,
                    start: String::new(),
                    is_cut: false,
                };
                return (trace, error.map(line));
            }
            Ok(_) if line.len() > MAX_LINE => {
                return (trace, unread(format!("it has more than {MAX_LINE} bytes"), String::new(), false));
            }
            Ok(_) => match read_line(&mut trace, without_mark(&line)) {
                Ok(true) => {}
                Ok(false) => other(&line),
                Err(words) => {
                    let start = String::from_utf8_lossy(line.trim_ascii()).chars().take(QUOTED).collect();
                    return (trace, unread(words, start, !line.ends_with(b"\n")));
                }
            },
            Err(error) => return (trace, unread(error.to_string(), String::new(), false)),
        }
        if trace.events.len() > Recording::MAX_EVENTS {
            return (trace, Some(Unread::Events));
        }
        let text = without_mark(&line).trim_ascii();
        has_begun |= !text.is_empty() && !text.starts_with(b"#") && !text.starts_with(b"%") && text != b"---";
    }
    (trace, None)
}

/// A line without a byte order mark.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

/// Adds a line to a trace. Returns whether it belongs to the trace: a line that does not begin with `{` is something else that
/// the program prints.
///
/// # Errors
/// A sentence about the line, without its number, if it cannot be understood. The trace is then unchanged.
///
/// ```
/// use emberwalk::trace_text::read_line;
/// use emberwalk_path::trace::Trace;
/// let mut trace = Trace::default();
/// assert_eq!(read_line(&mut trace, br#"{"event":"opened","cell":[3,4],"g":0}"#), Ok(true));
/// assert_eq!(read_line(&mut trace, b"searching"), Ok(false));
/// assert!(read_line(&mut trace, br#"{"event":"opend"}"#).unwrap_err().contains("opened, closed, found"));
/// assert_eq!(trace.events.len(), 1);
/// ```
pub fn read_line(trace: &mut Trace, line: &[u8]) -> Result<bool, String> {
    let line = line.trim_ascii();
    if !line.starts_with(b"{") {
        return Ok(false);
    }
    let Line { event, cell, parent, g, h, f, cells, cost } = serde_json::from_slice(line).map_err(|error| {
        let text = String::from_utf8_lossy(line);
        let is_nan = ["NaN", "Infinity"].iter().any(|word| text.contains(word));
        let error = error.to_string();
        let hint = if is_nan {
            "; JSON has no NaN and no Infinity: leave the number out"
        } else if error.starts_with("key must be a string") {
            "; JSON has double quotes, as json.dumps prints them in Python"
        } else if error.contains("array of length 2") {
            "; a cell is [x,y]"
        } else {
            ""
        };
        format!("{}{hint}", error.replace(" at line 1 column ", ", in column "))
    })?;
    if trace.end != SaidEnd::Nothing {
        return Err("it comes after the line that ends the search".into());
    }
    match (&*event, cell) {
        ("opened" | "closed", None) => return Err(format!("the event {event:?} has no \"cell\":[x,y]")),
        ("opened", Some(Point(cell))) => {
            let parent = parent.map(|Point(parent)| parent);
            trace.events.push(SaidEvent::opened(cell).with_parent(parent).with_costs(g, h, f));
        }
        ("closed", Some(Point(cell))) => trace.events.push(SaidEvent::closed(cell).with_costs(g, h, f)),
        ("found", _) => {
            let cells = cells.map(|cells| cells.into_iter().map(|Point(cell)| cell).collect());
            trace.end = SaidEnd::Found { cells, cost };
        }
        ("exhausted", _) => trace.end = SaidEnd::Exhausted,
        // `route --trace` ends so if there are too many events.
        ("stopped", _) => {}
        _ => return Err(format!("the event {event:?} is not known; known are opened, closed, found, exhausted")),
    }
    Ok(true)
}
