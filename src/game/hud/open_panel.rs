//! The panel that names the cells to open where no route leads to the goal.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::search_view::cells_to_open::CellsToOpen;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::diagnostics::counted;
use emberwalk_path::grid::Cell;

use super::places::Places;
use super::widgets::{GOLD, SMALL, TEXT, button, panel, set_shown, set_text, text, text_column, wrapping};

/// The maximum number of cells that are named.
const MAX_NAMED: usize = 4;

#[derive(Component)]
struct OpenPanel;

#[derive(Component)]
struct CellsText;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, update.run_if(resource_changed::<CellsToOpen>).in_set(AppSystems::Show));
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    let node = Node { display: Display::None, align_items: AlignItems::FlexStart, ..text_column(default()) };
    commands.spawn((panel(node), OpenPanel, ChildOf(places.top_left))).with_children(|rows| {
        rows.spawn((text("", SMALL, TEXT), wrapping(), CellsText, Pickable::IGNORE));
        rows.spawn(button(Action::OpenCells)).with_child((text("Open", SMALL, GOLD), Pickable::IGNORE));
    });
}

fn update(
    to_open: Res<CellsToOpen>,
    map: Res<OpenMap>,
    mut panel: Query<&mut Node, With<OpenPanel>>,
    mut texts: Query<&mut Text, With<CellsText>>,
) {
    for mut node in &mut panel {
        set_shown(&mut node, !to_open.cells().is_empty());
    }
    for mut text in &mut texts {
        set_text(&mut text, &sentence(&map, to_open.cells()));
    }
}

/// Names the cells with what blocks them.
fn sentence(map: &OpenMap, cells: &[Cell]) -> String {
    let name = |cell: &Cell| match map.blocking_terrain(*cell) {
        Some(terrain) => format!("{cell} ({})", terrain.name),
        None => cell.to_string(),
    };
    let named: Vec<_> = cells.iter().take(MAX_NAMED).map(name).collect();
    let more = match cells.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("No route. Open {} to make one: {}{more}", counted(cells.len(), "cell"), named.join(", "))
}
