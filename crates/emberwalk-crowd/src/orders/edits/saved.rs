//! Edits that wait, as they are saved.

use std::collections::BTreeMap;

use super::{Edit, Edits};
use crate::index::CellIndex;
use crate::land::Change;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::CrowdTime;

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Saved {
    waiting: Vec<SavedEdit>,
    cells: BTreeMap<CellIndex, u32>,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct SavedEdit {
    corner: Cell,
    size: Size,
    first: CellIndex,
    others: Vec<CellIndex>,
    change: Change,
    #[serde(default)]
    since: CrowdTime,
}

impl From<Edits> for Saved {
    fn from(mut edits: Edits) -> Self {
        edits.tidy();
        let save = |Edit { corner, size, first, others, change, since, .. }| SavedEdit {
            corner,
            size,
            first,
            others,
            change,
            since,
        };
        Self { waiting: edits.waiting.into_iter().map(save).collect(), cells: edits.cells.into_iter().collect() }
    }
}

impl From<Saved> for Edits {
    fn from(Saved { waiting, cells }: Saved) -> Self {
        let mut edits = Self { cells: cells.into_iter().collect(), ..Self::default() };
        for (number, SavedEdit { corner, size, first, others, change, since }) in (0..).zip(waiting) {
            let edit = Edit { number, since, corner, size, first, left: others.len() + 1, others, change };
            edits.owners.extend(edit.cells().map(|at| ((at, change.property()), number)));
            edits.waiting.push(edit);
        }
        edits.next_number = edits.waiting.len() as u64;
        edits
    }
}
