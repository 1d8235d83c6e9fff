//! The window: the only module that uses Bevy. Each file is one plugin, and each folder has the files that one kind of
//! change touches.

mod app_systems;
mod core_pipeline_2d;
pub mod dialog;
mod error;
pub mod frames;
#[cfg(not(target_arch = "wasm32"))]
mod graphics;
pub mod half;
mod hud;
pub mod input;
pub mod jobs;
pub mod journey;
pub mod lesson;
pub mod mode;
pub mod notice;
#[cfg(target_arch = "wasm32")]
pub mod page;
pub mod painting;
#[cfg_attr(target_arch = "wasm32", path = "preflight_on_page.rs")]
mod preflight;
pub mod question;
pub mod quit;
mod rules;
pub mod search_view;
mod solve_picture;
pub mod text_size;
pub mod view;
mod window;
pub mod world;
#[cfg(all(unix, not(target_os = "macos")))]
mod x_server;

pub use error::WindowError;
pub use preflight::Preflight;
pub use rules::rules;
pub use window::{Settings, run};
