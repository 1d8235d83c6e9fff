//! The steps of a flat grid with the same weight in both directions, made once for all searches from landmarks.

use std::ops::{ControlFlow, Range};

use crate::budget::{Budget, Pass};
use crate::grid::Direction;
use crate::search::steps::{directions_after, hexagon_directions_after, offsets, with_flat_steps};
use crate::{Corners, CostGrid, Moves, StepRules};

/// The maximum number of queues of the cells whose distances are being measured.
pub(crate) const MAX_BUCKETS: usize = 1 << 13;

/// What the weight of a step needs to know of a cell, in units of the labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weights<T> {
    /// The entry cost; 0 if the cell is blocked.
    entry: T,
    /// Twice the cost of a diagonal step into the cell, less the entry cost.
    diagonal: T,
}

impl<T: Copy + Into<u32>> Weights<T> {
    /// Returns the weight of a straight step between two cells.
    #[inline(always)]
    pub(crate) fn straight(self, other: Self) -> u32 {
        self.entry.into() + other.entry.into()
    }

    /// Returns the weight of a diagonal step between two cells.
    #[inline(always)]
    pub(crate) fn diagonal(self, other: Self) -> u32 {
        (self.entry.into() + other.diagonal.into()).min(other.entry.into() + self.diagonal.into())
    }

    fn is_passable(self) -> bool {
        self.entry.into() != 0
    }
}

/// The directions in which lightest routes may go on from a cell. The low eight bits are the possible steps. For each
/// straight direction four more bits say whether it may be followed by a turn by a quarter or by an eighth to the left,
/// or by an eighth or a quarter to the right; for each diagonal one, two bits whether by a quarter to the left or to
/// the right.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TurnCode(u32);

impl TurnCode {
    /// The turns that the bits stand for, with those that are always possible, for a step to north and to north-east.
    const AFTER_STRAIGHT: [u8; 16] = Self::after([6, 7, 1, 2], 0b0000_0001);
    const AFTER_DIAGONAL: [u8; 16] = Self::after([7, 3, 0, 0], 0b0000_0111);

    const fn after(directions: [u32; 4], always: u8) -> [u8; 16] {
        let mut after = [always; 16];
        let mut code = 0;
        while code < 16 {
            let mut bit = 0;
            while bit < 4 {
                if code >> bit & 1 != 0 {
                    after[code] |= 1 << directions[bit];
                }
                bit += 1;
            }
            code += 1;
        }
        after
    }

    /// Packs the directions after a step in each direction.
    fn new(possible: u8, turns: [u8; 8]) -> Self {
        let has = |from: usize, eighths: usize| u32::from(turns[from] >> ((from + eighths) % 8) & 1);
        let straight = |from: usize| [6, 7, 1, 2].iter().rev().fold(0, |code, &turn| code << 1 | has(from, turn));
        let diagonal = |from: usize| has(from, 2) << 1 | has(from, 6);
        let codes = (0..8).map(|from| match from % 2 {
            0 => straight(from) << (8 + 2 * from),
            _ => diagonal(from) << (24 + from - 1),
        });
        Self(codes.fold(u32::from(possible), |all, code| all | code))
    }

    /// Returns the steps that are possible.
    pub(crate) fn possible(self) -> u8 {
        self.0 as u8
    }

    /// Returns the steps that may be needed after a step in a direction.
    #[inline(always)]
    pub(crate) fn directions_after(self, direction: u32) -> u8 {
        let after = if direction.is_multiple_of(2) {
            Self::AFTER_STRAIGHT[(self.0 >> (8 + 2 * direction)) as usize % 16].rotate_left(direction)
        } else {
            Self::AFTER_DIAGONAL[(self.0 >> (24 + direction - 1)) as usize % 4].rotate_left(direction - 1)
        };
        after & self.possible()
    }
}

/// What a search from a landmark reads of a cell. It looks at a cell as a neighbour before it expands it, so that what it
/// needs then is already in the cache.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CellSteps<T> {
    pub(crate) weights: Weights<T>,
    pub(crate) turns: TurnCode,
}

/// The steps from all cells. Small weights take less of the cache.
#[derive(Clone, Debug)]
pub(crate) enum Cells {
    Small(Vec<CellSteps<u16>>),
    Large(Vec<CellSteps<u32>>),
}

