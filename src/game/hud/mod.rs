//! The HUD: small panels and buttons in the corners of the window, which a diamond-shaped map leaves free.

use bevy::prelude::*;

mod bottom_column;
mod button_bar;
mod cell_panel;
mod faults_panel;
mod help_page;
mod hint;
mod notices;
mod scale;
mod status_panel;
mod widgets;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        bottom_column::plugin,
        scale::plugin,
        widgets::plugin,
        status_panel::plugin,
        cell_panel::plugin,
        button_bar::plugin,
        help_page::plugin,
        hint::plugin,
        notices::plugin,
        faults_panel::plugin,
    ));
}
