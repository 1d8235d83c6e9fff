//! What becomes of edits of a map.

use std::fmt;

use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::message::Message;
use bevy_reflect::Reflect;
use emberwalk_crowd::Danger;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{EntryCost, Level};

/// What has become of an edit of a [`NavGrid`](crate::NavGrid).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn build(mut grid: Single<&mut NavGrid>) {
///     match grid.set_area((20, 10), Size::new(3, 2), None) {
///         Edited::Applied => println!("the house stands"),
///         // `EditApplied` tells when.
///         Edited::Waits => println!("somebody is in its way"),
///         Edited::Refused => println!("a part of it is off the map"),
///     }
/// }
/// # let _ = build;
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
pub enum Edited {
    /// It has taken effect, or the cells had this content before.
    Applied,
    /// It waits until no solid agent is in its way. Meanwhile nobody enters the cells, and those who are there step aside, unless
    /// they [hold](crate::Hold).
    /// [`EditApplied`] tells when it has taken effect.
    Waits,
    /// Nothing was done: a part of it is off the grid, there is no such kind, it is a link from a cell to itself, or it sets costs
    /// on a grid of several kinds with classes, or classes on another one.
    Refused,
}

impl fmt::Display for Edited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Applied => "applied",
            Self::Waits => "waits",
            Self::Refused => "refused",
        })
    }
}

/// A cell that waits for an edit, of this cell or of an area. See [`NavGrid::waiting_edits`](crate::NavGrid::waiting_edits).
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
pub struct WaitingEdit {
    /// The cell.
    pub cell: Cell,
    /// The agent that is in its way now; `None` if only other cells of the area have to become free.
    pub agent: Option<Entity>,
}

/// An edit of a [`NavGrid`](crate::NavGrid) waits, because a solid agent is in its way. It is told once.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn report(waits: On<EditWaits>) {
///     println!("the building at {} waits for {:?}", waits.corner, waits.agent);
/// }
/// # let _ = report;
/// ```
#[derive(EntityEvent, Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct EditWaits {
    /// The grid.
    pub entity: Entity,
    /// The north-western cell of what is edited.
    pub corner: Cell,
    /// The size of what is edited: one cell, or an area.
    pub size: Size,
    /// The cell where the agent is.
    pub cell: Cell,
    /// The agent, unless it is gone meanwhile. If several are in the way, the others are among the
    /// [waiting edits](crate::NavGrid::waiting_edits).
    pub agent: Option<Entity>,
}

/// An edit of a [`NavGrid`](crate::NavGrid) that has waited has taken effect, in all cells that later edits have not changed
/// again. If they have changed all of its cells meanwhile, it has ended without this event.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::prelude::*;
/// fn complete(applied: On<EditApplied>) {
///     println!("the building at {} stands", applied.corner);
/// }
/// # let _ = complete;
/// ```
#[derive(EntityEvent, Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct EditApplied {
    /// The grid.
    pub entity: Entity,
    /// The north-western cell of what was edited.
    pub corner: Cell,
    /// The size of what was edited: one cell, or an area.
    pub size: Size,
}

/// A change of a cell, or of all cells of a rectangle at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "replay", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub(crate) enum Edit {
    Cost(Cell, Option<EntryCost>),
    CostFor(usize, Cell, Option<EntryCost>),
    CostArea(Cell, Size, Option<EntryCost>),
    Level(Cell, Level),
    Class(Cell, u8),
    ClassArea(Cell, Size, u8),
    /// For agents of a kind, or of all kinds.
    Danger(Option<usize>, Cell, Option<EntryCost>),
    AddDanger(Danger),
    Link(Cell, Cell, Option<EntryCost>),
}

impl Edit {
    /// The cell, the corner of the area, or the cell in which the link begins.
    pub(crate) fn cell(&self) -> Cell {
        match *self {
            Self::Cost(cell, _) | Self::CostFor(_, cell, _) | Self::CostArea(cell, ..) => cell,
            Self::Level(cell, _) | Self::Class(cell, _) | Self::ClassArea(cell, ..) => cell,
            Self::Danger(_, cell, _) | Self::AddDanger(Danger { at: cell, .. }) => cell,
            Self::Link(from, ..) => from,
        }
    }

    #[cfg(feature = "replay")]
    pub(crate) fn for_each_cell(&mut self, visit: &mut impl FnMut(&mut Cell)) {
        match self {
            Self::Cost(cell, _) | Self::CostFor(_, cell, _) | Self::CostArea(cell, ..) => visit(cell),
            Self::Level(cell, _) | Self::Class(cell, _) | Self::ClassArea(cell, ..) => visit(cell),
            Self::Danger(_, cell, _) | Self::AddDanger(Danger { at: cell, .. }) => visit(cell),
            Self::Link(from, to, _) => [from, to].into_iter().for_each(visit),
        }
    }
}
