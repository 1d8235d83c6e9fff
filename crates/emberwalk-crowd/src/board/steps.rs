//! Changes of the board: agents come, step, decide and leave.

use super::agents::{Agent, Movement};
use super::places::Claim;
use super::relations::Relation;
use super::{Activity, Board, Entry, Membership};
use crate::CrowdEvent;
use crate::agent::AgentSettings;
use crate::index::{AgentIndex, CellIndex};
use crate::land::{Change, Rooms};
use emberwalk_path::EntryCost;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::{CrowdTime, Step};

impl Board {
    /// Lets time pass until something is due, or until the end. Returns whether something is.
    pub(crate) fn pass_until(&mut self, end: CrowdTime) -> bool {
        let next = self.agenda.next_time().filter(|&time| time <= end);
        self.now = next.unwrap_or(end);
        next.is_some()
    }

    /// Takes the next entry off the agenda that is due now.
    pub(crate) fn take_due(&mut self) -> Option<Entry> {
        self.agenda.take_due(self.now)
    }

    pub(crate) fn add_beat(&mut self) {
        self.agenda.add_beat(self.now);
    }

    /// Whether an agent ends its step or decides now, which it does once. An entry of the agenda with another time than
    /// the agent's own is outdated.
    pub(crate) fn wakes(&mut self, agent: AgentIndex) -> bool {
        let now = self.now;
        let due = self.agents.get_mut(agent).map(|entry| &mut entry.due).filter(|due| **due == now);
        due.map(|due| *due = CrowdTime::NEVER).is_some()
    }

    /// The next agent that decides now.
    pub(crate) fn take_deciding(&mut self) -> Option<AgentIndex> {
        while let Some(agent) = self.agenda.take_deciding() {
            // Others have left since.
            if self.agents.get_mut(agent).is_some_and(|entry| std::mem::take(&mut entry.is_deciding)) {
                return Some(agent);
            }
        }
        None
    }

    /// Begins a decision, in which no agent has been asked to move.
    pub(crate) fn begin_decision(&mut self) {
        self.agents.decisions += 1;
        self.agents.asked = 0;
    }

    /// Notes that an agent is asked to move in this decision.
    pub(crate) fn ask(&mut self, agent: AgentIndex) {
        self.agents[agent].asked_in = self.agents.decisions;
        self.agents.asked += 1;
    }

    /// Whether an agent has been asked to move in this decision.
    pub(crate) fn was_asked(&self, agent: AgentIndex) -> bool {
        self.agents[agent].asked_in == self.agents.decisions
    }

    /// How many agents have been asked to move in this decision.
    pub(crate) fn asked(&self) -> usize {
        self.agents.asked
    }

    /// Puts an agent into a cell that has room for it.
    pub(crate) fn add(&mut self, at: CellIndex, settings: AgentSettings) -> AgentIndex {
        let agent = self.agents.add(at, self.now);
        let entry = &mut self.agents[agent];
        let AgentSettings { kind, priority, passes, .. } = settings;
        entry.kind = kind;
        entry.priority = priority;
        entry.passes = passes;
        entry.lane = if passes { self.land.kinds() + kind } else { kind };
        if !passes && self.rooms.is_empty() {
            self.rooms = self.land.grids().map(Rooms::new).collect();
        }
        self.square(agent, at).for_each(|cell| self.places.put(agent, cell));
        agent
    }

    /// Reports that an agent was put into its cell.
    pub(crate) fn report_added(&mut self, agent: AgentIndex) {
        let (id, time, &Agent { kind, passes, .. }) = (self.agents.id(agent), self.now, &self.agents[agent]);
        self.events.extend(passes.then_some(CrowdEvent::Passes { agent: id, time }));
        self.events.extend((kind > 0).then_some(CrowdEvent::KindSet { agent: id, kind, time }));
        self.events.push(CrowdEvent::Added { agent: id, at: self.cell(self.agents[agent].at), time });
    }

