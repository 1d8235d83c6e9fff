//! The window: the only module that uses Bevy. Each file is one plugin, and each folder has the files that one kind of
//! change touches.

mod app_systems;
mod core_pipeline_2d;
mod error;
pub mod frames;
mod graphics;
mod hud;
pub mod input;
pub mod journey;
pub mod mode;
mod notice;
mod preflight;
pub mod quit;
mod rules;
pub mod search_view;
pub mod view;
mod window;
pub mod world;
#[cfg(all(unix, not(target_os = "macos")))]
mod x_server;

pub use error::WindowError;
pub use preflight::Preflight;
pub use rules::rules;
pub use window::{Settings, run};
