//! The bar at the top: the map menu, the controls for the traveller and the volcano, and the view.

use std::iter;

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, Menu, Zoom};
use crate::game::input::bindings::binding_of;
use crate::game::journey::sending::can_walk_again;
use crate::game::journey::traveller::{Player, Traveller};
use crate::game::people::town::{Numbers, People};
use crate::game::replay::WatchedReplay;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::search_view::lesson::OpenLesson;
use crate::game::ui::element::{
    Element, Style, Tip, Words, action_button, bold, boxed, button, caption, coloured, icon, icon_button, row, spans,
    spring, words,
};
use crate::game::ui::font::text_width::{fitted, width};
use crate::game::ui::menu::{Item, OpenMenu, menu, menu_button, menu_item};
use crate::game::ui::regions::{Regions, Room, has_dock};
use crate::game::ui::theme::{CONTROL_HEIGHT, EMBER, LARGE, SECOND, SMALL, Size, TEXT, TIGHT};
use crate::game::viewport::Viewport;
use crate::game::world::announced::countdown;
use crate::game::world::eruption::{ANNOUNCED, BY_KEY};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use crate::game::world::pages::Endpoints;
use emberwalk_map::diagnostics::escape_invisible;

use super::clock::clock;

/// The maximum length of a map's name in characters; longer names are cut.
pub(super) const MAX_NAME: usize = 32;

/// The width of the buttons in the middle of a wide bar, in logical pixels. The sides share the rest.
const WIDE_MIDDLE: f32 = 588.0;

/// The width of a button with its icon alone in another bar, and of its icon, frame and spaces beside its words.
const BARE_BUTTON: f32 = 36.0;
const BESIDE_WORDS: f32 = 46.0;

/// The width of the menu of travellers beside their number.
const BESIDE_NUMBER: f32 = 50.0;

/// The width of the map menu beside the name: an icon, the dot, and the spaces.
const BESIDE_NAME: f32 = 56.0;

/// The numbers of travellers to choose from, beside the number that the map brings.
const TRAVELLERS: [usize; 5] = [1, 10, 100, 1000, 10_000];

/// The smallest width of a name.
const LEAST_NAME: f32 = 48.0;

/// A narrower bar has no buttons for the zoom, which two fingers and the wheel change too.
const ROOM_FOR_ZOOM: f32 = 500.0;

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(super) fn bar(
    regions: Res<Regions>,
    screen: Res<Screen>,
    map: Res<OpenMap>,
    (view, images): (Res<Viewport>, Res<MapImages>),
    traveller: Single<Traveller, With<Player>>,
    endpoints: Endpoints,
    people: Res<People>,
    lesson: Res<OpenLesson>,
    open: Res<OpenMenu>,
    replay: Option<Res<WatchedReplay>>,
) -> Vec<Element> {
    let room = regions.room;
    let middle = Middle::of(&regions, map.travellers());
    let items = if replay.is_some() {
        // Nothing can be changed in it.
        vec![caption("Playing a recording")]
    } else {
        let mut items =
            orders(middle, &screen, &map, &open, can_walk_again([endpoints.start(), endpoints.goal()], &traveller));
        items.push(travellers(map.travellers(), &people, &open));
        items
    };
    let gap = gap(room);
    // The sides share what the middle leaves, so that the middle stays where it is when they change.
    let side = |element: Element| element.grow().with(|node| node.flex_basis = px(0));
    let hour = (room == Room::Wide).then(|| clock(&map, images.look(), &open));
    let controls = view_controls(&regions, &view, &map, hour, has_dock(&screen, &lesson));
    let bar = row(vec![
        side(map_menu(&regions, middle, &map, &open)),
        row(items).gap(gap),
        side(row(vec![spring(), controls])),
    ]);
    vec![bar.grow().pad(if room == Room::Wide { LARGE } else { SMALL }, 0.0).gap(gap)]
}

fn gap(room: Room) -> f32 {
    if room == Room::Narrow { TIGHT } else { SMALL }
}

