//! Crowds: many agents that walk on one grid, make way for each other, and are never two in one cell.
//!
//! A [`Crowd`] owns a [`CostGrid`] and the agents on it. [`Crowd::send`] gives an agent a goal, and [`Crowd::advance`] lets time
//! pass: agents step from cell to cell, and a step takes as long as it costs. The grid can be edited meanwhile.
//!
//! ```
//! use emberwalk_path::crowd::{Crowd, CrowdEvent, OnArrival, Pace, CrowdTime};
//! use emberwalk_path::grid::{Cell, Size};
//! use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
//!
//! // Two agents change sides through a gap in a wall.
//! let passable = |cell: Cell| cell.x != 4 || cell.y == 1;
//! let cost = |cell| passable(cell).then_some(EntryCost::TILE);
//! let grid = CostGrid::from_fn(Size::new(9, 3), Diagonal::GAME, cost)?;
//! let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
//! let (west, east) = (Cell::new(0, 1), Cell::new(8, 1));
//! let (one, other) = (crowd.add(west)?, crowd.add(east)?);
//! crowd.send(one, east, OnArrival::Stay);
//! crowd.send(other, west, OnArrival::Stay);
//!
//! // In a game, a tick is a frame.
//! let mut arrived = 0;
//! while arrived < 2 && crowd.now() < CrowdTime::from_seconds(30.0) {
//!     for event in crowd.advance(CrowdTime::from_seconds(0.05)) {
//!         arrived += usize::from(matches!(event, CrowdEvent::Arrived { .. }));
//!     }
//! }
//! assert_eq!(crowd.state(one).unwrap().cell, east);
//! assert_eq!(crowd.state(other).unwrap().cell, west);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules
//! An agent is in the cell that it is nearer to: in the old one for the first half of a step, then in the new one.
//!
//! - No two agents are ever in one cell.
//! - No two agents change places, and no two cross on the two diagonals between the same four cells, while their steps
//!   overlap in time.
//! - An agent may follow into a cell that another one is leaving.
//! - No agent enters a blocked cell or takes a step that the [`StepRules`] forbid, even while the grid is edited. An edit
//!   [waits](Crowd::set) while an agent is in its way.
//! - A step takes the time that its cost takes at the crowd's [`Pace`].
//!
//! [`conflicts`] checks a log of events against these rules, without knowing how a crowd decides.
//!
//! The same orders and edits at the same times give the same moves on every machine, whatever the durations given to
//! [`Crowd::advance`].
//!
//! # How it works
//! Agents move by priority inheritance with backtracking (PIBT; Okumura et al., 2022), in its causal form, which needs no
//! common clock (Okumura et al., 2021): an agent decides when its step has ended. It prefers the neighbour from which its goal
//! costs least, by a [`Field`](crate::Field) that all agents with this goal share. If an agent of lower rank waits there, that
//! agent has to make way first, with the rank of the agent that pushes it; and so on, until a chain of agents is found that can
//! all move. Where two agents have to change places in a narrow passage, one pulls the other back to where they can pass each
//! other (LaCAM2; Okumura, 2023).
//!
//! An agent that cannot go on, because another one wants to come out past it and there is no room behind that one, goes back
//! after two seconds, with all that queue behind it. So whoever comes out of a full room has the door.
//!
//! A few agents that get no nearer to their goals for some seconds are led out together, by a search for their moves over the
//! cells around them (LaCAM; Okumura, 2023). Until they are out, no other agent enters these cells.
//!
//! Agents in narrow passages have the highest ranks, as they have to come out before others can go in. Next come agents that have
//! been on the way for longer. A room is a wide area between narrow passages. Agents that set out at about the same time to
//! goals in the same room have neighbouring ranks: they go through a passage as a group. An agent does not push aside others
//! that queue ahead of it. If it gets no nearer to its goal for half a minute, it becomes impatient for the next half minute,
//! and again every two minutes: then it overtakes, and makes way for agents in passages only if they have been on the way for
//! longer.
//!
//! # Time and memory
//! A decision takes O(1), and more only where agents push others. Longer work is done in beats, 32 times per second of the
//! crowd's time. In each beat after an edit, at least one field is repaired, and more if that is quick; agents follow the
//! other fields as they are. Each beat also continues the searches for ways out of jams. The rooms are found in O(cells)
//! when the first agent sets out, and again after edits when an agent sets out, at most once per second.
//!
//! Beside the grid and the agents, a crowd takes up to 21 bytes per cell, a [`Field`](crate::Field) for each goal, and up to some
//! tens of megabytes for jams. It keeps its memory: [`Crowd::advance`] allocates nothing, unless there is more to do than ever before.
//!
//! # Sources
//! - Okumura, Machida, Défago, Tamura: "Priority inheritance with backtracking for iterative multi-agent path finding", 2022
//! - Okumura, Tamura, Défago: "CrowdTime-independent planning for multiple moving agents", 2021
//! - Okumura: "LaCAM: search-based algorithm for quick multi-agent pathfinding", 2023
//! - Okumura: "Improving LaCAM for scalable eventually optimal multi-agent pathfinding", 2023
//!
//! # Limits
//! Agents do not plan routes around other agents. Where nearly all of them have to go through a few narrow passages in both
//! directions, they take several times as long as alone. That all of them arrive is measured, not proved: where agents with
//! different goals are packed so that almost no cell is free, they may never arrive.

