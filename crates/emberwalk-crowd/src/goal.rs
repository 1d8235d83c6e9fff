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
    /// The one of these cells to which the route costs least. Those that are blocked or off the map are left out.
    AnyOf(Vec<Cell>),
    /// A cell beside this one, which may be blocked, such as a tree.
    Beside(Cell),
    /// A cell beside this agent. If it moves, the agent follows it, and looks for a new route at most once per second. An
    /// agent that is told to follow itself is there already: it arrives, and stays where it is.
    Follow(AgentId),
}

impl Goal {
    /// A hash of it.
    pub(super) fn hash(&self) -> u64 {
        match self {
            &Self::Cell(cell) => hash_of([0, number_of(cell)]),
            Self::AnyOf(cells) => hash_of(iter::once(1).chain(cells.iter().copied().map(number_of))),
            &Self::Beside(cell) => hash_of([2, number_of(cell)]),
            &Self::Follow(agent) => hash_of([3, agent.into()]),
        }
    }
}

impl From<Cell> for Goal {
    fn from(cell: Cell) -> Self {
        Self::Cell(cell)
    }
}

/// The cells that a guide leads to, at least one. Guides are known by them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Target {
    /// Without an allocation, because it is the most frequent.
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
