//! The board: where all agents are on the ground, what leads them, and when they decide.

mod agenda;
mod agents;
mod announced;
mod courses;
mod dangers;
mod exits;
mod groups;
mod holding;
mod itineraries;
mod journeys;
mod pacing;
mod passing;
mod places;
mod rank;
mod relations;
mod requests;
#[cfg(feature = "serde")]
mod saved;
mod searches;
mod steps;

use std::cmp::Reverse;
use std::ops::Index;

use super::goal::Target;
use super::guides::Guides;
use super::index::{AgentIndex, CellIndex};
use super::land::{Ground, Land, Rooms};
use super::timetable::Timetable;
use super::{AgentId, AgentSettings, AgentState, CrowdError, CrowdEvent};
use agenda::Agenda;
use agents::{Activity, Agents};
use courses::Courses;
use emberwalk_path::grid::Cell;
use emberwalk_path::hash::Mixer;
use emberwalk_path::internal::offsets;
use emberwalk_path::time::{CrowdTime, Pace, Step};
use emberwalk_path::{CostGrid, EntryCost, RouteCost};
use exits::Exits;
use itineraries::Itineraries;
use places::Places;
use rank::PATIENCE;
use searches::Searches;

pub(super) use agenda::Entry;
pub(super) use agents::{Agent, GroupOrder, Membership};
pub(super) use exits::Blocked;
pub(super) use pacing::HELD_UP_LOOKS_AFTER;
pub(super) use places::{Claim, beside_diagonal};
pub(super) use rank::Rank;
pub(super) use relations::{Look, Relation, Sort};
#[cfg(feature = "serde")]
pub(super) use saved::SavedBoard;

/// An agent that has lost its goal and has not come nearer to it for this long pushes nobody out of a goal in a crowd
/// of several sizes. It is not tuned: it only ends pushes that would be repeated for ever.
const LOST_PUSHES_FOR: CrowdTime = CrowdTime::from_whole_seconds(4);

/// An agent that others have pushed off its goal rests where it stands, if the route back costs no more than this many
/// units. It comes back after this time. With 3 or 7 tiles instead, people in the market take back 4.4 % or 3.5 % of
/// their steps instead of 3.8 %; with 4 s or 30 s, 4.0 % or 3.5 %.
const NEAR_GOAL: u64 = 5 * EntryCost::TILE.units() as u64;
const COMES_BACK_AFTER: CrowdTime = CrowdTime::from_whole_seconds(8);

/// The grid and the agents on it. The [agenda](Agenda) has the agents that decide next, and the events are what has
/// happened.
#[derive(Clone, Debug)]
pub(super) struct Board {
    land: Land,
    /// The pace of agents that have none of their own.
    pace: Pace,
    now: CrowdTime,
    agents: Agents,
    places: Places,
    exits: Exits,
    /// The guides of the agents of each kind: first for agents that take cells, then for agents that pass.
    guides: Vec<Guides>,
    /// The rooms of each kind; none as long as no agent has taken a cell.
    rooms: Vec<Rooms>,
    agenda: Agenda,
    searches: Searches,
    timetable: Timetable,
    courses: Courses,
    itineraries: Itineraries,
    events: Vec<CrowdEvent>,
    /// Whether the ground has changed since agents that pass last looked at it.
    is_ground_changed: bool,
}

impl Board {
    pub(super) fn new(land: Land, pace: Pace) -> Self {
        let lanes = 2 * land.kinds();
        Self {
            places: Places::new(land.grid(0).entry_units().len()),
            exits: Exits::default(),
            land,
            pace,
            now: CrowdTime::ZERO,
            agents: Agents::default(),
            guides: vec![Guides::default(); lanes],
            rooms: Vec::new(),
            agenda: Agenda::default(),
            searches: Searches::default(),
            timetable: Timetable::default(),
            courses: Courses::default(),
            itineraries: Itineraries::default(),
            events: Vec::new(),
            is_ground_changed: false,
        }
    }

    pub(super) fn now(&self) -> CrowdTime {
        self.now
    }

    /// The pace of agents that have none of their own.
    pub(super) fn pace(&self) -> Pace {
        self.pace
    }

    pub(super) fn land(&self) -> &Land {
        &self.land
    }

    /// The agent with this id, if it is on the map.
    pub(super) fn find(&self, id: AgentId) -> Option<AgentIndex> {
        self.agents.find(id)
    }

    pub(super) fn id(&self, agent: AgentIndex) -> AgentId {
        self.agents.id(agent)
    }

