//! The conflicts that the checker of a log reports.

use std::fmt;

use super::AgentId;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;

/// The kind of a [`Conflict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ConflictKind {
    /// Two agents are in one cell.
    SharedCell,
    /// Two agents change places.
    ChangedPlaces,
    /// Two agents cross on diagonals.
    Crossed,
    /// Two agents are on one link.
    SharedLink,
    /// An agent takes a step that the rules forbid.
    ForbiddenStep,
    /// An agent is put into a cell that is blocked or off the map, or a cell becomes blocked while an agent is in it.
    BlockedCell,
    /// A step does not take the time of its cost at the pace.
    WrongDuration,
    /// A step does not begin where the last one of its agent ended, or begins before that ended; or an agent arrives or
    /// leaves where it is not, or is put on the map twice.
    BrokenPath,
    /// An edit changes the cost of a step while an agent takes it, or makes the step impossible.
    ChangedStep,
}

/// Something in the log of a crowd that must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Conflict {
    /// When it happens, or begins.
    pub time: CrowdTime,
    /// The kind of conflict.
    pub kind: ConflictKind,
    /// The cell where it happens; for a step, the cell that it enters.
    pub cell: Cell,
    /// The agent that does it.
    pub agent: AgentId,
    /// The other agent, if it takes two.
    pub other: Option<AgentId>,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cell, time, .. } = self;
        let [agent, other] = [self.agent, self.other.unwrap_or(self.agent)];
        match self.kind {
            ConflictKind::SharedCell => write!(f, "agents {agent} and {other} are both in {cell}")?,
            ConflictKind::ChangedPlaces => write!(f, "agents {agent} and {other} change places at {cell}")?,
            ConflictKind::Crossed => write!(f, "agents {agent} and {other} cross beside {cell}")?,
            ConflictKind::SharedLink => write!(f, "agents {agent} and {other} are both on a link to {cell}")?,
            ConflictKind::ForbiddenStep => write!(f, "agent {agent} takes a forbidden step to {cell}")?,
            ConflictKind::BlockedCell => write!(f, "agent {agent} is in {cell}, which is blocked")?,
            ConflictKind::WrongDuration => {
                write!(f, "the step of agent {agent} to {cell} does not take what it costs")?
            }
            ConflictKind::ChangedStep => write!(f, "the step of agent {agent} to {cell} is changed while it is taken")?,
            ConflictKind::BrokenPath => write!(f, "agent {agent} does not come to {cell} from where it was")?,
        }
        write!(f, ", {time:.3} s")
    }
}
