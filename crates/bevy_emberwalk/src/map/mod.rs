//! The map that agents walk on: its cells, their places in the world, its edits and its time.

mod announce;
mod clock;
mod edits;
mod grid;
mod layout;

pub use clock::NavClock;
pub use edits::{EditApplied, EditWaits, Edited, WaitingEdit};
pub use grid::NavGrid;
pub use layout::CellLayout;

#[cfg(feature = "serde")]
pub(crate) use clock::LastMap;
pub(crate) use clock::{MapNumber, Replaced, number_maps};
