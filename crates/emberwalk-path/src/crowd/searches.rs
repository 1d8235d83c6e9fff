//! Searches for routes that wait for their turn: with a budget they go on from slice to slice, the nearest first.

use std::collections::BTreeSet;

use super::board::Board;
use super::hash::Mixer;
use super::index::{AgentIndex, GuideIndex};
use super::{Crowd, CrowdTime, OnArrival};

/// The time between two slices of searches.
const SLICE: CrowdTime = CrowdTime::SECOND.divided_by(64);
/// A search lets others go first that begin up to this much later for each cell by which they are shorter. So all that
/// begin at one time are done from the nearest to the farthest one, and no search waits for ever.
const LATER_PER_CELL: CrowdTime = CrowdTime::SECOND.divided_by(256);
/// What each answer costs at least: one visited cell is not enough for all that an agent does then.
const CELLS_PER_ANSWER: u64 = 32;

/// That an agent waits for the search for its route.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Request {
    /// Those with the earliest times come first.
    turn: CrowdTime,
    /// How many there were before it.
    number: u64,
    /// The guide that will lead it. If it is the one that leads the agent now, its route is planned again; otherwise it
    /// has been acquired for the agent.
    pub(super) guide: GuideIndex,
    pub(super) on_arrival: OnArrival,
}

/// How many cells may be visited in the current slice.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Allowance {
    per_slice: u64,
    left: u64,
    /// How many cells were visited beyond what the slices until now allowed, because not all work can be divided.
    debt: u64,
    /// When the slice has begun; none has if it is [`CrowdTime::NEVER`].
    slice: CrowdTime,
}

impl Allowance {
    fn new(per_slice: u64) -> Self {
        Self { per_slice: per_slice.max(1), left: 0, debt: 0, slice: CrowdTime::NEVER }
    }

    /// Begins the slice of this time, unless it has begun.
    fn begin_slice(&mut self, now: CrowdTime) {
        let slice = now.rounded_down_to(SLICE);
        if self.slice == slice {
            return;
        }
        let slices = if self.slice == CrowdTime::NEVER { 1 } else { (slice - self.slice).ticks() / SLICE.ticks() };
        let allowed = self.per_slice.saturating_mul(slices);
        self.left = allowed.saturating_sub(self.debt).min(self.per_slice);
        self.debt = self.debt.saturating_sub(allowed);
        self.slice = slice;
    }

    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Visits cells, perhaps more than are left.
    pub(super) fn spend(&mut self, cells: u64) {
        self.debt += cells.saturating_sub(self.left);
        self.left = self.left.saturating_sub(cells);
    }
}

/// The searches that wait, and how far they may go in each slice.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Searches {
    allowance: Allowance,
    /// The agents that wait, by their turns.
    queue: BTreeSet<(CrowdTime, AgentIndex)>,
    /// The agent whose search is under way: others wait until it is finished.
    current: Option<AgentIndex>,
    /// How many requests there have been.
    requests: u64,
    /// The agents whose searches have ended just now, by the numbers of their requests. Its memory is kept.
    #[cfg_attr(feature = "serde", serde(skip))]
    ended: Vec<(u64, AgentIndex)>,
}

impl Default for Searches {
    fn default() -> Self {
        let allowance = Allowance::new(u64::MAX);
        Self { allowance, queue: BTreeSet::new(), current: None, requests: 0, ended: Vec::new() }
    }
}

impl Searches {
    /// Whether searches have a budget, so that they wait for their turn.
    pub(super) fn are_limited(&self) -> bool {
        self.allowance.per_slice < u64::MAX
    }

    /// What may be spent now; `None` without a budget.
    pub(super) fn allowance(&mut self, now: CrowdTime) -> Option<&mut Allowance> {
        if !self.are_limited() {
            return None;
        }
        self.allowance.begin_slice(now);
        Some(&mut self.allowance)
    }

    /// The next agent whose search goes on in this slice.
    fn next(&mut self) -> Option<AgentIndex> {
        if self.allowance.left == 0 {
            return None;
        }
        self.current = self.current.or(self.queue.first().map(|&(_, agent)| agent));
        self.current
    }

