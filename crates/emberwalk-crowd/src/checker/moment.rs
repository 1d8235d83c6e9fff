//! The order in which the checker of a log looks at events.

use std::cmp::Ordering;

use super::super::{AgentId, CrowdEvent};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;

/// Something that happens at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) time: CrowdTime,
    pub(super) phase: Phase,
    /// The number of the event that it belongs to.
    pub(super) number: u64,
}

/// The kinds of events at one time, in their order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
    /// A step ends.
    End(AgentId),
    /// In the middle of a step, an agent leaves a cell.
    Leave(AgentId),
    /// It enters the next cell.
    Enter(AgentId, Cell),
    /// An event of the log takes effect.
    Event(CrowdEvent),
}

impl Moment {
    fn order(&self) -> (CrowdTime, u8, u64) {
        let phase = match self.phase {
            Phase::End(_) => 0,
            Phase::Leave(_) => 1,
            Phase::Enter(..) => 2,
            Phase::Event(_) => 3,
        };
        (self.time, phase, self.number)
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Moment {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl Eq for Moment {}
