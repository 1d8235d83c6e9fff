//! Edits of the grid, which wait for the agents that are in the way.

#[cfg(feature = "serde")]
mod saved;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::iter;

use crate::board::{Blocked, Board, Claim, beside_diagonal};
use crate::index::{AgentIndex, CellIndex};
use crate::land::{Change, Land, Property};
use crate::making_way::jam::Jams;
use crate::{AgentId, CrowdEvent};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::hash::Mixer;
use emberwalk_path::time::CrowdTime;

/// The edits that have not taken effect yet, in the order in which they were made. Each cell waits for at most one edit
/// of its cost for each kind or of its class, and one of its level.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "saved::Saved", into = "saved::Saved")
)]
pub(crate) struct Edits {
    /// Their numbers increase.
    waiting: Vec<Edit>,
    /// How many of them each cell belongs to.
    cells: HashMap<CellIndex, u32>,
    /// The number of the edit for which each property of a cell waits.
    owners: HashMap<(CellIndex, Property), u64>,
    /// Whether the board knows the exits of all areas that wait.
    are_exits_known: bool,
    /// The agents that are asked to step aside. Their memory is kept.
    in_way: Vec<AgentIndex>,
    /// The cells that have just been edited. Their memory is kept.
    applied: Vec<(Cell, Size)>,
    /// The cells that are going to be blocked. Their memory is kept.
    blocked: Vec<Blocked>,
}

