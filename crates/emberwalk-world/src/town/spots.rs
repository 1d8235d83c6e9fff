//! The cells where people stand or will stand, with their owners.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use emberwalk_crowd::AgentId;
use emberwalk_path::grid::Cell;

use super::hash::{hash_of, number_of};

/// The cells that people have taken, with their owners.
#[derive(Clone, Debug, Default)]
pub(super) struct Spots {
    owners: HashMap<Cell, AgentId>,
    /// The sum of the hashes of all cells with their owners.
    hash: u64,
}

impl Spots {
    /// A hash of the cells and their owners. O(1).
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether a person has taken a cell.
    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.owners.contains_key(&cell)
    }

    /// Takes a cell for an agent, unless another one has taken it.
    pub(super) fn take(&mut self, cell: Cell, agent: AgentId) {
        if let Entry::Vacant(owner) = self.owners.entry(cell) {
            owner.insert(agent);
            self.hash = self.hash.wrapping_add(hash_of([number_of(cell), agent.into()]));
        }
    }

    /// Gives back the cell of an agent. If the cell belongs to another agent, that agent keeps it: several people can
    /// be sent to one cell.
    pub(super) fn free(&mut self, cell: Cell, agent: AgentId) {
        if let Entry::Occupied(owner) = self.owners.entry(cell)
            && *owner.get() == agent
        {
            owner.remove();
            self.hash = self.hash.wrapping_sub(hash_of([number_of(cell), agent.into()]));
        }
    }
}

#[cfg(test)]
mod tests {
    use emberwalk_crowd::Crowd;
    use emberwalk_path::grid::Size;
    use emberwalk_path::time::Pace;
    use emberwalk_path::{CostGrid, StepRules};

    use super::*;

    #[test]
    fn a_spot_belongs_to_the_first_person_who_takes_it_until_they_give_it_back() {
        let grid = CostGrid::open(Size::new(2, 1)).unwrap();
        let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
        let [one, other] = [0, 1].map(|x| crowd.add(Cell::new(x, 0)).unwrap());
        let spot = Cell::new(1, 0);
        let mut spots = Spots::default();
        let nothing = spots.hash();
        spots.take(spot, one);
        let taken = spots.hash();
        spots.take(spot, other);
        spots.free(spot, other);
        assert_eq!((spots.contains(spot), spots.hash()), (true, taken));
        spots.free(spot, one);
        assert_eq!((spots.contains(spot), spots.hash()), (false, nothing));
        spots.take(spot, other);
        assert_ne!(spots.hash(), taken, "the owner is a part of the state");
    }
}
