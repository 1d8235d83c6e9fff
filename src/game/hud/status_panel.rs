//! The panel that says which map this is, what the traveller does and how far it has to go.

use bevy::prelude::*;

use crate::game::AppSystems;
use crate::game::journey::planning::{Goal, Journey, Progress, Reach};
use crate::game::journey::traveller::Traveller;
use crate::game::world::open_map::Land;

use super::{GOLD, LARGE, QUIET, SMALL, TEXT, lines, panel, text, write};

#[derive(Component, Clone, Copy)]
enum Line {
    Name,
    State,
    Way,
}

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<Land>
        .or_eager(resource_changed::<Journey>)
        .or_eager(resource_changed::<Traveller>)
        .or_eager(resource_changed::<Progress>);
    app.add_systems(Startup, spawn).add_systems(Update, tell.run_if(changed).in_set(AppSystems::Show));
}

fn spawn(mut commands: Commands) {
    let place =
        Node { position_type: PositionType::Absolute, left: px(10), top: px(10), max_width: percent(46), ..default() };
    commands.spawn(panel(lines(place))).with_children(|panel| {
        panel.spawn((text("", LARGE, GOLD), Line::Name));
        panel.spawn((text("", SMALL, TEXT), Line::State));
        panel.spawn((text("", SMALL, QUIET), Line::Way));
    });
}

fn tell(
    land: Res<Land>,
    goal: Res<Goal>,
    journey: Res<Journey>,
    progress: Res<Progress>,
    traveller: Res<Traveller>,
    mut lines: Query<(&Line, &mut Text)>,
) {
    for (line, mut text) in &mut lines {
        let words = match line {
            Line::Name => land.map().name().to_owned(),
            Line::State => state(&land, &goal, &journey, &progress, &traveller),
            Line::Way if journey.cells().len() < 2 || progress.arrived() => String::new(),
            Line::Way => {
                let seconds = journey.seconds_to_go(&progress, &traveller, &land);
                let cost = journey.cost_to_go(&progress, &land);
                format!("the way: cost {:.2}, to go {cost:.2}, {seconds:.1} s", journey.cost())
            }
        };
        write(&mut text, &words);
    }
}

/// What the traveller does, in words.
fn state(land: &Land, goal: &Goal, journey: &Journey, progress: &Progress, traveller: &Traveller) -> String {
    let Some(origin) = traveller.origin() else { return "No cell here can be entered".into() };
    let Some(cell) = goal.cell else { return format!("At {origin}; click a tile to go there") };
    let end = journey.cells().last().copied().unwrap_or(origin);
    match (journey.reach(), goal.sent, progress.arrived()) {
        (Reach::Nowhere, ..) => format!("At {origin}"),
        (Reach::Goal, false, _) if land.castle() == Some(cell) => format!("At {origin}; Space: walk to the castle"),
        (Reach::Goal, false, _) => format!("At {origin}; Space: walk to {cell}"),
        (Reach::Goal, true, false) => format!("Walking to {cell}"),
        (Reach::Goal, true, true) => format!("Arrived at {cell}"),
        (Reach::Nearest, false, _) => format!("{cell} cannot be reached"),
        (Reach::Nearest, true, false) => format!("{cell} cannot be reached: going to {end}, the nearest"),
        (Reach::Nearest, true, true) => format!("{cell} cannot be reached: waiting at {end}, the nearest"),
    }
}
