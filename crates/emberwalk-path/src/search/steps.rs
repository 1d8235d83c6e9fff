//! The steps of a search: which neighbours of a cell can be entered, and at which cost.

use std::marker::PhantomData;

use crate::grid::Direction;
use crate::{CostGrid, Diagonal};

/// The steps that are possible on a grid by some step rules, as a type: the searches are compiled once for each.
pub(crate) trait Steps: Copy {
    /// Whether the grid has levels.
    const HAVE_LEVELS: bool;

    /// Calls `visit` for each step that is possible from `at`, clockwise from north. After a step in direction
    /// `entered_by`, steps that never pay are left out.
    fn for_each(self, at: usize, entered_by: Option<Direction>, visit: impl FnMut(Step));

    /// Returns the cost of a possible step in that direction, into a cell of entry cost `units`.
    fn cost(self, from: usize, to: usize, direction: Direction, units: u32) -> u64;

    /// Returns the cost of the step back to `from`.
    fn cost_back(self, from: usize, step: Step) -> u64;

    /// Returns the directions of the steps that pass no other cells.
    fn sides(self) -> &'static [Direction];

    /// Whether there is a cliff between two neighbours.
    fn is_cliff(self, one: usize, other: usize) -> bool;
}

/// A possible step.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) to: usize,
    pub(crate) direction: Direction,
    /// Whether it is a diagonal step past two other cells.
    pub(crate) is_diagonal: bool,
    /// In units.
    pub(crate) cost: u64,
}

/// Step rules as a type, for flat grids.
pub(crate) trait Rule: Copy {
    /// Whether there are diagonal steps past other cells.
    const DIAGONALS: bool;

    /// Whether there are the six steps of hexagons, which all cost the same.
    const HEXAGONS: bool = false;

    /// Whether a diagonal step is allowed. `one` and `other` say whether the two cells beside it are passable.
    fn allows(one: bool, other: bool) -> bool;
}

#[derive(Clone, Copy)]
pub(crate) struct Straight;
#[derive(Clone, Copy)]
pub(crate) struct Hexagons;
#[derive(Clone, Copy)]
pub(crate) struct CornersNever;
#[derive(Clone, Copy)]
pub(crate) struct CornersOne;
#[derive(Clone, Copy)]
pub(crate) struct CornersAlways;

impl Rule for Straight {
    const DIAGONALS: bool = false;
    fn allows(_: bool, _: bool) -> bool {
        false
    }
}

impl Rule for Hexagons {
    const DIAGONALS: bool = false;
    const HEXAGONS: bool = true;
    fn allows(_: bool, _: bool) -> bool {
        true
    }
}

impl Rule for CornersNever {
    const DIAGONALS: bool = true;
    #[inline(always)]
    fn allows(one: bool, other: bool) -> bool {
        one & other
    }
}

impl Rule for CornersOne {
    const DIAGONALS: bool = true;
    #[inline(always)]
    fn allows(one: bool, other: bool) -> bool {
        one | other
    }
}

impl Rule for CornersAlways {
    const DIAGONALS: bool = true;
    #[inline(always)]
    fn allows(_: bool, _: bool) -> bool {
        true
    }
}

/// Evaluates `$body` with `$steps` standing for the [`Steps`] of a grid by these [`StepRules`](crate::StepRules).
macro_rules! with_steps {
    ($grid:expr, $rules:expr, $steps:ident => $body:expr) => {
        match $crate::search::hill_steps::HillSteps::new($grid, $rules) {
            Some($steps) => $body,
            None => $crate::search::steps::with_flat_steps!($grid, $rules, $steps => $body),
        }
    };
}
pub(crate) use with_steps;

/// Does the same without regard to levels.
macro_rules! with_flat_steps {
    ($grid:expr, $rules:expr, $steps:ident => $body:expr) => {{
        use $crate::search::steps::{self, FlatSteps};
        use $crate::{Corners, Moves};
        match ($rules.moves, $rules.corners) {
            (Moves::Four, _) => {
                let $steps = FlatSteps::<steps::Straight>::new($grid);
                $body
            }
            (Moves::Six, _) => {
                let $steps = FlatSteps::<steps::Hexagons>::new($grid);
                $body
            }
            (Moves::Eight, Corners::Never) => {
                let $steps = FlatSteps::<steps::CornersNever>::new($grid);
                $body
            }
            (Moves::Eight, Corners::One) => {
                let $steps = FlatSteps::<steps::CornersOne>::new($grid);
                $body
            }
            (Moves::Eight, Corners::Always) => {
                let $steps = FlatSteps::<steps::CornersAlways>::new($grid);
                $body
            }
        }
    }};
}
pub(crate) use with_flat_steps;

/// Every direction, one bit for each.
pub(crate) const ALL_DIRECTIONS: u8 = !0;
/// North, east, south and west.
pub(crate) const STRAIGHT_DIRECTIONS: u8 = 0b0101_0101;
/// The six directions of hexagons: all but north-east and south-west.
pub(crate) const HEXAGON_DIRECTIONS: u8 = 0b1101_1101;

/// Returns the directions that a cheapest route may take after a step in `direction` on level ground, one bit for each.
///
/// A turn by more than a right angle never pays. The cell that it leads to is also a neighbour of the cell before, by a
/// straight step, or is that cell itself; and a straight step is always allowed and is the cheapest one into its cell.
/// A search that has expanded the cell before therefore knows a route there that is no more expensive.
#[inline(always)]
pub(crate) fn directions_after(direction: Direction) -> u8 {
    0b1100_0111u8.rotate_left(direction as u32)
}

