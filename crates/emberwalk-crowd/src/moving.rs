//! How a crowd moves: [`Crowd::pass`] is the entry. Time goes from one entry of the agenda to the next. An agent whose
//! step has ended arrives or decides its next step, and agents that decide at the same time do so in the order of their
//! ranks.

use super::board::{Agent, Entry, Rank};
use super::index::{AgentIndex, CellIndex};
use super::making_way::chain::{End, Push};
use super::making_way::choices::{Choices, Towards};
use super::{Crowd, OnArrival};
use emberwalk_path::RouteCost;
use emberwalk_path::time::CrowdTime;

/// The longest time that passes in one call of [`Crowd::advance`].
const LONGEST: CrowdTime = CrowdTime::from_whole_seconds(3600);
/// An agent in a jam that cannot move in its turn tries again after this time. With 0.5 s or 2 s instead, all crowds
/// move in the same way.
const RETRY_AFTER: CrowdTime = CrowdTime::SECOND;
/// An agent that has not come nearer to its goal for this long goes back. With 1 s instead, 200 agents take 163 s
/// instead of 136 s through a corridor of width 1.
const GOES_BACK_AFTER: CrowdTime = CrowdTime::from_whole_seconds(2);
/// For how long it then makes way for all others. With 3 s or 20 s instead, they take 150 s or 156 s.
const YIELDS_FOR: CrowdTime = CrowdTime::from_whole_seconds(8);

impl Crowd {
    /// Lets all agents decide, and then time pass.
    pub(super) fn pass(&mut self, duration: CrowdTime) {
        let end = self.board.now() + duration.min(LONGEST);
        self.edits.find_exits(&mut self.board);
        loop {
            self.board.revise_passing();
            self.search();
            while let Some(agent) = self.board.take_deciding() {
                self.decide(agent);
            }
            if !self.board.pass_until(end) {
                return;
            }
            while let Some(entry) = self.board.take_due() {
                match entry {
                    Entry::Agent(agent) => self.wake(agent),
                    Entry::Beat => self.beat(),
                    Entry::Slice => {}
                    Entry::Fading => self.board.fade(),
                    Entry::Announced => self.make_announced(),
                }
            }
        }
    }

    /// Does a slice of the work that may take long or has to wait: edits, the repair of guides, and jams.
    fn beat(&mut self) {
        self.edits.apply(&mut self.board, &mut self.jams);
        while let Some(agent) = self.edits.take_in_way() {
            self.step_aside(agent);
        }
        let is_current = self.board.catch_up();
        self.jams.resolve(&mut self.board);
        if !self.edits.is_empty() || !is_current || !self.jams.is_empty() {
            self.board.add_beat();
        }
    }

    /// Lets an agent that is due end its step, and then arrive, set out again because it was pushed out of its goal, or
    /// decide its next step.
    fn wake(&mut self, agent: AgentIndex) {
        if !self.board.wakes(agent) {
            return;
        }
        if let Some(movement) = self.board[agent].movement().filter(|movement| self.board.now() < movement.step.end) {
            if movement.is_held_up && movement.step.stands_still() {
                self.jams.tell_held_up(&mut self.board, agent);
                return;
            }
            // It was held up and is half-way now, or it stands still.
            self.board.update_step(agent);
            self.board.settle(agent);
            return;
        }
        let Self { board, edits, jams, .. } = self;
        let has_moved = board.end_step(agent, |cell| edits.claim(cell));
        if has_moved && !board[agent].passes() {
            jams.end_step(board, agent);
        }
        board.settle(agent);
        if board.go_along_itinerary(agent, has_moved) {
            return;
        }
        if let Some(relation) = self.board[agent].relation() {
            self.keep_up(agent, relation);
        }
        if let Some(order) = self.board[agent].wants_other_place() {
            self.look_for_places(order);
        }
        let board = &mut self.board;
        let entry = &board[agent];
        if entry.guide().is_none() {
            return;
        }
        if board.cost_to_goal(agent, entry.at()) != 0 && !board.is_at_end_of_course(agent) {
            if !board.rests_on(agent) && board[agent].is_resting() {
                board.set_out(agent, board.now());
            }
            board.call(agent);
            return;
        }
        let looks_again = board.now() + CrowdTime::SECOND;
        if board.has_just_arrived(agent) {
            board.schedule(agent, looks_again);
        } else if !board.may_rest_here(agent) {
            board.miss(agent);
        } else if has_moved || entry.is_travelling() || entry.relation().is_some() && !entry.was_there() {
            self.arrive(agent);
        }
        if self.board.get(agent).is_some_and(Agent::looks_while_resting) {
            self.board.schedule(agent, looks_again);
        }
    }

