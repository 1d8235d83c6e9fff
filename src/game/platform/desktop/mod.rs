//! The desktop version of the platform modules.

pub(in crate::game) mod alarm;
mod graphics;
pub(in crate::game) mod icon;
mod preflight;
#[cfg(all(unix, not(target_os = "macos")))]
mod scale_factor;
pub(in crate::game) mod watcher;
#[cfg(all(unix, not(target_os = "macos")))]
pub(in crate::game) mod x_settings;

use rand::TryRng;
use rand::rngs::SysRng;

pub use preflight::Preflight;

/// A random number.
pub(in crate::game) fn random_seed() -> u32 {
    SysRng.try_next_u32().unwrap_or(1)
}
