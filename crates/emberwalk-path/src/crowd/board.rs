//! The board: the grid and the agents on it, and what all parts of a crowd ask about them.

use std::cmp::Reverse;

use super::agenda::Agenda;
use super::agents::{Activity, Agent, Agents, Journey};
use super::guides::Guides;
use super::index::{AgentIndex, CellIndex};
use super::land::{Ground, Land};
use super::places::{Claim, Places, beside_diagonal};
use super::rank::{Rank, is_patient_after};
use super::rooms::Rooms;
use super::searches::Searches;
use super::{AgentState, CrowdEvent, CrowdTime, Pace, Step};
use crate::grid::Cell;
use crate::search::steps::offsets;
use crate::{CostGrid, RouteCost};

/// How long an agent without a route waits until it looks for one again. It is not tuned: it only says how soon a new
/// route is seen.
const RETRY_AFTER: CrowdTime = CrowdTime::SECOND;

/// The grid and the agents on it. The [agenda](Agenda) has the agents that decide next, and the events are what has
/// happened.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Board {
    pub(super) land: Land,
    /// The pace of agents that have none of their own.
    pub(super) pace: Pace,
    pub(super) now: CrowdTime,
    pub(super) agents: Agents,
    /// A loaded board finds them again.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) places: Places,
    /// The guides and the rooms of each kind.
    pub(super) guides: Vec<Guides>,
    pub(super) rooms: Vec<Rooms>,
    pub(super) agenda: Agenda,
    pub(super) searches: Searches,
    pub(super) events: Vec<CrowdEvent>,
}

impl Board {
    pub(super) fn new(land: Land, pace: Pace) -> Self {
        let kinds = land.kinds();
        let rooms = land.grids().map(Rooms::new).collect();
        Self {
            places: Places::new(land.grid(0).entry_units().len()),
            land,
            pace,
            now: CrowdTime::ZERO,
            agents: Agents::default(),
            guides: vec![Guides::default(); kinds],
            rooms,
            agenda: Agenda::default(),
            searches: Searches::default(),
            events: Vec::new(),
        }
    }

    /// The first grid. All have the same size, and number their cells in the same way.
    #[inline]
    pub(super) fn grid(&self) -> &CostGrid {
        self.land.grid(0)
    }

