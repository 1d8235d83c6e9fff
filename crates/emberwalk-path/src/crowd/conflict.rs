//! What the checker of a log reports.

use std::fmt;

use super::{Time, UnitId};
use crate::grid::Cell;

/// What is wrong in a [`Conflict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ConflictKind {
    /// Two units are in one cell.
    SharedCell,
    /// Two units change places.
    ChangedPlaces,
    /// Two units cross on diagonals.
    Crossed,
    /// A unit takes a step that the rules forbid.
    ForbiddenStep,
    /// A unit is put into a cell that is blocked or off the map, or a cell becomes blocked while a unit is in it.
    BlockedCell,
    /// A step takes another time than its cost at the pace.
    WrongDuration,
    /// A step does not begin where the last one of its unit ended, or begins before that ended; or a unit arrives or leaves
    /// where it is not, or is put on the map twice.
    BrokenPath,
    /// An edit changes the cost of a step while a unit takes it, or forbids it.
    ChangedStep,
}

/// Something in the log of a crowd that must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Conflict {
    /// When it happens, or begins.
    pub time: Time,
    /// What is wrong.
    pub kind: ConflictKind,
    /// The cell where it happens; for a step, the cell that it enters.
    pub cell: Cell,
    /// The unit that does it.
    pub unit: UnitId,
    /// The other unit, if it takes two.
    pub other: Option<UnitId>,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cell, time, .. } = self;
        let [unit, other] = [self.unit, self.other.unwrap_or(self.unit)];
        match self.kind {
            ConflictKind::SharedCell => write!(f, "units {unit} and {other} are both in {cell}")?,
            ConflictKind::ChangedPlaces => write!(f, "units {unit} and {other} change places at {cell}")?,
            ConflictKind::Crossed => write!(f, "units {unit} and {other} cross beside {cell}")?,
            ConflictKind::ForbiddenStep => write!(f, "unit {unit} takes a forbidden step to {cell}")?,
            ConflictKind::BlockedCell => write!(f, "unit {unit} is in {cell}, which is blocked")?,
            ConflictKind::WrongDuration => write!(f, "the step of unit {unit} to {cell} does not take what it costs")?,
            ConflictKind::ChangedStep => write!(f, "the step of unit {unit} to {cell} is changed while it is taken")?,
            ConflictKind::BrokenPath => write!(f, "unit {unit} does not come to {cell} from where it was")?,
        }
        write!(f, ", {time:.3} s")
    }
}