/// The words on the buttons in the middle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Middle {
    /// In a wide bar they are longer, and have their keys beside them.
    is_wide: bool,
    go: bool,
    volcano: bool,
    back: bool,
    /// The width of all buttons in the middle.
    width: f32,
}

impl Middle {
    /// The words that fit: labels disappear when space runs out, the most important button's last. This depends on
    /// nothing that changes often, so that buttons keep their places.
    fn of(regions: &Regions, travellers: usize) -> Self {
        if regions.room == Room::Wide {
            return Self { is_wide: true, go: true, volcano: true, back: true, width: WIDE_MIDDLE };
        }
        let gap = gap(regions.room);
        let buttons = if regions.bar.width() >= ROOM_FOR_ZOOM { 5.0 } else { 3.0 };
        let side = (buttons * (CONTROL_HEIGHT + 2.0)).max(BESIDE_NAME + LEAST_NAME);
        let room = regions.bar.width() - 2.0 * (SMALL + gap + side);
        let number = width(&grouped(travellers), Size::Text, false);
        let mut taken = 3.0 * (BARE_BUTTON + gap) + BESIDE_NUMBER + number;
        let mut fits = true;
        let [go, volcano, back] = [GO, VOLCANO, BACK].map(|words| {
            let more = width_of_button(words) - BARE_BUTTON;
            fits &= taken + more <= room;
            taken += if fits { more } else { 0.0 };
            fits
        });
        Self { is_wide: false, go, volcano, back, width: taken }
    }
}

/// The words of a button at different times in a bar that is not wide.
const GO: [&str; 2] = ["Go", "Again"];
const VOLCANO: [&str; 2] = ["Erupt", "Calm"];
const BACK: [&str; 2] = ["Back"; 2];

/// The width of a button for the wider of its words.
fn width_of_button(words: [&str; 2]) -> f32 {
    let [one, other] = words.map(|word| width(word, Size::Text, true));
    (one.max(other) + BESIDE_WORDS).ceil()
}

/// The buttons that change something on the map.
fn orders(middle: Middle, screen: &Screen, map: &OpenMap, open: &OpenMenu, walks_again: bool) -> Vec<Element> {
    let mut items = Vec::new();
    if screen.is_painting() {
        let history = map.history();
        items.extend([
            icon_button(Action::Undo, Icon::Undo2, "Undo").disabled(!history.can_undo()),
            icon_button(Action::Redo, Icon::Redo2, "Redo").disabled(!history.can_redo()),
        ]);
    } else {
        items.push(go(middle, walks_again, screen.search));
    }
    items.push(volcano(middle, map));
    if middle.is_wide {
        items.push(announcement(map, open));
    }
    if !screen.is_painting() {
        let label = Label { name: "Back to the tent", word: "Back", is_shown: middle.back, words: BACK };
        items.push(labelled(middle, Action::Reset, Style::Plain, Icon::RotateCcw, label));
    }
    items
}

/// A text from a file as a single line of limited length, without characters that would be invisible.
pub(super) fn printable(text: &str, max_chars: usize) -> String {
    let (end, dots) = text.char_indices().nth(max_chars).map_or((text.len(), ""), |(end, _)| (end, "…"));
    let line = text[..end].replace(char::is_whitespace, " ");
    format!("{}{dots}", escape_invisible(&line))
}

/// The last characters of a long text, which are more useful than the first ones of a path.
pub(super) fn end_of(text: &str, max_chars: usize) -> String {
    let cut = text.char_indices().rev().nth(max_chars - 1).map_or(0, |(at, _)| at);
    if cut == 0 { text.to_owned() } else { format!("…{}", &text[cut..]) }
}

