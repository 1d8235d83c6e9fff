//! Painting maps: which cells a tool changes and how, undo and redo, and what a crash leaves to be recovered.
//!
//! Everything here works on a [`Map`](crate::map::Map) alone; the window shows it.

mod brush;
mod clipping;
mod file_name;
mod fill;
mod history;
mod map_origin;
mod recovery;
#[cfg_attr(target_arch = "wasm32", path = "recovery_file_on_page.rs")]
mod recovery_file;
mod shapes;

pub use brush::{Brush, PaintRefusal, Painted, carry, paint};
pub use clipping::{Clipping, cut, paste, shift};
pub use file_name::{file_stem, new_file_names};
pub use fill::{fill, fill_level};
pub use history::{History, Step};
pub use map_origin::MapOrigin;
pub use recovery::{FoundRecoveries, FoundRecovery, Recovery, find_recoveries};
pub use recovery_file::{RecoveryFile, state_folder};
pub use shapes::{BrushSize, brush, brush_line, line};

pub use crate::map::Area;
