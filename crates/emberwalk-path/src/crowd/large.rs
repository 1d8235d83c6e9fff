//! Agents of several cells: which cells they take up, and how they step.
//!
//! An agent of `side` x `side` cells is where the north-western cell of its square is. It claims the whole square that
//! it steps to, also the cells that it is in already. Unlike a chain of small agents, those in its way need not all be
//! able to move before it decides: it lets them make way one after the other, and steps when all of them do.

use super::agents::Hold;
use super::board::Board;
use super::chain::Link;
use super::choices::{Choice, Choices, Towards};
use super::index::{AgentIndex, CellIndex};
use super::places::Claim;
use super::rank::Rank;
use super::{Crowd, CrowdTime};

/// The cells of a square, by its north-western cell.
#[inline]
pub(super) fn square(at: CellIndex, side: usize, stride: usize) -> impl Iterator<Item = CellIndex> + Clone + use<> {
    (0..side).flat_map(move |y| (0..side).map(move |x| CellIndex::new(at.get() + y * stride + x)))
}

/// Whether a cell is in a square.
fn is_in_square(at: CellIndex, side: usize, stride: usize, cell: CellIndex) -> bool {
    let [(x, y), (left, top)] = [cell, at].map(|cell| (cell.get() % stride, cell.get() / stride));
    (left..left + side).contains(&x) && (top..top + side).contains(&y)
}

impl Board {
    /// The number of columns, and of rows, of cells that an agent takes up.
    #[inline]
    pub(super) fn side(&self, agent: AgentIndex) -> usize {
        self.land.side(self.agents[agent].kind)
    }

    /// Whether an agent takes up more than one cell.
    #[inline]
    pub(super) fn is_large(&self, agent: AgentIndex) -> bool {
        self.land.has_large_kinds() && self.side(agent) > 1
    }

    /// The cells that an agent takes up when it is in a cell.
    #[inline]
    pub(super) fn square(&self, agent: AgentIndex, at: CellIndex) -> impl Iterator<Item = CellIndex> + use<> {
        let side = if self.land.has_large_kinds() { self.side(agent) } else { 1 };
        square(at, side, self.grid().stride())
    }

    /// Whether an agent in a cell takes up another one.
    pub(super) fn covers(&self, agent: AgentIndex, at: CellIndex, other: CellIndex) -> bool {
        is_in_square(at, self.side(agent), self.grid().stride(), other)
    }

    /// The cells that an agent has to enter for a step.
    pub(super) fn entered_cells(
        &self,
        agent: AgentIndex,
        to: CellIndex,
    ) -> impl Iterator<Item = CellIndex> + Clone + use<> {
        let (at, side, stride) = (self.agents[agent].at, self.side(agent), self.grid().stride());
        square(to, side, stride).filter(move |&cell| !is_in_square(at, side, stride, cell))
    }

    /// How far an agent still has to go from a cell to be out of the cells for which edits wait: the number of steps,
    /// summed over these cells.
    fn steps_out_of_edits(&self, agent: AgentIndex, at: CellIndex) -> i64 {
        let side = self.side(agent) as i64;
        let depth = |cell: CellIndex| {
            let (x, y) = self.cell(cell) - self.cell(at);
            let (x, y) = (i64::from(x), i64::from(y));
            (x + 1).min(y + 1).min(side - x).min(side - y)
        };
        self.square(agent, at).filter(|&cell| self.places.claim(cell) == Claim::Edit).map(depth).sum()
    }
}

impl Crowd {
    /// Lets a large agent step towards its goal, and all that have to make way for it. Returns whether it does.
    pub(super) fn go_on_large(&mut self, agent: AgentIndex) -> bool {
        let choices = Choices::of(&self.board, agent, None, Towards::Goal);
        let rank = self.board.rank(agent);
        choices.iter().any(|choice| self.step_large(agent, choice, rank))
    }

    /// Lets a large agent in a jam take the next step of its script, if its turn has come. Returns whether it does.
    pub(super) fn take_turn_large(&mut self, agent: AgentIndex) -> bool {
        let choices = Choices::of(&self.board, agent, None, Towards::Aside);
        let rank = self.board.rank(agent);
        choices.iter().any(|choice| self.step_large(agent, choice, rank))
    }

