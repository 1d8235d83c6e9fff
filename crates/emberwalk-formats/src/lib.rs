//! Reads and writes other formats: Tiled maps, Moving AI benchmarks, plans of many agents, pictures of mazes, and text maps.

#![forbid(unsafe_code)]

mod foreign_file;
pub mod import;
pub mod moving_ai;
mod octile_kind;
pub mod picture;
mod plan;
pub mod tmx;

pub use foreign_file::refuse_other_files;
pub use plan::parse_plan;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
