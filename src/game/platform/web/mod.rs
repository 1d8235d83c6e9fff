//! The browser version of the platform modules.

pub(in crate::game) mod alarm;
mod preflight;
pub(in crate::game) mod watcher;

pub use preflight::Preflight;

/// A random number.
pub(in crate::game) fn random_seed() -> u32 {
    (js_sys::Math::random() * f64::from(u32::MAX)) as u32
}
