//! The panels of a race: one at the top of each half of the window, one with the clock and the verdict at the bottom, and
//! the line between the halves.

use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::mode::SearchPage;
use crate::game::search_view::recorded_search::SearchView;
use crate::game::search_view::search_name::search_name;
use crate::game::search_view::verdict::verdict;
use crate::game::view::camera::{DIVIDER, View};

use super::option_buttons::spawn_options;
use super::places::Places;
use super::playback_controls::{position_text, spawn_controls};
use super::widgets::{
    BORDER, GOLD, MUTED, PANEL, SMALL, TEXT, panel, set_shown, set_text, text, text_column, wrapping,
};

/// The width of the panel of a half, and of the one with the clock, in logical pixels.
const HALF_WIDTH: f32 = 440.0;
const CLOCK_WIDTH: f32 = 530.0;

#[derive(Component, Clone, Copy)]
enum Line {
    Search(Half),
    Position,
    Verdict,
}

/// The line between the halves.
#[derive(Component)]
struct Divider;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(SearchPage::Race), spawn).add_systems(
        Update,
        (
            update_lines.run_if(resource_changed::<SearchView>.or_eager(any_added)),
            place_divider.run_if(resource_changed::<View>.or_eager(resource_changed::<UiScale>).or_eager(any_added)),
        )
            .run_if(in_state(SearchPage::Race))
            .in_set(AppSystems::Show),
    );
}

fn any_added(lines: Query<(), Added<Line>>) -> bool {
    !lines.is_empty()
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    // Opaque, because the overlays behind them would make them hard to read.
    let opaque = BackgroundColor(PANEL.with_alpha(1.0));
    let mut spawn_panel = |width: f32| {
        let node = Node { width: px(width), max_width: percent(100), ..text_column(default()) };
        commands.spawn((panel(node), DespawnOnExit(SearchPage::Race))).insert(opaque).id()
    };
    let [left, right] = [spawn_panel(HALF_WIDTH), spawn_panel(HALF_WIDTH)];
    let clock = spawn_panel(CLOCK_WIDTH);
    for (half, panel) in [(Half::Left, left), (Half::Right, right)] {
        commands.entity(panel).with_children(|rows| {
            rows.spawn((text("", SMALL, GOLD), wrapping(), Line::Search(half), Pickable::IGNORE));
            spawn_options(rows, half);
        });
    }
    commands.entity(clock).with_children(|rows| {
        spawn_controls(rows);
        rows.spawn((text("", SMALL, MUTED), wrapping(), Line::Position, Pickable::IGNORE));
        rows.spawn((text("", SMALL, TEXT), wrapping(), Line::Verdict, Pickable::IGNORE));
    });
    commands.entity(places.top_left).add_child(left);
    // Above the panel about the inspected cell, whose height changes.
    commands.entity(places.top_right).insert_children(0, &[right]);
    // Below the hint and the faults.
    commands.entity(places.bottom).insert_children(1, &[clock]);
    let line = Node { position_type: PositionType::Absolute, height: percent(100), ..default() };
    // The line belongs to neither half, so it is not part of the map.
    let divider = (line, BackgroundColor(BORDER.with_alpha(1.0)), GlobalZIndex(-1), Hovered::default(), Divider);
    commands.spawn((divider, DespawnOnExit(SearchPage::Race)));
}

/// Puts the line between the halves, to the pixel.
fn place_divider(
    view: Res<View>,
    scale: Res<UiScale>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut divider: Query<&mut Node, With<Divider>>,
) {
    let physical = scale.0 * window.single().map_or(1.0, Window::scale_factor);
    let (left, right) = (view.area().x, view.left_of(Half::Right));
    for mut node in &mut divider {
        node.left = px(left as f32 / physical);
        node.width = px(right.saturating_sub(left).max(DIVIDER) as f32 / physical);
    }
}

fn update_lines(view: Res<SearchView>, mut lines: Query<(&Line, &mut Text, &mut Node)>) {
    for (line, mut text, mut node) in &mut lines {
        let content = match line {
            Line::Search(half) => search_text(&view, *half),
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
