//! Explanations of routes on the map: overlays, the search that can be watched, and lessons.

use bevy::prelude::*;

pub(in crate::game) mod best_open;
pub mod cell_figures;
pub mod cells_to_open;
pub mod comparison;
pub mod costs_to_goal;
pub(in crate::game) mod current_query;
pub mod detour;
mod drag_goal;
pub mod lesson;
pub mod options;
pub mod overlay_area;
pub mod overlay_cells;
pub mod overlay_choice;
pub mod own_search;
pub mod prediction;
pub mod recorded_search;
pub mod shown_overlays;
pub mod verdict;

/// Adds the plugins that need no window.
pub(super) fn rules(app: &mut App) {
    app.add_plugins((
        (overlay_area::plugin, overlay_cells::plugin),
        overlay_choice::plugin,
        costs_to_goal::plugin,
        cell_figures::plugin,
        own_search::plugin,
        recorded_search::plugin,
        prediction::plugin,
        best_open::plugin,
        shown_overlays::plugin,
        options::plugin,
        comparison::plugin,
        cells_to_open::plugin,
        detour::plugin,
        lesson::plugin,
    ));
}

/// Adds the plugins that need the mouse.
pub(super) fn plugin(app: &mut App) {
    app.add_plugins(drag_goal::plugin);
}
