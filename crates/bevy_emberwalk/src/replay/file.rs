//! Recordings, and their text: one line for each entry, so that a file that was cut off can be read as far as it goes.

use serde::{Deserialize, Serialize};

use super::order::Entry;

/// The version of the format.
const FORMAT: u32 = 1;

/// The largest size of a text.
const MAX_BYTES: usize = 32 << 20;

/// The orders that agents and maps have got, with hashes of the state after every second, by which it is noticed if something
/// else happens when they are played.
///
/// Its text has a line for each order, which begins with the number of the run of the schedule. Agents are named by their
/// [numbers](crate::AgentNumber), and maps by theirs, from 1 in the order in which they were spawned. A person can read and
/// change it.
///
/// ```
/// use bevy_emberwalk::NavRecording;
/// let text = "(format: 1, entries: [
///     (0, put(agent: 1, nav: (start: (4, 7)), solid: true)),
///     (0, goal([1], Cell((50, 30)))),
///     (64, hold(1)),
///     (64, hash((agents: (11158370906637098272, 1910518067374937164), maps: 13237124994392707953))),
/// ])";
/// let recording = NavRecording::parse(text)?;
/// assert_eq!((recording.len(), recording.runs()), (4, 65));
/// assert_eq!(NavRecording::parse(&recording.to_ron())?, recording);
/// # Ok::<(), bevy_emberwalk::RecordingError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NavRecording {
    /// The run of the schedule, and what happens in it.
    pub(crate) entries: Vec<(u64, Entry)>,
}

/// Why a text is no recording.
///
/// ```
/// use bevy_emberwalk::{NavRecording, RecordingError};
/// assert_eq!(NavRecording::parse("(format: 9, entries: [])"), Err(RecordingError::Format(9)));
/// let error = NavRecording::parse("(format: 1, entries: [\n  (3, hold(0)),\n  (2, jump(1)),\n])").unwrap_err();
/// assert!(error.to_string().starts_with("3:"), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
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
    /// An entry that is not possible, or earlier than the one before it.
    #[error("entry {number}, in run {run}: {message}")]
    Entry {
        /// The number of the entry, from 1.
        number: usize,
        /// Its run.
        run: u64,
        /// What is wrong.
        message: &'static str,
    },
    /// It has another format.
    #[error("this recording has format {0}, and this version reads format {FORMAT}")]
    Format(u32),
    /// It is too large.
    #[error("a recording has at most {} MB", MAX_BYTES >> 20)]
    Large,
}

/// The whole text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u32,
    entries: Vec<(u64, Entry)>,
}

impl NavRecording {
    const END: &'static str = "])\n";

    /// The number of its entries: orders, and hashes of the state.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of runs of the schedule up to its last entry.
    pub fn runs(&self) -> u64 {
        self.entries.last().map_or(0, |&(run, _)| run + 1)
    }

    /// Its text.
    pub fn to_ron(&self) -> String {
        let mut text = format!(
            "// A recording of bevy_emberwalk. Each line begins with the number of a run of the schedule.\n\
             (format: {FORMAT}, entries: [\n"
        );
        for (run, entry) in &self.entries {
            text.push_str(&format!("    ({run}, {}),\n", Self::line(entry)));
        }
        text.push_str(Self::END);
        text
    }

    /// An entry as it is written.
    pub(super) fn line(entry: &Entry) -> String {
        options().to_string(entry).expect("entries have no keys that are no strings")
    }

    /// Reads a text of at most 32 MB. If its end is missing, it is read as far as its lines are whole.
    ///
    /// # Errors
    /// A [`RecordingError`] if it is no recording. Whether its agents and maps exist is only known when it is played.
    pub fn parse(text: &str) -> Result<Self, RecordingError> {
        if text.len() > MAX_BYTES {
            return Err(RecordingError::Large);
        }
        let file = options().from_str(text).or_else(|error| {
            let whole = text.rfind('\n').map(|end| format!("{}{}", &text[..=end], Self::END));
            let is_cut_off = text.lines().next_back().is_some_and(|last| last != Self::END.trim_end());
            let cut = whole.filter(|_| is_cut_off).and_then(|whole| options().from_str(&whole).ok());
            cut.ok_or(error)
        });
        let File { format, entries } = file.map_err(|error| RecordingError::Syntax {
            line: error.span.start.line,
            column: error.span.start.col,
            message: error.code.to_string(),
        })?;
        if format != FORMAT {
            return Err(RecordingError::Format(format));
        }
        let mut last = 0;
        for (number, (run, entry)) in (1..).zip(&entries) {
            let early = (*run < last).then_some("this run is earlier than that of the entry before it");
            if let Some(message) = early.or_else(|| entry.error()) {
                return Err(RecordingError::Entry { number, run: *run, message });
            }
            last = *run;
        }
        Ok(Self { entries })
    }
}

/// How recordings are written: what may be missing is `None` or the value alone.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}
