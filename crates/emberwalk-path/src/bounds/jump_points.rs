//! Jump points: the few cells at which a cheapest route may have to turn.
//!
//! Where all cells around a cell have the same cost, a route that goes diagonally first never turns there, except from
//! a diagonal to a straight run. So it turns only beside the end of a wall and where costs differ, at cells where a
//! turn is [forced](super::forced_turns). A search over these cells passes over all others and still finds the lowest
//! cost, as every route can be replaced by one of the same or a lower cost that only turns at jump points. On grids with
//! levels, [`hill_turns`](super::hill_turns) has the rule.
//!
//! Each cell has a record with all that a run needs: its cost, the possible steps, and how far the next stop is in each
//! straight direction.
//!
//! Making all records takes O(cells), an update O(changes), with the cells of the runs that become longer or shorter.
//! Memory: 24 bytes per cell.

use crate::bounds::forced_turns::{Neighbourhood, Turns};
use crate::bounds::hill_turns;
use crate::cost::cost_grid::capacity_bytes;
use crate::grid::Direction;
use crate::search::hill_steps::{HillSteps, is_slope};
use crate::search::steps::offsets;
use crate::{Corners, CostGrid, Moves, StepRules};

/// A change of a cell can change the turns of cells that are this far away.
const REACH: i32 = 2;

/// What a run needs to know of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub(crate) struct JumpCell {
    /// The entry cost, in units.
    pub(crate) units: u32,
    runs: [Run; 4],
    /// The directions of the steps that are possible, one bit for each.
    steps: u8,
    /// The directions in which a run stops here, one bit for each.
    stops: u8,
    /// Whether a passable neighbour is on another level.
    pub(crate) is_slope: bool,
    /// Whether the turns have to be computed again; only used during an update.
    is_stale: bool,
}

impl JumpCell {
    const BLOCKED: Self =
        Self { units: 0, runs: [Run::NONE; 4], steps: 0, stops: !0, is_slope: false, is_stale: false };

    /// Returns whether the step in a direction, by its number, is possible.
    #[inline(always)]
    pub(crate) fn may_step(&self, direction: usize) -> bool {
        self.steps >> direction & 1 != 0
    }

    /// Returns whether a run in that `direction` has to stop here.
    #[inline(always)]
    pub(crate) fn stops(&self, direction: Direction) -> bool {
        self.stops >> direction as u32 & 1 != 0
    }

    /// Returns the run in a straight direction.
    #[inline(always)]
    pub(crate) fn run(&self, direction: Direction) -> Run {
        self.runs[direction as usize / 2]
    }
}

/// The straight run from a cell to the next stop, or to the last cell before a wall: twice its length, plus 1 if there is
/// no stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run(u16);

impl Run {
    const NONE: Self = Self(1);
    const ONE_STEP: Self = Self(2);

    /// Returns the number of steps.
    #[inline(always)]
    pub(crate) fn length(self) -> usize {
        usize::from(self.0 / 2)
    }

    /// Whether the run ends at a stop.
    #[inline(always)]
    pub(crate) fn has_stop(self) -> bool {
        self.0.is_multiple_of(2)
    }
}

/// The jump points of a grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpPoints {
    /// By the grid's index.
    cells: Vec<JumpCell>,
    /// Where a route may go on from each cell, for each direction of the last step.
    turns: Vec<[u8; 8]>,
    grid: u64,
    version: u64,
}

impl JumpPoints {
    /// Returns how many bytes the jump points of a grid take.
    pub(crate) fn bytes_for(grid: &CostGrid) -> usize {
        grid.entry_units().len() * (size_of::<JumpCell>() + size_of::<[u8; 8]>())
    }

