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
    fn turns_after_straight(&self, direction: usize, quarter: usize) -> (bool, bool) {
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
        let right_angle = shortcut >= here + side && side_before >= here;
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
    fn turns_after_diagonal(&self, direction: usize, quarter: usize) -> bool {
        let here = u64::from(self.entry_units[self.at]);
        // The cells beside the diagonal step in the new direction; the first is a neighbour of the cell before.
        let (back, front) = if quarter == 2 { (direction + 3, direction + 1) } else { (direction + 5, direction + 7) };
        let (back, front, to) = (self.cost(back), self.cost(front), self.cost(direction + quarter));
        to != 0 && back != 0 && front != 0 && back + to >= self.diagonal_cost(here) + self.diagonal_cost(to)
    }

    /// Returns the directions of the steps that are possible from the cell, one bit for each.
    pub(crate) fn possible_steps(&self) -> u8 {
        let is_free = |direction: usize| self.cost(direction) != 0;
        (0..8).filter(|&direction| is_free(direction)).fold(0, |steps, direction| {
            let passes_corners = direction % 2 == 0 || is_free(direction + 1) && is_free(direction + 7);
            steps | u8::from(passes_corners) << direction
        })
    }

    /// Returns where a cheapest route may go on from the cell, which is passable.
    pub(crate) fn turns(&self) -> Turns {
        let here = u64::from(self.entry_units[self.at]);
        let around: [u64; 8] = std::array::from_fn(|direction| self.cost(direction));
        // With a diagonal ratio of 2, two straight steps cost no more than a diagonal one, and no turn can be left out.
        if around == [here; 8] && self.diagonal_cost(here) < 2 * here {
            return Turns::NATURAL;
        }
        let mut turns = Turns::NATURAL;
        for direction in 0..8 {
            let mut forced = 0u8;
            let mut turn =
                |eighths: usize, is_forced: bool| forced |= u8::from(is_forced) << ((direction + eighths) % 8);
            for (quarter, half) in [(2, 1), (6, 7)] {
                if direction % 2 == 0 {
                    let (right_angle, half_turn) = self.turns_after_straight(direction, quarter);
                    turn(quarter, right_angle);
                    turn(half, half_turn);
                } else {
                    turn(quarter, self.turns_after_diagonal(direction, quarter));
                }
            }
            turns.after[direction] |= forced;
            let costs_differ = direction % 2 == 0 && around[(direction + 4) % 8] != here;
            turns.stops |= u8::from(forced != 0 || costs_differ) << direction;
        }
        turns
    }
}

/// Where a cheapest route may go on from one cell. Directions are numbers, and sets of them have one bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turns {
    /// For each direction of the last step, the directions of the next one. Some of these steps may be impossible.
    pub(crate) after: [u8; 8],
    /// The directions in which a run has to stop at the cell, because a turn may be forced or because costs differ.
    pub(crate) stops: u8,
}

impl Turns {
    /// Where all cells around are alike.
    pub(crate) const NATURAL: Self = Self { after: natural_turns(), stops: 0 };
}

/// Returns the directions of the next step where no turn is forced: the same, and after a diagonal step also the two
/// straight ones beside it.
const fn natural_turns() -> [u8; 8] {
    let mut after = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        let turns: u8 = if direction % 2 == 0 { 1 } else { 0b1000_0011 };
        after[direction as usize] = turns.rotate_left(direction);
        direction += 1;
    }
    after
}
