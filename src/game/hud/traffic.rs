//! The figures about the traffic of a town, for the card of its overlay.

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::people::widening::Advice;
use crate::game::ui::element::{
    Content, Element, Style, action_button, apart, bold, boxed, caption, coloured, column, reserved, row, spans,
    text_button, words,
};
use crate::game::ui::theme::{EMBER, GOOD, MUTED, SECOND, Size, TEXT};
use crate::traffic_overlay::TrafficOverlay;
use emberwalk_world::town::{Counts, Town};

use super::time_text::time_text;

/// The height of the curve, and the width of a sample in it, in logical pixels.
const CURVE: f32 = 40.0;
const SAMPLE: f32 = 2.0;

/// How many people walk, wait and rest, how long their trips take, the course of the last two minutes, and which
/// cell to open. No line of it comes or goes while time passes, so that no button moves under the pointer.
pub(super) fn traffic(town: &Town, advice: &Advice) -> Vec<Element> {
    let traffic = town.traffic();
    let now = traffic.samples().last().unwrap_or_default();
    let stretch = traffic.stretch().map(|stretch| coloured(trips(stretch), TEXT));
    let figure =
        |value: String, what: &str| column(vec![spans(vec![bold(value, Size::Large, TEXT)]), caption(what)]).gap(0.0);
    let count = |count: usize, label: &str, colour: Color| {
        let dot = boxed(Node { width: px(9), height: px(9), border_radius: BorderRadius::all(px(3)), ..default() });
        let text = spans(vec![
            bold(count.to_string(), Size::Caption, TEXT),
            words(format!(" {label}"), Size::Caption, SECOND),
        ]);
        row(vec![dot.back(colour), text]).gap(4.0)
    };
    let counts = apart(vec![
        count(now.walking, "walking", GOOD),
        count(now.waiting, "waiting", EMBER),
        count(now.resting, "idle", MUTED),
    ]);
    let indoors = Some(town.indoors()).filter(|indoors| *indoors > 0);
    let indoors = indoors.map(|indoors| figure(indoors.to_string(), "at home"));
    let arrivals = figure(traffic.arrivals().to_string(), "arrivals in a minute");
    let mut rows = vec![
        apart(std::iter::once(arrivals).chain(indoors).collect()),
        reserved(2, stretch).keyed("trips"),
        share_bar(now),
        counts,
        row(vec![caption("2 min"), curve(town), caption("now")]),
        scale("Visits", ["few", "many"], TrafficOverlay::flow_colours()),
        scale("Waiting time", ["0 s", "3 s"], TrafficOverlay::wait_colours()),
    ];
    rows.extend(advice_row(advice).map(|advice| reserved(3, Some(advice)).keyed("advice")));
    rows
}

/// How long trips take among other people.
fn trips(stretch: f64) -> String {
    format!("Trips take {stretch:.2} times as long as on empty streets.")
}

/// Which cell to open, and the expected effect; or the effect that it had.
fn advice_row(advice: &Advice) -> Option<Element> {
    let [what, why, button] = match advice {
        Advice::None => return None,
        Advice::Looking => return Some(caption("Looking for a cell to open, so that people wait less...")),
        Advice::Nothing => return Some(caption("No cell whose opening would shorten the trips was found.")),
        Advice::Offer(widening, would) => [
            coloured(*would, TEXT),
            caption(format!("Saves {} per trip · queue hatched", time_text(widening.saved))),
            action_button(Action::Widen, Style::Gold, None, "Widen"),
        ],
        Advice::Opened(did) => {
            [coloured(*did, TEXT), caption("The figures follow within a minute."), text_button(Action::Undo, "Undo")]
        }
    };
    Some(row(vec![column(vec![what, why]).grow(), button]))
}

/// A bar in which each group has its share.
fn share_bar(counts: Counts) -> Element {
    let share = |count: usize, colour: Color| {
        let node =
            Node { flex_grow: count as f32, height: px(6), border_radius: BorderRadius::all(px(3)), ..default() };
        boxed(node).back(colour)
    };
    let Counts { walking, waiting, resting } = counts;
    row(vec![share(walking, GOOD), share(waiting, EMBER), share(resting, MUTED)]).gap(2.0)
}

/// How many people walked and waited in each second of the last two minutes.
fn curve(town: &Town) -> Element {
    let samples = town.traffic().samples();
    let most = samples.map(|counts| counts.walking + counts.waiting + counts.resting).max().unwrap_or(1).max(1);
    let column = |counts: Counts| {
        let part = |count: usize, colour: Color| {
            boxed(Node { width: px(SAMPLE), height: px(CURVE * count as f32 / most as f32), ..default() }).back(colour)
        };
        let node = Node { flex_direction: FlexDirection::Column, flex_shrink: 0.0, ..default() };
        let parts = vec![part(counts.walking, GOOD.with_alpha(0.8)), part(counts.waiting, EMBER)];
        Element { children: parts, ..boxed(node) }
    };
    let columns = town.traffic().samples().map(column).collect();
    let node = Node {
        height: px(CURVE),
        align_items: AlignItems::FlexEnd,
        justify_content: JustifyContent::FlexEnd,
        overflow: Overflow::clip(),
        ..default()
    };
    // As wide from the beginning as at the end.
    Element { children: columns, ..boxed(node) }.grow()
}

/// A colour scale with the meaning of its ends.
fn scale(name: &str, ends: [&str; 2], colours: &[[u8; 3]]) -> Element {
    let bar = boxed(Node { width: px(96), height: px(8), border_radius: BorderRadius::all(px(4)), ..default() });
    let colours = colours.iter().map(|[red, green, blue]| Color::srgb_u8(*red, *green, *blue)).collect();
    let bar = Element { content: Content::Gradient(colours), ..bar };
    let [low, high] = ends;
    apart(vec![caption(name), row(vec![caption(low), bar, caption(high)])])
}
