//! Where agents go.

use std::{iter, slice};

use super::AgentId;
use emberwalk_path::grid::Cell;
use emberwalk_path::hash::number_of;
use emberwalk_path::internal::hash_of;

/// Where an agent goes. A [`Cell`] converts into the goal of this cell.
///
/// ```
/// use emberwalk_crowd::Goal;
/// use emberwalk_path::grid::{Cell, Size};
/// assert_eq!(Goal::from(Cell::new(3, 4)), Goal::Cell(Cell::new(3, 4)));
/// // A place beside a building of 2 x 2 cells.
/// let beside = Goal::AnyOf(Cell::new(3, 4).around(Size::new(2, 2)).collect());
/// # let _ = beside;
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Goal {
    /// This cell.
    Cell(Cell),
    /// The one of these cells with the cheapest route. Blocked cells and cells off the map are left out.
    AnyOf(Vec<Cell>),
    /// A cell beside this one, which may be blocked, such as a tree.
    Beside(Cell),
    /// A cell beside this agent. If it moves, the agent follows it, and looks for a new route at most once per second. An
    /// agent that is told to follow itself is there already: it arrives, and stays where it is.
    Follow(AgentId),
    /// This cell, or, while no route leads there, the reachable cell nearest to it in a straight line: a
    /// [group](super::Crowd::send_group) of one agent. A cell off the map counts as the nearest cell at the edge. Of
    /// equally near cells, the agent takes the cell that it reaches first. Cells where another agent stays or is going
    /// to stay do not count.
    ///
    /// While the goal is unreachable, [`AgentState::unreachable`](super::AgentState::unreachable) has it, and the agent
    /// goes to that place and arrives there. The crowd reports [`Unreachable`](super::CrowdEvent::Unreachable), and
    /// [`Reachable`](super::CrowdEvent::Reachable) once a route leads to the goal. The agent looks for a better place
    /// within a second after the ground has changed.
    Near(Cell),
    /// To where another agent is in range, such as the range of a bow, even when it moves: to the cell with the
    /// cheapest route among the cells within this range. With a range of 0 that is the cell of the other agent.
    ///
    /// The agent has [arrived](super::CrowdEvent::Arrived) when the other agent is in range. It stays there as long as
    /// that remains true, then sets out again, and arrives again. While it walks, it stops after the step in which the
    /// other agent comes into range, and looks for a better route at most once per second. While it stays, it checks
    /// once per second whether the other agent has gone, and immediately if others push it. Each agent counts as in its
    /// [cell](super::AgentState::cell), which is the north-western one of several.
    ///
    /// No route leads to an agent that is not on the map any more: the agent stays where it is, and within a second the
    /// crowd reports one [`Unreachable`](super::CrowdEvent::Unreachable). An agent is in range and in sight of itself.
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, Goal, OnArrival};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let mut crowd = Crowd::new(CostGrid::open(Size::new(20, 1))?, StepRules::default(), Pace::default());
    /// let (archer, target) = (crowd.add(Cell::new(0, 0))?, crowd.add(Cell::new(12, 0))?);
    /// crowd.send(archer, Goal::InRange { of: target, cells: 5 }, OnArrival::Stay);
    /// crowd.advance(CrowdTime::from_seconds(10.0));
    /// assert_eq!(crowd.state(archer).unwrap().cell, Cell::new(7, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    InRange {
        /// The other agent.
        of: AgentId,
        /// The range, in cells in a straight line. More than 64 count as 64.
        cells: u32,
    },
    /// To where another agent is in range and [seen](Cell::sees): as [`InRange`](Self::InRange), but cells that are
    /// blocked for all kinds of agents hide what is behind them. An edit that hides or reveals the other agent counts
    /// like a move.
    InSight {
        /// The other agent.
        of: AgentId,
        /// The range, in cells in a straight line. More than 64 count as 64.
        cells: u32,
    },
    /// Away from another agent, even when it follows: to the cell with the cheapest route among the cells at least this
    /// far away. There the agent has [arrived](super::CrowdEvent::Arrived), and stays until the other agent comes
    /// nearer.
    ///
    /// Only safe cells count: the agent reaches them before the other agent does, both by their own costs and paces,
    /// along a route on which this is true of all cells, and no cell of the route is nearer to the other agent than the
    /// agent is now. If no safe cell is far enough away, as in a dead end, the agent goes to the farthest safe cell,
    /// perhaps its own, and arrives there. Routes that lead through cells more than the distance and two away, in
    /// columns or rows, do not count, and other agents in the way count for nothing.
    ///
    /// Otherwise it is as in [`InRange`](Self::InRange). No agent can flee from itself: then no route leads to the goal.
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, Goal, OnArrival};
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let mut crowd = Crowd::new(CostGrid::open(Size::new(20, 1))?, StepRules::default(), Pace::default());
    /// let (sheep, wolf) = (crowd.add(Cell::new(3, 0))?, crowd.add(Cell::new(5, 0))?);
    /// crowd.send(sheep, Goal::Flee { from: wolf, cells: 8 }, OnArrival::Stay);
    /// crowd.advance(CrowdTime::from_seconds(10.0));
    /// assert_eq!(crowd.state(sheep).unwrap().cell, Cell::new(0, 0), "it does not run past the wolf");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Flee {
        /// The other agent.
        from: AgentId,
        /// The distance, in cells in a straight line. More than 64 count as 64.
        cells: u32,
    },
}

impl Goal {
    /// A hash of it.
    pub(super) fn hash(&self) -> u64 {
        match self {
            &Self::Cell(cell) => hash_of([0, number_of(cell)]),
            Self::AnyOf(cells) => hash_of(iter::once(1).chain(cells.iter().copied().map(number_of))),
            &Self::Beside(cell) => hash_of([2, number_of(cell)]),
            &Self::Follow(agent) => hash_of([3, agent.into()]),
            &Self::Near(cell) => hash_of([4, number_of(cell)]),
            &Self::InRange { of, cells } => hash_of([5, of.into(), cells.into()]),
            &Self::InSight { of, cells } => hash_of([6, of.into(), cells.into()]),
            &Self::Flee { from, cells } => hash_of([7, from.into(), cells.into()]),
        }
    }
}

impl From<Cell> for Goal {
    fn from(cell: Cell) -> Self {
        Self::Cell(cell)
    }
}

/// The cells that a guide leads to, at least one. They identify the guide.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Target {
    /// Without an allocation, as it is the most frequent case.
    One(Cell),
    /// In order, each once.
    Several(Vec<Cell>),
}

impl Target {
    /// A place for an agent of `side` x `side` cells beside the square of this side at a cell.
    pub(super) fn beside(cell: Cell, of_side: usize, side: usize) -> Self {
        Self::any_of(cell.places_beside(of_side as u32, side as u32).collect())
    }

    /// Any of these cells. Without cells it is off the map, so that no route leads there.
    pub(super) fn any_of(mut cells: Vec<Cell>) -> Self {
        cells.sort_unstable();
        cells.dedup();
        match cells[..] {
            [] => Self::One(Cell::new(-1, -1)),
            [cell] => Self::One(cell),
            _ => Self::Several(cells),
        }
    }

    pub(super) fn cells(&self) -> &[Cell] {
        match self {
            Self::One(cell) => slice::from_ref(cell),
            Self::Several(cells) => cells,
        }
    }

    /// Its only cell, or the first one.
    pub(super) fn first(&self) -> Cell {
        self.cells()[0]
    }

    /// A hash of it.
    pub(super) fn hash(&self) -> u64 {
        hash_of(self.cells().iter().copied().map(number_of))
    }
}
