//! The components of agents: the input of a game, and the output for it.

mod agent;
mod events;
mod goal;
mod number;
mod placement;
mod position;
mod ranges;
#[cfg(feature = "serde")]
mod saved;
mod state;

pub use agent::{Hold, NavAgent, OnGrid, Solid};
pub use events::{Arrived, Reach, Stuck, Unreachable};
pub use goal::Goal;
pub use number::AgentNumber;
pub use position::GridPosition;
pub use state::{NavState, WhyUnplaced};

#[cfg(feature = "serde")]
pub(crate) use number::MAX_NUMBER;
pub(crate) use number::{Numbers, number_agents};
pub(crate) use placement::{Given, Placement, Removed};
pub(crate) use ranges::{MAX_REACH, cells_in_range};
