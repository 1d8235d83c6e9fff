//! Agents of several cells: which cells they take up, and how they step.
//!
//! The cell of an agent of `side` x `side` cells is the north-western cell of its square. It claims the whole square
//! that it steps to, including the cells that it is in already. Unlike in a chain of small agents, the agents in its
//! way need not all be able to move before it decides: it lets them make way one after the other, and steps when all of
//! them do.

use super::Crowd;
use super::board::{Board, Claim, Rank};
use super::index::{AgentIndex, CellIndex};
use super::making_way::chain::Push;
use super::making_way::choices::{Choice, Choices, Towards};
use emberwalk_path::time::CrowdTime;

/// An agent asks a large agent that has a goal to make way only after waiting for this long: a jam leads both of them
/// on before that, without leading the large agent back. If it was asked immediately, carts that change places on small
/// maps would take half as long again, but three of them on each side of a gate 18 s instead of 25 s.
const ASKS_AFTER: CrowdTime = CrowdTime::from_whole_seconds(2);
/// It is not asked any more after this many jams: the two would push each other out of their goals for ever.
const MAX_ATTEMPTS: u32 = 3;

impl Crowd {
    /// Lets a large agent take a step, and lets the agents in its way make way. Returns whether it steps.
    pub(super) fn go_on_large(&mut self, agent: AgentIndex, towards: Towards) -> bool {
        let choices = Choices::of(&self.board, agent, None, towards);
        let rank = self.board.rank(agent);
        choices.iter().any(|choice| self.step_large(agent, choice, rank))
    }

    /// Lets a large agent make room for an edit or for an agent of this rank. Returns whether it does.
    pub(super) fn step_aside_large(&mut self, agent: AgentIndex, pusher: Option<AgentIndex>, rank: Rank) -> bool {
        let choices = Choices::of(&self.board, agent, pusher, Towards::Aside);
        let choices = choices.sorted_by_key(|choice| steps_out_of_edits(&self.board, agent, choice.to));
        choices.iter().any(|choice| self.step_large(agent, choice, rank))
    }

    /// Lets a large agent make way for an agent of higher rank that is blocked, or cannot step aside for an edit.
    pub(super) fn ask_large_to_make_way(&mut self, agent: AgentIndex, towards: Towards) {
        let board = &self.board;
        if !board.land().has_large_kinds() {
            return;
        }
        let choices = Choices::of(board, agent, None, towards);
        let rank = board.rank(agent);
        // Agents that have a goal would come back, and an agent that has lost its own would ask them again and again.
        let asks_now = || board.waited(agent) >= ASKS_AFTER && board[agent].progress().attempts < MAX_ATTEMPTS;
        let asks_all = !board.has_lost_goal(agent) && (towards != Towards::Goal || asks_now());
        let is_asked = |other: &AgentIndex| {
            let entry = &board[*other];
            board.is_large(*other)
                && (asks_all || entry.guide().is_none())
                && entry.is_idle()
                && !entry.holds()
                && !entry.is_in_jam()
                && board.rank(*other) < rank
        };
        let ahead = |to| board.entered_cells(agent, to).filter_map(|cell| board.agent_in(cell));
        let leads_aside = |&to: &CellIndex| board.entered_cells(agent, to).all(|cell| board.may_enter(agent, to, cell));
        let other = match towards {
            Towards::Goal => choices.cells().take(1).flat_map(ahead).find(is_asked),
            _ => choices.cells().filter(leads_aside).flat_map(ahead).find(is_asked),
        };
        if let Some(other) = other {
            self.step_aside_large(other, Some(agent), rank);
        }
    }

    /// Lets a large agent take a step, if all agents in its way can leave, or have a lower rank than this and can make
    /// way. Returns whether it does.
    fn step_large(&mut self, agent: AgentIndex, choice: Choice, rank: Rank) -> bool {
        let Self { board, jams, .. } = self;
        let cells = board.entered_cells(agent, choice.to);
        let membership = board[agent].membership();
        let may_enter = match membership {
            Some(_) => jams.may_enter(membership, choice.to),
            None => cells.clone().all(|cell| jams.may_enter(None, cell)),
        };
        let can_enter = |cell: CellIndex| {
            let makes_way = |other: AgentIndex| {
                let entry = &board[other];
                let is_below = !entry.holds() && !entry.is_in_jam() && board.rank(other) < rank;
                !entry.is_idle() || is_below && !board.is_large(other) && !board.keeps_goal_from(other, agent)
            };
            board.may_enter(agent, choice.to, cell) && board.agent_in(cell).is_none_or(makes_way)
        };
        let at = board[agent].at();
        let mut parts = board.square(agent, at).zip(board.square(agent, choice.to));
        if !may_enter || parts.any(|(from, to)| board.is_crossed(from, to)) || !cells.clone().all(can_enter) {
            return false;
        }
        // So that no agent makes way into these cells.
        for cell in cells.clone() {
            board.set_claim(cell, Claim::Agent(agent));
        }
        let mut free_at = self.board.now() + choice.duration.half();
        for cell in cells.clone() {
            match self.make_way(cell, rank) {
                Some(time) => free_at = free_at.max(time),
                None => {
                    cells.for_each(|cell| self.board.set_claim(cell, self.edits.claim(cell)));
                    return false;
                }
            }
        }
        self.begin_step(agent, choice.to, free_at, choice.duration);
        true
    }

    /// Lets the agent in a cell make way for an agent of this rank. Returns when the cell will be free; `None` if the
    /// agent cannot make way.
    fn make_way(&mut self, cell: CellIndex, rank: Rank) -> Option<CrowdTime> {
        let Some(other) = self.board.agent_in(cell) else { return Some(self.board.now()) };
        if self.board[other].is_idle() && !self.go(other, Towards::Aside, Push::Below, Some(rank)) {
            return None;
        }
        let free_at = self.board[other].movement()?.free_at(self.board.now());
        // It may stand still in the middle of its step.
        Some(free_at).filter(|&free_at| free_at != CrowdTime::NEVER)
    }
}

/// How far an agent still has to go from a cell to be out of the cells for which edits wait: the number of steps,
/// summed over these cells.
fn steps_out_of_edits(board: &Board, agent: AgentIndex, at: CellIndex) -> i64 {
    let side = board.side(agent) as i64;
    let depth = |cell: CellIndex| {
        let (x, y) = board.cell(cell) - board.cell(at);
        let (x, y) = (i64::from(x), i64::from(y));
        (x + 1).min(y + 1).min(side - x).min(side - y)
    };
    board.square(agent, at).filter(|&cell| board.claim(cell) == Claim::Edit).map(depth).sum()
}