// Where to start: this file has the public methods and the agenda. `journey` says what an agent does when a step has ended, and
// `moving` how it decides the next step: by `rank`, which says who makes way for whom, by `swap` in narrow passages, and by
// `retreat` in front of full rooms.
// `jam` leads out agents that are stuck. `checker` stands alone.
mod agent;
mod agents;
mod checker;
mod conflict;
mod edits;
mod error;
mod event;
mod guides;
mod jam;
mod journey;
mod moving;
mod places;
mod rank;
mod retreat;
mod rooms;
mod swap;
mod time;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub use agent::{AgentId, AgentState, OnArrival, Step};
pub use checker::{Checker, conflicts};
pub use conflict::{Conflict, ConflictKind};
pub use error::CrowdError;
pub use event::CrowdEvent;
pub use time::{CrowdTime, Pace};

use crate::grid::Cell;
use crate::search::steps::offsets;
use crate::{CostGrid, StepRules};
use agent::{Activity, Movement};
use agents::Agents;
use edits::Edit;
use guides::Guides;
use jam::Jams;
use moving::Chain;
use places::{Claim, Places};
use rank::Rank;
use rooms::Rooms;

/// The longest time that passes in one call of [`Crowd::advance`].
const LONGEST: CrowdTime = CrowdTime::from_whole_seconds(3600);
/// In place of an agent on the agenda: the next [beat](Crowd::beat).
const BEAT: u32 = u32::MAX;

/// Agents that move on one grid at the same time, never two in one cell; see the [module](crate::crowd).
#[derive(Clone, Debug)]
pub struct Crowd {
    grid: CostGrid,
    rules: StepRules,
    pace: Pace,
    now: CrowdTime,
    agents: Agents,
    places: Places,
    guides: Guides,
    rooms: Rooms,
    /// When agents decide next, and the next beat. An entry with another time than the agent's own is outdated.
    agenda: BinaryHeap<Reverse<(CrowdTime, u32)>>,
    /// Whether there is work for the next beat, so that it is on the agenda.
    has_beat: bool,
    /// The agents that decide now.
    deciding: BinaryHeap<Reverse<Rank>>,
    chain: Chain,
    jams: Jams,
    edits: Vec<Edit>,
    events: Vec<CrowdEvent>,
    /// The number of events that the last call of `advance` returned, so that the next call drops them.
    returned: usize,
}

impl Crowd {
    /// Creates a crowd without agents on this grid, at time zero. O(cells).
    pub fn new(grid: CostGrid, rules: StepRules, pace: Pace) -> Self {
        Self {
            places: Places::new(grid.entry_units().len()),
            grid,
            rules,
            pace,
            now: CrowdTime::ZERO,
            agents: Agents::default(),
            guides: Guides::default(),
            rooms: Rooms::default(),
            agenda: BinaryHeap::new(),
            has_beat: false,
            deciding: BinaryHeap::new(),
            chain: Chain::default(),
            jams: Jams::default(),
            edits: Vec::new(),
            events: Vec::new(),
            returned: 0,
        }
    }

    /// The grid, without the edits that still wait. Agents never change it.
    pub fn grid(&self) -> &CostGrid {
        &self.grid
    }

