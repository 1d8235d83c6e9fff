//! The web version has its own files, so no other program changes them.

use std::path::Path;
use std::time::Duration;

use emberwalk_map::clock::Instant;

/// Watches no files.
pub(in crate::game) struct FileWatcher;

impl FileWatcher {
    pub fn new(_: impl Fn() + Send + Sync + 'static) -> Self {
        Self
    }

    pub(in crate::game) fn has_changed(&mut self) -> bool {
        false
    }

    pub(in crate::game) fn time_until_quiet(&mut self) -> Option<Duration> {
        None
    }

    pub fn watch(&mut self, _: Option<&Path>, _: Option<&Path>) -> Option<Instant> {
        None
    }

    pub fn is_complete(&mut self, _: bool, _: Option<Instant>) -> bool {
        true
    }
}
