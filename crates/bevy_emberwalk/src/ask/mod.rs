//! Queries of a game about its grids and its agents.

mod nav;
mod places;
mod questions;

pub use nav::{AgentRoute, Nav};
pub use questions::{OfKind, WhyNot};
