//! The orders of a crowd: from a file, from a scenario, or random ones.

mod file;
mod scenario;
mod written;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use emberwalk_crowd::{AgentId, Crowd, CrowdError, Goal, OnArrival};
use emberwalk_map::Map;
use emberwalk_map::diagnostics::{DiagnosticCollector, counted};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Components, CostGrid, StepRules};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

pub use self::scenario::of_scenario;
use crate::cli::error::CliError;
use crate::cli::input::read_text;

/// The number of agents, unless the command line has another one. Fewer if that would be more than half of the cells.
const DEFAULT_AGENTS: usize = 100;

/// When more agents have a goal, a crowd computes a field for it instead of a route for each.
const MAX_SEARCHES_PER_GOAL: usize = 4;

/// The orders of all agents.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    pub agents: Vec<AgentOrders>,
    pub groups: Vec<Group>,
}

/// Where an agent starts, and where it goes.
#[derive(Clone, Debug)]
pub struct AgentOrders {
    pub from: Cell,
    /// Its goals, one after the other. Without goals, the agent holds.
    pub goals: Vec<Goal>,
    /// Its behaviour at the last one.
    pub on_arrival: OnArrival,
    /// Whether it gets a place near the goal of its group, which replaces the goal when the orders are given.
    is_in_group: bool,
}

/// Agents that get places near one goal.
#[derive(Clone, Debug)]
pub struct Group {
    agents: Range<usize>,
    goal: Cell,
}

/// The orders in a file.
pub fn of_file(path: &Path, map: &Map, rules: StepRules) -> Result<Orders, CliError> {
    let (name, text) = read_text(path)?;
    let written = file::parse(&name, &text, map)?;
    Ok(written::check(&written, &text, map.costs(), rules, DiagnosticCollector::new(&name, &text))?)
}

impl Orders {
    /// Orders for these agents. Those leave at a goal that more of them have than it has cells.
    fn new(mut agents: Vec<AgentOrders>, groups: Vec<Group>, grid: &CostGrid) -> Self {
        let mut agents_with_goal = HashMap::<&Goal, usize>::new();
        for goal in agents.iter().filter(|order| !order.is_in_group).filter_map(|order| order.goals.last()) {
            *agents_with_goal.entry(goal).or_default() += 1;
        }
        let is_crowded = |goal: &Goal| {
            let cells = cells_of(goal).into_iter().filter(|&cell| grid.is_passable(cell)).count();
            !matches!(goal, Goal::Follow(_)) && agents_with_goal.get(goal).is_some_and(|&agents| agents > cells)
        };
        let leaves = |order: &AgentOrders| !order.is_in_group && order.goals.last().is_some_and(is_crowded);
        let leaves: Vec<bool> = agents.iter().map(leaves).collect();
        for (order, _) in agents.iter_mut().zip(leaves).filter(|(_, leaves)| *leaves) {
            order.on_arrival = OnArrival::Leave;
        }
        Self { agents, groups }
    }

    /// Whether no agent has to catch up with the agent that it follows.
    pub fn are_followers_beside(&self, crowd: &Crowd) -> bool {
        let is_beside = |(follower, order): (usize, &AgentOrders)| {
            let Some(&Goal::Follow(other)) = order.goals.last() else { return true };
            let [here, there] = [AgentId::from(follower as u64), other].map(|agent| crowd.state(agent));
            here.zip(there).is_none_or(|(here, there)| here.cell.distance_squared(there.cell) <= 2)
        };
        self.agents.iter().enumerate().all(is_beside)
    }

    /// How many searches for routes the orders take: agents share the rest.
    pub fn searches(&self) -> usize {
        let mut agents_with_goal = HashMap::<&Goal, usize>::new();
        for goal in self.agents.iter().flat_map(|order| &order.goals) {
            *agents_with_goal.entry(goal).or_default() += 1;
        }
        agents_with_goal.values().map(|&agents| agents.min(MAX_SEARCHES_PER_GOAL)).sum()
    }

    /// The cells of all goals.
    pub fn cells_of_goals(&self) -> impl Iterator<Item = Cell> + '_ {
        self.agents.iter().flat_map(|order| &order.goals).flat_map(cells_of)
    }

    /// Lets all agents stay at their last goals.
    pub fn let_all_stay(&mut self) {
        for order in &mut self.agents {
            order.on_arrival = OnArrival::Stay;
        }
    }

    /// Puts all agents on the map and gives them their orders. The goals of groups become the places of their agents.
    ///
    /// # Errors
    /// If a start is not free.
    pub fn give(&mut self, crowd: &mut Crowd) -> Result<(), CrowdError> {
        let agents: Vec<AgentId> =
            self.agents.iter().map(|order| crowd.add(order.from)).collect::<Result<_, CrowdError>>()?;
        for (&agent, order) in agents.iter().zip(&self.agents).filter(|(_, order)| !order.is_in_group) {
            let Some((last, others)) = order.goals.split_last() else {
                crowd.hold(agent);
                continue;
            };
            for goal in others {
                crowd.then(agent, goal.clone(), OnArrival::Stay);
            }
            crowd.then(agent, last.clone(), order.on_arrival);
        }
        for Group { agents: members, goal } in &self.groups {
            crowd.send_group(&agents[members.clone()], *goal);
            for member in members.clone() {
                let place = crowd.state(agents[member]).and_then(|state| state.goal);
                self.agents[member].goals = vec![Goal::Cell(place.unwrap_or(*goal))];
            }
        }
        Ok(())
    }
}

impl AgentOrders {
    fn new(from: Cell, goals: Vec<Goal>) -> Self {
        Self { from, goals, on_arrival: OnArrival::Stay, is_in_group: false }
    }

    /// Whether the agent is free after its last goal. An agent that holds or follows another one never is.
    pub fn ends(&self) -> bool {
        self.goals.last().is_some_and(|goal| !matches!(goal, Goal::Follow(_)))
    }
}

/// The cells of a goal, which may be blocked or off the map.
fn cells_of(goal: &Goal) -> Vec<Cell> {
    match goal {
        Goal::Cell(cell) => vec![*cell],
        Goal::AnyOf(cells) => cells.clone(),
        Goal::Beside(cell) => cell.around(Size::new(1, 1)).collect(),
        _ => Vec::new(),
    }
}

/// Random starts and goals in the largest connected component.
pub fn random(
    grid: &CostGrid,
    rules: StepRules,
    agents: Option<usize>,
    goals: Option<usize>,
    seed: u64,
) -> Result<Orders, CliError> {
    let mut components = Components::new(rules);
    components.update(grid);
    let cells = components.largest(grid);
    let agents = agents.unwrap_or(DEFAULT_AGENTS.min(cells.len() / 2)).max(1);
    let goals = goals.unwrap_or(agents);
    if agents.max(goals) > cells.len() {
        let cells = counted(cells.len(), "connected cell");
        return Err(CliError::Message(format!("the map has {cells}, too few for that many agents and goals")));
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut shuffled = || {
        let mut cells = cells.clone();
        cells.shuffle(&mut random);
        cells
    };
    let starts = shuffled();
    let ends = shuffled();
    let order = |agent| AgentOrders::new(starts[agent], vec![Goal::Cell(ends[agent % goals])]);
    Ok(Orders::new((0..agents).map(order).collect(), Vec::new(), grid))
}
