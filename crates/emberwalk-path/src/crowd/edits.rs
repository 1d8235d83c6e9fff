//! Edits of the grid, which wait for the agents that are in the way.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::iter;

use super::agents::{Agent, Hold};
use super::board::Board;
use super::hash::Mixer;
use super::index::{AgentIndex, CellIndex};
use super::jam::Jams;
use super::land::Land;
use super::places::{Claim, beside_diagonal};
use super::{AgentId, CrowdEvent, CrowdTime};
use crate::grid::{Cell, Size};
use crate::{EntryCost, Level};

/// The edits that have not taken effect yet, in the order in which they were made. Of each cell, at most one of its
/// cost for each kind or of its class, and one of its level waits.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Edits {
    waiting: Vec<Edit>,
    /// How many of them each cell belongs to.
    cells: HashMap<CellIndex, u32>,
    /// The agents that are asked to step aside. Their memory is kept.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) in_way: Vec<AgentIndex>,
    /// What has just been edited. Its memory is kept.
    #[cfg_attr(feature = "serde", serde(skip))]
    applied: Vec<(Cell, Size)>,
}

/// A change of one cell or of an area, which is made in all its cells at one time.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Edit {
    /// What was to be edited: the north-western cell, and the size. Later edits may have taken cells out of it.
    corner: Cell,
    size: Size,
    first: CellIndex,
    others: Vec<CellIndex>,
    change: Change,
}

/// A cell that waits for an edit, of this cell or of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[non_exhaustive]
pub struct WaitingEdit {
    /// The cell.
    pub cell: Cell,
    /// The agent that is in its way now; `None` if only other cells of the area have to become free.
    pub agent: Option<AgentId>,
}

/// A new cost of a cell for a kind, or a new class or level of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Change {
    Cost(usize, Option<EntryCost>),
    Class(u8),
    Level(Level),
}

impl Edits {
    /// Whether no edit waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether a cell has this content already, or will have it as soon as nobody is in the way. To ask for it again
    /// changes nothing.
    pub(super) fn has(&self, board: &Board, at: CellIndex, change: Change) -> bool {
        self.earlier(at, change).map_or_else(
            || board.land.has(change, board.cell(at)),
            |k| self.waiting[k].others.is_empty() && self.waiting[k].change == change,
        )
    }

    /// The position of the edit that waits and that such a change of a cell would replace.
    fn earlier(&self, at: CellIndex, change: Change) -> Option<usize> {
        let is_earlier = |edit: &Edit| change.replaces(edit.change) && edit.cells().any(|cell| cell == at);
        // Most cells wait for no edit.
        self.cells.contains_key(&at).then(|| self.waiting.iter().position(is_earlier)).flatten()
    }

    /// Adds an edit, in place of earlier ones of its cells that still wait, and applies it if possible.
    pub(super) fn add(&mut self, board: &mut Board, jams: &mut Jams, edit: Edit) {
        for at in edit.cells() {
            self.withdraw(board, at, edit.change);
        }
        if edit.is_ready(board) {
            edit.make(board, jams);
        } else {
            if !edit.cells().any(|at| self.cells.contains_key(&at)) {
                edit.report(board);
            }
            for at in edit.cells() {
                self.begin_to_wait(board, at, edit.change);
            }
            self.waiting.push(edit);
        }
        board.agenda.add_beat(board.now);
    }

    /// Takes a cell out of the edit that would make such a change of it.
    fn withdraw(&mut self, board: &mut Board, at: CellIndex, change: Change) {
        let Some(k) = self.earlier(at, change) else { return };
        self.end_to_wait(board, at, self.waiting[k].change);
        if !self.waiting[k].leave_out(at) {
            self.waiting.remove(k);
        }
    }

    /// Applies the edits that no agent is in the way of any more, and lists the agents that should step aside for
    /// others.
    pub(super) fn apply(&mut self, board: &mut Board, jams: &mut Jams) {
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut applied = std::mem::take(&mut self.applied);
        waiting.retain(|edit| {
            let is_ready = edit.is_ready(board);
            if is_ready {
                for at in edit.cells() {
                    self.end_to_wait(board, at, edit.change);
                }
                edit.make(board, jams);
                applied.push((edit.corner, edit.size));
            }
            !is_ready
        });
        self.waiting = waiting;
        // Edits of several kinds of agents in one area are one edit.
        applied.dedup();
        for (corner, size) in applied.drain(..) {
            if !self.waiting.iter().any(|edit| (edit.corner, edit.size) == (corner, size)) {
                board.events.push(CrowdEvent::EditApplied { corner, size, time: board.now });
            }
        }
        self.applied = applied;
        self.in_way.clear();
        let in_way = self.waiting.iter().flat_map(|edit| edit.cells().filter_map(|at| edit.change.in_way(board, at)));
        self.in_way.extend(in_way.filter(|&agent| should_step_aside(board, agent)));
    }

