//! The choice of the hour: in a menu of its own in the bar, and in the menu of the look.

use lucide_icons::Icon;

use crate::game::action::hour::HourChoice;
use crate::game::action::{Action, Menu};
use crate::game::ui::element::{Element, Style, icon};
use crate::game::ui::menu::{Item, OpenMenu, menu, menu_button, menu_item};
use crate::game::ui::theme::SECOND;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::DayTime;
use emberwalk_picture::scene::Look;

/// The hours of sunrise and sunset.
const SUNRISE: f64 = 6.0;
const SUNSET: f64 = 19.5;

/// The lines of a menu that choose the hour.
pub(super) fn hour_items(map: &OpenMap, look: Look) -> impl Iterator<Item = Element> + use<> {
    let now = HourChoice::of(map.day());
    HourChoice::ALL.into_iter().map(move |choice| {
        let item = Item::new(Action::SetHour(choice), choice.name());
        // The classic look has no hours.
        menu_item(Item { is_chosen: now == Some(choice), is_disabled: look == Look::Plain, ..item })
    })
}

/// A sun or a moon that opens the menu.
pub(super) fn hour_menu(map: &OpenMap, look: Look, open: &OpenMenu) -> Element {
    let DayTime { start: hour, day } = map.day();
    let is_day = (SUNRISE..SUNSET).contains(&hour.hours());
    let face = vec![icon(if is_day { Icon::Sun } else { Icon::Moon }, 20, SECOND)];
    let button = menu_button(Menu::Hour, Style::Quiet, "Hour", face);
    let about = match day {
        Some(_) => "The day passes.".to_owned(),
        None => format!("It is {hour}."),
    };
    menu(Menu::Hour, open, button.tip("Hour", "F9", &about), hour_items(map, look).collect())
}
