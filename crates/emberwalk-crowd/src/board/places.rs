//! Who is in each cell, and who is on the way into it.

use crate::index::{AgentIndex, CellIndex};

/// No agent.
const NOBODY: u32 = u32::MAX;
/// Instead of the agent on the way into a cell: an edit waits until the cell is empty.
const EDIT: u32 = u32::MAX - 1;

/// Who is on the way into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Nobody, so that the cell can be claimed.
    None,
    /// This agent.
    Agent(AgentIndex),
    /// Nobody may enter the cell, because an edit waits for it.
    Edit,
}

/// The agent in each cell, and the agent that has claimed it.
///
/// An agent is in a cell from the end of the step that led there until the end of the next one. In the second half of
/// that step the cell is free already: another agent may have entered it, and is then recorded in its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// The number of entries of each list, which are empty as long as nobody has taken a cell.
    len: usize,
    agents: Vec<u32>,
    claims: Vec<u32>,
}

impl Places {
    pub(super) fn new(len: usize) -> Self {
        Self { len, ..Self::default() }
    }

    /// The agent in a cell. It may be about to leave.
    #[inline]
    pub(super) fn agent(&self, at: CellIndex) -> Option<AgentIndex> {
        let agent = self.agents.get(at.get()).copied().filter(|&agent| agent != NOBODY);
        agent.map(|agent| AgentIndex::new(agent as usize))
    }

    /// Who is on the way into a cell.
    #[inline]
    pub(super) fn claim(&self, at: CellIndex) -> Claim {
        match self.claims.get(at.get()) {
            None | Some(&NOBODY) => Claim::None,
            Some(&EDIT) => Claim::Edit,
            Some(&agent) => Claim::Agent(AgentIndex::new(agent as usize)),
        }
    }

    /// The agent that is on the way into a cell.
    #[inline]
    pub(super) fn entering(&self, at: CellIndex) -> Option<AgentIndex> {
        match self.claim(at) {
            Claim::Agent(agent) => Some(agent),
            Claim::None | Claim::Edit => None,
        }
    }

    /// Puts an agent into a cell.
    pub(super) fn put(&mut self, agent: AgentIndex, at: CellIndex) {
        self.agents.resize(self.len, NOBODY);
        self.agents[at.get()] = agent.get() as u32;
    }

    /// Takes an agent out of a cell, unless another one has entered it since.
    pub(super) fn take(&mut self, agent: AgentIndex, at: CellIndex) {
        if self.agent(at) == Some(agent) {
            self.agents[at.get()] = NOBODY;
        }
    }

    pub(super) fn set_claim(&mut self, at: CellIndex, claim: Claim) {
        self.claims.resize(self.len, NOBODY);
        self.claims[at.get()] = match claim {
            Claim::None => NOBODY,
            Claim::Edit => EDIT,
            Claim::Agent(agent) => agent.get() as u32,
        };
    }
}

/// The two cells beside a diagonal step: first the one in the row of `from`.
pub(crate) fn beside_diagonal(from: CellIndex, to: CellIndex, stride: usize) -> [CellIndex; 2] {
    let (from, to) = (from.get(), to.get());
    let row_start = |at: usize| at - at % stride;
    [row_start(from) + to % stride, row_start(to) + from % stride].map(CellIndex::new)
}
