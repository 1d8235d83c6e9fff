//! Tables with the distances between every cell and the landmarks, in two bytes each, nearly all of them exact.
//!
//! A distance across a map needs more than two bytes, but within a block of 8 x 8 cells distances differ by little. So
//! a block stores the smallest distance of each landmark in it, and each cell stores the difference to that, in steps
//! that are as fine as the block allows. Exactness matters: where many routes have the same cost, a search follows one
//! of them if the bounds are exact, and looks at all of them if some bounds are slightly too low.
//! `docs/src/pathfinder/design.md` in the repository has the measurements.
//!
//! Memory: 64 bytes per cell, which is a cache line, and 2 per cell for its block. Writing all distances of a landmark
//! takes O(cells).

use std::ops::Range;

use crate::CostGrid;
use crate::cost::cost_grid::capacity_bytes;

/// The number of tables: one for each landmark, or two. With a flag, the distances of a cell fill a cache line.
pub(crate) const MAX_TABLES: usize = 31;
/// The length of a cache line.
pub(crate) const LINE_LEN: usize = MAX_TABLES + 1;
/// The largest number of steps, which also stands for all larger ones and for "unreachable".
const SATURATED: u16 = u16::MAX;
/// The side of a block in cells, as a power of two.
const BLOCK_SIDE_LOG2: u32 = 3;
/// The side of a block in cells.
const BLOCK_SIDE: usize = 1 << BLOCK_SIDE_LOG2;
/// The number of cells of a block.
pub(crate) const BLOCK_CELLS: usize = BLOCK_SIDE * BLOCK_SIDE;
/// The largest step, as a power of two: all distances of a block then fit in an `i32`.
const MAX_SHIFT: u32 = 12;
/// The largest value of the smallest distance in a block.
const MAX_BASE: i32 = 1 << 28;

/// All distances from this one on saturate, whatever the base and the step.
const TOO_FAR: i32 = 1 << 30;
/// The distance of a cell that is unreachable.
const UNREACHED: i32 = i32::MAX;

/// The distances of a cell: for each landmark the difference to the smallest distance in the block, in the steps of the
/// block, rounded down. The last number is not 0 if nothing is known about the cell.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([u16; LINE_LEN]);

impl Line {
    const ZERO: Self = Self([0; LINE_LEN]);
}

/// Larger than every distance, and safe to add to a distance or to subtract from one.
pub(crate) const INFINITE: i32 = 1 << 29;
/// A distance with these bits is above every other one.
const FAR: i32 = 2 * INFINITE - 1;

/// A distance for each landmark, in units of the tables, and one number more.
pub(crate) type DistanceByTable = [i32; LINE_LEN];

/// The common part of the distances of a block of cells, in units of the tables: two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct DistanceBlock {
    /// The smallest distance in the block, for each landmark. The last number contains the [step](Self::shift), and
    /// flags.
    min: DistanceByTable,
}

impl DistanceBlock {
    const ZERO: Self = Self { min: [0; LINE_LEN] };
    /// The flag that distances were rounded to whole steps.
    const IS_ROUNDED: i32 = 1 << 8;

    /// A step is `2^shift`.
    #[inline(always)]
    fn shift(&self) -> u32 {
        (self.min[MAX_TABLES] & 0xff) as u32
    }

    /// The largest amount by which a distance may exceed its line, which was rounded to whole steps.
    #[inline(always)]
    fn max_error(&self) -> i32 {
        if self.min[MAX_TABLES] & Self::IS_ROUNDED != 0 { (1 << self.shift()) - 1 } else { 0 }
    }

    /// Whether a cell without a distance may be too far away instead of unreachable.
    fn may_be_too_far(&self) -> bool {
        self.shift() == MAX_SHIFT
    }

    fn set_shift(&mut self, shift: u32) {
        self.min[MAX_TABLES] = self.min[MAX_TABLES] & !0xff | shift as i32;
    }

    fn set_rounded(&mut self) {
        self.min[MAX_TABLES] |= Self::IS_ROUNDED;
    }
}

/// The smallest multiple of all steps that is not below `distance`.
fn multiple_from(distance: i32) -> i32 {
    (distance + (1 << MAX_SHIFT) - 1) >> MAX_SHIFT << MAX_SHIFT
}

