//! The clock in the bar: an arc with the sun or the moon, which can be dragged to another hour, and a menu of hours, which
//! the menu of the look has, too.

use bevy::prelude::*;
use emberwalk_map::{DayTime, Hour, Hours};
use emberwalk_picture::scene::Look;
use lucide_icons::Icon;

use crate::game::action::hour::HourChoice;
use crate::game::action::{Action, Menu};
use crate::game::ui::element::{Control, Element, Slider, Style, boxed, icon, row, spans, words};
use crate::game::ui::menu::{Item, OpenMenu, menu, menu_button, menu_item};
use crate::game::ui::theme::{CONTROL_HEIGHT, EMBER, MUTED, SECOND, Size, TEXT};
use crate::game::world::open_map::OpenMap;

/// The hours of sunrise and sunset.
const SUNRISE: f64 = 6.0;
const SUNSET: f64 = 19.5;

/// The width of the arc, and how far noon is above midnight, in logical pixels.
const WIDTH: f32 = 66.0;
const HEIGHT: f32 = 17.0;

/// The size of the sun and the moon, which leaves room for the digits below the arc.
const THUMB: f32 = 13.0;

/// The space above noon, in logical pixels.
const TOP: f32 = 8.0;

/// The width of the button with the menu, in logical pixels.
const BUTTON: f32 = 20.0;

/// The lines of a menu that choose the hour.
pub(super) fn hour_items(map: &OpenMap, look: Look) -> impl Iterator<Item = Element> + use<> {
    let now = HourChoice::of(map.day());
    HourChoice::ALL.into_iter().map(move |choice| {
        let item = Item::new(Action::SetHour(choice), choice.name());
        // The classic look has no hours.
        menu_item(Item { is_chosen: now == Some(choice), is_disabled: look == Look::Plain, ..item })
    })
}

/// The arc of the day with the hour, and a button that opens the menu. The classic look has no hours.
pub(super) fn clock(map: &OpenMap, look: Look, open: &OpenMenu) -> Element {
    let DayTime { start: hour, day } = map.day();
    let about = match day {
        Some(_) => format!("It is {hour}, and the day passes."),
        None => format!("It is {hour}."),
    };
    let button = menu_button(Menu::Hour, Style::Quiet, "Hours", vec![icon(Icon::ChevronDown, 16, SECOND)]);
    let button = button.pad(0.0, 0.0).width(BUTTON).tip("Hours", "F9", &about);
    let menu = menu(Menu::Hour, open, button, hour_items(map, look).collect());
    let arc = (look != Look::Plain)
        .then(|| arc(map, hour).tip("Hour", "F9", &format!("{about} Drag the sun or the moon, or turn the wheel.")));
    row(arc.into_iter().chain([menu]).collect()).gap(0.0)
}

/// A slider along the course of the sun, from midnight to midnight, with marks at the hours when something opens or shuts.
fn arc(map: &OpenMap, hour: Hour) -> Element {
    let now = hour.hours();
    let (symbol, colour) = if (SUNRISE..SUNSET).contains(&now) { (Icon::Sun, EMBER) } else { (Icon::Moon, TEXT) };
    let dots = (0..=24).map(|hour| dot(f64::from(hour), 2.0, MUTED));
    let changes = changes(map).into_iter().map(|hour| dot(hour, 4.0, EMBER));
    let thumb = at(now, THUMB, Element { control: Some(Control::Thumb), ..icon(symbol, THUMB as u8, colour) });
    let written = row(vec![spans(vec![words(hour.to_string(), Size::Caption, TEXT)])]).with(|node| {
        node.position_type = PositionType::Absolute;
        node.width = percent(100);
        node.bottom = px(1);
        node.justify_content = JustifyContent::Center;
    });
    let node = Node { width: px(WIDTH), height: px(CONTROL_HEIGHT), flex_shrink: 0.0, ..default() };
    let control = Control::Slider { slider: Slider::Hour, value: now as f32, range: (0.0, 24.0), step: 0.5 };
    let children = dots.chain(changes).chain([written, thumb]).collect();
    Element { control: Some(control), children, ..boxed(node) }.named(format!("Hour: {hour}"))
}

/// The hours when terrain opens or shuts, where the day passes.
fn changes(map: &OpenMap) -> Vec<f64> {
    let terrains = map.tileset().iter().filter(|_| map.has_opening_hours() && map.hour().is_some());
    let hours = terrains.filter_map(|(_, terrain)| terrain.open);
    hours.flat_map(|Hours { from, to }| [from.hours(), to.hours()]).collect()
}

/// A dot on the arc.
fn dot(hour: f64, size: f32, colour: Color) -> Element {
    let node = Node { height: px(size), border_radius: BorderRadius::all(px(size / 2.0)), ..default() };
    at(hour, size, boxed(node).back(colour))
}

/// An element of this size, with its middle at an hour on the arc. The arc is steep at its ends, so that nothing on it is
/// above the digits.
fn at(hour: f64, size: f32, element: Element) -> Element {
    let share = (hour / 24.0) as f32;
    let above = (share * std::f32::consts::PI).sin().max(0.0).sqrt();
    element.width(size).with(|node| {
        node.position_type = PositionType::Absolute;
        node.left = px(4.0 + share * (WIDTH - 8.0) - size / 2.0);
        node.top = px(TOP + HEIGHT * (1.0 - above) - size / 2.0);
    })
}
