//! Which steps there are: eight ways or four, and how a diagonal one passes blocked cells.

use std::fmt;
use std::str::FromStr;

use crate::grid::{Cell, Direction};
use crate::query::{UnknownName, named};
use crate::{CostGrid, RouteCost};

/// How many ways a step can go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Moves {
    /// Straight and diagonal.
    #[default]
    Eight,
    /// Straight only.
    Four,
}

named!(Moves, "moves", Moves::Eight => "8", Moves::Four => "4");

/// The corner rule: how many of the two cells beside a diagonal step may be blocked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Corners {
    /// None: the game's own rule.
    #[default]
    Never,
    /// One, but not both.
    One,
    /// Both: the classic article's rule.
    Always,
}

named!(Corners, "corner rule", Corners::Never => "never", Corners::One => "one", Corners::Always => "always");

/// The step from `from` to `to` on `grid`, if the two are neighbours and it is allowed; what it costs.
///
/// Nothing is said about `from` itself: a step may leave a blocked cell.
pub fn step(grid: &CostGrid, moves: Moves, corners: Corners, from: Cell, to: Cell) -> Option<RouteCost> {
    let (dx, dy) = to - from;
    if dx.unsigned_abs() > 1 || dy.unsigned_abs() > 1 {
        return None;
    }
    let direction = Direction::from_offset((dx, dy))?;
    if direction.is_diagonal() {
        let sides = [(dx, 0), (0, dy)].map(|side| grid.is_passable(from + side));
        let past = match corners {
            Corners::Never => sides[0] && sides[1],
            Corners::One => sides[0] || sides[1],
            Corners::Always => true,
        };
        if moves == Moves::Four || !past {
            return None;
        }
    }
    grid.step_cost(to, direction.is_diagonal())
}

/// A move set with its corner rule, as a type: the searches are compiled once for each.
pub(crate) trait Rule: Copy {
    /// Whether there are diagonal steps.
    const DIAGONALS: bool;
    /// Whether a diagonal step is allowed when the two cells beside it are passable or not.
    fn past(one: bool, other: bool) -> bool;
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
    fn past(_: bool, _: bool) -> bool {
        false
    }
}

impl Rule for CornersNever {
    const DIAGONALS: bool = true;
    #[inline(always)]
    fn past(one: bool, other: bool) -> bool {
        one & other
    }
}

impl Rule for CornersOne {
    const DIAGONALS: bool = true;
    #[inline(always)]
    fn past(one: bool, other: bool) -> bool {
        one | other
    }
}

impl Rule for CornersAlways {
    const DIAGONALS: bool = true;
    #[inline(always)]
    fn past(_: bool, _: bool) -> bool {
        true
    }
}

/// Evaluates `$body` with `$rule` standing for the [`Rule`] of a move set and a corner rule.
macro_rules! with_rule {
    ($moves:expr, $corners:expr, $rule:ident => $body:expr) => {{
        use $crate::search::steps;
        match ($moves, $corners) {
            (steps::Moves::Four, _) => {
                let $rule = steps::Straight;
                $body
            }
            (steps::Moves::Eight, steps::Corners::Never) => {
                let $rule = steps::CornersNever;
                $body
            }
            (steps::Moves::Eight, steps::Corners::One) => {
                let $rule = steps::CornersOne;
                $body
            }
            (steps::Moves::Eight, steps::Corners::Always) => {
                let $rule = steps::CornersAlways;
                $body
            }
        }
    }};
}
pub(crate) use with_rule;

/// The directions that a step after one by `by` may take on a cheapest way, a bit for each.
///
/// A turn by more than a right angle never pays: where it leads, the cell before is a neighbour too, by a straight step
/// or none, and a straight step is always allowed and the cheapest into its cell. So a search that has expanded the
/// cell before knows a way there that is no dearer.
#[inline(always)]
pub(crate) fn ahead(by: Direction) -> u8 {
    0b1100_0111u8.rotate_left(by as u32)
}

/// What follows a cell in a search.
pub(crate) trait Successors: Copy {
    /// Whether what follows a cell need not be its neighbour.
    const ARE_FAR: bool;

    /// Calls `visit` for each that follows a cell, which the search entered in direction `came`; `None` for the start.
    fn each(&self, at: usize, cell: Cell, came: Option<Direction>, visit: impl FnMut(Successor) -> bool);
}

/// One that follows a cell in a search.
#[derive(Clone, Copy)]
pub(crate) struct Successor {
    pub(crate) at: usize,
    pub(crate) cell: Cell,
    /// The direction of the last step.
    pub(crate) by: Direction,
    /// Of all steps together.
    pub(crate) cost: u64,
    /// Whether the search may pass over this one, and be shown what follows it at once. `visit` says whether it does.
    pub(crate) can_wait: bool,
}

/// The neighbours of each cell.
#[derive(Clone, Copy)]
pub(crate) struct Neighbours<'a, R> {
    pub(crate) grid: &'a CostGrid,
    pub(crate) rule: R,
}

impl<R: Rule> Successors for Neighbours<'_, R> {
    const ARE_FAR: bool = false;

    #[inline(always)]
    fn each(&self, at: usize, cell: Cell, came: Option<Direction>, mut visit: impl FnMut(Successor) -> bool) {
        let (stored, stride, diagonal) = (self.grid.stored(), self.grid.stride(), self.grid.diagonal());
        let directions = came.map_or(ALL_AROUND, ahead);
        for_each_step(self.rule, stored, stride, at, directions, |there, by, units| {
            let step = if by.is_diagonal() { diagonal.of(units) } else { units };
            visit(Successor { at: there, cell: cell + by, by, cost: u64::from(step), can_wait: false });
        });
    }
}

/// How far each direction leads in the grid's index.
#[inline(always)]
pub(crate) fn offsets(stride: usize) -> [isize; 8] {
    let row = stride as isize;
    [-row, 1 - row, 1, 1 + row, row, row - 1, -1, -1 - row]
}

/// All directions, for [`for_each_step`].
pub(crate) const ALL_AROUND: u8 = !0;

/// Calls `visit(there, direction, units)` for each passable neighbour that a step from `at` in one of `directions` may
/// enter, with its stored entry cost; clockwise from north.
#[inline(always)]
pub(crate) fn for_each_step<R: Rule>(
    _: R,
    stored: &[u32],
    stride: usize,
    at: usize,
    directions: u8,
    mut visit: impl FnMut(usize, Direction, u32),
) {
    let north = &stored[at - stride - 1..][..3];
    let middle = &stored[at - 1..][..3];
    let south = &stored[at + stride - 1..][..3];
    let [n, e, s, w] = [north[1] != 0, middle[2] != 0, south[1] != 0, middle[0] != 0];
    let bit = |open: bool, direction: Direction| u8::from(open) << direction as u32;
    let mut open = bit(n, Direction::N) | bit(e, Direction::E) | bit(s, Direction::S) | bit(w, Direction::W);
    if R::DIAGONALS {
        open |= bit((north[2] != 0) & R::past(n, e), Direction::NE);
        open |= bit((south[2] != 0) & R::past(s, e), Direction::SE);
        open |= bit((south[0] != 0) & R::past(s, w), Direction::SW);
        open |= bit((north[0] != 0) & R::past(n, w), Direction::NW);
    }
    let offsets = offsets(stride);
    let mut left = open & directions;
    while left != 0 {
        let direction = left.trailing_zeros() as usize % 8;
        left &= left - 1;
        let there = at.wrapping_add_signed(offsets[direction]);
        visit(there, Direction::ALL[direction], stored[there]);
    }
}
