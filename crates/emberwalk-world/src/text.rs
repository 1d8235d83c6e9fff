//! The text of recordings: one line for each entry, so that an unfinished file is as good as a finished one.

use std::fmt::Write;

use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics, ron_list};
use emberwalk_map::is_map_source;
use emberwalk_path::time::CrowdTime;
use serde::Deserialize;

use crate::order::{MapSource, Order};
use crate::painted::digest_of_map;
use crate::recording::{Entry, Recording};
use crate::remark::{Remark, remarks};
use crate::seconds::{MAX_SECONDS, NotATime, Seconds};

/// The version of the format.
const FORMAT: u32 = 1;

/// The largest size of a file.
pub const MAX_BYTES: usize = 256 << 20;

/// The largest number of hashes: four for each second of the longest recording.
const MAX_HASHES: usize = 4 * MAX_SECONDS as usize;

/// Why a file is not a recording.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// A syntax error, an impossible value, or an entry that is earlier than the previous one.
    #[error("{line}:{column}: {message}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The error, and how to fix it.
        message: String,
    },
    /// It is empty.
    #[error("the file is empty")]
    Empty,
    /// It is a map.
    #[error("this is a map, not a recording: `emberwalk MAP` opens it")]
    Map,
    /// It has another format.
    #[error("this recording has format {0}, and this program reads format {FORMAT}")]
    Format(i64),
    /// It does not begin with a map.
    #[error("a recording begins with `order(open(...))`")]
    NoMap,
    /// It is too large.
    #[error("a recording has at most {} MB", MAX_BYTES >> 20)]
    Large,
    /// It has too many hashes.
    #[error("this recording has {0} hashes, and at most {MAX_HASHES} are possible")]
    Hashes(usize),
}

/// The ending of file names.
pub const ENDING: &str = ".emberplay.ron";

/// The first line of recording files.
const OWN_COMMENT: &str = "// A recording of Emberwalk: `emberwalk replay FILE` plays it. Times are in seconds.";

/// The list that a recording has and a map lacks.
const ENTRIES: &str = "entries";

/// Whether the text of a file is a recording and not a map: by its content, or at least by its name.
///
/// ```
/// use emberwalk_world::is_recording;
/// assert!(is_recording("walk.ron", "(format: 1, program: \"\", tileset: \"\", entries: [])"));
/// assert!(is_recording("walk.emberplay.ron", "cut off"));
/// assert!(!is_recording("map.ron", "(name: \"No entries: [here]\", base: [], overlay: [])"));
/// ```
pub fn is_recording(file: &str, text: &str) -> bool {
    file.ends_with(ENDING) || ron_list(text, ENTRIES).is_some()
}

impl FileError {
    /// The error in a file with this text.
    pub fn in_file(&self, file: &str, text: &str) -> Diagnostics {
        let Self::Syntax { line, column, message } = self else {
            return Diagnostics::of_file(file, self.to_string(), None);
        };
        let lines_before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let columns_before: usize = text[lines_before..].chars().take(column - 1).map(char::len_utf8).sum();
        let at = lines_before + columns_before;
        let mut errors = DiagnosticCollector::new(file, text);
        errors.add_span(at..at, None, message, None);
        errors.finish().err().unwrap_or_else(|| Diagnostics::of_file(file, message, None))
    }
}

/// The errors of a map in a recording, at their places in the recording file with this text.
pub fn errors_of_map(file: &str, text: &str, map: &str, errors: &Diagnostics) -> Diagnostics {
    // With backslashes, the text of the map differs from the text in the file.
    let start = text.find(map);
    let mut found = DiagnosticCollector::new(file, text);
    for error in errors.list() {
        let span = start.zip(error.location.as_ref()).map(|(start, at)| start + at.span.start..start + at.span.end);
        if let Some(span) = span {
            found.add_span(span, None, format!("in a map: {}", error.message), error.help.clone());
        }
    }
    found.finish().err().unwrap_or_else(|| {
        let first = errors.list().first();
        let message = first.map_or_else(String::new, |error| format!("in a map: {}", error.message));
        Diagnostics::of_file(file, message, first.and_then(|error| error.help.clone()))
    })
}

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: i64,
    program: String,
    tileset: String,
    entries: Vec<(Seconds, Entry)>,
}