    pub(crate) fn set_priority(&mut self, agent: AgentIndex, priority: i8) {
        self.agents[agent].priority = priority;
    }

    /// Takes an agent out of its cell, and reports that.
    fn take_away(&mut self, agent: AgentIndex) {
        let at = self.agents[agent].at;
        self.square(agent, at).for_each(|cell| self.places.take(agent, cell));
        self.events.push(CrowdEvent::Left { agent: self.agents.id(agent), at: self.cell(at), time: self.now });
    }

    /// Takes an agent off the map that takes no step, and has neither goal nor jam.
    pub(crate) fn remove(&mut self, agent: AgentIndex) {
        self.take_away(agent);
        let cells = self.square(agent, self.agents[agent].at);
        self.agents.vacate(agent);
        cells.for_each(|cell| self.call_neighbours(cell, None));
    }

    /// Puts an agent into another cell without a step. Readers of the log forget an agent that leaves.
    pub(crate) fn relocate(&mut self, agent: AgentIndex, to: CellIndex) {
        self.take_away(agent);
        self.agents[agent].at = to;
        self.report_added(agent);
        let (id, time) = (self.agents.id(agent), self.now);
        self.events.extend(self.agents[agent].pace.map(|pace| CrowdEvent::PaceSet { agent: id, pace, time }));
        self.agents[agent].progress = super::agents::Progress::new(time);
        self.square(agent, to).for_each(|cell| self.places.put(agent, cell));
    }

    /// Lets an agent begin a step, which is half over at a time.
    pub(crate) fn begin_step(&mut self, agent: AgentIndex, to: CellIndex, middle: CrowdTime, duration: CrowdTime) {
        let start = middle - duration.half();
        let from = self.agents[agent].at;
        let step = Step { from: self.cell(from), to: self.cell(to), start, end: start + duration };
        let ground = self.ground(agent);
        let is_linked = self.land.has_links() && ground.grid.link_cost(step.from, step.to).is_some();
        let link = if is_linked { ground.step_cost(from, to) } else { None };
        let movement = Movement { to, step, middle, is_held_up: false, changed: self.now, link, goes_back: false };
        let entry = &mut self.agents[agent];
        entry.movement = Some(movement);
        entry.facing = Some(step.direction());
        self.square(agent, to).for_each(|cell| self.places.set_claim(cell, Claim::Agent(agent)));
        self.events.push(CrowdEvent::Step { agent: self.agents.id(agent), step });
        self.schedule(agent, step.end);
        self.call_around(agent, from, None);
    }

    /// Ends the step of an agent, if it was taking one. Returns whether it was. `claim` says who may enter its cells then.
    pub(crate) fn end_step(&mut self, agent: AgentIndex, claim: impl Fn(CellIndex) -> Claim) -> bool {
        let Some(movement) = self.agents[agent].movement.take() else { return false };
        let from = std::mem::replace(&mut self.agents[agent].at, movement.to);
        self.square(agent, from).for_each(|cell| self.places.take(agent, cell));
        for cell in self.square(agent, movement.to) {
            self.places.put(agent, cell);
            self.places.set_claim(cell, claim(cell));
        }
        self.call_around(agent, movement.to, Some(agent));
        self.look_around(agent, movement.to);
        true
    }

    /// Breaks off the step of an agent that is about to leave the map.
    pub(crate) fn break_off_step(&mut self, agent: AgentIndex, claim: impl Fn(CellIndex) -> Claim) {
        let Some(movement) = self.agents[agent].movement.take() else { return };
        self.square(agent, movement.to).for_each(|cell| self.places.set_claim(cell, claim(cell)));
        self.call_around(agent, movement.to, None);
        if movement.middle <= self.now {
            let from = std::mem::replace(&mut self.agents[agent].at, movement.to);
            self.square(agent, from).for_each(|cell| self.places.take(agent, cell));
        }
    }

    /// Whether an agent has arrived in this moment already, because its next goal is where it is, perhaps again and again.
    pub(crate) fn has_just_arrived(&self, agent: AgentIndex) -> bool {
        self.agents[agent].arrived == Some(self.now)
    }

