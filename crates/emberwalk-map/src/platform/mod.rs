//! Storage for map files and recovery files: one module for desktops and one for browsers, with the same items.

#[cfg(not(target_arch = "wasm32"))]
mod desktop;
mod map_origin;
#[cfg(target_arch = "wasm32")]
mod web;

#[cfg(not(target_arch = "wasm32"))]
pub use desktop::*;
pub(crate) use map_origin::MAX_BYTES;
pub use map_origin::MapOrigin;
#[cfg(target_arch = "wasm32")]
pub use web::*;
