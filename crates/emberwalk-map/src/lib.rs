//! Tilesets and maps: their files, the diagnostics of these, the costs of cells, edits and their history.

#[doc(hidden)]
pub mod clock;
pub mod diagnostics;
pub mod editing;
#[doc(hidden)]
#[cfg_attr(target_arch = "wasm32", path = "files_on_page.rs")]
pub mod files;
mod map;
#[cfg_attr(target_arch = "wasm32", path = "output_file_on_page.rs")]
pub mod output_file;
pub mod terrain;
#[doc(hidden)]
pub mod threads;

pub use map::*;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
