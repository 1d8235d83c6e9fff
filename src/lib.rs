//! The library of the program: the window, and the code that it shares with the command line.
//!
//! Without the feature `game`, nothing here depends on an engine.

#![forbid(unsafe_code)]

pub mod agent_images;
#[cfg(feature = "game")]
pub mod game;
mod gaze;
pub mod lessons;
pub mod link;
pub mod trace_text;
pub mod traffic_overlay;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