/// The largest amount by which a distance of the line is above `upper`, and the largest amount by which
/// one is below `lower`; 0 if none is.
///
/// A separate function with plain loops over plain numbers: here these become vector instructions, in a larger function
/// they did not.
#[inline(never)]
fn differences(line: &Line, block: &DistanceBlock, lower: &DistanceByTable, upper: &DistanceByTable) -> (i32, i32) {
    let shift = block.shift() % i32::BITS;
    let mut distances = [0; LINE_LEN];
    for ((distance, min), &steps) in distances.iter_mut().zip(&block.min).zip(&line.0) {
        *distance = min + (i32::from(steps) << shift);
    }
    let (mut above, mut below) = (0, 0);
    for (distance, upper) in distances.iter().zip(upper) {
        above = above.max(distance - upper);
    }
    for ((distance, lower), &steps) in distances.iter().zip(lower).zip(&line.0) {
        let has_no_bound = if steps == SATURATED { FAR } else { 0 };
        below = below.max(lower - (distance | has_no_bound));
    }
    (above, below)
}

/// The distances between every cell of a grid and the landmarks.
#[derive(Clone, Debug)]
pub(crate) struct DistanceTables {
    /// By the grid's index.
    lines: Vec<Line>,
    blocks: Vec<DistanceBlock>,
    /// The length of a line of the grid's array.
    stride: usize,
    /// The number of blocks side by side.
    block_columns: usize,
    /// Whether a table has distances in one direction only; they
    /// [alternate](super::landmark_target::leads_to_landmark).
    pub(crate) are_directed: bool,
    /// A unit of the tables is `2^unit_shift` units of the distances that are written.
    pub(crate) unit_shift: u32,
    /// For each landmark, the largest amount by which a distance may exceed its whole units.
    rounding: [i32; MAX_TABLES],
}

impl DistanceTables {
    /// Creates tables whose distances are all 0, so that they bound nothing. O(cells).
    pub(crate) fn new(grid: &CostGrid) -> Self {
        let (len, block_columns, block_rows) = Self::measures(grid);
        Self {
            lines: vec![Line::ZERO; len],
            blocks: vec![DistanceBlock::ZERO; block_columns * block_rows],
            stride: grid.stride(),
            block_columns,
            are_directed: !grid.is_flat(),
            unit_shift: 0,
            rounding: [0; MAX_TABLES],
        }
    }

    /// Chooses units for distances below about `max_distance`, before any is written. Larger distances saturate.
    pub(crate) fn set_max_distance(&mut self, max_distance: u64) {
        self.unit_shift = (max_distance / MAX_BASE as u64).checked_ilog2().map_or(0, |log| log + 1);
    }

    /// How many lines there are for a grid, how many blocks lie side by side, and above one another.
    fn measures(grid: &CostGrid) -> (usize, usize, usize) {
        let (columns, rows) = (grid.stride(), grid.entry_units().len() / grid.stride());
        let [block_columns, block_rows] = [columns, rows].map(|cells| (cells >> BLOCK_SIDE_LOG2) + 1);
        (columns * rows, block_columns, block_rows)
    }

    /// How many bytes the tables of a grid take.
    pub(crate) fn bytes_for(grid: &CostGrid) -> usize {
        let (len, block_columns, block_rows) = Self::measures(grid);
        len * size_of::<Line>() + block_columns * block_rows * size_of::<DistanceBlock>()
    }

