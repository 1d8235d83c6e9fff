//! The card for long work, with a progress bar: reading a map, or painting very many cells.

use std::time::Duration;

use bevy::prelude::*;

use crate::game::action::Action;
use crate::game::frames::wake::Wake;
use crate::game::painting::large_change::LargeChange;
use crate::game::ui::element::{
    Control, Element, Style, apart, boxed, card, centred, coloured, keyed_button, modal, row, text,
};
use crate::game::ui::theme::{BACKDROP, DIVIDER, GOLD, LARGE, MEDIUM, SECOND};
use crate::game::world::reader::{MapReader, PATIENCE, Reading};

use super::bar::printable;

/// The width of the bar in logical pixels.
const WIDTH: f32 = 280.0;

/// The maximum number of characters of the map's name.
const MAX_NAME: usize = 40;

/// The interval between two updates of the bar.
const BEAT: Duration = Duration::from_millis(50);

/// The card, once the work has taken a while.
pub(super) fn loading(reader: Res<MapReader>, large: Res<LargeChange>, mut wakes: MessageWriter<Wake>) -> Vec<Element> {
    let reading = reader.reading();
    let change = large.shown();
    let elapsed = reading.map(Reading::elapsed).or(change.map(|(_, elapsed)| elapsed));
    if let Some(elapsed) = elapsed {
        wakes.write(Wake::After(BEAT.max(PATIENCE.saturating_sub(elapsed))));
    }
    let title = match reading {
        Some(reading) if reading.is_new() => format!("Making {}", reading.name()),
        Some(reading) => format!("Reading {}", printable(&reading.name(), MAX_NAME)),
        None => change.map(|(title, _)| title.to_owned()).unwrap_or_default(),
    };
    let is_late = elapsed.is_some_and(|elapsed| elapsed >= PATIENCE);
    let can_stop = reader.awaited().is_some() || reading.is_none();
    let card = is_late.then(|| progress(&title, reading.map(Reading::done), can_stop));
    // If the map being read hides the current one, the card is shown from the start.
    if reader.hides_open_map() {
        return vec![modal(&title, card.unwrap_or_default()).back(BACKDROP)];
    }
    card.map(|card| centred(card).controlled(Control::Region(11)).named(title)).into_iter().collect()
}

/// `done` is the finished share of the work, if it is known.
fn progress(title: &str, done: Option<f32>, can_stop: bool) -> Element {
    let percentage = done.map(|done| coloured(format!("{} %", (100.0 * done).floor()), SECOND));
    let mut rows = vec![apart([Some(text(title)), percentage].into_iter().flatten().collect())];
    if let Some(done) = done {
        let node = Node { height: px(6), border_radius: BorderRadius::all(px(3)), ..default() };
        let filled = boxed(Node { width: percent(100.0 * done), ..node.clone() }).back(GOLD);
        rows.push(Element { children: vec![filled], ..boxed(node).back(DIVIDER) });
    }
    if can_stop {
        let stop = keyed_button(Action::Stop, Style::Plain, "Stop", "Esc");
        rows.push(row(vec![stop]).with(|node| node.justify_content = JustifyContent::End));
    }
    card(rows).pad(LARGE, LARGE).gap(MEDIUM).with(|node| node.min_width = px(WIDTH))
}
