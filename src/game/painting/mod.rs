//! Painting maps: what is painted and with which tool, strokes, undo, saving, and recovery after
//! a crash.

use bevy::prelude::*;

pub mod brush;
pub mod ghost;
mod moved_endpoints;
mod new_file;
pub mod ongoing_stroke;
pub mod recovery;
mod saving;
pub mod selection;
mod stroke;

/// Adds what needs no window.
pub(super) fn rules(app: &mut App) {
    app.add_plugins((
        brush::plugin,
        ghost::plugin,
        moved_endpoints::plugin,
        selection::plugin,
        stroke::plugin,
        saving::plugin,
        recovery::plugin,
    ));
}
