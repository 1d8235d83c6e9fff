//! The steps of a search: the rules as types, and the successors of a cell.

use crate::CostGrid;
use crate::grid::{Cell, Direction};

/// Step rules as a type: the searches are compiled once for each.
pub(crate) trait Rule: Copy {
    /// Whether there are diagonal steps.
    const DIAGONALS: bool;

    /// Whether a diagonal step is allowed. `one` and `other` say whether the two cells beside it are passable.
    fn allows(one: bool, other: bool) -> bool;
}

#[derive(Clone, Copy)]
pub(crate) struct Straight;
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

/// Evaluates `$body` with `$rule` standing for the [`Rule`] of these [`StepRules`](crate::StepRules).
macro_rules! with_rule {
    ($rules:expr, $rule:ident => $body:expr) => {{
        use $crate::search::steps;
        match ($rules.moves, $rules.corners) {
            ($crate::Moves::Four, _) => {
                let $rule = steps::Straight;
                $body
            }
            ($crate::Moves::Eight, $crate::Corners::Never) => {
                let $rule = steps::CornersNever;
                $body
            }
            ($crate::Moves::Eight, $crate::Corners::One) => {
                let $rule = steps::CornersOne;
                $body
            }
            ($crate::Moves::Eight, $crate::Corners::Always) => {
                let $rule = steps::CornersAlways;
                $body
            }
        }
    }};
}
pub(crate) use with_rule;

/// Returns the directions that a cheapest route may take after a step in `direction`, one bit for each.
///
/// A turn by more than a right angle never pays. The cell that it leads to is also a neighbour of the cell before, by a
/// straight step, or is that cell itself; and a straight step is always allowed and is the cheapest one into its cell.
/// A search that has expanded the cell before therefore knows a route there that is no more expensive.
#[inline(always)]
pub(crate) fn directions_after(direction: Direction) -> u8 {
    0b1100_0111u8.rotate_left(direction as u32)
}

/// Generates the successors of a cell in a search.
pub(crate) trait Successors: Copy {
    /// Whether a successor need not be a neighbour.
    const ARE_DISTANT: bool;

    /// Calls `visit` for each successor of a cell that the search entered in direction `entered_by`; `None` for the
    /// start.
    fn each(&self, at: usize, cell: Cell, entered_by: Option<Direction>, visit: impl FnMut(Successor) -> bool);
}

/// A successor of a cell in a search.
#[derive(Clone, Copy)]
pub(crate) struct Successor {
    pub(crate) at: usize,
    pub(crate) cell: Cell,
    /// The direction of the last step.
    pub(crate) direction: Direction,
    /// The cost of all steps together.
    pub(crate) cost: u64,
    /// Whether the search may skip this successor and get the ones behind it at once. `visit` returns whether it does.
    pub(crate) may_skip: bool,
}

/// The passable neighbours of each cell.
#[derive(Clone, Copy)]
pub(crate) struct Neighbours<'a, R> {
    pub(crate) grid: &'a CostGrid,
    pub(crate) rule: R,
}

impl<R: Rule> Successors for Neighbours<'_, R> {
    const ARE_DISTANT: bool = false;

    #[inline(always)]
    fn each(&self, at: usize, cell: Cell, entered_by: Option<Direction>, mut visit: impl FnMut(Successor) -> bool) {
        let (entry_units, stride, diagonal) = (self.grid.entry_units(), self.grid.stride(), self.grid.diagonal());
        let directions = entered_by.map_or(ALL_DIRECTIONS, directions_after);
        for_each_step(self.rule, entry_units, stride, at, directions, |next, direction, units| {
            let cost = u64::from(diagonal.step(direction, units));
            visit(Successor { at: next, cell: cell + direction, direction, cost, may_skip: false });
        });
    }
}

/// Returns how far each direction leads in the grid's array.
#[inline(always)]
pub(crate) fn offsets(stride: usize) -> [isize; 8] {
    let row = stride as isize;
    [-row, 1 - row, 1, 1 + row, row, row - 1, -1, -1 - row]
}

/// Every direction, for [`for_each_step`].
pub(crate) const ALL_DIRECTIONS: u8 = !0;

/// Calls `visit(next, direction, units)` for each passable neighbour that a step from `at` in one of `directions` may
/// enter, with its entry cost in units; clockwise from north.
#[inline(always)]
pub(crate) fn for_each_step<R: Rule>(
    _: R,
    entry_units: &[u32],
    stride: usize,
    at: usize,
    directions: u8,
    mut visit: impl FnMut(usize, Direction, u32),
) {
    let north = &entry_units[at - stride - 1..][..3];
    let middle = &entry_units[at - 1..][..3];
    let south = &entry_units[at + stride - 1..][..3];
    let [n, e, s, w] = [north[1] != 0, middle[2] != 0, south[1] != 0, middle[0] != 0];
    let bit = |passable: bool, direction: Direction| u8::from(passable) << direction as u32;
    let mut passable = bit(n, Direction::N) | bit(e, Direction::E) | bit(s, Direction::S) | bit(w, Direction::W);
    if R::DIAGONALS {
        passable |= bit((north[2] != 0) & R::allows(n, e), Direction::NE);
        passable |= bit((south[2] != 0) & R::allows(s, e), Direction::SE);
        passable |= bit((south[0] != 0) & R::allows(s, w), Direction::SW);
        passable |= bit((north[0] != 0) & R::allows(n, w), Direction::NW);
    }
    let offsets = offsets(stride);
    let mut left = passable & directions;
    while left != 0 {
        let direction = left.trailing_zeros() as usize % 8;
        left &= left - 1;
        let next = at.wrapping_add_signed(offsets[direction]);
        visit(next, Direction::ALL[direction], entry_units[next]);
    }
}
