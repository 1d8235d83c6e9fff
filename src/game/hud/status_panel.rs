//! The panel with the name of the map, what the traveller is doing, the cost and time of its route, and how that was
//! planned.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::description::Journey;
use crate::game::journey::planned_route::{IsPlanning, PlannedRoute, Progress};
use crate::game::journey::route_change::RouteChange;
use crate::game::journey::shared_planner::PlanningOptions;
use crate::game::journey::traveller::{Player, Traveller, player_changed};
use crate::game::lesson::OpenLesson;
use crate::game::mode::{GameMode, SearchPage};
use crate::game::world::open_map::OpenMap;

use super::places::Places;
use super::widgets::{
    GOLD, LARGE, MUTED, SMALL, TEXT, panel, printable, set_shown, set_text, text, text_column, wrapping,
};

/// The maximum length of a map's name in characters; longer ones are cut.
const MAX_NAME: usize = 100;

/// The length in characters from which on a map's name is written in the size of other text.
const LONG_NAME: usize = 32;

#[derive(Component)]
struct StatusPanel;

/// The line with the name of the map.
#[derive(Component)]
struct NameLine;

#[derive(Component, Clone, Copy)]
enum Line {
    State,
    Route,
    Algorithm,
    Change,
}

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<OpenMap>
        .or_eager(player_changed::<PlannedRoute>)
        .or_eager(player_changed::<Traveller>)
        .or_eager(player_changed::<Progress>)
        .or_eager(player_changed::<IsPlanning>)
        .or_eager(resource_changed::<PlanningOptions>)
        .or_eager(resource_changed::<RouteChange>)
        .or_eager(resource_changed::<OpenLesson>)
        .or_eager(state_changed::<SearchPage>);
    app.add_systems(Startup, spawn)
        .add_systems(OnExit(GameMode::Painting), to_the_left)
        .add_systems(OnEnter(GameMode::Painting), to_the_right)
        .add_systems(
            Update,
            (update_name.run_if(resource_changed::<OpenMap>), update_panel.run_if(changed)).in_set(AppSystems::Show),
        );
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    let mut panel = commands.spawn((panel(text_column(default())), StatusPanel));
    panel.with_children(|panel| {
        panel.spawn((text("", LARGE, GOLD), wrapping(), NameLine));
        panel.spawn((text("", SMALL, TEXT), wrapping(), Line::State));
        panel.spawn((text("", SMALL, MUTED), wrapping(), Line::Route));
        panel.spawn((text("", SMALL, MUTED), wrapping(), Line::Algorithm));
        panel.spawn((text("", SMALL, GOLD), wrapping(), Line::Change));
    });
    let panel = panel.id();
    // Above the introduction, whichever is spawned first.
    commands.entity(places.top_left).insert_children(0, &[panel]);
}

/// Makes room for the palette.
fn to_the_right(places: Res<Places>, panel: Single<Entity, With<StatusPanel>>, mut commands: Commands) {
    commands.entity(places.top_right).insert_children(0, &[*panel]);
}

fn to_the_left(places: Res<Places>, panel: Single<Entity, With<StatusPanel>>, mut commands: Commands) {
    commands.entity(places.top_left).insert_children(0, &[*panel]);
}

fn update_name(map: Res<OpenMap>, mut line: Query<(&mut Text, &mut TextFont), With<NameLine>>) {
    let name = printable(map.name(), MAX_NAME);
    let size = if name.chars().count() < LONG_NAME { LARGE } else { SMALL };
    for (mut text, mut font) in &mut line {
        set_text(&mut text, &name);
        font.set_if_neq(TextFont::from_font_size(size));
    }
}

fn update_panel(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    change: Res<RouteChange>,
    page: Res<State<SearchPage>>,
    lesson: Res<OpenLesson>,
    journey: Single<Journey, With<Player>>,
    mut lines: Query<(&Line, &mut Text, &mut Node)>,
) {
    let is_lesson = lesson.get().is_some() && *page.get() == SearchPage::Open;
    let is_closed = *page.get() == SearchPage::Closed;
    for (line, mut text, mut node) in &mut lines {
        let content = match line {
            // The panels of the lesson and of its search say it, and this line would hide some of the map.
            Line::State if is_lesson => String::new(),
            Line::State => match page.get() {
                SearchPage::Closed => journey.state(&map),
                SearchPage::Open => journey.waiting("search"),
                SearchPage::Race => journey.waiting("race"),
            },
            // The panels of the search and the race say it, below their buttons: lines that come and go here would move
            // these away under the pointer.
            Line::Route | Line::Algorithm | Line::Change if !is_closed => String::new(),
            Line::Route => journey.route(&map, options.0.rules()),
            Line::Algorithm => journey.algorithm(&options.0),
            Line::Change => change.text().to_owned(),
        };
        // An empty line would leave a gap.
        set_shown(&mut node, !content.is_empty());
        set_text(&mut text, &content);
    }
}
