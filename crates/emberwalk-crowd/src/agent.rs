//! The information of a crowd about an agent.

use std::fmt;

use emberwalk_path::RouteCost;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::time::{CrowdTime, Pace, Step};

/// An agent of a [`Crowd`](super::Crowd): the index of its slot, and its generation there.
///
/// The slot of an agent that has left is used again, for an agent of the next generation. So an id never means another
/// agent. As long as no agent leaves, indices are counted from 0 in the order in which agents are added. In JSON, an id
/// is one number.
///
/// ```
/// # use emberwalk_crowd::Crowd;
/// # use emberwalk_path::grid::{Cell, Size};
/// # use emberwalk_path::time::Pace;
/// # use emberwalk_path::{CostGrid, StepRules};
/// # let grid = CostGrid::open(Size::new(3, 1))?;
/// # let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
/// let gone = crowd.add(Cell::new(0, 0))?;
/// crowd.remove(gone);
/// let next = crowd.add(Cell::new(1, 0))?;
/// assert_eq!(gone.index(), next.index());
/// assert!(gone != next && crowd.state(gone).is_none());
/// assert_eq!([gone, next].map(|agent| agent.to_string()), ["0", "0v1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(from = "u64", into = "u64"))]
pub struct AgentId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

impl AgentId {
    /// The index of the slot. No other agent on the map has the same index.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// How many agents had this slot before.
    pub const fn generation(self) -> u32 {
        self.generation
    }
}

/// The index, in the first generation, and otherwise both numbers, such as `3v1`.
impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { index, generation: 0 } => write!(f, "{index}"),
            Self { index, generation } => write!(f, "{index}v{generation}"),
        }
    }
}

/// The index in the lower half and the generation in the upper half.
impl From<AgentId> for u64 {
    fn from(AgentId { index, generation }: AgentId) -> Self {
        Self::from(generation) << 32 | Self::from(index)
    }
}

impl From<u64> for AgentId {
    fn from(number: u64) -> Self {
        Self { index: number as u32, generation: (number >> 32) as u32 }
    }
}

/// The kind, the pace and the priority of an agent, for [`Crowd::add_with`](super::Crowd::add_with).
///
/// ```
/// use emberwalk_crowd::AgentSettings;
/// use emberwalk_path::time::{CrowdTime, Pace};
/// let slow = Pace::new(CrowdTime::from_seconds(2.0));
/// let cart = AgentSettings::new().with_kind(1).with_pace(slow);
/// assert_eq!((cart.kind, cart.pace, cart.priority), (1, Some(slow), 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
#[must_use]
pub struct AgentSettings {
    /// The index of its kind; 0 in a crowd of one kind.
    pub kind: usize,
    /// Its own pace; `None` for the pace of the crowd.
    pub pace: Option<Pace>,
    /// Agents make way only for agents of at least the same priority. So a hero with a higher priority than all others
    /// yields to nobody, except to agents that have to get out of cells that
    /// [are to be blocked](super::Crowd::set_area).
    pub priority: i8,
    /// Whether it passes through all others: it takes no cell, pushes nobody and is pushed by nobody. See
    /// [passing agents](crate#passing-agents).
    pub passes: bool,
}

impl AgentSettings {
    /// The first kind, the pace of the crowd, priority 0, and a cell of its own.
    pub const fn new() -> Self {
        Self { kind: 0, pace: None, priority: 0, passes: false }
    }

    /// The same settings for an agent that [passes](Self::passes) through all others.
    pub const fn passing(self) -> Self {
        Self { passes: true, ..self }
    }

    /// The same settings with another kind.
    pub const fn with_kind(self, kind: usize) -> Self {
        Self { kind, ..self }
    }

    /// The same settings with the agent's own pace.
    pub const fn with_pace(self, pace: Pace) -> Self {
        Self { pace: Some(pace), ..self }
    }

    /// The same settings with another [priority](Self::priority).
    pub const fn with_priority(self, priority: i8) -> Self {
        Self { priority, ..self }
    }
}

/// The action of an agent that has arrived.
///
/// ```
/// use emberwalk_crowd::OnArrival;
/// assert_eq!(OnArrival::default(), OnArrival::Stay);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum OnArrival {
    /// It stays in its goal. If it has to make way for others, it rests where it stands, as long as the way back costs at most
    /// five tiles, and comes back after eight seconds; it does not keep its goal meanwhile. Only one agent can stay
    /// in a cell: others that are sent there, or whose goal would overlap with the square of that agent, wait close to it.
    #[default]
    Stay,
    /// It leaves the map. Many agents can then have the same goal.
    Leave,
}

/// Where an agent is, and where it is going.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[non_exhaustive]
pub struct AgentState {
    /// The cell that it is nearer to; for an agent of several cells, the north-western one.
    pub cell: Cell,
    /// The step that it is taking or is about to take.
    pub step: Option<Step>,
    /// Its goal, which may be unreachable. If the goal is several cells, this is the first of them, row by row.
    pub goal: Option<Cell>,
    /// The goal of its [group](super::Crowd::send_group), or the cell that it is to go [near](super::Goal::Near), while
    /// the agent cannot reach it. Meanwhile it goes to `goal` or stands there, one of the nearest places that it can
    /// reach.
    pub unreachable: Option<Cell>,
    /// Whether it stands still in its goal, or [rests](OnArrival::Stay) near it.
    pub has_arrived: bool,
    /// The direction of the step that it is taking, or of its last one.
    pub facing: Option<Direction>,
}

/// The reason why an agent waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum WaitsFor {
    /// An agent in the cell that it wants to enter, or on the way into that cell, or about to come beside it and to
    /// enter it.
    Agent(AgentId),
    /// The edit of this cell, which is also waiting.
    Edit(Cell),
    /// A route to its goal.
    Route,
    /// A route to its goal that an [announced](super::Crowd::announce) change opens.
    Opening,
    /// The search for its route, which has a [budget](super::Crowd::set_search_budget) and has not found it yet.
    Search,
}

/// The wait of an agent that stands still although it has not arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Wait {
    /// What it waits for; `None` if it is about to step, or makes way.
    pub on: Option<WaitsFor>,
    /// Since when it has stood there.
    pub since: CrowdTime,
}

/// The rest of an agent's route to its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Rest {
    /// Its cost, from the cell where the agent is or which it is about to enter.
    pub cost: RouteCost,
    /// How long it takes without waiting for others, apart from the bounds of the [`Pace`].
    pub time: CrowdTime,
}

/// A cell of the route of an agent, with its times there. See [`Crowd::stops`](super::Crowd::stops).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct AgentStop {
    /// The cell.
    pub cell: Cell,
    /// When the agent comes to the middle of it.
    pub arrival: CrowdTime,
    /// When it leaves. This is later than the arrival if it waits there for an announced change.
    pub departure: CrowdTime,
}