    /// Iterates over the agents on the map.
    pub(super) fn on_map(&self) -> impl Iterator<Item = AgentIndex> + '_ {
        self.agents.on_map()
    }

    /// The agent in a slot; `None` if the slot was removed.
    pub(super) fn get(&self, agent: AgentIndex) -> Option<&Agent> {
        self.agents.get(agent)
    }

    /// The events so far.
    pub(super) fn events(&self) -> &[CrowdEvent] {
        &self.events
    }

    /// Forgets the first events.
    pub(super) fn forget_events(&mut self, count: usize) {
        self.events.drain(..count);
    }

    pub(super) fn report(&mut self, event: CrowdEvent) {
        self.events.push(event);
    }

    /// The first grid. All grids have the same size, and number their cells in the same way.
    #[inline]
    pub(super) fn grid(&self) -> &CostGrid {
        self.land.grid(0)
    }

    /// The ground that an agent walks on.
    #[inline]
    pub(super) fn ground(&self, agent: AgentIndex) -> Ground<'_> {
        self.land.ground(self.agents[agent].kind)
    }

    /// The ground of an agent with the dangers, which count in the costs to its goal.
    #[inline]
    pub(super) fn ground_with_danger(&self, agent: AgentIndex) -> Ground<'_> {
        self.land.ground_with_danger(self.agents[agent].kind)
    }

    /// The guides that lead an agent.
    #[inline]
    fn guides_of(&self, agent: AgentIndex) -> &Guides {
        &self.guides[self.agents[agent].lane]
    }

    /// How long an agent takes for a step of this cost.
    #[inline]
    pub(super) fn duration(&self, agent: AgentIndex, cost: RouteCost) -> CrowdTime {
        self.pace_of(agent).of(cost)
    }

    /// The cost that decides the time of a step, in units, if the step has this cost with the dangers.
    #[inline]
    pub(super) fn cost_of_step(&self, agent: AgentIndex, from: CellIndex, to: CellIndex, with_danger: u64) -> u64 {
        let cost = || self.ground(agent).step_units(from, to).unwrap_or(with_danger);
        if self.land.has_dangers() { cost() } else { with_danger }
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

    /// Whether a step leads along a link to a cell that is no neighbour.
    #[inline]
    pub(super) fn is_link(&self, from: CellIndex, to: CellIndex) -> bool {
        self.land.has_links() && !are_neighbours(from, to, self.grid().stride())
    }

    /// Where an agent is, and where it is going.
    pub(super) fn state(&self, agent: AgentIndex) -> AgentState {
        let entry = &self.agents[agent];
        let (cell, step) = self.position(agent);
        let goal = self.last_goal(agent).map(Target::first);
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

    /// Whether an agent has ever taken a cell. As long as none has, nothing is kept for each cell.
    pub(super) fn takes_cells(&self) -> bool {
        !self.rooms.is_empty()
    }

    /// The agent in a cell. It may be about to leave.
    #[inline]
    pub(super) fn agent_in(&self, at: CellIndex) -> Option<AgentIndex> {
        self.places.agent(at)
    }

    /// The claim on a cell.
    #[inline]
    pub(super) fn claim(&self, at: CellIndex) -> Claim {
        self.places.claim(at)
    }

    /// The agent that is on the way into a cell.
    #[inline]
    pub(super) fn entering(&self, at: CellIndex) -> Option<AgentIndex> {
        self.places.entering(at)
    }

    pub(super) fn set_claim(&mut self, at: CellIndex, claim: Claim) {
        self.places.set_claim(at, claim);
    }

    /// The agent that is in a cell and has not half left it.
    pub(super) fn occupant(&self, at: CellIndex) -> Option<AgentIndex> {
        let is_here = |agent: AgentIndex| self.agents[agent].movement.is_none_or(|movement| movement.middle > self.now);
        self.places.agent(at).filter(|&agent| is_here(agent))
    }

    /// Whether an agent can be put into a cell: no agent is in the cells that it takes up or on the way into them, and
    /// no edit waits for them.
    pub(super) fn check_room(
        &self,
        AgentSettings { kind, passes, .. }: AgentSettings,
        at: Cell,
    ) -> Result<(), CrowdError> {
        let grid = self.land.grids().nth(kind).ok_or(CrowdError::NoKind(kind))?;
        if !grid.is_passable(at) {
            return Err(CrowdError::Blocked(at));
        }
        if passes || self.is_free(kind, self.index(at)) { Ok(()) } else { Err(CrowdError::Taken(at)) }
    }

    /// Whether no agent is in the cells that an agent of a kind takes up in a cell, or on the way into them.
    pub(super) fn is_free(&self, kind: usize, at: CellIndex) -> bool {
        let is_free = |cell| self.claim(cell) == Claim::None && self.occupant(cell).is_none();
        square(at, self.land.side(kind), self.grid().stride()).all(is_free)
    }

    /// Whether an agent of one cell can begin a step, as far as others and edits are concerned: it [may
    /// enter](Self::may_enter) the cell, and no agent crosses on the other diagonal.
    #[inline]
    pub(super) fn can_claim(&self, agent: AgentIndex, to: CellIndex) -> bool {
        self.may_enter(agent, to, to) && !self.is_crossed(self.agents[agent].at, to)
    }

    /// Whether an agent crosses a step on the other diagonal.
    #[inline]
    pub(super) fn is_crossed(&self, from: CellIndex, to: CellIndex) -> bool {
        let stride = self.grid().stride();
        // Neither straight steps cross nor links.
        if to.get().abs_diff(from.get()).abs_diff(stride) != 1 {
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

    /// Where an agent goes, or will go once it has found a route.
    pub(super) fn last_goal(&self, agent: AgentIndex) -> Option<&Target> {
        self.agents[agent].last_guide().map(|guide| self.guides_of(agent).goal(guide))
    }

    /// The cells of an agent's own route, from the cell that was nearest to it when it last looked around; none if a
    /// field leads it or if it has no route.
    pub(super) fn own_cells(&self, agent: AgentIndex) -> impl Iterator<Item = CellIndex> + '_ {
        let own = |guide| self.guides_of(agent).own_cells(guide, agent, self.grid().stride());
        self.agents[agent].guide.map(own).into_iter().flatten()
    }

    /// Whether an agent stands in its goal, or rests near it because others have pushed it off.
    pub(super) fn has_arrived(&self, agent: AgentIndex) -> bool {
        let entry = &self.agents[agent];
        let stands_there = || self.cost_to_goal(agent, entry.at) == 0 && self.may_rest_here(agent);
        entry.movement.is_none() && (stands_there() || self.rests_until(agent).is_some())
    }

    /// Until when an agent rests where it stands because others have pushed it off its goal; `None` if it does not.
    pub(super) fn rests_until(&self, agent: AgentIndex) -> Option<CrowdTime> {
        let entry = &self.agents[agent];
        let until = entry.progress.stopped + COMES_BACK_AFTER;
        let comes_back_later = entry.relation.is_none_or(Relation::is_beside);
        let rests = entry.was_there && comes_back_later && entry.activity == Activity::Resting && self.now < until;
        (rests && self.cost_to_goal(agent, entry.at) <= NEAR_GOAL).then_some(until)
    }

    /// Lets an agent continue to rest where it stands, if it [does](Self::rests_until). Returns whether it does.
    pub(super) fn rests_on(&mut self, agent: AgentIndex) -> bool {
        let Some(until) = self.rests_until(agent) else { return false };
        let looks_at = self.now + CrowdTime::SECOND;
        self.schedule(agent, if self.agents[agent].looks_while_resting() { until.min(looks_at) } else { until });
        true
    }

    /// Whether an agent has a goal, and a route leads there.
    pub(super) fn has_route(&self, agent: AgentIndex) -> bool {
        self.course(agent).is_some() || self.cost_to_goal(agent, self.agents[agent].next_cell()) != u64::MAX
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
        let goal = |agent: &Agent| agent.guide.map(|guide| self.guides[agent.lane].goal(guide));
        if one.lane == other.lane { one.guide == other.guide } else { goal(one) == goal(other) }
    }

    /// Whether an agent stays in its goal.
    #[inline]
    fn stays_in_goal(&self, agent: AgentIndex) -> bool {
        let Agent { at, activity, .. } = self.agents[agent];
        activity == Activity::Resting && self.cost_to_goal(agent, at) == 0
    }

    /// Whether only one of two agents can stay where their goals meet: they have the same goal or, if one of them is large,
    /// goals that may overlap.
    #[inline]
    fn have_one_place(&self, one: AgentIndex, other: AgentIndex) -> bool {
        self.have_same_goal(one, other) || self.is_large(one) || self.is_large(other)
    }

    /// Whether an agent keeps its goal from another agent that has lost its own. Where agents of several sizes walk,
    /// places overlap, so an agent that has lost its goal stops pushing after [`LOST_PUSHES_FOR`]; otherwise it would
    /// push for ever.
    #[inline]
    pub(super) fn keeps_goal_from(&self, agent: AgentIndex, other: AgentIndex) -> bool {
        let keeps = || {
            self.have_one_place(agent, other) || self.land.has_large_kinds() && self.waited(other) >= LOST_PUSHES_FOR
        };
        self.stays_in_goal(agent) && keeps() && self.has_lost_goal(other)
    }

    /// Whether other agents stay in all possible goals of an agent. A large agent has lost a place if others stay in a
    /// part of it.
    pub(super) fn has_lost_goal(&self, agent: AgentIndex) -> bool {
        let Some(guide) = self.agents[agent].guide.filter(|_| self.has_route(agent)) else { return false };
        let stays = |other: &AgentIndex| self.have_one_place(*other, agent) && self.stays_in_goal(*other);
        let stays = |cell| self.places.agent(cell).filter(stays).is_some();
        let is_taken = |&goal: &Cell| self.square(agent, self.index(goal)).any(stays);
        // Goals may be blocked or off the map, such as cells beside an agent in a corner.
        let is_passable = |goal: &&Cell| self.ground(agent).grid.is_passable(**goal);
        self.guides_of(agent).goal(guide).cells().iter().filter(is_passable).all(is_taken)
    }

    /// Whether an agent stays in its own goal, and that is also a possible goal of another agent, or overlaps with one.
    pub(super) fn stays_in_goal_of(&self, agent: AgentIndex, other: AgentIndex) -> bool {
        let Some(guide) = self.agents[other].guide.filter(|_| self.stays_in_goal(agent)) else { return false };
        let is_there = |cell| self.places.agent(cell) == Some(agent);
        let is_passable = |goal: &&Cell| self.ground(other).grid.is_passable(**goal);
        let mut goals = self.guides_of(other).goal(guide).cells().iter().filter(is_passable);
        goals.any(|&goal| self.square(other, self.index(goal)).any(is_there))
    }

    /// For how long an agent has not come nearer to its goal.
    #[inline]
    pub(super) fn waited(&self, agent: AgentIndex) -> CrowdTime {
        self.now - self.agents[agent].progress.since
    }

    /// For how long an agent has tried to come nearer to its goal: its wait, without the time that it rested before.
    pub(super) fn tried(&self, agent: AgentIndex) -> CrowdTime {
        self.waited(agent).min(self.now - self.agents[agent].journey.since.0)
    }

    /// Whether an agent waits its turn: until it has stood in one cell for [`PATIENCE`], and without end if another agent
    /// stays in its goal.
    #[inline]
    pub(super) fn is_patient(&self, agent: AgentIndex) -> bool {
        self.now - self.agents[agent].progress.stopped < PATIENCE || self.has_lost_goal(agent)
    }

    /// The rank of an agent now.
    #[inline]
    pub(super) fn rank(&self, agent: AgentIndex) -> Rank {
        if self.comes_out(agent) {
            return Rank::coming_out(agent);
        }
        let entry = &self.agents[agent];
        Rank {
            priority: entry.priority,
            is_travelling: entry.is_travelling(),
            keeps_turn: self.now >= entry.yields_until,
            is_urgent: !entry.passes && (self.rooms[entry.kind].is_passage(entry.at) || !self.is_patient(agent)),
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
        let entry = &self.agents[agent];
        let decides = entry.is_travelling() || entry.is_in_jam() || self.comes_out(agent);
        if decides && !std::mem::replace(&mut self.agents[agent].is_deciding, true) {
            self.agenda.call(self.rank(agent));
        }
    }

    /// Lets the waiting agents around a cell decide again, because an agent has left it, or because an agent has
    /// entered it that agents of higher rank may push.
    pub(super) fn call_neighbours(&mut self, at: CellIndex, entered: Option<AgentIndex>) {
        let rank = entered.map(|agent| self.rank(agent));
        for next in self.neighbours(at) {
            self.call_from(next, rank);
        }
        if self.land.has_links() {
            for kind in 0..self.land.kinds() {
                let starts: Vec<_> = self.land.ground(kind).links_to(at).collect();
                starts.into_iter().for_each(|start| self.call_from(start, rank));
            }
        }
    }

    /// Lets an agent that waits in a cell decide again, if its rank is higher than this rank.
    #[inline]
    fn call_from(&mut self, at: CellIndex, rank: Option<Rank>) {
        let Some(agent) = self.places.agent(at) else { return };
        if self.agents[agent].is_idle() && rank.is_none_or(|rank| self.rank(agent) > rank) {
            self.call(agent);
        }
    }

    /// The same around all cells that an agent takes up when it is in a cell.
    pub(super) fn call_around(&mut self, agent: AgentIndex, at: CellIndex, entered: Option<AgentIndex>) {
        for cell in self.square(agent, at) {
            self.call_neighbours(cell, entered);
        }
    }

    /// The number of columns, and of rows, of the cells in which an agent is.
    #[inline]
    pub(super) fn side(&self, agent: AgentIndex) -> usize {
        self.land.side(self.agents[agent].kind)
    }

    /// The number of columns, and of rows, of cells that an agent takes up: none if it passes.
    #[inline]
    fn taken_side(&self, agent: AgentIndex) -> usize {
        match () {
            () if self.agents[agent].passes => 0,
            () if self.land.has_large_kinds() => self.side(agent),
            () => 1,
        }
    }

    /// Whether an agent takes up more than one cell.
    #[inline]
    pub(super) fn is_large(&self, agent: AgentIndex) -> bool {
        self.land.has_large_kinds() && self.taken_side(agent) > 1
    }

    /// The cells that an agent takes up when it is in a cell.
    #[inline]
    pub(super) fn square(&self, agent: AgentIndex, at: CellIndex) -> impl Iterator<Item = CellIndex> + use<> {
        square(at, self.taken_side(agent), self.grid().stride())
    }

    /// Whether an agent in a cell takes up another cell.
    pub(super) fn covers(&self, agent: AgentIndex, at: CellIndex, other: CellIndex) -> bool {
        is_in_square(at, self.taken_side(agent), self.grid().stride(), other)
    }

    /// The cells that an agent has to enter for a step.
    pub(super) fn entered_cells(
        &self,
        agent: AgentIndex,
        to: CellIndex,
    ) -> impl Iterator<Item = CellIndex> + Clone + use<> {
        let (at, side, stride) = (self.agents[agent].at, self.taken_side(agent), self.grid().stride());
        square(to, side, stride).filter(move |&cell| !is_in_square(at, side, stride, cell))
    }

    /// About how many bytes the guides take in addition to an earlier copy.
    pub(super) fn bytes_of_guides_beside(&self, earlier: Option<&Self>) -> usize {
        let entries = self.grid().entry_units().len();
        let bytes = |(kind, guides): (usize, &Guides)| {
            let before = earlier.and_then(|earlier| earlier.guides.get(kind));
            guides.bytes_beside(before, entries)
        };
        self.guides.iter().enumerate().map(bytes).sum()
    }

    /// Adds the time, the ground, all agents, the hash of their later orders and the guides to a hash.
    pub(super) fn add_state_to(&self, hash: &mut Mixer, orders: u64) {
        hash.add(self.now.ticks());
        hash.add(self.land.hash());
        // Without dangers, the hash is the same as in versions without dangers.
        if self.land.hash_of_dangers() != 0 {
            hash.add(self.land.hash_of_dangers());
        }
        for agent in self.agents.on_map() {
            hash.add(u64::from(self.agents.id(agent)));
            self.agents[agent].add_to(hash);
        }
        self.courses.values().for_each(|course| hash.add(course.number()));
        self.add_itineraries_to(hash);
        hash.add(orders);
        let (guides, of_passing) = self.guides.split_at(self.land.kinds());
        guides.iter().for_each(|guides| hash.add(guides.hash()));
        of_passing.iter().map(Guides::hash).filter(|&of_goals| of_goals != 0).for_each(|of_goals| hash.add(of_goals));
    }

    /// Adds the searches that wait to a hash.
    pub(super) fn add_searches_to(&self, hash: &mut Mixer) {
        self.searches.add_to(hash, self.now);
    }
}

impl Index<AgentIndex> for Board {
    type Output = Agent;

    #[inline]
    fn index(&self, agent: AgentIndex) -> &Agent {
        &self.agents[agent]
    }
}

/// The cells of a square, by its north-western cell.
#[inline]
pub(super) fn square(at: CellIndex, side: usize, stride: usize) -> impl Iterator<Item = CellIndex> + Clone + use<> {
    (0..side).flat_map(move |y| (0..side).map(move |x| CellIndex::new(at.get() + y * stride + x)))
}

/// Whether two cells are neighbours, by their sides or corners.
pub(super) fn are_neighbours(one: CellIndex, other: CellIndex, stride: usize) -> bool {
    let distance = one.get().abs_diff(other.get());
    distance == 1 || distance.abs_diff(stride) <= 1
}

/// Whether a cell is in a square.
fn is_in_square(at: CellIndex, side: usize, stride: usize, cell: CellIndex) -> bool {
    let [(x, y), (left, top)] = [cell, at].map(|cell| (cell.get() % stride, cell.get() / stride));
    (left..left + side).contains(&x) && (top..top + side).contains(&y)
}
