//! Random seeds for generated maps, by the system. On a page, `random_seed_on_page.rs` has this module's place.

use rand::TryRng;
use rand::rngs::SysRng;

/// Returns a random number.
pub(super) fn random_seed() -> u32 {
    SysRng.try_next_u32().unwrap_or(1)
}
