//! Spots: the few places that are cheaper than all the rest of the grid, and a heuristic that stays strong beside them.
//!
//! The distance to the goal, counted at the cheapest entry cost, says little as soon as one cell of the grid is ten times
//! as cheap as the others: a search then looks at nearly all of it. But only ways through such cells are that cheap. Let
//! the cheap cells lie in boxes, each with a margin of one cell, and let all other cells cost at least `m`. A step into a
//! cheap cell then begins and ends in one box, and every other step costs at least `m`. So a way either enters no cheap
//! cell, and costs at least its length at `m`; or it first comes to some box, at `m`, is there for nothing, and goes on
//! from there to the goal, through other boxes perhaps. The least of these bounds is never above the cost of a way, and
//! no step lowers it by more than the step costs.

use crate::bounds::heuristic::{Estimate, Linear};
use crate::cost::cost_grid::REMEMBERED;
use crate::grid::{Cell, Size};
use crate::search::steps::Moves;
use crate::{CostGrid, EntryCost};

/// What counts as few cells: up to so many, and the usual cost is that of the next.
const FEW: [u32; 3] = [128, 512, 2048];
/// So many spots are told apart, at most: each takes time at every cell that a search looks at.
const MOST_SPOTS: usize = 8;
/// Cells in more spots than this are not worth the time to tell which to put together.
const MOST_AT_FIRST: usize = 24;
/// Cells of one spot are at most so far apart, in columns and in rows.
const APART: u32 = 4;
/// The side of the blocks by which cheap cells are found, in cells.
const BLOCK: usize = 16;
/// What is known of a block before it is looked at.
const UNKNOWN: u32 = 0;

/// A box of cells, both corners included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) least: Cell,
    pub(crate) most: Cell,
}

impl Spot {
    pub(crate) fn of(cell: Cell) -> Self {
        Self { least: cell, most: cell }
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            least: Cell::new(self.least.x.min(other.least.x), self.least.y.min(other.least.y)),
            most: Cell::new(self.most.x.max(other.most.x), self.most.y.max(other.most.y)),
        }
    }

    /// With all cells around it.
    pub(crate) fn with_margin(self) -> Self {
        Self { least: self.least + (-1, -1), most: self.most + (1, 1) }
    }

    /// The columns and the rows between the two; 0 where they overlap.
    #[inline(always)]
    pub(crate) fn apart(self, other: Self) -> (u32, u32) {
        let gap = |least: i32, most: i32| (least - most).max(0);
        let columns = gap(self.least.x, other.most.x).max(gap(other.least.x, self.most.x));
        let rows = gap(self.least.y, other.most.y).max(gap(other.least.y, self.most.y));
        (columns as u32, rows as u32)
    }

    /// Whether the two count as one.
    pub(crate) fn is_near(self, other: Self) -> bool {
        let (columns, rows) = self.apart(other);
        columns.max(rows) <= APART
    }

    /// By how much a box around both is longer and wider than the two.
    pub(crate) fn growth(self, other: Self) -> i32 {
        let girth = |spot: Self| spot.most.x - spot.least.x + spot.most.y - spot.least.y;
        girth(self.with(other)) - girth(self) - girth(other)
    }
}

/// The usual cost, and the spots that are cheaper; with their margins.
#[derive(Clone, Debug, Default)]
struct Level {
    usual: u32,
    spots: Vec<Spot>,
}

/// The spots of one grid as it is now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spots {
    grid: u64,
    version: u64,
    /// The cheapest cost in each block, row by row; `u32::MAX` where all is blocked.
    least: Vec<u32>,
    /// The blocks in which cells changed.
    stale: Vec<u32>,
    cheap: Vec<(u32, Cell)>,
    levels: [Level; FEW.len()],
}

