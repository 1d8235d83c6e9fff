//! The visible state of agents: where they are, and where they look.

use emberwalk_crowd::AgentId;
use emberwalk_path::grid::{Cell, Direction};

use super::{Counts, Town};

/// The visible state of an agent at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TownFigure {
    /// The agent.
    pub agent: AgentId,
    /// The position of the kind in the tileset; `None` for the player's traveller.
    pub kind: Option<usize>,
    /// The cell that it stands in or enters.
    pub cell: Cell,
    /// During a step, the cell that it leaves and the finished part of the step, 0 to 1.
    pub leaving: Option<(Cell, f64)>,
    /// Where it looks.
    pub facing: Direction,
    /// Whether it has [waited](Counts) on its route for a while.
    pub is_waiting: bool,
    /// Whether it stands at its goal, or has none.
    pub is_resting: bool,
}

impl Town {
    /// The figure of an agent.
    pub fn figure(&self, agent: AgentId) -> Option<TownFigure> {
        let state = self.crowd.state(agent)?;
        let person = self.person(agent);
        let now = self.crowd.now();
        let facing = if self.player() == Some(agent) { self.player_facing() } else { state.facing };
        let step = state.step.filter(|step| step.start <= now);
        Some(TownFigure {
            agent,
            kind: person.map(|person| person.kind),
            cell: step.map_or(state.cell, |step| step.to),
            leaving: step.map(|step| (step.from, f64::from(step.progress(now)))),
            facing: facing.unwrap_or(Direction::SW),
            is_waiting: step.is_none() && Counts::is_waiting(&self.crowd, agent),
            is_resting: step.is_none() && (state.has_arrived || state.goal.is_none()),
        })
    }

    /// The figures of all agents. O(agents).
    pub fn figures(&self) -> impl Iterator<Item = TownFigure> {
        self.crowd.agents().filter_map(|(agent, _)| self.figure(agent))
    }
}
