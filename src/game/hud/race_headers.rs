//! The header above each half of a race, and the line between the halves.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::Action;
use crate::game::action::half::Half;
use crate::game::app_systems::AppSystems;
use crate::game::screen::mode::Screen;
use crate::game::screen::text_size::InterfaceScale;
use crate::game::search_view::options::WatchedOptions;
use crate::game::search_view::recorded_search::{RecordedSearch, SearchView};
use crate::game::ui::element::{Element, Words, bold, boxed, column, icon, row, spans, text, text_button, words};
use crate::game::ui::menu::OpenMenu;
use crate::game::ui::regions::{Places, RaceOptions, Regions, Room};
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{DIVIDER, LARGE, MEDIUM, SECOND, Size, TEXT, TIGHT};
use crate::game::viewport::Viewport;
use emberwalk_map::diagnostics::capitalised;

use super::search_options::{algorithm_menu, heuristic_menu, more_menu};
use super::search_step::written;
use super::time_line::half_colour;

/// The largest width of a drop-down.
const MENU: f32 = 220.0;

pub(super) fn plugin(app: &mut App) {
    let Places { headers: [left, right], map, .. } = *app.world().resource::<Places>();
    let header = |half| move |header: Header| header.of(half);
    let show =
        (header(Half::Left).pipe(show_in(left)), header(Half::Right).pipe(show_in(right)), divider.pipe(show_in(map)));
    app.add_systems(Update, show.in_set(AppSystems::Show));
}

/// The contents of a header.
#[derive(SystemParam)]
struct Header<'w> {
    regions: Res<'w, Regions>,
    screen: Res<'w, Screen>,
    view: Res<'w, SearchView>,
    options: WatchedOptions<'w>,
    open: Res<'w, OpenMenu>,
}

impl Header<'_> {
    fn of(&self, half: Half) -> Vec<Element> {
        if !self.screen.is_race() {
            return Vec::new();
        }
        let options = self.options.on(half);
        let regions = &self.regions;
        let wide = |menu: Element| {
            menu.grow().with(|node| {
                node.flex_basis = px(0);
                node.max_width = px(MENU);
            })
        };
        let algorithm = wide(algorithm_menu(half, &options, &self.open));
        let heuristic = || wide(heuristic_menu(half, &options, &self.open));
        let layout = regions.race_options();
        let more = more_menu(half, &options, layout == RaceOptions::Menu, &self.open);
        let menus = match layout {
            _ if half == Half::Left && self.options.own.is_open() => {
                row(vec![text("Your search"), text_button(Action::CloseOwnSearch, "Close")])
            }
            RaceOptions::OneLine => row(vec![algorithm, heuristic(), more]),
            RaceOptions::TwoLines => column(vec![row(vec![algorithm]), row(vec![heuristic(), more])]).gap(TIGHT),
            RaceOptions::Menu => row(vec![algorithm, more]),
        };
        let search = self.view.search_on(half);
        let figures = search.map_or_else(Vec::new, |search| figures(search, self.view.position_on(half)));
        let figures = row(vec![icon(Icon::Flag, 12, half_colour(half)), spans(figures)]).gap(6.0);
        let name = capitalised(&format!("{} search", half.place(regions.is_stacked())));
        let side = if regions.room == Room::Wide { LARGE } else { MEDIUM };
        let header = column(vec![menus, figures]).gap(3.0).pad(side, 0.0).grow().named(name);
        vec![header.with(|node| node.justify_content = JustifyContent::Center)]
    }
}

/// The number of cells that a search has expanded, and at its end the cost of its route.
fn figures(search: &RecordedSearch, position: usize) -> Vec<Words> {
    let recording = &search.recording;
    let result = search.recording.result();
    let is_complete = position >= recording.len();
    let expanded = if is_complete { result.expanded as usize } else { recording.at(position).sizes().expanded };
    let strong = |text: String| bold(text, Size::Text, TEXT);
    let plain = |text: &str| words(text, Size::Text, SECOND);
    let mut figures = vec![strong(expanded.to_string()), plain(" expanded")];
    match result.cost() {
        _ if !is_complete => {}
        Some(_) => figures.extend([plain(",  cost "), strong(written(result.cost()))]),
        None => figures.push(plain(",  no route")),
    }
    figures
}

/// The line between halves beside each other, placed exactly to the pixel. It belongs to neither half.
fn divider(screen: Res<Screen>, view: Res<Viewport>, regions: Res<Regions>, scale: InterfaceScale) -> Vec<Element> {
    if !screen.is_race() || !view.layout().is_split || view.layout().is_stacked() {
        return Vec::new();
    }
    let physical = scale.factor();
    let between = view.layout().divider().as_rect();
    let corner = between.min / physical - regions.map.min;
    let line = Rect::from_corners(corner, corner + (between.size() / physical).max(Vec2::ONE));
    vec![boxed(Node::default()).at(line).back(DIVIDER).covering()]
}
