//! Other people's files: Tiled maps, the benchmarks of Moving AI, pictures of mazes, and text.

#![forbid(unsafe_code)]

pub mod import;
pub mod moving_ai;
pub mod picture;
pub mod tmx;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
