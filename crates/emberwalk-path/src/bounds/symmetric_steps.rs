//! The steps of a flat grid with the same weight in both directions, made once for all searches from landmarks.

use std::ops::{ControlFlow, Range};

use crate::budget::{Budget, Pass};
use crate::grid::Direction;
use crate::search::steps::{GridSteps, Step, Steps, for_each_bit, offsets};
use crate::{Corners, CostGrid, Moves, StepRules};

/// The data of a cell for a search from a landmark. The search looks at a cell as a neighbour before it expands it, so
/// that this data is already in the cache then.
#[derive(Clone, Copy, Debug, Default)]
struct CellSteps {
    weights: Weights,
    /// For each direction of the last step, the directions in which lightest routes may continue, one bit for each.
    after: [u8; 8],
}

/// The data of a cell for the weight of a step, in units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Weights {
    /// The entry cost; 0 if the cell is blocked.
    entry: u32,
    /// Twice the cost of a diagonal step into the cell, less the entry cost.
    diagonal: u32,
}

impl Weights {
    /// The weight of a straight step between two cells.
    #[inline(always)]
    fn straight(self, other: Self) -> u64 {
        u64::from(self.entry) + u64::from(other.entry)
    }

    /// The weight of a diagonal step between two cells.
    #[inline(always)]
    fn diagonal(self, other: Self) -> u64 {
        let [forward, backward] = [(self.entry, other.diagonal), (other.entry, self.diagonal)];
        (u64::from(forward.0) + u64::from(forward.1)).min(u64::from(backward.0) + u64::from(backward.1))
    }

    fn is_passable(self) -> bool {
        self.entry != 0
    }
}

/// The weights of all steps, and the steps that a search needs to reach every cell by its lightest route.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricSteps {
    /// By the grid's index.
    cells: Vec<CellSteps>,
    offsets: [isize; 8],
    pass: Pass,
}

impl SymmetricSteps {
    /// The steps of a flat grid before any of them is [made](Self::make).
    pub(crate) fn new(grid: &CostGrid) -> Self {
        let (cells, offsets) = (Vec::with_capacity(grid.entry_units().len()), offsets(grid.stride()));
        Self { cells, offsets, pass: Pass::default() }
    }

    /// Makes the steps, or continues where it paused.
    pub(crate) fn make(&mut self, (grid, rules): (&CostGrid, StepRules), budget: &mut Budget) -> ControlFlow<()> {
        let Self { cells, pass, .. } = self;
        let rows = grid.entry_units().len().div_ceil(grid.stride());
        pass.run(rows, grid.stride(), budget, |rows| add_rows(cells, rows, grid, rules))
    }
}

impl Steps for &SymmetricSteps {
    const FACTOR: u32 = 2;

    #[inline(always)]
    fn for_each(self, at: usize, entered_by: Option<Direction>, mut visit: impl FnMut(Step)) {
        let CellSteps { weights: here, after } = self.cells[at];
        // A route may always continue straight on, so that every possible step is in one of the sets.
        let possible = || after.into_iter().fold(0, |steps, after| steps | after);
        let directions = entered_by.map_or_else(possible, |direction| after[direction as usize]);
        for_each_bit(directions, &self.offsets, at, |to, direction| {
            let other = self.cells[to].weights;
            let cost = if direction.is_diagonal() { here.diagonal(other) } else { here.straight(other) };
            visit(Step { to, direction, cost, is_link: false });
        });
    }
}

/// Finds the steps from the cells of these rows.
fn add_rows(cells: &mut Vec<CellSteps>, rows: Range<usize>, grid: &CostGrid, rules: StepRules) {
    let has_diagonals = rules.moves == Moves::Eight;
    let weights = |at: usize| {
        let (entry, diagonal) = (grid.entry_units()[at], grid.diagonal_units()[at]);
        Weights { entry, diagonal: if has_diagonals { diagonal - entry + diagonal } else { entry } }
    };
    let stride = grid.stride();
    let inside = stride + 1..grid.entry_units().len() - stride - 1;
    cells.resize((rows.end * stride).min(grid.entry_units().len()), CellSteps::default());
    let (offsets, steps, mut uniform) = (offsets(stride), GridSteps::<false>::new(grid, rules), CellSteps::default());
    for (at, cell) in cells.iter_mut().enumerate().skip(rows.start * stride) {
        cell.weights = weights(at);
        if !inside.contains(&at) || !cell.weights.is_passable() {
            continue;
        }
        let around = offsets.map(|offset| weights(at.wrapping_add_signed(offset)));
        let is_uniform = around.iter().all(|&other| other == cell.weights);
        if is_uniform && cell.weights == uniform.weights {
            *cell = uniform;
            continue;
        }
        let after = Direction::ALL.map(|direction| steps.paying(at, Some(direction)));
        cell.after = needed_turns(cell.weights, &around, after, rules);
        if is_uniform {
            uniform = *cell;
        }
    }
}

/// Leaves out the directions that lightest routes do not need after a step in each direction.
///
/// With diagonal steps past two free cells only, a turn is left out if another route between its ends weighs less, or
/// the same and its last step is straight while the last step of the turn is diagonal. Of all cells before one on its
/// lightest routes, a straight step leads from some of them or from none; a search never leaves out the steps of the
/// first kind, or of the second if there are no others. So it reaches every cell by a lightest route.
fn needed_turns(here: Weights, around: &[Weights; 8], mut turns: [u8; 8], rules: StepRules) -> [u8; 8] {
    if rules.moves != Moves::Eight || rules.corners != Corners::Never {
        return turns;
    }
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
    turns
}
