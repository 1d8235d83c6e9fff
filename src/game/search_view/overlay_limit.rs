//! How many squares of the map an overlay has. On a page, `overlay_limit_on_page.rs` has this module's place.

/// The maximum number of cells that count. A map with no more is drawn as a whole.
pub(super) const MAX_CELLS: usize = 512 * 512;
