//! The operating system: a folder for desktops and one for browsers, both with the same items.

#[cfg(not(target_arch = "wasm32"))]
mod desktop;
pub mod error;
#[cfg(target_arch = "wasm32")]
mod web;

#[cfg(not(target_arch = "wasm32"))]
pub use desktop::*;
#[cfg(target_arch = "wasm32")]
pub use web::*;
