//! The events of a crowd.

use super::{AgentId, WaitsFor};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace, Step};
use emberwalk_path::{EntryCost, Level};

/// Something that happened in a [`Crowd`](super::Crowd). All events together are a complete log,
/// which [`conflicts`](super::conflicts) checks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum CrowdEvent {
    /// An agent was put on the map.
    Added {
        /// The agent.
        agent: AgentId,
        /// Where it stands.
        at: Cell,
        /// When.
        time: CrowdTime,
    },
    /// An agent that is about to be put on the map is not of the first kind.
    KindSet {
        /// The agent.
        agent: AgentId,
        /// The index of its kind.
        kind: usize,
        /// When.
        time: CrowdTime,
    },
    /// An agent that is about to be put on the map [passes](super::AgentSettings::passes) through all others.
    Passes {
        /// The agent.
        agent: AgentId,
        /// When.
        time: CrowdTime,
    },
    /// An agent gets a pace of its own.
    PaceSet {
        /// The agent.
        agent: AgentId,
        /// Its pace.
        pace: Pace,
        /// When.
        time: CrowdTime,
    },
    /// An agent has decided to take a step, which may start later.
    Step {
        /// The agent.
        agent: AgentId,
        /// Its step.
        step: Step,
    },
    /// The time of a current or decided step changes: the pace of the agent has changed, or the agent ahead leaves its
    /// cell at another time than planned. The agent ahead has another pace, is held up itself, or was
    /// [removed](super::Crowd::remove), so that the cell is free already. The ground has changed under an agent that
    /// [passes](super::AgentSettings::passes): it may turn back, or was [put](super::Crowd::add_walker) on the map in
    /// the middle of the step.
    StepChanged {
        /// The agent.
        agent: AgentId,
        /// The new step between the same cells, of which the same part is over now; if the agent turns back, the part
        /// that was left.
        step: Step,
        /// When.
        time: CrowdTime,
    },
    /// An agent stands in its goal. This happens once for each order, even if the agent has to make way and comes back.
    /// An agent whose goal is about another agent, such as to follow it, arrives each time that it has caught up.
    Arrived {
        /// The agent.
        agent: AgentId,
        /// Its goal.
        at: Cell,
        /// When.
        time: CrowdTime,
    },
    /// An agent that others have pushed off its goal goes back there, perhaps after it has [rested](super::OnArrival::Stay). It
    /// may have to wait before it takes a step.
    SetOut {
        /// The agent.
        agent: AgentId,
        /// When.
        time: CrowdTime,
    },
    /// No route leads an agent to its goal any more, or none did when it was sent there. It stays where it is and makes
    /// way for others; an agent that was sent with a [group](super::Crowd::send_group) or [near](super::Goal::Near) a
    /// cell goes to the nearest place that it can reach. It is not reported as long as an
    /// [announced](super::Crowd::announce) change opens a route.
    Unreachable {
        /// The agent.
        agent: AgentId,
        /// When.
        time: CrowdTime,
    },
    /// A route leads the agent to its goal again.
    Reachable {
        /// The agent.
        agent: AgentId,
        /// When.
        time: CrowdTime,
    },
    /// An agent has not come nearer to its goal for at least six seconds; the time for which it has rested does not
    /// count. This happens once for each order. It does not happen to an agent that has come to rest near a goal where
    /// others [stay](super::OnArrival::Stay).
    Stuck {
        /// The agent.
        agent: AgentId,
        /// The reason why it waits, if it is known.
        on: Option<WaitsFor>,
        /// When.
        time: CrowdTime,
    },
    /// An edit has to wait. This happens once for all edits of a cell that wait at the same time.
    EditWaits {
        /// The cell.
        cell: Cell,
        /// The north-western cell of the edit: the same cell, or the corner of an area.
        #[cfg_attr(feature = "serde", serde(default))]
        corner: Cell,
        /// The size of the edit.
        #[cfg_attr(feature = "serde", serde(default))]
        size: Size,
        /// The agent that is in its way.
        agent: AgentId,
        /// When.
        time: CrowdTime,
    },
    /// An edit that has waited has taken effect, in all cells that later edits have not taken out of it.
    EditApplied {
        /// The north-western cell of the edit.
        corner: Cell,
        /// The size of the edit: one cell, or an area.
        size: Size,
        /// When.
        time: CrowdTime,
    },
    /// An agent has left the map.
    Left {
        /// The agent.
        agent: AgentId,
        /// Where it was.
        at: Cell,
        /// When.
        time: CrowdTime,
    },
    /// An edit of an entry cost has taken effect.
    CostSet {
        /// The cell.
        cell: Cell,
        /// The index of the kind for which it has this cost.
        #[cfg_attr(feature = "serde", serde(default))]
        kind: usize,
        /// Its new entry cost; `None` if it is blocked.
        cost: Option<EntryCost>,
        /// When.
        time: CrowdTime,
    },
    /// An edit of a class has taken effect, in a crowd [on classes](super::Crowd::with_kinds).
    ClassSet {
        /// The cell.
        cell: Cell,
        /// Its new class.
        class: u8,
        /// When.
        time: CrowdTime,
    },
    /// A link was added or removed.
    LinkSet {
        /// The cell in which it begins.
        from: Cell,
        /// The cell in which it ends.
        to: Cell,
        /// The index of the kind of agents that may use it.
        #[cfg_attr(feature = "serde", serde(default))]
        kind: usize,
        /// Its cost; `None` if it was removed.
        cost: Option<EntryCost>,
        /// When.
        time: CrowdTime,
    },
    /// An edit of a level has taken effect.
    LevelSet {
        /// The cell.
        cell: Cell,
        /// Its new level.
        level: Level,
        /// When.
        time: CrowdTime,
    },
    /// The [danger](super::Crowd::danger) of cells has changed: it was set or added, or has faded.
    DangerChanged {
        /// The index of the kind for which it has changed; `None` for all.
        kind: Option<usize>,
        /// The north-western cell of a rectangle around these cells.
        corner: Cell,
        /// The size of the rectangle.
        size: Size,
        /// When.
        time: CrowdTime,
    },
}

impl CrowdEvent {
    /// When it happens; for a step, when it starts.
    pub const fn time(&self) -> CrowdTime {
        match *self {
            Self::Step { step, .. } => step.start,
            Self::Added { time, .. }
            | Self::KindSet { time, .. }
            | Self::Passes { time, .. }
            | Self::PaceSet { time, .. }
            | Self::StepChanged { time, .. }
            | Self::Arrived { time, .. }
            | Self::SetOut { time, .. }
            | Self::Unreachable { time, .. }
            | Self::Reachable { time, .. }
            | Self::Stuck { time, .. }
            | Self::EditWaits { time, .. }
            | Self::EditApplied { time, .. }
            | Self::Left { time, .. }
            | Self::CostSet { time, .. }
            | Self::ClassSet { time, .. }
            | Self::LinkSet { time, .. }
            | Self::LevelSet { time, .. }
            | Self::DangerChanged { time, .. } => time,
        }
    }
}
