//! Forced turns: the rules that say where a cheapest route may have to turn, from the costs of a cell and its
//! neighbours.
//!
//! Of several routes with the same cost it is enough to follow the route that goes diagonally first. A turn is
//! forced if no other route around it, by the neighbours of the cell alone, is as cheap and preferred to it. A search
//! need not take any other turn. These are the forced neighbours of jump point search ("Online Graph Pruning for
//! Pathfinding on Grid Maps", Harabor, Grastien, AAAI 2011), with costs as in "Optimal Pathfinding on Weighted Grid
//! Maps" (Carlson, Moghadam, Harabor, Stuckey, Ebrahimi, AAAI 2023), for diagonal steps that pass no blocked cell.
//!
//! Every rule takes O(1).

use crate::search::steps::offsets;
use crate::{Corners, CostGrid, Diagonal, Moves, StepRules};

/// The steps for which turns are forced, and so for which there are jump points.
pub(super) const RULES: StepRules = StepRules::new(Moves::Eight, Corners::Never);

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

    /// The entry cost of the neighbour in that direction, in units; 0 if it is blocked.
    #[inline(always)]
    fn cost(&self, direction: usize) -> u64 {
        u64::from(self.entry_units[self.at.wrapping_add_signed(self.offsets[direction % 8])])
    }

    /// The cost of a diagonal step into a cell with that entry cost.
    #[inline(always)]
    fn diagonal_cost(&self, cost: u64) -> u64 {
        u64::from(self.diagonal.of(cost as u32))
    }

    /// Whether a route that enters the cell by a straight step in that `direction` may have to turn there to
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

    /// Whether a route that enters the cell by a diagonal step in that `direction` may have to turn there by a
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

    /// Whether all nine cells have the same cost, so that no turn is forced.
    #[inline(always)]
    pub(crate) fn is_uniform(&self) -> bool {
        let here = self.entry_units[self.at];
        // With a diagonal ratio of 2, two straight steps cost no more than a diagonal one, and no turn can be left out.
        (0..8).all(|direction| self.entry_units[self.at.wrapping_add_signed(self.offsets[direction])] == here)
            && self.diagonal.of(here) < 2 * here
    }

    /// Where a cheapest route may have to turn at the cell, which is passable, and in which directions a run
    /// has to stop there, because a turn may be forced or costs differ.
    pub(crate) fn turns(&self) -> (ForcedTurns, u8) {
        if self.is_uniform() {
            return (ForcedTurns::NONE, 0);
        }
        let here = u64::from(self.entry_units[self.at]);
        let (mut forced, mut stops) = (0, 0);
        for direction in 0..8 {
            let mut turns = 0u32;
            if direction % 2 == 0 {
                for (k, quarter) in [2, 6].into_iter().enumerate() {
                    let (right_angle, half_turn) = self.turns_after_straight(direction, quarter);
                    turns |= (u32::from(right_angle) | u32::from(half_turn) << 1) << (2 * k);
                }
            } else {
                for (k, quarter) in [2, 6].into_iter().enumerate() {
                    turns |= u32::from(self.turns_after_diagonal(direction, quarter)) << k;
                }
            }
            forced |= turns << ForcedTurns::shift(direction);
            let costs_differ = direction % 2 == 0 && self.cost(direction + 4) != here;
            stops |= u8::from(turns != 0 || costs_differ) << direction;
        }
        (ForcedTurns(forced), stops)
    }
}

/// The forced turns at a cell, in 24 bits: for each straight direction of the last step, whether turns by 90 and by 45
/// degrees to the right and to the left are forced; then for each diagonal one, whether turns by 90 degrees are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForcedTurns(u32);

impl ForcedTurns {
    pub(crate) const NONE: Self = Self(0);

    /// Where the bits for a direction of the last step begin.
    #[inline(always)]
    fn shift(direction: usize) -> usize {
        if direction.is_multiple_of(2) { direction * 2 } else { 16 + direction - 1 }
    }

    #[inline(always)]
    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The directions in which a cheapest route may continue after a step in that direction: without a turn, after a
    /// diagonal step also in the two straight directions beside it, and where a turn is forced. Some of these steps may
    /// be impossible.
    #[inline(always)]
    pub(crate) fn after(self, direction: usize) -> u8 {
        let bits = (self.0 >> Self::shift(direction)) as usize;
        let after = if direction.is_multiple_of(2) { AFTER_STRAIGHT[bits % 16] } else { AFTER_DIAGONAL[bits % 4] };
        after.rotate_left(direction as u32)
    }
}

/// The directions after a step north, by the bits of forced turns.
const AFTER_STRAIGHT: [u8; 16] = {
    let mut after = [1; 16];
    let mut bits = 0;
    while bits < 16 {
        let [right, half_right, left, half_left] = [bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3];
        after[bits] |= (right << 2 | half_right << 1 | left << 6 | half_left << 7) as u8;
        bits += 1;
    }
    after
};

/// The directions after a diagonal step, turned so that it is the first, by the bits of forced turns.
const AFTER_DIAGONAL: [u8; 4] = [0b1000_0011, 0b1000_0111, 0b1100_0011, 0b1100_0111];
