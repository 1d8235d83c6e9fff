//! Jump points: the few cells at which a cheapest route may have to turn.
//!
//! Where all cells around a cell have the same cost, a route that goes diagonally first never turns there, except from
//! a diagonal to a straight run. So it turns only beside the end of a wall and where costs differ, at cells where a
//! turn is [forced](super::forced_turns). A search over these cells passes over all others and still finds the lowest
//! cost, as every route can be replaced by one of the same or a lower cost that only turns at jump points. On grids
//! with levels, [`hill_turns`](super::hill_turns) has the rule.
//!
//! Each cell has a [record](super::jump_cell) with all that a run needs: its cost, the possible steps, and how far the
//! next stop is in each straight direction.
//!
//! Making all records takes O(cells), an update O(changes), with the cells of the runs that become longer or shorter.
//! Memory: 16 bytes per cell, and 8 more for each cell on a slope.

use std::iter::successors;
use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use crate::budget::{Budget, Pass};
use crate::cost::changes::MAX_REMEMBERED;
use crate::cost::cost_grid::capacity_bytes;
use crate::grid::Direction;
use crate::search::cell_set::CellSet;
use crate::search::jumps::forced_turns::{Neighbourhood, RULES};
use crate::search::jumps::hill_turns;
use crate::search::jumps::jump_cell::{JumpCell, Run};
use crate::search::steps::{GridSteps, offsets};
use crate::{CostGrid, Stamp, StepRules};

/// A change of a cell can change the turns of cells that are this far away.
const REACH: i32 = 2;

/// Runs are long where a search that expands all stops would look at each passable cell more often than this in its
/// diagonal runs, in the mean. Measured on hills, plateaus and terraces of 256 x 256 to 2048 x 2048 cells: with 15 to
/// 80 looks, a search over jump points takes 0.4 to 0.9 times as long as one over neighbours; with 87 to 225, 1.1 to
/// 2.1 times.
const MANY_LOOKS: usize = 84;

/// The number of cells that are looked at to estimate that.
const SAMPLES: usize = 512;

/// The jump points of a grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpPoints {
    /// By the grid's index.
    cells: Vec<JumpCell>,
    /// The directions in which a route may continue from each cell on a slope, for each direction of the last step.
    slopes: Vec<[u8; 8]>,
    /// The entries of `slopes` that are not used.
    unused_slopes: Vec<u32>,
    /// The number of cells at which some run has to stop.
    stops: usize,
    /// The number of passable cells.
    passable: usize,
    /// Whether runs are short; empty until it is asked for.
    have_short_runs: OnceLock<bool>,
    /// The cells whose turns have to be computed again; only used during an update.
    stale: CellSet,
    /// The stamp of the grid of the records; the default while they are not complete.
    stamp: Stamp,
    /// The passes over all cells that were paused, of the grid with that stamp.
    paused: Option<(Pass, Stamp)>,
}

impl JumpPoints {
    /// How many bytes the jump points of a grid take at most.
    pub(crate) fn bytes_for(grid: &CostGrid) -> usize {
        let slope = if grid.is_flat() { 0 } else { size_of::<[u8; 8]>() };
        grid.entry_units().len() * (size_of::<JumpCell>() + slope)
    }

