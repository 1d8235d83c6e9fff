//! The panel that explains the inspected cell: what is there, how its cost is computed, and the route there.

use bevy::prelude::*;

use crate::game::AppSystems;
use crate::game::input::inspected_cell::InspectedCell;
use crate::game::journey::preview::Preview;
use crate::game::journey::shared_planner::Reach;
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::map::Map;

use super::{GOLD, QUIET, SMALL, TEXT, lines, panel, text, write};

#[derive(Component)]
struct CellPanel;

#[derive(Component, Clone, Copy)]
enum Line {
    What,
    Cost,
    Route,
}

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<InspectedCell>.or_eager(resource_changed::<Preview>);
    app.add_systems(Startup, spawn).add_systems(Update, explain.run_if(changed).in_set(AppSystems::Show));
}

fn spawn(mut commands: Commands) {
    let place =
        Node { position_type: PositionType::Absolute, right: px(10), top: px(10), max_width: percent(50), ..default() };
    commands.spawn((panel(lines(place)), CellPanel)).insert((Visibility::Hidden, Pickable::IGNORE)).with_children(
        |panel| {
            panel.spawn((text("", SMALL, GOLD), Line::What));
            panel.spawn((text("", SMALL, TEXT), Line::Cost));
            panel.spawn((text("", SMALL, QUIET), Line::Route));
        },
    );
}

fn explain(
    inspected: Res<InspectedCell>,
    preview: Res<Preview>,
    map: Res<OpenMap>,
    mut panel: Query<&mut Visibility, With<CellPanel>>,
    mut lines: Query<(&Line, &mut Text)>,
) {
    for mut visibility in &mut panel {
        visibility.set_if_neq(if inspected.0.is_some() { Visibility::Inherited } else { Visibility::Hidden });
    }
    let Some(cell) = inspected.0 else { return };
    for (line, mut text) in &mut lines {
        let words = match line {
            Line::What => format!("{cell}  {}", what(&map, cell)),
            Line::Cost if !map.costs().is_passable(cell) => String::new(),
            Line::Cost => map.explain(cell).map_or_else(String::new, |explanation| explanation.to_string()),
            Line::Route => route(&map, &preview, cell),
        };
        write(&mut text, &words);
    }
}

/// The names of what is in a cell.
fn what(map: &Map, cell: Cell) -> String {
    let terrains = [map.base_at(cell), map.overlay_at(cell)];
    terrains.into_iter().flatten().map(|terrain| terrain.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn route(map: &Map, preview: &Preview, cell: Cell) -> String {
    let steps = preview.cells().len().saturating_sub(1);
    let route = match steps {
        0 => String::new(),
        1 => format!("cost {:.2}, 1 step", preview.cost()),
        _ => format!("cost {:.2}, {steps} steps", preview.cost()),
    };
    let why = if map.costs().is_passable(cell) { "unreachable" } else { "impassable" };
    match (preview.reach(), preview.cells().last()) {
        (Reach::Goal, _) if steps == 0 => "the traveller is here".into(),
        (Reach::Goal, _) => format!("the route there: {route}"),
        (Reach::Nearest, Some(nearest)) if steps > 0 => format!("{why}; to {nearest}, the nearest: {route}"),
        _ => why.into(),
    }
}