impl Recording {
    /// The end of its file.
    pub const END: &str = "])\n";

    /// The text of its file.
    pub fn to_ron(&self) -> String {
        let entries = self.entries.iter().map(|(time, entry)| (*time, entry));
        self.beginning_with(entries) + Self::END
    }

    /// The beginning of its file, with these first entries. Remarks before the first entry come first.
    pub fn beginning_with<'a>(&self, entries: impl IntoIterator<Item = (CrowdTime, &'a Entry)>) -> String {
        let mut entries = entries.into_iter().peekable();
        let mut text = String::new();
        while let Some((_, Entry::Remark(remark))) = entries.next_if(|(_, entry)| matches!(entry, Entry::Remark(_))) {
            text.push_str(remark.text());
            text.push('\n');
        }
        text.push_str(&self.head());
        write_entries(&mut text, entries);
        text
    }

    /// The lines of further entries in a file.
    pub fn lines<'a>(entries: impl IntoIterator<Item = (CrowdTime, &'a Entry)>) -> String {
        let mut text = String::new();
        write_entries(&mut text, entries);
        text
    }

    /// The first lines of its file, before the entries.
    pub fn head(&self) -> String {
        let Self { program, tileset, .. } = self;
        format!("{OWN_COMMENT}\n(format: {FORMAT}, program: {program:?}, tileset: {tileset:?}, entries: [\n")
    }

    /// The line of an entry in the text of its file, from 1; `None` if the file has fewer entries. `number` is its
    /// number among the [`entries`](Self::entries), from 0.
    pub fn line_of_entry(&self, text: &str, number: usize) -> Option<usize> {
        let remarks = self.entries.iter().take(number).filter(|(_, entry)| matches!(entry, Entry::Remark(_))).count();
        let start = ron_list(text, ENTRIES)?.items.get(number - remarks)?.start;
        Some(1 + text[..start].matches('\n').count())
    }

    /// Reads the text of a file. If its end is missing, it is read as far as its entries are whole.
    ///
    /// # Errors
    /// A [`FileError`] if it is no recording, or if a time in it is later than [`MAX_SECONDS`].
    pub fn parse(text: &str) -> Result<Self, FileError> {
        if text.len() > MAX_BYTES {
            return Err(FileError::Large);
        }
        let (file, is_cut_off) = match options().from_str(text) {
            Ok(file) => (file, false),
            Err(error) => match whole_part(text) {
                Some(whole) => (options().from_str(&whole).map_err(|error| syntax_error(&whole, &error))?, true),
                None if text.trim().is_empty() => return Err(FileError::Empty),
                None if is_map_source(text) => return Err(FileError::Map),
                None => return Err(syntax_error(text, &error)),
            },
        };
        let File { format, program, tileset, entries } = file;
        if format != i64::from(FORMAT) {
            return Err(FileError::Format(format));
        }
        if !matches!(entries.first(), Some((_, Entry::Order(Order::Open(_))))) {
            return Err(FileError::NoMap);
        }
        if let Some(at) = entries.windows(2).position(|pair| pair[1].0 < pair[0].0) {
            return Err(early_entry(text, at + 1));
        }
        let hashes = entries.iter().filter(|(_, entry)| matches!(entry, Entry::Hash(_))).count();
        if hashes > MAX_HASHES {
            return Err(FileError::Hashes(hashes));
        }
        let mut entries: Vec<_> = entries.into_iter().map(|(Seconds(time), entry)| (time, entry)).collect();
        if let Some(list) = ron_list(text, ENTRIES) {
            add_remarks(&mut entries, remarks(text, &list, OWN_COMMENT));
        }
        Ok(Self { program, tileset, entries, is_cut_off })
    }
}

/// Adds remarks to entries. A remark has the time of the entry after it, unless it is behind an entry. A remark inside
/// an entry comes before that entry.
fn add_remarks(entries: &mut Vec<(CrowdTime, Entry)>, remarks: Vec<(usize, Remark)>) {
    let mut remarks = remarks.into_iter().peekable();
    let mut all = Vec::with_capacity(entries.len() + remarks.len());
    let mut before = CrowdTime::ZERO;
    for (number, (time, entry)) in std::mem::take(entries).into_iter().enumerate() {
        while let Some((_, remark)) = remarks.next_if(|(at, _)| *at <= number) {
            all.push((if remark.is_behind() { before } else { time }, Entry::Remark(remark)));
        }
        all.push((time, entry));
        before = time;
    }
    all.extend(remarks.map(|(_, remark)| (before, Entry::Remark(remark))));
    *entries = all;
}

