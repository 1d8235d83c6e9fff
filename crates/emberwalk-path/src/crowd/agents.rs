//! The agents of a crowd, and their slots.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Index, IndexMut};

use super::index::{AgentIndex, CellIndex, GuideIndex};
use super::rooms::Group;
use super::searches::Request;
use super::{AgentId, CrowdTime, OnArrival, Pace, Step};
use crate::grid::{Cell, Direction};

/// The step that an agent has decided to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Movement {
    pub(super) to: CellIndex,
    pub(super) step: Step,
    /// The middle of the step, also when that is over.
    pub(super) middle: CrowdTime,
    /// Whether the agent is slower than its pace until the middle, because the one whose cell it enters has become slower.
    pub(super) is_held_up: bool,
    /// When it last changed.
    pub(super) changed: CrowdTime,
}

impl Movement {
    /// When the cell that the agent leaves is free: never, if it stands still before.
    pub(super) fn free_at(&self, now: CrowdTime) -> CrowdTime {
        if self.step.stands_still() && self.middle > now { CrowdTime::NEVER } else { self.middle }
    }
}

/// What an agent does between its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Activity {
    /// It is on the way to its goal.
    Travelling,
    /// It has no goal, has arrived, or has no route. It only makes way for others.
    Resting,
    /// It is not on the map any more.
    Gone,
}

/// Whether an agent makes way for nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Hold {
    /// It makes way.
    No,
    /// It does not. Others do not go round it before this time.
    Until(CrowdTime),
    /// It does not, and others go round its cell.
    Settled,
}

/// The part of an agent's rank that stays the same until it has arrived. Agents that have been on the way for longer
/// come first, then groups one after the other, then those that have farther to go.
///
/// An agent that was pushed out of its goal sets out again, and so comes after all those that have not been there yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Journey {
    pub(super) since: Reverse<CrowdTime>,
    pub(super) group: Reverse<Group>,
    pub(super) distance: u64,
}

/// How near an agent has come to its goal.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Progress {
    /// The lowest cost to its goal so far, in units.
    pub(super) lowest: u64,
    /// When it reached this cost.
    pub(super) since: CrowdTime,
    /// When its last step ended.
    pub(super) stopped: CrowdTime,
    /// How often it was stuck on the way to this goal.
    pub(super) attempts: u32,
    /// When it can be stuck again.
    pub(super) not_before: CrowdTime,
}

impl Progress {
    /// No progress yet, of an agent that is new or has a new goal.
    pub(super) fn new(now: CrowdTime) -> Self {
        Self { lowest: u64::MAX, since: now, stopped: now, attempts: 0, not_before: now }
    }
}

/// The order of a group by which an agent has got its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct GroupOrder {
    pub(super) goal: Cell,
    /// Otherwise its place is one of the nearest that it can reach.
    pub(super) reaches_goal: bool,
    /// The [hash of the ground](super::land::Land::hash) on which the place was chosen.
    pub(super) ground: u64,
    /// When the group may look for better places.
    pub(super) looks_at: CrowdTime,
}

/// The place of an agent in a [jam](super::jam): the number of the jam, and its number there.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Membership {
    pub(super) jam: usize,
    pub(super) member: usize,
}

/// An agent of a crowd.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Agent {
    /// How many agents had its slot before.
    generation: u32,
    /// The cell in which the last step has ended.
    pub(super) at: CellIndex,
    /// The step that it takes from there.
    pub(super) movement: Option<Movement>,
    pub(super) activity: Activity,
    /// The index of its kind.
    pub(super) kind: usize,
    /// Its own pace, if it has one.
    pub(super) pace: Option<Pace>,
    pub(super) priority: i8,
    /// Which [guide](super::guides) leads it.
    pub(super) guide: Option<GuideIndex>,
    /// Whether the search for its route waits for its turn, or is under way.
    pub(super) request: Option<Request>,
    pub(super) on_arrival: OnArrival,
    /// The agent that it follows, and when it looks next where that is.
    pub(super) follows: Option<AgentId>,
    pub(super) looks_for_other_at: CrowdTime,
    pub(super) group_order: Option<GroupOrder>,
    pub(super) hold: Hold,
    /// Whether it was told to hold. Otherwise it does only while its pace is still.
    pub(super) is_told_to_hold: bool,
    /// Whether its goal was unreachable when it last looked for a route.
    pub(super) is_cut_off: bool,
    /// When it last arrived at a goal.
    pub(super) arrived: Option<CrowdTime>,
    /// The direction of its last step.
    pub(super) facing: Option<Direction>,
    pub(super) journey: Journey,
    pub(super) progress: Progress,
    /// The jam that it is in: it follows a script, or waits for one.
    pub(super) membership: Option<Membership>,
    /// When it decides next.
    pub(super) due: CrowdTime,
    /// Until when it makes way for all that are on the way, because it has [gone back](super::Crowd::go_back).
    pub(super) yields_until: CrowdTime,
    /// The decision in which it was last asked to move.
    asked_in: u64,
    /// Whether it is on the list of those that decide now.
    pub(super) is_deciding: bool,
}