    /// How many bytes the tables take.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.lines) + capacity_bytes(&self.blocks)
    }

    /// How many rows of blocks the tables have, and how many cells lie in one of them.
    pub(crate) fn block_rows(&self) -> (usize, usize) {
        (self.blocks.len() / self.block_columns, self.stride * BLOCK_SIDE)
    }

    /// The indices of a cell and of its block, by its place in the grid's array, which includes the border.
    #[inline(always)]
    pub(crate) fn place(&self, x: usize, y: usize) -> (usize, usize) {
        (y * self.stride + x, (y >> BLOCK_SIDE_LOG2) * self.block_columns + (x >> BLOCK_SIDE_LOG2))
    }

    fn block_of(&self, at: usize) -> &DistanceBlock {
        let (_, block) = self.place(at % self.stride, at / self.stride);
        &self.blocks[block]
    }

    /// The largest error of the difference of two distances of a landmark because both were rounded to whole
    /// units, without the [errors](DistanceBlock::max_error) of their blocks.
    pub(crate) fn rounding(&self, landmark: usize) -> i32 {
        self.rounding[landmark]
    }

    /// A lower bound on how much the distance from some landmark of the cell in this place is above `upper` or
    /// below `lower`; `None` if nothing is known of it. The last number of `lower` and `upper` must be [`INFINITE`], in
    /// `lower` negative.
    #[inline(always)]
    pub(crate) fn largest_difference(
        &self,
        (at, block): (usize, usize),
        lower: &DistanceByTable,
        upper: &DistanceByTable,
    ) -> Option<i32> {
        let (line, block) = (&self.lines[at], &self.blocks[block]);
        if line.0[MAX_TABLES] != 0 {
            return None;
        }
        let (above, below) = differences(line, block, lower, upper);
        Some(above.max(below - block.max_error()))
    }

    /// A lower and an upper bound on the distance of a cell from a landmark; `None` if it is unreachable from
    /// there, or too far.
    pub(crate) fn distance(&self, at: usize, landmark: usize) -> Option<(i32, i32)> {
        let (block, steps) = (self.block_of(at), self.lines[at].0[landmark]);
        let lower = block.min[landmark] + (i32::from(steps) << block.shift());
        (steps != SATURATED).then(|| (lower, lower + block.max_error()))
    }

    /// Lower and upper bounds on the distances of a cell, which must not be [unknown](Self::is_unknown), from
    /// all landmarks. The upper bound is [`INFINITE`] where the cell is unreachable or too far.
    pub(crate) fn distances(&self, at: usize) -> (DistanceByTable, DistanceByTable) {
        let (block, line) = (self.block_of(at), &self.lines[at]);
        let (mut lower, mut upper) = ([0; LINE_LEN], [INFINITE; LINE_LEN]);
        for k in 0..MAX_TABLES {
            lower[k] = block.min[k] + (i32::from(line.0[k]) << block.shift());
            if line.0[k] != SATURATED {
                upper[k] = lower[k] + block.max_error();
            }
        }
        (lower, upper)
    }

    /// Whether nothing is known of the distances of a cell.
    pub(crate) fn is_unknown(&self, at: usize) -> bool {
        self.lines[at].0[MAX_TABLES] != 0
    }

    /// Flags the distances of a cell as unknown.
    pub(crate) fn set_unknown(&mut self, at: usize) {
        self.lines[at].0[MAX_TABLES] = 1;
    }

    /// Flags the distances of a cell as known.
    pub(crate) fn set_known(&mut self, at: usize) {
        self.lines[at].0[MAX_TABLES] = 0;
    }

    /// Flags the distances of all cells as known.
    pub(crate) fn clear_unknown(&mut self) {
        self.lines.iter_mut().for_each(|line| line.0[MAX_TABLES] = 0);
    }

    /// Writes the distances of landmarks from the cells of these rows of blocks. Each has a function that gives them by
    /// the grid's index, and `None` for unreachable cells.
    pub(crate) fn write<D: Fn(usize) -> Option<u64>>(
        &mut self,
        block_rows: Range<usize>,
        landmarks: &[(usize, D)],
        grid: &CostGrid,
    ) {
        for &(landmark, _) in landmarks {
            self.rounding[landmark] = i32::from(grid.step_trailing_zeros() < self.unit_shift);
        }
        for block in block_rows.start * self.block_columns..block_rows.end * self.block_columns {
            // All landmarks of a block at a time, while its lines are in the cache.
            landmarks.iter().for_each(|(landmark, distance)| self.write_block(block, *landmark, distance));
        }
    }

    /// Writes the distances of a landmark from the cells of a block.
    fn write_block(&mut self, number: usize, landmark: usize, distance: impl Fn(usize) -> Option<u64>) {
        let mut distances = [UNREACHED; BLOCK_CELLS];
        for (slot, at) in distances.iter_mut().zip(self.cells_of(number)) {
            if let Some(distance) = distance(at) {
                *slot = self.table_units(distance);
            }
        }
        self.store(number, landmark, &distances, None);
    }

    /// A distance in units of the tables.
    fn table_units(&self, distance: u64) -> i32 {
        (distance >> self.unit_shift).min(TOO_FAR as u64) as i32
    }

    /// A lower and an upper bound, in units, on the distance of a cell from a landmark. The lower bound of a cell that
    /// is unreachable or unknown is `u64::MAX`, and the upper one also if the cell is too far away.
    pub(crate) fn range(&self, at: usize, landmark: usize) -> (u64, u64) {
        let (line, block) = (&self.lines[at], self.block_of(at));
        let steps = line.0[landmark];
        let lower = block.min[landmark] + (i32::from(steps) << block.shift());
        let in_units = |distance: i32| (distance.max(0) as u64) << self.unit_shift;
        if line.0[MAX_TABLES] != 0 || steps == SATURATED && !block.may_be_too_far() {
            (u64::MAX, u64::MAX)
        } else if steps == SATURATED {
            (in_units(lower), u64::MAX)
        } else {
            (in_units(lower), in_units(lower + block.max_error() + self.rounding[landmark]))
        }
    }

    /// Notes that a landmark gets distances that are sums of steps on this grid, in addition to the distances that it
    /// has.
    pub(crate) fn add_rounding(&mut self, landmark: usize, grid: &CostGrid) {
        self.rounding[landmark] |= i32::from(grid.step_trailing_zeros() < self.unit_shift);
    }

    /// Lowers the distances of a landmark from the cells of a block to the given ones, in units, where these are lower.
    /// Cells that are unknown and get no distance become unreachable.
    pub(crate) fn lower_block(&mut self, number: usize, landmark: usize, lowered: impl Fn(usize) -> Option<u64>) {
        let mut distances = [UNREACHED; BLOCK_CELLS];
        let block = &self.blocks[number];
        let mut anchor = block.may_be_too_far().then_some(block.min[landmark]);
        for (slot, at) in distances.iter_mut().zip(self.cells_of(number)) {
            let steps = self.lines[at].0[landmark];
            if steps != SATURATED && !self.is_unknown(at) {
                *slot = block.min[landmark] + (i32::from(steps) << block.shift());
                anchor = Some(block.min[landmark]);
            }
            if let Some(distance) = lowered(at).filter(|&distance| distance < self.range(at, landmark).0) {
                *slot = self.table_units(distance);
            }
        }
        self.store(number, landmark, &distances, anchor);
    }

    /// The number of the block that a cell is in.
    pub(crate) fn block_number(&self, at: usize) -> usize {
        self.place(at % self.stride, at / self.stride).1
    }

    /// Stores the distances of a landmark from the cells of a block, in units of the tables. Where the block has
    /// distances that may have been rounded already, `anchor` is the smallest of them before. Rounding them again loses
    /// nothing, because all steps divide the difference between that and the new smallest distance.
    fn store(&mut self, number: usize, landmark: usize, distances: &[i32; BLOCK_CELLS], anchor: Option<i32>) {
        let (mut min, mut max) = (UNREACHED, i32::MIN);
        for &distance in distances.iter().filter(|&&distance| distance != UNREACHED) {
            (min, max) = (min.min(distance), max.max(distance));
        }
        let base = match anchor {
            Some(anchor) => anchor - multiple_from(anchor.saturating_sub(min).max(0)),
            None if min == UNREACHED => 0,
            None => min.min(MAX_BASE),
        };
        let range = (max.max(base) - base) as u32;
        let needed = (range / u32::from(SATURATED)).checked_ilog2().map_or(0, |log| log + 1);
        let coarser = needed.min(MAX_SHIFT).saturating_sub(self.blocks[number].shift());
        let mut lost_bits = if coarser > 0 { self.make_coarser(number, coarser) } else { 0 };
        let shift = self.blocks[number].shift() + coarser;
        for (&distance, at) in distances.iter().zip(self.cells_of(number)) {
            self.lines[at].0[landmark] = match distance {
                UNREACHED => SATURATED,
                distance => {
                    lost_bits |= ((distance - base) & ((1 << shift) - 1)) as u32;
                    ((distance - base) >> shift).min(SATURATED.into()) as u16
                }
            };
        }
        let block = &mut self.blocks[number];
        block.set_shift(shift);
        block.min[landmark] = base;
        if lost_bits != 0 {
            block.set_rounded();
        }
    }

    /// Iterates over the cells of a block, row by row.
    fn cells_of(&self, number: usize) -> impl Iterator<Item = usize> + use<> {
        let left = (number % self.block_columns) << BLOCK_SIDE_LOG2;
        let top = (number / self.block_columns) << BLOCK_SIDE_LOG2;
        let (stride, rows) = (self.stride, self.lines.len() / self.stride);
        let columns = left..(left + BLOCK_SIDE).min(stride);
        (top..(top + BLOCK_SIDE).min(rows))
            .flat_map(move |row| columns.clone().map(move |column| row * stride + column))
    }

    /// Converts the numbers of all landmarks of a block to steps that are `2^coarser` times as large, and returns the
    /// bits that got lost.
    #[cold]
    fn make_coarser(&mut self, number: usize, coarser: u32) -> u32 {
        let mut lost_bits = 0;
        for at in self.cells_of(number) {
            for steps in self.lines[at].0[..MAX_TABLES].iter_mut().filter(|steps| **steps != SATURATED) {
                lost_bits |= u32::from(*steps) & ((1 << coarser) - 1);
                *steps >>= coarser;
            }
        }
        lost_bits
    }
}
