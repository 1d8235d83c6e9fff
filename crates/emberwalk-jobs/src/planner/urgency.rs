//! How urgent questions to the planner are.

/// How urgent a question to the planner is: 0 is the most urgent. More urgent questions interrupt the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Urgency(pub u8);

impl Urgency {
    /// The route of an agent.
    pub const ROUTE: Self = Self(0);
    /// The preparation of a grid.
    pub const PREPARATION: Self = Self(u8::MAX);
}