impl Agent {
    /// The cell from which a part of it moves into this one. All cells of a large agent move in the same way.
    #[inline]
    pub(super) fn came_from(&self, to: CellIndex) -> CellIndex {
        self.movement.map_or(self.at, |movement| to.neighbour(self.at.get() as isize - movement.to.get() as isize))
    }

    fn new(generation: u32, at: CellIndex, now: CrowdTime) -> Self {
        Self {
            generation,
            at,
            movement: None,
            activity: Activity::Resting,
            kind: 0,
            pace: None,
            priority: 0,
            guide: None,
            request: None,
            on_arrival: OnArrival::Stay,
            follows: None,
            looks_for_other_at: now,
            group_order: None,
            hold: Hold::No,
            is_told_to_hold: false,
            is_cut_off: false,
            arrived: None,
            facing: None,
            journey: Journey::default(),
            progress: Progress::new(now),
            membership: None,
            due: CrowdTime::NEVER,
            yields_until: CrowdTime::ZERO,
            asked_in: 0,
            is_deciding: false,
        }
    }

    /// Where it is, or where its step leads.
    pub(super) fn next_cell(&self) -> CellIndex {
        self.movement.map_or(self.at, |movement| movement.to)
    }

    /// The guide that leads it, or will do so once it has found a route.
    pub(super) fn last_guide(&self) -> Option<GuideIndex> {
        self.request.map(|request| request.guide).or(self.guide)
    }

    /// What it does when it arrives where that guide leads.
    pub(super) fn last_on_arrival(&self) -> OnArrival {
        self.request.map_or(self.on_arrival, |request| request.on_arrival)
    }

    /// Whether it takes no step.
    pub(super) fn is_idle(&self) -> bool {
        self.movement.is_none() && self.activity != Activity::Gone
    }

    pub(super) fn is_travelling(&self) -> bool {
        self.activity == Activity::Travelling
    }

    /// The order of its group, if it cannot reach the goal.
    pub(super) fn unreachable(&self) -> Option<GroupOrder> {
        self.group_order.filter(|order| !order.reaches_goal)
    }

    pub(super) fn is_in_jam(&self) -> bool {
        self.membership.is_some()
    }
}

/// All agents, by their slots. Slots of agents that have left are used again, the lowest first, and removed from the
/// end of the list.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Agents {
    slots: Vec<Agent>,
    /// The slots to use again. Those from the end of the list on are outdated.
    free: BinaryHeap<Reverse<AgentIndex>>,
    /// The generation of agents in new slots: higher than in the slots that were removed.
    first_generation: u32,
    /// The number of decisions so far.
    decisions: u64,
    /// The number of agents that the last decision has asked to move.
    asked: usize,
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

    /// Begins a decision, in which no agent has been asked to move.
    pub(super) fn begin_decision(&mut self) {
        self.decisions += 1;
        self.asked = 0;
    }

    /// Notes that an agent is asked to move in this decision.
    pub(super) fn ask(&mut self, agent: AgentIndex) {
        self[agent].asked_in = self.decisions;
        self.asked += 1;
    }

    /// Whether an agent has been asked to move in this decision.
    pub(super) fn was_asked(&self, agent: AgentIndex) -> bool {
        self[agent].asked_in == self.decisions
    }

    /// How many agents have been asked to move in this decision.
    pub(super) fn asked(&self) -> usize {
        self.asked
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