/// A change of one cell or of an area, which is made in all its cells together.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Edit {
    #[cfg_attr(feature = "serde", serde(skip))]
    number: u64,
    /// The area of the edit: the north-western cell, and the size. Later edits may have taken cells out of it.
    corner: Cell,
    size: Size,
    first: CellIndex,
    /// Later edits may have taken out some that are still listed.
    others: Vec<CellIndex>,
    /// How many cells are left.
    #[cfg_attr(feature = "serde", serde(skip))]
    left: usize,
    change: Change,
    /// When it was made.
    #[cfg_attr(feature = "serde", serde(default))]
    since: CrowdTime,
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

    /// Whether a cell has this content already, or will have it as soon as no agent is in the way. Asking for it again
    /// changes nothing.
    pub(crate) fn has(&self, board: &Board, at: CellIndex, change: Change) -> bool {
        self.earlier(at, change).map_or_else(
            || board.land().has(change, board.cell(at)),
            |k| self.waiting[k].left == 1 && self.waiting[k].change == change,
        )
    }

    /// The position of the waiting edit that such a change of a cell would replace.
    fn earlier(&self, at: CellIndex, change: Change) -> Option<usize> {
        let number = self.owners.get(&(at, change.property()))?;
        self.waiting.binary_search_by_key(number, |edit| edit.number).ok()
    }

    /// The cells that are left of an edit that waits.
    fn cells_of<'a>(&'a self, edit: &'a Edit) -> impl Iterator<Item = CellIndex> + 'a {
        let is_whole = edit.is_whole();
        edit.cells().filter(move |&at| is_whole || self.owns(edit, at))
    }

    fn owns(&self, edit: &Edit, at: CellIndex) -> bool {
        self.owners.get(&(at, edit.change.property())) == Some(&edit.number)
    }

    /// Adds an edit, in place of earlier waiting edits of its cells, and applies it if possible.
    pub(crate) fn add(&mut self, board: &mut Board, jams: &mut Jams, mut edit: Edit) {
        self.are_exits_known = false;
        for at in edit.cells() {
            self.withdraw(board, at, edit.change);
        }
        if edit.is_ready(board) {
            edit.make(board, jams);
        } else {
            if !edit.cells().any(|at| self.cells.contains_key(&at)) {
                edit.report(board);
            }
            edit.number = self.waiting.last().map_or(0, |last| last.number + 1);
            for at in edit.cells() {
                self.begin_to_wait(board, at, &edit);
            }
            self.waiting.push(edit);
        }
        board.add_beat();
    }

    /// Takes a cell out of the edit that would make such a change of it.
    fn withdraw(&mut self, board: &mut Board, at: CellIndex, change: Change) {
        let Some(k) = self.earlier(at, change) else { return };
        self.end_to_wait(board, at, self.waiting[k].change);
        let mut others = std::mem::take(&mut self.waiting[k].others);
        let next = if self.waiting[k].first == at {
            iter::from_fn(|| others.pop()).find(|&next| self.owns(&self.waiting[k], next))
        } else {
            None
        };
        let edit = &mut self.waiting[k];
        edit.others = others;
        edit.first = next.unwrap_or(edit.first);
        edit.left -= 1;
        if edit.left == 0 {
            self.waiting.remove(k);
        }
    }

    /// Forgets the cells that have been taken out of edits.
    fn tidy(&mut self) {
        for k in 0..self.waiting.len() {
            if !self.waiting[k].is_whole() {
                let mut others = std::mem::take(&mut self.waiting[k].others);
                others.retain(|&at| self.owns(&self.waiting[k], at));
                self.waiting[k].others = others;
            }
        }
    }

    /// Finds which agents have to leave cells that wait to be blocked, and how, if something has changed.
    pub(crate) fn find_exits(&mut self, board: &mut Board) {
        if std::mem::replace(&mut self.are_exits_known, true) {
            return;
        }
        let mut blocked = std::mem::take(&mut self.blocked);
        blocked.clear();
        let blocks =
            |edit: &&Edit| self.cells_of(edit).any(|at| board.land().is_blocked_by(edit.change, board.cell(at)));
        // Edits that block nothing only wait for steps to end, so no agent has to get out of them.
        for edit in self.waiting.iter().filter(blocks) {
            let Edit { since, size, .. } = *edit;
            blocked.extend(self.cells_of(edit).map(|at| Blocked { at, since, is_area: size.area() > 1 }));
        }
        board.find_exits(&blocked, |at| self.cells.contains_key(&at));
        self.blocked = blocked;
    }

    /// Applies the edits whose cells no agent occupies any more, and lists the agents that should step aside for
    /// others.
    pub(crate) fn apply(&mut self, board: &mut Board, jams: &mut Jams) {
        self.tidy();
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
        if !applied.is_empty() {
            self.are_exits_known = false;
        }
        self.find_exits(board);
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

    /// From now on no agent enters a cell, and guides lead round it if it will be blocked.
    fn begin_to_wait(&mut self, board: &mut Board, at: CellIndex, edit: &Edit) {
        self.owners.insert((at, edit.change.property()), edit.number);
        *self.cells.entry(at).or_default() += 1;
        if board.claim(at) == Claim::None {
            board.set_claim(at, Claim::Edit);
        }
        if board.land().is_blocked_by(edit.change, board.cell(at)) {
            board.hold_cell(at);
        }
    }

    fn end_to_wait(&mut self, board: &mut Board, at: CellIndex, change: Change) {
        if board.land().is_blocked_by(change, board.cell(at)) {
            board.release_cell(at);
        }
        self.owners.remove(&(at, change.property()));
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

    /// Who may enter a cell that no agent claims any more: nobody, if an edit waits for it.
    pub(crate) fn claim(&self, at: CellIndex) -> Claim {
        if self.cells.contains_key(&at) { Claim::Edit } else { Claim::None }
    }

    /// The cells of all edits that wait.
    #[cfg(feature = "serde")]
    pub(crate) fn cells_that_wait(&self) -> impl Iterator<Item = CellIndex> + '_ {
        self.waiting.iter().flat_map(|edit| self.cells_of(edit))
    }

    /// Adds the edits that wait to a hash of the whole state.
    pub(crate) fn add_to(&self, hash: &mut Mixer) {
        for edit in &self.waiting {
            hash.add(edit.since.ticks());
            hash.add(match edit.change {
                Change::Cost(kind, cost) => (kind as u64) << 42 | cost.map_or(0, |cost| u64::from(cost.units())),
                Change::Class(class) => 1 << 40 | u64::from(class),
                Change::Level(level) => 1 << 41 | u64::from(level.get()),
            });
            self.cells_of(edit).for_each(|at| hash.add(at.get() as u64));
        }
    }

    /// The cells that wait for edits, each once.
    pub(crate) fn waiting(&self, board: &Board) -> impl Iterator<Item = WaitingEdit> + use<> {
        let mut waiting = Vec::new();
        let mut known = HashMap::new();
        for (edit, at) in self.waiting.iter().flat_map(|edit| self.cells_of(edit).map(move |at| (edit, at))) {
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
        let others: Vec<_> = size.cells().skip(1).map(|cell| board.index(corner + (cell.x, cell.y))).collect();
        let left = others.len() + 1;
        Self { number: 0, corner, size, first: board.index(corner), others, left, change, since: board.now() }
    }

    fn cells(&self) -> impl Iterator<Item = CellIndex> + '_ {
        iter::once(self.first).chain(self.others.iter().copied())
    }

    /// Whether no cell that is listed has been taken out.
    fn is_whole(&self) -> bool {
        self.left == self.others.len() + 1
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
    let stands = !entry.is_travelling() || board.waited(agent) >= CrowdTime::SECOND || board.comes_out(agent);
    entry.is_idle() && stands && !entry.holds() && !entry.is_in_jam()
}

/// The agent that the change has to wait for: the change would affect the cost or legality of its current or next step,
/// or block its place.
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

/// The agent that takes a step out of a cell. Another agent may have entered the cell since and be recorded there.
fn leaving(board: &Board, at: CellIndex) -> Option<AgentIndex> {
    let leaves = |agent: AgentIndex| board.covers(agent, board[agent].at(), at);
    steps_near(board, at).map(|(agent, _)| agent).find(|&agent| leaves(agent))
}

/// The agent that takes a diagonal step past a cell.
fn passing(board: &Board, at: CellIndex) -> Option<AgentIndex> {
    let passes = |&(agent, to): &(AgentIndex, CellIndex)| {
        let from = board[agent].at();
        let passes = |beside: CellIndex| board.covers(agent, beside, at);
        // The cells beside a straight step are its ends.
        let is_end = board.covers(agent, from, at) || board.covers(agent, to, at);
        !is_end && !board.is_link(from, to) && beside_diagonal(from, to, board.grid().stride()).into_iter().any(passes)
    };
    steps_near(board, at).find(passes).map(|(agent, _)| agent)
}

/// The agents that take steps from or to places around a cell, and where the steps lead.
fn steps_near(board: &Board, at: CellIndex) -> impl Iterator<Item = (AgentIndex, CellIndex)> {
    // The cell of a large agent is its north-western one.
    let side = board.land().largest_side();
    let corner = board.cell(at) + (-(side as i32), -(side as i32));
    let around = Land::cells_of(corner, side + 2).filter(|&cell| board.grid().size().contains(cell));
    around.filter_map(|cell| {
        let to = board.index(cell);
        let agent = board.entering(to)?;
        Some((agent, board[agent].movement()?.to)).filter(|step| step.1 == to)
    })
}
