//! The text of recordings: one line for each entry, so that a file that is being written is as good as a finished one.

use std::fmt::Write;

use emberwalk_path::crowd::CrowdTime;
use serde::Deserialize;

use super::order::{Order, Seconds};
use super::{Entry, FORMAT, Recording};

/// The largest size of a file.
pub const MAX_BYTES: usize = 256 << 20;

/// Why a file is no recording.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// A syntax error, or a value that is not possible.
    #[error("{line}:{column}: {message}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// It has another format.
    #[error("this recording has format {0}, and this program reads format {FORMAT}")]
    Format(u32),
    /// The entries are not in the order of their times.
    #[error("the entry {0} is earlier than the one before it")]
    Order(usize),
    /// It does not begin with a map.
    #[error("a recording begins with `order(open(...))`")]
    NoMap,
    /// It is too large.
    #[error("a recording has at most {} MB", MAX_BYTES >> 20)]
    Large,
}

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u32,
    program: String,
    tileset: String,
    entries: Vec<(Seconds, Entry)>,
}

impl Recording {
    /// The end of its file.
    pub const END: &str = "])\n";

    /// The line of an entry in its file.
    pub fn line(time: CrowdTime, entry: &Entry) -> String {
        line(time, entry)
    }

    /// The text of its file.
    pub fn to_ron(&self) -> String {
        let mut text = self.head();
        self.entries.iter().for_each(|(time, entry)| text.push_str(&line(*time, entry)));
        text.push_str(Self::END);
        text
    }

    /// The first lines of its file, before the entries.
    pub fn head(&self) -> String {
        let Self { program, tileset, .. } = self;
        format!(
            "// A recording of Emberwalk: `emberwalk replay FILE` plays it. Times are in seconds.\n\
             (format: {FORMAT}, program: {program:?}, tileset: {tileset:?}, entries: [\n"
        )
    }

    /// Reads the text of a file. If its end is missing, it is read as far as its lines are whole.
    ///
    /// # Errors
    /// A [`FileError`] if it is no recording.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        if text.len() > MAX_BYTES {
            return Err(FileError::Large);
        }
        let (file, is_cut_off) = match ron::from_str(text) {
            Ok(file) => (file, false),
            Err(error) => (cut_off(text).ok_or_else(|| syntax_error(&error))?, true),
        };
        let File { format, program, tileset, entries } = file;
        if format != FORMAT {
            return Err(FileError::Format(format));
        }
        if !matches!(entries.first(), Some((_, Entry::Order(Order::Open(_))))) {
            return Err(FileError::NoMap);
        }
        if let Some(at) = entries.windows(2).position(|pair| pair[1].0 < pair[0].0) {
            return Err(FileError::Order(at + 2));
        }
        let entries = entries.into_iter().map(|(Seconds(time), entry)| (time, entry)).collect();
        Ok(Self { program, tileset, entries, is_cut_off })
    }
}

/// The line of an entry.
fn line(time: CrowdTime, entry: &Entry) -> String {
    let mut line = format!("    ({}, ", time.seconds());
    match entry {
        Entry::Order(Order::Open(source)) => {
            // In raw quotes, the map looks as in its file.
            let text = source.text();
            let fence = "#".repeat(longest_fence(&text) + 1);
            // Writing to a string does not fail.
            let _ = write!(line, "order(open(r{fence}\"{text}\"{fence}))");
        }
        entry => line.push_str(&ron::to_string(entry).expect("entries have no maps with keys that are no strings")),
    }
    line.push_str("),\n");
    line
}

/// The largest number of `#` after a quote in a text.
fn longest_fence(text: &str) -> usize {
    let after_quotes = text.split('"').skip(1);
    after_quotes.map(|rest| rest.len() - rest.trim_start_matches('#').len()).max().unwrap_or(0)
}

/// A file whose end is missing.
fn cut_off(text: &str) -> Option<File> {
    // Its last line may be only a part of an entry.
    let mut whole = text;
    for _ in 0..2 {
        if let Ok(file) = ron::from_str(&format!("{whole}{}", Recording::END)) {
            return Some(file);
        }
        whole = &whole[..whole.rfind("\n    (")? + 1];
    }
    None
}

fn syntax_error(error: &ron::error::SpannedError) -> FileError {
    let start = error.span.start;
    FileError::Syntax { line: start.line, column: start.col, message: error.code.to_string() }
}
