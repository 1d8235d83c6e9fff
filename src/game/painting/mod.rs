//! Painting maps: brushes and tools, strokes, undo, saving, and recovery after a crash.

use bevy::prelude::*;

use super::app_systems::AppSystems;

pub mod brush;
pub(super) mod file_errors;
pub mod ghost;
pub mod large_change;
mod moved_endpoints;
pub(super) mod new_file;
pub mod ongoing_stroke;
pub mod recovery;
mod restore;
mod save_job;
mod saving;
pub mod selection;
mod stroke;
mod stroke_part;

pub(super) use saving::SaveTo;

/// Adds the plugins that need no window.
pub(super) fn rules(app: &mut App) {
    app.add_plugins((
        brush::plugin,
        file_errors::plugin,
        ghost::plugin,
        large_change::plugin,
        moved_endpoints::plugin,
        selection::plugin,
        stroke::plugin,
        saving::plugin,
        recovery::plugin,
        restore::plugin,
    ))
    // An answer closes its question, and undo comes first.
    .add_systems(Update, restore::restore.after(saving::answer).after(stroke::undo_and_redo).in_set(AppSystems::Act));
}
