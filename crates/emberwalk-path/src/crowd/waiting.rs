//! Whom or what agents wait for, and what is left of their ways.

use std::iter;

use super::board::Board;
use super::choices::{Choices, Towards};
use super::index::{AgentIndex, CellIndex};
use super::land::Ground;
use super::places::Claim;
use super::{AgentId, Crowd, CrowdTime};
use crate::RouteCost;
use crate::grid::Cell;
use crate::search::steps::{Steps, with_steps};

/// What an agent waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum WaitsFor {
    /// An agent that is in the cell that it wants to enter, or on the way into it.
    Agent(AgentId),
    /// The edit of this cell, which waits itself.
    Edit(Cell),
    /// A route to its goal.
    Route,
    /// The search for its route, which has a [budget](Crowd::set_search_budget) and has not found it yet.
    Search,
}

/// That an agent stands still although it has not arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Wait {
    /// What it waits for; `None` if it is about to step, or makes way.
    pub on: Option<WaitsFor>,
    /// Since when it has stood there.
    pub since: CrowdTime,
}

/// What is left of the way of an agent to its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Rest {
    /// Its cost, from the cell where the agent is or which it is about to enter.
    pub cost: RouteCost,
    /// How long that takes without waiting for others, apart from the bounds of the [`Pace`](super::Pace).
    pub time: CrowdTime,
}

impl Crowd {
    /// What an agent waits for, and since when; `None` if it takes a step, has arrived or has no goal. One that stands still
    /// in the middle of a step waits, too: for the agent that holds it up, or for nothing because of its own
    /// [pace](super::Pace::STILL). O(1).
    ///
    /// ```
    /// use emberwalk_path::crowd::{Crowd, CrowdTime, OnArrival, Pace, WaitsFor};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// let grid = CostGrid::from_fn(Size::new(5, 1), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let (walker, guard) = (crowd.add(Cell::new(0, 0))?, crowd.add(Cell::new(2, 0))?);
    /// crowd.hold(guard);
    /// crowd.send(walker, Cell::new(4, 0), OnArrival::Stay);
    /// crowd.advance(CrowdTime::from_seconds(3.0));
    /// let wait = crowd.wait(walker).unwrap();
    /// assert_eq!((wait.on, wait.since), (Some(WaitsFor::Agent(guard)), CrowdTime::SECOND));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wait(&self, agent: AgentId) -> Option<Wait> {
        let board = &self.board;
        let agent = board.agents.find(agent)?;
        let entry = &board.agents[agent];
        if let Some(movement) = entry.movement.filter(|movement| movement.step.stands_still()) {
            let ahead = board.leaver(agent).filter(|_| movement.is_held_up);
            let on = ahead.map(|(other, _)| WaitsFor::Agent(board.agents.id(other)));
            return Some(Wait { on, since: movement.changed });
        }
        let waits = entry.is_idle() && entry.last_guide().is_some() && !board.has_arrived(agent);
        waits.then(|| Wait { on: board.waits_for(agent), since: entry.progress.stopped })
    }

    /// What is left of the way of an agent; `None` without goal or route. While others lead it out of the way, the cost
    /// may be higher than the lowest one.
    pub fn rest(&self, agent: AgentId) -> Option<Rest> {
        let board = &self.board;
        let agent = board.agents.find(agent)?;
        let units = board.cost_to_goal(agent, board.agents[agent].next_cell());
        let cost = RouteCost::from_units(units);
        let pace = board.agents[agent].pace.unwrap_or(board.pace);
        (units != u64::MAX).then(|| Rest { cost, time: pace.without_bounds(cost) })
    }

    /// The cells of a cheapest route of an agent to its goal, as if nobody were in its way, from the cell where it is or
    /// which it is about to enter; none without goal or route. After an edit it may be outdated until the crowd has
    /// computed it again. O(cells of the route).
    ///
    /// ```
    /// use emberwalk_path::crowd::{Crowd, OnArrival, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// let grid = CostGrid::from_fn(Size::new(3, 1), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let agent = crowd.add(Cell::new(0, 0))?;
    /// assert_eq!(crowd.route(agent), []);
    /// crowd.send(agent, Cell::new(2, 0), OnArrival::Stay);
    /// assert_eq!(crowd.route(agent), [0, 1, 2].map(|x| Cell::new(x, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn route(&self, agent: AgentId) -> Vec<Cell> {
        let board = &self.board;
        let agent = board.agents.find(agent).filter(|agent| board.has_route(*agent));
        let guided = agent.and_then(|agent| Some((agent, board.agents[agent].guide?)));
        let Some((agent, guide)) = guided else { return Vec::new() };
        let Ground { grid, rules } = board.ground(agent);
        let next = |&at: &CellIndex| {
            let now = board.cost_to_goal(agent, at);
            let mut best = (u64::MAX, None);
            with_steps!(grid, rules, steps => steps.for_each(at.get(), None, |step| {
                let to = CellIndex::new(step.to);
                let left = board.cost_to_goal(agent, to);
                let cost = left.saturating_add(step.cost);
                if left < now && cost < best.0 {
                    best = (cost, Some(to));
                }
            }));
            best.1
        };
        let mut cells: Vec<_> = iter::successors(Some(board.agents[agent].next_cell()), next).collect();
        // Of its own route an agent knows the costs of the next cells alone.
        let last = cells[cells.len() - 1];
        cells.extend(board.guides_of(agent).own_cells_after(guide, agent, last, grid.stride()));
        cells.into_iter().map(|at| board.cell(at)).collect()
    }
}

impl Board {
    /// What an agent that stands still waits for.
    pub(super) fn waits_for(&self, agent: AgentIndex) -> Option<WaitsFor> {
        if !self.has_route(agent) {
            let searches = self.agents[agent].request.is_some();
            return Some(if searches { WaitsFor::Search } else { WaitsFor::Route });
        }
        if self.is_still(agent) {
            return None;
        }
        let best = Choices::of(self, agent, None, Towards::Goal).get(0)?.to;
        self.entered_cells(agent, best).find_map(|cell| match self.places.claim(cell) {
            Claim::Edit => Some(WaitsFor::Edit(self.cell(cell))),
            Claim::Agent(other) => Some(WaitsFor::Agent(self.agents.id(other))),
            Claim::None => self.places.agent(cell).map(|other| WaitsFor::Agent(self.agents.id(other))),
        })
    }
}