    /// Which steps are allowed.
    pub fn rules(&self) -> StepRules {
        self.rules
    }

    /// How long steps take.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The time until which the crowd has moved: the sum of all durations given to [`advance`](Self::advance).
    pub fn now(&self) -> CrowdTime {
        self.now
    }

    /// Puts an agent on the map, where it stays and makes way for others until it is [sent](Self::send) to a goal.
    ///
    /// # Errors
    /// [`CrowdError`] if the cell is blocked, off the map or taken.
    pub fn add(&mut self, at: Cell) -> Result<AgentId, CrowdError> {
        if !self.grid.is_passable(at) {
            return Err(CrowdError::Blocked(at));
        }
        let index = self.grid.index(at);
        if self.places.claim(index) != Claim::None || self.is_occupied(index) {
            return Err(CrowdError::Taken(at));
        }
        let agent = self.agents.add(index);
        self.places.put(agent, index);
        self.jams.watch(agent, self.now);
        self.end_jams_at(index);
        let id = self.agents.id(agent);
        self.events.push(CrowdEvent::Added { agent: id, at, time: self.now });
        Ok(id)
    }

    /// Sends an agent to a goal, in place of the goal that it had. It ends the step that it is taking, and then goes there.
    ///
    /// If the goal is blocked, off the map or unreachable, the agent stays where it is, makes way for others, and looks for a
    /// route every second. An agent that is not on the map any more is left alone.
    ///
    /// Takes O(cells) for the first agent with this goal, and where [rooms](crate::crowd#time-and-memory) have to be found.
    pub fn send(&mut self, agent: AgentId, goal: Cell, on_arrival: OnArrival) {
        let Some(agent) = self.agents.find(agent) else { return };
        let guide = self.guides.acquire(&self.grid, self.rules, goal);
        self.forget_goal(agent);
        self.leave_jam(agent);
        self.jams.watch(agent, self.now);
        let entry = &mut self.agents[agent];
        (entry.guide, entry.on_arrival) = (Some(guide), on_arrival);
        // Agents that are sent at about the same time count as sent together.
        self.set_out(agent, self.now.start_of_minute());
        if self.agents[agent].is_idle() {
            self.schedule(agent, self.now);
        }
    }

    /// Takes the goal away from an agent. It ends the step that it is taking, and then stays and makes way for others.
    pub fn stop(&mut self, agent: AgentId) {
        if let Some(agent) = self.agents.find(agent) {
            self.forget_goal(agent);
            self.leave_jam(agent);
            self.rest(agent);
        }
    }

    /// Takes an agent off the map, immediately.
    pub fn remove(&mut self, agent: AgentId) {
        let Some(agent) = self.agents.find(agent) else { return };
        if let Some(movement) = self.agents[agent].movement.take() {
            self.release_claim(movement.to);
            self.call_neighbours(movement.to, None);
            if movement.middle <= self.now {
                let from = std::mem::replace(&mut self.agents[agent].at, movement.to);
                self.places.take(agent, from);
            }
        }
        self.leave(agent);
    }

    /// Where an agent is, and where it is going; `None` if it is not on the map any more.
    pub fn state(&self, agent: AgentId) -> Option<AgentState> {
        self.agents.find(agent).map(|agent| self.state_of(agent))
    }

    fn state_of(&self, agent: usize) -> AgentState {
        let agent = &self.agents[agent];
        let step = agent.movement.map(|movement| self.step(agent.at, &movement));
        let cell = match step {
            Some(step) if step.middle() <= self.now => step.to,
            _ => self.grid.cell(agent.at),
        };
        let goal = agent.guide.map(|guide| self.guides.goal(guide));
        AgentState { cell, step, goal, has_arrived: step.is_none() && goal == Some(cell) }
    }

