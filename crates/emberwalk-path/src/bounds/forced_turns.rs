//! Forced turns: the rules that say where a cheapest route may have to turn, from the costs of a cell and its
//! neighbours.
//!
//! Of several routes with the same cost it is enough to follow one: the one that goes diagonally first. A turn is
//! forced if no other route around it, by the neighbours of the cell alone, is as cheap and preferred to it. A search
//! need not take any other turn. These are the forced neighbours of jump point search ("Online Graph Pruning for
//! Pathfinding on Grid Maps", Harabor, Grastien, AAAI 2011), with costs as in "Optimal Pathfinding on Weighted Grid
//! Maps" (Carlson, Moghadam, Harabor, Stuckey, Ebrahimi, AAAI 2023), for diagonal steps that pass no blocked cell.
//!
//! Every rule takes O(1).

use crate::search::steps::offsets;
use crate::{CostGrid, Diagonal};

/// A cell and its eight neighbours with their costs. Directions are numbers as in
/// [`Direction::ALL`](crate::grid::Direction::ALL), modulo 8.
#[derive(Clone, Copy)]
pub(crate) struct Neighbourhood<'a> {
    entry_units: &'a [u32],
    offsets: [isize; 8],
    diagonal: Diagonal,
    at: usize,
}

impl<'a> Neighbourhood<'a> {
    /// The neighbourhood of the cell with the index `at`, which must not be on the border.
    pub(crate) fn new(grid: &'a CostGrid, at: usize) -> Self {
        Self { entry_units: grid.entry_units(), offsets: offsets(grid.stride()), diagonal: grid.diagonal(), at }
    }

    /// Returns the entry cost of the neighbour in that direction, in units; 0 if it is blocked.
    #[inline(always)]
    fn cost(&self, direction: usize) -> u64 {
        u64::from(self.entry_units[self.at.wrapping_add_signed(self.offsets[direction % 8])])
    }

    /// Returns the cost of a diagonal step into a cell with that entry cost.
    #[inline(always)]
    fn diagonal_cost(&self, cost: u64) -> u64 {
        u64::from(self.diagonal.of(cost as u32))
    }

    /// Returns whether a route that enters the cell by a straight step in that `direction` may have to turn there to
    /// one side: by a right angle, and by half of one. `quarter` is 2 for the right-hand side and 6 for the left-hand
    /// side.
    ///
    /// A turn is not forced if a route of the same cost turns earlier, at the cell before.
    #[inline(always)]
    pub(crate) fn turns_after_straight(&self, direction: usize, quarter: usize) -> (bool, bool) {
        // The half turn to that side, and the direction of the cell beside the one before.
        let (half, back) = if quarter == 2 { (1, 3) } else { (7, 5) };
        let (here, side) = (u64::from(self.entry_units[self.at]), self.cost(direction + quarter));
        let (ahead, diagonally_ahead) = (self.cost(direction), self.cost(direction + half));
        if side == 0 {
            return (false, false);
        }
        let side_before = self.cost(direction + back);
        if side_before == 0 {
            return (true, ahead != 0 && diagonally_ahead != 0);
        }
        // From the cell before, the cell to the side is one diagonal step away.
        let shortcut = self.diagonal_cost(side);
        let right_angle = shortcut > here + side && side_before >= here;
        let half_turn = ahead != 0
            && diagonally_ahead != 0
            && shortcut + diagonally_ahead > here + self.diagonal_cost(diagonally_ahead);
        (right_angle, half_turn)
    }

    /// Returns whether a route that enters the cell by a diagonal step in that `direction` may have to turn there by a
    /// right angle to one side. `quarter` is 2 for the right-hand side and 6 for the left-hand side.
    ///
    /// The turn is not forced if two straight steps from the cell before are cheaper.
    #[inline(always)]
    pub(crate) fn turns_after_diagonal(&self, direction: usize, quarter: usize) -> bool {
        let here = u64::from(self.entry_units[self.at]);
        // The cells beside the diagonal step in the new direction; the first is a neighbour of the cell before.
        let (back, front) = if quarter == 2 { (direction + 3, direction + 1) } else { (direction + 5, direction + 7) };
        let (back, front, to) = (self.cost(back), self.cost(front), self.cost(direction + quarter));
        to != 0 && back != 0 && front != 0 && back + to >= self.diagonal_cost(here) + self.diagonal_cost(to)
    }

    /// Returns one bit for each direction: whether a run in that direction has to stop at this cell, because a turn may
    /// be forced or because costs differ. All bits are set for a blocked cell.
    pub(crate) fn stops(&self) -> u8 {
        let here = u64::from(self.entry_units[self.at]);
        if here == 0 {
            return !0;
        }
        let around: [u64; 8] = std::array::from_fn(|direction| self.cost(direction));
        if around == [here; 8] {
            return 0;
        }
        let mut stops = 0;
        for direction in 0..8 {
            let stop = if direction % 2 == 0 {
                let either = |(right_angle, half_turn): (bool, bool)| right_angle | half_turn;
                let before = around[(direction + 4) % 8];
                before != here
                    || either(self.turns_after_straight(direction, 2))
                    || either(self.turns_after_straight(direction, 6))
            } else {
                self.turns_after_diagonal(direction, 2) || self.turns_after_diagonal(direction, 6)
            };
            stops |= u8::from(stop) << direction;
        }
        stops
    }
}
