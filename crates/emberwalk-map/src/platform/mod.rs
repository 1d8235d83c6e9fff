//! The storage of the system: map files and recovery files. A folder for desktops and one for browsers, both with the
//! same items.

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
