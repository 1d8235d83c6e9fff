//! The successors of a jump point: the next jump points in every direction that a cheapest route may take from it.
//!
//! The record of a cell contains the distance to the next stop of a straight run. A diagonal run goes from cell to cell
//! and starts a straight run to both of its sides from each. A stop that such a run finds becomes a successor of the
//! jump point at which the diagonal began, so no search has a node only to leave a diagonal.
//!
//! Successors are first collected, and then the search looks at one after the other.

use crate::grid::{Cell, Direction};
use crate::search::jumps::jump_cell::JumpCell;
use crate::search::jumps::jump_points::JumpPoints;
use crate::search::steps::offsets;
use crate::{CostGrid, Diagonal};

/// A diagonal run stops at its first cell, and then once in this many cells, until it is known whether it may continue.
/// Checking this costs as much as several cells of the run; `docs/src/pathfinder/design.md` in the repository has the
/// measurements.
const CHECK_EVERY: u32 = 4;

/// A successor of a jump point in a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Successor {
    pub(crate) at: usize,
    pub(crate) cell: Cell,
    /// The cost of all steps together.
    pub(crate) cost: u64,
    /// The direction of the last step.
    pub(crate) direction: Direction,
    /// Whether the search may skip this successor, and [go on](JumpSuccessors::go_on) to the ones behind it.
    pub(crate) may_skip: bool,
    /// The entry cost of the cell, in units.
    pub(crate) entry_cost: u32,
}

/// The successors of jump points in a search for one goal. `LEVELS` means that the grid has levels.
#[derive(Clone, Copy)]
pub(crate) struct JumpSuccessors<'a, const LEVELS: bool> {
    points: &'a JumpPoints,
    cells: &'a [JumpCell],
    grid: &'a CostGrid,
    offsets: [isize; 8],
    diagonal: Diagonal,
    goal: Cell,
}

impl<'a, const LEVELS: bool> JumpSuccessors<'a, LEVELS> {
    pub(crate) fn new(points: &'a JumpPoints, grid: &'a CostGrid, goal: Cell) -> Self {
        debug_assert_eq!(LEVELS, !grid.is_flat());
        Self { points, cells: points.cells(), grid, offsets: offsets(grid.stride()), diagonal: grid.diagonal(), goal }
    }

    /// Adds the successors of a cell that the search entered in direction `entered_by`; `None` for the start.
    #[inline(always)]
    pub(crate) fn begin(&self, at: usize, cell: Cell, entered_by: Option<Direction>, found: &mut Vec<Successor>) {
        let record = &self.cells[at];
        let mut directions = self.points.turns::<LEVELS>(at, entered_by);
        while directions != 0 {
            let direction = Direction::ALL[directions.trailing_zeros() as usize % 8];
            directions &= directions - 1;
            if !direction.is_diagonal() {
                self.run_straight(at, record, cell, direction, 0, found);
            } else if record.may_step(direction as usize) {
                self.run_diagonal(at, cell, direction, 0, 1, found);
            }
        }
    }

    /// Adds the successors behind a successor that the search skips.
    #[inline(always)]
    pub(crate) fn continue_from(&self, from: &Successor, found: &mut Vec<Successor>) {
        self.run_to_sides(from.at, from.cell, from.direction, from.cost, found);
        if self.cells[from.at].may_step(from.direction as usize) {
            self.run_diagonal(from.at, from.cell, from.direction, from.cost, CHECK_EVERY, found);
        }
    }

    /// Adds the next stop, or the goal, in a straight run from a cell that costs `so_far` units to reach.
    #[inline(always)]
    fn run_straight(
        &self,
        at: usize,
        record: &JumpCell,
        cell: Cell,
        direction: Direction,
        so_far: u64,
        found: &mut Vec<Successor>,
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
        let stop = &self.cells[there];
        let last =
            if LEVELS { self.step(there.wrapping_add_signed(-offset), there, stop, false) } else { stop.units.into() };
        let cost = so_far + u64::from(record.units) * (length as u64 - 1) + last;
        let next = cell + (dx * length as i32, dy * length as i32);
        found.push(Successor { at: there, cell: next, direction, cost, may_skip: false, entry_cost: stop.units });
    }

    /// Adds the stops of the straight runs to both sides of a diagonal run.
    #[inline(always)]
    fn run_to_sides(&self, at: usize, cell: Cell, direction: Direction, so_far: u64, found: &mut Vec<Successor>) {
        let (dx, dy) = direction.offset();
        let horizontal = if dx > 0 { Direction::E } else { Direction::W };
        let vertical = if dy > 0 { Direction::S } else { Direction::N };
        let record = &self.cells[at];
        self.run_straight(at, record, cell, horizontal, so_far, found);
        self.run_straight(at, record, cell, vertical, so_far, found);
    }

    /// Adds the stops to both sides of a diagonal run, and the stop or the last of `count` cells at its end. The first
    /// step is possible.
    #[inline(always)]
    fn run_diagonal(
        &self,
        mut at: usize,
        mut cell: Cell,
        direction: Direction,
        mut so_far: u64,
        mut count: u32,
        found: &mut Vec<Successor>,
    ) {
        let offset = self.offsets[direction as usize];
        loop {
            let from = at;
            at = at.wrapping_add_signed(offset);
            cell = cell + direction;
            let record = &self.cells[at];
            so_far += self.step(from, at, record, true);
            count -= 1;
            let may_skip = cell != self.goal && !record.stops(direction as usize);
            if !may_skip || count == 0 {
                return found.push(Successor { at, cell, direction, cost: so_far, may_skip, entry_cost: record.units });
            }
            self.run_to_sides(at, cell, direction, so_far, found);
            if !record.may_step(direction as usize) {
                return;
            }
        }
    }

    /// The cost of a step.
    #[inline(always)]
    fn step(&self, from: usize, to: usize, record: &JumpCell, is_diagonal: bool) -> u64 {
        if LEVELS
            && record.is_slope()
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

/// Iterates over the cells of the route from the jump point `from` to `to`, without `from`, in reverse. That route goes
/// diagonally first, so going back it is straight first.
pub(crate) fn steps_back(to: Cell, from: Cell) -> impl Iterator<Item = Cell> {
    let (dx, dy) = from - to;
    let (columns, rows) = (dx.abs(), dy.abs());
    let (straight, diagonal) = ((columns - rows).abs(), columns.min(rows));
    let (across, down) = (dx.signum(), dy.signum());
    let (aside, ahead) = if columns > rows { (across, 0) } else { (0, down) };
    let turn = to + (aside * straight, ahead * straight);
    let straight = (0..straight).map(move |k| to + (aside * k, ahead * k));
    straight.chain((0..diagonal).map(move |k| turn + (across * k, down * k)))
}
