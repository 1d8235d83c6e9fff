//! The agents of a crowd, and their slots.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Index, IndexMut};

use super::rank::Journey;
use super::relations::{Look, Relation};
use crate::index::{AgentIndex, CellIndex, GuideIndex};
use crate::{AgentId, OnArrival};
use emberwalk_path::RouteCost;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::hash::{Mixer, number_of};
use emberwalk_path::internal::hash_of;
#[cfg(feature = "serde")]
use emberwalk_path::internal::is_default;
use emberwalk_path::time::{CrowdTime, Pace, Step};

/// For how long an agent remembers its last step, which it takes back only if no other step is possible. It is not
/// tuned: a step that is taken back sooner looks as if the agent had changed its mind.
const REMEMBERS_STEP: CrowdTime = CrowdTime::from_whole_seconds(2);

/// The step that an agent has decided to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Movement {
    pub(crate) to: CellIndex,
    pub(crate) step: Step,
    /// The middle of the step, even when it is over.
    pub(crate) middle: CrowdTime,
    /// Whether the agent is slower than its pace until the middle, because the agent whose cell it enters has become
    /// slower.
    pub(crate) is_held_up: bool,
    /// When it last changed.
    pub(crate) changed: CrowdTime,
    /// The cost of the step if there was a link when it was decided. The link may have been removed since.
    pub(crate) link: Option<RouteCost>,
    /// Whether the agent has turned back in the middle of it. Only agents that pass do.
    pub(crate) goes_back: bool,
}

impl Movement {
    /// When the cell that the agent leaves is free: never, if it stands still before.
    pub(crate) fn free_at(&self, now: CrowdTime) -> CrowdTime {
        if self.step.stands_still() && self.middle > now { CrowdTime::NEVER } else { self.middle }
    }
}

/// The activity of an agent between its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Activity {
    /// It is on the way to its goal.
    Travelling,
    /// It has no goal, has arrived, or has no route. It only makes way for others.
    #[default]
    Resting,
    /// It is not on the map any more.
    Gone,
}

/// Whether an agent makes way for nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Hold {
    /// It makes way.
    #[default]
    No,
    /// It does not. Others do not go round it before this time.
    Until(CrowdTime),
    /// It does not, and others go round its cell.
    Settled,
}

/// How near an agent has come to its goal.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Progress {
    /// The lowest cost to its goal so far, in units.
    pub(crate) lowest: u64,
    /// When it reached this cost.
    pub(crate) since: CrowdTime,
    /// When its last step ended.
    pub(crate) stopped: CrowdTime,
    /// How often it was stuck on the way to this goal.
    pub(crate) attempts: u32,
    /// Whether it was told that it is stuck on the way to this goal.
    pub(crate) is_told: bool,
    /// When it can be stuck again.
    pub(crate) not_before: CrowdTime,
}

impl Progress {
    /// No progress yet, of an agent that is new or has a new goal.
    pub(super) fn new(now: CrowdTime) -> Self {
        Self { lowest: u64::MAX, since: now, stopped: now, attempts: 0, is_told: false, not_before: now }
    }

    /// Notes the cost to the goal at the end of a step. Returns whether the agent is nearer than before.
    pub(super) fn note(&mut self, cost: u64, now: CrowdTime, rests: bool, begins_anew_after: CrowdTime) -> bool {
        if rests && now - self.stopped > begins_anew_after {
            self.lowest = u64::MAX;
            self.attempts = 0;
        }
        self.stopped = now;
        let is_nearer = cost < self.lowest;
        if is_nearer {
            self.lowest = cost;
            self.since = now;
        }
        is_nearer
    }
}

/// That an agent waits for the search for its route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Request {
    /// The earliest time comes first.
    pub(super) turn: CrowdTime,
    /// How many there were before it.
    pub(super) number: u64,
    /// The guide that will lead it. If this guide leads the agent already, its route is planned again; otherwise it has
    /// been acquired for the agent.
    pub(crate) guide: GuideIndex,
    pub(crate) on_arrival: OnArrival,
}

