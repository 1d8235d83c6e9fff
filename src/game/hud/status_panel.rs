//! The panel with the name of the map, what the traveller is doing, and the cost and time of the rest of its route.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::journey::goal::Goal;
use crate::game::journey::planned_route::{PlannedRoute, Progress};
use crate::game::journey::shared_planner::Reach;
use crate::game::journey::traveller::{Player, Traveller, player_changed};
use crate::game::journey::walking::seconds_to_go;
use crate::game::world::open_map::OpenMap;

use super::widgets::{GOLD, LARGE, MUTED, SMALL, TEXT, panel, set_text, text, text_column};

#[derive(Component, Clone, Copy)]
enum Line {
    Name,
    State,
    Route,
}

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<OpenMap>
        .or_eager(player_changed::<PlannedRoute>)
        .or_eager(player_changed::<Traveller>)
        .or_eager(player_changed::<Progress>);
    app.add_systems(Startup, spawn).add_systems(Update, update_panel.run_if(changed).in_set(AppSystems::Show));
}

fn spawn(mut commands: Commands) {
    let place =
        Node { position_type: PositionType::Absolute, left: px(10), top: px(10), max_width: percent(46), ..default() };
    commands.spawn(panel(text_column(place))).with_children(|panel| {
        panel.spawn((text("", LARGE, GOLD), Line::Name));
        panel.spawn((text("", SMALL, TEXT), Line::State));
        panel.spawn((text("", SMALL, MUTED), Line::Route));
    });
}

type Journey = (&'static Traveller, &'static Goal, &'static PlannedRoute, &'static Progress);

fn update_panel(map: Res<OpenMap>, player: Single<Journey, With<Player>>, mut lines: Query<(&Line, &mut Text)>) {
    let (traveller, goal, planned, progress) = *player;
    for (line, mut text) in &mut lines {
        let content = match line {
            Line::Name => map.name().to_owned(),
            Line::State => state(&map, traveller, goal, planned, progress),
            Line::Route if planned.cells().len() < 2 || progress.arrived() => String::new(),
            Line::Route => {
                let seconds = seconds_to_go(planned, progress, traveller, &map);
                let cost = planned.cost_to_go(progress, &map);
                format!("route: cost {:.2}, {cost:.2} to go, {seconds:.1} s", planned.cost())
            }
        };
        set_text(&mut text, &content);
    }
}

/// Returns a sentence about what the traveller is doing.
fn state(map: &OpenMap, traveller: &Traveller, goal: &Goal, planned: &PlannedRoute, progress: &Progress) -> String {
    let Some(origin) = traveller.origin() else { return "All cells of this map are impassable".into() };
    let Some(cell) = goal.cell else { return format!("At {origin}; click a tile to go there") };
    let end = planned.cells().last().copied().unwrap_or(origin);
    match (planned.reach(), goal.sent, progress.arrived()) {
        (Reach::Nowhere, ..) => format!("At {origin}"),
        (Reach::Goal, false, _) if map.castle() == Some(cell) => {
            format!("At {origin}; press Space to walk to the castle")
        }
        (Reach::Goal, false, _) => format!("At {origin}; press Space to walk to {cell}"),
        (Reach::Goal, true, false) => format!("Walking to {cell}"),
        (Reach::Goal, true, true) => format!("Arrived at {cell}"),
        (Reach::Nearest, false, _) => format!("{cell} is unreachable"),
        (Reach::Nearest, true, false) => format!("{cell} is unreachable: walking to {end}, the nearest reachable cell"),
        (Reach::Nearest, true, true) => format!("{cell} is unreachable: waiting at {end}, the nearest reachable cell"),
    }
}
