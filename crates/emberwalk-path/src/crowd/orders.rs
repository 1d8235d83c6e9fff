//! The orders that agents get: where they go, what they do afterwards, and who stays where it is.

use std::collections::{HashMap, VecDeque};

use super::agents::{Activity, Progress};
use super::goal::Target;
use super::hash::hash_of;
use super::index::{AgentIndex, GuideIndex};
use super::{AgentId, Crowd, CrowdTime, Goal, OnArrival, SENT_TOGETHER};

/// The orders that agents will follow after the present one.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Queues {
    queues: HashMap<AgentIndex, Queue>,
    /// The sum of the hashes of all orders.
    hash: u64,
}

#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Queue {
    orders: VecDeque<Order>,
    /// Whether an order that is begun is added again, as the last one.
    repeats: bool,
    /// How many orders have been added.
    added: u64,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Order {
    goal: Goal,
    on_arrival: OnArrival,
    /// A hash of it, of its agent and of its number in the queue.
    hash: u64,
}

impl Queues {
    /// Forgets the orders of an agent.
    pub(super) fn clear(&mut self, agent: AgentIndex) {
        let queue = self.queues.remove(&agent).unwrap_or_default();
        queue.orders.iter().for_each(|order| self.hash = self.hash.wrapping_sub(order.hash));
    }

    /// Adds an order, as the last one.
    fn add(&mut self, agent: AgentIndex, goal: Goal, on_arrival: OnArrival) {
        let queue = self.queues.entry(agent).or_default();
        queue.added += 1;
        let hash = hash_of([agent.get() as u64, queue.added, goal.hash(), on_arrival as u64]);
        queue.orders.push_back(Order { goal, on_arrival, hash });
        self.hash = self.hash.wrapping_add(hash);
    }

    /// Takes the next order of an agent.
    pub(super) fn next(&mut self, agent: AgentIndex) -> Option<(Goal, OnArrival)> {
        let queue = self.queues.get_mut(&agent)?;
        let Order { goal, on_arrival, hash } = queue.orders.pop_front()?;
        self.hash = self.hash.wrapping_sub(hash);
        if queue.repeats {
            self.add(agent, goal.clone(), on_arrival);
        } else if queue.orders.is_empty() {
            self.queues.remove(&agent);
        }
        Some((goal, on_arrival))
    }

    /// A hash of all orders.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }
}

impl Crowd {
    /// Sends an agent to a goal, in place of all orders that it had. It ends the step that it is taking, and then goes
    /// there.
    ///
    /// If the goal is blocked, off the map or unreachable, the agent stays where it is, makes way for others, and looks
    /// for a route every second. An agent that is not on the map any more is left alone.
    ///
    /// An agent that is already on the way to this goal just goes on, so it costs nothing to repeat an order in every tick.
    ///
    /// It takes as long as a search for the route, see [`prepare`](Self::prepare), or O(cells) where agents begin to
    /// share this goal.
    pub fn send(&mut self, agent: AgentId, goal: impl Into<Goal>, on_arrival: OnArrival) {
        if let Some(agent) = self.board.agents.find(agent) {
            self.queues.clear(agent);
            self.begin_order(agent, &goal.into(), on_arrival);
        }
    }

