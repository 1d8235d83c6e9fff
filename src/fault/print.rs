//! Faults as people read them: the source line with a mark under the spot.

use std::fmt;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents,
};

use super::{Fault, Faults, Place};

/// A source line is cut to this many characters either side of the mark.
const AROUND: usize = 60;

/// All faults, one report under the other.
pub(super) fn report(faults: &Faults, colour: bool) -> String {
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(120).with_context_lines(0);
    let mut text = String::new();
    for (k, fault) in faults.faults.iter().enumerate() {
        if k > 0 {
            text.push('\n');
        }
        let message = match fault.place {
            Some(_) => fault.message.clone(),
            None => format!("{}: {}", faults.file, fault.message),
        };
        let excerpt = fault.place.as_ref().map(|place| Excerpt::new(faults, place));
        let shown = Shown { fault, message, excerpt };
        handler.render_report(&mut text, &shown).expect("a string takes all that is written");
    }
    // A mark at the end of a line has a space to stand under, which nobody needs to see.
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The part of one source line that is shown.
#[derive(Debug)]
struct Excerpt<'a> {
    file: &'a str,
    place: &'a Place,
    line: String,
    /// Where the mark stands in `line`, in bytes.
    mark: SourceSpan,
}

impl<'a> Excerpt<'a> {
    fn new(faults: &'a Faults, place: &'a Place) -> Self {
        let (before, after) = faults.text.split_at_checked(place.span.start).unwrap_or_default();
        let before = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        let after = after.lines().next().unwrap_or_default();
        let cut = before.char_indices().rev().nth(AROUND).map(|(at, _)| at);
        let end = after.char_indices().nth(AROUND).map(|(at, _)| at);
        let mut line = if cut.is_some() { "…".to_owned() } else { String::new() };
        line += &visible(&before[cut.unwrap_or(0)..]);
        let mark_at = line.len();
        let after = &after[..end.unwrap_or(after.len())];
        let (marked, rest) = after.split_at_checked(place.span.len()).unwrap_or((after, ""));
        line += &visible(marked);
        // A mark needs a character to stand under, also at the end of a line.
        let length = (line.len() - mark_at).max(1);
        line += &visible(rest);
        line += if end.is_some() { "…" } else { " " };
        Self { file: &faults.file, place, line, mark: (mark_at, length).into() }
    }
}

/// A terminal would obey control characters rather than show them.
fn visible(text: &str) -> String {
    text.replace(char::is_control, " ")
}

impl SourceCode for Excerpt<'_> {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        Ok(Box::new(MietteSpanContents::new_named(
            self.file.to_owned(),
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
    fault: &'a Fault,
    message: String,
    excerpt: Option<Excerpt<'a>>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.fault.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(None, excerpt.mark))))
    }
}
