//! The cells of the current map for which its file has errors.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use emberwalk_path::grid::Cell;

use super::file_errors::FileErrors;
use super::open_map::OpenMap;
use super::pages::Pages;
use super::reader::MapReader;

/// The errors, and the map in which their cells are located.
#[derive(SystemParam)]
pub struct CellsWithErrors<'w> {
    errors: Res<'w, FileErrors>,
    reader: Res<'w, MapReader>,
    pages: Res<'w, Pages>,
    map: Res<'w, OpenMap>,
}

impl CellsWithErrors<'_> {
    /// Whether they may have changed.
    pub fn is_changed(&self) -> bool {
        self.errors.is_changed() || self.map.is_changed()
    }

    /// Whether a cell with an error is on the current map, which is an earlier version of the file.
    pub fn shows(&self, cell: Cell) -> bool {
        self.pages.is_first() && self.reader.awaited().is_none() && self.map.size().contains(cell)
    }

    /// The cells, row by row.
    pub fn cells(&self) -> Vec<Cell> {
        let errors = self.errors.all().map_or_else(Default::default, |errors| errors.list());
        let mut cells: Vec<_> =
            errors.iter().flat_map(|error| error.cells()).filter(|cell| self.shows(*cell)).collect();
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        cells
    }
}