/// The order of a group by which an agent has got its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct GroupOrder {
    pub(crate) goal: Cell,
    /// Otherwise its place is one of the nearest that it can reach.
    pub(crate) reaches_goal: bool,
    /// The [hash of the ground](crate::land::Land::hash) on which the place was chosen.
    pub(crate) ground: u64,
    /// When the group may look for better places.
    pub(crate) looks_at: CrowdTime,
}

/// The place of an agent in a [jam](crate::making_way::jam): the number of the jam, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Membership {
    pub(crate) jam: usize,
    pub(crate) member: usize,
}

/// An agent of a crowd.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub(crate) struct Agent {
    /// How many agents had its slot before.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    generation: u32,
    /// The cell in which the last step has ended.
    pub(super) at: CellIndex,
    /// The step that it takes from there.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) movement: Option<Movement>,
    pub(super) activity: Activity,
    /// The index of its kind.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) kind: usize,
    /// Whether it passes through all others.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) passes: bool,
    /// The index of the guides that lead it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) lane: usize,
    /// Its own pace, if it has one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) pace: Option<Pace>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) priority: i8,
    /// Which [guide](crate::guides) leads it.
    pub(super) guide: Option<GuideIndex>,
    /// Whether the search for its route waits for its turn, or is under way.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) request: Option<Request>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) on_arrival: OnArrival,
    /// The relation of its goal to another agent, the time when it next looks for that agent, and what it has seen.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) relation: Option<Relation>,
    pub(super) looks_for_other_at: CrowdTime,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) look: Look,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) group_order: Option<GroupOrder>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) hold: Hold,
    /// Whether it was told to hold. Otherwise it does only while its pace is still.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) is_told_to_hold: bool,
    /// Whether its goal was unreachable when it last looked for a route.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) is_cut_off: bool,
    /// When it last arrived at a goal.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) arrived: Option<CrowdTime>,
    /// Whether it has been in the goal of its order.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) was_there: bool,
    /// The direction of its last step.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) facing: Option<Direction>,
    pub(super) journey: Journey,
    pub(super) progress: Progress,
    /// The jam that it is in: it follows a script, or waits for one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) membership: Option<Membership>,
    /// When it decides next.
    pub(super) due: CrowdTime,
    /// Until when it makes way for all agents that are on the way, because it has [gone back](crate::Crowd::go_back).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) yields_until: CrowdTime,
    /// The decision in which it was last asked to move.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) asked_in: u64,
    /// Whether it is on the list of the agents that decide now.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub(super) is_deciding: bool,
}

impl Agent {
    /// The cell from which a part of it moves into this one. All cells of a large agent move in the same way.
    #[inline]
    pub(super) fn came_from(&self, to: CellIndex) -> CellIndex {
        self.movement.map_or(self.at, |movement| to.neighbour(self.at.get() as isize - movement.to.get() as isize))
    }

    fn new(generation: u32, at: CellIndex, now: CrowdTime) -> Self {
        let progress = Progress::new(now);
        Self { generation, at, looks_for_other_at: now, progress, due: CrowdTime::NEVER, ..Self::default() }
    }

    /// Where it is, or where its step leads.
    pub(crate) fn next_cell(&self) -> CellIndex {
        self.movement.map_or(self.at, |movement| movement.to)
    }

    /// The guide that leads it, or will do so once it has found a route.
    pub(crate) fn last_guide(&self) -> Option<GuideIndex> {
        self.request.map(|request| request.guide).or(self.guide)
    }

    /// Its action on arrival where that guide leads.
    pub(crate) fn last_on_arrival(&self) -> OnArrival {
        self.request.map_or(self.on_arrival, |request| request.on_arrival)
    }

    /// Whether it takes no step.
    pub(crate) fn is_idle(&self) -> bool {
        self.movement.is_none() && self.activity != Activity::Gone
    }

    pub(crate) fn is_travelling(&self) -> bool {
        self.activity == Activity::Travelling
    }

    /// The order of its group, if it cannot reach the goal.
    pub(crate) fn unreachable(&self) -> Option<GroupOrder> {
        self.group_order.filter(|order| !order.reaches_goal)
    }

