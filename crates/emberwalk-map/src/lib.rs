//! Tilesets and maps: files, diagnostics, cell costs, edits and undo history.

#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod clock;
pub mod diagnostics;
pub mod editing;
mod hour;
mod map;
mod platform;
pub mod terrain;
#[doc(hidden)]
pub mod threads;

pub use hour::{DayChoice, DayLength, DayLengthError, DayTime, Hour, HourError, Hours, HoursError};
pub use map::*;
#[doc(hidden)]
pub use platform::files;
pub use platform::output_file;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
