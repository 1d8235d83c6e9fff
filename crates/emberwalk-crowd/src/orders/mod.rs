//! The orders that agents get: where they go, what they do afterwards, and which agents stay where they are.

mod announce;
pub(super) mod edits;
mod flight;
mod free;
mod group;
mod others;
pub(super) mod queues;
mod relocate;
mod searches;

use super::board::Relation;
use super::goal::Target;
use super::index::{AgentIndex, GuideIndex};
use super::{AgentId, Crowd, Goal, Itinerary, OnArrival};
use emberwalk_path::grid::Cell;

impl Crowd {
    /// Sends an agent to a goal, and drops all its earlier orders. It ends the step that it is taking, and then goes
    /// there.
    ///
    /// If the goal is blocked, off the map or unreachable, the agent stays where it is, makes way for others, and looks
    /// for a route every second. An agent that is not on the map any more is left alone.
    ///
    /// An agent that is already on the way to this goal just continues, so repeating an order in every tick until it
    /// arrives costs nothing. After that, the order is new: an agent that others have pushed off comes back
    /// immediately.
    ///
    /// It takes as long as a search for the route, see [`prepare`](Self::prepare), or O(cells) where agents begin to
    /// share this goal.
    pub fn send(&mut self, agent: AgentId, goal: impl Into<Goal>, on_arrival: OnArrival) {
        if let Some(agent) = self.board.find(agent) {
            self.queues.clear(agent);
            self.begin_order(agent, &goal.into(), on_arrival);
        }
    }

