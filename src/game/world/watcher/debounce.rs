//! Debouncing: what has changed since the files were last read, and when it is time to read them again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};

/// A change is complete when nothing has happened for this time: programs write a file in several steps.
const QUIET: Duration = Duration::from_millis(50);

/// The same while a file is missing, empty or still being written: some editors empty a file, or move it away, before they
/// write the new one.
const UNFINISHED_QUIET: Duration = Duration::from_millis(400);

/// Files that never stop changing are read after this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the system reports that a file was closed after writing.
const TELLS_CLOSING: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// The changes since the files were last read.
#[derive(Debug, Default)]
pub(in crate::game) struct Debounce {
    times: Option<Times>,
    paths: BTreeSet<PathBuf>,
    /// Files that a program has written to and not closed yet.
    writing: BTreeSet<PathBuf>,
    /// Whether they were read since the last change and found incomplete.
    tried: bool,
}

#[derive(Clone, Copy, Debug)]
struct Times {
    first: Instant,
    last: Instant,
}

impl Debounce {
    /// Notes that something has changed now.
    pub fn begin(&mut self) {
        let now = Instant::now();
        self.times = Some(Times { first: self.times.map_or(now, |times| times.first), last: now });
        self.tried = false;
    }

    /// Notes that this has happened to a file now.
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

    /// Returns when to read; `None` if nothing has changed.
    pub fn due(&self) -> Option<Instant> {
        let Times { first, last } = self.times?;
        Some((last + if self.tried { UNFINISHED_QUIET } else { QUIET }).min(first + PATIENCE))
    }

    /// Returns the time of the last change.
    pub fn last(&self) -> Option<Instant> {
        self.times.map(|times| times.last)
    }

    /// Returns whether what was read after the change at `last` may be only half of a change, so that it is better to wait
    /// for the rest. `good` is whether it could be read without faults.
    pub fn holds_back(&mut self, good: bool, last: Option<Instant>) -> bool {
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

    /// Whether what is read from a file with this text, after these changes, is held back the first time and the second.
    fn held_back(text: Option<&str>, kinds: &[EventKind], good: bool) -> [bool; 2] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.ron");
        if let Some(text) = text {
            fs::write(&path, text).unwrap();
        }
        let mut debounce = Debounce::default();
        kinds.iter().for_each(|kind| debounce.note(&path, *kind));
        let last = debounce.last();
        [debounce.holds_back(good, last), debounce.holds_back(good, last)]
    }

    #[test]
    fn an_empty_or_missing_file_is_waited_for_once() {
        assert_eq!(held_back(Some(""), &[WRITTEN, CLOSED], false), [true, false]);
        assert_eq!(held_back(None, &[CLOSED], false), [true, false]);
        assert_eq!(held_back(None, &[CLOSED], true), [true, false], "there may be an embedded image of the same name");
    }

    #[test]
    fn of_a_file_that_is_still_being_written_only_a_good_version_is_reported() {
        assert_eq!(held_back(Some("("), &[WRITTEN], false), [TELLS_CLOSING, false]);
        assert_eq!(held_back(Some("()"), &[WRITTEN], true), [false, false]);
        assert_eq!(held_back(Some("("), &[WRITTEN, CLOSED], false), [false, false]);
    }

    #[test]
    fn what_was_read_before_the_last_change_is_outdated() {
        let mut debounce = Debounce::default();
        debounce.begin();
        let last = debounce.last();
        std::thread::sleep(Duration::from_millis(1));
        debounce.begin();
        assert!(debounce.holds_back(true, last));
    }

    #[test]
    fn files_that_never_stop_changing_are_read_nevertheless() {
        let mut debounce = Debounce::default();
        debounce.begin();
        let long_ago = Instant::now().checked_sub(PATIENCE).expect("the machine runs for longer");
        debounce.times = debounce.times.map(|times| Times { first: long_ago, ..times });
        assert!(!debounce.holds_back(false, None));
        assert!(debounce.due().is_some_and(|due| due <= Instant::now()));
    }
}
