//! How many squares of the map an overlay has: few, because a page computes them in one thread. On other systems,
//! `overlay_limit.rs` has this module's place.

/// The maximum number of cells that count. A map with no more is drawn as a whole.
pub(super) const MAX_CELLS: usize = 256 * 256;