    /// Forgets a search.
    fn remove(&mut self, agent: AgentIndex, request: Request) {
        self.queue.remove(&(request.turn, agent));
        self.current.take_if(|current| *current == agent);
    }

    /// Adds all that decides to a hash, which stays as it is as long as no search has to wait.
    pub(super) fn add_to(&self, hash: &mut Mixer, now: CrowdTime) {
        let mut allowance = self.allowance;
        allowance.begin_slice(now);
        if !self.queue.is_empty() || allowance.debt > 0 {
            [allowance.per_slice, allowance.left, allowance.debt].into_iter().for_each(|number| hash.add(number));
            let current = self.current.map_or(u64::MAX, |agent| agent.get() as u64);
            hash.add(current);
            self.queue.iter().for_each(|(turn, agent)| hash.add(turn.ticks() ^ (agent.get() as u64) << 40));
        }
    }
}

impl Board {
    /// Lets an agent wait for the search for its route, in place of another one for which it waits.
    pub(super) fn request(&mut self, agent: AgentIndex, guide: GuideIndex, on_arrival: OnArrival) {
        let entry = &mut self.agents[agent];
        if let Some(request) = &mut entry.request
            && request.guide == guide
            && entry.guide != Some(guide)
        {
            // The same order once more.
            request.on_arrival = on_arrival;
            self.guides[self.agents[agent].kind].release(guide);
            return;
        }
        let here = self.cell(self.agents[agent].next_cell());
        let goal = self.guides_of(agent).goal(guide).first();
        let distance = here.x.abs_diff(goal.x).max(here.y.abs_diff(goal.y));
        let turn = self.now + LATER_PER_CELL.times(distance.into());
        // One that is sent elsewhere again and again has its turn nevertheless.
        let turn = self.cancel_request(agent).map_or(turn, |before| before.min(turn));
        let number = self.searches.requests;
        self.searches.requests += 1;
        self.agents[agent].request = Some(Request { turn, number, guide, on_arrival });
        self.searches.queue.insert((turn, agent));
        self.agenda.add_slice(self.now.rounded_down_to(SLICE) + SLICE);
    }

    /// Plans the route of an agent again, when it is its turn.
    pub(super) fn request_again(&mut self, agent: AgentIndex) {
        if let Some(guide) = self.agents[agent].guide
            && self.agents[agent].request.is_none()
        {
            self.request(agent, guide, self.agents[agent].on_arrival);
        }
    }

    /// Lets an agent wait for no search any more. Returns its turn if it did.
    pub(super) fn cancel_request(&mut self, agent: AgentIndex) -> Option<CrowdTime> {
        let request = self.agents[agent].request.take()?;
        self.searches.remove(agent, request);
        let guides = &mut self.guides[self.agents[agent].kind];
        guides.cancel_search(agent);
        if self.agents[agent].guide != Some(request.guide) {
            guides.release(request.guide);
        }
        Some(request.turn)
    }
}

