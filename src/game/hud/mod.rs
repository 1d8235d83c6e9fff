//! The HUD: small panels and buttons in the corners of the window, which a diamond-shaped map leaves free.

use bevy::prelude::*;

mod button_bar;
mod cell_panel;
mod compare_panel;
mod described;
mod detour_panel;
mod dialog_panel;
mod faults_panel;
mod font;
mod help_page;
mod hint;
mod introduction;
#[cfg(test)]
mod laid_out;
mod legend;
mod lesson_panel;
mod loading_panel;
mod minimap;
mod notices;
mod open_panel;
mod option_buttons;
mod palette;
mod places;
mod playback_controls;
mod question_panel;
mod race_panels;
mod scale;
mod scroll_bar;
mod search_panel;
mod selection_bar;
mod status_panel;
mod stroke_label;
pub(in crate::game) mod widgets;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((font::plugin, places::plugin, scale::plugin, scroll_bar::plugin, widgets::plugin));
    app.add_plugins((palette::plugin, question_panel::plugin, dialog_panel::plugin));
    app.add_plugins((selection_bar::plugin, stroke_label::plugin, minimap::plugin));
    app.add_plugins((
        status_panel::plugin,
        introduction::plugin,
        cell_panel::plugin,
        button_bar::plugin,
        help_page::plugin,
        hint::plugin,
        notices::plugin,
        faults_panel::plugin,
        search_panel::plugin,
        legend::plugin,
        compare_panel::plugin,
        open_panel::plugin,
        detour_panel::plugin,
        lesson_panel::plugin,
        loading_panel::plugin,
    ));
    app.add_plugins((option_buttons::plugin, playback_controls::plugin, race_panels::plugin));
}