    /// The ground that an agent walks on.
    #[inline]
    pub(super) fn ground(&self, agent: AgentIndex) -> Ground<'_> {
        self.land.ground(self.agents[agent].kind)
    }

    /// The guides of the kind of an agent.
    #[inline]
    pub(super) fn guides_of(&self, agent: AgentIndex) -> &Guides {
        &self.guides[self.agents[agent].kind]
    }

    /// How long an agent takes for a step of this cost.
    #[inline]
    pub(super) fn duration(&self, agent: AgentIndex, cost: RouteCost) -> CrowdTime {
        self.pace_of(agent).of(cost)
    }

    /// The index of a cell of the grid.
    #[inline]
    pub(super) fn index(&self, cell: Cell) -> CellIndex {
        CellIndex::new(self.grid().index(cell))
    }

    #[inline]
    pub(super) fn cell(&self, at: CellIndex) -> Cell {
        self.grid().cell(at.get())
    }

    /// The eight cells around a cell; some may be off the grid.
    #[inline]
    pub(super) fn neighbours(&self, at: CellIndex) -> [CellIndex; 8] {
        offsets(self.grid().stride()).map(|offset| at.neighbour(offset))
    }

    /// Where an agent is, and where it is going.
    pub(super) fn state(&self, agent: AgentIndex) -> AgentState {
        let entry = &self.agents[agent];
        let (cell, step) = self.position(agent);
        let goal = entry.last_guide().map(|guide| self.guides_of(agent).goal(guide).first());
        let unreachable = entry.unreachable().map(|order| order.goal);
        AgentState { cell, step, goal, unreachable, has_arrived: self.has_arrived(agent), facing: entry.facing }
    }

    /// The cell that an agent is nearer to, and its step.
    pub(super) fn position(&self, agent: AgentIndex) -> (Cell, Option<Step>) {
        let entry = &self.agents[agent];
        let step = entry.movement.map(|movement| movement.step);
        let entered = step.filter(|step| step.middle() <= self.now);
        (entered.map_or_else(|| self.cell(entry.at), |step| step.to), step)
    }

    /// The agent that is in a cell: one that has not left half of it.
    pub(super) fn occupant(&self, at: CellIndex) -> Option<AgentIndex> {
        let is_here = |agent: AgentIndex| self.agents[agent].movement.is_none_or(|movement| movement.middle > self.now);
        self.places.agent(at).filter(|&agent| is_here(agent))
    }

    /// Whether a step can begin, as far as agents and edits are concerned: none of them has claimed the cell, and
    /// nobody crosses on the other diagonal.
    #[inline]
    pub(super) fn can_claim(&self, from: CellIndex, to: CellIndex) -> bool {
        self.places.claim(to) == Claim::None && !self.is_crossed(from, to)
    }

    /// Whether somebody crosses a step on the other diagonal.
    #[inline]
    pub(super) fn is_crossed(&self, from: CellIndex, to: CellIndex) -> bool {
        let stride = self.grid().stride();
        let distance = to.get().abs_diff(from.get());
        if distance == 1 || distance == stride {
            return false;
        }
        let [one, other] = beside_diagonal(from, to, stride);
        let crosses = |from: CellIndex, to: CellIndex| {
            self.places.entering(to).is_some_and(|agent| self.agents[agent].came_from(to) == from)
        };
        crosses(one, other) || crosses(other, one)
    }

    /// The lowest cost from a cell to the goal of an agent, in units; [`u64::MAX`] without goal or route.
    #[inline]
    pub(super) fn cost_to_goal(&self, agent: AgentIndex, at: CellIndex) -> u64 {
        self.agents[agent].guide.map_or(u64::MAX, |guide| self.guides_of(agent).cost(guide, agent, at))
    }

    /// Whether an agent stands in its goal.
    pub(super) fn has_arrived(&self, agent: AgentIndex) -> bool {
        let entry = &self.agents[agent];
        entry.movement.is_none() && self.cost_to_goal(agent, entry.at) == 0
    }

    /// Whether an agent has a goal, and a route leads there.
    pub(super) fn has_route(&self, agent: AgentIndex) -> bool {
        self.cost_to_goal(agent, self.agents[agent].next_cell()) != u64::MAX
    }

    /// Whether an agent is on the way, and nearer to its goal in a cell than now.
    pub(super) fn wants(&self, agent: AgentIndex, at: CellIndex) -> bool {
        let Agent { at: now, .. } = self.agents[agent];
        self.agents[agent].is_travelling() && self.cost_to_goal(agent, at) < self.cost_to_goal(agent, now)
    }

    /// Whether two agents have the same goal, or none.
    #[inline]
    pub(super) fn have_same_goal(&self, one: AgentIndex, other: AgentIndex) -> bool {
        let [one, other] = [&self.agents[one], &self.agents[other]];
        // Each kind has guides of its own, one for each goal.
        let goal = |agent: &Agent| agent.guide.map(|guide| self.guides[agent.kind].goal(guide));
        if one.kind == other.kind { one.guide == other.guide } else { goal(one) == goal(other) }
    }

    /// Whether an agent stays in the goal of another one.
    #[inline]
    pub(super) fn stays_in_goal_of(&self, agent: AgentIndex, other: AgentIndex) -> bool {
        let Agent { at, activity, .. } = self.agents[agent];
        activity == Activity::Resting && self.have_same_goal(agent, other) && self.cost_to_goal(agent, at) == 0
    }

    /// Whether other agents stay in all cells that an agent may go to.
    pub(super) fn has_lost_goal(&self, agent: AgentIndex) -> bool {
        let Some(guide) = self.agents[agent].guide.filter(|_| self.has_route(agent)) else { return false };
        let is_taken = |&cell: &Cell| {
            let is_on_grid = self.grid().size().contains(cell);
            let other = is_on_grid.then(|| self.places.agent(self.index(cell))).flatten();
            other.is_some_and(|other| self.stays_in_goal_of(other, agent))
        };
        self.guides_of(agent).goal(guide).cells().iter().all(is_taken)
    }

    /// For how long an agent has not come nearer to its goal.
    #[inline]
    pub(super) fn waited(&self, agent: AgentIndex) -> CrowdTime {
        self.now - self.agents[agent].progress.since
    }

    /// Whether an agent waits its turn. It does so without end if another agent stays in its goal.
    #[inline]
    pub(super) fn is_patient(&self, agent: AgentIndex) -> bool {
        is_patient_after(self.waited(agent)) || self.has_lost_goal(agent)
    }

    /// The rank of an agent now.
    #[inline]
    pub(super) fn rank(&self, agent: AgentIndex) -> Rank {
        let entry = &self.agents[agent];
        Rank {
            priority: entry.priority,
            is_travelling: entry.is_travelling(),
            keeps_turn: self.now >= entry.yields_until,
            is_urgent: self.rooms[entry.kind].is_passage(entry.at) || !self.is_patient(agent),
            journey: entry.journey,
            agent: Reverse(agent),
        }
    }

    /// Lets an agent end its step and decide at this time, in place of the time that was planned.
    pub(super) fn schedule(&mut self, agent: AgentIndex, due: CrowdTime) {
        if std::mem::replace(&mut self.agents[agent].due, due) != due && due != CrowdTime::NEVER {
            self.agenda.add(agent, due);
        }
    }

    /// Lets an agent decide now, in the order of ranks.
    pub(super) fn call(&mut self, agent: AgentIndex) {
        let entry = &mut self.agents[agent];
        let decides = entry.is_travelling() || entry.is_in_jam();
        if decides && !entry.is_deciding {
            entry.is_deciding = true;
            self.agenda.call(self.rank(agent));
        }
    }

    /// Lets the waiting agents around a cell decide again, because an agent has left it; or because an agent has
    /// entered it, which agents of higher rank may push.
    pub(super) fn call_neighbours(&mut self, at: CellIndex, entered: Option<AgentIndex>) {
        let rank = entered.map(|agent| self.rank(agent));
        for next in self.neighbours(at) {
            let Some(agent) = self.places.agent(next) else { continue };
            if self.agents[agent].is_idle() && rank.is_none_or(|rank| self.rank(agent) > rank) {
                self.call(agent);
            }
        }
    }

    /// The same around all cells that an agent takes up when it is in a cell.
    pub(super) fn call_around(&mut self, agent: AgentIndex, at: CellIndex, entered: Option<AgentIndex>) {
        for cell in self.square(agent, at) {
            self.call_neighbours(cell, entered);
        }
    }

    /// Lets an agent begin a journey to its goal, unless no route leads there. `since` is the time since when it counts
    /// as being on the way.
    pub(super) fn set_out(&mut self, agent: AgentIndex, since: CrowdTime) {
        self.look_around(agent, self.agents[agent].next_cell());
        self.begin_journey(agent, since);
    }

    /// The same for an agent that has looked around, or whose route is new.
    pub(super) fn begin_journey(&mut self, agent: AgentIndex, since: CrowdTime) {
        let Some(guide) = self.agents[agent].guide else { return };
        let at = self.agents[agent].next_cell();
        if self.agents[agent].request.is_some() && !self.has_route(agent) {
            // Its new route is not known yet.
            return;
        }
        let distance = self.cost_to_goal(agent, at);
        let kind = self.agents[agent].kind;
        let goal = self.guides[kind].goal(guide).first();
        let group = self.rooms[kind].group(self.land.ground(kind).grid, since, goal);
        let entry = &mut self.agents[agent];
        entry.journey = Journey { since: Reverse(since), group: Reverse(group), distance };
        entry.activity = Activity::Travelling;
        if distance == u64::MAX {
            self.wait_for_route(agent);
        } else if std::mem::take(&mut entry.is_cut_off) {
            let agent = self.agents.id(agent);
            self.events.push(CrowdEvent::Reachable { agent, time: self.now });
        }
    }

    /// Lets an agent that has come into a cell look around for its way on.
    pub(super) fn look_around(&mut self, agent: AgentIndex, at: CellIndex) {
        if let Some(guide) = self.agents[agent].guide {
            let kind = self.agents[agent].kind;
            let (ground, guides) = (self.land.ground_for_guides(kind), &mut self.guides[kind]);
            if !self.searches.are_limited() {
                guides.follow(ground, guide, agent, at);
            } else if !guides.follow_known(ground, guide, agent, at) {
                self.request_again(agent);
            }
        }
    }

    /// Lets an agent see farther than usual.
    pub(super) fn look_far(&mut self, agent: AgentIndex) {
        let Agent { kind, guide, .. } = self.agents[agent];
        if let Some(guide) = guide {
            let at = self.agents[agent].next_cell();
            self.guides[kind].look_far(self.land.ground_for_guides(kind), guide, agent, at);
        }
    }

    /// Lets an agent look for a route again later.
    pub(super) fn wait_for_route(&mut self, agent: AgentIndex) {
        let entry = &mut self.agents[agent];
        entry.activity = Activity::Resting;
        if !std::mem::replace(&mut entry.is_cut_off, true) {
            let agent = self.agents.id(agent);
            self.events.push(CrowdEvent::Unreachable { agent, time: self.now });
        }
        if self.agents[agent].is_idle() {
            self.schedule(agent, self.now + RETRY_AFTER);
        }
    }

    /// Brings the guides and the rooms up to date with the grid. Returns whether all are.
    pub(super) fn catch_up(&mut self) -> bool {
        let Self { land, guides, rooms, agents, searches, now, .. } = self;
        // One kind after the other, so that a beat has the work of one.
        let rooms_are_current = rooms.iter_mut().zip(land.grids()).all(|(rooms, grid)| rooms.catch_up(grid, *now));
        let mut guides = guides.iter_mut().enumerate();
        let guides_are_current = guides.all(|(kind, guides)| {
            let walker = |agent| (agents[agent].guide, agents[agent].next_cell());
            guides.catch_up(land.ground_for_guides(kind), walker, searches.allowance(*now))
        });
        for kind in 0..self.guides.len() {
            for agent in self.guides[kind].take_outdated() {
                self.request_again(agent);
            }
        }
        guides_are_current && rooms_are_current
    }

    /// Takes its goal away from an agent.
    pub(super) fn forget_goal(&mut self, agent: AgentIndex) {
        self.cancel_request(agent);
        self.leave_guide(agent);
    }

    /// Takes away the goal to which an agent is under way, but not the one that it waits for.
    pub(super) fn leave_guide(&mut self, agent: AgentIndex) {
        self.agents[agent].follows = None;
        self.agents[agent].group_order = None;
        if let Some(guide) = self.agents[agent].guide.take() {
            let guides = &mut self.guides[self.agents[agent].kind];
            guides.release(guide);
            guides.forget_route(agent);
        }
    }
}
