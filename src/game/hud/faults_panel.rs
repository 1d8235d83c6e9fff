//! The panel that lists the faults of a file until they are fixed.

use std::ffi::OsStr;
use std::path::Path;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::input::action::Action;
use crate::game::input::scroll_area::ScrollArea;
use crate::game::world::faulty_cells::FaultyCells;
use crate::game::world::file_faults::FileFaults;
use crate::game::world::live_reload::AwaitedMap;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::diagnostics::{Diagnostic, Diagnostics};
use emberwalk_path::grid::Cell;

use super::described::spawn_panel;
use super::places::Places;
use super::scale::OnlyWithRoom;
use super::scroll_bar::spawn_scroll_area;
use super::widgets::{MUTED, PANEL, TEXT, WARNING, button, printable, set_shown, wrapped};

/// The maximum number of faults in the list.
const MAX_ROWS: usize = 100;

/// The maximum length of a text in characters; longer texts are cut.
const MAX_CHARS: usize = 240;

#[derive(Component)]
struct FaultsPanel;

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().bottom_corners;
    // Less than half of the window, so that the other half is free.
    let panel = spawn_panel(app, place, Node { max_width: percent(47), ..default() });
    // Opaque, because the map behind it would make it hard to read.
    app.world_mut().entity_mut(panel).insert((BackgroundColor(PANEL.with_alpha(1.0)), FaultsPanel));
    app.add_systems(Update, update_panel.run_if(resource_changed::<FileFaults>).in_set(AppSystems::Show));
}

fn update_panel(
    file_faults: Res<FileFaults>,
    cells: FaultyCells,
    awaited: Res<AwaitedMap>,
    map: Res<OpenMap>,
    mut panel: Query<(Entity, &mut Node), With<FaultsPanel>>,
    mut commands: Commands,
) {
    let Ok((panel, mut node)) = panel.single_mut() else { return };
    let mut panel = commands.entity(panel);
    panel.despawn_children();
    let all = file_faults.all();
    set_shown(&mut node, all.is_some());
    let Some(faults) = all else { return };
    let is_folded = file_faults.shown().is_none();
    panel.with_children(|rows| {
        let heading = if is_folded { format!("▸ {}", summary(faults)) } else { format!("▾ {}", heading(faults)) };
        rows.spawn((button(Action::ToggleFaults), children![wrapped(heading, WARNING)]));
        if is_folded {
            return;
        }
        spawn_scroll_area(rows, vh(26), ScrollArea { takes_keys: false }, |list| {
            for fault in faults.list().iter().take(MAX_ROWS) {
                spawn_row(list, fault, fault.cells().find(|cell| cells.shows(*cell)));
            }
            if let Some(more) = faults.list().len().checked_sub(MAX_ROWS).filter(|more| *more > 0) {
                list.spawn(wrapped(format!("{more} more, see: emberwalk check {}", shorten(faults.file())), TEXT));
            }
        });
        let shown = if awaited.is_some() {
            format!("\"{}\" is shown", printable(map.name(), MAX_CHARS))
        } else {
            "The last good version stays".to_owned()
        };
        let below_list = Node { margin: UiRect::top(px(3)), ..default() };
        rows.spawn(wrapped(format!("{shown} until this is fixed. Esc folds the list."), MUTED))
            .insert((below_list, OnlyWithRoom));
    });
}

/// Spawns the texts about a fault. If its cell is shown, they are a button that brings the cell to the centre.
fn spawn_row(list: &mut ChildSpawnerCommands, fault: &Diagnostic, cell: Option<Cell>) {
    let node = Node {
        flex_direction: FlexDirection::Column,
        padding: UiRect::axes(px(8), px(3)),
        margin: UiRect::vertical(px(1)),
        border_radius: BorderRadius::all(px(3)),
        // A panel of limited height would otherwise squeeze its rows.
        flex_shrink: 0.0,
        ..default()
    };
    let mut row = match cell {
        Some(cell) => list.spawn(button(Action::LookAt(cell))),
        None => list.spawn_empty(),
    };
    row.insert(Node { align_items: AlignItems::FlexStart, ..node }).with_children(|texts| {
        texts.spawn(wrapped(message(fault), TEXT));
        if let Some(help) = &fault.help {
            texts
                .spawn(wrapped(printable(help, MAX_CHARS), MUTED))
                .insert(Node { margin: UiRect::left(px(14)), ..default() });
        }
    });
}

/// Returns the file to fix and its number of faults.
fn heading(faults: &Diagnostics) -> String {
    format!("{}: {}", shorten(faults.file_to_fix()), count(faults))
}

/// Returns the one line that remains after the player has folded the list.
fn summary(faults: &Diagnostics) -> String {
    let file = faults.file_to_fix();
    format!("{} has {}", shorten(Path::new(file).file_name().and_then(OsStr::to_str).unwrap_or(file)), count(faults))
}

fn count(faults: &Diagnostics) -> String {
    match faults.list().len() {
        1 => "1 fault".to_owned(),
        count => format!("{count} faults"),
    }
}

/// Shortens a long file name to its end, which says more than its beginning.
fn shorten(file: &str) -> String {
    let cut = file.char_indices().rev().nth(MAX_CHARS / 2).map_or(0, |(at, _)| at);
    let dots = if cut > 0 { "…" } else { "" };
    format!("{dots}{}", printable(&file[cut..], MAX_CHARS))
}

/// Returns the message of a fault, with its location in a text file.
fn message(fault: &Diagnostic) -> String {
    let text = printable(&fault.message, MAX_CHARS);
    // The other file is an image, which has no lines.
    match fault.location.as_ref().filter(|_| fault.other_file.is_none()) {
        Some(location) => format!("line {}, column {}: {text}", location.line, location.column),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_the_file_without_its_folder_and_counts_the_faults() {
        let tileset = std::sync::Arc::new(emberwalk_map::terrain::Tileset::load(None).unwrap());
        let map = "(name: \"x\", base: [\"G?\", \"!G\"], overlay: [\"..\", \"..\"])";
        let faults = emberwalk_map::Map::parse("/long/way/x.ron", map, &tileset).unwrap_err();
        assert_eq!(summary(&faults), "x.ron has 2 faults");
        assert_eq!(heading(&faults), "/long/way/x.ron: 2 faults");
    }
}
