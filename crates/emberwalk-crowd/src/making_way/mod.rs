//! Who makes way for whom: the steps of an agent, the agents in its way, and the agents that are led out of a jam.

pub(super) mod chain;
pub(super) mod choices;
pub(super) mod jam;
mod swap;
