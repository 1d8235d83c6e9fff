//! Recomputes a field that takes long to bring up to date, in slices, while agents follow the old field.

use std::sync::Arc;
use std::task::Poll;

use crate::goal::Target;
use crate::index::GuideIndex;
use emberwalk_path::grid::Cell;
#[cfg(feature = "serde")]
use emberwalk_path::internal::SavedGrid;
use emberwalk_path::{CostGrid, Field, FieldQuery, Stamp, StepRules};

/// The field that is being computed, of one guide at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Recomputation {
    guide: Option<GuideIndex>,
    field: Arc<Field>,
    /// The grid at the start of the computation, so that edits do not restart it again and again; and the stamp of the
    /// grid itself at that time.
    grid: Option<CostGrid>,
    stamp: Stamp,
    /// The number of cells that have been visited.
    visited: u64,
}

impl Recomputation {
    /// The guide whose field is being computed.
    pub(super) fn guide(&self) -> Option<GuideIndex> {
        self.guide
    }

    /// Begins to compute the field of a guide.
    pub(super) fn begin(&mut self, grid: &CostGrid, guide: GuideIndex) {
        self.guide = Some(guide);
        self.visited = 0;
        match (&mut self.grid, grid.changes_since(self.stamp)) {
            (Some(copy), Some(changes)) => changes.for_each(|change| {
                copy.set(change.cell, grid.get(change.cell));
                copy.set_level(change.cell, grid.level(change.cell));
            }),
            (copy, _) => *copy = Some(grid.clone()),
        }
        self.stamp = grid.stamp();
        Arc::make_mut(&mut self.field).forget();
    }

    /// Visits at most this many more cells, and counts them. Once all have been visited, the old field of the guide is
    /// replaced by the new one.
    pub(super) fn advance(&mut self, rules: StepRules, goal: &Target, old: &mut Arc<Field>, left: &mut u64) {
        let (Some(grid), true) = (&self.grid, self.guide.is_some()) else { return };
        let field = Arc::make_mut(&mut self.field);
        match field.advance(grid, &query_to(goal, rules), *left) {
            Poll::Pending => {
                self.visited += *left;
                *left = 0;
            }
            // A goal that is blocked leaves the field empty, so that no cell has a route.
            Poll::Ready(visited) => {
                *left = left.saturating_sub(visited.unwrap_or(0).saturating_sub(self.visited));
                *field.stamp_mut() = self.stamp;
                std::mem::swap(&mut self.field, old);
                self.guide = None;
            }
        }
    }

    /// Gives up if it computes the field of this guide.
    pub(super) fn cancel(&mut self, guide: GuideIndex) {
        self.guide.take_if(|recomputed| *recomputed == guide);
    }
}

/// The query of a field to a goal.
pub(super) fn query_to(goal: &Target, rules: StepRules) -> FieldQuery<&[Cell]> {
    FieldQuery::routes_to(goal.cells()).with_rules(rules)
}

/// A recomputation as it is saved, without its field, which is computed again.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct SavedRecomputation {
    guide: GuideIndex,
    grid: SavedGrid,
    #[serde(with = "emberwalk_path::internal::saved_stamp")]
    stamp: Stamp,
    visited: u64,
}

#[cfg(feature = "serde")]
impl Recomputation {
    /// The recomputation, to save it; `None` if no field is being computed.
    pub(super) fn saved(&self) -> Option<SavedRecomputation> {
        let (guide, grid) = self.guide.zip(self.grid.as_ref())?;
        Some(SavedRecomputation { guide, grid: SavedGrid::new(grid), stamp: self.stamp, visited: self.visited })
    }
}

#[cfg(feature = "serde")]
impl SavedRecomputation {
    /// The guide whose field is being computed.
    pub(super) fn guide(&self) -> GuideIndex {
        self.guide
    }

    /// The recomputation, with as much of the field as it had; `None` if the grid is impossible.
    pub(super) fn load(self, rules: StepRules, goal: &Target) -> Option<Recomputation> {
        let Self { guide, grid, stamp, visited } = self;
        let grid = grid.load::<serde::de::value::Error>().ok()?;
        let mut field = Field::new();
        if visited > 0 {
            let _ = field.advance(&grid, &query_to(goal, rules), visited);
        }
        Some(Recomputation { guide: Some(guide), field: field.into(), grid: Some(grid), stamp, visited })
    }

    pub(super) fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
