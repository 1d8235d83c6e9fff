//! What has changed since the files were last read, and when it is time to read them again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};

/// A change is over when nothing has happened for so long: a program writes a file in more than one go.
const QUIET: Duration = Duration::from_millis(50);

/// The same where a file is gone, empty or still being written. Some editors empty a file, or put it aside, before they write
/// the new one.
const UNFINISHED_QUIET: Duration = Duration::from_millis(400);

/// Files that change without end are read all the same after this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the system tells when a file is closed that was written.
const TELLS_CLOSING: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// The changes since the files were last read.
#[derive(Debug, Default)]
pub(in crate::game) struct Touched {
    times: Option<Times>,
    paths: BTreeSet<PathBuf>,
    /// Those that somebody has written to and not closed yet.
    writing: BTreeSet<PathBuf>,
    /// Whether they were read since the last change, and found unfinished.
    tried: bool,
}

#[derive(Clone, Copy, Debug)]
struct Times {
    first: Instant,
    last: Instant,
}

impl Touched {
    /// Something has changed now.
    pub fn begin(&mut self) {
        let now = Instant::now();
        self.times = Some(Times { first: self.times.map_or(now, |times| times.first), last: now });
        self.tried = false;
    }

    /// This has happened to a file now.
    pub fn note(&mut self, path: &Path, kind: EventKind) {
        self.begin();
        match kind {
            EventKind::Modify(ModifyKind::Data(_)) if TELLS_CLOSING => drop(self.writing.insert(path.to_owned())),
            EventKind::Access(AccessKind::Close(AccessMode::Write))
            | EventKind::Modify(ModifyKind::Name(_))
            | EventKind::Remove(_) => drop(self.writing.remove(path)),
            _ => {}
        }
        self.paths.insert(path.to_owned());
    }

    /// When to read; `None` if nothing has changed.
    pub fn due(&self) -> Option<Instant> {
        let Times { first, last } = self.times?;
        Some((last + if self.tried { UNFINISHED_QUIET } else { QUIET }).min(first + PATIENCE))
    }

    /// The time of the last change.
    pub fn last(&self) -> Option<Instant> {
        self.times.map(|times| times.last)
    }

    /// Whether what was read after the change at `last`, well or not, may be but half of a change, and it is not too late to
    /// wait for the rest.
    pub fn keeps_back(&mut self, good: bool, last: Option<Instant>) -> bool {
        let missing = |path: &PathBuf| fs::metadata(path).map_or(true, |file| file.is_file() && file.len() == 0);
        if self.times.is_none_or(|times| times.first.elapsed() >= PATIENCE) {
            return false;
        }
        if self.last() != last {
            return true;
        }
        let unfinished = (!good && !self.writing.is_empty()) || self.paths.iter().any(missing);
        unfinished && !std::mem::replace(&mut self.tried, true)
    }
}

#[cfg(test)]
mod tests {
    use notify::event::DataChange;

    use super::*;

    const WRITTEN: EventKind = EventKind::Modify(ModifyKind::Data(DataChange::Any));
    const CLOSED: EventKind = EventKind::Access(AccessKind::Close(AccessMode::Write));

    /// Whether what is read of a file with this text, after these changes, is kept back at first and then again.
    fn kept_back(text: Option<&str>, kinds: &[EventKind], good: bool) -> [bool; 2] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.ron");
        if let Some(text) = text {
            fs::write(&path, text).unwrap();
        }
        let mut touched = Touched::default();
        kinds.iter().for_each(|kind| touched.note(&path, *kind));
        let last = touched.last();
        [touched.keeps_back(good, last), touched.keeps_back(good, last)]
    }

    #[test]
    fn a_file_that_is_empty_or_gone_is_waited_for_once() {
        assert_eq!(kept_back(Some(""), &[WRITTEN, CLOSED], false), [true, false]);
        assert_eq!(kept_back(None, &[CLOSED], false), [true, false]);
        assert_eq!(kept_back(None, &[CLOSED], true), [true, false], "an image may have another behind it");
    }

    #[test]
    fn of_a_file_that_is_still_written_only_what_is_good_is_told() {
        assert_eq!(kept_back(Some("("), &[WRITTEN], false), [TELLS_CLOSING, false]);
        assert_eq!(kept_back(Some("()"), &[WRITTEN], true), [false, false]);
        assert_eq!(kept_back(Some("("), &[WRITTEN, CLOSED], false), [false, false]);
    }

    #[test]
    fn what_was_read_before_the_last_change_is_of_yesterday() {
        let mut touched = Touched::default();
        touched.begin();
        let last = touched.last();
        std::thread::sleep(Duration::from_millis(1));
        touched.begin();
        assert!(touched.keeps_back(true, last));
    }

    #[test]
    fn files_that_change_without_end_are_read_all_the_same() {
        let mut touched = Touched::default();
        touched.begin();
        let long_ago = Instant::now().checked_sub(PATIENCE).expect("the machine runs for longer");
        touched.times = touched.times.map(|times| Times { first: long_ago, ..times });
        assert!(!touched.keeps_back(false, None));
        assert!(touched.due().is_some_and(|due| due <= Instant::now()));
    }
}
