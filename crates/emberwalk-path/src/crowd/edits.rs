//! Edits of the grid, which wait for the units that are in the way.

use super::places::Claim;
use super::{Crowd, CrowdEvent};
use crate::grid::{Cell, Direction};
use crate::search::steps::offsets;
use crate::{EntryCost, Level};

/// An edit of one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    cell: Cell,
    change: Change,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Cost(Option<EntryCost>),
    Level(Level),
}

impl Crowd {
    /// Sets the entry cost of a cell, or blocks it with `None`. Returns `false` if the cell is off the grid.
    ///
    /// The edit takes effect immediately, unless a unit is on the way into the cell, or the edit blocks the cell and a unit is
    /// in it or passes it diagonally. Then it waits until that is over, and no other unit enters the cell meanwhile. A unit
    /// that stays in the cell delays the edit until it leaves.
    pub fn set(&mut self, cell: Cell, cost: Option<EntryCost>) -> bool {
        self.edit(Edit { cell, change: Change::Cost(cost) })
    }

    /// Sets the level of a cell. Returns `false` if the cell is off the grid.
    ///
    /// The edit waits until no unit steps into the cell, out of it or diagonally past it.
    pub fn set_level(&mut self, cell: Cell, level: Level) -> bool {
        self.edit(Edit { cell, change: Change::Level(level) })
    }

    fn edit(&mut self, edit: Edit) -> bool {
        if !self.grid.size().contains(edit.cell) {
            return false;
        }
        self.edits.push(edit);
        self.apply_edits();
        true
    }

    /// Applies the edits that nobody is in the way of, in their order for each cell.
    pub(super) fn apply_edits(&mut self) {
        for edit in std::mem::take(&mut self.edits) {
            let waits_for_another = self.edits.iter().any(|other| other.cell == edit.cell);
            let at = self.grid.index(edit.cell);
            if self.places.claim(at) == Claim::Edit {
                self.places.set_claim(at, Claim::None);
            }
            if waits_for_another || self.is_in_the_way(&edit, at) {
                if self.places.claim(at) == Claim::None {
                    self.places.set_claim(at, Claim::Edit);
                }
                self.edits.push(edit);
            } else {
                self.apply(&edit);
            }
        }
    }

    fn apply(&mut self, &Edit { cell, change }: &Edit) {
        let time = self.now;
        self.end_jams_at(self.grid.index(cell));
        match change {
            Change::Cost(cost) => {
                if self.grid.set(cell, cost) {
                    self.events.push(CrowdEvent::CostSet { cell, cost, time });
                }
            }
            Change::Level(level) => {
                if self.grid.set_level(cell, level) {
                    self.events.push(CrowdEvent::LevelSet { cell, level, time });
                }
            }
        }
    }

    /// Whether an edit would change the cost or the legality of a step that a unit takes or is about to take, or would block
    /// the cell that a unit is in.
    fn is_in_the_way(&self, edit: &Edit, at: usize) -> bool {
        if self.places.entering(at).is_some() {
            return true;
        }
        let in_cell = self.places.unit(at).map(|unit| self.units[unit].movement);
        match edit.change {
            Change::Cost(Some(_)) => false,
            Change::Cost(None) => {
                in_cell.is_some_and(|movement| movement.is_none_or(|movement| movement.middle > self.now))
                    || self.is_passed(at)
            }
            Change::Level(_) => in_cell.is_some_and(|movement| movement.is_some()) || self.is_passed(at),
        }
    }

    /// Whether a unit takes a diagonal step past a cell.
    fn is_passed(&self, at: usize) -> bool {
        let offsets = offsets(self.grid.stride());
        let sides = Direction::SIDES.map(|side| at.wrapping_add_signed(offsets[side as usize]));
        sides.iter().any(|&to| {
            let from = self.places.entering(to).map(|unit| self.units[unit].at);
            from.is_some_and(|from| from != at && sides.contains(&from))
        })
    }
}
