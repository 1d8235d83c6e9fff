//! Emberwalk: an isometric map on which A* finds the cheapest route for a traveller, and shows why it is the cheapest.
//!
//! Without the feature `game` the library does not depend on an engine; it builds with `--no-default-features`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "cli")]
pub mod animation;
mod clock;
pub mod diagnostics;
#[cfg_attr(target_arch = "wasm32", path = "files_on_page.rs")]
mod files;
#[cfg(feature = "game")]
pub mod game;
pub mod generate;
pub mod import;
pub mod iso;
pub mod lessons;
pub mod link;
pub mod map;
pub mod moving_ai;
#[cfg(any(feature = "cli", feature = "game"))]
#[cfg_attr(target_arch = "wasm32", path = "output_file_on_page.rs")]
pub mod output_file;
pub mod overlay;
pub mod paint;
#[cfg(any(feature = "cli", feature = "game"))]
pub mod painting;
pub mod picture;
pub mod png;
pub mod scene;
pub mod terrain;
mod threads;
pub mod tmx;

pub use emberwalk_path as path;
pub use emberwalk_path::grid;
