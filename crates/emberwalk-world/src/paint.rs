//! Painted cells, as an order writes them.

use emberwalk_map::terrain::Tileset;
use emberwalk_map::{CellEdit, LayerEdit, Map};
use emberwalk_path::grid::Cell;
use serde::{Deserialize, Serialize};

/// Cells of one row: the column and row of the first one, and how many there are from there eastwards.
pub type Run = (i32, i32, u32);

/// Painted cells, in runs of cells of one row with the same new content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paint {
    /// The new ground, by its character, and its cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub base: Vec<(char, Vec<Run>)>,
    /// The new overlay, `.` for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlay: Vec<(char, Vec<Run>)>,
    /// The new height.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heights: Vec<(u8, Vec<Run>)>,
}

/// The character for no overlay.
const NONE: char = '.';

/// The number of edits that is allowed on every map, even if they paint the same cells again and again.
const MAX_EDITS: u64 = 1 << 16;

impl Paint {
    /// These edits, with terrain of this tileset.
    pub fn of(tileset: &Tileset, edits: &[CellEdit]) -> Self {
        let mut paint = Self::default();
        for &CellEdit { cell, to } in edits {
            match to {
                LayerEdit::Base(id) => add(&mut paint.base, tileset[id].char, cell),
                LayerEdit::Overlay(id) => add(&mut paint.overlay, id.map_or(NONE, |id| tileset[id].char), cell),
                LayerEdit::Level(level) => add(&mut paint.heights, level, cell),
            }
        }
        paint
    }

    /// The edits; `None` if the tileset has no such terrain, if a cell is not on the map, or if there are more than 65,536
    /// and more than three for each cell of the map.
    pub fn edits(&self, map: &Map) -> Option<Vec<CellEdit>> {
        let cells = |runs: &[Run]| runs.iter().map(|(.., length)| u64::from(*length)).sum::<u64>();
        let parts = self.base.iter().chain(&self.overlay).map(|(_, runs)| cells(runs));
        let number: u64 = parts.chain(self.heights.iter().map(|(_, runs)| cells(runs))).sum();
        if number > MAX_EDITS.max(3 * map.size().area() as u64) {
            return None;
        }
        let find = |char: char| map.tileset().find(char);
        let mut edits = Vec::new();
        for (char, runs) in &self.base {
            let id = find(*char)?;
            for_cells(map, runs, |cell| edits.push(CellEdit::base(cell, id)))?;
        }
        for (char, runs) in &self.overlay {
            let id = if *char == NONE { None } else { Some(find(*char)?) };
            for_cells(map, runs, |cell| edits.push(CellEdit::overlay(cell, id)))?;
        }
        for (level, runs) in &self.heights {
            for_cells(map, runs, |cell| edits.push(CellEdit::level(cell, *level)))?;
        }
        Some(edits)
    }
}

/// Adds a cell to the last runs, if it gets the same content.
fn add<T: PartialEq>(parts: &mut Vec<(T, Vec<Run>)>, to: T, cell: Cell) {
    if parts.last().is_none_or(|(last, _)| *last != to) {
        parts.push((to, Vec::new()));
    }
    let Some((_, runs)) = parts.last_mut() else { return };
    match runs.last_mut() {
        Some((x, y, length)) if *y == cell.y && i64::from(*x) + i64::from(*length) == i64::from(cell.x) => *length += 1,
        _ => runs.push((cell.x, cell.y, 1)),
    }
}

/// Visits the cells of some runs, unless one is off the map.
fn for_cells(map: &Map, runs: &[Run], mut visit: impl FnMut(Cell)) -> Option<()> {
    for &(x, y, length) in runs {
        let last = x.checked_add(i32::try_from(length.checked_sub(1)?).ok()?)?;
        let is_on_map = map.size().contains(Cell::new(x, y)) && map.size().contains(Cell::new(last, y));
        is_on_map.then_some(())?;
        (x..=last).for_each(|x| visit(Cell::new(x, y)));
    }
    Some(())
}
