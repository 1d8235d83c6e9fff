//! The errors of a file, below the map, until they are fixed.

use std::ffi::OsStr;
use std::path::Path;

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::Action;
use crate::game::ui::element::{
    Control, Element, Face, Style, Words, apart, bold, button, caption, card, coloured, column, icon, icon_button, row,
    scroll, spans, words,
};
use crate::game::ui::regions::Regions;
use crate::game::ui::theme::{DIVIDER, ERROR, MEDIUM, MUTED, PANEL, PANEL_GLIDES, SMALL, Size, TEXT, TIGHT};
use crate::game::world::cells_with_errors::CellsWithErrors;
use crate::game::world::file_errors::FileErrors;
use crate::game::world::open_map::OpenMap;
use crate::game::world::reader::MapReader;
use emberwalk_map::diagnostics::{Diagnostic, Diagnostics, counted};
use emberwalk_path::grid::Cell;

use super::bar::{end_of, printable};

/// The maximum number of errors in the list.
const MAX_ROWS: usize = 100;

/// The maximum length of a text in characters; longer texts are cut.
const MAX_CHARS: usize = 240;

/// The one line that remains after the player has folded the list.
pub(super) fn folded(errors: Res<FileErrors>) -> Vec<Element> {
    let Some(all) = errors.all().filter(|_| errors.shown().is_none()) else { return Vec::new() };
    let label = coloured(summary(all), ERROR);
    let unfold = button(Action::ToggleErrors, Style::Quiet, vec![icon(Icon::ChevronUp, 16, ERROR), label]);
    vec![card(vec![unfold.named(summary(all)).tip("Show the errors", "", "")]).pad(2.0, 2.0)]
}

pub(super) fn drawer(
    errors: Res<FileErrors>,
    cells: CellsWithErrors,
    reader: Res<MapReader>,
    map: Res<OpenMap>,
    regions: Res<Regions>,
) -> Vec<Element> {
    let Some(all) = errors.shown() else { return Vec::new() };
    let fold = icon_button(Action::ToggleErrors, Icon::ChevronDown, "Fold the list of errors");
    let fold = fold.tip("Fold", "Esc", "The errors stay until they are fixed.");
    let title = row(vec![icon(Icon::TriangleAlert, 20, ERROR), spans(vec![bold(heading(all), Size::Text, ERROR)])]);
    let shown = if reader.awaited().is_some() {
        format!("\"{}\" is shown until this is fixed.", printable(map.name(), MAX_CHARS))
    } else {
        "The last good version stays until this is fixed.".to_owned()
    };
    let mut rows: Vec<_> = all.list().iter().take(MAX_ROWS).map(|error| line(error, &cells)).collect();
    if let Some(more) = all.list().len().checked_sub(MAX_ROWS).filter(|more| *more > 0) {
        rows.push(caption(format!("{more} more, see: emberwalk check {}", shorten(all.file()))));
    }
    let list = scroll(auto(), vec![column(rows).gap(2.0)]);
    let drawer = column(vec![apart(vec![title.grow(), fold]), caption(shown), list]).pad(MEDIUM, SMALL).gap(SMALL);
    let drawer = drawer.at(regions.errors).back(PANEL).border(DIVIDER).covering().gliding(PANEL_GLIDES);
    let drawer = drawer.with(|node| node.border = UiRect::top(px(1)));
    vec![drawer.controlled(Control::Region(11)).named("Errors in the file")]
}

/// An error with its help. If its cell is shown, it is a button that brings the cell to the centre.
fn line(error: &Diagnostic, cells: &CellsWithErrors) -> Element {
    let mono = |text: String, colour| Words { face: Face::Monospace, ..words(text, Size::Text, colour) };
    let mut lines = vec![spans(vec![mono(message(error), TEXT)])];
    if let Some(help) = &error.help {
        lines.push(spans(vec![mono(format!("  {}", printable(help, MAX_CHARS)), MUTED)]));
    }
    let lines = column(lines).grow();
    match shown_cell(error, cells) {
        Some(cell) => {
            let button = button(Action::LookAt(cell), Style::Quiet, vec![lines]).named(message(error));
            button.tip("Show the place", "", "").pad(SMALL, TIGHT)
        }
        None => lines.pad(SMALL, TIGHT),
    }
}

fn shown_cell(error: &Diagnostic, cells: &CellsWithErrors) -> Option<Cell> {
    error.cells().find(|cell| cells.shows(*cell))
}

/// The file to fix and its number of errors.
fn heading(errors: &Diagnostics) -> String {
    format!("{}: {}", shorten(errors.file_to_fix()), counted(errors.list().len(), "error"))
}

/// The one line that remains after the player has folded the list.
fn summary(errors: &Diagnostics) -> String {
    let file = errors.file_to_fix();
    let name = Path::new(file).file_name().and_then(OsStr::to_str).unwrap_or(file);
    format!("{} has {}", shorten(name), counted(errors.list().len(), "error"))
}

/// Shortens a long file name.
fn shorten(file: &str) -> String {
    printable(&end_of(file, MAX_CHARS / 2 + 1), MAX_CHARS)
}

/// The message of an error, with its location in a text file.
fn message(error: &Diagnostic) -> String {
    let text = printable(&error.message, MAX_CHARS);
    // The other file is an image, which has no lines.
    match error.location.as_ref().filter(|_| error.other_file.is_none()) {
        Some(location) => format!("{}:{}  {text}", location.line, location.column),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_list_names_the_file_without_its_folder_and_counts_the_errors() {
        let tileset = std::sync::Arc::new(emberwalk_map::terrain::Tileset::load(None).unwrap());
        let map = "(name: \"x\", base: [\"G?\", \"!G\"], overlay: [\"..\", \"..\"])";
        let errors = emberwalk_map::Map::parse("/long/way/x.ron", map, &tileset).unwrap_err();
        assert_eq!(summary(&errors), "x.ron has 2 errors");
        assert_eq!(heading(&errors), "/long/way/x.ron: 2 errors");
    }
}
