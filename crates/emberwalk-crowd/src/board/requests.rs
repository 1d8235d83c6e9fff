//! Searches for routes that wait for their turn: with a budget they continue from slice to slice, the nearest first.

use std::cmp::Reverse;

use super::Board;
use super::agents::Request;
use crate::OnArrival;
use crate::guides::Allowance;
use crate::index::{AgentIndex, GuideIndex};
use emberwalk_path::time::CrowdTime;

/// A search lets shorter ones go first if they begin up to this much later for each cell of the difference. So searches
/// that begin together are done from the nearest to the farthest, and no search waits for ever.
const LATER_PER_CELL: CrowdTime = CrowdTime::SECOND.divided_by(256);
/// The least cost of an answer: an agent does more work with it than visiting one cell.
const CELLS_PER_ANSWER: u64 = 32;

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
            self.guides[self.agents[agent].lane].release(guide);
            return;
        }
        let here = self.cell(self.agents[agent].next_cell());
        let goal = self.guides_of(agent).goal(guide).first();
        let distance = here.x.abs_diff(goal.x).max(here.y.abs_diff(goal.y));
        let turn = self.now + LATER_PER_CELL.times(distance.into());
        // An agent that is sent elsewhere again and again still gets its turn.
        let turn = self.cancel_request(agent).map_or(turn, |before| before.min(turn));
        let number = self.searches.requests;
        self.searches.requests += 1;
        self.agents[agent].request = Some(Request { turn, number, guide, on_arrival });
        self.searches.queue.insert((turn, agent));
        self.agenda.add_slice(Allowance::next_slice(self.now));
    }

    /// Plans the route of an agent again, when it is its turn.
    pub(crate) fn request_again(&mut self, agent: AgentIndex) {
        if let Some(guide) = self.agents[agent].guide
            && self.agents[agent].request.is_none()
        {
            self.request(agent, guide, self.agents[agent].on_arrival);
        }
    }

    /// Cancels the search that an agent waits for. Returns its turn if it waited.
    pub(crate) fn cancel_request(&mut self, agent: AgentIndex) -> Option<CrowdTime> {
        let request = self.agents[agent].request.take()?;
        self.searches.remove(agent, request);
        let guides = &mut self.guides[self.agents[agent].lane];
        guides.cancel_search(agent);
        if self.agents[agent].guide != Some(request.guide) {
            guides.release(request.guide);
        }
        Some(request.turn)
    }

    /// The number of cells that searches may visit in each slice; [`u64::MAX`] without a budget.
    pub(crate) fn search_budget(&self) -> u64 {
        self.searches.allowance.per_slice()
    }

    pub(crate) fn set_search_budget(&mut self, cells: u64) {
        let allowance = Allowance::new(cells);
        if allowance.per_slice() != self.search_budget() {
            self.searches.allowance = allowance;
            // Work that was done without a budget is not paid for.
            self.guides.iter_mut().for_each(|guides| _ = guides.take_spent());
        }
    }

    pub(crate) fn are_searches_limited(&self) -> bool {
        self.searches.are_limited()
    }

    /// Whether an order to an agent waits for the search for its route. The routes of a group follow a route that is
    /// known already.
    pub(crate) fn searches_later(&self, agent: AgentIndex) -> bool {
        self.searches.are_limited() && !self.guides_of(agent).leads_group()
    }

    /// Continues the waiting searches, as far as this slice allows.
    pub(crate) fn search(&mut self) {
        // The searches that have waited until now have no limit any more.
        if !self.searches.are_limited() && self.searches.queue.is_empty() {
            return;
        }
        self.searches.allowance.begin_slice(self.now);
        let undivided: u64 = self.guides.iter_mut().map(|guides| guides.take_spent()).sum();
        self.searches.allowance.spend(undivided);
        while let Some(agent) = self.searches.next() {
            let Some(request) = self.agents[agent].request else { break };
            if self.search_for(agent, request.guide) {
                self.searches.remove(agent, request);
                self.searches.ended.push(Reverse((request.number, agent)));
            } else {
                let allowance = &mut self.searches.allowance;
                allowance.spend(allowance.left());
            }
        }
        self.searches.ended.sort_unstable();
        if !self.searches.queue.is_empty() {
            self.agenda.add_slice(Allowance::next_slice(self.now));
        }
    }

    /// Takes a request whose search has ended, in the order of the requests, as without a budget.
    pub(crate) fn take_ended(&mut self) -> Option<(AgentIndex, Request)> {
        while let Some(Reverse((_, agent))) = self.searches.ended.pop() {
            if let Some(request) = self.agents[agent].request.take() {
                return Some((agent, request));
            }
        }
        None
    }

    /// Continues the search of an agent, and returns whether it has ended.
    fn search_for(&mut self, agent: AgentIndex, guide: GuideIndex) -> bool {
        let entry = &self.agents[agent];
        let (lane, at) = (entry.lane, entry.next_cell());
        let allowance = &mut self.searches.allowance;
        let ground = self.land.ground_for_guides(lane);
        let has_ended = self.guides[lane].advance_search(ground, guide, agent, at, allowance);
        if has_ended {
            allowance.spend(CELLS_PER_ANSWER);
        }
        has_ended
    }

    /// Lets an agent go on along a new route to the goal that it had before.
    pub(crate) fn go_on(&mut self, agent: AgentIndex) {
        if !self.agents[agent].is_idle() || self.rests_on(agent) {
            return;
        }
        if !self.agents[agent].is_travelling() {
            self.begin_journey(agent, self.now);
        }
        self.call(agent);
    }
}