/// The map name, with a dot while there are unsaved changes, and the map menu.
fn map_menu(regions: &Regions, middle: Middle, map: &OpenMap, open: &OpenMenu) -> Element {
    let is_wide = regions.room == Room::Wide;
    let edges = if is_wide { LARGE + SMALL } else { SMALL + SMALL };
    let side = (regions.bar.width() - middle.width) / 2.0 - edges;
    let room = (side - BESIDE_NAME).max(LEAST_NAME);
    let name = fitted(&printable(map.name(), MAX_NAME), Size::Title, true, room);
    let mut face = vec![spans(vec![bold(&name, Size::Title, TEXT)]).rigid()];
    let mut label = format!("Map: {name}");
    if map.is_unsaved() {
        let dot = Node { width: px(7), height: px(7), border_radius: BorderRadius::all(px(4)), ..default() };
        face.push(boxed(dot).back(EMBER));
        label.push_str(", not saved");
    }
    face.push(icon(Icon::ChevronDown, 16, SECOND));
    let button = menu_button(Menu::Map, Style::Quiet, &label, face).pad(SMALL, 0.0);
    let items = [
        (Action::PreviousMap, "Previous map"),
        (Action::NextMap, "Next map"),
        (Action::ListMaps, "Open..."),
        (Action::ChooseFile, "Open a file..."),
        (Action::NewMap, "New..."),
        (Action::Save, "Save"),
        (Action::SaveAnew, "Save as..."),
        (Action::SaveRecording, "Save a recording"),
        (Action::CopyLink, "Copy a link"),
        (Action::EditMap, "Size, name and hours..."),
    ];
    // Not everything is possible in the web version.
    let items =
        items.into_iter().filter(|(action, _)| binding_of(*action).is_some() || *action == Action::SaveRecording);
    // In a narrow bar there is no menu for it.
    let announced = map.world().announced();
    let eruption = if announced.is_some() { "Cancel the eruption" } else { "Announce an eruption" };
    let eruption =
        (!middle.is_wide && (map.any_dormant() || announced.is_some())).then_some((Action::ToggleAnnounced, eruption));
    let items = items.chain(eruption).map(|(action, label)| menu_item(Item::new(action, label))).collect();
    let menu = menu(Menu::Map, open, button, items);
    let left = room - width(&name, Size::Title, true) - SMALL;
    let about = map.about().and_then(|about| about.split(['.', '\n', ':']).next()).unwrap_or_default();
    let about = printable(about, usize::MAX);
    let fits = is_wide && !about.trim().is_empty() && width(&about, Size::Caption, false) <= left;
    let about = fits.then(|| caption(about).rigid());
    row(iter::once(menu).chain(about).collect())
}

/// The width of the button that counts down, so that it stays where it is while the number gets shorter.
const COUNTDOWN: f32 = 116.0;

/// The words of a button in the middle.
struct Label<'a> {
    /// For screen readers, and the title of the tooltip.
    name: &'a str,
    word: &'a str,
    is_shown: bool,
    /// All its words at different times.
    words: [&'a str; 2],
}

/// A button with its label, or with its icon where there is little room.
fn labelled(middle: Middle, action: Action, style: Style, symbol: Icon, label: Label) -> Element {
    let Label { name, word, is_shown, words: all } = label;
    let button = if middle.is_wide {
        action_button(action, style, Some(symbol), word)
    } else if is_shown {
        let word = Words { is_bold: style == Style::Gold, ..words(word, Size::Text, style.ink()) };
        let face = vec![icon(symbol, 16, style.ink()), spans(vec![word])];
        button(action, style, face).with(|node| node.min_width = px(width_of_button(all)))
    } else {
        button(action, style, vec![icon(symbol, 20, style.ink())])
            .pad(0.0, 0.0)
            .with(|node| node.min_width = px(BARE_BUTTON))
    };
    let tip = button.tip.clone().map(|tip| Tip { title: name.to_owned(), ..tip });
    Element { tip, ..button.named(name) }
}

