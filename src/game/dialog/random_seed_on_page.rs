//! Random seeds for generated maps, by the browser. On other systems, `random_seed.rs` has this module's place.

/// Returns a random number.
pub(super) fn random_seed() -> u32 {
    (js_sys::Math::random() * f64::from(u32::MAX)) as u32
}