    /// From now on nobody enters a cell, and guides lead round it if it will be blocked.
    fn begin_to_wait(&mut self, board: &mut Board, at: CellIndex, change: Change) {
        *self.cells.entry(at).or_default() += 1;
        if board.places.claim(at) == Claim::None {
            board.places.set_claim(at, Claim::Edit);
        }
        let cell = board.cell(at);
        if board.land.is_blocked_by(change, cell) {
            board.land.hold(cell);
        }
    }

    fn end_to_wait(&mut self, board: &mut Board, at: CellIndex, change: Change) {
        let cell = board.cell(at);
        if board.land.is_blocked_by(change, cell) {
            board.land.release(cell);
        }
        if let Entry::Occupied(mut edits) = self.cells.entry(at) {
            *edits.get_mut() -= 1;
            if *edits.get() == 0 {
                edits.remove();
            }
        }
        if board.places.claim(at) == Claim::Edit {
            board.places.set_claim(at, self.claim(at));
        }
    }

    /// Who may enter a cell that no agent has claimed any more: nobody, if an edit waits for it.
    pub(super) fn claim(&self, at: CellIndex) -> Claim {
        if self.cells.contains_key(&at) { Claim::Edit } else { Claim::None }
    }

    /// The cells of all edits that wait.
    #[cfg(feature = "serde")]
    pub(super) fn cells_that_wait(&self) -> impl Iterator<Item = CellIndex> + '_ {
        self.waiting.iter().flat_map(Edit::cells)
    }

    /// Adds the edits that wait to a hash of the whole state.
    pub(super) fn add_to(&self, hash: &mut Mixer) {
        for edit in &self.waiting {
            hash.add(match edit.change {
                Change::Cost(kind, cost) => (kind as u64) << 42 | cost.map_or(0, |cost| u64::from(cost.units())),
                Change::Class(class) => 1 << 40 | u64::from(class),
                Change::Level(level) => 1 << 41 | u64::from(level.get()),
            });
            edit.cells().for_each(|at| hash.add(at.get() as u64));
        }
    }

    /// The cells that wait for edits, each once.
    pub(super) fn waiting(&self, board: &Board) -> impl Iterator<Item = WaitingEdit> + use<> {
        let mut waiting = Vec::new();
        let mut known = HashMap::new();
        for (edit, at) in self.waiting.iter().flat_map(|edit| edit.cells().map(move |at| (edit, at))) {
            let number = *known.entry(at).or_insert(waiting.len());
            if number == waiting.len() {
                waiting.push(WaitingEdit { cell: board.cell(at), agent: None });
            }
            let agent = || edit.change.in_way(board, at).map(|agent| board.agents.id(agent));
            waiting[number].agent = waiting[number].agent.or_else(agent);
        }
        waiting.into_iter()
    }
}

impl Edit {
    /// A change of the cells of a rectangle of the grid, which has at least one.
    pub(super) fn new(board: &Board, corner: Cell, size: Size, change: Change) -> Self {
        let others = size.cells().skip(1).map(|cell| board.index(corner + (cell.x, cell.y))).collect();
        Self { corner, size, first: board.index(corner), others, change }
    }

    fn cells(&self) -> impl Iterator<Item = CellIndex> + '_ {
        iter::once(self.first).chain(self.others.iter().copied())
    }

    /// Leaves a cell out. Returns whether others are left.
    fn leave_out(&mut self, at: CellIndex) -> bool {
        if at == self.first {
            let next = self.others.pop();
            self.first = next.unwrap_or(at);
            return next.is_some();
        }
        self.others.retain(|&cell| cell != at);
        true
    }

    /// Whether no agent is in the way.
    fn is_ready(&self, board: &Board) -> bool {
        self.cells().all(|at| self.change.in_way(board, at).is_none())
    }

    fn make(&self, board: &mut Board, jams: &mut Jams) {
        self.cells().for_each(|at| self.change.make(board, jams, at));
    }

    /// Reports that the edit has to wait for an agent.
    fn report(&self, board: &mut Board) {
        let found = self.cells().find_map(|at| Some((at, self.change.in_way(board, at)?)));
        if let Some((at, agent)) = found {
            let agent = board.agents.id(agent);
            let Self { corner, size, .. } = *self;
            board.events.push(CrowdEvent::EditWaits { cell: board.cell(at), corner, size, agent, time: board.now });
        }
    }
}

