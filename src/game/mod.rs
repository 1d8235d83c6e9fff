//! The window: the only module that uses Bevy. Most files are one plugin, and each folder contains the files that one
//! kind of change touches.

pub mod action;
mod app_systems;
mod colours;
pub mod dialog;
pub mod drawing;
pub mod frames;
mod hud;
pub mod input;
pub mod jobs;
pub mod journey;
#[cfg(target_arch = "wasm32")]
pub mod page;
pub mod painting;
pub mod people;
mod platform;
pub mod quit;
pub mod recording;
pub mod replay;
mod rules;
pub mod screen;
pub mod search_view;
mod ui;
pub mod viewport;
mod window;
pub mod world;
#[cfg(all(unix, not(target_os = "macos")))]
mod x11;

pub use platform::Preflight;
pub use platform::error::WindowError;
pub use rules::rules;
pub use window::{ClosedBy, FirstPlayback, Settings, run};
pub use world::freed_memory::GiveBack;