impl Crowd {
    /// Limits how many cells searches for routes may visit in each 1/64 second of the crowd's time, so that many orders at
    /// one time make no call of [`advance`](Self::advance) long. [`u64::MAX`], as in a new crowd, is no limit: then each
    /// order takes as long as its search.
    ///
    /// With a budget, searches go on from slice to slice, and those to the nearest goals come first. An agent that gets an
    /// order stays where it is until its route is known, and [waits](Self::wait) for
    /// [its search](super::WaitsFor::Search). If agents are pushed off their routes, or the grid changes, their searches wait as well;
    /// meanwhile they go on along the routes that they have.
    ///
    /// It is a number of cells, not a time, so that a crowd makes the same moves on every machine. As long as no slice needs
    /// all of it, the moves are nearly always the same as without one. A cell takes some 0.1
    /// microseconds. Not all work can be divided: the search for one of several goals or for the way of a
    /// [group](Self::send_group) is done at one time, and the next slices are shorter by that.
    ///
    /// ```
    /// use emberwalk_path::crowd::{Crowd, CrowdTime, OnArrival, Pace, WaitsFor};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// let grid = CostGrid::from_fn(Size::new(200, 200), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// crowd.set_search_budget(1000);
    /// let agent = crowd.add(Cell::new(0, 0))?;
    /// crowd.send(agent, Cell::new(190, 150), OnArrival::Stay);
    /// assert_eq!(crowd.wait(agent).unwrap().on, Some(WaitsFor::Search));
    /// crowd.advance(CrowdTime::from_seconds(5.0));
    /// assert!(crowd.wait(agent).is_none() && crowd.rest(agent).is_some(), "it is on the way");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_search_budget(&mut self, cells: u64) {
        let allowance = Allowance::new(cells);
        if allowance.per_slice != self.search_budget() {
            self.board.searches.allowance = allowance;
            // What was done without a budget is not paid for.
            self.board.guides.iter_mut().for_each(|guides| _ = guides.take_spent());
        }
    }

    /// The [budget](Self::set_search_budget) of searches; [`u64::MAX`] without one.
    pub fn search_budget(&self) -> u64 {
        self.board.searches.allowance.per_slice
    }

    /// Goes on with the searches that wait, as far as this slice allows.
    pub(super) fn search(&mut self) {
        let board = &mut self.board;
        // Those that have waited until now have no limit any more.
        if !board.searches.are_limited() && board.searches.queue.is_empty() {
            return;
        }
        board.searches.allowance.begin_slice(board.now);
        let undivided: u64 = board.guides.iter_mut().map(|guides| guides.take_spent()).sum();
        board.searches.allowance.spend(undivided);
        while let Some(agent) = board.searches.next() {
            let Some(request) = board.agents[agent].request else { break };
            if board.search_for(agent, request.guide) {
                board.searches.remove(agent, request);
                board.searches.ended.push((request.number, agent));
            } else {
                let allowance = &mut board.searches.allowance;
                allowance.spend(allowance.left());
            }
        }
        // In the order in which they were asked for, as without a budget.
        let mut ended = std::mem::take(&mut board.searches.ended);
        ended.sort_unstable();
        ended.drain(..).for_each(|(_, agent)| self.end_search(agent));
        self.board.searches.ended = ended;
        if !self.board.searches.queue.is_empty() {
            self.board.agenda.add_slice(self.board.now.rounded_down_to(SLICE) + SLICE);
        }
    }

    /// Lets an agent go on whose search has found a route, or that there is none.
    fn end_search(&mut self, agent: AgentIndex) {
        let entry = &mut self.board.agents[agent];
        let Some(request) = entry.request.take() else { return };
        if entry.guide == Some(request.guide) {
            self.board.go_on(agent);
        } else {
            let (follows, group_order) = (entry.follows, entry.group_order);
            self.follow_guide(agent, request.guide, request.on_arrival);
            let entry = &mut self.board.agents[agent];
            (entry.follows, entry.group_order) = (follows, group_order);
        }
    }
}

impl Board {
    /// Goes on with the search of an agent, and returns whether it has ended.
    fn search_for(&mut self, agent: AgentIndex, guide: GuideIndex) -> bool {
        let entry = &self.agents[agent];
        let (kind, at) = (entry.kind, entry.next_cell());
        let allowance = &mut self.searches.allowance;
        let ground = self.land.ground_for_guides(kind);
        let has_ended = self.guides[kind].advance_search(ground, guide, agent, at, allowance);
        if has_ended {
            allowance.spend(CELLS_PER_ANSWER);
        }
        has_ended
    }

    /// Lets an agent go on along a new route to the goal that it had before.
    fn go_on(&mut self, agent: AgentIndex) {
        let entry = &self.agents[agent];
        match entry.is_idle() {
            true if entry.is_travelling() => self.call(agent),
            true => {
                self.begin_journey(agent, self.now);
                self.call(agent);
            }
            false => {}
        }
    }
}
