//! The header above each half of a race, and the line between the halves.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use lucide_icons::Icon;

use crate::game::app_systems::AppSystems;
use crate::game::camera::View;
use crate::game::half::Half;
use crate::game::mode::SearchPage;
use crate::game::search_view::options::WatchedOptions;
use crate::game::search_view::recorded_search::{RecordedSearch, SearchView};
use crate::game::ui::element::{Element, Words, bold, boxed, column, icon, row, spans, words};
use crate::game::ui::menu::OpenMenu;
use crate::game::ui::regions::{Places, Regions, Room};
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{DIVIDER, LARGE, MEDIUM, SECOND, Size, TEXT};

use super::search_options::{algorithm_menu, heuristic_menu, more_menu};
use super::search_step::written;
use super::time_line::half_colour;

/// The largest width of a drop-down.
const MENU: f32 = 220.0;

pub(super) fn plugin(app: &mut App) {
    let Places { headers: place, map, .. } = *app.world().resource::<Places>();
    let show = (headers.pipe(show_in(place)), divider.pipe(show_in(map)));
    app.add_systems(Update, show.in_set(AppSystems::Show));
}

fn headers(
    regions: Res<Regions>,
    page: Res<State<SearchPage>>,
    view: Res<SearchView>,
    options: WatchedOptions,
    open: Res<OpenMenu>,
) -> Vec<Element> {
    if *page.get() != SearchPage::Race {
        return Vec::new();
    }
    let is_narrow = regions.room == Room::Narrow;
    let header = |half: Half| {
        let options = options.on(half);
        let side = if half == Half::Left { "Left search" } else { "Right search" };
        let wide = |menu: Element| menu.grow().with(|node| (node.flex_basis, node.max_width) = (px(0), px(MENU)));
        let menus = row(vec![
            wide(algorithm_menu(half, &options, &open)),
            wide(heuristic_menu(half, &options, &open)),
            more_menu(half, &options, &open),
        ]);
        let search = view.search_on(half);
        let figures = search.map_or_else(Vec::new, |search| figures(search, view.position_on(half)));
        let figures = row(vec![icon(Icon::Flag, 12, half_colour(half)), spans(figures)]).gap(6.0);
        let mut header = column(vec![menus, figures]).gap(3.0).named(side).with(|node| {
            node.padding = UiRect::axes(px(if regions.room == Room::Wide { LARGE } else { MEDIUM }), px(0));
            node.justify_content = JustifyContent::Center;
            (node.flex_grow, node.flex_basis) = (1.0, px(0));
            let is_right = half == Half::Right;
            node.border = match is_narrow {
                true => UiRect::top(px(if is_right { 1.0 } else { 0.0 })),
                false => UiRect::left(px(if is_right { 1.0 } else { 0.0 })),
            };
        });
        header.paint.border = Some(DIVIDER);
        header
    };
    let halves = Half::BOTH.map(header).into();
    let halves = if is_narrow { column(halves) } else { row(halves) };
    vec![halves.grow().gap(0.0).with(|node| node.align_items = AlignItems::Stretch)]
}

/// The number of cells that a search has expanded, and at its end the cost of its route.
fn figures(search: &RecordedSearch, position: usize) -> Vec<Words> {
    let (recording, result) = (&search.recording, search.recording.result());
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

/// The line between the halves, placed exactly to the pixel. It belongs to neither half.
fn divider(
    page: Res<State<SearchPage>>,
    view: Res<View>,
    regions: Res<Regions>,
    scale: Res<UiScale>,
    window: Query<&Window, With<PrimaryWindow>>,
) -> Vec<Element> {
    if *page.get() != SearchPage::Race || !view.is_split() {
        return Vec::new();
    }
    let physical = window.single().map_or(1.0, Window::scale_factor) * scale.0;
    let between = view.divider().as_rect();
    let (min, size) = (between.min / physical - regions.map.min, between.size() / physical);
    let node = Node {
        position_type: PositionType::Absolute,
        left: px(min.x),
        top: px(min.y),
        width: px(size.x.max(1.0)),
        height: px(size.y.max(1.0)),
        ..default()
    };
    vec![boxed(node).back(DIVIDER).covering()]
}
