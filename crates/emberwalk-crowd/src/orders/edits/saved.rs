//! Edits that wait, as they are saved.

use std::collections::BTreeMap;

use super::{Edit, Edits};
use crate::index::CellIndex;

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Saved {
    waiting: Vec<Edit>,
    cells: BTreeMap<CellIndex, u32>,
}

impl From<Edits> for Saved {
    fn from(mut edits: Edits) -> Self {
        edits.tidy();
        Self { waiting: edits.waiting, cells: edits.cells.into_iter().collect() }
    }
}

impl From<Saved> for Edits {
    fn from(Saved { waiting, cells }: Saved) -> Self {
        let mut edits = Self { cells: cells.into_iter().collect(), ..Self::default() };
        for (number, edit) in (0..).zip(waiting) {
            edits.owners.extend(edit.cells().map(|at| ((at, edit.change.property()), number)));
            edits.waiting.push(Edit { number, left: edit.others.len() + 1, ..edit });
        }
        edits
    }
}
