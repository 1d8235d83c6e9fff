//! How a crowd moves: [`Crowd::pass`] is the entry. Time goes from one entry of the agenda to the next. An agent whose
//! step has ended arrives or decides its next step, and all that decide at one time do so in the order of their ranks.

use super::agenda::Entry;
use super::agents::{Activity, Movement};
use super::chain::{End, Link, Push};
use super::choices::{Choices, Towards};
use super::index::{AgentIndex, CellIndex};
use super::places::Claim;
use super::{Crowd, CrowdEvent, CrowdTime, OnArrival, Step};
use crate::RouteCost;
use crate::grid::Direction;

/// The longest time that passes in one call of [`Crowd::advance`].
const LONGEST: CrowdTime = CrowdTime::from_whole_seconds(3600);
/// An agent whose turn in a jam has come, but that cannot move, tries again after this time. With 0.5 s or 2 s instead,
/// all crowds move in the same way.
const RETRY_AFTER: CrowdTime = CrowdTime::SECOND;
/// An agent that has not come nearer to its goal for this long goes back. With 1 s instead, 200 agents take 163 s
/// instead of 136 s through a corridor of width 1.
const GOES_BACK_AFTER: CrowdTime = CrowdTime::from_whole_seconds(2);
/// For how long it makes way for all others then. With 3 s or 20 s instead, they take 150 s or 156 s.
const YIELDS_FOR: CrowdTime = CrowdTime::from_whole_seconds(8);

impl Crowd {
    /// Lets all agents decide, and then time pass.
    pub(super) fn pass(&mut self, duration: CrowdTime) {
        self.search();
        self.decide_all();
        let end = self.board.now + duration.min(LONGEST);
        while let Some(time) = self.board.agenda.next_time().filter(|&time| time <= end) {
            self.board.now = time;
            while let Some(entry) = self.board.agenda.take_due(time) {
                match entry {
                    Entry::Agent(agent) => self.wake(agent),
                    Entry::Beat => self.beat(),
                    Entry::Slice => {}
                }
            }
            self.search();
            self.decide_all();
        }
        self.board.now = end;
    }

    /// Does a part of the work that may take long or has to wait: edits, the repair of guides, and jams.
    fn beat(&mut self) {
        self.edits.apply(&mut self.board, &mut self.jams);
        for k in 0..self.edits.in_way.len() {
            self.step_aside(self.edits.in_way[k]);
        }
        let is_current = self.board.catch_up();
        self.jams.resolve(&mut self.board);
        if !self.edits.is_empty() || !is_current || !self.jams.is_empty() {
            self.board.agenda.add_beat(self.board.now);
        }
    }

    /// Lets an agent that is due end its step, and then arrive, set out again because it was pushed out of its goal, or
    /// decide its next step.
    fn wake(&mut self, agent: AgentIndex) {
        // An entry with another time than the agent's own is outdated.
        if self.board.agents.get(agent).is_none_or(|entry| entry.due != self.board.now) {
            return;
        }
        self.board.agents[agent].due = CrowdTime::NEVER;
        if self.board.agents[agent].movement.is_some_and(|movement| self.board.now < movement.step.end) {
            // It was held up and is half-way now, or it stands still.
            self.board.update_step(agent);
            self.board.settle(agent);
            return;
        }
        let has_moved = self.end_step(agent);
        self.board.settle(agent);
        if let Some(other) = self.board.agents[agent].follows {
            self.catch_up_with(agent, other);
        }
        if let Some(order) = self.board.agents[agent].unreachable() {
            self.look_for_places(order);
        }
        let entry = &self.board.agents[agent];
        if entry.guide.is_none() {
            return;
        }
        if self.board.cost_to_goal(agent, entry.at) == 0 {
            if entry.arrived == Some(self.board.now) {
                // Its next goal is where it is, perhaps again and again.
                self.board.schedule(agent, self.board.now + CrowdTime::SECOND);
            } else if has_moved || entry.is_travelling() {
                self.arrive(agent);
            }
            if self
                .board
                .agents
                .get(agent)
                .is_some_and(|entry| entry.follows.is_some() || entry.unreachable().is_some())
            {
                self.board.schedule(agent, self.board.now + CrowdTime::SECOND);
            }
        } else {
            if entry.activity == Activity::Resting {
                self.board.set_out(agent, self.board.now);
            }
            self.board.call(agent);
        }
    }