    /// Returns how many bytes the containers hold.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.cells) + capacity_bytes(&self.turns)
    }

    /// Returns whether jump points exist for these steps.
    pub(crate) fn exist_for(rules: StepRules) -> bool {
        rules == RULES
    }

    /// Returns whether these are the jump points of that grid, apart from its latest changes.
    pub(crate) fn are_of(&self, grid: &CostGrid) -> bool {
        self.grid == grid.id()
    }

    /// Returns the record of the cell with this index.
    #[inline(always)]
    pub(crate) fn cell(&self, at: usize) -> &JumpCell {
        &self.cells[at]
    }

    /// Returns the directions in which a cheapest route may go on from a cell, after a step in direction `entered_by`;
    /// `None` for its start.
    #[inline(always)]
    pub(crate) fn turns(&self, at: usize, entered_by: Option<Direction>) -> u8 {
        entered_by.map_or(!0, |direction| self.turns[at][direction as usize])
    }

    /// Catches up with the grid as it is now: O(changes) and the lengths of the runs around them, or O(cells) for another
    /// grid than before or if the grid does not remember all its changes.
    pub(crate) fn update(&mut self, grid: &CostGrid) {
        if self.grid != grid.id() || grid.changes_since(self.version).is_none() {
            self.update_all(grid);
        } else if self.version != grid.version() {
            self.update_changes(grid);
        }
        (self.grid, self.version) = (grid.id(), grid.version());
    }

    fn update_all(&mut self, grid: &CostGrid) {
        let len = grid.entry_units().len();
        self.cells.clear();
        self.cells.resize(len, JumpCell::BLOCKED);
        self.turns.clear();
        self.turns.resize(len, [0; 8]);
        for cell in grid.size().cells() {
            self.update_steps(grid, grid.index(cell));
        }
        for cell in grid.size().cells() {
            self.update_turns(grid, grid.index(cell));
        }
        // A run is a step longer than the one from its second cell.
        let offsets = offsets(grid.stride());
        let inside = grid.stride() + 1..len - grid.stride() - 1;
        for at in inside.clone() {
            self.update_run(at, Direction::N, &offsets);
            self.update_run(at, Direction::W, &offsets);
        }
        for at in inside.rev() {
            self.update_run(at, Direction::S, &offsets);
            self.update_run(at, Direction::E, &offsets);
        }
    }

    fn update_changes(&mut self, grid: &CostGrid) {
        let version = self.version;
        let around = |reach: i32| {
            let square = move || (-reach..=reach).flat_map(move |dy| (-reach..=reach).map(move |dx| (dx, dy)));
            let changes = grid.changes_since(version).into_iter().flatten();
            let cells = changes.flat_map(move |change| square().map(move |offset| change.cell + offset));
            cells.filter(|&cell| grid.size().contains(cell)).map(|cell| grid.index(cell))
        };
        around(REACH).for_each(|at| self.cells[at].is_stale = true);
        around(1).for_each(|at| self.update_steps(grid, at));
        for at in around(REACH) {
            if self.cells[at].is_stale {
                self.cells[at].is_stale = false;
                self.update_turns(grid, at);
            }
        }
        let offsets = offsets(grid.stride());
        for (at, direction) in around(REACH).flat_map(|at| Direction::SIDES.map(|direction| (at, direction))) {
            self.update_run(at, direction, &offsets);
            // The runs that pass through the cell, or stop in it.
            let back = -offsets[direction as usize];
            let mut before = at.wrapping_add_signed(back);
            while self.update_run(before, direction, &offsets) {
                before = before.wrapping_add_signed(back);
            }
        }
    }

    /// Updates the cost of a cell, and the steps that are possible from it.
    fn update_steps(&mut self, grid: &CostGrid, at: usize) {
        let units = grid.entry_units()[at];
        let cell = &mut self.cells[at];
        (cell.units, cell.is_slope) = (units, grid.heights().is_some_and(|heights| is_slope(grid, heights, at)));
        cell.steps = match HillSteps::new(grid, RULES) {
            _ if units == 0 => 0,
            Some(steps) if cell.is_slope => steps.possible(at),
            _ => Neighbourhood::new(grid, at).possible_steps(),
        };
    }

    /// Updates the turns and the stops at a cell. The costs and steps of those around it are up to date.
    fn update_turns(&mut self, grid: &CostGrid, at: usize) {
        let turns = match HillSteps::new(grid, RULES) {
            _ if self.cells[at].units == 0 => Turns { after: [0; 8], stops: !0 },
            Some(steps) if self.cells[at].is_slope => {
                hill_turns::turns(grid, steps, |from, direction| self.cells[from].may_step(direction), at)
            }
            _ => Neighbourhood::new(grid, at).turns(),
        };
        (self.turns[at], self.cells[at].stops) = (turns.after, turns.stops);
    }

    /// Computes a straight run from that of the next cell, and returns whether that changes it.
    fn update_run(&mut self, at: usize, direction: Direction, offsets: &[isize; 8]) -> bool {
        let run = if self.cells[at].may_step(direction as usize) {
            let next = &self.cells[at.wrapping_add_signed(offsets[direction as usize])];
            if next.stops(direction) { Run::ONE_STEP } else { Run(next.run(direction).0 + Run::ONE_STEP.0) }
        } else {
            Run::NONE
        };
        std::mem::replace(&mut self.cells[at].runs[direction as usize / 2], run) != run
    }
}

