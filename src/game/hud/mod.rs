//! The panels of the window. Each is a function that returns elements; most are listed here with their places.

use std::cmp::Ordering;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::description;
use crate::game::ui::element::{Content, Element, bold, spans, words};
use crate::game::ui::regions::Places;
use crate::game::ui::show::{cover_layer, show_in};
use crate::game::ui::theme::{EMBER, F, G, GOOD, H, SECOND, Size};
use emberwalk_map::RoundedCost;
use emberwalk_picture::overlay::scale_colour;

mod bar;
mod cell_card;
mod cell_numbers;
mod clock;
mod compare_dock;
mod countdown;
mod dialog;
mod drop_frame;
mod errors_drawer;
mod help;
mod lesson_dock;
mod let_out;
mod loading;
mod map_gallery;
mod map_pictures;
mod minimap;
mod overlay_card;
mod paint_dock;
mod people_card;
mod plan_line;
mod playback;
mod question;
mod race_headers;
mod rail;
mod replay_line;
mod route_card;
mod search_dock;
mod search_options;
mod search_step;
mod selection_box;
pub(in crate::game) mod spoken_cell;
mod stroke_label;
mod time_line;
mod time_text;
mod toasts;
mod traffic;
mod welcome_card;

pub(super) fn plugin(app: &mut App) {
    // These have more systems. If their panel comes before or after one of them, it is added with them.
    app.add_plugins((
        toasts::plugin,
        countdown::plugin,
        overlay_card::plugin,
        minimap::plugin,
        let_out::plugin,
        spoken_cell::plugin,
        search_dock::plugin,
        race_headers::plugin,
        lesson_dock::plugin,
        paint_dock::plugin,
        stroke_label::plugin,
        help::plugin,
        map_pictures::plugin,
    ));
    let places = *app.world().resource::<Places>();
    let in_places = (
        rail::rail.pipe(show_in(places.rail)),
        bar::bar.pipe(show_in(places.bar)),
        route_card::route_card.pipe(show_in(places.top_left)),
        cell_card::cell_card.pipe(show_in(places.top_right)),
        cell_numbers::cell_numbers.pipe(show_in(places.map)),
        overlay_card::overlay_card.pipe(show_in(places.bottom_left)),
        errors_drawer::folded.pipe(show_in(places.bottom_left)),
        welcome_card::welcome.pipe(show_in(places.bottom_right)),
        people_card::people_card.pipe(show_in(places.bottom_right)),
        search_dock::dock.pipe(show_in(places.dock)),
        compare_dock::dock.pipe(show_in(places.dock)),
        time_line::time_line.pipe(show_in(places.time_line)),
        replay_line::replay_line.pipe(show_in(places.time_line)),
        plan_line::plan_line.pipe(show_in(places.time_line)),
    );
    // Each is in front of those before it. The layers of menus and tooltips are in `ui`.
    let in_front = (
        selection_box::selection_box.pipe(show_in(cover_layer(app, 1))),
        errors_drawer::drawer.pipe(show_in(cover_layer(app, 4))),
        loading::loading.pipe(show_in(cover_layer(app, 20))),
        help::help.pipe(show_in(cover_layer(app, 30))),
        dialog::dialog.pipe(show_in(cover_layer(app, 45))),
        question::question.pipe(show_in(cover_layer(app, 50))),
        drop_frame::drop_frame.pipe(show_in(cover_layer(app, 55))),
    );
    app.add_systems(Update, (in_places, in_front).in_set(AppSystems::Show));
}

/// The colours of the overlays, from the lowest value up to this share of the highest.
fn scale_colours(up_to: f32) -> Content {
    let colour = |part: u8| {
        let [r, g, b] = scale_colour(f32::from(part) / 11.0 * up_to);
        Color::srgb_u8(r, g, b)
    };
    Content::Gradient((0..12).map(colour).collect())
}

/// A difference of costs with its sign, and its colour: savings are green.
fn signed<const DECIMALS: u32>(difference: RoundedCost<DECIMALS>) -> (String, Color) {
    let colour = match difference.cmp(&RoundedCost::default()) {
        Ordering::Less => GOOD,
        Ordering::Equal => SECOND,
        Ordering::Greater => EMBER,
    };
    (description::signed(difference), colour)
}

/// g + h = f, each in its colour.
fn figures_line(before: &str, g: f64, h: f64, f: f64) -> Element {
    let plain = |text: &str| words(text, Size::Text, SECOND);
    let value = |value: f64, colour| bold(format!("{value:.2}"), Size::Text, colour);
    spans(vec![plain(&format!("{before}g ")), value(g, G), plain(" + h "), value(h, H), plain(" = f "), value(f, F)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_path::{RouteCost, UNITS_PER_TILE};

    #[test]
    fn savings_are_green_with_a_minus_and_additions_are_ember_with_a_plus() {
        let cost = |tiles: u64| RoundedCost::<2>::from(RouteCost::from_units(tiles * UNITS_PER_TILE as u64));
        assert_eq!(signed(cost(2) - cost(3)), ("−1.00".into(), GOOD));
        assert_eq!(signed(cost(5) - cost(3)), ("+2.00".into(), EMBER));
        assert_eq!(signed(cost(3) - cost(3)), ("±0.00".into(), SECOND));
    }
}
