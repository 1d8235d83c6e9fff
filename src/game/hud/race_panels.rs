//! The panels of a race: one at the top of each half of the window, one with the clock and the verdict at the bottom,
//! and the line between the halves.

use bevy::picking::hover::Hovered;
use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::camera::View;
use crate::game::half::Half;
use crate::game::journey::route_change::RouteChange;
use crate::game::mode::SearchPage;
use crate::game::search_view::recorded_search::SearchView;
use crate::game::search_view::verdict::verdict;
use emberwalk_picture::overlay::search_name;

use super::option_buttons::spawn_options;
use super::places::{BELOW_STATUS, MARGIN, Places};
use super::playback_controls::{position_text, spawn_controls};
use super::scale::PhysicalScale;
use super::widgets::{BORDER, GOLD, MUTED, TEXT, lay_out, opaque_panel, set_shown, set_text, text_column, wrapped};

/// The largest width of the panel of a half, and of the one with the clock, in logical pixels.
const HALF_WIDTH: f32 = 470.0;
const CLOCK_WIDTH: f32 = 530.0;

/// The place of the clock at the bottom: below the corners, the faults and the notices.
const CLOCK_PLACE: usize = 1;

#[derive(Component, Clone, Copy)]
enum Line {
    Search(Half),
    Change,
    Position,
    Verdict,
}

/// The line between the halves.
#[derive(Component)]
struct Divider;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(SearchPage::Race), spawn)
        .add_systems(Update, (update_lines, place_divider).run_if(in_state(SearchPage::Race)).in_set(AppSystems::Show));
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    // The engine would measure the height of a panel with its width alone, even where that is limited: so they have
    // none.
    let mut spawn_panel = |align_self: AlignSelf, max_width: Val| {
        let node = Node { align_self, max_width, ..text_column(default()) };
        // Opaque, because the overlays behind them would make them hard to read.
        commands.spawn((opaque_panel(node), DespawnOnExit(SearchPage::Race))).id()
    };
    let [left, right] = [(); 2].map(|()| spawn_panel(AlignSelf::Stretch, px(HALF_WIDTH)));
    let clock = spawn_panel(AlignSelf::Auto, auto());
    let column = RepeatedGridTrack::minmax(1, MinTrackSizingFunction::Px(0.0), MaxTrackSizingFunction::Px(CLOCK_WIDTH));
    let place = Node {
        display: Display::Grid,
        grid_template_columns: vec![column],
        justify_content: JustifyContent::Center,
        width: percent(100),
        padding: UiRect::horizontal(px(MARGIN)),
        ..default()
    };
    let clock_place = commands.spawn((place, Pickable::IGNORE, DespawnOnExit(SearchPage::Race))).add_child(clock).id();
    // Lines that come and go, or wrap, are where they move no button away under the pointer: below those of the halves,
    // and above those of the clock, which is at the bottom.
    for (half, panel) in [(Half::Left, left), (Half::Right, right)] {
        commands.entity(panel).with_children(|rows| {
            // The panels are as wide as this, whatever they say: those on the right would grow to the left.
            rows.spawn((Node { width: px(HALF_WIDTH - 20.0), ..default() }, Pickable::IGNORE));
            spawn_options(rows, half);
            rows.spawn((wrapped("", GOLD), Line::Search(half)));
        });
    }
    commands.entity(clock).with_children(|rows| {
        for (line, colour) in [(Line::Change, GOLD), (Line::Verdict, TEXT), (Line::Position, MUTED)] {
            rows.spawn((wrapped("", colour), line));
        }
        spawn_controls(rows);
    });
    commands.entity(places.top_left).insert_children(BELOW_STATUS, &[left]);
    // Above the panel about the inspected cell, whose height changes.
    commands.entity(places.top_right).insert_children(0, &[right]);
    // Right above the keys, so that no notice moves it.
    commands.entity(places.bottom).insert_children(CLOCK_PLACE, &[clock_place]);
    let line = Node { position_type: PositionType::Absolute, ..default() };
    // The line belongs to neither half, so it is not part of the map.
    let divider = (line, BackgroundColor(BORDER.with_alpha(1.0)), GlobalZIndex(-1), Hovered::default(), Divider);
    commands.spawn((divider, DespawnOnExit(SearchPage::Race)));
}

/// Puts the line between the halves, to the pixel.
fn place_divider(view: Res<View>, scale: PhysicalScale, mut divider: Query<&mut Node, With<Divider>>) {
    let physical = scale.get();
    let rect = view.divider().as_rect();
    for mut node in &mut divider {
        lay_out(&mut node, |node| {
            (node.left, node.top) = (px(rect.min.x / physical), px(rect.min.y / physical));
            (node.width, node.height) = (px(rect.width() / physical), px(rect.height() / physical));
        });
    }
}

fn update_lines(view: Res<SearchView>, change: Res<RouteChange>, mut lines: Query<(&Line, &mut Text, &mut Node)>) {
    for (line, mut text, mut node) in &mut lines {
        let content = match line {
            Line::Search(half) => search_text(&view, *half),
            Line::Change => change.text().to_owned(),
            Line::Position if view.race().is_some() => position_text(&view),
            Line::Position if view.is_recording() => "recording both searches...".to_owned(),
            Line::Position => "There is no race: click a cell that can be entered.".to_owned(),
            Line::Verdict => match view.race() {
                Some([left, right]) if view.is_complete() => verdict(&left.recording, &right.recording),
                _ => String::new(),
            },
        };
        // An empty line would leave a gap.
        set_shown(&mut node, !content.is_empty());
        set_text(&mut text, &content);
    }
}

/// Says how many cells a search has expanded, and at its end what its route costs.
fn search_text(view: &SearchView, half: Half) -> String {
    let Some(search) = view.search_on(half) else { return String::new() };
    let (recording, position) = (&search.recording, view.position_on(half));
    let name = search_name(&recording.query().options);
    if position < recording.len() {
        return format!("{name}: {} expanded", recording.at(position).sizes().expanded);
    }
    let result = recording.result();
    let route = match result.cost() {
        Some(cost) => format!("cost {:.2}", cost.tiles()),
        None => "no route".to_owned(),
    };
    format!("{name}: {} expanded, {route}", result.expanded)
}