impl Spots {
    /// Catches up with the grid as it is now: O(changes), and O(cells) for another grid or after more changes than it
    /// remembers.
    pub(crate) fn update(&mut self, grid: &CostGrid) {
        if (self.grid, self.version) == (grid.id(), grid.version()) {
            return;
        }
        let columns = (grid.size().width as usize).div_ceil(BLOCK);
        let changes = grid.changes_since(self.version).filter(|_| self.grid == grid.id());
        if let Some(changes) = changes {
            for change in changes {
                let block = change.cell.y as usize / BLOCK * columns + change.cell.x as usize / BLOCK;
                if std::mem::replace(&mut self.least[block], UNKNOWN) != UNKNOWN {
                    self.stale.push(block as u32);
                }
            }
            while let Some(block) = self.stale.pop() {
                self.least[block as usize] = cheapest_in(grid, block as usize, columns);
            }
        } else {
            let rows = (grid.size().height as usize).div_ceil(BLOCK);
            self.stale.reserve(REMEMBERED);
            self.cheap.reserve(FEW[FEW.len() - 1] as usize);
            self.levels.iter_mut().for_each(|level| level.spots.reserve(MOST_AT_FIRST));
            self.least.clear();
            self.least.extend((0..columns * rows).map(|block| cheapest_in(grid, block, columns)));
        }
        (self.grid, self.version) = (grid.id(), grid.version());
        self.find(grid, columns);
    }

    /// Finds the levels, and the spots of each.
    fn find(&mut self, grid: &CostGrid, columns: usize) {
        for (level, few) in self.levels.iter_mut().zip(FEW) {
            level.spots.clear();
            level.usual = grid.usual(few);
        }
        let usual = self.levels.last().map_or(0, |level| level.usual);
        if grid.min_cost().is_none_or(|cheapest| cheapest.units() >= usual) {
            return;
        }
        self.cheap.clear();
        for (block, _) in self.least.iter().enumerate().filter(|&(_, &least)| least < usual) {
            let cells = cells_of(grid.size(), block, columns);
            let cells = cells.map(|cell| (grid.stored()[grid.index(cell)], cell));
            self.cheap.extend(cells.filter(|&(units, _)| units != 0 && units < usual));
        }
        for k in 0..self.levels.len() {
            let usual = self.levels[k].usual;
            if k > 0 && self.levels[k - 1].usual == usual {
                continue;
            }
            let level = &mut self.levels[k].spots;
            let cells = self.cheap.iter().filter(|&&(units, _)| units < usual);
            if !cells.into_iter().all(|&(_, cell)| add(level, cell)) {
                level.clear();
            }
            join(level);
            level.iter_mut().for_each(|spot| *spot = spot.with_margin());
        }
    }

    /// The bounds on the ways to `goal`, at that level which says most about the way from `start`: the plain one, the
    /// distance at the cheapest cost, or one with spots. They are the same in both directions.
    pub(crate) fn bounds(&self, grid: &CostGrid, moves: Moves, start: Cell, goal: Cell) -> BesideSpots {
        debug_assert_eq!((self.grid, self.version), (grid.id(), grid.version()), "spots are of the grid as it is");
        let cheapest = grid.min_cost().map_or(0, EntryCost::units);
        let mut best = BesideSpots::new(grid, moves, cheapest, &[], goal);
        for level in self.levels.iter().filter(|level| !level.spots.is_empty()) {
            let beside = BesideSpots::new(grid, moves, level.usual, &level.spots, goal);
            if beside.from(start) > best.from(start) {
                best = beside;
            }
        }
        best
    }
}

/// The heuristic beside the spots of one level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BesideSpots {
    linear: Linear,
    goal: Cell,
    count: usize,
    spots: [(Spot, u64); MOST_SPOTS],
}

impl BesideSpots {
    /// For cells that cost `usual` at least, but in the boxes.
    fn new(grid: &CostGrid, moves: Moves, usual: u32, boxes: &[Spot], goal: Cell) -> Self {
        let linear = Linear::of_steps(grid, moves, usual);
        let mut spots = [(Spot::default(), 0); MOST_SPOTS];
        let count = boxes.len();
        let bound = |one: Spot, other: Spot| {
            let (columns, rows) = one.apart(other);
            linear.at(columns, rows)
        };
        for (entry, &spot) in spots.iter_mut().zip(boxes) {
            *entry = (spot, bound(spot, Spot::of(goal)));
        }
        // By way of other spots; each round settles one at least.
        for _ in 1..count {
            for (one, other) in (0..count).flat_map(|one| (0..count).map(move |other| (one, other))) {
                let past = bound(spots[one].0, spots[other].0) + spots[other].1;
                spots[one].1 = spots[one].1.min(past);
            }
        }
        Self { linear, goal, count, spots }
    }