    /// How many bytes the containers hold.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.cells) + capacity_bytes(&self.slopes)
    }

    /// The stamp of the grid that these are up to date with.
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Whether jump points exist for these steps.
    pub(crate) fn exist_for(rules: StepRules) -> bool {
        rules.without_links() == RULES.without_links()
    }

    /// Whether there is memory for the jump points of a grid.
    pub(crate) fn have_room_for(&self, grid: &CostGrid) -> bool {
        self.cells.capacity() >= grid.entry_units().len()
    }

    /// The records of all cells, by the grid's index.
    #[inline(always)]
    pub(crate) fn cells(&self) -> &[JumpCell] {
        &self.cells
    }

    /// The directions in which a cheapest route may continue from a cell, after a step in direction `entered_by`;
    /// `None` for its start.
    #[inline(always)]
    pub(crate) fn turns<const LEVELS: bool>(&self, at: usize, entered_by: Option<Direction>) -> u8 {
        let (cell, Some(direction)) = (&self.cells[at], entered_by) else { return !0 };
        if LEVELS && cell.is_slope() {
            self.slopes[cell.slope()][direction as usize]
        } else {
            cell.forced_turns().after(direction as usize)
        }
    }

    /// The number of cells at which a run has to stop in some direction.
    pub(crate) fn stops(&self) -> usize {
        self.stops
    }

    /// How many cells are passable.
    pub(crate) fn passable(&self) -> usize {
        self.passable
    }

    /// Whether the diagonal runs on a grid with levels are short enough for a search over jump points to be
    /// faster than one over neighbours. It is estimated from samples, once for all searches until the next update.
    pub(crate) fn have_short_runs(&self, grid: &CostGrid) -> bool {
        /// The golden ratio as a fraction of 2^32. Its multiples are evenly distributed over all rows and columns.
        const GOLDEN: u32 = 0x9e37_79b9;
        *self.have_short_runs.get_or_init(|| {
            let len = self.cells.len() as u64;
            let samples = (1..=SAMPLES as u32).map(|k| ((u64::from(k.wrapping_mul(GOLDEN)) * len) >> 32) as usize);
            let passable = samples.filter(|&at| self.cells[at].units != 0);
            let (mut looks, mut limit) = (0, 0);
            for at in passable {
                limit += MANY_LOOKS;
                if self.cells[at].is_stop() {
                    looks += self.cells_of_diagonal_runs(grid, at);
                    if looks > SAMPLES * MANY_LOOKS {
                        // More looks would not change the answer, so the time is bounded.
                        return false;
                    }
                }
            }
            looks <= limit
        })
    }

    /// How many cells the four diagonal runs from a cell have.
    fn cells_of_diagonal_runs(&self, grid: &CostGrid, from: usize) -> usize {
        let offsets = offsets(grid.stride());
        let length = |direction: Direction| {
            let number = direction as usize;
            let next = |&at: &usize| {
                let goes_on = self.cells[at].may_step(number) && (at == from || !self.cells[at].stops(number));
                goes_on.then(|| at.wrapping_add_signed(offsets[number]))
            };
            successors(Some(from), next).count() - 1
        };
        Direction::ALL.into_iter().filter(|direction| direction.is_diagonal()).map(length).sum()
    }

    /// Catches up with the current grid: O(changes) and the lengths of the runs around them, or O(cells) for another
    /// grid than before or if the grid does not remember all its changes. Pauses when the budget is spent; the next
    /// update finds the other jump points, or all of them if the grid has changed.
    pub(crate) fn update(&mut self, grid: &CostGrid, budget: &mut Budget) -> ControlFlow<()> {
        match grid.count_changes_since(self.stamp) {
            Some(0) => return ControlFlow::Continue(()),
            Some(_) => self.update_changes(grid),
            None => self.update_all(grid, budget)?,
        }
        self.have_short_runs.take();
        self.stamp = grid.stamp();
        ControlFlow::Continue(())
    }

    fn update_all(&mut self, grid: &CostGrid, budget: &mut Budget) -> ControlFlow<()> {
        /// Forced turns on a slope depend on the steps of the cells around, and a run is a step longer than the one
        /// from its second cell.
        const PASSES: usize = 3;
        let paused = self.paused.take().filter(|&(_, stamp)| stamp == grid.stamp());
        let mut pass = match paused {
            Some((pass, ..)) => pass,
            None => {
                self.begin(grid);
                Pass::default()
            }
        };
        let (stride, offsets) = (grid.stride(), offsets(grid.stride()));
        let rows = grid.entry_units().len() / stride - 2;
        let cells = |row: usize| (row + 1) * stride + 1..(row + 2) * stride;
        let all = pass.run(PASSES * rows, stride, budget, |part| {
            for row in part {
                match (row / rows, row % rows) {
                    (0, row) => self.find_slopes(grid, cells(row)),
                    (1, row) => self.find_turns(grid, cells(row), &offsets),
                    (_, row) => self.find_runs_back(grid, cells(rows - 1 - row), &offsets),
                }
            }
        });
        if all.is_break() {
            self.paused = Some((pass, grid.stamp()));
            return all;
        }
        // For updates, so that these allocate nothing: as many slopes again, but no more than there are cells.
        let spare = self.slopes.len().min(self.cells.len() - self.slopes.len());
        self.slopes.shrink_to(self.slopes.len() + spare);
        self.slopes.reserve_exact(spare);
        all
    }

    /// Forgets all records.
    fn begin(&mut self, grid: &CostGrid) {
        let len = grid.entry_units().len();
        self.stamp = Stamp::default();
        self.cells.clear();
        self.cells.resize(len, JumpCell::BLOCKED);
        self.slopes.clear();
        self.unused_slopes.clear();
        (self.stops, self.passable) = (0, 0);
        // For updates, so that these allocate nothing.
        self.stale.begin(len, len.min(MAX_REMEMBERED * ((2 * REACH + 1) * (2 * REACH + 1)) as usize));
    }

    /// Finds the steps of a row of cells, if there are levels.
    fn find_slopes(&mut self, grid: &CostGrid, cells: Range<usize>) {
        if !grid.is_flat() {
            cells.for_each(|at| self.update_steps(grid, at));
        }
    }

    /// Finds the turns of a row of cells, and the runs to the north and to the west.
    fn find_turns(&mut self, grid: &CostGrid, cells: Range<usize>, offsets: &[isize; 8]) {
        for at in cells.filter(|&at| grid.entry_units()[at] != 0) {
            if grid.is_flat() && Neighbourhood::new(grid, at).is_uniform() {
                self.cells[at] = JumpCell::open(grid.entry_units()[at]);
                self.passable += 1;
            } else {
                if grid.is_flat() {
                    self.update_steps(grid, at);
                }
                self.update_turns(grid, at);
            }
            self.update_run(at, Direction::N, offsets);
            self.update_run(at, Direction::W, offsets);
        }
    }

    /// Finds the runs to the south and to the east of a row of cells.
    fn find_runs_back(&mut self, grid: &CostGrid, cells: Range<usize>, offsets: &[isize; 8]) {
        for at in cells.rev().filter(|&at| grid.entry_units()[at] != 0) {
            self.update_run(at, Direction::S, offsets);
            self.update_run(at, Direction::E, offsets);
        }
    }

    fn update_changes(&mut self, grid: &CostGrid) {
        let mut stale = std::mem::take(&mut self.stale);
        for change in grid.changes_since(self.stamp).into_iter().flatten() {
            for at in grid.indices_around(change.cell, REACH) {
                stale.insert(at);
            }
        }
        for change in grid.changes_since(self.stamp).into_iter().flatten() {
            for at in grid.indices_around(change.cell, 1) {
                self.update_steps(grid, at);
            }
        }
        stale.iter().for_each(|at| self.update_turns(grid, at));
        self.update_runs(&stale, &offsets(grid.stride()));
        stale.clear();
        self.stale = stale;
    }

    /// Updates the runs from these cells, and the runs that pass through them or stop in them.
    fn update_runs(&mut self, cells: &CellSet, offsets: &[isize; 8]) {
        for at in cells.iter() {
            for direction in Direction::SIDES {
                self.update_run(at, direction, offsets);
                let back = -offsets[direction as usize];
                let mut before = at.wrapping_add_signed(back);
                while self.update_run(before, direction, offsets) {
                    before = before.wrapping_add_signed(back);
                }
            }
        }
    }

    /// Updates the cost of a cell and the steps that are possible from it, and forgets its turns and runs.
    #[inline(always)]
    fn update_steps(&mut self, grid: &CostGrid, at: usize) {
        let (units, steps) = (grid.entry_units()[at], GridSteps::<true>::new(grid, RULES));
        let is_slope = units != 0 && steps.is_slope(at);
        let steps = if units == 0 { 0 } else { steps.possible(at) };
        let before = std::mem::replace(&mut self.cells[at], JumpCell::new(units, steps, is_slope));
        self.stops -= usize::from(before.is_stop());
        self.passable = self.passable + usize::from(units != 0) - usize::from(before.units != 0);
        if is_slope {
            let number =
                if before.is_slope() { Some(before.slope()) } else { self.unused_slopes.pop().map(|k| k as usize) };
            let number = number.unwrap_or(self.slopes.len());
            if number == self.slopes.len() {
                self.slopes.push([0; 8]);
            }
            self.cells[at].set_turns(0, number as u32);
        } else if before.is_slope() {
            self.unused_slopes.push(before.slope() as u32);
        }
    }

    /// Updates the turns and the stops at a cell. The costs and steps of the cells around it are up to date.
    #[inline(always)]
    fn update_turns(&mut self, grid: &CostGrid, at: usize) {
        let before = self.cells[at];
        let (stops, turns) = if before.units == 0 {
            (0, 0)
        } else if before.is_slope() {
            let turns = hill_turns::turns(grid, |from, direction| self.cells[from].may_step(direction), at);
            self.slopes[before.slope()] = turns.after;
            (turns.stops, before.slope() as u32)
        } else {
            let (turns, stops) = Neighbourhood::new(grid, at).turns();
            (stops, turns.bits())
        };
        self.cells[at].set_turns(stops, turns);
        self.stops = self.stops + usize::from(stops != 0) - usize::from(before.is_stop());
    }

    /// Computes a straight run from the run of the next cell, and returns whether that changes it.
    #[inline(always)]
    fn update_run(&mut self, at: usize, direction: Direction, offsets: &[isize; 8]) -> bool {
        let number = direction as usize;
        let run = if self.cells[at].may_step(number) {
            let next = &self.cells[at.wrapping_add_signed(offsets[number])];
            if next.stops(number) { Run::ONE_STEP } else { next.run(direction).longer() }
        } else {
            Run::NONE
        };
        self.cells[at].set_run(direction, run)
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::grid::{Cell, Size};
    use crate::{ClimbRule, Diagonal, EntryCost, Level};

    /// After edits, everything is as if it had been made for the current grid.
    #[test]
    fn updates_repair_all_that_changes() {
        for seed in 0..200 {
            let mut rng = Rng::with_seed(seed);
            let size = Size::new(rng.u32(1..40), rng.u32(1..40));
            let any_cost = |rng: &mut Rng| EntryCost::from_tiles(*rng.choice(&[0.0, 1.0, 1.0, 1.0, 3.0]).unwrap()).ok();
            let mut grid = CostGrid::from_fn(size, Diagonal::GAME, |_| any_cost(&mut rng)).unwrap();
            if seed % 2 == 0 {
                grid.set_levels(ClimbRule::default(), |cell| Level::new((cell.x / 7 % 3) as u8).unwrap());
            }
            let mut points = JumpPoints::default();
            assert!(points.update(&grid, &mut Budget::new(Budget::UNLIMITED)).is_continue());
            for _ in 0..10 {
                for _ in 0..rng.u8(1..6) {
                    let cell = Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
                    if rng.u8(..3) == 0 {
                        grid.set_level(cell, Level::new(rng.u8(..3)).unwrap());
                    } else {
                        grid.set(cell, any_cost(&mut rng));
                    }
                }
                assert!(points.update(&grid, &mut Budget::new(Budget::UNLIMITED)).is_continue());
                let mut new = JumpPoints::default();
                assert!(new.update(&grid, &mut Budget::new(Budget::UNLIMITED)).is_continue());
                assert_eq!(points.everything(), new.everything(), "seed {seed}");
                let stops = new.cells.iter().filter(|cell| cell.is_stop()).count();
                assert_eq!((points.stops, new.stops), (stops, stops), "seed {seed}");
                let passable = size.cells().filter(|&cell| grid.is_passable(cell)).count();
                assert_eq!((points.passable, new.passable), (passable, passable), "seed {seed}");
            }
        }
    }

    /// How often the diagonal runs of all stops look at a passable cell, in the mean.
    fn looks(points: &JumpPoints, grid: &CostGrid) -> usize {
        let stops = (0..points.cells.len()).filter(|&at| points.cells[at].is_stop());
        stops.map(|at| points.cells_of_diagonal_runs(grid, at)).sum::<usize>() / points.passable
    }

    #[test]
    fn samples_tell_long_runs_from_short_ones() {
        let mut found = [0; 2];
        for (side, width) in [(100, 3), (100, 9), (200, 5), (300, 3), (300, 4), (300, 8), (400, 3), (400, 40)] {
            let mut grid = CostGrid::open(Size::new(side, side)).unwrap();
            // Round hills and valleys, with a level in each ring.
            let ring = |cell: Cell| ((cell.x - 40).pow(2) + (cell.y - 60).pow(2)).isqrt() / width % 10;
            grid.set_levels(ClimbRule::default(), |cell| Level::new((ring(cell) - 5).unsigned_abs() as u8).unwrap());
            let mut points = JumpPoints::default();
            assert!(points.update(&grid, &mut Budget::new(Budget::UNLIMITED)).is_continue());
            let exact = looks(&points, &grid);
            found[usize::from(points.have_short_runs(&grid))] += 1;
            // A quarter more or less may be an error of the estimate.
            match points.have_short_runs(&grid) {
                true => assert!(exact < MANY_LOOKS / 4 * 5, "{exact} looks, side {side}, rings of {width}"),
                false => assert!(exact > MANY_LOOKS / 4 * 3, "{exact} looks, side {side}, rings of {width}"),
            }
        }
        assert!(found.iter().all(|&count| count > 1), "{found:?}");
    }

    #[test]
    fn memory_is_bounded_where_all_cells_are_slopes() {
        let size = Size::new(70, 50);
        let mut grid = CostGrid::open(size).unwrap();
        grid.set_levels(ClimbRule::default(), |cell| Level::new(((cell.x + cell.y) % 2) as u8).unwrap());
        let mut points = JumpPoints::default();
        assert!(points.update(&grid, &mut Budget::new(Budget::UNLIMITED)).is_continue());
        assert_eq!(points.slopes.len(), size.area());
        assert!(points.bytes() <= JumpPoints::bytes_for(&grid), "{}", points.bytes());
    }

    /// All that a search can ask of a cell: its cost, possible steps, stops, runs and turns.
    type Everything = (u32, [bool; 8], [bool; 8], [(usize, bool); 4], [u8; 8]);

    impl JumpPoints {
        fn everything(&self) -> Vec<Everything> {
            let directions: [usize; 8] = std::array::from_fn(|direction| direction);
            let cell = |(at, cell): (usize, &JumpCell)| {
                let run =
                    Direction::SIDES.map(|direction| (cell.run(direction).length(), cell.run(direction).has_stop()));
                let turns = Direction::ALL.map(|direction| self.turns::<true>(at, Some(direction)));
                (cell.units, directions.map(|d| cell.may_step(d)), directions.map(|d| cell.stops(d)), run, turns)
            };
            self.cells.iter().enumerate().map(cell).collect()
        }
    }

    /// Where all cells around are on one level, the rules for slopes and the rules for level ground leave out the same
    /// turns.
    #[test]
    fn the_rules_for_slopes_hold_on_level_ground_too() {
        for seed in 0..100 {
            let mut rng = Rng::with_seed(seed);
            let any_cost = |rng: &mut Rng| EntryCost::from_tiles(*rng.choice(&[0.0, 1.0, 1.0, 1.5, 3.0]).unwrap()).ok();
            let mut grid = CostGrid::from_fn(Size::new(9, 9), Diagonal::SQRT_2, |_| any_cost(&mut rng)).unwrap();
            grid.set_levels(ClimbRule::default(), |cell| if cell.x == 8 { Level::MAX } else { Level::GROUND });
            let mut points = JumpPoints::default();
            assert!(points.update(&grid, &mut Budget::new(Budget::UNLIMITED)).is_continue());
            for cell in grid.size().cells().filter(|&cell| cell.x < 7 && grid.is_passable(cell)) {
                let at = grid.index(cell);
                let may_step = |from: usize, direction| points.cells[from].may_step(direction);
                let by_slopes = hill_turns::turns(&grid, may_step, at);
                for direction in Direction::ALL {
                    let before = at.wrapping_add_signed(-offsets(grid.stride())[direction as usize]);
                    if points.cells[before].may_step(direction as usize) {
                        let possible = (0..8).filter(|&next| points.cells[at].may_step(next));
                        let possible = possible.fold(0, |steps, next| steps | 1u8 << next);
                        let after = points.turns::<true>(at, Some(direction)) & possible;
                        let by_slopes = by_slopes.after[direction as usize];
                        assert_eq!(by_slopes & !after, 0, "seed {seed}, {cell}, {direction:?}");
                    }
                }
            }
        }
    }
}
