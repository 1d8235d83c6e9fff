//! From components to crowds, and back: the systems that run in each step of time.

mod budget;
mod orders;
mod outcome;
mod place;
mod plugin;
mod queue;
mod sets;
mod tell;

pub use budget::PlanningBudget;
pub use plugin::EmberwalkPlugin;
pub use sets::EmberwalkSystems;

#[cfg(feature = "serde")]
pub(crate) use orders::OrderedAt;