/// Does the same for hexagons, where only three directions can pay: straight on, and the next one to either side. The
/// next cells on the way back are neighbours of the cell before, too, and all steps into a cell cost the same.
#[inline(always)]
pub(crate) fn hexagon_directions_after(direction: Direction) -> u8 {
    const AFTER: [u8; 8] = [0b1000_0101, 0, 0b0000_1101, 0b0001_1100, 0b0101_1000, 0, 0b1101_0000, 0b1100_0001];
    AFTER[direction as usize]
}

/// The steps on a flat grid.
#[derive(Clone, Copy)]
pub(crate) struct FlatSteps<'a, R> {
    entry_units: &'a [u32],
    diagonal_units: &'a [u32],
    stride: usize,
    diagonal: Diagonal,
    rule: PhantomData<R>,
}

impl<'a, R: Rule> FlatSteps<'a, R> {
    /// Returns the steps on a grid, without regard to its levels.
    pub(crate) fn new(grid: &'a CostGrid) -> Self {
        let (entry_units, diagonal_units) = (grid.entry_units(), grid.diagonal_units());
        let (stride, diagonal) = (grid.stride(), grid.diagonal());
        Self { entry_units, diagonal_units, stride, diagonal, rule: PhantomData }
    }

    /// Returns the steps that are possible from a cell, one bit for each direction.
    #[inline(always)]
    pub(crate) fn possible(self, at: usize) -> u8 {
        let Self { entry_units, stride, .. } = self;
        let north = &entry_units[at - stride - 1..][..3];
        let middle = &entry_units[at - 1..][..3];
        let south = &entry_units[at + stride - 1..][..3];
        let [n, e, s, w] = [north[1] != 0, middle[2] != 0, south[1] != 0, middle[0] != 0];
        let bit = |passable: bool, direction: Direction| u8::from(passable) << direction as u32;
        let mut passable = bit(n, Direction::N) | bit(e, Direction::E) | bit(s, Direction::S) | bit(w, Direction::W);
        if R::HEXAGONS {
            passable |= bit(south[2] != 0, Direction::SE) | bit(north[0] != 0, Direction::NW);
        } else if R::DIAGONALS {
            passable |= bit((north[2] != 0) & R::allows(n, e), Direction::NE);
            passable |= bit((south[2] != 0) & R::allows(s, e), Direction::SE);
            passable |= bit((south[0] != 0) & R::allows(s, w), Direction::SW);
            passable |= bit((north[0] != 0) & R::allows(n, w), Direction::NW);
        }
        passable
    }

    /// Calls `visit` for the possible steps in these directions.
    #[inline(always)]
    pub(crate) fn for_each_in(self, directions: u8, at: usize, mut visit: impl FnMut(Step)) {
        for_each_bit(directions, self.stride, at, |to, direction| {
            let is_diagonal = !R::HEXAGONS && direction.is_diagonal();
            let cost = if is_diagonal { self.diagonal_units[to] } else { self.entry_units[to] };
            visit(Step { to, direction, is_diagonal, cost: cost.into() });
        });
    }
}

impl<R: Rule> Steps for FlatSteps<'_, R> {
    const HAVE_LEVELS: bool = false;

    #[inline(always)]
    fn for_each(self, at: usize, entered_by: Option<Direction>, visit: impl FnMut(Step)) {
        let after = if R::HEXAGONS { hexagon_directions_after } else { directions_after };
        let directions = entered_by.map_or(ALL_DIRECTIONS, after);
        self.for_each_in(self.possible(at) & directions, at, visit);
    }

    #[inline(always)]
    fn cost(self, _: usize, _: usize, direction: Direction, units: u32) -> u64 {
        u64::from(if R::HEXAGONS { units } else { self.diagonal.step(direction, units) })
    }

    #[inline(always)]
    fn cost_back(self, from: usize, step: Step) -> u64 {
        u64::from(if step.is_diagonal { self.diagonal_units[from] } else { self.entry_units[from] })
    }

    fn sides(self) -> &'static [Direction] {
        if R::HEXAGONS { &Direction::HEXAGON } else { &Direction::SIDES }
    }

    #[inline(always)]
    fn is_cliff(self, _: usize, _: usize) -> bool {
        false
    }
}

/// Calls `visit` with the index of the neighbour in each of these directions.
#[inline(always)]
pub(crate) fn for_each_bit(directions: u8, stride: usize, at: usize, mut visit: impl FnMut(usize, Direction)) {
    let offsets = offsets(stride);
    let mut left = directions;
    while left != 0 {
        let direction = left.trailing_zeros() as usize % 8;
        left &= left - 1;
        visit(at.wrapping_add_signed(offsets[direction]), Direction::ALL[direction]);
    }
}

/// Returns how far each direction leads in the grid's array.
#[inline(always)]
pub(crate) fn offsets(stride: usize) -> [isize; 8] {
    let row = stride as isize;
    [-row, 1 - row, 1, 1 + row, row, row - 1, -1, -1 - row]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the angles between the centres of hexagons.
    #[test]
    fn three_directions_of_hexagons_can_pay_after_a_step() {
        let hexagon = |direction: &Direction| HEXAGON_DIRECTIONS >> *direction as u32 & 1 != 0;
        let directions: Vec<_> = Direction::ALL.into_iter().filter(hexagon).collect();
        assert_eq!(directions.len(), 6);
        for (k, &direction) in directions.iter().enumerate() {
            let next = [k, k + 1, k + 5].map(|k| directions[k % 6] as u32);
            let bits = next.into_iter().fold(0, |bits, direction| bits | 1 << direction);
            assert_eq!(hexagon_directions_after(direction), bits, "{direction:?}");
        }
    }
}