    /// The order of its group, if it cannot reach the goal or its own place.
    pub(crate) fn wants_other_place(&self) -> Option<GroupOrder> {
        self.group_order.filter(|order| !order.reaches_goal || self.is_cut_off)
    }

    /// Whether it looks each second for a better goal while it rests: where the agent of its goal is now, or whether it
    /// can reach the goal of its group.
    pub(crate) fn looks_while_resting(&self) -> bool {
        self.relation.is_some() || self.wants_other_place().is_some()
    }

    /// Whether no route led to its goal when it last looked for one.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    pub(crate) fn is_in_jam(&self) -> bool {
        self.membership.is_some()
    }

    /// The cell in which its last step has ended.
    #[inline]
    pub(crate) fn at(&self) -> CellIndex {
        self.at
    }

    /// The index of its kind.
    #[inline]
    pub(crate) fn kind(&self) -> usize {
        self.kind
    }

    /// Whether it passes through all others.
    #[inline]
    pub(crate) fn passes(&self) -> bool {
        self.passes
    }

    /// The step that it takes.
    #[inline]
    pub(crate) fn movement(&self) -> Option<Movement> {
        self.movement
    }

    /// The guide that leads it.
    pub(crate) fn guide(&self) -> Option<GuideIndex> {
        self.guide
    }

    pub(crate) fn on_arrival(&self) -> OnArrival {
        self.on_arrival
    }

    /// The relation of its goal to another agent.
    pub(crate) fn relation(&self) -> Option<Relation> {
        self.relation
    }

    /// The result of its last look for the other agent.
    pub(crate) fn look(&self) -> Look {
        self.look
    }

    pub(crate) fn group_order(&self) -> Option<GroupOrder> {
        self.group_order
    }

    /// Whether it makes way for nobody.
    #[inline]
    pub(crate) fn holds(&self) -> bool {
        self.hold != Hold::No
    }

    /// Whether it has no goal, has arrived, or has no route.
    pub(crate) fn is_resting(&self) -> bool {
        self.activity == Activity::Resting
    }

    /// Whether it waits for the search for its route.
    pub(crate) fn is_searching(&self) -> bool {
        self.request.is_some()
    }

    /// How near it has come to its goal.
    pub(crate) fn progress(&self) -> Progress {
        self.progress
    }

    /// Whether it has been in the goal of its order.
    pub(crate) fn was_there(&self) -> bool {
        self.was_there
    }

    /// Whether a step in this direction takes back the last one, which has just ended.
    #[inline]
    pub(crate) fn takes_back(&self, direction: Direction, now: CrowdTime) -> bool {
        self.facing == Some(direction.opposite()) && now < self.progress.stopped + REMEMBERS_STEP
    }

    /// The jam that it is in.
    #[inline]
    pub(crate) fn membership(&self) -> Option<Membership> {
        self.membership
    }

    /// Adds all state that affects decisions to a hash.
    pub(super) fn add_to(&self, hash: &mut Mixer) {
        let cells = |one: CellIndex, other: CellIndex| (one.get() as u64) << 32 | other.get() as u64;
        let flags = [
            self.request.is_some(),
            self.activity == Activity::Travelling,
            self.on_arrival == OnArrival::Leave,
            self.hold != Hold::No,
            self.is_in_jam(),
            self.is_cut_off,
        ];
        let flags_before = flags.len();
        let flags = flags.iter().fold(0, |bits, &flag| bits << 1 | u64::from(flag));
        let holds_at_its_pace = self.hold != Hold::No && !self.is_told_to_hold;
        let comes_back = self.was_there && (self.is_travelling() || self.due != CrowdTime::NEVER);
        let flags = flags | u64::from(holds_at_its_pace) << flags_before | u64::from(comes_back) << (flags_before + 1);
        let guide = self.last_guide().map_or(u64::MAX, |guide| guide.get() as u64);
        hash.add_all([
            cells(self.at, self.next_cell()),
            self.movement.map_or(CrowdTime::NEVER, |movement| movement.step.start).ticks(),
            self.due.ticks(),
            guide << 16 | (self.kind as u64) << 8 | flags,
            self.progress.lowest,
            self.progress.since.ticks(),
            self.progress.stopped.ticks() << 4 | self.facing.map_or(0, |facing| facing as u64 + 1),
            self.pace.map_or(0, Pace::number) ^ u64::from(self.priority as u8) << 56,
            self.relation.map_or(0, |relation| relation.hash(self.looks_for_other_at, self.look))
                ^ self.yields_until.ticks() << 8
                ^ u64::from(self.passes) << 63,
            self.journey.since.0.ticks()
                ^ self.journey.distance.rotate_left(32)
                ^ self.group_order.map_or(0, GroupOrder::hash),
        ]);
    }
}

