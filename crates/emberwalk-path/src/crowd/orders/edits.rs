//! Edits of the grid, which wait for the agents that are in the way.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::iter;

use crate::crowd::board::{Board, Claim, beside_diagonal};
use crate::crowd::hash::Mixer;
use crate::crowd::index::{AgentIndex, CellIndex};
use crate::crowd::land::{Change, Land};
use crate::crowd::making_way::jam::Jams;
use crate::crowd::{AgentId, CrowdEvent, CrowdTime};
use crate::grid::{Cell, Size};

/// The edits that have not taken effect yet, in the order in which they were made. Of each cell, at most one of its
/// cost for each kind or of its class, and one of its level waits.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Edits {
    waiting: Vec<Edit>,
    /// How many of them each cell belongs to.
    cells: HashMap<CellIndex, u32>,
    /// The agents that are asked to step aside. Their memory is kept.
    #[cfg_attr(feature = "serde", serde(skip))]
    in_way: Vec<AgentIndex>,
    /// What has just been edited. Its memory is kept.
    #[cfg_attr(feature = "serde", serde(skip))]
    applied: Vec<(Cell, Size)>,
}

/// A change of one cell or of an area, which is made in all its cells at one time.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Edit {
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

impl Edits {
    /// Whether no edit waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether a cell has this content already, or will have it as soon as nobody is in the way. To ask for it again
    /// changes nothing.
    pub(crate) fn has(&self, board: &Board, at: CellIndex, change: Change) -> bool {
        self.earlier(at, change).map_or_else(
            || board.land().has(change, board.cell(at)),
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
    pub(crate) fn add(&mut self, board: &mut Board, jams: &mut Jams, edit: Edit) {
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
        board.add_beat();
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
    pub(crate) fn apply(&mut self, board: &mut Board, jams: &mut Jams) {
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
                board.report(CrowdEvent::EditApplied { corner, size, time: board.now() });
            }
        }
        self.applied = applied;
        self.in_way.clear();
        let in_way = self.waiting.iter().flat_map(|edit| edit.cells().filter_map(|at| in_way(edit.change, board, at)));
        self.in_way.extend(in_way.filter(|&agent| should_step_aside(board, agent)));
        self.in_way.reverse();
    }

    /// One of the agents that should step aside since edits were last [applied](Self::apply).
    pub(crate) fn take_in_way(&mut self) -> Option<AgentIndex> {
        self.in_way.pop()
    }

    /// From now on nobody enters a cell, and guides lead round it if it will be blocked.
    fn begin_to_wait(&mut self, board: &mut Board, at: CellIndex, change: Change) {
        *self.cells.entry(at).or_default() += 1;
        if board.claim(at) == Claim::None {
            board.set_claim(at, Claim::Edit);
        }
        if board.land().is_blocked_by(change, board.cell(at)) {
            board.hold_cell(at);
        }
    }

    fn end_to_wait(&mut self, board: &mut Board, at: CellIndex, change: Change) {
        if board.land().is_blocked_by(change, board.cell(at)) {
            board.release_cell(at);
        }
        if let Entry::Occupied(mut edits) = self.cells.entry(at) {
            *edits.get_mut() -= 1;
            if *edits.get() == 0 {
                edits.remove();
            }
        }
        if board.claim(at) == Claim::Edit {
            board.set_claim(at, self.claim(at));
        }
    }

    /// Who may enter a cell that no agent has claimed any more: nobody, if an edit waits for it.
    pub(crate) fn claim(&self, at: CellIndex) -> Claim {
        if self.cells.contains_key(&at) { Claim::Edit } else { Claim::None }
    }

    /// The cells of all edits that wait.
    #[cfg(feature = "serde")]
    pub(crate) fn cells_that_wait(&self) -> impl Iterator<Item = CellIndex> + '_ {
        self.waiting.iter().flat_map(Edit::cells)
    }