    fn arrive(&mut self, agent: AgentIndex) {
        self.board.arrive(agent);
        match self.board[agent].on_arrival() {
            OnArrival::Leave => self.leave(agent),
            OnArrival::Stay => self.begin_next_order(agent),
        }
    }

    /// Takes an agent that takes no step off the map.
    pub(super) fn leave(&mut self, agent: AgentIndex) {
        let Self { board, jams, queues, .. } = self;
        queues.clear(agent);
        board.end_to_hold(agent);
        board.forget_goal(agent);
        jams.leave(board, agent);
        board.remove(agent);
    }

    /// Lets an agent decide, and with it all agents that have to make way for it.
    fn decide(&mut self, agent: AgentIndex) {
        let Self { board, jams, .. } = self;
        if board.is_still(agent) {
            return;
        }
        let entry = &board[agent];
        if entry.is_in_jam() {
            self.follow_script(agent);
            return;
        }
        if !entry.is_travelling() && board.comes_out(agent) {
            self.step_aside(agent);
            return;
        }
        let at = entry.at();
        if entry.guide().is_none() || !entry.is_idle() || !entry.is_travelling() {
            return;
        }
        let passes = entry.passes();
        if passes && board.step_on(agent) {
            return;
        }
        if passes || board.cost_to_goal(agent, at) == u64::MAX {
            // Unless it waits for another route.
            if !board[agent].is_searching() && !self.finds_other_place(agent) {
                self.board.wait_for_route(agent);
            }
            return;
        }
        if jams.begin_if_stuck(board, agent) {
            return;
        }
        let moves = match board.is_large(agent) {
            true => self.go_on_large(agent, Towards::Goal),
            false => self.go(agent, Towards::Goal, Push::Below, None) || self.go_back(agent),
        };
        if !moves && self.board.comes_out(agent) {
            self.step_aside(agent);
        }
        if self.board[agent].is_idle() {
            self.ask_large_to_make_way(agent, Towards::Goal);
            let Self { board, jams, .. } = self;
            jams.tell_if_stuck(board, agent);
            let step_here = RouteCost::from_units(board.ground(agent).grid.entry_units()[at.get()].into());
            board.schedule(agent, board.now() + board.duration(agent, step_here));
        }
    }

    /// Lets an agent in a jam take the next step of its script.
    fn follow_script(&mut self, agent: AgentIndex) {
        let entry = &self.board[agent];
        let has_script = entry.membership().is_some_and(|membership| self.jams.has_script(membership));
        if !has_script || !entry.is_idle() {
            return;
        }
        let moves = if self.board.is_large(agent) {
            self.go_on_large(agent, Towards::Aside)
        } else {
            self.go(agent, Towards::Goal, Push::Below, None)
        };
        if !moves {
            self.board.schedule(agent, self.board.now() + RETRY_AFTER);
        }
    }

    /// Lets an agent move, and with it all agents that have to make way for it, or for an agent of this rank. Returns
    /// whether it moves.
    pub(super) fn go(&mut self, agent: AgentIndex, towards: Towards, push: Push, rank: Option<Rank>) -> bool {
        let Self { board, jams, chain, .. } = self;
        let end = chain.find(board, jams, agent, towards, push, rank);
        end.map(|end| self.move_chain(end)).is_some()
    }

