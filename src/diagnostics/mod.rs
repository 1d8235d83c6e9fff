//! What is wrong with a file that people write: where, what, and what would be right.

mod affected_cells;
mod escape;
mod report;
mod ron_messages;
mod source_text;
mod struct_schema;
mod suggestion;
mod syntax;

use std::fmt;
use std::ops::Range;

use serde::Serialize;

use crate::grid::Cell;

pub(crate) use affected_cells::AffectedCells;
pub use escape::escape_invisible;
pub(crate) use source_text::{IMPORT_HELP, decode_text};
pub use source_text::{read_text, read_text_from};
pub(crate) use struct_schema::StructSchema;
pub(crate) use suggestion::closest_match;

/// No file is listed with more faults than this; the last one then says how many there are.
const MOST: usize = 1000;

/// No message is longer than this, in characters.
const LONGEST: usize = 300;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where in the file; `None` when the fault is the file itself, such as one that is missing.
    pub location: Option<SourceLocation>,
    /// More spots of the same fault, in bytes of the text; only some of those that there are.
    pub more_spans: Vec<Range<usize>>,
    /// The cell of the map, where the fault is in one; the first, where it is in several.
    pub cell: Option<Cell>,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// The file that is wrong, where that is another one than the text in which it is named: a picture.
    pub other_file: Option<String>,
}

/// A stretch of a file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The line of its first character, from 1.
    pub line: usize,
    /// The column of its first character, from 1, in characters.
    pub column: usize,
    /// The bytes of the text.
    pub span: Range<usize>,
}

/// Everything that is wrong with one file, in the order of the text; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    file: String,
    text: String,
    faults: Vec<Diagnostic>,
}

impl Diagnostics {
    /// The file as the user named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The file to mend: a picture, where all that is wrong is that one.
    pub fn file_to_fix(&self) -> &str {
        let first = self.faults.first().and_then(|fault| fault.other_file.as_deref());
        let alone = |file: &&str| self.faults.iter().all(|fault| fault.other_file.as_deref() == Some(*file));
        first.filter(alone).unwrap_or(&self.file)
    }

    /// The faults, in the order of the text.
    pub fn list(&self) -> &[Diagnostic] {
        &self.faults
    }

    /// Whether the file is there and its text could be mended, rather than the file itself being what is wrong.
    pub fn all_in_text(&self) -> bool {
        self.faults.iter().all(|fault| fault.location.is_some())
    }

    /// One fault that is the file itself.
    pub fn of_file(file: &str, message: impl Into<String>, help: Option<String>) -> Self {
        let fault = Diagnostic {
            location: None,
            more_spans: Vec::new(),
            cell: None,
            message: message.into(),
            help,
            other_file: None,
        };
        Self { file: file.into(), text: String::new(), faults: vec![fault] }
    }

    /// The same, with `help` for the last fault that has none.
    pub(crate) fn with_help(mut self, help: String) -> Self {
        if let Some(fault) = self.faults.last_mut() {
            fault.help.get_or_insert(help);
        }
        self
    }

    /// The report for people, with source lines and marks; with colour codes if `colour`.
    pub fn report(&self, colour: bool) -> String {
        report::report(self, colour)
    }

    /// One JSON object a fault: `file`, `line`, `column`, `cell`, `message`, `help`; each without a line break.
    pub fn json(&self) -> impl Iterator<Item = String> {
        #[derive(Serialize)]
        struct Row<'a> {
            file: &'a str,
            line: Option<usize>,
            column: Option<usize>,
            cell: Option<Cell>,
            message: &'a str,
            help: Option<&'a str>,
        }
        self.faults.iter().map(|fault| {
            let row = Row {
                file: &self.file,
                line: fault.location.as_ref().map(|place| place.line),
                column: fault.location.as_ref().map(|place| place.column),
                cell: fault.cell,
                message: &fault.message,
                help: fault.help.as_deref(),
            };
            serde_json::to_string(&row).expect("strings and numbers are always JSON")
        })
    }
}

/// The report without colour.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.report(false).trim_end())
    }
}

impl std::error::Error for Diagnostics {}

/// Gathers the faults of one text while it is read.
#[derive(Debug)]
pub(crate) struct DiagnosticCollector<'a> {
    file: &'a str,
    source: &'a str,
    faults: Vec<Diagnostic>,
    more: usize,
}

