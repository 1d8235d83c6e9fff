//! Checks plans of agents that all move in step, as solvers of multi-agent path finding (MAPF) make them.

use std::collections::HashMap;
use std::fmt;

use emberwalk_path::grid::Cell;
use emberwalk_path::{Corners, CostGrid, Moves, StepRules};

/// The kind of a [`PlanConflict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum PlanConflictKind {
    /// An agent is off the map.
    OffMap,
    /// An agent is in a blocked cell.
    BlockedCell,
    /// An agent goes to a cell that is not one of the four neighbours, or that is too much higher or lower.
    NotAStep,
    /// Two agents are in one cell.
    SharedCell,
    /// Two agents change places.
    ChangedPlaces,
}

/// Something in a plan that must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PlanConflict {
    /// The kind of conflict.
    pub kind: PlanConflictKind,
    /// The tick at which the agents are where they must not be. At tick 0, all are where they start.
    pub tick: usize,
    /// The cell that the agent enters, or stays in.
    pub cell: Cell,
    /// The index of the agent, from 0; of two, the lower one.
    pub agent: usize,
    /// The index of the other agent, if two agents are involved.
    pub other: Option<usize>,
}

impl fmt::Display for PlanConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, tick, cell, agent, other } = self;
        let other = other.unwrap_or(*agent);
        match kind {
            PlanConflictKind::OffMap => write!(f, "agent {agent} is in {cell}, off the map")?,
            PlanConflictKind::BlockedCell => write!(f, "agent {agent} is in {cell}, which is blocked")?,
            PlanConflictKind::NotAStep => write!(f, "agent {agent} takes a forbidden step to {cell}")?,
            PlanConflictKind::SharedCell => write!(f, "agents {agent} and {other} are both in {cell}")?,
            PlanConflictKind::ChangedPlaces => write!(f, "agents {agent} and {other} change places at {cell}")?,
        }
        write!(f, ", tick {tick}")
    }
}

/// The result of [`check_plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanVerdict {
    /// The first conflict, by its tick; `None` if there is none.
    pub conflict: Option<PlanConflict>,
    /// The sum of the agents' costs. The cost of an agent is the tick from which it stays in its last cell, so earlier
    /// waiting counts, and waiting at the end does not.
    pub sum_of_costs: usize,
    /// The highest cost of an agent, in ticks.
    pub makespan: usize,
}

/// Checks a plan: the path of each agent has its cell at each tick, from tick 0. After its path, an agent stays in its last
/// cell. An agent without a path is not on the map.
///
/// In a tick, an agent takes a step to one of the four neighbours, whatever it costs, or waits. It may enter a cell that
/// another agent leaves in the same tick, unless they change places. O(total length of the paths).
///
/// [`conflicts`](crate::conflicts) checks crowds, whose steps take the time that they cost.
///
/// ```
/// use emberwalk_crowd::{PlanConflictKind, check_plan};
/// use emberwalk_path::CostGrid;
/// use emberwalk_path::grid::{Cell, Size};
/// let grid = CostGrid::open(Size::new(3, 2))?;
/// let path = |cells: &[(i32, i32)]| cells.iter().map(|&(x, y)| Cell::new(x, y)).collect::<Vec<_>>();
/// let right = [path(&[(0, 0), (1, 0), (2, 0)]), path(&[(1, 0), (1, 1), (1, 1)])];
/// let verdict = check_plan(&grid, &right);
/// assert_eq!((verdict.conflict, verdict.sum_of_costs, verdict.makespan), (None, 3, 2));
///
/// let conflict = check_plan(&grid, &[path(&[(0, 0), (1, 0)]), path(&[(1, 0)])]).conflict.unwrap();
/// assert_eq!((conflict.kind, conflict.tick), (PlanConflictKind::SharedCell, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_plan(grid: &CostGrid, paths: &[Vec<Cell>]) -> PlanVerdict {
    let cost = |path: &Vec<Cell>| path.iter().rposition(|cell| Some(cell) != path.last()).map_or(0, |last| last + 1);
    PlanVerdict {
        conflict: first_conflict(grid, paths),
        sum_of_costs: paths.iter().map(cost).sum(),
        makespan: paths.iter().map(cost).max().unwrap_or(0),
    }
}

fn first_conflict(grid: &CostGrid, paths: &[Vec<Cell>]) -> Option<PlanConflict> {
    let rules = StepRules::new(Moves::Four, Corners::Never).without_links();
    // Up to the first conflict, no two agents are in one cell.
    let mut agents: HashMap<Cell, usize> = HashMap::new();
    let mut walking: Vec<_> = (0..paths.len()).collect();
    for tick in 0.. {
        walking.retain(|&agent| tick < paths[agent].len());
        if walking.is_empty() {
            break;
        }
        let conflict = |kind, cell, one: usize, other: usize| {
            let (agent, other) = (one.min(other), (one != other).then_some(one.max(other)));
            Some(PlanConflict { kind, tick, cell, agent, other })
        };
        for &agent in &walking {
            let cell = paths[agent][tick];
            if !grid.size().contains(cell) {
                return conflict(PlanConflictKind::OffMap, cell, agent, agent);
            }
            if !grid.is_passable(cell) {
                return conflict(PlanConflictKind::BlockedCell, cell, agent, agent);
            }
            let Some(from) = tick.checked_sub(1).map(|last| paths[agent][last]).filter(|&from| from != cell) else {
                continue;
            };
            if rules.step_cost(grid, from, cell).is_none() {
                return conflict(PlanConflictKind::NotAStep, cell, agent, agent);
            }
            if let Some(&other) = agents.get(&cell)
                && paths[other].get(tick) == Some(&from)
            {
                return conflict(PlanConflictKind::ChangedPlaces, cell, agent, other);
            }
        }
        if tick > 0 {
            for &agent in &walking {
                agents.remove(&paths[agent][tick - 1]);
            }
        }
        for &agent in &walking {
            let cell = paths[agent][tick];
            if let Some(other) = agents.insert(cell, agent) {
                return conflict(PlanConflictKind::SharedCell, cell, agent, other);
            }
        }
    }
    None
}
