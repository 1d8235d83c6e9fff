//! Regions of cheap cells: boxes around the few cells that are cheaper than all other cells of a grid.
//!
//! [`CheapRegionBounds`] turns them into lower bounds that stay high although a few cells are very cheap.
//!
//! The minimum cost of each block of 16 x 16 cells is kept, so that an update looks only at blocks that changed and at
//! blocks with cheap cells. It takes O(changes), and O(cells) for another grid or after more changes than the grid
//! remembers. Memory: four bytes per block, and twelve for each of up to 2048 cheap cells.

use crate::Moves;
use crate::bounds::cell_box::CellBox;
use crate::bounds::cheap_region_bounds::{CheapRegionBounds, MAX_REGIONS};
use crate::cost::changes::MAX_REMEMBERED;
use crate::grid::{Cell, Size};
use crate::search::cell_set::CellSet;
use crate::{CostGrid, EntryCost, Stamp};

/// The limits of few cells, for each level: up to this many cells may be cheaper than the usual cost.
const FEW_CELLS: [u32; 3] = [128, 512, 2048];
/// If the cells lie in more regions than this before any are merged, the level is not used: merging would take too
/// long.
const MAX_REGIONS_UNMERGED: usize = 24;
/// The side of the blocks in cells.
const BLOCK_SIDE: usize = 16;

/// The lowest cost of a grid without its cheapest cells, and the regions with all cells that are cheaper.
#[derive(Clone, Debug, Default)]
struct CostLevel {
    usual_cost: u32,
    /// With their margins.
    regions: Vec<CellBox>,
}

/// The regions of cheap cells of one grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheapRegions {
    stamp: Stamp,
    /// The minimum cost in each block, row by row; `u32::MAX` where all cells are blocked.
    block_min: Vec<u32>,
    /// The blocks in which cells changed; only used during an update.
    stale_blocks: CellSet,
    /// The cheap cells with their costs; only used during an update.
    cheap: Vec<(u32, Cell)>,
    levels: [CostLevel; FEW_CELLS.len()],
}

impl CheapRegions {
    /// Catches up with the current grid: O(changes), and O(cells) for another grid or after more changes than it
    /// remembers.
    pub(crate) fn update(&mut self, grid: &CostGrid) {
        if self.stamp == grid.stamp() {
            return;
        }
        let columns = (grid.size().width as usize).div_ceil(BLOCK_SIDE);
        if let Some(changes) = grid.changes_since(self.stamp) {
            for change in changes {
                let block = change.cell.y as usize / BLOCK_SIDE * columns + change.cell.x as usize / BLOCK_SIDE;
                self.stale_blocks.insert(block);
            }
            for block in self.stale_blocks.iter() {
                self.block_min[block] = min_cost_in(grid, block, columns);
            }
            self.stale_blocks.clear();
        } else {
            let rows = (grid.size().height as usize).div_ceil(BLOCK_SIDE);
            self.stale_blocks.begin(columns * rows, MAX_REMEMBERED);
            self.cheap.reserve(FEW_CELLS[FEW_CELLS.len() - 1] as usize);
            self.levels.iter_mut().for_each(|level| level.regions.reserve(MAX_REGIONS_UNMERGED));
            self.block_min.clear();
            self.block_min.extend((0..columns * rows).map(|block| min_cost_in(grid, block, columns)));
        }
        self.stamp = grid.stamp();
        self.find_levels(grid, columns);
    }

    /// Finds the usual cost and the regions of each level.
    fn find_levels(&mut self, grid: &CostGrid, columns: usize) {
        for (level, few) in self.levels.iter_mut().zip(FEW_CELLS) {
            level.regions.clear();
            level.usual_cost = grid.min_units_ignoring(few);
        }
        let highest = self.levels.last().map_or(0, |level| level.usual_cost);
        if grid.min_cost().is_none_or(|min_cost| min_cost.units() >= highest) {
            return;
        }
        self.cheap.clear();
        for (block, _) in self.block_min.iter().enumerate().filter(|&(_, &min_cost)| min_cost < highest) {
            let cells = cells_of(grid.size(), block, columns);
            let cells = cells.map(|cell| (grid.entry_units()[grid.index(cell)], cell));
            self.cheap.extend(cells.filter(|&(units, _)| units != 0 && units < highest));
        }
        for k in 0..self.levels.len() {
            let usual_cost = self.levels[k].usual_cost;
            if k > 0 && self.levels[k - 1].usual_cost == usual_cost {
                continue;
            }
            let regions = &mut self.levels[k].regions;
            let mut cells = self.cheap.iter().filter(|&&(units, _)| units < usual_cost);
            if !cells.all(|&(_, cell)| add_cell(regions, cell)) {
                regions.clear();
            }
            merge(regions);
            regions.iter_mut().for_each(|region| *region = region.with_margin());
        }
    }

