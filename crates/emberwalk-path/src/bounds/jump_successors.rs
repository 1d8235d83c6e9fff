//! The successors of a jump point: the next jump points in every direction that a cheapest route may take from it.
//!
//! The record of a cell says how far the next stop of a straight run is. A diagonal run goes from cell to cell and
//! starts a straight run to both of its sides from each. A stop that such a run finds becomes a successor of the jump
//! point at which the diagonal began, so no search has a node only to leave a diagonal.

use std::cmp::Ordering;

use crate::bounds::jump_points::{JumpCell, JumpPoints};
use crate::grid::{Cell, Direction};
use crate::search::steps::offsets;
use crate::{CostGrid, Diagonal};

/// A diagonal run checks at its first cell, and then once in this many cells, whether it may go on. A check costs as
/// much as several cells of the run; `docs/design.md` in the repository has the measurements.
const CHECK_EVERY: u32 = 4;

/// A successor of a jump point in a search.
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

/// The successors of jump points in a search for one goal. `LEVELS` says whether the grid has levels.
#[derive(Clone, Copy)]
pub(crate) struct JumpSuccessors<'a, const LEVELS: bool> {
    points: &'a JumpPoints,
    grid: &'a CostGrid,
    offsets: [isize; 8],
    diagonal: Diagonal,
    goal: Cell,
}

impl<'a, const LEVELS: bool> JumpSuccessors<'a, LEVELS> {
    pub(crate) fn new(points: &'a JumpPoints, grid: &'a CostGrid, goal: Cell) -> Self {
        debug_assert_eq!(LEVELS, !grid.is_flat());
        Self { points, grid, offsets: offsets(grid.stride()), diagonal: grid.diagonal(), goal }
    }

    /// Calls `visit` for each successor of a cell that the search entered in direction `entered_by`; `None` for the
    /// start.
    #[inline(always)]
    pub(crate) fn each(
        &self,
        at: usize,
        cell: Cell,
        entered_by: Option<Direction>,
        mut visit: impl FnMut(Successor) -> bool,
    ) {
        let record = self.points.cell(at);
        let mut directions = self.points.turns(at, entered_by);
        while directions != 0 {
            let direction = Direction::ALL[directions.trailing_zeros() as usize % 8];
            directions &= directions - 1;
            if direction.is_diagonal() {
                self.run_diagonal(at, cell, direction, &mut visit);
            } else {
                self.run_straight(at, record, cell, direction, 0, &mut visit);
            }
        }
    }

    /// Visits the next stop, or the goal, in a straight run from a cell that costs `so_far` units to reach.
    #[inline(always)]
    fn run_straight(
        &self,
        at: usize,
        record: &JumpCell,
        cell: Cell,
        direction: Direction,
        so_far: u64,
        visit: &mut impl FnMut(Successor) -> bool,
    ) {
        let run = record.run(direction);
        let mut length = run.length();
        let (dx, dy) = direction.offset();
        let (columns, rows) = self.goal - cell;
        let (ahead, aside) = if dy == 0 { (columns * dx, rows) } else { (rows * dy, columns) };
        if aside == 0 && ahead > 0 && ahead as usize <= length {
            length = ahead as usize;
        } else if !run.has_stop() {
            return;
        }
        let offset = self.offsets[direction as usize];
        let there = at.wrapping_add_signed(offset * length as isize);
        // A run stops where a step costs something else than the one before, so only the last one can.
        let last = self.step(there.wrapping_add_signed(-offset), there, self.points.cell(there), false);
        let cost = so_far + u64::from(record.units) * (length as u64 - 1) + last;
        let next = cell + (dx * length as i32, dy * length as i32);
        visit(Successor { at: there, cell: next, direction, cost, may_skip: false });
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
        let offset = self.offsets[direction as usize];
        let (dx, dy) = direction.offset();
        let horizontal = if dx > 0 { Direction::E } else { Direction::W };
        let vertical = if dy > 0 { Direction::S } else { Direction::N };
        let mut record = self.points.cell(at);
        let mut so_far = 0;
        let mut count = 0u32;
        while record.may_step(direction as usize) {
            let from = at;
            at = at.wrapping_add_signed(offset);
            cell = cell + direction;
            record = self.points.cell(at);
            so_far += self.step(from, at, record, true);
            let may_skip = cell != self.goal && !record.stops(direction);
            if (!may_skip || count.is_multiple_of(CHECK_EVERY))
                && !visit(Successor { at, cell, direction, cost: so_far, may_skip })
            {
                return;
            }
            self.run_straight(at, record, cell, horizontal, so_far, visit);
            self.run_straight(at, record, cell, vertical, so_far, visit);
            count += 1;
        }
    }

    /// Returns the cost of a step.
    #[inline(always)]
    fn step(&self, from: usize, to: usize, record: &JumpCell, is_diagonal: bool) -> u64 {
        if LEVELS
            && record.is_slope
            && let Some(heights) = self.grid.heights()
        {
            let rise = heights.rise(from, to);
            if rise != 0 {
                return heights.costs().step(is_diagonal, record.units, rise);
            }
        }
        u64::from(if is_diagonal { self.diagonal.of(record.units) } else { record.units })
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
