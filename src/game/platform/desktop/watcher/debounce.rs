//! Debounces changes of files: decides when a change is complete and the files can be read again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};

/// A change is complete when nothing has happened for this time, because programs write a file in several steps.
const QUIET: Duration = Duration::from_millis(50);

/// The same while a file is missing, empty or still being written: some editors empty a file, or move it away, before
/// they write the new one.
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
    /// Whether the files were read since the last change and found incomplete.
    tried: bool,
}

#[derive(Clone, Copy, Debug)]
struct Times {
    first: Instant,
    last: Instant,
}

impl Debounce {
    /// Records a change at this time.
    pub(in crate::game) fn mark_changed(&mut self) {
        let now = Instant::now();
        self.times = Some(Times { first: self.times.map_or(now, |times| times.first), last: now });
        self.tried = false;
    }

    /// Records a file event at this time.
    pub(in crate::game) fn note_event(&mut self, path: &Path, kind: EventKind) {
        self.mark_changed();
        match kind {
            EventKind::Modify(ModifyKind::Data(_)) if TELLS_CLOSING => drop(self.writing.insert(path.to_owned())),
            EventKind::Access(AccessKind::Close(AccessMode::Write))
            | EventKind::Modify(ModifyKind::Name(_))
            | EventKind::Remove(_) => drop(self.writing.remove(path)),
            _ => {}
        }
        self.paths.insert(path.to_owned());
    }

    /// The time at which to read; `None` if nothing has changed.
    pub fn due(&self) -> Option<Instant> {
        let Times { first, last } = self.times?;
        Some((last + if self.tried { UNFINISHED_QUIET } else { QUIET }).min(first + PATIENCE))
    }

    /// The time of the last change.
    pub fn last(&self) -> Option<Instant> {
        self.times.map(|times| times.last)
    }

    /// Whether to wait for the rest of a change, because the files that were read after the change at `last` may be
    /// incomplete. `good` is whether they were read without errors.
    pub(in crate::game) fn should_wait(&mut self, good: bool, last: Option<Instant>) -> bool {
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

    /// Whether to wait after the first and after the second read of a file with this text and these events.
    fn waits(text: Option<&str>, kinds: &[EventKind], good: bool) -> [bool; 2] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.ron");
        if let Some(text) = text {
            fs::write(&path, text).unwrap();
        }
        let mut debounce = Debounce::default();
        kinds.iter().for_each(|kind| debounce.note_event(&path, *kind));
        let last = debounce.last();
        [debounce.should_wait(good, last), debounce.should_wait(good, last)]
    }

    #[test]
    fn it_waits_once_for_an_empty_or_missing_file() {
        assert_eq!(waits(Some(""), &[WRITTEN, CLOSED], false), [true, false]);
        assert_eq!(waits(None, &[CLOSED], false), [true, false]);
        assert_eq!(waits(None, &[CLOSED], true), [true, false], "an embedded image may have the same name");
    }

    #[test]
    fn a_file_that_is_still_being_written_is_reported_only_if_it_has_no_errors() {
        assert_eq!(waits(Some("("), &[WRITTEN], false), [TELLS_CLOSING, false]);
        assert_eq!(waits(Some("()"), &[WRITTEN], true), [false, false]);
        assert_eq!(waits(Some("("), &[WRITTEN, CLOSED], false), [false, false]);
    }

    #[test]
    fn a_version_that_was_read_before_the_last_change_is_outdated() {
        let mut debounce = Debounce::default();
        debounce.mark_changed();
        let last = debounce.last();
        std::thread::sleep(Duration::from_millis(1));
        debounce.mark_changed();
        assert!(debounce.should_wait(true, last));
    }

    #[test]
    fn files_that_never_stop_changing_are_still_read() {
        let mut debounce = Debounce::default();
        debounce.mark_changed();
        let long_ago = Instant::now().checked_sub(PATIENCE).expect("the machine runs for longer");
        debounce.times = debounce.times.map(|times| Times { first: long_ago, ..times });
        assert!(!debounce.should_wait(false, None));
        assert!(debounce.due().is_some_and(|due| due <= Instant::now()));
    }
}
