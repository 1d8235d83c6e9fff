//! Edits of the grid, which wait for the agents that are in the way.

use super::CrowdEvent;
use super::board::Board;
use super::index::{AgentIndex, CellIndex};
use super::jam::Jams;
use super::places::Claim;
use crate::grid::Direction;
use crate::{EntryCost, Level};

/// The edits that have not taken effect yet, in the order of their cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits {
    waiting: Vec<Edit>,
}

/// The edits of one cell that have not taken effect yet: at most one of its cost or class and one of its level.
#[derive(Clone, Copy, Debug)]
struct Edit {
    at: CellIndex,
    cost: Option<Change>,
    level: Option<Change>,
}

/// A new cost, class or level of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    Cost(Option<EntryCost>),
    Class(u8),
    Level(Level),
}

impl Edits {
    /// Whether no edit waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Adds a change of a cell, in place of an earlier one that still waits, and applies it if possible.
    pub(super) fn add(&mut self, board: &mut Board, jams: &mut Jams, at: CellIndex, change: Change) {
        let place = self.waiting.binary_search_by_key(&at, |edit| edit.at);
        let mut edit = place.map_or(Edit { at, cost: None, level: None }, |k| self.waiting[k]);
        match change {
            Change::Cost(_) | Change::Class(_) => edit.cost = Some(change),
            Change::Level(_) => edit.level = Some(change),
        }
        match (place, edit.apply(board, jams)) {
            (Ok(k), true) => self.waiting[k] = edit,
            (Ok(k), false) => _ = self.waiting.remove(k),
            (Err(k), true) => self.waiting.insert(k, edit),
            (Err(_), false) => {}
        }
        board.agenda.add_beat(board.now);
    }

    /// Applies the edits that no agent is in the way of any more.
    pub(super) fn apply(&mut self, board: &mut Board, jams: &mut Jams) {
        self.waiting.retain_mut(|edit| edit.apply(board, jams));
    }

    /// Who may enter a cell that no agent has claimed any more: nobody, if an edit waits for it.
    pub(super) fn claim(&self, at: CellIndex) -> Claim {
        let waits = self.waiting.binary_search_by_key(&at, |edit| edit.at).is_ok();
        if waits { Claim::Edit } else { Claim::None }
    }
}

impl Edit {
    /// Applies the changes that no agent is in the way of. Returns whether some still wait.
    fn apply(&mut self, board: &mut Board, jams: &mut Jams) -> bool {
        let at = self.at;
        for change in [&mut self.cost, &mut self.level] {
            if let Some(ready) = change.take_if(|change| !change.is_waited_for(board, at)) {
                ready.make(board, jams, at);
            }
        }
        let waits = self.cost.is_some() || self.level.is_some();
        match board.places.claim(at) {
            Claim::None if waits => board.places.set_claim(at, Claim::Edit),
            Claim::Edit if !waits => board.places.set_claim(at, Claim::None),
            _ => {}
        }
        waits
    }
}

impl Change {
    /// Makes the change of a cell.
    fn make(self, board: &mut Board, jams: &mut Jams, at: CellIndex) {
        let (cell, time) = (board.cell(at), board.now);
        let event = match self {
            Self::Cost(cost) => CrowdEvent::CostSet { cell, cost, time },
            Self::Class(class) => CrowdEvent::ClassSet { cell, class, time },
            Self::Level(level) => CrowdEvent::LevelSet { cell, level, time },
        };
        if board.land.change(self, cell) {
            board.events.push(event);
            jams.end_at(board, at);
        }
    }

    /// Whether the change would affect the cost or the legality of a step that an agent takes or is about to take, or
    /// would block the cell that an agent is in.
    fn is_waited_for(self, board: &Board, at: CellIndex) -> bool {
        let is_in_use = match self {
            Self::Cost(_) | Self::Class(_) => {
                board.land.is_blocked_by(self, board.cell(at)) && (board.is_occupied(at) || is_passed(board, at))
            }
            Self::Level(_) => is_left(board, at) || is_passed(board, at),
        };
        is_in_use || board.places.entering(at).is_some()
    }
}

/// Whether an agent takes a step out of a cell. Another one may have entered the cell since, so that it is not recorded
/// there any more.
fn is_left(board: &Board, at: CellIndex) -> bool {
    let leaves = |agent: AgentIndex| board.agents[agent].at == at;
    board.neighbours(at).into_iter().filter_map(|to| board.places.entering(to)).any(leaves)
}

/// Whether an agent takes a diagonal step past a cell.
fn is_passed(board: &Board, at: CellIndex) -> bool {
    let neighbours = board.neighbours(at);
    let sides = Direction::SIDES.map(|side| neighbours[side as usize]);
    sides.iter().any(|&to| {
        let from = board.places.entering(to).map(|agent| board.agents[agent].at);
        from.is_some_and(|from| from != at && sides.contains(&from))
    })
}
