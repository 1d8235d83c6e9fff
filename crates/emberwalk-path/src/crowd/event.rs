//! What happens in a crowd.

use super::{Step, Time, UnitId};
use crate::grid::Cell;
use crate::{EntryCost, Level};

/// Something that happened in a [`Crowd`](super::Crowd). All events together are a complete log,
/// which [`conflicts`](super::conflicts) checks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CrowdEvent {
    /// A unit was put on the map.
    Added {
        /// The unit.
        unit: UnitId,
        /// Where it stands.
        at: Cell,
        /// When.
        time: Time,
    },
    /// A unit has decided to take a step, which may start later.
    Step {
        /// The unit.
        unit: UnitId,
        /// Its step.
        step: Step,
    },
    /// A unit stands in its goal. This happens again if it had to make way and has come back.
    Arrived {
        /// The unit.
        unit: UnitId,
        /// Its goal.
        at: Cell,
        /// When.
        time: Time,
    },
    /// A unit has left the map.
    Left {
        /// The unit.
        unit: UnitId,
        /// Where it was.
        at: Cell,
        /// When.
        time: Time,
    },
    /// An edit of an entry cost has taken effect.
    CostSet {
        /// The cell.
        cell: Cell,
        /// Its new entry cost; `None` if it is blocked.
        cost: Option<EntryCost>,
        /// When.
        time: Time,
    },
    /// An edit of a level has taken effect.
    LevelSet {
        /// The cell.
        cell: Cell,
        /// Its new level.
        level: Level,
        /// When.
        time: Time,
    },
}