    /// Lets an agent arrive in its goal. This is reported once for each order, and each time if its goal is about
    /// another agent.
    pub(crate) fn arrive(&mut self, agent: AgentIndex) {
        let (now, at) = (self.now, self.cell(self.agents[agent].at));
        let entry = &mut self.agents[agent];
        entry.activity = Activity::Resting;
        entry.arrived = Some(now);
        if !std::mem::replace(&mut entry.was_there, true) || entry.relation.is_some_and(Relation::is_beside) {
            self.events.push(CrowdEvent::Arrived { agent: self.agents.id(agent), at, time: now });
        }
    }

    /// Lets an agent rest where it came too late: the other agent of its goal has gone on.
    pub(crate) fn miss(&mut self, agent: AgentIndex) {
        let entry = &mut self.agents[agent];
        (entry.activity, entry.was_there) = (Activity::Resting, false);
    }

    /// Lets an agent make way for all agents that are on the way, until a time.
    pub(crate) fn yield_until(&mut self, agent: AgentIndex, time: CrowdTime) {
        self.agents[agent].yields_until = time;
    }

    /// Notes at the end of a step how near the agent has come to its goal. Returns whether it is nearer than before.
    /// Progress is counted from the start again after a rest of this length.
    pub(crate) fn note_progress(&mut self, agent: AgentIndex, begins_anew_after: CrowdTime) -> bool {
        let cost = self.cost_to_goal(agent, self.agents[agent].at);
        let entry = &mut self.agents[agent];
        let rests = entry.activity == Activity::Resting;
        entry.progress.note(cost, self.now, rests, begins_anew_after)
    }

    /// Lets an agent count as stuck once more, and not again before a time.
    pub(crate) fn begin_attempt(&mut self, agent: AgentIndex, not_before: CrowdTime) {
        let progress = &mut self.agents[agent].progress;
        progress.attempts += 1;
        progress.not_before = not_before;
    }

    /// Notes that an agent is reported as stuck.
    pub(crate) fn set_told(&mut self, agent: AgentIndex) {
        self.agents[agent].progress.is_told = true;
    }

    /// Lets an agent be in a jam, or in none. Returns in which it was.
    pub(crate) fn set_membership(&mut self, agent: AgentIndex, membership: Option<Membership>) -> Option<Membership> {
        std::mem::replace(&mut self.agents[agent].membership, membership)
    }

    /// Makes a change of a cell, and returns whether it changes anything.
    pub(crate) fn change(&mut self, change: Change, at: CellIndex) -> bool {
        let (cell, time) = (self.cell(at), self.now);
        let changes = self.land.change(change, cell);
        if changes {
            self.is_ground_changed = true;
            self.events.push(match change {
                Change::Cost(kind, cost) => CrowdEvent::CostSet { cell, kind, cost, time },
                Change::Class(class) => CrowdEvent::ClassSet { cell, class, time },
                Change::Level(level) => CrowdEvent::LevelSet { cell, level, time },
            });
        }
        changes
    }

    /// Adds a link for a kind, or removes it if it has no cost, and returns whether that changes anything.
    pub(crate) fn set_link(&mut self, kind: usize, from: Cell, to: Cell, cost: Option<EntryCost>) -> bool {
        let changes = self.land.set_link(kind, from, to, cost);
        if changes {
            self.is_ground_changed = true;
            self.events.push(CrowdEvent::LinkSet { from, to, kind, cost, time: self.now });
            self.add_beat();
        }
        changes
    }

    /// Lets guides go round a cell that an edit will block.
    pub(crate) fn hold_cell(&mut self, at: CellIndex) {
        self.land.hold(self.cell(at));
    }

    /// Takes back one call of [`hold_cell`](Self::hold_cell).
    pub(crate) fn release_cell(&mut self, at: CellIndex) {
        self.land.release(self.cell(at));
    }
}
