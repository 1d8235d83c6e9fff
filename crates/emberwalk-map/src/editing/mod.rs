//! Painting maps: the edits that a tool makes, undo and redo, and recovery after a crash.
//!
//! Everything here works on a [`Map`](crate::map::Map) alone; the window shows it.

mod brush;
mod clipping;
mod file_name;
mod fill;
mod history;
mod recovery;
mod shapes;

pub use brush::{Brush, MissingCrossing, PaintRefusal, Painted, carry, paint};
pub use clipping::{Clipping, cut, paste, shift};
pub use file_name::{file_stem, new_file_names, numbered_names};
pub use fill::fill;
pub use history::{History, Step};
pub use recovery::{FoundRecoveries, FoundRecovery, Recovery, find_recoveries};
pub use shapes::{BrushSize, brush, brush_line, line};

pub use crate::map::Area;
pub use crate::platform::{MapOrigin, RecoveryFile, state_folder};
