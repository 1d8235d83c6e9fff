//! The help page: the keys, the uses of the mouse or fingers, and the lessons.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, FieldId, FieldTyped};
use crate::game::app_systems::AppSystems;
use crate::game::input::bindings::{BINDINGS, Binding};
use crate::game::input::touch::UsesFingers;
use crate::game::screen::mode::{GameMode, Screen};
use crate::game::ui::element::{
    Control, Element, Style, absolute, boxed, button, caption, coloured, column, field, heading_text, icon, row,
    scroll, segment, spans, text, title, words,
};
use crate::game::ui::menu::close_button;
use crate::game::ui::regions::{Regions, Room};
use crate::game::ui::theme::{DIVIDER, GOLD, LARGE, MEDIUM, PANEL, SECOND, SMALL, Size, TIGHT};
use crate::lessons::LESSONS;
use emberwalk_map::diagnostics::capitalised;

/// The width of the drawer and of the column with the keys, in logical pixels.
const WIDTH: f32 = 420.0;
const KEYS: f32 = 136.0;

/// The longest text that is searched for, in characters.
const MAX_CHARS: usize = 60;

const WALKING: &str =
    "The traveller takes the cheapest route: roads are fast, snow is slow, volcanoes attract, tombstones repel.";

const PAINTING: &str = "Choose a terrain in the panel and draw it on the map: the route follows the brush. Save writes \
                        the map to its file.";

/// The uses of the mouse. [`BINDINGS`] lists the keys.
const MOUSE: [(&str, &str); 4] = [
    ("Left click", "walk to a cell"),
    ("Shift", "point at ground behind a landmark"),
    ("Right drag", "pan (also with the middle button)"),
    ("Wheel", "zoom towards the pointer"),
];

/// The uses of the mouse and of Enter while the player paints.
const PAINTING_MOUSE: [(&str, &str); 7] = [
    ("Left drag", "paint; move the tent or castle; select; move the selection"),
    ("Shift", "paint a line from the end of the last stroke"),
    ("Middle click", "pick the terrain of a cell"),
    ("Right drag", "pan (also with the middle button)"),
    ("Wheel", "zoom; with Shift, size the brush"),
    ("Enter", "paint at the tile cursor, also with Shift"),
    ("Enter twice", "from corner to corner; move from here to there"),
];

/// The uses of fingers, in place of the mouse.
const FINGERS: [(&str, &str); 4] = [
    ("Tap", "walk to a cell"),
    ("Long press", "show the cost of a cell"),
    ("Drag", "pan"),
    ("Two fingers", "zoom and pan"),
];

/// The uses of fingers while the player paints.
const PAINTING_FINGERS: [(&str, &str); 2] =
    [("Drag", "paint; move the tent or castle; select; move the selection"), ("Two fingers", "zoom and pan")];

/// The keys that lead through the panels.
const PANEL_KEYS: [(&str, &str); 3] = [
    ("F6, Shift F6", "go to the next or the previous panel"),
    ("Arrows", "move between the panel's buttons"),
    ("Esc", "go back to the map"),
];

/// The marks on cells and people.
const MARKS: [(&str, &str); 5] = [
    ("White diamond", "the tile cursor, which the arrows move"),
    ("Golden dashes", "a blocked cell that could be opened"),
    ("Hatching", "people queue here (traffic)"),
    ("Blue ring", "a selected person"),
    ("Flash", "this change has changed the route"),
];

/// The search text.
#[derive(Resource, Default)]
pub(super) struct Sought(String);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Sought>().add_systems(Update, seek.in_set(AppSystems::Act));
}

fn seek(screen: Res<Screen>, mut typed: MessageReader<FieldTyped>, mut sought: ResMut<Sought>) {
    for typed in typed.read().filter(|typed| typed.field == FieldId::Help) {
        sought.0.clone_from(&typed.text);
    }
    if screen.help.is_none() && !sought.0.is_empty() {
        sought.0.clear();
    }
}

pub(super) fn help(
    screen: Res<Screen>,
    regions: Res<Regions>,
    fingers: Res<UsesFingers>,
    sought: Res<Sought>,
) -> Vec<Element> {
    let Some(mode) = screen.help else { return Vec::new() };
    let is_narrow = regions.room == Room::Narrow;
    let bottom = if is_narrow { regions.rail.height() } else { 0.0 };
    let width = if is_narrow { regions.window.x } else { WIDTH.min(regions.window.x) };
    let place = Node {
        right: px(0),
        top: px(regions.bar.max.y),
        bottom: px(bottom),
        width: px(width),
        border: UiRect::left(px(1)),
        flex_direction: FlexDirection::Column,
        ..absolute()
    };
    let close = close_button(Action::Help).tip("Close", "Esc", "").with(|node| {
        node.position_type = PositionType::Absolute;
        node.right = px(SMALL);
        node.top = px(SMALL);
    });
    let search =
        row(vec![icon(Icon::Search, 20, SECOND), field(FieldId::Help, "Search the help", &sought.0, MAX_CHARS, false)]);
    let tab = |name: &str, tab| (name.to_owned(), Action::TurnHelpPage, tab == mode);
    let tabs = vec![tab("Walk and search", GameMode::Walking), tab("Paint", GameMode::Painting)];
    let mut head = vec![title("Help"), search];
    if sought.0.trim().is_empty() {
        head.push(segment("Mode", tabs));
    }
    let head = column(head).gap(MEDIUM).pad(LARGE, MEDIUM).rigid();
    let content = column(content(mode, fingers.0, &sought.0)).gap(MEDIUM).pad(LARGE, TIGHT);
    let drawer = Element { children: vec![head, scroll(Val::Auto, vec![content]), close], ..boxed(place) };
    vec![drawer.back(PANEL).border(DIVIDER).covering().controlled(Control::Modal).named("Help")]
}

