//! Who is in each cell, and who is on the way into it.

/// No agent.
const NOBODY: u32 = u32::MAX;
/// In place of the agent that is on the way into a cell: an edit that waits until the cell is empty.
const EDIT: u32 = u32::MAX - 1;

/// Who is on the way into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Nobody, so that the cell can be claimed.
    None,
    /// This agent.
    Agent(usize),
    /// Nobody may enter the cell, because an edit waits for it.
    Edit,
}

/// The agent in each cell, and the agent that has claimed it, by the indices of the grid's array.
///
/// An agent is in a cell from the end of the step that led there until the end of the next one. In its second half the cell
/// is free already: another agent may have entered it, and is then the one that is recorded.
#[derive(Clone, Debug)]
pub(super) struct Places {
    agents: Vec<u32>,
    claims: Vec<u32>,
}

impl Places {
    pub(super) fn new(len: usize) -> Self {
        Self { agents: vec![NOBODY; len], claims: vec![NOBODY; len] }
    }

    /// The agent in a cell. It may be about to leave.
    #[inline]
    pub(super) fn agent(&self, at: usize) -> Option<usize> {
        Some(self.agents[at]).filter(|&agent| agent != NOBODY).map(|agent| agent as usize)
    }

    /// Who is on the way into a cell.
    #[inline]
    pub(super) fn claim(&self, at: usize) -> Claim {
        match self.claims[at] {
            NOBODY => Claim::None,
            EDIT => Claim::Edit,
            agent => Claim::Agent(agent as usize),
        }
    }

    /// The agent that is on the way into a cell.
    #[inline]
    pub(super) fn entering(&self, at: usize) -> Option<usize> {
        match self.claim(at) {
            Claim::Agent(agent) => Some(agent),
            Claim::None | Claim::Edit => None,
        }
    }

    /// Puts an agent into a cell.
    pub(super) fn put(&mut self, agent: usize, at: usize) {
        self.agents[at] = agent as u32;
    }

    /// Takes an agent out of a cell, unless another one has entered it since.
    pub(super) fn take(&mut self, agent: usize, at: usize) {
        if self.agents[at] == agent as u32 {
            self.agents[at] = NOBODY;
        }
    }

    pub(super) fn set_claim(&mut self, at: usize, claim: Claim) {
        self.claims[at] = match claim {
            Claim::None => NOBODY,
            Claim::Edit => EDIT,
            Claim::Agent(agent) => agent as u32,
        };
    }
}

/// The two cells beside a diagonal step, by the indices of the grid's array: first the one in the row of `from`.
pub(super) fn beside_diagonal(from: usize, to: usize, stride: usize) -> [usize; 2] {
    let row_start = |at: usize| at - at % stride;
    [row_start(from) + to % stride, row_start(to) + from % stride]
}
