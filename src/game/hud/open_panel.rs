//! The panel that names the cells to open where no route leads to the goal.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::search_view::cells_to_open::CellsToOpen;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::diagnostics::counted;
use emberwalk_path::grid::Cell;

use super::described::{show_in, spawn_panel};
use super::places::Places;
use super::widgets::{GOLD, TEXT, text_button, wrapped};

/// The maximum number of cells that are named.
const MAX_NAMED: usize = 4;

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().top_left;
    let panel = spawn_panel(app, place, Node { align_items: AlignItems::FlexStart, ..default() });
    let show = offer.pipe(show_in(panel, spawn));
    app.add_systems(Update, show.run_if(resource_changed::<CellsToOpen>).in_set(AppSystems::Show));
}

fn spawn(rows: &mut ChildSpawnerCommands, offer: &String) {
    rows.spawn(wrapped(offer, TEXT));
    rows.spawn(text_button(Action::OpenCells, "Open", GOLD));
}

fn offer(to_open: Res<CellsToOpen>, map: Res<OpenMap>) -> Option<String> {
    (!to_open.cells().is_empty()).then(|| sentence(&map, to_open.cells()))
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