    /// Ends the step of an agent, if it was taking one. Returns whether it was.
    fn end_step(&mut self, agent: AgentIndex) -> bool {
        let Self { board, edits, jams, .. } = self;
        let Some(movement) = board.agents[agent].movement.take() else { return false };
        let from = std::mem::replace(&mut board.agents[agent].at, movement.to);
        board.square(agent, from).for_each(|cell| board.places.take(agent, cell));
        for cell in board.square(agent, movement.to) {
            board.places.put(agent, cell);
            board.places.set_claim(cell, edits.claim(cell));
        }
        board.call_around(agent, movement.to, Some(agent));
        board.look_around(agent, movement.to);
        jams.end_step(board, agent);
        true
    }

    fn arrive(&mut self, agent: AgentIndex) {
        let entry = &mut self.board.agents[agent];
        entry.activity = Activity::Resting;
        entry.arrived = Some(self.board.now);
        let at = entry.at;
        let on_arrival = entry.on_arrival;
        let event =
            CrowdEvent::Arrived { agent: self.board.agents.id(agent), at: self.board.cell(at), time: self.board.now };
        self.board.events.push(event);
        match on_arrival {
            OnArrival::Leave => self.leave(agent),
            OnArrival::Stay => self.begin_next_order(agent),
        }
    }

    /// Takes an agent off the map that takes no step.
    pub(super) fn leave(&mut self, agent: AgentIndex) {
        let Self { board, jams, queues, .. } = self;
        queues.clear(agent);
        board.end_to_hold(agent);
        board.forget_goal(agent);
        jams.leave(board, agent);
        let (id, at) = (board.agents.id(agent), board.agents[agent].at);
        board.square(agent, at).for_each(|cell| board.places.take(agent, cell));
        board.events.push(CrowdEvent::Left { agent: id, at: board.cell(at), time: board.now });
        let cells = board.square(agent, at);
        board.agents.vacate(agent);
        cells.for_each(|cell| board.call_neighbours(cell, None));
    }

    /// Lets all agents that have been called decide, in the order of ranks.
    fn decide_all(&mut self) {
        while let Some(agent) = self.board.agenda.take_deciding() {
            // Others have left since.
            if self.board.agents.get(agent).is_some_and(|agent| agent.is_deciding) {
                self.decide(agent);
            }
        }
    }

    /// Lets an agent decide, and all agents that have to make way for it.
    fn decide(&mut self, agent: AgentIndex) {
        let entry = &mut self.board.agents[agent];
        entry.is_deciding = false;
        if self.board.is_still(agent) {
            return;
        }
        let entry = &self.board.agents[agent];
        if entry.is_in_jam() {
            self.follow_script(agent);
            return;
        }
        let at = entry.at;
        if entry.guide.is_none() || !entry.is_idle() || !entry.is_travelling() {
            return;
        }
        if self.board.cost_to_goal(agent, at) == u64::MAX {
            // Unless it waits for another route.
            if self.board.agents[agent].request.is_none() {
                self.board.wait_for_route(agent);
            }
            return;
        }
        if self.jams.begin_if_stuck(&mut self.board, agent) {
            return;
        }
        let moves = match self.board.is_large(agent) {
            true => self.go_on_large(agent),
            false => self.go_on(agent) || self.go_back(agent),
        };
        if !moves {
            self.ask_large_to_make_way(agent);
            let step_here = RouteCost::from_units(self.board.ground(agent).grid.entry_units()[at.get()].into());
            self.board.schedule(agent, self.board.now + self.board.duration(agent, step_here));
        }
    }

    /// Lets an agent in a jam take the next step of its script.
    fn follow_script(&mut self, agent: AgentIndex) {
        let entry = &self.board.agents[agent];
        let has_script = entry.membership.is_some_and(|membership| self.jams.has_script(membership));
        if !has_script || !entry.is_idle() {
            return;
        }
        let moves = if self.board.is_large(agent) { self.take_turn_large(agent) } else { self.go_on(agent) };
        if !moves {
            self.board.schedule(agent, self.board.now + RETRY_AFTER);
        }
    }

    /// Lets an agent move, and all that have to make way for it. Returns whether it does.
    fn go_on(&mut self, agent: AgentIndex) -> bool {
        self.board.agents.begin_decision();
        let link = Link::towards_goal(&mut self.board, agent, None);
        let end = self.chain.find(&mut self.board, &self.jams, link, Push::Below);
        end.map(|end| self.move_chain(end)).is_some()
    }

