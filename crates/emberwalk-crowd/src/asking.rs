//! Queries: what a crowd tells about itself and its agents.

use std::iter;
use std::sync::Arc;

use super::board::Claim;
use super::index::CellIndex;
use super::land::Ground;
use super::making_way::choices::waits_for;
use super::{AgentId, AgentState, AgentStop, Crowd, Itinerary, Rest, Wait, WaitingEdit};
use emberwalk_path::grid::Cell;
use emberwalk_path::hash::Mixer;
use emberwalk_path::kinds::ClassGrid;
use emberwalk_path::time::{CrowdTime, Pace, Step, Walker};
use emberwalk_path::{CostGrid, RouteCost, StepRules};

impl Crowd {
    /// The grid, without the edits that still wait; with several kinds, the grid of the first kind. Agents never change
    /// it.
    pub fn grid(&self) -> &CostGrid {
        self.board.grid()
    }

    /// The same grid, to share it without a copy; in a crowd [on classes](Self::with_kinds) it is a copy.
    pub fn shared_grid(&self) -> Arc<CostGrid> {
        self.board.land().shared_grid(0)
    }

    /// The grid of each kind, without the edits that still wait.
    pub fn grids(&self) -> impl ExactSizeIterator<Item = &CostGrid> {
        self.board.land().grids()
    }

    /// The classes of the cells, in a crowd [on classes](Self::with_kinds).
    pub fn classes(&self) -> Option<&ClassGrid> {
        self.board.land().classes()
    }

    /// Which steps are allowed.
    pub fn rules(&self) -> StepRules {
        self.board.land().rules()
    }

    /// How long steps take.
    pub fn pace(&self) -> Pace {
        self.board.pace()
    }

