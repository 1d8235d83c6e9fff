//! The panel that explains the cell under the pointer: what is there, how its cost comes about, and the way there.

use bevy::prelude::*;

use crate::game::AppSystems;
use crate::game::input::tile_cursor::{Looked, Preview};
use crate::game::journey::planning::Reach;
use crate::game::world::open_map::Land;
use crate::grid::Cell;

use super::{GOLD, QUIET, SMALL, TEXT, lines, panel, text, write};

#[derive(Component)]
struct HoverPanel;

#[derive(Component, Clone, Copy)]
enum Line {
    What,
    Cost,
    Way,
}

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<Looked>.or_eager(resource_changed::<Preview>);
    app.add_systems(Startup, spawn).add_systems(Update, explain.run_if(changed).in_set(AppSystems::Show));
}

fn spawn(mut commands: Commands) {
    let place =
        Node { position_type: PositionType::Absolute, right: px(10), top: px(10), max_width: percent(50), ..default() };
    commands.spawn((panel(lines(place)), HoverPanel)).insert((Visibility::Hidden, Pickable::IGNORE)).with_children(
        |panel| {
            panel.spawn((text("", SMALL, GOLD), Line::What));
            panel.spawn((text("", SMALL, TEXT), Line::Cost));
            panel.spawn((text("", SMALL, QUIET), Line::Way));
        },
    );
}

fn explain(
    looked: Res<Looked>,
    preview: Res<Preview>,
    land: Res<Land>,
    mut panel: Query<&mut Visibility, With<HoverPanel>>,
    mut lines: Query<(&Line, &mut Text)>,
) {
    for mut visibility in &mut panel {
        visibility.set_if_neq(if looked.0.is_some() { Visibility::Inherited } else { Visibility::Hidden });
    }
    let Some(cell) = looked.0 else { return };
    for (line, mut text) in &mut lines {
        let words = match line {
            Line::What => format!("{cell}  {}", what(&land, cell)),
            Line::Cost if !land.map().costs().is_passable(cell) => String::new(),
            Line::Cost => land.map().explain(cell).map_or_else(String::new, |explanation| explanation.to_string()),
            Line::Way => way(&land, &preview, cell),
        };
        write(&mut text, &words);
    }
}

/// The names of what is in a cell.
fn what(land: &Land, cell: Cell) -> String {
    let terrains = [land.map().base_at(cell), land.map().overlay_at(cell)];
    terrains.into_iter().flatten().map(|terrain| terrain.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn way(land: &Land, preview: &Preview, cell: Cell) -> String {
    let steps = preview.cells().len().saturating_sub(1);
    let way = match steps {
        0 => String::new(),
        1 => format!("cost {:.2}, 1 step", preview.cost()),
        _ => format!("cost {:.2}, {steps} steps", preview.cost()),
    };
    let why = if land.map().costs().is_passable(cell) { "no way leads there" } else { "nobody can enter" };
    match (preview.reach(), preview.cells().last()) {
        (Reach::Goal, _) if steps == 0 => "the traveller is here".into(),
        (Reach::Goal, _) => format!("the way there: {way}"),
        (Reach::Nearest, Some(nearest)) if steps > 0 => format!("{why}; to {nearest}, the nearest: {way}"),
        _ => why.into(),
    }
}
