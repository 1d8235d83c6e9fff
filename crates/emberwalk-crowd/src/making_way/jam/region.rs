//! The region of a jam: its cells and its agents.

use std::collections::HashMap;

use crate::board::{Board, Claim, square};
use crate::index::{AgentIndex, CellIndex};
use crate::land::Ground;
use emberwalk_path::internal::{Steps, with_steps};

/// The number of agents at which the first region ends. With 4 or 16 instead, the small islands take 178 s or 188 s
/// instead of 156 s.
const FIRST_AGENTS: usize = 8;
/// The maximum number of cells of the first region. With 32 or 128 instead, all crowds take the same time within 1 %.
const FIRST_CELLS: usize = 64;
/// How many times the limits of the region double, once with each attempt. With 2 or 4 instead, all crowds take the
/// same time within 2 %.
pub(super) const MAX_DOUBLINGS: u32 = 3;
/// How many times the number of its cells doubles if there are too few agents to end it: in a long passage, the next
/// place at which two agents can pass each other may be far back. With 3 instead, a bay 300 cells back is not found;
/// with 6, a bay 600 cells back is.
pub(super) const MAX_DOUBLINGS_OF_CELLS: u32 = 6;
/// The maximum number of cells of any region, which bounds the time in which a search begins.
const MAX_CELLS: usize = 4096;

/// An agent in a jam.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Member {
    pub(super) agent: AgentIndex,
    /// The place of the next step of its script in the list of turns.
    pub(super) next: Option<usize>,
    /// Whether it leaves the jam at the end of its script.
    pub(super) leaves: bool,
}

/// The jam that each cell belongs to, and the number of the cell there.
pub(super) type JamCells = HashMap<CellIndex, (usize, usize)>;

/// The cells of a jam on the board.
#[derive(Clone, Copy)]
pub(super) struct Region<'a> {
    pub(super) id: usize,
    pub(super) board: &'a Board,
    pub(super) known: &'a JamCells,
}

impl Region<'_> {
    /// The number of a cell in the region; `None` if it does not belong to it.
    pub(super) fn number(&self, at: CellIndex) -> Option<usize> {
        self.known.get(&at).filter(|&&(jam, _)| jam == self.id).map(|&(_, number)| number)
    }

    /// Whether an agent of a kind in a cell would be in the region with all its cells.
    pub(super) fn has_place(&self, kind: usize, at: CellIndex) -> bool {
        let (side, stride) = (self.board.land().side(kind), self.board.grid().stride());
        square(at, side, stride).all(|cell| self.number(cell).is_some())
    }
}

/// Finds the cells around an agent, the nearest first, and the agents that are there or on the way there. Returns
/// whether they are all in the region with all their cells.
pub(super) fn find(
    id: usize,
    board: &Board,
    known: &mut JamCells,
    agent: AgentIndex,
    doublings: u32,
    cells: &mut Vec<CellIndex>,
    members: &mut Vec<Member>,
) -> bool {
    // Agents of other sizes walk where this one does not fit.
    let own_kind = board[agent].kind();
    let has_large_kinds = board.land().has_large_kinds();
    let walks = |kind: usize, at: CellIndex| {
        kind == own_kind || has_large_kinds && board.land().grid(kind).is_passable(board.cell(at))
    };
    let side = board.side(agent);
    let max_agents = FIRST_AGENTS << doublings.min(MAX_DOUBLINGS);
    let max_cells = ((FIRST_CELLS * side * side) << doublings).min(MAX_CELLS);
    let may_belong = |known: &JamCells, at: CellIndex| {
        !known.contains_key(&at) && board.claim(at) != Claim::Edit && !board.is_guarded(at)
    };
    let add = |cells: &mut Vec<CellIndex>, known: &mut JamCells, at: CellIndex| {
        known.insert(at, (id, cells.len()));
        cells.push(at);
    };
    cells.clear();
    members.clear();
    add(cells, known, board[agent].at());
    let mut done = 0;
    while done < cells.len() && members.len() < max_agents {
        let at = cells[done];
        done += 1;
        let here = board.entering(at).or_else(|| board.standing_agent(at));
        if let Some(agent) = here.filter(|&agent| members.iter().all(|member| member.agent != agent)) {
            members.push(Member { agent, next: None, leaves: false });
        }
        for kind in (0..board.land().kinds()).filter(|&kind| walks(kind, at)) {
            let Ground { grid, rules } = board.land().ground(kind);
            with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
                for to in square(CellIndex::new(step.to), board.land().side(kind), grid.stride()) {
                    if may_belong(known, to) && cells.len() < max_cells {
                        add(cells, known, to);
                    }
                }
            }));
        }
    }
    release(known, &cells[done..]);
    cells.truncate(done);
    for member in members {
        for at in board.square(member.agent, board[member.agent].next_cell()) {
            match known.get(&at) {
                Some(&(other, _)) if other != id => return false,
                Some(_) => {}
                None => add(cells, known, at),
            }
        }
    }
    true
}

/// Lets these cells belong to no jam any more.
pub(super) fn release(known: &mut JamCells, cells: &[CellIndex]) {
    for cell in cells {
        known.remove(cell);
    }
}