/// Sends the traveller to the castle, for the first time or again.
fn go(middle: Middle, is_again: bool, page: SearchPage) -> Element {
    let name = if is_again { "Walk again" } else { "Go" };
    let word = if middle.is_wide { name } else { GO[usize::from(is_again)] };
    let style = if page == SearchPage::Closed { Style::Gold } else { Style::Plain };
    let label = Label { name, word, is_shown: middle.go, words: GO };
    let go = labelled(middle, Action::GoToCastle, style, Icon::Play, label);
    let again = |tip| Tip { text: "Walk from the tent to the castle once more.".into(), ..tip };
    let go = if is_again { Element { tip: go.tip.clone().map(again), ..go } } else { go };
    if middle.is_wide { go.with(|node| node.min_width = px(178)) } else { go }
}

fn volcano(middle: Middle, map: &OpenMap) -> Element {
    let has_volcano = map.has_volcano();
    let (style, symbol, label) = match map.any_dormant() || !has_volcano {
        true => (Style::Plain, Icon::Flame, "Erupt"),
        false => (Style::Ember, Icon::Snowflake, "Calm"),
    };
    // Wider bars have a button that counts down.
    let left = countdown(map).filter(|_| !middle.is_wide);
    let word = Label { name: label, word: left.as_deref().unwrap_or(label), is_shown: middle.volcano, words: VOLCANO };
    let button = labelled(middle, Action::Erupt, style, symbol, word).disabled(!has_volcano);
    let button = if middle.is_wide { button.with(|node| node.min_width = px(112)) } else { button };
    if has_volcano { button } else { button.tip(label, "V", "This map has no volcano.") }
}

/// The menu that announces an eruption. Once one is announced, a button in its place counts down, and cancels it.
fn announcement(map: &OpenMap, open: &OpenMenu) -> Element {
    if let Some(left) = countdown(map) {
        let face = spans(vec![bold(format!("Cancel · {left}"), Size::Text, EMBER)]);
        let cancel = button(Action::ToggleAnnounced, Style::Plain, vec![face]).named("Cancel the eruption");
        let cancel = cancel.tip("Cancel the eruption", "Shift V", "The volcano stays dormant.");
        return cancel.keyed("cancel").with(|node| node.min_width = px(COUNTDOWN));
    }
    let face = icon(Icon::ChevronDown, 16, SECOND);
    let about = "The traveller knows announced changes, and takes the route with the earliest arrival.";
    let can_announce = map.any_dormant();
    let button = menu_button(Menu::Announce, Style::Plain, "Announce an eruption", vec![face])
        .pad(0.0, 0.0)
        .with(|node| node.min_width = px(BARE_BUTTON))
        .tip("Announce an eruption", "Shift V", about)
        .disabled(!can_announce);
    let item = |seconds| {
        // The key does this, too.
        let action = if seconds == BY_KEY { Action::ToggleAnnounced } else { Action::Announce(seconds) };
        let item = Item::new(action, format!("Erupt in {seconds} seconds"));
        menu_item(Item { is_disabled: !can_announce, ..item })
    };
    menu(Menu::Announce, open, button, ANNOUNCED.map(item).into())
}

/// The number of travellers, and the menu that changes it.
fn travellers(here: usize, people: &People, open: &OpenMenu) -> Element {
    let Numbers { own, most } = people.numbers();
    let mut numbers: Vec<_> = TRAVELLERS.into_iter().chain([own]).filter(|number| *number <= most).collect();
    numbers.extend((most < TRAVELLERS[TRAVELLERS.len() - 1]).then_some(most));
    numbers.sort_unstable();
    numbers.dedup();
    let item = |number: usize| {
        let label = match number {
            1 => "Only the traveller".to_owned(),
            number => format!("{} people", grouped(number)),
        };
        let about = match number {
            1 => String::new(),
            number if number == own => "The people of this map".to_owned(),
            number if number == most => "As many as the map holds".to_owned(),
            _ => String::new(),
        };
        // On the next map, its own people come again.
        let choice = Some(number).filter(|number| *number == 1 || *number != own);
        menu_item(Item { about, is_chosen: number == here, ..Item::new(Action::LetTravel(choice), label) })
    };
    let items = numbers.into_iter().map(item).collect();
    let colour = if people.are_coming() { SECOND } else { TEXT };
    let face = vec![icon(Icon::Users, 20, colour), coloured(grouped(here), colour)];
    let name = format!("People: {here}");
    let button = menu_button(Menu::Travellers, Style::Plain, &name, face);
    let about = "How many people walk on the map. All make way for each other.";
    menu(Menu::Travellers, open, button.tip("People", "", about), items)
}

