//! The steps of a flat grid with the same weight in both directions, made once for all searches from landmarks.

use std::thread;

use crate::bounds::landmark_distances::MAX_BUCKETS;
use crate::grid::Direction;
use crate::search::steps::{FlatSteps, Rule, directions_after, hexagon_directions_after, offsets, with_flat_steps};
use crate::{Corners, CostGrid, Moves, StepRules};

/// What the weight of a step needs to know of a cell, in units of the labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weights {
    /// The entry cost; 0 if the cell is blocked.
    entry: u32,
    /// Twice the cost of a diagonal step into the cell, less the entry cost.
    diagonal: u32,
}

impl Weights {
    /// Returns the weight of a straight step between two cells.
    #[inline(always)]
    pub(crate) fn straight(self, other: Self) -> u32 {
        self.entry + other.entry
    }

    /// Returns the weight of a diagonal step between two cells.
    #[inline(always)]
    pub(crate) fn diagonal(self, other: Self) -> u32 {
        (self.entry + other.diagonal).min(other.entry + self.diagonal)
    }

    fn is_passable(self) -> bool {
        self.entry != 0
    }
}

/// The weights of all steps, and which of them a search needs that is to reach every cell by its lightest route.
#[derive(Debug)]
pub(crate) struct SymmetricSteps {
    pub(crate) weights: Vec<Weights>,
    /// For each cell the directions after a step in each direction, of eight bits each.
    pub(crate) turns: Vec<u64>,
    rules: StepRules,
    /// A label counts `2^unit_shift` units.
    pub(crate) unit_shift: u32,
    /// A bucket has `2^bucket_shift` labels; no step weighs less.
    pub(crate) bucket_shift: u32,
    /// No step leads so many buckets ahead.
    pub(crate) bucket_count: usize,
}

impl SymmetricSteps {
    /// Makes the weights of a flat grid, with that many threads; `None` if the costs are too far apart.
    pub(crate) fn new(grid: &CostGrid, rules: StepRules, threads: usize) -> Option<Self> {
        let unit_shift = grid.step_trailing_zeros();
        let bucket_shift = ((2 * grid.min_cost()?.units()) >> unit_shift).ilog2();
        // Twice the cost of a diagonal step and an entry cost are no more than three times the former.
        let max_weight = (3 * grid.max_step_units()?) >> unit_shift;
        let bucket_count = usize::try_from((max_weight >> bucket_shift) + 2).ok()?.next_power_of_two();
        if bucket_count > MAX_BUCKETS {
            return None;
        }
        let has_diagonals = rules.moves == Moves::Eight;
        let weights = grid.entry_units().iter().zip(grid.diagonal_units()).map(|(&entry, &diagonal)| {
            let diagonal =
                if has_diagonals { 2 * (diagonal >> unit_shift) - (entry >> unit_shift) } else { entry >> unit_shift };
            Weights { entry: entry >> unit_shift, diagonal }
        });
        let (weights, turns) = (weights.collect(), vec![0; grid.entry_units().len()]);
        let mut steps = Self { weights, turns, rules, unit_shift, bucket_shift, bucket_count };
        steps.find_turns(grid, threads);
        Some(steps)
    }

    fn find_turns(&mut self, grid: &CostGrid, threads: usize) {
        let (weights, turns, rules) = (&self.weights[..], &mut self.turns[..], self.rules);
        let stride = grid.stride();
        let rows = turns.len() / stride;
        let len = rows.div_ceil(threads) * stride;
        let inside = stride + 1..turns.len() - stride - 1;
        let find = |(k, part): (usize, &mut [u64])| {
            with_flat_steps!(grid, rules, steps => for (turns, at) in part.iter_mut().zip(k * len..) {
                if inside.contains(&at) && weights[at].is_passable() {
                    *turns = turns_at(weights, steps, at, stride, rules);
                }
            })
        };
        thread::scope(|scope| {
            for part in turns.chunks_mut(len).enumerate().skip(1) {
                scope.spawn(|| find(part));
            }
        });
        turns.chunks_mut(len).enumerate().take(1).for_each(find);
    }

    /// Returns the steps that are possible from a cell.
    pub(crate) fn possible(&self, grid: &CostGrid, at: usize) -> u8 {
        with_flat_steps!(grid, self.rules, steps => steps.possible(at))
    }
}

/// Returns the directions that the lightest routes may need after a step in each direction.
///
/// With diagonal steps past two free cells only, a turn is left out if another route between its ends weighs less, or the
/// same and its last step is straight where that of the turn is diagonal. Of all cells before one on its lightest routes,
/// a straight step leads from some of them or from none; a search never leaves out the steps of the first kind, or of the
/// second if there are no others. So it reaches every cell by a lightest route.
fn turns_at<R: Rule>(weights: &[Weights], steps: FlatSteps<'_, R>, at: usize, stride: usize, rules: StepRules) -> u64 {
    let possible = steps.possible(at);
    let after = |direction: usize| match rules.moves {
        Moves::Six => hexagon_directions_after(Direction::ALL[direction]),
        _ => directions_after(Direction::ALL[direction]),
    };
    let mut turns: [u8; 8] = std::array::from_fn(|direction| after(direction) & possible);
    if rules.moves != Moves::Eight || rules.corners != Corners::Never {
        return u64::from_le_bytes(turns);
    }
    let offsets = offsets(stride);
    let here = weights[at];
    let around: [Weights; 8] = std::array::from_fn(|direction| weights[at.wrapping_add_signed(offsets[direction])]);
    for (direction, turns) in turns.iter_mut().enumerate() {
        let before = around[(direction + 4) % 8];
        if !before.is_passable() {
            continue;
        }
        // To the right-hand side and to the left-hand side: a right angle, half of one, and the cell beside the step.
        for (quarter, half, beside) in [(2, 1, 3), (6, 7, 5)] {
            let [quarter, half, beside] = [quarter, half, beside].map(|eighths| (direction + eighths) % 8);
            let (side, ahead, corner) = (around[quarter], around[half], around[beside]);
            if !side.is_passable() || !corner.is_passable() {
                continue;
            }
            let mut leave_out = |direction: usize, is_needless: bool| *turns &= !(u8::from(is_needless) << direction);
            let by_corner = before.straight(corner) + corner.straight(side);
            if direction % 2 == 0 {
                let (shortcut, turn) = (before.diagonal(side), before.straight(here) + here.straight(side));
                leave_out(quarter, shortcut < turn || by_corner < turn);
                let half_turn = before.straight(here) + here.diagonal(ahead);
                leave_out(half, shortcut + side.straight(ahead) <= half_turn);
            } else {
                leave_out(quarter, by_corner <= before.diagonal(here) + here.diagonal(side));
            }
        }
    }
    u64::from_le_bytes(turns)
}