/// The rules for which there are jump points.
const RULES: StepRules = StepRules { moves: Moves::Eight, corners: Corners::Never };

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::grid::{Cell, Size};
    use crate::{ClimbRule, Diagonal, EntryCost, Level};

    /// After edits, everything is as if it had been made for the grid as it is now.
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
            points.update(&grid);
            for _ in 0..10 {
                for _ in 0..rng.u8(1..6) {
                    let cell = Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
                    if rng.u8(..3) == 0 {
                        grid.set_level(cell, Level::new(rng.u8(..3)).unwrap());
                    } else {
                        grid.set(cell, any_cost(&mut rng));
                    }
                }
                points.update(&grid);
                let mut new = JumpPoints::default();
                new.update(&grid);
                assert_eq!(points.cells, new.cells, "seed {seed}");
                assert_eq!(points.turns, new.turns, "seed {seed}");
            }
        }
    }

    /// Where all cells around are on one level, the rules for slopes and those for level ground leave out the same turns.
    #[test]
    fn the_rules_for_slopes_hold_on_level_ground_too() {
        for seed in 0..100 {
            let mut rng = Rng::with_seed(seed);
            let any_cost = |rng: &mut Rng| EntryCost::from_tiles(*rng.choice(&[0.0, 1.0, 1.0, 1.5, 3.0]).unwrap()).ok();
            let mut grid = CostGrid::from_fn(Size::new(9, 9), Diagonal::SQRT_2, |_| any_cost(&mut rng)).unwrap();
            grid.set_levels(ClimbRule::default(), |cell| if cell.x == 8 { Level::MAX } else { Level::GROUND });
            let mut points = JumpPoints::default();
            points.update(&grid);
            let Some(steps) = HillSteps::new(&grid, RULES) else { panic!("a raised column") };
            for cell in grid.size().cells().filter(|&cell| cell.x < 7 && grid.is_passable(cell)) {
                let at = grid.index(cell);
                let may_step = |from: usize, direction| points.cells[from].may_step(direction);
                let by_slopes = hill_turns::turns(&grid, steps, may_step, at);
                for direction in Direction::ALL {
                    let before = at.wrapping_add_signed(-offsets(grid.stride())[direction as usize]);
                    if points.cells[before].may_step(direction as usize) {
                        let after = points.turns[at][direction as usize] & points.cells[at].steps;
                        let by_slopes = by_slopes.after[direction as usize];
                        assert_eq!(by_slopes & !after, 0, "seed {seed}, {cell}, {direction:?}");
                    }
                }
            }
        }
    }
}
