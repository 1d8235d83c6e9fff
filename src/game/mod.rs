//! The window: the only module that uses Bevy. Each file is one plugin, and each folder contains the files that one
//! kind of change touches.

pub mod action;
mod app_systems;
pub mod camera;
pub mod cursor;
pub mod dialog;
mod error;
pub mod frames;
mod freed_memory;
pub mod half;
mod hud;
pub mod input;
pub mod jobs;
pub mod journey;
pub mod lesson;
pub mod map_source;
pub mod mode;
pub mod modifiers;
pub mod notice;
#[cfg(target_arch = "wasm32")]
pub mod page;
pub mod painting;
mod platform;
pub mod question;
pub mod quit;
mod rules;
pub mod search_view;
mod solve_picture;
pub mod text_size;
mod time_limits;
mod ui;
pub mod view;
mod window;
pub mod world;
#[cfg(all(unix, not(target_os = "macos")))]
mod x11;

pub use error::WindowError;
pub use freed_memory::GiveBack;
pub use platform::Preflight;
pub use rules::rules;
pub use window::{ClosedBy, Settings, run};
