//! Edits of the grid, which wait for the agents that are in the way.

use super::places::Claim;
use super::{Crowd, CrowdEvent};
use crate::grid::{Cell, Direction};
use crate::search::steps::offsets;
use crate::{EntryCost, Level};

/// The edits of one cell that have not taken effect yet: at most one of its cost and one of its level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    at: usize,
    cost: Option<Change>,
    level: Option<Change>,
}

/// A new cost or a new level of a cell.
#[derive(Clone, Copy, Debug)]
enum Change {
    Cost(Option<EntryCost>),
    Level(Level),
}

impl Crowd {
    /// Sets the entry cost of a cell, or blocks it with `None`. Returns `false` if the cell is off the grid.
    ///
    /// The edit takes effect immediately, unless an agent is on the way into the cell, or the edit blocks the cell and an agent is
    /// in it or passes it diagonally. Then the edit waits until that is over, and it is tried again every 1/32 second. Meanwhile
    /// no other agent starts to enter the cell. An agent that stays in the cell delays the edit until it leaves. Another `set` of
    /// the cell replaces an edit that waits.
    pub fn set(&mut self, cell: Cell, cost: Option<EntryCost>) -> bool {
        self.edit(cell, |edit| edit.cost = Some(Change::Cost(cost)))
    }

    /// Sets the level of a cell. Returns `false` if the cell is off the grid.
    ///
    /// The edit waits, as in [`set`](Self::set), until no agent steps into the cell, out of it or diagonally past it.
    pub fn set_level(&mut self, cell: Cell, level: Level) -> bool {
        self.edit(cell, |edit| edit.level = Some(Change::Level(level)))
    }

    /// Adds a change to the edit of a cell, in place of an earlier one that still waits, and applies it if possible.
    fn edit(&mut self, cell: Cell, change: impl FnOnce(&mut Edit)) -> bool {
        if !self.grid.size().contains(cell) {
            return false;
        }
        let at = self.grid.index(cell);
        let place = self.edits.binary_search_by_key(&at, |edit| edit.at);
        let mut edit = place.map_or(Edit { at, cost: None, level: None }, |k| self.edits[k]);
        change(&mut edit);
        match (place, self.apply(&mut edit)) {
            (Ok(k), true) => self.edits[k] = edit,
            (Ok(k), false) => _ = self.edits.remove(k),
            (Err(k), true) => self.edits.insert(k, edit),
            (Err(_), false) => {}
        }
        self.schedule_beat();
        true
    }

    /// Applies the edits that no agent is in the way of any more.
    pub(super) fn apply_edits(&mut self) {
        let mut edits = std::mem::take(&mut self.edits);
        edits.retain_mut(|edit| self.apply(edit));
        self.edits = edits;
    }

    /// Applies the changes that no agent is in the way of. Returns whether some still wait.
    fn apply(&mut self, edit: &mut Edit) -> bool {
        let at = edit.at;
        for change in [&mut edit.cost, &mut edit.level] {
            if let Some(ready) = change.take_if(|change| !self.is_in_the_way(*change, at)) {
                self.change(at, ready);
            }
        }
        let waits = edit.cost.is_some() || edit.level.is_some();
        match self.places.claim(at) {
            Claim::None if waits => self.places.set_claim(at, Claim::Edit),
            Claim::Edit if !waits => self.places.set_claim(at, Claim::None),
            _ => {}
        }
        waits
    }

    /// Ends the claim of an agent to a cell. If an edit waits for the cell, the next claim is the edit's.
    pub(super) fn release_claim(&mut self, at: usize) {
        let edit_waits = self.edits.binary_search_by_key(&at, |edit| edit.at).is_ok();
        self.places.set_claim(at, if edit_waits { Claim::Edit } else { Claim::None });
    }

    /// Makes a change of a cell.
    fn change(&mut self, at: usize, change: Change) {
        let (cell, time) = (self.grid.cell(at), self.now);
        let event = match change {
            Change::Cost(cost) => self.grid.set(cell, cost).then_some(CrowdEvent::CostSet { cell, cost, time }),
            Change::Level(level) => {
                self.grid.set_level(cell, level).then_some(CrowdEvent::LevelSet { cell, level, time })
            }
        };
        if let Some(event) = event {
            self.events.push(event);
            self.end_jams_at(at);
        }
    }

    /// Whether an edit would change the cost or the legality of a step that an agent takes or is about to take, or would block
    /// the cell that an agent is in.
    fn is_in_the_way(&self, change: Change, at: usize) -> bool {
        let is_waited_for = match change {
            Change::Cost(Some(_)) => false,
            Change::Cost(None) => self.is_occupied(at) || self.is_passed(at),
            Change::Level(_) => self.is_left(at) || self.is_passed(at),
        };
        is_waited_for || self.places.entering(at).is_some()
    }

    /// Whether an agent takes a step out of a cell. Another one may have entered the cell since, so that it is not recorded
    /// there any more.
    fn is_left(&self, at: usize) -> bool {
        let neighbours = offsets(self.grid.stride()).map(|offset| at.wrapping_add_signed(offset));
        neighbours.iter().filter_map(|&to| self.places.entering(to)).any(|agent| self.agents[agent].at == at)
    }

    /// Whether an agent takes a diagonal step past a cell.
    fn is_passed(&self, at: usize) -> bool {
        let offsets = offsets(self.grid.stride());
        let sides = Direction::SIDES.map(|side| at.wrapping_add_signed(offsets[side as usize]));
        sides.iter().any(|&to| {
            let from = self.places.entering(to).map(|agent| self.agents[agent].at);
            from.is_some_and(|from| from != at && sides.contains(&from))
        })
    }
}