    /// Lets an agent make room for an edit, if it can.
    fn step_aside(&mut self, agent: AgentIndex) {
        let board = &mut self.board;
        if board.is_large(agent) {
            let rank = board.rank(agent);
            if board.agents[agent].is_idle() {
                self.step_aside_large(agent, None, rank);
            }
            return;
        }
        // Others may have pushed it since it was asked.
        if board.agents[agent].is_idle() {
            board.agents.begin_decision();
            let aside = Choices::of(board, agent, None, Towards::Aside);
            let link = Link::new(board, agent, aside);
            if let Some(end) = self.chain.find(board, &self.jams, link, Push::Below) {
                self.move_chain(end);
            }
        }
    }

    /// Lets an agent go back that cannot go on, because another one wants to come out and there is no room behind that
    /// one. Agents that queue behind it go back, too, whatever their rank, and the one that comes out follows: whoever
    /// comes out of a full room has the door. Returns whether the agent goes back.
    fn go_back(&mut self, agent: AgentIndex) -> bool {
        let board = &mut self.board;
        if board.waited(agent) < GOES_BACK_AFTER {
            return false;
        }
        let at = board.agents[agent].at;
        let ahead = Choices::of(board, agent, None, Towards::Goal);
        let comes_out =
            |&other: &AgentIndex| board.agents[other].is_idle() && !board.is_large(other) && board.wants(other, at);
        let Some(other) = ahead.cells().filter_map(|cell| board.places.agent(cell)).find(comes_out) else {
            return false;
        };

        board.agents.begin_decision();
        let back = Choices::of(board, agent, None, Towards::Elsewhere);
        let link = Link::new(board, agent, back);
        let Some(end) = self.chain.find(board, &self.jams, link, Push::Queue) else { return false };
        self.move_chain(end);
        let board = &mut self.board;
        let yields_until = board.now + YIELDS_FOR;
        board.agents[agent].yields_until = yields_until;
        for pair in self.chain.links.windows(2) {
            let (before, behind) = (&pair[0], &pair[1]);
            if board.wants(behind.agent, before.at) {
                board.agents[behind.agent].yields_until = yields_until;
            }
        }
        if let Some(movement) = board.agents[agent].movement {
            self.pull(other, at, movement.middle);
        }
        true
    }

    /// Lets all agents of the chain move: the last one first, as the others follow it.
    pub(super) fn move_chain(&mut self, end: End) {
        let links = std::mem::take(&mut self.chain.links);
        let now = self.board.now;
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
                let free_at = self.board.agents[link.agent].movement.map_or(now, |movement| movement.middle);
                self.pull(follower, link.at, free_at);
            }
        }
        self.chain.links = links;
    }

    /// Lets an agent follow into the cell `to` that another one leaves, so that the two come closer to changing places.
    fn pull(&mut self, agent: AgentIndex, to: CellIndex, free_at: CrowdTime) {
        let board = &self.board;
        let entry = &board.agents[agent];
        let from = entry.at;
        if !entry.is_idle()
            || board.is_still(agent)
            || !board.can_claim(from, to)
            || !self.jams.may_enter(entry.membership, to)
        {
            return;
        }
        if let Some(cost) = board.ground(agent).step_units(from, to).map(RouteCost::from_units) {
            let duration = board.duration(agent, cost);
            let middle = free_at.max(board.now + duration.half());
            self.begin_step(agent, to, middle, duration);
        }
    }

    pub(super) fn begin_step(&mut self, agent: AgentIndex, to: CellIndex, middle: CrowdTime, duration: CrowdTime) {
        let Self { board, jams, .. } = self;
        let start = middle - duration.half();
        let from = board.agents[agent].at;
        let step = Step { from: board.cell(from), to: board.cell(to), start, end: start + duration };
        let movement = Movement { to, step, middle, is_held_up: false, changed: board.now };
        let entry = &mut board.agents[agent];
        entry.movement = Some(movement);
        entry.facing = Direction::from_offset(step.to - step.from);
        jams.begin_step(entry.membership, board.now);
        board.square(agent, to).for_each(|cell| board.places.set_claim(cell, Claim::Agent(agent)));
        board.events.push(CrowdEvent::Step { agent: board.agents.id(agent), step });
        board.schedule(agent, step.end);
        board.call_around(agent, from, None);
    }
}
