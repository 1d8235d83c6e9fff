//! One diagnostic, and the list of all diagnostics of a file.

use std::ops::Range;

use serde::Serialize;

use emberwalk_path::grid::Cell;

/// One error in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostic {
    /// The location in the text; `None` if the error concerns the file as a whole, for example because it is missing.
    pub location: Option<SourceLocation>,
    /// More locations of the same error, in bytes of the text. The list may be incomplete.
    pub more_spans: Vec<Range<usize>>,
    /// The map cell with the error; the first one if several cells have it.
    pub cell: Option<Cell>,
    /// More cells that the error concerns, such as all cells of a row that is too long. The list may be incomplete.
    pub more_cells: Vec<Cell>,
    /// The error, in one sentence without a full stop.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// The file with the error, if it is not the parsed file itself but an image mentioned in its text.
    pub other_file: Option<String>,
}

impl Diagnostic {
    /// The map cells with the error. The list may be incomplete.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cell.iter().chain(&self.more_cells).copied()
    }
}

/// A range of a file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The line of the first character, from 1.
    pub line: usize,
    /// The column of the first character, from 1, in characters.
    pub column: usize,
    /// The range in bytes.
    pub span: Range<usize>,
}

/// All errors of one file, in the order of the text; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    pub(super) file: String,
    /// The text, which reports quote; `None` if it is hidden, or if no error has a location.
    pub(super) text: Option<String>,
    pub(super) list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// The file as the user named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The file to change: an image if all errors concern this image.
    pub fn file_to_fix(&self) -> &str {
        let first = self.list.first().and_then(|diagnostic| diagnostic.other_file.as_deref());
        let is_only = |file: &&str| self.list.iter().all(|diagnostic| diagnostic.other_file.as_deref() == Some(*file));
        first.filter(is_only).unwrap_or(&self.file)
    }

    /// The errors in the order of the text.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Whether all errors have a location in the text, which means that the file itself can be read.
    pub fn all_in_text(&self) -> bool {
        self.list.iter().all(|diagnostic| diagnostic.location.is_some())
    }

    /// Creates a single diagnostic for the file as a whole.
    pub fn of_file(file: &str, message: impl Into<String>, help: Option<String>) -> Self {
        let diagnostic = Diagnostic { message: message.into(), help, ..Diagnostic::default() };
        Self { file: file.into(), text: None, list: vec![diagnostic] }
    }

    /// Hides the text: reports still show the lines and columns of the errors, but do not quote the text. Messages stay
    /// as they are.
    pub fn without_text(mut self) -> Self {
        self.text = None;
        self
    }

    /// Adds `help` to the last diagnostic if it has none.
    pub fn with_help(mut self, help: String) -> Self {
        if let Some(diagnostic) = self.list.last_mut() {
            diagnostic.help.get_or_insert(help);
        }
        self
    }

    /// One JSON object for each diagnostic, without line breaks: `file`, `line`, `column`, `cell`, `message`,
    /// `help`.
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
        self.list.iter().map(|diagnostic| {
            let row = Row {
                file: &self.file,
                line: diagnostic.location.as_ref().map(|location| location.line),
                column: diagnostic.location.as_ref().map(|location| location.column),
                cell: diagnostic.cell,
                message: &diagnostic.message,
                help: diagnostic.help.as_deref(),
            };
            serde_json::to_string(&row).expect("strings and numbers can always be written as JSON")
        })
    }
}
