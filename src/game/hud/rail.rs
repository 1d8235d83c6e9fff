//! The rail: the modes, and below them buttons that work in every mode. In a narrow window it is a row of tabs.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, Menu, TextStep};
use crate::game::dialog::OpenDialog;
use crate::game::drawing::animation::Animation;
use crate::game::drawing::minimap::Minimap;
use crate::game::frames::reduced_motion::ReducedMotion;
use crate::game::input::touch::UsesFingers;
use crate::game::screen::mode::{Screen, SearchPage};
use crate::game::screen::text_size::TextSize;
use crate::game::search_view::lesson::OpenLesson;
use crate::game::ui::element::{
    Control, Element, Style, Tip, boxed, caption, column, control_box, icon, row, spans, spring, text, words,
};
use crate::game::ui::menu::{Item, OpenMenu, menu, menu_button, menu_item};
use crate::game::ui::regions::{Regions, Room};
use crate::game::ui::theme::{EMBER, GOLD, SECOND, SMALL, Size, TIGHT};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use emberwalk_picture::scene::Look;

use super::clock::hour_items;

/// The number of buttons in the rail, and the height of the logo and of the gaps.
const BUTTONS: f32 = 8.0;
const BESIDE_BUTTONS: f32 = 88.0;

/// The smallest height of a button with a word.
const LEAST_HEIGHT: f32 = 40.0;

pub(super) fn rail(
    regions: Res<Regions>,
    screen: Res<Screen>,
    dialog: Res<OpenDialog>,
    lesson: Res<OpenLesson>,
    open: Res<OpenMenu>,
    settings: Settings,
) -> Vec<Element> {
    let is_painting = screen.is_painting();
    let has_lesson = lesson.get().is_some();
    let is_search = screen.search == SearchPage::Open && !has_lesson;
    let is_race = screen.is_race();
    let is_walk = !(is_painting || is_search || is_race || has_lesson);
    let modes = [
        (Icon::Footprints, "Walk", Action::Walk, is_walk),
        (Icon::Route, "Search", Action::ToggleSearchView, is_search && !is_painting),
        (Icon::Flag, "Race", Action::ToggleRace, is_race && !is_painting),
        (Icon::Paintbrush, "Paint", Action::TogglePainting, is_painting),
    ];
    let is_list = dialog.get().is_some_and(|dialog| dialog.form().list.is_some());
    let others =
        [(Icon::Map, "Maps", Action::ListMaps, is_list), (Icon::GraduationCap, "Lessons", Action::Lessons, has_lesson)];
    let room = regions.room;
    let mode = |(symbol, name, action, is_on)| mode_button(&regions, symbol, name, action, is_on);
    let look = look_menu(&regions, &open, &settings);
    let help = mode((Icon::CircleQuestionMark, "Help", Action::Help, screen.help.is_some()));
    let mut items: Vec<_> = modes.map(mode).into();
    if room == Room::Narrow {
        items.extend(others.map(mode));
        items.extend([look, help]);
        let tabs = row(items).gap(0.0).grow().with(|node| node.justify_content = JustifyContent::SpaceAround);
        return vec![tabs];
    }
    items.insert(0, logo(&open));
    items.push(spring());
    items.extend(others.map(mode));
    items.extend([look, help, boxed(Node { height: px(TIGHT), ..default() })]);
    vec![column(items).grow().gap(TIGHT).with(|node| node.align_items = AlignItems::Center)]
}

/// An icon over its name. If there is no room for the name, it is in the tooltip.
fn mode_button(regions: &Regions, symbol: Icon, name: &str, action: Action, is_on: bool) -> Element {
    let button = face(regions, symbol, name, is_on).named(name);
    let tip = Tip::of(action).map(|tip| Tip { title: name.to_owned(), ..tip });
    Element { tip, ..button.controlled(Control::Radio { action, style: Style::Mode, is_on }) }
}