impl<'a> DiagnosticCollector<'a> {
    pub fn new(file: &'a str, source: &'a str) -> Self {
        Self { file, source, faults: Vec::new(), more: 0 }
    }

    /// Notes a fault at `part`, which must be a slice of the source.
    pub fn add(&mut self, part: &str, message: impl Into<String>, help: impl Into<Option<String>>) {
        self.add_span(self.span_of(part), None, message, help);
    }

    /// Notes a fault at `span` of the source, in the map cell `cell`.
    pub fn add_span(
        &mut self,
        span: Range<usize>,
        cell: Option<Cell>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        if self.count_if_full() {
            return;
        }
        let place = Some(SourceLocation { line: 0, column: 0, span });
        // Either may quote what is written, however long that is.
        let (message, help) = (shortened(message.into()), help.into().map(shortened));
        self.faults.push(Diagnostic { location: place, more_spans: Vec::new(), cell, message, help, other_file: None });
    }

    /// Notes at `part`, a slice of the source, a fault of another file that is named there.
    pub fn add_for_file(&mut self, culprit: String, part: &str, message: String, help: Option<String>) {
        let count = self.faults.len();
        self.add(part, message, help);
        if let Some(fault) = self.faults.get_mut(count) {
            fault.other_file = Some(culprit);
        }
    }

    /// Notes one fault for all of `places`.
    pub fn add_at_cells(&mut self, places: AffectedCells, message: impl Into<String>, help: impl Into<Option<String>>) {
        let cell = places.first();
        let mut spans = places.spans.into_iter();
        let Some(span) = spans.next().filter(|_| !self.count_if_full()) else { return };
        self.add_span(span, cell, message, help);
        if let Some(fault) = self.faults.last_mut() {
            fault.more_spans = spans.collect();
        }
    }

    /// Notes an error of RON's own, met while reading `part`, a slice of the source. `help` is for errors of which no
    /// better is known.
    pub fn add_ron_error(&mut self, part: &str, error: &ron::error::SpannedError, help: impl Into<Option<String>>) {
        let at = |position: &ron::error::Position| source_text::offset(part, position.line, position.col);
        let (start, end) = (at(&error.span.start), at(&error.span.end));
        let start = if error.code == ron::Error::Eof { end } else { start };
        let base = self.span_of(part).start;
        if let Some(mistake) = syntax::mistake(part, start, &error.code) {
            let syntax::SyntaxError { span, message, help } = mistake;
            return self.add_span(base + span.start..base + span.end, None, message, help);
        }
        let (message, better) = ron_messages::words(&error.code);
        self.add_span(base + start..base + end.max(start), None, message, better.or(help.into()));
    }

    /// The bytes of the source that `part`, a slice of it, takes.
    pub fn span_of(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr().addr().saturating_sub(self.source.as_ptr().addr()).min(self.source.len());
        start..(start + part.len()).min(self.source.len())
    }

    /// Counts a fault, and says whether that is all: when so many are listed that to find its place and its words would
    /// be in vain. Otherwise it has to be added, and is not counted.
    pub fn count_if_full(&mut self) -> bool {
        let full = self.faults.len() == MOST;
        self.more += usize::from(full);
        full
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// All that was found, with lines and columns; `Ok` if that is nothing.
    pub fn finish(mut self) -> Result<(), Diagnostics> {
        if self.is_empty() {
            return Ok(());
        }
        self.faults.sort_by_key(|fault| fault.location.as_ref().map(|place| place.span.start));
        let mut walker = source_text::LineTracker::new(self.source);
        for place in self.faults.iter_mut().filter_map(|fault| fault.location.as_mut()) {
            (place.line, place.column) = walker.locate(place.span.start);
        }
        if self.more > 0 {
            let place = self.faults.last().and_then(|fault| fault.location.clone());
            let message = format!("and {} more faults that are not listed", self.more);
            self.faults.push(Diagnostic {
                location: place,
                more_spans: Vec::new(),
                cell: None,
                message,
                help: None,
                other_file: None,
            });
        }
        Err(Diagnostics { file: self.file.into(), text: self.source.into(), faults: self.faults })
    }
}

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}
