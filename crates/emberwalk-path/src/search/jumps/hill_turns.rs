//! The turns of cheapest routes on grids with levels, from the costs of all steps between a cell and its neighbours.
//!
//! Let a route go from `p` over the cell `n` to `s`. It need not take the step to `s` if another route from `p` to `s`,
//! directly or over another neighbour `x` of the cell, costs less; or if it costs the same, and the step from `x` comes
//! before the step from `n` in a fixed order of directions. A search that follows this rule finds the lowest cost of
//! every cell `s`: of the cells before `s` on its cheapest routes, all of which it has reached at their lowest costs,
//! the rule never leaves out the one whose step to `s` is the first in that order. Straight steps are before diagonal
//! ones, so that routes go diagonally first, as in [`forced_turns`](super::forced_turns).

use crate::CostGrid;
use crate::grid::Direction;
use crate::search::jumps::forced_turns::{ForcedTurns, RULES};
use crate::search::steps::{GridSteps, offsets};

/// Above the cost of all routes of two steps.
const IMPOSSIBLE: u64 = 1 << 60;
/// The number of the cell itself in the 3 x 3 cells around it, by rows.
const CENTRE: usize = 4;

/// The directions in which a cheapest route may continue from one cell. Directions are numbers, and sets of them have
/// one bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turns {
    /// For each direction of the last step, the directions of the next one.
    pub(crate) after: [u8; 8],
    /// The directions in which a run has to stop at the cell, because a turn may be forced or because costs differ.
    pub(crate) stops: u8,
}

/// Where a cheapest route may continue from a passable cell of a grid with levels. `may_step` tells whether a step is
/// possible from a cell in a direction, by their numbers.
pub(crate) fn turns(grid: &CostGrid, may_step: impl Fn(usize, usize) -> bool, at: usize) -> Turns {
    let (stride, steps) = (grid.stride(), GridSteps::<true>::new(grid, RULES));
    let around: [usize; 9] = std::array::from_fn(|k| at + (k / 3) * stride + k % 3 - stride - 1);
    let offsets = offsets(stride);
    let entry_units = grid.entry_units();
    // The cost of each step between these cells.
    let mut costs = [[IMPOSSIBLE; 8]; 9];
    for (k, &from) in around.iter().enumerate() {
        for direction in 0..8 {
            if STEPS[k][direction].is_some() && may_step(from, direction) {
                let to = from.wrapping_add_signed(offsets[direction]);
                costs[k][direction] = steps.cost(from, to, Direction::ALL[direction]);
            }
        }
    }
    let here = u64::from(entry_units[at]);
    let mut turns = Turns { after: [0; 8], stops: !0 };
    for direction in 0..8 {
        let Some(before) = STEPS[CENTRE][(direction + 4) % 8] else { continue };
        let into = costs[before][direction];
        if into == IMPOSSIBLE {
            continue;
        }
        for next in (0..8).filter(|&next| next != (direction + 4) % 8) {
            let Some(to) = STEPS[CENTRE][next] else { continue };
            let cost = into + costs[CENTRE][next];
            if cost < IMPOSSIBLE && !is_needless(&costs, before, to, cost, next) {
                turns.after[direction] |= 1 << next;
            }
        }
        let costs_differ = direction % 2 == 0 && (into != here || u64::from(entry_units[around[before]]) != here);
        if turns.after[direction] & !ForcedTurns::NONE.after(direction) == 0 && !costs_differ {
            turns.stops &= !(1 << direction);
        }
    }
    turns
}

/// Whether a route from one cell around to another need not go over the centre, with a last step in direction `last`.
fn is_needless(costs: &[[u64; 8]; 9], from: usize, to: usize, cost: u64, last: usize) -> bool {
    let order = |direction: usize| (direction % 2, direction);
    let is_better =
        |other_cost: u64, other_last: usize| other_cost < cost || other_cost == cost && order(other_last) < order(last);
    (0..8).any(|first| match STEPS[from][first] {
        None | Some(CENTRE) => false,
        Some(over) if over == to => is_better(costs[from][first], first),
        Some(over) => match DIRECTIONS[over][to] {
            Some(second) => is_better(costs[from][first] + costs[over][second], second),
            None => false,
        },
    })
}

/// The number of the cell to which each step from a cell leads, if it is around the same centre.
const STEPS: [[Option<usize>; 8]; 9] = {
    let mut steps = [[None; 8]; 9];
    let mut k = 0;
    while k < 9 {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = Direction::ALL[direction].offset();
            let (column, row) = (k as i32 % 3 + dx, k as i32 / 3 + dy);
            if 0 <= column && column < 3 && 0 <= row && row < 3 {
                steps[k][direction] = Some((row * 3 + column) as usize);
            }
            direction += 1;
        }
        k += 1;
    }
    steps
};

/// The direction of the step from one cell to another.
const DIRECTIONS: [[Option<usize>; 9]; 9] = {
    let mut directions = [[None; 9]; 9];
    let mut k = 0;
    while k < 9 * 8 {
        if let Some(to) = STEPS[k / 8][k % 8] {
            directions[k / 8][to] = Some(k % 8);
        }
        k += 1;
    }
    directions
};