/// A number with commas between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// The hour, and the buttons for zoom, fitting and the traveller, and for the dock if it can be closed.
fn view_controls(regions: &Regions, view: &Viewport, map: &OpenMap, hour: Option<Element>, has_dock: bool) -> Element {
    let room = regions.room;
    let mut items = Vec::from_iter(hour);
    if regions.bar.width() >= ROOM_FOR_ZOOM {
        let button = |zoom, symbol, name| {
            let button = icon_button(Action::Zoom { zoom, towards: None }, symbol, name);
            button.disabled(!view.can_zoom(zoom, map.projection()))
        };
        let percent = row(vec![coloured(percent(view.zoom()), SECOND)]);
        items.push(button(Zoom::Out, Icon::Minus, "Zoom out"));
        if room == Room::Wide {
            items.push(percent.width(52.0).with(|node| node.justify_content = JustifyContent::Center));
        }
        items.push(button(Zoom::In, Icon::Plus, "Zoom in"));
    }
    items.push(icon_button(Action::Fit, Icon::Maximize, "Show the whole map"));
    items.push(icon_button(Action::FindTraveller, Icon::LocateFixed, "Find the traveller"));
    if has_dock && room != Room::Wide {
        items.push(icon_button(Action::ToggleDock, Icon::PanelRight, "Panel"));
    }
    row(items).gap(2.0)
}

/// A zoom in percent, and below 1 % with the decimals that it takes to tell it from 0.
fn percent(zoom: f32) -> String {
    let percent = zoom * 100.0;
    if percent >= 1.0 {
        return format!("{} %", percent.round());
    }
    let decimals = (-percent.log10()).ceil() as usize;
    format!("{percent:.decimals$} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zoom_is_never_0_percent() {
        let zooms = [4.0, 0.5, 1.0 / 64.0, 1.0 / 128.0, 1.0 / 256.0, 0.0004];
        assert_eq!(zooms.map(percent), ["400 %", "50 %", "2 %", "0.8 %", "0.4 %", "0.04 %"]);
    }

    #[test]
    fn numbers_have_commas_between_thousands() {
        assert_eq!([1, 999, 1000, 12_345, 1_000_000].map(grouped), ["1", "999", "1,000", "12,345", "1,000,000"]);
    }

    #[test]
    fn labels_of_a_bar_stay_as_long_as_they_fit_and_the_label_of_go_the_longest() {
        let middle = |room, width| {
            let bar = Rect::new(0.0, 0.0, width, 40.0);
            Middle::of(&Regions { room, bar, ..default() }, 215)
        };
        // The window of 1280 x 720 with large text, of 900 x 600, and of 1920 x 1080 with the largest text.
        for width in [1280.0 / 1.5 - 56.0, 900.0 - 56.0, 1920.0 / 2.5 - 56.0] {
            let Middle { go, volcano, .. } = middle(Room::Medium, width);
            assert!(go && volcano, "{width}");
        }
        assert!(middle(Room::Medium, 1280.0 / 1.5 - 56.0).back);
        for width in (300..1000).map(|width| width as f32) {
            let room = if width < 644.0 { Room::Narrow } else { Room::Medium };
            let Middle { go, volcano, back, width: taken, .. } = middle(room, width);
            assert!(go >= volcano && volcano >= back && taken < width, "{width}");
        }
    }

    #[test]
    fn of_a_long_path_the_end_is_seen() {
        assert_eq!(end_of("maps/mine", 31), "maps/mine");
        let long = end_of(&format!("/home/{}/maps", "x".repeat(99)), 31);
        assert!(long.starts_with('…') && long.ends_with("x/maps"));
        assert_eq!(long.chars().count(), 32);
    }
}