impl GroupOrder {
    fn hash(self) -> u64 {
        hash_of([number_of(self.goal), self.reaches_goal.into(), self.ground, self.looks_at.ticks()])
    }
}

/// All agents, by their slots. Slots of agents that have left are used again, the lowest first, and removed from the
/// end of the list.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Agents {
    slots: Vec<Agent>,
    /// The slots to use again. Slots beyond the end of the list are outdated.
    free: BinaryHeap<Reverse<AgentIndex>>,
    /// The generation of agents in new slots: higher than in the slots that were removed.
    first_generation: u32,
    /// The number of decisions so far.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) decisions: u64,
    /// The number of agents that the last decision has asked to move.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) asked: usize,
}

impl Agents {
    /// Adds an agent in a cell.
    pub(super) fn add(&mut self, at: CellIndex, now: CrowdTime) -> AgentIndex {
        if let Some(Reverse(free)) = self.free.pop()
            && let Some(slot) = self.slots.get_mut(free.get())
        {
            *slot = Agent::new(slot.generation + 1, at, now);
            return free;
        }
        self.free.clear();
        self.slots.push(Agent::new(self.first_generation, at, now));
        AgentIndex::new(self.slots.len() - 1)
    }

    /// Gives the slot of an agent back.
    pub(super) fn vacate(&mut self, agent: AgentIndex) {
        self[agent].activity = Activity::Gone;
        if self[agent].generation < u32::MAX {
            self.free.push(Reverse(agent));
        }
        // A slot of the last generation is never used again.
        while let Some(last) = self.slots.pop_if(|last| last.activity == Activity::Gone && last.generation < u32::MAX) {
            self.first_generation = self.first_generation.max(last.generation + 1);
        }
    }

    /// The slot of an agent that is on the map.
    pub(super) fn find(&self, id: AgentId) -> Option<AgentIndex> {
        let agent = self.slots.get(id.index())?;
        (agent.generation == id.generation && agent.activity != Activity::Gone).then(|| AgentIndex::new(id.index()))
    }

    pub(super) fn id(&self, agent: AgentIndex) -> AgentId {
        AgentId { index: agent.get() as u32, generation: self[agent].generation }
    }

    /// The guide that leads an agent, if the guide belongs to this lane.
    #[cfg(feature = "serde")]
    pub(super) fn guide_in(&self, lane: usize, agent: AgentIndex) -> Option<GuideIndex> {
        self.get(agent).filter(|agent| agent.lane == lane)?.guide
    }

    /// The number of slots, which is at least the number of agents.
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Iterates over the agents on the map.
    pub(super) fn on_map(&self) -> impl Iterator<Item = AgentIndex> + '_ {
        let slots = self.slots.iter().enumerate();
        slots.filter(|(_, agent)| agent.activity != Activity::Gone).map(|(index, _)| AgentIndex::new(index))
    }

    /// The agent in a slot; `None` if the slot was removed.
    pub(super) fn get(&self, agent: AgentIndex) -> Option<&Agent> {
        self.slots.get(agent.get())
    }

    /// The same, to change it.
    pub(super) fn get_mut(&mut self, agent: AgentIndex) -> Option<&mut Agent> {
        self.slots.get_mut(agent.get())
    }
}

impl Index<AgentIndex> for Agents {
    type Output = Agent;

    #[inline]
    fn index(&self, agent: AgentIndex) -> &Agent {
        &self.slots[agent.get()]
    }
}

impl IndexMut<AgentIndex> for Agents {
    #[inline]
    fn index_mut(&mut self, agent: AgentIndex) -> &mut Agent {
        &mut self.slots[agent.get()]
    }
}
