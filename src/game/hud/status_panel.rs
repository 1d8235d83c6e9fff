//! The panel with the name of the map, what the traveller is doing, the cost and time of its route, and how that was
//! planned.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::description::Journey;
use crate::game::journey::route_change::RouteChange;
use crate::game::journey::shared_planner::PlanningOptions;
use crate::game::journey::traveller::Player;
use crate::game::lesson::OpenLesson;
use crate::game::mode::{GameMode, SearchPage};
use crate::game::world::open_map::OpenMap;

use super::described::{Lines, show_in, spawn_lines, spawn_panel};
use super::places::Places;
use super::widgets::{GOLD, LARGE, MUTED, SMALL, TEXT, printable, sized_text, wrapping};

/// The maximum length of a map's name in characters; longer ones are cut.
const MAX_NAME: usize = 100;

/// The length in characters from which on a map's name is written in the size of other text.
const LONG_NAME: usize = 32;

/// The name of the map, and the lines below it.
type Status = (String, Lines);

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().top_left;
    let panel = spawn_panel(app, place, default());
    // Before the scroll bar of the column: other panels are inserted below this one.
    app.world_mut().entity_mut(place).insert_children(0, &[panel]);
    // Makes room for the palette.
    let to_the_right = move |places: Res<Places>, mut commands: Commands| {
        commands.entity(places.top_right).insert_children(0, &[panel]);
    };
    let to_the_left = move |places: Res<Places>, mut commands: Commands| {
        commands.entity(places.top_left).insert_children(0, &[panel]);
    };
    app.add_systems(OnExit(GameMode::Painting), to_the_left)
        .add_systems(OnEnter(GameMode::Painting), to_the_right)
        .add_systems(Update, status.pipe(show_in(panel, spawn)).in_set(AppSystems::Show));
}

fn spawn(rows: &mut ChildSpawnerCommands, (name, lines): &Status) {
    let size = if name.chars().count() < LONG_NAME { LARGE } else { SMALL };
    rows.spawn((sized_text(name, size, GOLD), wrapping()));
    spawn_lines(rows, lines);
}

fn status(
    map: Res<OpenMap>,
    options: Res<PlanningOptions>,
    change: Res<RouteChange>,
    mode: Res<State<GameMode>>,
    page: Res<State<SearchPage>>,
    lesson: Res<OpenLesson>,
    journey: Single<Journey, With<Player>>,
) -> Option<Status> {
    let state = match page.get() {
        // The panels of the lesson and of its search say it, and this line would hide some of the map.
        SearchPage::Open if lesson.get().is_some() => String::new(),
        SearchPage::Closed => journey.state(&map, *mode.get()),
        SearchPage::Open => journey.waiting("search"),
        SearchPage::Race => journey.waiting("race"),
    };
    let mut lines = vec![(state, TEXT)];
    // The panels of the search and the race say it, below their buttons: lines that come and go here would move these
    // away under the pointer.
    if *page.get() == SearchPage::Closed {
        lines.push((journey.route(&map, options.0.rules()), MUTED));
        lines.push((journey.algorithm(&options.0), MUTED));
        lines.push((change.text().to_owned(), GOLD));
    }
    Some((printable(map.name(), MAX_NAME), lines))
}
