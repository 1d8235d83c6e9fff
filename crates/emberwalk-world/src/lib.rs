//! The world of Emberwalk without a window: a map, the player's traveller and a town, which follow from orders alone.
//!
//! A [`World`] knows no clock: on every machine it is the same after the same orders at the same times. A [`Recording`]
//! has the orders with their times, and hashes that tell whether the resulting states are the same.

#![forbid(unsafe_code)]

mod check;
mod clock;
mod copies;
mod difference;
mod digest;
mod order;
mod outlook;
mod pace;
mod paint;
mod painted;
mod playhead;
mod recording;
mod remark;
mod seconds;
mod text;
mod timeline;
pub mod town;
mod volcanoes;
mod world;

pub use check::check;
pub use difference::{Difference, Part};
pub use digest::{StateHash, hash_of_tileset};
pub use order::{MapSource, Order, Position, Steps};
pub use outlook::{Coming, changes_by_eruption};
pub use pace::PACE;
pub use paint::{Paint, Run};
pub use painted::digest_of_map;
pub use recording::{Entry, Recording};
pub use remark::Remark;
pub use seconds::{MAX_DURATION, MAX_SECONDS, NotATime, Seconds, shown_seconds};
pub use text::{ENDING, FileError, MAX_BYTES, errors_of_map, is_recording};
pub use timeline::{PlayAhead, Timeline};
pub use volcanoes::VolcanoChoice;
pub use world::{OrderError, World};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
