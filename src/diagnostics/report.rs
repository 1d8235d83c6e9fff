//! Diagnostics as people read them: the source line with a mark under the spot.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents,
};

use super::escape::{escape_invisible, glyph};
use super::{Diagnostic, Diagnostics, SourceLocation};

/// A source line is cut to this many characters either side of the mark.
const AROUND: usize = 60;

/// So many bytes hold as many characters, and one more.
const WINDOW: usize = 4 * (AROUND + 1);

/// All faults, one report under the other.
pub(super) fn report(faults: &Diagnostics, colour: bool) -> String {
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(120).with_context_lines(0);
    let mut text = String::new();
    for (k, fault) in faults.faults.iter().enumerate() {
        if k > 0 {
            text.push('\n');
        }
        let message = match fault.location {
            Some(_) => escape_invisible(&fault.message).into_owned(),
            None => escape_invisible(&format!("{}: {}", faults.file, fault.message)).into_owned(),
        };
        let excerpt = fault.location.as_ref().map(|place| Excerpt::new(faults, fault, place));
        let shown = Shown { message, help: fault.help.as_deref().map(escape_invisible), excerpt };
        handler.render_report(&mut text, &shown).expect("a string takes all that is written");
    }
    // A mark at the end of a line has a space to stand under, which nobody needs to see.
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The part of one source line that is shown.
#[derive(Debug)]
struct Excerpt<'a> {
    file: Cow<'a, str>,
    place: &'a SourceLocation,
    line: String,
    /// Where the marks stand in `line`, in bytes.
    marks: Vec<SourceSpan>,
}

impl<'a> Excerpt<'a> {
    fn new(faults: &'a Diagnostics, fault: &'a Diagnostic, place: &'a SourceLocation) -> Self {
        let (text, at) = (faults.text.as_str(), place.span.start.min(faults.text.len()));
        // Of a line that is a megabyte long no more is looked at than is shown.
        let near = text.floor_char_boundary(at.saturating_sub(WINDOW))
            ..text.ceil_char_boundary(at.saturating_add(WINDOW).min(text.len()));
        let (before, after) = (&text[near.start..at], &text[at..near.end]);
        let before = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        let after = after.lines().next().unwrap_or_default();
        let cut = before.char_indices().rev().nth(AROUND).map(|(at, _)| at);
        let end = after.char_indices().nth(AROUND).map(|(at, _)| at);
        let start = at - before.len() + cut.unwrap_or(0);
        let shown = &text[start..at + end.unwrap_or(after.len())];

        let spots: Vec<&Range<usize>> = std::iter::once(&place.span).chain(&fault.more_spans).collect();
        // An empty spot lies before a character, which bears its mark.
        let marked = |at: usize| spots.iter().any(|spot| spot.start <= at && at < spot.end.max(spot.start + 1));
        let mut line = if cut.is_some() { "…".to_owned() } else { String::new() };
        let mut marks: Vec<Range<usize>> = Vec::new();
        for (at, char) in shown.char_indices() {
            let (marked, begin) = (marked(start + at), line.len());
            glyph(char, marked, &mut line);
            match marks.last_mut() {
                _ if !marked => {}
                Some(last) if last.end == begin => last.end = line.len(),
                _ => marks.push(begin..line.len()),
            }
        }
        let begin = line.len();
        line += if end.is_some() { "…" } else { " " };
        if marks.is_empty() {
            // At the end of a line there is nothing else to stand under.
            marks.push(begin..line.len());
        }
        let marks = marks.into_iter().map(|mark| (mark.start, mark.len()).into()).collect();
        Self { file: escape_invisible(&faults.file), place, line, marks }
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
            self.place.line - 1,
            self.place.column - 1,
            1,
        )))
    }
}

/// One fault in the form that the printer takes.
#[derive(Debug)]
struct Shown<'a> {
    message: String,
    help: Option<Cow<'a, str>>,
    excerpt: Option<Excerpt<'a>>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl miette::Diagnostic for Shown<'_> {
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