fn face(regions: &Regions, symbol: Icon, name: &str, is_on: bool) -> Element {
    let colour = if is_on { GOLD } else { SECOND };
    let mut lines = vec![icon(symbol, 20, colour)];
    let room = regions.room;
    let (width, height) = if regions.rail_has_words() {
        lines.push(spans(vec![words(name, Size::Caption, colour)]));
        // In a low window the buttons are lower, so that the words stay.
        let left = (regions.rail.height() - BESIDE_BUTTONS) / BUTTONS;
        (50.0, if room == Room::Narrow { 50.0 } else { left.clamp(LEAST_HEIGHT, 50.0) })
    } else {
        (36.0, 36.0)
    };
    control_box(Style::Mode, lines).gap(2.0).with(|node| {
        node.flex_direction = FlexDirection::Column;
        node.width = px(width);
        node.height = px(height);
        node.padding = UiRect::ZERO;
        node.border = UiRect::left(px(2));
        if room == Room::Narrow {
            // In the narrowest windows, names are cut so that the last tabs stay visible.
            node.flex_shrink = 1.0;
            node.min_width = px(0);
            node.overflow = Overflow::clip();
        }
    })
}

/// The logo, which opens a menu about the program.
fn logo(open: &OpenMenu) -> Element {
    const SIDE: u8 = 24;
    const FLAME: u8 = 12;
    let middle = px(f32::from(SIDE - FLAME) / 2.0);
    let mark = row(vec![
        icon(Icon::Diamond, SIDE, GOLD),
        icon(Icon::Flame, FLAME, EMBER).with(|node| {
            node.position_type = PositionType::Absolute;
            node.left = middle;
            node.top = middle;
        }),
    ]);
    let button = menu_button(Menu::Program, Style::Quiet, "Emberwalk", vec![mark]);
    let button = button.width(40.0).pad(0.0, 0.0).with(|node| {
        node.height = px(40);
        node.margin = UiRect::top(px(TIGHT));
    });
    let licence = format!("Licence: {}", env!("CARGO_PKG_LICENSE").replace(" OR ", " or "));
    let about = column(vec![
        text(format!("Emberwalk {}", env!("CARGO_PKG_VERSION"))),
        spans(vec![words("An isometric map that shows why its routes are the cheapest.", Size::Caption, SECOND)]),
        caption(licence),
    ]);
    let about = about.gap(TIGHT).pad(SMALL, SMALL).named("About Emberwalk");
    let mut items = vec![about, menu_item(Item::new(Action::Help, "Help"))];
    if crate::game::input::bindings::binding_of(Action::Quit).is_some() {
        items.push(menu_item(Item::new(Action::Quit, "Quit")));
    }
    menu(Menu::Program, open, button, items)
}

/// The settings for the look.
#[derive(SystemParam)]
pub(super) struct Settings<'w> {
    text: Res<'w, TextSize>,
    images: Res<'w, MapImages>,
    minimap: Res<'w, Minimap>,
    animation: Res<'w, Animation>,
    reduced: Res<'w, ReducedMotion>,
    fingers: Res<'w, UsesFingers>,
    map: Res<'w, OpenMap>,
}

fn look_menu(regions: &Regions, open: &OpenMenu, settings: &Settings) -> Element {
    let button = face(regions, Icon::SlidersHorizontal, "Look", open.0 == Some(Menu::Look)).named("Look");
    let button = button.controlled(Control::MenuButton { menu: Menu::Look, style: Style::Mode }).tip(
        "Look",
        "",
        "The size of text, the minimap, animation, pictures and the hour.",
    );
    let items = [
        (Action::SizeText(TextStep::Larger), "Larger text", false),
        (Action::SizeText(TextStep::Smaller), "Smaller text", false),
        (Action::SizeText(TextStep::Normal), "Normal text size", *settings.text == TextSize::default()),
        (Action::ToggleLook, "Classic look", settings.images.look() == Look::Plain),
        (Action::ToggleMinimap, "Minimap", settings.minimap.is_wanted()),
        (Action::ToggleAnimation, "Animation", *settings.animation == Animation::Running),
        (Action::ToggleReducedMotion, "Reduced motion", settings.reduced.is_on()),
        (Action::ToggleBare, "Hide the panels", false),
        (Action::Screenshot { with_panels: false }, "Screenshot of the map", false),
        (Action::Screenshot { with_panels: true }, "Screenshot with the panels", false),
    ];
    let hours = hour_items(&settings.map, settings.images.look());
    // Only a key brings the panels back.
    let items = items.into_iter().filter(|(action, ..)| !settings.fingers.0 || *action != Action::ToggleBare);
    let items = items.map(|(action, label, is_on)| menu_item(Item { is_on, ..Item::new(action, label) }));
    menu(Menu::Look, open, button, items.chain(hours).collect())
}