    /// Sends an agent to a goal after it has arrived at the goals that it has; immediately if it has none.
    ///
    /// ```
    /// use emberwalk_path::crowd::{Crowd, CrowdEvent, CrowdTime, OnArrival, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// let grid = CostGrid::from_fn(Size::new(5, 1), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let agent = crowd.add(Cell::new(2, 0))?;
    /// crowd.send(agent, Cell::new(0, 0), OnArrival::Stay);
    /// crowd.then(agent, Cell::new(4, 0), OnArrival::Leave);
    /// let events = crowd.advance(CrowdTime::from_seconds(6.0));
    /// let goals = events.iter().filter_map(|event| match event {
    ///     CrowdEvent::Arrived { at, .. } => Some(at.x),
    ///     _ => None,
    /// });
    /// assert_eq!(goals.collect::<Vec<_>>(), [0, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn then(&mut self, agent: AgentId, goal: impl Into<Goal>, on_arrival: OnArrival) {
        let Some(agent) = self.board.agents.find(agent) else { return };
        // One that was sent to where it stands has not arrived yet: it still travels.
        let entry = &self.board.agents[agent];
        let has_arrived = self.board.has_arrived(agent) && !entry.is_travelling();
        if (entry.last_guide().is_none() || has_arrived) && !self.queues.queues.contains_key(&agent) {
            self.begin_order(agent, &goal.into(), on_arrival);
        } else {
            self.queues.add(agent, goal.into(), on_arrival);
        }
    }

    /// Lets an agent go from goal to goal, and then from the first one again, until it gets another order.
    ///
    /// Equal goals that follow one another count as one. An agent with a single goal goes there and stays, and without
    /// goals it [stops](Self::stop).
    pub fn patrol<G: Into<Goal>>(&mut self, agent: AgentId, goals: impl IntoIterator<Item = G>) {
        let mut goals: Vec<Goal> = goals.into_iter().map(Into::into).collect();
        goals.dedup();
        if goals.len() > 1 && goals.first() == goals.last() {
            goals.pop();
        }
        match goals.len() {
            0 => self.stop(agent),
            1 => goals.into_iter().for_each(|goal| self.send(agent, goal, OnArrival::Stay)),
            _ => self.repeat(agent, goals),
        }
    }

    fn repeat(&mut self, agent: AgentId, goals: Vec<Goal>) {
        let Some(agent) = self.board.agents.find(agent) else { return };
        self.queues.clear(agent);
        self.queues.queues.insert(agent, Queue { repeats: true, ..Queue::default() });
        goals.into_iter().for_each(|goal| self.queues.add(agent, goal, OnArrival::Stay));
        self.begin_next_order(agent);
    }

    /// Takes all orders away from an agent. It ends the step that it is taking, and then stays and makes way for
    /// others.
    pub fn stop(&mut self, agent: AgentId) {
        if let Some(agent) = self.board.agents.find(agent) {
            self.give_up(agent);
        }
    }

    /// Lets an agent stay where it is, or where its step leads, and make way for nobody until it gets another order: a
    /// guard in a gate. After four seconds, others count its cell as nearly impassable, and go round it if a way of up
    /// to 256 tiles more leads to their goals.
    ///
    /// An [edit](Self::set) that waits for the agent does so until it has another order.
    pub fn hold(&mut self, agent: AgentId) {
        let Some(agent) = self.board.agents.find(agent) else { return };
        self.give_up(agent);
        self.board.tell_to_hold(agent, true);
    }

    pub(super) fn give_up(&mut self, agent: AgentIndex) {
        let Self { board, jams, queues, .. } = self;
        queues.clear(agent);
        board.tell_to_hold(agent, false);
        board.forget_goal(agent);
        jams.leave(board, agent);
        board.agents[agent].activity = Activity::Resting;
    }

    /// Begins the next order of an agent that has arrived, if it has one.
    pub(super) fn begin_next_order(&mut self, agent: AgentIndex) {
        if let Some((goal, on_arrival)) = self.queues.next(agent) {
            self.begin_order(agent, &goal, on_arrival);
        }
    }

    fn begin_order(&mut self, agent: AgentIndex, goal: &Goal, on_arrival: OnArrival) {
        let side = self.board.side(agent);
        let (target, follows) = match goal {
            &Goal::Cell(cell) => (Target::One(cell), None),
            Goal::AnyOf(cells) => (Target::any_of(cells.clone()), None),
            &Goal::Beside(cell) => (Target::beside(cell, 1, side), None),
            &Goal::Follow(other) if other == self.board.agents.id(agent) => {
                (Target::One(self.board.cell(self.board.agents[agent].next_cell())), None)
            }
            // Since when it has followed the other one, it looks for it by itself.
            &Goal::Follow(other) if self.is_under_way(agent, None, Some(other), on_arrival) => return,
            &Goal::Follow(other) => (self.beside(other, side), Some(other)),
        };
        if !self.is_under_way(agent, Some(&target), follows, on_arrival) {
            self.begin(agent, target, on_arrival);
            self.board.agents[agent].follows = follows;
        }
    }

    /// Whether an agent has such an order already, and has not arrived: then to give it again changes nothing. Without a
    /// target any one will do.
    pub(super) fn is_under_way(
        &self,
        agent: AgentIndex,
        target: Option<&Target>,
        follows: Option<AgentId>,
        on_arrival: OnArrival,
    ) -> bool {
        let board = &self.board;
        let entry = &board.agents[agent];
        let has_target = |guide| target.is_none_or(|target| board.guides_of(agent).goal(guide) == target);
        (entry.follows, entry.last_on_arrival(), entry.group_order) == (follows, on_arrival, None)
            && entry.last_guide().is_some_and(has_target)
            && !board.has_arrived(agent)
    }

    /// Begins an order, as another one than before.
    pub(super) fn begin(&mut self, agent: AgentIndex, target: Target, on_arrival: OnArrival) {
        self.board.agents[agent].is_cut_off = false;
        self.go_to(agent, target, on_arrival);
    }

    /// The places beside an agent for another one of this side. If it is not on the map any more, no route leads there.
    fn beside(&self, agent: AgentId, side: usize) -> Target {
        match self.board.agents.find(agent) {
            Some(agent) => Target::beside(self.board.state(agent).cell, self.board.side(agent), side),
            None => Target::any_of(Vec::new()),
        }
    }

    fn go_to(&mut self, agent: AgentIndex, target: Target, on_arrival: OnArrival) {
        let board = &mut self.board;
        let kind = board.agents[agent].kind;
        // The routes of a group follow a way that is known already.
        if board.searches.are_limited() && !board.guides[kind].leads_group() {
            let guide = board.guides[kind].join(target);
            board.request(agent, guide, on_arrival);
            board.tell_to_hold(agent, false);
            board.leave_guide(agent);
            self.jams.leave(board, agent);
            board.agents[agent].activity = Activity::Resting;
            return;
        }
        let at = board.agents[agent].next_cell();
        let guide = board.guides[kind].acquire(board.land.ground_for_guides(kind), target, agent, at);
        self.follow_guide(agent, guide, on_arrival);
    }

    /// Lets a guide lead an agent that it has been acquired for.
    pub(super) fn follow_guide(&mut self, agent: AgentIndex, guide: GuideIndex, on_arrival: OnArrival) {
        let Self { board, jams, .. } = self;
        board.tell_to_hold(agent, false);
        board.cancel_request(agent);
        // Afterwards, so that an agent that is sent to its goal again keeps the field.
        if let Some(before) = board.agents[agent].guide.take() {
            board.guides[board.agents[agent].kind].release(before);
        }
        jams.leave(board, agent);
        let entry = &mut board.agents[agent];
        entry.progress = Progress::new(board.now);
        entry.guide = Some(guide);
        entry.follows = None;
        entry.group_order = None;
        entry.on_arrival = on_arrival;
        let since = board.now.rounded_down_to(SENT_TOGETHER);
        match board.searches.are_limited() {
            // The search for its route was the last thing that has happened.
            true => board.begin_journey(agent, since),
            false => board.set_out(agent, since),
        }
        if board.agents[agent].is_idle() {
            let time = board.agenda.time_to_set_out(board.now, board.agents.slots());
            board.schedule(agent, time);
        }
    }

    /// Sends an agent that follows another one to where that is now, if it has moved.
    pub(super) fn catch_up_with(&mut self, agent: AgentIndex, other: AgentId) {
        let entry = &self.board.agents[agent];
        if self.board.now < entry.looks_for_other_at {
            return;
        }
        let (guide, on_arrival) = (entry.last_guide(), entry.last_on_arrival());
        let target = self.beside(other, self.board.side(agent));
        let is_known = guide.is_some_and(|guide| *self.board.guides_of(agent).goal(guide) == target);
        if !is_known && self.board.searches.are_limited() {
            // Until the new route is known, it goes on along the old one.
            let guide = self.board.guides[self.board.agents[agent].kind].join(target);
            self.board.request(agent, guide, on_arrival);
        } else if !is_known {
            self.go_to(agent, target, on_arrival);
            self.board.agents[agent].follows = Some(other);
        }
        self.board.agents[agent].looks_for_other_at = self.board.now + CrowdTime::SECOND;
    }
}
