//! The successors of a jump point: the next jump points in every direction that a cheapest route may take from it.
//!
//! A straight run finds the next stop in a bit board, 64 cells at a time. A diagonal run goes from cell to cell and
//! starts a straight run to both of its sides from each. A stop that such a run finds becomes a successor of the jump
//! point at which the diagonal began, so no search has a node only to leave a diagonal.

use std::cmp::Ordering;

use crate::CostGrid;
use crate::bounds::forced_turns::Neighbourhood;
use crate::bounds::jump_points::JumpPoints;
use crate::grid::{Cell, Direction};
use crate::search::steps::{Neighbours, Steps, Successor, Successors, offsets};

/// A diagonal run checks at its first cell, and then once in this many cells, whether it may go on. A check costs as
/// much as several cells of the run; `docs/design.md` in the repository has the measurements.
const CHECK_EVERY: u32 = 8;

/// The successors of jump points in a search for one goal.
#[derive(Clone, Copy)]
pub(crate) struct JumpSuccessors<'a> {
    points: &'a JumpPoints,
    grid: &'a CostGrid,
    goal: Cell,
}

impl<'a> JumpSuccessors<'a> {
    pub(crate) fn new(points: &'a JumpPoints, grid: &'a CostGrid, goal: Cell) -> Self {
        Self { points, grid, goal }
    }

    /// Visits the next stop, or the goal, in a straight run from a cell that costs `so_far` units to reach.
    #[inline(always)]
    fn run_straight(
        &self,
        at: usize,
        cell: Cell,
        direction: Direction,
        so_far: u64,
        visit: &mut impl FnMut(Successor) -> bool,
    ) {
        let (column, row) = (cell.x as usize + 1, cell.y as usize + 1);
        let (goal, entry_units) = (self.goal, self.grid.entry_units());
        let board = self.points.board(direction);
        let vertical = direction.offset().0 == 0;
        let (line, from) = if vertical { (column, row) } else { (row, column) };
        let (goal_line, end) = (goal.x as usize + 1, goal.y as usize + 1);
        let (goal_line, end) = if vertical { (goal_line, end) } else { (end, goal_line) };
        let end = if goal_line == line { end } else { from };
        let length = match direction {
            Direction::E | Direction::S => board.next_after(line, from, end) - from,
            _ => from - board.last_before(line, from, end),
        };
        let there = at.wrapping_add_signed(offsets(self.grid.stride())[direction as usize] * length as isize);
        let last = entry_units[there];
        if last != 0 {
            // A run stops where the cost differs from the cell before, so only the last cell can have another cost.
            let cost = so_far + u64::from(entry_units[at]) * (length as u64 - 1) + u64::from(last);
            let (dx, dy) = direction.offset();
            let next = cell + (dx * length as i32, dy * length as i32);
            visit(Successor { at: there, cell: next, direction, cost, may_skip: false });
        }
    }

    /// Visits the stops of a diagonal run, and those of the straight runs to both of its sides from each of its cells.
    #[inline(always)]
    fn run_diagonal(
        &self,
        mut at: usize,
        mut cell: Cell,
        direction: Direction,
        visit: &mut impl FnMut(Successor) -> bool,
    ) {
        let (entry_units, offsets) = (self.grid.entry_units(), offsets(self.grid.stride()));
        let (dx, dy) = direction.offset();
        let horizontal = if dx > 0 { Direction::E } else { Direction::W };
        let vertical = if dy > 0 { Direction::S } else { Direction::N };
        let is_open =
            |at: usize, direction: Direction| entry_units[at.wrapping_add_signed(offsets[direction as usize])] != 0;
        let mut so_far = 0;
        let mut count = 0u32;
        while is_open(at, horizontal) && is_open(at, vertical) && is_open(at, direction) {
            at = at.wrapping_add_signed(offsets[direction as usize]);
            cell = cell + direction;
            so_far += u64::from(self.grid.diagonal().of(entry_units[at]));
            let may_skip = cell != self.goal && !self.points.stops_at(at, direction);
            if (!may_skip || count.is_multiple_of(CHECK_EVERY))
                && !visit(Successor { at, cell, direction, cost: so_far, may_skip })
            {
                return;
            }
            self.run_straight(at, cell, horizontal, so_far, visit);
            self.run_straight(at, cell, vertical, so_far, visit);
            count += 1;
        }
    }
}

impl Successors for JumpSuccessors<'_> {
    const ARE_DISTANT: bool = true;

    #[inline(always)]
    fn each(&self, at: usize, cell: Cell, entered_by: Option<Direction>, mut visit: impl FnMut(Successor) -> bool) {
        let visit = &mut visit;
        let Some(direction) = entered_by else {
            Direction::SIDES.into_iter().for_each(|direction| self.run_straight(at, cell, direction, 0, visit));
            Direction::CORNERS.into_iter().for_each(|direction| self.run_diagonal(at, cell, direction, visit));
            return;
        };
        let neighbourhood = Neighbourhood::new(self.grid, at);
        let number = direction as usize;
        let turned = |eighths: usize| Direction::ALL[(number + eighths) % 8];
        if direction.is_diagonal() {
            self.run_diagonal(at, cell, direction, visit);
            for (eighth, quarter) in [(1, 2), (7, 6)] {
                self.run_straight(at, cell, turned(eighth), 0, visit);
                if neighbourhood.turns_after_diagonal(number, quarter) {
                    self.run_diagonal(at, cell, turned(quarter), visit);
                }
            }
        } else {
            self.run_straight(at, cell, direction, 0, visit);
            for (eighth, quarter) in [(1, 2), (7, 6)] {
                let (right_angle, half_turn) = neighbourhood.turns_after_straight(number, quarter);
                if right_angle {
                    self.run_straight(at, cell, turned(quarter), 0, visit);
                }
                if half_turn {
                    self.run_diagonal(at, cell, turned(eighth), visit);
                }
            }
        }
    }
}

/// The successors of jump points on a grid with levels: those by jumps from where it is level, and the neighbours of
/// cells on slopes.
#[derive(Clone, Copy)]
pub(crate) struct HillJumpSuccessors<'a, S> {
    pub(crate) jumps: JumpSuccessors<'a>,
    pub(crate) steps: S,
}

impl<S: Steps> Successors for HillJumpSuccessors<'_, S> {
    const ARE_DISTANT: bool = true;

    #[inline(always)]
    fn each(&self, at: usize, cell: Cell, entered_by: Option<Direction>, visit: impl FnMut(Successor) -> bool) {
        if self.jumps.points.stops_everywhere(at) {
            Neighbours(self.steps).each(at, cell, entered_by, visit)
        } else {
            self.jumps.each(at, cell, entered_by, visit)
        }
    }
}

/// Returns the cell before `cell` on the route to it from the jump point `from`. That route goes diagonally first, so
/// going back it is straight first.
pub(crate) fn step_back(cell: Cell, from: Cell) -> Cell {
    let (dx, dy) = from - cell;
    let longer = dx.abs().cmp(&dy.abs());
    cell + match longer {
        Ordering::Greater => (dx.signum(), 0),
        Ordering::Less => (0, dy.signum()),
        Ordering::Equal => (dx.signum(), dy.signum()),
    }
}