/// The weights of all steps, and which of them a search needs that is to reach every cell by its lightest route.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricSteps {
    /// By the grid's index.
    pub(crate) cells: Cells,
    pass: Pass,
    /// A label counts `2^unit_shift` units.
    pub(crate) unit_shift: u32,
    /// A bucket has `2^bucket_shift` labels; no step weighs less.
    pub(crate) bucket_shift: u32,
    /// No step leads so many buckets ahead.
    pub(crate) bucket_count: usize,
}

impl SymmetricSteps {
    /// Returns the steps of a flat grid before any of them is [made](Self::make); `None` if the costs are too far
    /// apart.
    pub(crate) fn new(grid: &CostGrid) -> Option<Self> {
        let unit_shift = grid.step_trailing_zeros();
        let bucket_shift = ((2 * grid.min_cost()?.units()) >> unit_shift).ilog2();
        // Twice the cost of a diagonal step and an entry cost are no more than three times the former.
        let max_weight = (3 * grid.max_step_units()?) >> unit_shift;
        let bucket_count = usize::try_from((max_weight >> bucket_shift) + 2).ok()?.next_power_of_two();
        if bucket_count > MAX_BUCKETS {
            return None;
        }
        let len = grid.entry_units().len();
        let cells = if max_weight <= u16::MAX.into() {
            Cells::Small(Vec::with_capacity(len))
        } else {
            Cells::Large(Vec::with_capacity(len))
        };
        Some(Self { cells, pass: Pass::default(), unit_shift, bucket_shift, bucket_count })
    }

    /// Makes the steps, or goes on where it paused.
    pub(crate) fn make(&mut self, (grid, rules): (&CostGrid, StepRules), budget: &mut Budget) -> ControlFlow<()> {
        let (stride, unit_shift) = (grid.stride(), self.unit_shift);
        self.pass.run(grid.entry_units().len().div_ceil(stride), stride, budget, |rows| match &mut self.cells {
            Cells::Small(cells) => add_rows(cells, rows, grid, rules, unit_shift, |weight| weight as u16),
            Cells::Large(cells) => add_rows(cells, rows, grid, rules, unit_shift, |weight| weight),
        })
    }
}

/// Finds the steps from the cells of these rows, with weights that `narrowed` converts.
fn add_rows<T: Copy + Default + Eq + Into<u32>>(
    cells: &mut Vec<CellSteps<T>>,
    rows: Range<usize>,
    grid: &CostGrid,
    rules: StepRules,
    unit_shift: u32,
    narrowed: impl Fn(u32) -> T,
) {
    let has_diagonals = rules.moves == Moves::Eight;
    let weights = |at: usize| {
        let [entry, diagonal] = [grid.entry_units()[at], grid.diagonal_units()[at]].map(|units| units >> unit_shift);
        let diagonal = if has_diagonals { 2 * diagonal - entry } else { entry };
        Weights { entry: narrowed(entry), diagonal: narrowed(diagonal) }
    };
    let stride = grid.stride();
    let inside = stride + 1..grid.entry_units().len() - stride - 1;
    cells.resize((rows.end * stride).min(grid.entry_units().len()), CellSteps::default());
    let (offsets, mut uniform) = (offsets(stride), CellSteps::default());
    with_flat_steps!(grid, rules, steps => for (at, cell) in cells.iter_mut().enumerate().skip(rows.start * stride) {
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
        cell.turns = turns_at(cell.weights, &around, steps.possible(at), rules);
        if is_uniform {
            uniform = *cell;
        }
    });
}

/// Returns the directions that the lightest routes may need after a step in each direction.
///
/// With diagonal steps past two free cells only, a turn is left out if another route between its ends weighs less, or
/// the same and its last step is straight where that of the turn is diagonal. Of all cells before one on its lightest
/// routes, a straight step leads from some of them or from none; a search never leaves out the steps of the first kind,
/// or of the second if there are no others. So it reaches every cell by a lightest route.
fn turns_at<T: Copy + Into<u32>>(
    here: Weights<T>,
    around: &[Weights<T>; 8],
    possible: u8,
    rules: StepRules,
) -> TurnCode {
    let after = |direction: usize| match rules.moves {
        Moves::Six => hexagon_directions_after(Direction::ALL[direction]),
        _ => directions_after(Direction::ALL[direction]),
    };
    let mut turns: [u8; 8] = std::array::from_fn(|direction| after(direction) & possible);
    if rules.moves != Moves::Eight || rules.corners != Corners::Never {
        return TurnCode::new(possible, turns);
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
    TurnCode::new(possible, turns)
}
