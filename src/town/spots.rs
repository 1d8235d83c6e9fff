//! The cells where people stand or are going to, and who it is.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use emberwalk_path::crowd::AgentId;
use emberwalk_path::grid::Cell;

/// The cells that people have taken, with their owners.
#[derive(Clone, Debug, Default)]
pub(super) struct Spots {
    owners: HashMap<Cell, AgentId>,
}

impl Spots {
    /// Whether somebody has taken a cell.
    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.owners.contains_key(&cell)
    }

    /// Takes a cell for an agent, unless another one has taken it.
    pub(super) fn take(&mut self, cell: Cell, agent: AgentId) {
        self.owners.entry(cell).or_insert(agent);
    }

    /// Gives back the cell of an agent. If the cell belongs to another one, that one keeps it: several people can be
    /// sent to one cell.
    pub(super) fn free(&mut self, cell: Cell, agent: AgentId) {
        if let Entry::Occupied(owner) = self.owners.entry(cell)
            && *owner.get() == agent
        {
            owner.remove();
        }
    }
}
