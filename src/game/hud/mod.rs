//! The panels of the window. Each is a function from what it shows to elements.

use bevy::prelude::*;

use crate::game::ui::element::{Element, bold, spans, words};
use crate::game::ui::theme::{F, G, H, SECOND, Size};

mod bar;
mod cell_card;
mod compare_sheet;
mod lesson_dock;
mod overlay_card;
mod race_headers;
mod rail;
mod route_card;
mod search_dock;
mod search_options;
mod search_step;
mod time_line;
mod toasts;
mod welcome_card;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((rail::plugin, bar::plugin, toasts::plugin));
    app.add_plugins((route_card::plugin, cell_card::plugin, overlay_card::plugin, welcome_card::plugin));
    app.add_plugins((search_dock::plugin, time_line::plugin, race_headers::plugin));
    app.add_plugins((compare_sheet::plugin, lesson_dock::plugin));
}

/// g + h = f, each in its colour.
fn figures_line(before: &str, g: f64, h: f64, f: f64) -> Element {
    let plain = |text: &str| words(text, Size::Text, SECOND);
    let value = |value: f64, colour| bold(format!("{value:.2}"), Size::Text, colour);
    spans(vec![plain(&format!("{before}g ")), value(g, G), plain(" + h "), value(h, H), plain(" = f "), value(f, F)])
}