    /// About how many bytes a copy takes in addition to an earlier copy. They share fields and routes that have not
    /// changed in between. O(agents + goals).
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, OnArrival};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let grid = CostGrid::open(Size::new(50, 50))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let agent = crowd.add(Cell::new(0, 0))?;
    /// crowd.send(agent, Cell::new(40, 30), OnArrival::Stay);
    /// crowd.advance(CrowdTime::SECOND);
    /// let copy = crowd.clone();
    /// assert!(copy.bytes_beside(Some(&crowd)) < copy.bytes_beside(None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bytes_beside(&self, earlier: Option<&Self>) -> usize {
        /// Its own state and its entries in queues; what stands in a cell, and its room.
        const BYTES_PER_AGENT: usize = 400;
        const BYTES_PER_ENTRY: usize = 32;
        let entries = if self.board.takes_cells() { self.grid().entry_units().len() } else { 0 };
        let own = BYTES_PER_AGENT * self.board.on_map().count() + BYTES_PER_ENTRY * entries * self.board.land().kinds();
        own + self.board.bytes_of_guides_beside(earlier.map(|earlier| &earlier.board))
    }

    /// The time until which the crowd has moved: the sum of all durations given to [`advance`](Self::advance).
    pub fn now(&self) -> CrowdTime {
        self.board.now()
    }

    /// Where an agent is, and where it is going; `None` if it is not on the map any more.
    pub fn state(&self, agent: AgentId) -> Option<AgentState> {
        self.board.find(agent).map(|agent| self.board.state(agent))
    }

    /// Where an agent is, to continue in another crowd with [`add_walker`](Self::add_walker), after [`Step::at_clock`].
    /// A step that the agent is only about to take is left out.
    pub fn walker(&self, agent: AgentId) -> Option<Walker> {
        let walker = self.board.walker(self.board.find(agent)?);
        let waits = walker.step().filter(|step| step.start > self.now());
        Some(waits.map_or(walker, |step| Walker::standing(step.from)))
    }

    /// Iterates over the agents on the map, in the order of their [indices](AgentId::index): that is the order in which
    /// they were added, as long as none leaves. O(the highest index).
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, AgentState)> + '_ {
        self.board.on_map().map(|agent| (self.board.id(agent), self.board.state(agent)))
    }

    /// Iterates over the agents as [`agents`](Self::agents) does, with their [cells](AgentState::cell) and
    /// [steps](AgentState::step) alone, several times as fast.
    pub fn positions(&self) -> impl Iterator<Item = (AgentId, Cell, Option<Step>)> + '_ {
        self.board.on_map().map(|agent| {
            let (cell, step) = self.board.position(agent);
            (self.board.id(agent), cell, step)
        })
    }

    /// The agent that takes up a cell. O(1).
    pub fn agent_at(&self, cell: Cell) -> Option<AgentId> {
        let board = &self.board;
        let at = board.grid().size().contains(cell).then(|| board.index(cell))?;
        let here = [board.agent_in(at), board.entering(at)].into_iter().flatten();
        here.filter(|&agent| board.covers(agent, board.index(board.state(agent).cell), at))
            .map(|agent| board.id(agent))
            .next()
    }

    /// Whether an edit of a cell waits, of the cell alone or of an area. O(1).
    pub fn has_waiting_edit(&self, cell: Cell) -> bool {
        self.grid().size().contains(cell) && self.edits.claim(self.board.index(cell)) == Claim::Edit
    }

    /// Iterates over the cells that wait for edits, each once.
    pub fn waiting_edits(&self) -> impl Iterator<Item = WaitingEdit> + '_ {
        self.edits.waiting(&self.board)
    }

    /// What an agent waits for, and since when; `None` if it takes a step, has arrived or has no goal. An agent that
    /// stands still in the middle of a step waits, too: for the agent that holds it up, or for nothing if its own
    /// [pace](Pace::STILL) is the reason. O(1).
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, OnArrival, WaitsFor};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let grid = CostGrid::open(Size::new(5, 1))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let (walker, guard) = (crowd.add(Cell::new(0, 0))?, crowd.add(Cell::new(2, 0))?);
    /// crowd.hold(guard);
    /// crowd.send(walker, Cell::new(4, 0), OnArrival::Stay);
    /// crowd.advance(CrowdTime::from_seconds(3.0));
    /// let wait = crowd.waiting(walker).unwrap();
    /// assert_eq!((wait.on, wait.since), (Some(WaitsFor::Agent(guard)), CrowdTime::SECOND));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn waiting(&self, agent: AgentId) -> Option<Wait> {
        let board = &self.board;
        let agent = board.find(agent)?;
        let entry = &board[agent];
        if let Some(movement) = entry.movement().filter(|movement| movement.step.stands_still()) {
            return Some(Wait { on: waits_for(board, agent), since: movement.changed });
        }
        let waits = entry.is_idle() && entry.last_guide().is_some() && !board.has_arrived(agent);
        waits.then(|| Wait { on: waits_for(board, agent), since: entry.progress().stopped })
    }

    /// The rest of an agent's route, without [dangers](Self::set_danger); `None` without goal or route. While others
    /// make it step aside, the cost may be higher than the lowest one. O(1); in a crowd with dangers O(cells of the
    /// route).
    pub fn remaining(&self, agent: AgentId) -> Option<Rest> {
        let board = &self.board;
        let index = board.find(agent)?;
        if let Some(course) = board.course(index) {
            let arrival = course.ahead().last().map_or(self.now(), |last| last.arrival);
            return Some(Rest { cost: course.rest(), time: arrival - self.now() });
        }
        if let (Some(itinerary), Some(last)) = (self.itinerary(agent), self.stops(agent).last()) {
            let Ground { grid, rules } = board.ground(index);
            let steps = itinerary.ahead().windows(2).map(|step| rules.step_cost(grid, step[0], step[1]));
            return Some(Rest { cost: steps.map_while(|cost| cost).sum(), time: last.arrival - self.now() });
        }
        let units = board.cost_to_goal(index, board[index].next_cell());
        let cost = match board.land().has_dangers() && units != u64::MAX {
            true => self.rules().cost_of_steps(board.ground(index).grid, &self.route(agent)),
            false => RouteCost::from_units(units),
        };
        (units != u64::MAX).then(|| Rest { cost, time: board.pace_of(index).time_of(cost) })
    }

    /// The cells of a cheapest route of an agent to its goal, as if no other agent were in its way, from the cell where
    /// it is or which it is about to enter; none without goal or route. After an edit it may be outdated until the
    /// crowd has computed it again. O(cells of the route).
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, OnArrival};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::Pace;
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let grid = CostGrid::open(Size::new(3, 1))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let agent = crowd.add(Cell::new(0, 0))?;
    /// assert_eq!(crowd.route(agent), []);
    /// crowd.send(agent, Cell::new(2, 0), OnArrival::Stay);
    /// assert_eq!(crowd.route(agent), [0, 1, 2].map(|x| Cell::new(x, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn route(&self, agent: AgentId) -> Vec<Cell> {
        let board = &self.board;
        if let Some(itinerary) = self.itinerary(agent) {
            return itinerary.ahead().to_vec();
        }
        let agent = board.find(agent).filter(|agent| board.has_route(*agent));
        let Some(agent) = agent else { return Vec::new() };
        if let Some(course) = board.course(agent) {
            return course.ahead().iter().map(|stop| stop.cell).collect();
        }
        let next = |&at: &CellIndex| board.best_step(agent, at);
        let mut cells: Vec<_> = iter::successors(Some(board[agent].next_cell()), next).collect();
        // An agent knows only the costs of the next cells of its own route.
        let last = cells[cells.len() - 1];
        cells.extend(board.own_cells(agent).skip_while(|cell| *cell != last).skip(1));
        cells.into_iter().map(|at| board.cell(at)).collect()
    }

    /// The [itinerary](Self::walk) that an agent follows, or has followed to its end; `None` after other orders. O(1).
    pub fn itinerary(&self, agent: AgentId) -> Option<&Itinerary> {
        self.board.itinerary(self.board.find(agent)?)
    }

    /// The cells of the [route](Self::route) of an agent with its arrival times, as if no other agent were in its way,
    /// from the cell where it stands or which it is about to enter. An agent that passes keeps to these times. None
    /// without goal or route, and none while the [pace](Pace::STILL) of the agent lets it stand still. O(cells of the
    /// route).
    ///
    /// ```
    /// use emberwalk_crowd::{AgentSettings, Crowd, OnArrival};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let mut crowd = Crowd::new(CostGrid::open(Size::new(3, 1))?, StepRules::default(), Pace::default());
    /// let agent = crowd.add_with(Cell::new(0, 0), AgentSettings::new().passing())?;
    /// crowd.send(agent, Cell::new(2, 0), OnArrival::Stay);
    /// let stops = crowd.stops(agent);
    /// assert_eq!(stops.iter().map(|stop| stop.arrival.seconds()).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stops(&self, agent: AgentId) -> Vec<AgentStop> {
        let board = &self.board;
        let Some(index) = board.find(agent) else { return Vec::new() };
        if let Some(course) = board.course(index) {
            return course.ahead().to_vec();
        }
        let Ground { grid, rules } = board.ground(index);
        let pace = board.pace_of(index);
        let mut time = board[index].movement().map_or(self.now(), |movement| movement.step.end.max(self.now()));
        let cells = self.route(agent);
        let mut stops: Vec<AgentStop> = Vec::with_capacity(cells.len());
        for cell in cells.into_iter().filter(|_| !pace.is_still()) {
            if let Some(before) = stops.last() {
                time = before.departure + pace.of_step(grid, rules, before.cell, cell);
            }
            let wait = board.itinerary(index).and_then(|itinerary| itinerary.wait_at(stops.len()));
            stops.push(AgentStop { cell, arrival: time, departure: time.max(wait.unwrap_or(time)) });
        }
        stops
    }

    /// A hash of the whole state: the time, the ground, the positions, actions, orders and waits of all agents, and the
    /// waiting edits and announced changes. It is the same on every machine, and in every build with the same version
    /// of this crate. Two crowds with the same orders have the same hash at the same time. If the hashes differ, the
    /// crowds have made different moves, or soon will. O(agents), some 10 ns for each.
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, OnArrival};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let grid = CostGrid::open(Size::new(9, 3))?;
    /// let mut one = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let agent = one.add(Cell::new(0, 1))?;
    /// let mut other = one.clone();
    /// for crowd in [&mut one, &mut other] {
    ///     crowd.send(agent, Cell::new(8, 1), OnArrival::Stay);
    /// }
    /// one.advance(CrowdTime::from_seconds(2.0));
    /// other.advance(CrowdTime::from_seconds(0.5));
    /// other.advance(CrowdTime::from_seconds(1.5));
    /// assert_eq!(one.state_hash(), other.state_hash());
    /// other.stop(agent);
    /// assert_ne!(one.state_hash(), other.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn state_hash(&self) -> u64 {
        let mut hash = Mixer::new(0);
        self.board.add_state_to(&mut hash, self.queues.hash());
        self.edits.add_to(&mut hash);
        self.board.add_announced_to(&mut hash);
        self.board.add_searches_to(&mut hash);
        hash.hash()
    }
}