/// Whether an agent that is in the way would stay there by itself.
fn should_step_aside(board: &Board, agent: AgentIndex) -> bool {
    let entry = &board.agents[agent];
    let stands = !entry.is_travelling() || board.waited(agent) >= CrowdTime::SECOND;
    entry.is_idle() && stands && entry.hold == Hold::No && !entry.is_in_jam()
}

impl Change {
    /// Whether it takes the place of an earlier change of the same cell.
    fn replaces(self, earlier: Self) -> bool {
        match (self, earlier) {
            (Self::Cost(kind, _), Self::Cost(earlier, _)) => kind == earlier,
            (Self::Class(_), Self::Class(_)) | (Self::Level(_), Self::Level(_)) => true,
            _ => false,
        }
    }

    /// Makes the change of a cell.
    fn make(self, board: &mut Board, jams: &mut Jams, at: CellIndex) {
        let (cell, time) = (board.cell(at), board.now);
        let event = match self {
            Self::Cost(kind, cost) => CrowdEvent::CostSet { cell, kind, cost, time },
            Self::Class(class) => CrowdEvent::ClassSet { cell, class, time },
            Self::Level(level) => CrowdEvent::LevelSet { cell, level, time },
        };
        if board.land.change(self, cell) {
            board.events.push(event);
            jams.end_at(board, at);
        }
    }

    /// The agent that the change has to wait for: one that takes or is about to take a step whose cost or legality it
    /// would affect, or one whose place it would block.
    fn in_way(self, board: &Board, at: CellIndex) -> Option<AgentIndex> {
        let cell = board.cell(at);
        let is_level = matches!(self, Self::Level(_));
        let blocks_cell = board.land.is_blocked_by(self, cell);
        let blocks_place = |agent: AgentIndex| {
            let Agent { kind, at, .. } = board.agents[agent];
            blocks_cell || board.land.is_place_blocked_by(self, cell, kind, board.cell(at))
        };
        let standing = || board.occupant(at).filter(|&agent| blocks_place(agent));
        let leaving = || is_level.then(|| leaving(board, at)).flatten();
        let passing = || (is_level || blocks_cell).then(|| passing(board, at)).flatten();
        board.places.entering(at).or_else(standing).or_else(leaving).or_else(passing)
    }
}

/// The agent that takes a step out of a cell. Another one may have entered the cell since, so that it is not recorded
/// there any more.
fn leaving(board: &Board, at: CellIndex) -> Option<AgentIndex> {
    let leaves = |agent: AgentIndex| board.covers(agent, board.agents[agent].at, at);
    steps_near(board, at).map(|(agent, _)| agent).find(|&agent| leaves(agent))
}

/// The agent that takes a diagonal step past a cell.
fn passing(board: &Board, at: CellIndex) -> Option<AgentIndex> {
    let passes = |&(agent, to): &(AgentIndex, CellIndex)| {
        let from = board.agents[agent].at;
        let passes = |beside: CellIndex| board.covers(agent, beside, at);
        // Of a straight step, the cells beside it are the ends.
        let is_end = board.covers(agent, from, at) || board.covers(agent, to, at);
        !is_end && beside_diagonal(from, to, board.grid().stride()).into_iter().any(passes)
    };
    steps_near(board, at).find(passes).map(|(agent, _)| agent)
}

/// The agents that take steps from or to places around a cell, and where the steps lead.
fn steps_near(board: &Board, at: CellIndex) -> impl Iterator<Item = (AgentIndex, CellIndex)> {
    // A large agent is where its north-western cell is.
    let side = board.land.largest_side();
    let corner = board.cell(at) + (-(side as i32), -(side as i32));
    let around = Land::cells_of(corner, side + 2).filter(|&cell| board.grid().size().contains(cell));
    around.filter_map(|cell| {
        let to = board.index(cell);
        let agent = board.places.entering(to)?;
        Some((agent, board.agents[agent].movement?.to)).filter(|step| step.1 == to)
    })
}
