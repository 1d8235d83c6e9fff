//! Which steps there are: eight ways or four, and how a diagonal one passes blocked cells.

use std::fmt;
use std::str::FromStr;

use super::query::{UnknownName, named};
use super::{CostGrid, RouteCost};
use crate::grid::{Cell, Direction};

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
pub(super) trait Rule: Copy {
    /// Whether there are diagonal steps.
    const DIAGONALS: bool;
    /// Whether a diagonal step is allowed when the two cells beside it are passable or not.
    fn past(one: bool, other: bool) -> bool;
}

#[derive(Clone, Copy)]
pub(super) struct Straight;
#[derive(Clone, Copy)]
pub(super) struct CornersNever;
#[derive(Clone, Copy)]
pub(super) struct CornersOne;
#[derive(Clone, Copy)]
pub(super) struct CornersAlways;

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
        use $crate::path::steps;
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
pub(super) use with_rule;

/// Calls `visit(there, direction, units)` for each passable neighbour that a step from `at` may enter, with its stored
/// entry cost: straight ones first, then diagonal ones, each clockwise from north.
#[inline(always)]
pub(super) fn for_each_step<R: Rule>(
    _: R,
    stored: &[u32],
    stride: usize,
    at: usize,
    mut visit: impl FnMut(usize, Direction, u32),
) {
    let north = &stored[at - stride - 1..][..3];
    let middle = &stored[at - 1..][..3];
    let south = &stored[at + stride - 1..][..3];
    let [n, e, s, w] = [north[1], middle[2], south[1], middle[0]];
    let mut step = |offset: isize, direction, units| {
        if units != 0 {
            visit(at.wrapping_add_signed(offset), direction, units);
        }
    };
    let row = stride as isize;
    step(-row, Direction::N, n);
    step(1, Direction::E, e);
    step(row, Direction::S, s);
    step(-1, Direction::W, w);
    if R::DIAGONALS {
        if R::past(n != 0, e != 0) {
            step(1 - row, Direction::NE, north[2]);
        }
        if R::past(s != 0, e != 0) {
            step(1 + row, Direction::SE, south[2]);
        }
        if R::past(s != 0, w != 0) {
            step(row - 1, Direction::SW, south[0]);
        }
        if R::past(n != 0, w != 0) {
            step(-row - 1, Direction::NW, north[0]);
        }
    }
}