    /// Adds the edits that wait to a hash of the whole state.
    pub(crate) fn add_to(&self, hash: &mut Mixer) {
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
    pub(crate) fn waiting(&self, board: &Board) -> impl Iterator<Item = WaitingEdit> + use<> {
        let mut waiting = Vec::new();
        let mut known = HashMap::new();
        for (edit, at) in self.waiting.iter().flat_map(|edit| edit.cells().map(move |at| (edit, at))) {
            let number = *known.entry(at).or_insert(waiting.len());
            if number == waiting.len() {
                waiting.push(WaitingEdit { cell: board.cell(at), agent: None });
            }
            let agent = || in_way(edit.change, board, at).map(|agent| board.id(agent));
            waiting[number].agent = waiting[number].agent.or_else(agent);
        }
        waiting.into_iter()
    }
}

impl Edit {
    /// A change of the cells of a rectangle of the grid, which has at least one.
    pub(crate) fn new(board: &Board, corner: Cell, size: Size, change: Change) -> Self {
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
        self.cells().all(|at| in_way(self.change, board, at).is_none())
    }

    fn make(&self, board: &mut Board, jams: &mut Jams) {
        for at in self.cells() {
            if board.change(self.change, at) {
                jams.end_at(board, at);
            }
        }
    }

    /// Reports that the edit has to wait for an agent.
    fn report(&self, board: &mut Board) {
        let found = self.cells().find_map(|at| Some((at, in_way(self.change, board, at)?)));
        if let Some((at, agent)) = found {
            let agent = board.id(agent);
            let Self { corner, size, .. } = *self;
            board.report(CrowdEvent::EditWaits { cell: board.cell(at), corner, size, agent, time: board.now() });
        }
    }
}

/// Whether an agent that is in the way would stay there by itself.
fn should_step_aside(board: &Board, agent: AgentIndex) -> bool {
    let entry = &board[agent];
    let stands = !entry.is_travelling() || board.waited(agent) >= CrowdTime::SECOND;
    entry.is_idle() && stands && !entry.holds() && !entry.is_in_jam()
}

/// The agent that the change has to wait for: one that takes or is about to take a step whose cost or legality it
/// would affect, or one whose place it would block.
fn in_way(change: Change, board: &Board, at: CellIndex) -> Option<AgentIndex> {
    let cell = board.cell(at);
    let is_level = matches!(change, Change::Level(_));
    let blocks_cell = board.land().is_blocked_by(change, cell);
    let blocks_place = |agent: AgentIndex| {
        let entry = &board[agent];
        blocks_cell || board.land().is_place_blocked_by(change, cell, entry.kind(), board.cell(entry.at()))
    };
    let standing = || board.occupant(at).filter(|&agent| blocks_place(agent));
    let leaving = || is_level.then(|| leaving(board, at)).flatten();
    let passing = || (is_level || blocks_cell).then(|| passing(board, at)).flatten();
    board.entering(at).or_else(standing).or_else(leaving).or_else(passing)
}

/// The agent that takes a step out of a cell. Another one may have entered the cell since, so that it is not recorded
/// there any more.
fn leaving(board: &Board, at: CellIndex) -> Option<AgentIndex> {
    let leaves = |agent: AgentIndex| board.covers(agent, board[agent].at(), at);
    steps_near(board, at).map(|(agent, _)| agent).find(|&agent| leaves(agent))
}

/// The agent that takes a diagonal step past a cell.
fn passing(board: &Board, at: CellIndex) -> Option<AgentIndex> {
    let passes = |&(agent, to): &(AgentIndex, CellIndex)| {
        let from = board[agent].at();
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
    let side = board.land().largest_side();
    let corner = board.cell(at) + (-(side as i32), -(side as i32));
    let around = Land::cells_of(corner, side + 2).filter(|&cell| board.grid().size().contains(cell));
    around.filter_map(|cell| {
        let to = board.index(cell);
        let agent = board.entering(to)?;
        Some((agent, board[agent].movement()?.to)).filter(|step| step.1 == to)
    })
}
