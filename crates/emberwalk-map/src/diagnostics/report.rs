//! Formats diagnostics for people: each with its source line and marks under the error.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents,
};

use super::diagnostic::{Diagnostic, Diagnostics, SourceLocation};
use super::escape::{escape_invisible, push_displayed};

/// A source line is cut to this many characters on either side of the error.
const CONTEXT: usize = 60;

/// A number of bytes that always contains one character more than the context.
const CONTEXT_BYTES: usize = 4 * (CONTEXT + 1);

impl Diagnostics {
    /// The report for people, with source lines and marks, and with colour codes if `colour` is true.
    pub fn report(&self, colour: bool) -> String {
        let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler =
            GraphicalReportHandler::new_themed(theme).with_width(120).with_context_lines(0).with_break_words(false);
        let mut text = String::new();
        for (k, diagnostic) in self.list.iter().enumerate() {
            if k > 0 {
                text.push('\n');
            }
            let Diagnostic { location, message, .. } = diagnostic;
            let (message, excerpt) = match (location, &self.text) {
                (Some(location), Some(text)) => {
                    (message.clone(), Some(Excerpt::new(&self.file, text, diagnostic, location)))
                }
                (Some(SourceLocation { line, column, .. }), None) => {
                    (format!("{}:{line}:{column}: {message}", self.file), None)
                }
                (None, _) => (format!("{}: {message}", self.file), None),
            };
            let message = escape_invisible(&message).into_owned();
            let help = diagnostic.help.as_deref().map(|help| tie_code(&escape_invisible(help)));
            let printable = Printable { message, help, excerpt };
            handler.render_report(&mut text, &printable).expect("writing to a string does not fail");
        }
        // The space under which the mark at the end of a line stands is not printed.
        text.lines()
            .map(|line| format!("{}\n", line.trim_end().replace(TIED_SPACE, " ").replace(TIED_HYPHEN, "-")))
            .collect()
    }
}

/// Stands for a space at which a line must not be broken. No text has this code point, which is not a character.
const TIED_SPACE: char = '\u{fdd0}';

/// Stands for a hyphen at which a line must not be broken.
const TIED_HYPHEN: char = '\u{fdd1}';

/// Keeps code between backticks on one line, so that it can be copied.
fn tie_code(text: &str) -> String {
    let tied = |(k, part): (usize, &str)| match k % 2 {
        0 => part.to_owned(),
        _ => part.replace(' ', TIED_SPACE.encode_utf8(&mut [0; 4])).replace('-', TIED_HYPHEN.encode_utf8(&mut [0; 4])),
    };
    text.split('`').enumerate().map(tied).collect::<Vec<_>>().join("`")
}

/// The report without colour.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.report(false).trim_end())
    }
}

impl std::error::Error for Diagnostics {}

/// The visible part of one source line.
#[derive(Debug)]
struct Excerpt<'a> {
    file: Cow<'a, str>,
    location: &'a SourceLocation,
    line: String,
    /// The ranges of `line` that are marked, in bytes.
    marks: Vec<SourceSpan>,
}

impl<'a> Excerpt<'a> {
    fn new(file: &'a str, text: &str, diagnostic: &Diagnostic, location: &'a SourceLocation) -> Self {
        let at = location.span.start.min(text.len());
        // A line can be megabytes long, so only the visible part is processed.
        let near = text.floor_char_boundary(at.saturating_sub(CONTEXT_BYTES))
            ..text.ceil_char_boundary(at.saturating_add(CONTEXT_BYTES).min(text.len()));
        let before = &text[near.start..at];
        let after = &text[at..near.end];
        let before = &before[before.rfind(['\n', '\r']).map_or(0, |at| at + 1)..];
        let after = &after[..after.find(['\n', '\r']).unwrap_or(after.len())];
        let cut = before.char_indices().rev().nth(CONTEXT).map(|(at, _)| at);
        let end = after.char_indices().nth(CONTEXT).map(|(at, _)| at);
        let start = at - before.len() + cut.unwrap_or(0);
        let shown = &text[start..at + end.unwrap_or(after.len())];

        let spans: Vec<&Range<usize>> = std::iter::once(&location.span).chain(&diagnostic.more_spans).collect();
        // An empty span marks the character after it.
        let is_marked = |at: usize| spans.iter().any(|span| span.start <= at && at < span.end.max(span.start + 1));
        let mut line = if cut.is_some() { "…".to_owned() } else { String::new() };
        let mut marks: Vec<Range<usize>> = Vec::new();
        for (at, char) in shown.char_indices() {
            let is_marked = is_marked(start + at);
            let begin = line.len();
            push_displayed(char, is_marked, &mut line);
            match marks.last_mut() {
                _ if !is_marked => {}
                Some(last) if last.end == begin => last.end = line.len(),
                _ => marks.push(begin..line.len()),
            }
        }
        let begin = line.len();
        line += if end.is_some() { "…" } else { " " };
        if marks.is_empty() {
            // The error is at the end of the line, so the mark goes under the space after it.
            marks.push(begin..line.len());
        }
        let marks = marks.into_iter().map(|mark| (mark.start, mark.len()).into()).collect();
        Self { file: escape_invisible(file), location, line, marks }
    }
}

impl SourceCode for Excerpt<'_> {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        Ok(Box::new(MietteSpanContents::new_named(
            self.file.to_string(),
            self.line.as_bytes(),
            (0, self.line.len()).into(),
            self.location.line - 1,
            self.location.column - 1,
            1,
        )))
    }
}

/// One diagnostic in the form that `miette` prints.
#[derive(Debug)]
struct Printable<'a> {
    message: String,
    help: Option<String>,
    excerpt: Option<Excerpt<'a>>,
}

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Printable<'_> {}

impl miette::Diagnostic for Printable<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        Some(Box::new(excerpt.marks.iter().map(|mark| LabeledSpan::new_with_span(None, *mark))))
    }
}