    /// Lets a large agent make room for an edit or for an agent of this rank, if it can.
    pub(super) fn step_aside_large(&mut self, agent: AgentIndex, pusher: Option<AgentIndex>, rank: Rank) {
        let choices = Choices::of(&self.board, agent, pusher, Towards::Aside);
        let choices = choices.sorted_by_key(|choice| self.board.steps_out_of_edits(agent, choice.to));
        choices.iter().any(|choice| self.step_large(agent, choice, rank));
    }

    /// Lets a large agent make way for one that cannot go on and has a higher rank.
    pub(super) fn ask_large_to_make_way(&mut self, agent: AgentIndex) {
        let board = &self.board;
        if !board.land.has_large_kinds() {
            return;
        }
        let Some(best) = Choices::of(board, agent, None, Towards::Goal).get(0) else { return };
        let rank = board.rank(agent);
        let is_asked = |other: &AgentIndex| {
            let entry = &board.agents[*other];
            board.is_large(*other)
                && entry.is_idle()
                && entry.hold == Hold::No
                && !entry.is_in_jam()
                && board.rank(*other) < rank
        };
        let other = board.entered_cells(agent, best.to).filter_map(|cell| board.places.agent(cell)).find(is_asked);
        if let Some(other) = other {
            self.step_aside_large(other, Some(agent), rank);
        }
    }

    /// Lets a large agent take a step, if all in its way can leave or have a lower rank than this and can make way.
    /// Returns whether it does.
    fn step_large(&mut self, agent: AgentIndex, choice: Choice, rank: Rank) -> bool {
        let Self { board, jams, .. } = self;
        let cells = board.entered_cells(agent, choice.to);
        let membership = board.agents[agent].membership;
        let may_enter = match membership {
            Some(_) => jams.may_enter(membership, choice.to),
            None => cells.clone().all(|cell| jams.may_enter(None, cell)),
        };
        let can_enter = |cell: CellIndex| {
            let makes_way = |other: AgentIndex| {
                let entry = &board.agents[other];
                let is_below = entry.hold == Hold::No && !entry.is_in_jam() && board.rank(other) < rank;
                !entry.is_idle() || is_below && !board.is_large(other)
            };
            board.places.claim(cell) == Claim::None && board.places.agent(cell).is_none_or(makes_way)
        };
        let at = board.agents[agent].at;
        let mut parts = board.square(agent, at).zip(board.square(agent, choice.to));
        if !may_enter || parts.any(|(from, to)| board.is_crossed(from, to)) || !cells.clone().all(can_enter) {
            return false;
        }
        // So that nobody makes way into these cells.
        for cell in cells.clone() {
            board.places.set_claim(cell, Claim::Agent(agent));
        }
        let mut free_at = self.board.now + choice.duration.half();
        for cell in cells.clone() {
            match self.make_way(cell, rank) {
                Some(time) => free_at = free_at.max(time),
                None => {
                    cells.for_each(|cell| self.board.places.set_claim(cell, Claim::None));
                    return false;
                }
            }
        }
        self.begin_step(agent, choice.to, free_at, choice.duration);
        true
    }

    /// Lets the agent in a cell make way for one of this rank. Returns when the cell will be free; `None` if it cannot.
    fn make_way(&mut self, cell: CellIndex, rank: Rank) -> Option<CrowdTime> {
        let board = &mut self.board;
        let Some(other) = board.places.agent(cell) else { return Some(board.now) };
        if board.agents[other].is_idle() {
            board.agents.begin_decision();
            let aside = Choices::of(board, other, None, Towards::Aside);
            let link = Link::new(board, other, aside);
            let end = self.chain.find_below(board, &self.jams, link, rank)?;
            self.move_chain(end);
        }
        let free_at = self.board.agents[other].movement?.free_at(self.board.now);
        // It may stand still in the middle of its step.
        Some(free_at).filter(|&free_at| free_at != CrowdTime::NEVER)
    }
}