fn content(mode: GameMode, has_fingers: bool, sought: &str) -> Vec<Element> {
    let is_searching = !sought.trim().is_empty();
    let mut parts = Vec::new();
    if !is_searching {
        parts.push(coloured(if mode == GameMode::Painting { PAINTING } else { WALKING }, SECOND));
    }
    let pointer: &[_] = match (mode, has_fingers) {
        (GameMode::Painting, false) => &PAINTING_MOUSE,
        (GameMode::Painting, true) => &PAINTING_FINGERS,
        (GameMode::Walking, false) => &MOUSE,
        (GameMode::Walking, true) => &FINGERS,
    };
    let plain = |rows: &[(&str, &str)]| {
        let found = rows.iter().filter(|(name, about)| finds(sought, &[name, about]));
        let line = |(name, about): &(&str, &str)| line(coloured(*name, GOLD), about);
        found.map(line).collect::<Vec<_>>()
    };
    let keys = rows(mode, sought);
    let keys = keys.into_iter().map(|keys| line(key_buttons(keys), keys[0].description));
    let marks: &[_] = if is_searching || mode == GameMode::Walking { &MARKS } else { &[] };
    // Keys come first: most players look for them.
    let all = [
        ("Keys", keys.collect()),
        (if has_fingers { "Fingers" } else { "Mouse" }, plain(pointer)),
        ("Panels", plain(&PANEL_KEYS)),
        ("Marks on the map", plain(marks)),
    ];
    parts.extend(all.into_iter().filter(|(_, rows)| !rows.is_empty()).map(|(name, rows)| part(name, rows)));
    let lessons: Vec<_> = LESSONS.iter().enumerate().filter(|(_, lesson)| finds(sought, &[lesson.title])).collect();
    if !lessons.is_empty() && (is_searching || mode == GameMode::Walking) {
        let lessons = lessons.into_iter().map(|(index, lesson)| {
            let content = vec![icon(Icon::GraduationCap, 16, SECOND), text(lesson.title)];
            let lesson = button(Action::OpenLesson(index), Style::Plain, content).named(lesson.title);
            lesson.with(|node| node.justify_content = JustifyContent::FlexStart)
        });
        parts.push(part("Lessons", lessons.collect()));
    }
    if parts.is_empty() {
        parts.push(caption("No results."));
    }
    parts
}

/// The bindings of a page, grouped by their effects; or the bindings of all pages that match the search text.
fn rows(mode: GameMode, sought: &str) -> Vec<&'static [Binding]> {
    let is_searching = !sought.trim().is_empty();
    let is_shown = |keys: &&'static [Binding]| {
        let is_here = is_searching || keys[0].mode.is_none_or(|only| only == mode);
        is_here && keys.iter().any(|key| finds(sought, &[key.key_name, key.label, key.description]))
    };
    let rows = BINDINGS.chunk_by(|one, next| one.description == next.description).filter(is_shown);
    // Keys that are on this page only come first.
    let (mut first, others): (Vec<_>, Vec<_>) = rows.partition(|keys| keys[0].mode.is_some());
    first.extend(others);
    first
}

/// Whether every search word is in one of the texts.
fn finds(sought: &str, texts: &[&str]) -> bool {
    let texts = texts.join(" ").to_lowercase();
    sought.to_lowercase().split_whitespace().all(|word| texts.contains(word))
}

fn part(name: &str, rows: Vec<Element>) -> Element {
    let mut all = vec![heading_text(name)];
    all.extend(rows);
    column(all).gap(TIGHT)
}

/// A key, and its effect.
fn line(key: Element, about: &str) -> Element {
    let key = row(vec![key]).width(KEYS).rigid();
    row(vec![key, text(capitalised(about)).grow()]).with(|node| node.min_height = px(24))
}

/// Keys that can be pressed here too.
fn key_buttons(keys: &[Binding]) -> Element {
    let keys = keys.iter().map(|key| {
        let name = spans(vec![words(key.key_name, Size::Caption, GOLD)]);
        let name_of = format!("{}: {}", key.key_name, key.label);
        let button = Element { tip: None, ..button(key.action, Style::Plain, vec![name]) };
        button.named(name_of).pad(6.0, 2.0).with(|node| node.min_height = px(24))
    });
    row(keys.collect()).gap(3.0).wrapping()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(mode: GameMode, sought: &str) -> Vec<&'static str> {
        rows(mode, sought).into_iter().map(|keys| keys[0].label).collect()
    }

    #[test]
    fn each_page_has_its_own_keys_first_and_a_search_finds_the_keys_of_both() {
        let walk = labels(GameMode::Walking, "");
        let paint = labels(GameMode::Painting, "");
        assert!(walk[0] == "Go" && !walk.contains(&"Cut"), "{walk:?}");
        assert!(paint[0] == "Take" && !paint.contains(&"Go") && paint.contains(&"Undo"), "{paint:?}");
        assert_eq!(labels(GameMode::Walking, "CLEAR selection"), ["Delete"]);
        assert!(labels(GameMode::Painting, "no such thing").is_empty());
    }
}