    /// Iterates over the agents on the map, in the order of their [indices](AgentId::index): that is the order in which they
    /// were added, as long as none leaves. O(the highest index).
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, AgentState)> + '_ {
        self.agents.on_map().map(|agent| (self.agents.id(agent), self.state_of(agent)))
    }

    /// The agent in a cell. O(1).
    pub fn agent_at(&self, cell: Cell) -> Option<AgentId> {
        let at = self.grid.size().contains(cell).then(|| self.grid.index(cell))?;
        let here = [self.places.agent(at), self.places.entering(at)].into_iter().flatten();
        here.filter(|&agent| self.state_of(agent).cell == cell).map(|agent| self.agents.id(agent)).next()
    }

    /// Lets this time pass, at most an hour, and returns all events since the last call, including the events of other calls
    /// such as [`add`](Self::add). Events are in the order of decisions; a step may start later than [`now`](Self::now).
    ///
    /// Agents decide after all orders and edits of one moment. So with [`CrowdTime::ZERO`] none decides: that only returns events.
    pub fn advance(&mut self, duration: CrowdTime) -> &[CrowdEvent] {
        self.events.drain(..self.returned);
        if duration > CrowdTime::ZERO {
            self.pass(duration);
        }
        self.returned = self.events.len();
        &self.events
    }

    /// Lets all agents decide, and then time pass.
    fn pass(&mut self, duration: CrowdTime) {
        self.decide_all();
        let end = self.now + duration.min(LONGEST);
        while let Some(&Reverse((time, _))) = self.agenda.peek()
            && time <= end
        {
            self.now = time;
            while let Some(&Reverse((due, agent))) = self.agenda.peek()
                && due == time
            {
                self.agenda.pop();
                if agent == BEAT {
                    self.beat();
                } else if self.agents.get(agent as usize).is_some_and(|agent| agent.due == due) {
                    self.agents[agent as usize].due = CrowdTime::NEVER;
                    self.end_step(agent as usize);
                    self.continue_journey(agent as usize);
                }
            }
            self.decide_all();
        }
        self.now = end;
    }

    /// Does a part of the work that may take long or has to wait: edits, the repair of guides, and jams. Beats have a fixed
    /// rhythm, so that moves do not depend on how often `advance` is called.
    fn beat(&mut self) {
        self.has_beat = false;
        self.apply_edits();
        let guides_are_current = self.guides.catch_up(&self.grid, self.rules);
        self.resolve_jams();
        if !self.edits.is_empty() || !guides_are_current || !self.jams.is_empty() {
            self.schedule_beat();
        }
    }

    /// Puts the next beat on the agenda.
    fn schedule_beat(&mut self) {
        if !std::mem::replace(&mut self.has_beat, true) {
            self.agenda.push(Reverse((self.now.next_beat(), BEAT)));
        }
    }

    /// Lets all agents that have been called decide, in the order of ranks.
    fn decide_all(&mut self) {
        while let Some(Reverse(rank)) = self.deciding.pop() {
            let agent = rank.agent as usize;
            // Others have left since.
            if self.agents.get(agent).is_some_and(|agent| agent.is_deciding) {
                self.decide(agent);
            }
        }
    }

    /// Whether an agent is in a cell.
    fn is_occupied(&self, at: usize) -> bool {
        let is_here = |agent: usize| self.agents[agent].movement.is_none_or(|movement| movement.middle > self.now);
        self.places.agent(at).is_some_and(is_here)
    }

    /// Lets an agent end its step and decide at this time, in place of the time that was planned.
    fn schedule(&mut self, agent: usize, due: CrowdTime) {
        if self.agents[agent].due != due {
            self.agents[agent].due = due;
            self.agenda.push(Reverse((due, agent as u32)));
        }
    }

    /// Lets an agent decide now, in the order of ranks.
    fn call(&mut self, agent: usize) {
        let entry = &mut self.agents[agent];
        let decides = entry.activity == Activity::Travelling || self.jams.has(agent);
        if decides && !entry.is_deciding {
            entry.is_deciding = true;
            self.deciding.push(Reverse(self.rank(agent)));
        }
    }

    /// Lets the waiting agents around a cell decide again, because an agent has left it; or because an agent has entered it, which
    /// agents of higher rank may push.
    fn call_neighbours(&mut self, at: usize, entered: Option<usize>) {
        let rank = entered.map(|agent| self.rank(agent));
        for offset in offsets(self.grid.stride()) {
            let Some(agent) = self.places.agent(at.wrapping_add_signed(offset)) else { continue };
            if self.agents[agent].is_idle() && rank.is_none_or(|rank| self.rank(agent) < rank) {
                self.call(agent);
            }
        }
    }

    fn step(&self, from: usize, movement: &Movement) -> Step {
        let (from, to) = (self.grid.cell(from), self.grid.cell(movement.to));
        Step { from, to, start: movement.start, end: movement.end }
    }
}
