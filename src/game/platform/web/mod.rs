//! What a browser does for the window.

pub(in crate::game) mod alarm;
mod preflight;

pub use preflight::Preflight;
pub(in crate::game) use preflight::System;

/// A random number.
pub(in crate::game) fn random_seed() -> u32 {
    (js_sys::Math::random() * f64::from(u32::MAX)) as u32
}