    /// The bounds on the cost to `goal` that are highest for `start`: by the minimum cost of the grid alone, or
    /// by the regions of one of the levels. The bounds are the same in both directions.
    pub(crate) fn bounds(&self, grid: &CostGrid, moves: Moves, start: Cell, goal: Cell) -> CheapRegionBounds {
        debug_assert_eq!(self.stamp, grid.stamp(), "the regions are up to date");
        let min_cost = grid.min_cost().map_or(0, EntryCost::units);
        let mut best = CheapRegionBounds::new(grid, moves, min_cost, &[], goal);
        for level in self.levels.iter().filter(|level| !level.regions.is_empty()) {
            let bounds = CheapRegionBounds::new(grid, moves, level.usual_cost, &level.regions, goal);
            if bounds.lower_bound(start) > best.lower_bound(start) {
                best = bounds;
            }
        }
        best
    }
}

/// The cells of a block.
fn cells_of(size: Size, block: usize, columns: usize) -> impl Iterator<Item = Cell> {
    let range = |at: usize, side: u32| (at * BLOCK_SIDE) as i32..((at + 1) * BLOCK_SIDE).min(side as usize) as i32;
    let (xs, ys) = (range(block % columns, size.width), range(block / columns, size.height));
    ys.flat_map(move |y| xs.clone().map(move |x| Cell::new(x, y)))
}

/// The minimum cost in a block; `u32::MAX` if all of it is blocked.
fn min_cost_in(grid: &CostGrid, block: usize, columns: usize) -> u32 {
    let Size { width, height } = grid.size();
    let (x, y) = (block % columns * BLOCK_SIDE, block / columns * BLOCK_SIDE);
    let (len, rows) = (BLOCK_SIDE.min(width as usize - x), BLOCK_SIDE.min(height as usize - y));
    let mut min_cost = u32::MAX;
    for row in y..y + rows {
        let from = grid.index(Cell::new(x as i32, row as i32));
        // One is subtracted so that 0, which is blocked, becomes the largest number.
        let units = grid.entry_units()[from..from + len].iter().map(|units| units.wrapping_sub(1));
        min_cost = units.fold(min_cost, u32::min);
    }
    min_cost.saturating_add(1)
}

/// Adds a cell to the first region that it is near, or as a new region; returns `false` if there are too many.
fn add_cell(regions: &mut Vec<CellBox>, cell: Cell) -> bool {
    let cell = CellBox::of(cell);
    if let Some(region) = regions.iter_mut().find(|region| region.is_near(cell)) {
        *region = region.union(cell);
        return true;
    }
    if regions.len() < MAX_REGIONS_UNMERGED {
        regions.push(cell);
        return true;
    }
    false
}

/// Merges regions that are near each other. Then merges the two whose common box grows least until no more than
/// [`MAX_REGIONS`] are left.
fn merge(regions: &mut Vec<CellBox>) {
    loop {
        let pairs = (1..regions.len()).flat_map(|k| (0..k).map(move |other| (k, other)));
        let growth = |&(one, other): &(usize, usize)| {
            let (one, other): (CellBox, CellBox) = (regions[one], regions[other]);
            (!one.is_near(other), one.union_growth(other))
        };
        let Some((k, other)) = pairs.min_by_key(growth) else { return };
        if !regions[k].is_near(regions[other]) && regions.len() <= MAX_REGIONS {
            return;
        }
        let removed = regions.swap_remove(k);
        regions[other] = regions[other].union(removed);
    }
}