    /// Lets an agent make room for an edit, if it can.
    fn step_aside(&mut self, agent: AgentIndex) {
        // Others may have pushed it since it was asked.
        if !self.board[agent].is_idle() {
            return;
        }
        let moves = match self.board.is_large(agent) {
            true => self.step_aside_large(agent, None, self.board.rank(agent)),
            false => self.go(agent, Towards::Aside, Push::Below, None),
        };
        if !moves {
            self.ask_large_to_make_way(agent, Towards::Aside);
        }
    }

    /// Lets an agent back off if it blocks another agent that must come out and cannot retreat. Agents that queue
    /// behind it back off, too, whatever their rank, and the other agent follows: agents that leave a full room have
    /// priority at the door. Returns whether the agent backs off.
    fn go_back(&mut self, agent: AgentIndex) -> bool {
        let board = &self.board;
        if board.waited(agent) < GOES_BACK_AFTER {
            return false;
        }
        let at = board[agent].at();
        let ahead = Choices::of(board, agent, None, Towards::Goal);
        let comes_out =
            |&other: &AgentIndex| board[other].is_idle() && !board.is_large(other) && board.wants(other, at);
        let Some(other) = ahead.cells().filter_map(|cell| board.agent_in(cell)).find(comes_out) else {
            return false;
        };
        if !self.go(agent, Towards::Elsewhere, Push::Queue, None) {
            return false;
        }
        let board = &mut self.board;
        let yields_until = board.now() + YIELDS_FOR;
        board.yield_until(agent, yields_until);
        for pair in self.chain.links.windows(2) {
            let (before, behind) = (&pair[0], &pair[1]);
            if board.wants(behind.agent, before.at) {
                board.yield_until(behind.agent, yields_until);
            }
        }
        if let Some(movement) = board[agent].movement() {
            self.pull(other, at, movement.middle);
        }
        true
    }

    /// Lets all agents of the chain move, the last first, as the others follow it.
    pub(super) fn move_chain(&mut self, end: End) {
        let links = std::mem::take(&mut self.chain.links);
        let now = self.board.now();
        let steps = || links.iter().filter_map(|link| Some((link, link.step()?)));
        let mut free_at = match end {
            End::Free(free_at) => free_at,
            End::Circle => steps().map(|(_, choice)| now + choice.duration.half()).max().unwrap_or(now),
        };
        for (link, choice) in steps().rev() {
            free_at = free_at.max(now + choice.duration.half());
            self.begin_step(link.agent, choice.to, free_at, choice.duration);
        }
        for link in &links {
            if let Some(follower) = link.follower() {
                let free_at = self.board[link.agent].movement().map_or(now, |movement| movement.middle);
                self.pull(follower, link.at, free_at);
            }
        }
        self.chain.links = links;
    }

    /// Lets an agent follow into the cell `to` that another agent leaves, so that the two come closer to changing
    /// places.
    fn pull(&mut self, agent: AgentIndex, to: CellIndex, free_at: CrowdTime) {
        let board = &self.board;
        let entry = &board[agent];
        let from = entry.at();
        if !entry.is_idle()
            || board.is_still(agent)
            || !board.can_claim(agent, to)
            || !self.jams.may_enter(entry.membership(), to)
        {
            return;
        }
        if let Some(cost) = board.ground(agent).step_cost(from, to) {
            let duration = board.duration(agent, cost);
            let middle = free_at.max(board.now() + duration.half());
            self.begin_step(agent, to, middle, duration);
        }
    }

    pub(super) fn begin_step(&mut self, agent: AgentIndex, to: CellIndex, middle: CrowdTime, duration: CrowdTime) {
        self.jams.begin_step(self.board[agent].membership(), self.board.now());
        self.board.begin_step(agent, to, middle, duration);
    }
}
