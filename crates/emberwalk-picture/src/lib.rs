//! Turns maps into pixels without an engine: the projection, the scene, its light, overlays, the painter, animations and worksheets.

#![forbid(unsafe_code)]

pub mod animation;
pub mod colours;
mod image_error;
pub mod iso;
pub mod light;
pub mod overlay;
pub mod paint;
pub mod png;
pub mod scene;
pub mod tiles;
pub mod worksheet;

pub use image_error::describe_image_error;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
