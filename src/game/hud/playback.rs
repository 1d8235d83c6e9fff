//! The controls that the time lines of searches, plans and recordings share.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, Playback};
use crate::game::ui::element::{
    Element, Style, Words, absolute, bold, boxed, button, column, icon, icon_button, row, spans, words,
};
use crate::game::ui::regions::Room;
use crate::game::ui::theme::{INK, LARGE, MEDIUM, SECOND, SMALL, Size, TEXT, TIGHT};

/// The button that plays and pauses; `again` if it would begin from the start.
pub(super) fn play_button(is_playing: bool, again: bool) -> Element {
    let (symbol, name) = match (is_playing, again) {
        (true, _) => (Icon::Pause, "Pause"),
        (false, true) => (Icon::RotateCcw, "Play again"),
        (false, false) => (Icon::Play, "Play"),
    };
    let button = button(Action::Playback(Playback::Toggle), Style::Gold, vec![icon(symbol, 20, INK)]);
    button.named(name).width(38.0).pad(0.0, 0.0)
}

/// A button that moves the position or changes the speed.
pub(super) fn move_button(playback: Playback, symbol: Icon, name: &str) -> Element {
    icon_button(Action::Playback(playback), symbol, name)
}

/// The position and what follows it, in a place of fixed width.
pub(super) fn position_text(position: String, rest: String, width: f32) -> Element {
    let text = spans(vec![bold(position, Size::Text, TEXT), words(rest, Size::Text, SECOND)]);
    row(vec![text]).width(width).rigid()
}

/// A slider with marks on its track, below the thumb.
pub(super) fn marked(mut slider: Element, marks: impl IntoIterator<Item = Element>) -> Element {
    if let Some(rail) = slider.children.first_mut() {
        let thumb = rail.children.len().saturating_sub(1);
        rail.children.splice(thumb..thumb, marks);
    }
    slider
}

/// A thin line across the track, at this share of its length.
pub(super) fn mark(share: f32, colour: Color) -> Element {
    let node = Node {
        left: percent(100.0 * share),
        top: px(4),
        width: px(2),
        height: px(12),
        margin: UiRect::left(px(-1)),
        ..absolute()
    };
    boxed(node).back(colour)
}

/// A line above the controls in a window that is not wide.
pub(super) fn line_above(text: Vec<Words>) -> Element {
    spans(text).pad(MEDIUM, 0.0).with(|node| {
        node.height = px(20);
        node.max_height = px(20);
        node.overflow = Overflow::clip();
        node.margin = UiRect::top(px(6));
    })
}

/// The controls in a row, below a line if there is one.
pub(super) fn controls(parts: Vec<Element>, above: Option<Element>, room: Room) -> Vec<Element> {
    let (side, gap) = if room == Room::Wide { (LARGE, SMALL) } else { (SMALL, TIGHT) };
    let mut lines = vec![row(parts).pad(side, 0.0).gap(gap).grow()];
    lines.extend(above);
    // The controls come first, so that they keep their entities when the line above them comes and goes.
    vec![column(lines).grow().with(|node| node.flex_direction = FlexDirection::ColumnReverse)]
}