    /// Sends an agent to a goal after it has arrived at its other goals; immediately if it has none.
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, CrowdEvent, OnArrival};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let grid = CostGrid::open(Size::new(5, 1))?;
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
        let Some(agent) = self.board.find(agent) else { return };
        // An agent that was sent to where it stands has not arrived yet: it still travels. Others may have pushed it
        // off since it was there.
        let entry = &self.board[agent];
        let was_there = entry.was_there() && entry.relation().is_none();
        let has_arrived = was_there || self.board.has_arrived(agent) && !entry.is_travelling();
        if (entry.last_guide().is_none() || has_arrived) && !self.queues.has_orders(agent) {
            self.begin_order(agent, &goal.into(), on_arrival);
        } else {
            self.queues.add(agent, goal.into(), on_arrival);
        }
    }

    /// Leads an agent to other cells by its current order, because the target of the order has moved: to the cells in
    /// range of a target, for example. The agent continues along its old route until the new route is known, as if it
    /// [followed](Goal::Follow) another agent. As long as no route leads to any of the cells,
    /// [`Unreachable`](super::CrowdEvent::Unreachable) is reported once. An agent that has arrived sets out again and
    /// arrives again. An agent without an order is left alone.
    ///
    /// Takes as long as [`send`](Self::send).
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, Goal, OnArrival};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let mut crowd = Crowd::new(CostGrid::open(Size::new(9, 1))?, StepRules::default(), Pace::default());
    /// let agent = crowd.add(Cell::new(0, 0))?;
    /// crowd.redirect(agent, vec![Cell::new(2, 0)]);
    /// assert!(crowd.state(agent).unwrap().goal.is_none(), "it has no order");
    /// crowd.send(agent, Cell::new(8, 0), OnArrival::Stay);
    /// crowd.advance(CrowdTime::from_seconds(2.5));
    /// crowd.redirect(agent, vec![Cell::new(3, 0), Cell::new(4, 0)]);
    /// crowd.advance(CrowdTime::from_seconds(5.0));
    /// assert_eq!(crowd.state(agent).unwrap().cell, Cell::new(3, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn redirect(&mut self, agent: AgentId, cells: Vec<Cell>) {
        if let Some(agent) = self.board.find(agent)
            && self.board.last_goal(agent).is_some()
        {
            self.lead_to(agent, Target::any_of(cells), None);
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
        let Some(agent) = self.board.find(agent) else { return };
        self.queues.begin_repeating(agent);
        goals.into_iter().for_each(|goal| self.queues.add(agent, goal, OnArrival::Stay));
        self.begin_next_order(agent);
    }

    /// Lets an agent that [passes](crate::AgentSettings::passes) follow a route that the game has planned itself, and
    /// drops all its earlier orders. It ends the step that it is taking, and then goes from cell to cell without any
    /// search. If the next step is not possible, it stands until it is. If the route does not begin in its cell, or it
    /// has turned back from a cell that was blocked, it stands until it gets another order. It has no
    /// [goal](crate::AgentState::goal), and the end of the route is reported as
    /// [`Arrived`](crate::CrowdEvent::Arrived). Returns `false`, and does nothing, for an agent that does not pass or
    /// is not on the map. O(1).
    ///
    /// ```
    /// use emberwalk_crowd::{AgentSettings, Crowd, Itinerary};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let mut crowd = Crowd::new(CostGrid::open(Size::new(4, 2))?, StepRules::default(), Pace::default());
    /// let agent = crowd.add_with(Cell::new(0, 0), AgentSettings::new().passing())?;
    /// let cells = [(0, 0), (1, 0), (1, 1)].map(Cell::from);
    /// crowd.walk(agent, Itinerary::new(cells).with_waits([(1, CrowdTime::from_seconds(2.5))]));
    /// crowd.advance(CrowdTime::from_seconds(3.0));
    /// assert_eq!(crowd.state(agent).unwrap().step.unwrap().progress(crowd.now()), 0.5);
    /// crowd.advance(CrowdTime::from_seconds(2.0));
    /// assert_eq!(crowd.itinerary(agent).unwrap().ahead(), &cells[2..]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn walk(&mut self, agent: AgentId, itinerary: Itinerary) -> bool {
        let Some(agent) = self.board.find(agent).filter(|agent| self.board[*agent].passes()) else { return false };
        self.give_up(agent);
        self.board.follow_itinerary(agent, itinerary);
        true
    }

    /// Takes all orders away from an agent. It ends the step that it is taking, and then stays and makes way for
    /// others.
    pub fn stop(&mut self, agent: AgentId) {
        if let Some(agent) = self.board.find(agent) {
            self.give_up(agent);
        }
    }

    /// Makes an agent stay where it is, or where its step leads, and yield to nobody until it gets another order: a
    /// guard in a gate. After four seconds, others count its cell as nearly impassable, and go round it if a route that
    /// costs up to 256 tiles more leads to their goals.
    ///
    /// An [edit](Self::set) waits for the agent until it has another order.
    pub fn hold(&mut self, agent: AgentId) {
        let Some(agent) = self.board.find(agent) else { return };
        self.give_up(agent);
        self.board.tell_to_hold(agent, true);
    }

    pub(super) fn give_up(&mut self, agent: AgentIndex) {
        let Self { board, jams, queues, .. } = self;
        queues.clear(agent);
        board.tell_to_hold(agent, false);
        board.forget_goal(agent);
        jams.leave(board, agent);
        board.rest(agent);
    }

    /// Begins the next order of an agent that has arrived, if it has one.
    pub(super) fn begin_next_order(&mut self, agent: AgentIndex) {
        if let Some((goal, on_arrival)) = self.queues.next(agent) {
            self.begin_order(agent, &goal, on_arrival);
        }
    }

    fn begin_order(&mut self, agent: AgentIndex, goal: &Goal, on_arrival: OnArrival) {
        let side = self.board.side(agent);
        let (target, relation) = match goal {
            &Goal::Cell(cell) => (Target::One(cell), None),
            Goal::AnyOf(cells) => (Target::any_of(cells.clone()), None),
            &Goal::Beside(cell) => (Target::beside(cell, 1, side), None),
            &Goal::Near(cell) => {
                self.send_near(agent, cell, on_arrival);
                return;
            }
            Goal::Follow(_) | Goal::InRange { .. } | Goal::InSight { .. } | Goal::Flee { .. } => {
                let Some(relation) = Relation::of(goal) else { return };
                let is_other = relation.other != self.board.id(agent);
                // With this goal, it looks for the other agent by itself.
                if is_other && self.is_under_way(agent, None, Some(relation), on_arrival) {
                    return;
                }
                (self.target_about(agent, relation), Some(relation).filter(|_| is_other))
            }
        };
        if !self.is_under_way(agent, Some(&target), relation, on_arrival) {
            self.begin(agent, target, on_arrival);
            self.board.set_relation(agent, relation);
        }
    }

    /// Whether an agent has such an order already, and has not arrived: then giving it again changes nothing. Without a
    /// target, any target counts.
    pub(super) fn is_under_way(
        &self,
        agent: AgentIndex,
        target: Option<&Target>,
        relation: Option<Relation>,
        on_arrival: OnArrival,
    ) -> bool {
        let entry = &self.board[agent];
        let goal = self.board.last_goal(agent);
        (entry.relation(), entry.last_on_arrival(), entry.group_order()) == (relation, on_arrival, None)
            && goal.is_some_and(|goal| target.is_none_or(|target| goal == target))
            && !entry.was_there()
            && !self.board.has_arrived(agent)
    }

    /// Begins an order that differs from the one before.
    pub(super) fn begin(&mut self, agent: AgentIndex, target: Target, on_arrival: OnArrival) {
        self.board.begin_order(agent);
        self.go_to(agent, target, on_arrival);
    }

    /// The places beside an agent for an agent of this side. If the first agent is not on the map any more, no route
    /// leads there.
    fn beside(&self, agent: AgentId, side: usize) -> Target {
        match self.board.find(agent) {
            Some(agent) => Target::beside(self.board.state(agent).cell, self.board.side(agent), side),
            None => Target::any_of(Vec::new()),
        }
    }

    fn go_to(&mut self, agent: AgentIndex, target: Target, on_arrival: OnArrival) {
        let Self { board, jams, .. } = self;
        if board.searches_later(agent) {
            board.request_route(agent, target, on_arrival);
            board.tell_to_hold(agent, false);
            board.leave_guide(agent);
            jams.leave(board, agent);
            board.rest(agent);
        } else {
            let guide = board.acquire(agent, target);
            self.follow_guide(agent, guide, on_arrival);
        }
    }

    /// Lets a guide lead the agent for which it was acquired. It replaces the previous guide, so that an agent that is
    /// sent to its goal again keeps the field.
    fn follow_guide(&mut self, agent: AgentIndex, guide: GuideIndex, on_arrival: OnArrival) {
        let Self { board, jams, .. } = self;
        board.replace_guide(agent);
        jams.leave(board, agent);
        board.follow_guide(agent, guide, on_arrival);
    }

    /// Sends an agent that follows another agent to where the other is now, if it has moved.
    fn catch_up_with(&mut self, agent: AgentIndex, relation: Relation) {
        if !self.board.looks_for_other(agent) {
            return;
        }
        let target = self.beside(relation.other, self.board.side(agent));
        self.lead_to(agent, target, Some(relation));
    }

    /// Leads an agent to another target by the same order, unless it leads there already.
    fn lead_to(&mut self, agent: AgentIndex, target: Target, relation: Option<Relation>) {
        if self.board.last_goal(agent) == Some(&target) {
            return;
        }
        let on_arrival = self.board[agent].last_on_arrival();
        if self.board.are_searches_limited() {
            // Until the new route is known, it continues along the old one.
            self.board.request_route(agent, target, on_arrival);
        } else {
            self.go_to(agent, target, on_arrival);
            self.board.set_relation(agent, relation);
        }
    }
}
