//! The panel about the inspected cell: its terrain, how its entry cost is computed, the route to it, and what the search
//! knows about it.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::half::Half;
use crate::game::input::inspected_cell::InspectedCell;
use crate::game::journey::preview::Preview;
use crate::game::journey::shared_planner::Reach;
use crate::game::mode::GameMode;
use crate::game::search_view::cell_figures::{CellFigures, Known, ToGoal};
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::map::Map;
use crate::overlay::written_h;

use super::places::Places;
use super::widgets::{GOLD, MUTED, SMALL, TEXT, panel, set_shown, set_text, text, text_column, wrapping};

#[derive(Component)]
struct CellPanel;

#[derive(Component, Clone, Copy)]
enum Line {
    Terrain,
    Cost,
    Route,
    Search,
    ToGoal,
}

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<InspectedCell>
        .or_eager(resource_changed::<Preview>)
        .or_eager(resource_changed::<CellFigures>)
        .or_eager(resource_changed::<OpenMap>)
        .or_eager(state_changed::<GameMode>);
    app.add_systems(Startup, spawn).add_systems(Update, update_panel.run_if(changed).in_set(AppSystems::Show));
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    commands
        .spawn((panel(text_column(default())), CellPanel, ChildOf(places.top_right)))
        .insert((Visibility::Hidden, Pickable::IGNORE))
        .with_children(|panel| {
            panel.spawn((text("", SMALL, GOLD), wrapping(), Line::Terrain));
            panel.spawn((text("", SMALL, TEXT), wrapping(), Line::Cost));
            panel.spawn((text("", SMALL, MUTED), wrapping(), Line::Route));
            panel.spawn((text("", SMALL, TEXT), wrapping(), Line::Search));
            panel.spawn((text("", SMALL, MUTED), wrapping(), Line::ToGoal));
        });
}

fn update_panel(
    inspected: Res<InspectedCell>,
    preview: Res<Preview>,
    figures: Res<CellFigures>,
    map: Res<OpenMap>,
    mode: Res<State<GameMode>>,
    mut panel: Query<&mut Visibility, With<CellPanel>>,
    mut lines: Query<(&Line, &mut Text, &mut Node)>,
) {
    for mut visibility in &mut panel {
        visibility.set_if_neq(if inspected.0.is_some() { Visibility::Inherited } else { Visibility::Hidden });
    }
    let Some(cell) = inspected.0 else { return };
    let half = match figures.half {
        None => "",
        Some(Half::Left) => "left: ",
        Some(Half::Right) => "right: ",
    };
    for (line, mut text, mut node) in &mut lines {
        let content = match line {
            Line::Terrain => format!("{cell}  {}", terrain_names(&map, cell)),
            Line::Cost if !map.costs().is_passable(cell) => String::new(),
            Line::Cost => map.explain(cell).map_or_else(String::new, |explanation| explanation.to_string()),
            Line::Route if *mode.get() == GameMode::Painting => String::new(),
            Line::Route => describe_route(&map, &preview, cell),
            Line::Search => match figures.search {
                Known::Nothing => String::new(),
                Known::Steps(1) => format!("{half}1 step from the start"),
                Known::Steps(steps) => format!("{half}{steps} steps from the start"),
                Known::Unseen => format!("{half}not seen by the search"),
                Known::Costs { g, h, f } => format!("{half}g {g:.2} · h {:.2} · f {f:.2}", written_h(g, h, f)),
            },
            Line::ToGoal => match figures.to_goal {
                ToGoal::Unknown => String::new(),
                ToGoal::Unreachable => "no route from here to the goal".into(),
                ToGoal::Cost(cost) => format!("to the goal {cost:.2}"),
            },
        };
        // An empty line would leave a gap.
        set_shown(&mut node, !content.is_empty());
        set_text(&mut text, &content);
    }
}

/// Returns the names of the terrain in a cell.
fn terrain_names(map: &Map, cell: Cell) -> String {
    let terrains = [map.base_at(cell), map.overlay_at(cell)];
    terrains.into_iter().flatten().map(|terrain| terrain.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Describes the route that a click on `cell` would take.
fn describe_route(map: &Map, preview: &Preview, cell: Cell) -> String {
    if preview.is_planning() && preview.reach() == Reach::Nowhere {
        return "planning the route there...".into();
    }
    let steps = preview.cells().len().saturating_sub(1);
    let route = match steps {
        0 => String::new(),
        1 => format!("cost {:.2}, 1 step", preview.cost()),
        _ => format!("cost {:.2}, {steps} steps", preview.cost()),
    };
    let problem = if map.costs().is_passable(cell) { "unreachable" } else { "impassable" };
    match (preview.reach(), preview.cells().last()) {
        (Reach::Goal, _) if steps == 0 => "the traveller is here".into(),
        (Reach::Goal, _) => format!("route there: {route}"),
        (Reach::Nearest, Some(nearest)) if steps > 0 => format!("{problem}; nearest reachable cell {nearest}: {route}"),
        _ => problem.into(),
    }
}