/// How files are written: a cell that may be missing is `None` or the cell alone. `Some(...)` is read, too.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}

/// Adds the lines of entries to the text of a file.
fn write_entries<'a>(text: &mut String, entries: impl IntoIterator<Item = (CrowdTime, &'a Entry)>) {
    for (time, entry) in entries {
        match entry {
            Entry::Remark(remark) => {
                let is_behind = remark.is_behind() && text.ends_with('\n');
                text.truncate(text.len() - usize::from(is_behind));
                text.push_str(if is_behind { " " } else { "    " });
                text.push_str(remark.text());
                text.push('\n');
            }
            entry => text.push_str(&line(time, entry)),
        }
    }
}

/// The line of an entry that is not a remark.
fn line(time: CrowdTime, entry: &Entry) -> String {
    let mut line = format!("    ({}, ", time.seconds());
    match entry {
        Entry::Order(Order::Open(source)) => {
            // In raw quotes, the map looks as in its file.
            let text = source.text();
            let fence = "#".repeat(longest_fence(&text) + 1);
            // Writing to a string does not fail.
            let _ = write!(line, "order(open(r{fence}\"{text}\"{fence}))");
            if let MapSource::Content(content) = source {
                let digest = digest_of_map(content);
                let _ = write!(line, "),\n    ({}, map(\"{digest}\")", time.seconds());
            }
        }
        entry => {
            line.push_str(&options().to_string(entry).expect("entries have no maps with keys that are no strings"));
        }
    }
    line.push_str("),\n");
    line
}

/// The largest number of `#` after a quote in a text.
fn longest_fence(text: &str) -> usize {
    let after_quotes = text.split('"').skip(1);
    after_quotes.map(|rest| rest.len() - rest.trim_start_matches('#').len()).max().unwrap_or(0)
}

/// The complete entries of a file whose end is missing, with an end.
fn whole_part(text: &str) -> Option<String> {
    let list = ron_list(text, ENTRIES)?;
    match list.end {
        Some(end) => text[end..].trim().is_empty().then(|| format!("{})", &text[..end])),
        None => Some(format!("{}{}", &text[..list.items.last()?.end], Recording::END)),
    }
}

fn syntax_error(text: &str, error: &ron::error::SpannedError) -> FileError {
    let mut errors = DiagnosticCollector::new("", text);
    errors.add_ron_error(text, error, None);
    let is_time = matches!(&error.code, ron::Error::Message(message) if *message == NotATime.to_string());
    first_of(errors, is_time.then_some(text))
}

/// The error that the entry with this number, from 0, is earlier than the previous one.
fn early_entry(text: &str, number: usize) -> FileError {
    let entry = ron_list(text, ENTRIES).and_then(|list| list.items.get(number).cloned());
    let mut errors = DiagnosticCollector::new("", text);
    errors.add_span(entry.unwrap_or_default(), None, "this entry is earlier than the one before it", None);
    first_of(errors, None)
}

/// The first of some errors. If `quoted` is the text of the file, the message begins with the word at the error.
fn first_of(errors: DiagnosticCollector<'_>, quoted: Option<&str>) -> FileError {
    let errors = errors.finish().err();
    let first = errors.as_ref().and_then(|errors| errors.list().first());
    let (line, column) = first.and_then(|error| error.location.as_ref()).map_or((1, 1), |at| (at.line, at.column));
    let message = first.map_or_else(String::new, |error| match &error.help {
        Some(help) => format!("{}; {help}", error.message),
        None => error.message.clone(),
    });
    let at = first.and_then(|error| error.location.as_ref()).map_or(0, |at| at.span.start);
    let message = match quoted.and_then(|text| text.get(at..)?.split([',', ')', ' ', '\n']).next()) {
        Some(word) => format!("`{word}` {message}"),
        None => message,
    };
    FileError::Syntax { line, column, message }
}
