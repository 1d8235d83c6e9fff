//! Collects the diagnostics of one text while it is read.

use std::fmt::Display;
use std::ops::Range;

use super::affected_cells::{AffectedCells, MAX_MARKED};
use super::diagnostic::{Diagnostic, Diagnostics, SourceLocation};
use super::text_position::{LineTracker, byte_offset};
use super::{ron_messages, syntax_error_finder};
use emberwalk_path::grid::Cell;

/// The maximum number of diagnostics listed for a file. One more diagnostic tells how many were left out.
const MAX_LISTED: usize = 1000;

/// The maximum length of a message, in characters.
const MAX_MESSAGE_LENGTH: usize = 300;

/// Collects the diagnostics of one text while it is read.
#[derive(Debug)]
pub struct DiagnosticCollector<'a> {
    file: &'a str,
    source: &'a str,
    list: Vec<Diagnostic>,
    not_listed: usize,
}

impl<'a> DiagnosticCollector<'a> {
    /// Creates an empty collector.
    pub fn new(file: &'a str, source: &'a str) -> Self {
        Self { file, source, list: Vec::new(), not_listed: 0 }
    }

    /// Adds an error at `part`, which must be a slice of the source. The message is formatted only if there is room for
    /// it in the list.
    pub fn add(&mut self, part: &str, message: impl Display, help: impl Into<Option<String>>) {
        self.add_span(self.span_of(part), None, message, help);
    }

    /// Adds an error at `span` of the source, in the map cell `cell`.
    pub fn add_span(
        &mut self,
        span: Range<usize>,
        cell: Option<Cell>,
        message: impl Display,
        help: impl Into<Option<String>>,
    ) {
        if self.list.len() == MAX_LISTED {
            self.not_listed += 1;
            return;
        }
        // `finish` computes the line and column.
        let location = Some(SourceLocation { line: 0, column: 0, span });
        // Both can quote the source, which can be very long.
        let message = shortened(message.to_string());
        let help = help.into().map(shortened);
        self.list.push(Diagnostic { location, cell, message, help, ..Diagnostic::default() });
    }

    /// Adds an error of another file that the source mentions at `part`, a slice of the source.
    pub fn add_for_file(&mut self, other_file: String, part: &str, message: String, help: Option<String>) {
        let count = self.list.len();
        self.add(part, message, help);
        if let Some(diagnostic) = self.list.get_mut(count) {
            diagnostic.other_file = Some(other_file);
        }
    }

    /// Adds an error at `part`, a slice of the source, that concerns these cells without being at one of them. Only the
    /// first of them are stored.
    pub(crate) fn add_about_cells(
        &mut self,
        cells: impl Iterator<Item = Cell>,
        part: &str,
        message: String,
        help: String,
    ) {
        let count = self.list.len();
        self.add(part, message, help);
        if let Some(diagnostic) = self.list.get_mut(count) {
            diagnostic.more_cells = cells.take(MAX_MARKED).collect();
        }
    }

    /// Adds one error for all of `cells`.
    pub(crate) fn add_at_cells(
        &mut self,
        cells: AffectedCells,
        message: impl Display,
        help: impl Into<Option<String>>,
    ) {
        let AffectedCells { cells, spans, .. } = cells;
        let mut cells = cells.into_iter();
        let mut spans = spans.into_iter();
        let Some(span) = spans.next() else { return };
        let count = self.list.len();
        self.add_span(span, cells.next(), message, help);
        if let Some(diagnostic) = self.list.get_mut(count) {
            diagnostic.more_spans = spans.collect();
            diagnostic.more_cells = cells.collect();
        }
    }

    /// Adds an error that the `ron` crate reported for `part`, a slice of the source. `help` is used if there is no
    /// better help for this error.
    pub fn add_ron_error(&mut self, part: &str, error: &ron::error::SpannedError, help: impl Into<Option<String>>) {
        let at = |position: &ron::error::Position| byte_offset(part, position.line, position.col);
        let start = at(&error.span.start);
        let end = at(&error.span.end);
        let start = if error.code == ron::Error::Eof { end } else { start };
        let base = self.span_of(part).start;
        if let Some(found) = syntax_error_finder::find(part, start, &error.code) {
            return self.add_span(base + found.span.start..base + found.span.end, None, found.message, found.help);
        }
        let (message, better) = ron_messages::message_and_help(&error.code, &part[start..]);
        let help = better.or(help.into()).filter(|help| !message.ends_with(help.as_str()));
        self.add_span(base + start..base + end.max(start), None, message, help);
    }

    /// The byte range of `part`, a slice of the source, in the source.
    pub fn span_of(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr().addr().saturating_sub(self.source.as_ptr().addr()).min(self.source.len());
        start..(start + part.len()).min(self.source.len())
    }

    /// Whether there are no errors so far.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All errors with their lines and columns; `Ok` if there are none.
    pub fn finish(self) -> Result<(), Diagnostics> {
        let Self { file, source, mut list, not_listed } = self;
        if list.is_empty() {
            return Ok(());
        }
        list.sort_by_key(|diagnostic| diagnostic.location.as_ref().map(|location| location.span.start));
        let mut lines = LineTracker::new(source);
        for location in list.iter_mut().filter_map(|diagnostic| diagnostic.location.as_mut()) {
            (location.line, location.column) = lines.locate(location.span.start);
        }
        if not_listed > 0 {
            let location = list.last().and_then(|diagnostic| diagnostic.location.clone());
            let message = match not_listed {
                1 => "and 1 more error that is not listed".to_owned(),
                _ => format!("and {not_listed} more errors that are not listed"),
            };
            list.push(Diagnostic { location, message, ..Diagnostic::default() });
        }
        Err(Diagnostics { file: file.into(), text: Some(source.into()), list })
    }
}

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_MESSAGE_LENGTH) {
        text.truncate(end);
        text.push('…');
    }
    text
}