    /// At most what the way from `cell` costs, and the way back, in units.
    #[inline(always)]
    pub(crate) fn from(&self, cell: Cell) -> u64 {
        let mut least = self.linear.at(cell.x.abs_diff(self.goal.x), cell.y.abs_diff(self.goal.y));
        for &(spot, rest) in &self.spots[..self.count] {
            let (columns, rows) = spot.apart(Spot::of(cell));
            least = least.min(self.linear.at(columns, rows) + rest);
        }
        least
    }

    /// Whether there are spots, or these are the plain bounds.
    pub(crate) fn has_spots(&self) -> bool {
        self.count > 0
    }

    /// By how much the bound of a cell is off at most from that of one so many straight steps away.
    pub(crate) fn of_straight_steps(&self, steps: u32) -> u64 {
        self.linear.at(steps, 0)
    }

    /// No bound is above this.
    pub(crate) fn most(&self, size: Size) -> u64 {
        self.linear.at(size.width, size.height)
    }
}

impl Estimate for BesideSpots {
    fn at(&self, columns: u32, rows: u32) -> u64 {
        self.linear.at(columns, rows)
    }

    #[inline(always)]
    fn of(&mut self, _: usize, cell: Cell, _: u32, _: u32) -> u64 {
        self.from(cell)
    }
}

/// The cells of a block.
fn cells_of(size: Size, block: usize, columns: usize) -> impl Iterator<Item = Cell> {
    let part = |at: usize, side: u32| (at * BLOCK) as i32..((at + 1) * BLOCK).min(side as usize) as i32;
    let (xs, ys) = (part(block % columns, size.width), part(block / columns, size.height));
    ys.flat_map(move |y| xs.clone().map(move |x| Cell::new(x, y)))
}

/// The cheapest cost in a block; `u32::MAX` if all of it is blocked.
fn cheapest_in(grid: &CostGrid, block: usize, columns: usize) -> u32 {
    let Size { width, height } = grid.size();
    let (x, y) = (block % columns * BLOCK, block / columns * BLOCK);
    let (len, rows) = (BLOCK.min(width as usize - x), BLOCK.min(height as usize - y));
    let mut least = u32::MAX;
    for row in y..y + rows {
        let from = grid.index(Cell::new(x as i32, row as i32));
        // One less, so that what is blocked is the most.
        let units = grid.stored()[from..from + len].iter().map(|units| units.wrapping_sub(1));
        least = units.fold(least, u32::min);
    }
    least.saturating_add(1)
}

/// Puts a cell into the spot that it is near, or into one of its own; `false` if there are too many.
fn add(spots: &mut Vec<Spot>, cell: Cell) -> bool {
    let cell = Spot::of(cell);
    if let Some(spot) = spots.iter_mut().find(|spot| spot.is_near(cell)) {
        *spot = spot.with(cell);
        return true;
    }
    if spots.len() < MOST_AT_FIRST {
        spots.push(cell);
        return true;
    }
    false
}

/// Makes one of spots that are near each other, and of those that then lie best together until few are left.
fn join(spots: &mut Vec<Spot>) {
    loop {
        let pairs = (1..spots.len()).flat_map(|k| (0..k).map(move |other| (k, other)));
        let growth = |&(one, other): &(usize, usize)| {
            let (one, other): (Spot, Spot) = (spots[one], spots[other]);
            (!one.is_near(other), one.growth(other))
        };
        let Some((k, other)) = pairs.min_by_key(growth) else { return };
        if !spots[k].is_near(spots[other]) && spots.len() <= MOST_SPOTS {
            return;
        }
        let taken = spots.swap_remove(k);
        spots[other] = spots[other].with(taken);
    }
}
