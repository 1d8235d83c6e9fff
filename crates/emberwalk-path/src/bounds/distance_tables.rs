//! Tables with the distances between every cell and the landmarks, in two bytes each, nearly all of them exact.
//!
//! A distance across a map needs more than two bytes, but within a block of 8 x 8 cells distances differ by little. So
//! a block stores the smallest distance of each landmark in it, and each cell stores the difference to that, in steps
//! that are as fine as the block allows. Exactness matters: where many routes have the same cost, a search follows one
//! of them if the bounds are exact, and looks at all of them if some bounds are slightly too low. `docs/design.md` in
//! the repository has the measurements.
//!
//! Memory: 64 bytes per cell, a line of the cache, and 4 per cell for its block. Writing all distances of a landmark takes O(cells).

use crate::CostGrid;

/// The maximum number of tables: one for each landmark, or two. With [the flag](ROW_LEN) a row fills a line of the cache.
pub(crate) const MAX_TABLES: usize = 31;
/// The length of a row: one number for each table, and one that is not 0 where the distances of a cell are unknown.
pub(crate) const ROW_LEN: usize = MAX_TABLES + 1;
/// The largest number in a row, which also stands for all larger ones and for "unreachable".
pub(crate) const SATURATED: u16 = u16::MAX;
/// The side of a block in cells, as a power of two.
const BLOCK_SIDE_LOG2: u32 = 3;
/// The number of cells along the side of a block.
const BLOCK_SIDE: usize = 1 << BLOCK_SIDE_LOG2;
/// The largest step, as a power of two: all distances of a block then fit in an `i32`.
const MAX_SHIFT: u32 = 12;
/// The largest value of the smallest distance in a block.
const MAX_BASE: u64 = 1 << 28;

/// The distances of one cell, each less the smallest one of that landmark in the block, in the block's steps, rounded
/// down.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct DistanceRow(pub(crate) [u16; ROW_LEN]);

/// Larger than every distance, and safe to add to a distance or to subtract from one.
pub(crate) const INFINITE: i32 = 1 << 29;

/// What the distances of a block of cells have in common, in units of the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DistanceBlock {
    /// The smallest distance in the block, for each landmark.
    pub(crate) min: [i32; MAX_TABLES],
    /// The largest distance in the block, for each landmark; [`INFINITE`] if it is too large for a row.
    pub(crate) max: [i32; MAX_TABLES],
    /// A step is `2^shift`.
    pub(crate) shift: u32,
    /// The largest amount by which a distance may exceed what its row says.
    pub(crate) max_error: i32,
}

/// The distances between every cell of a grid and the landmarks.
#[derive(Clone, Debug)]
pub(crate) struct DistanceTables {
    rows: Vec<DistanceRow>,
    blocks: Vec<DistanceBlock>,
    stride: usize,
    /// The number of blocks side by side.
    block_columns: usize,
    /// A unit of the tables is `2^unit_shift` units of the distances that are written.
    pub(crate) unit_shift: u32,
    /// For each landmark, the largest amount by which a distance may exceed its whole units.
    rounding: [i32; MAX_TABLES],
}

impl DistanceTables {
    /// Creates tables of zeros for distances below about `max_distance`. Larger distances saturate.
    pub(crate) fn new(grid: &CostGrid, max_distance: u64) -> Self {
        let (stride, len) = (grid.stride(), grid.entry_units().len());
        let blocks = |cells: usize| (cells >> BLOCK_SIDE_LOG2) + 1;
        let block_columns = blocks(stride);
        let zero = DistanceBlock { min: [0; MAX_TABLES], max: [0; MAX_TABLES], shift: 0, max_error: 0 };
        Self {
            rows: vec![DistanceRow([0; ROW_LEN]); len],
            blocks: vec![zero; block_columns * blocks(len / stride)],
            stride,
            block_columns,
            unit_shift: (max_distance / MAX_BASE).checked_ilog2().map_or(0, |log| log + 1),
            rounding: [0; MAX_TABLES],
        }
    }

    /// Returns the number of blocks.
    pub(crate) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the number of the block of a cell, by its column and row in the grid's array, which includes the border.
    #[inline(always)]
    pub(crate) fn block_number(&self, column: usize, row: usize) -> usize {
        (row >> BLOCK_SIDE_LOG2) * self.block_columns + (column >> BLOCK_SIDE_LOG2)
    }

    /// Returns the largest error of the difference of two distances of a landmark because both were rounded to whole
    /// units, without the [errors](DistanceBlock::max_error) of their blocks.
    pub(crate) fn rounding(&self, landmark: usize) -> i32 {
        self.rounding[landmark]
    }

    /// Returns the block of this number.
    pub(crate) fn block(&self, number: usize) -> &DistanceBlock {
        &self.blocks[number]
    }

    /// Returns the row of the cell with this index.
    #[inline(always)]
    pub(crate) fn row(&self, at: usize) -> &DistanceRow {
        &self.rows[at]
    }

    /// Returns a lower and an upper bound on the distance of a cell from a landmark; `None` if it is unreachable from
    /// there, or too far.
    pub(crate) fn distance(&self, at: usize, landmark: usize) -> Option<(i32, i32)> {
        let block = &self.blocks[self.block_number(at % self.stride, at / self.stride)];
        let more = self.rows[at].0[landmark];
        let lower = block.min[landmark] + (i32::from(more) << block.shift);
        (more != SATURATED).then_some((lower, lower + block.max_error))
    }

    /// Returns lower and upper bounds on the distances of a cell, which must not be [unknown](Self::is_unknown), from
    /// all landmarks. The upper bound is [`INFINITE`] where the cell is unreachable or too far.
    pub(crate) fn distances(&self, at: usize) -> ([i32; MAX_TABLES], [i32; MAX_TABLES]) {
        let block = &self.blocks[self.block_number(at % self.stride, at / self.stride)];
        let DistanceRow(row) = &self.rows[at];
        let lower = std::array::from_fn(|k| block.min[k] + (i32::from(row[k]) << block.shift));
        let upper = std::array::from_fn(|k| if row[k] == SATURATED { INFINITE } else { lower[k] + block.max_error });
        (lower, upper)
    }

    /// Returns whether nothing is known of the distances of a cell.
    #[inline(always)]
    pub(crate) fn is_unknown(&self, at: usize) -> bool {
        self.rows[at].0[MAX_TABLES] != 0
    }

    /// Flags the distances of a cell as unknown.
    pub(crate) fn set_unknown(&mut self, at: usize) {
        self.rows[at].0[MAX_TABLES] = 1;
    }

    /// Flags the distances of all cells as known.
    pub(crate) fn clear_unknown(&mut self) {
        self.rows.iter_mut().for_each(|row| row.0[MAX_TABLES] = 0);
    }

    /// Writes the distances of landmarks from all cells, with that many threads. Each has a function that gives them by
    /// the grid's index, and `None` for unreachable cells. All are multiples of `2^trailing_zeros`.
    pub(crate) fn write<D: Fn(usize) -> Option<u64> + Sync>(
        &mut self,
        landmarks: &[(usize, D)],
        trailing_zeros: u32,
        threads: usize,
    ) {
        for &(landmark, _) in landmarks {
            self.rounding[landmark] = i32::from(trailing_zeros < self.unit_shift);
        }
        let (stride, block_columns, unit_shift) = (self.stride, self.block_columns, self.unit_shift);
        let rows_each = (self.blocks.len() / block_columns).div_ceil(threads) * BLOCK_SIDE;
        let parts = self
            .rows
            .chunks_mut(rows_each * stride)
            .zip(self.blocks.chunks_mut(rows_each * block_columns / BLOCK_SIDE));
        let parts = parts.enumerate().map(|(k, (rows, blocks))| {
            let first = k * rows_each * stride;
            Part { rows, blocks, first, stride, block_columns, unit_shift }
        });
        let write =
            |mut part: Part<'_>| landmarks.iter().for_each(|(landmark, distance)| part.write(*landmark, distance));
        if threads == 1 {
            // Without a scope of threads, because that allocates.
            return parts.for_each(write);
        }
        std::thread::scope(|scope| {
            for part in parts {
                scope.spawn(|| write(part));
            }
        });
    }
}

/// Some rows of blocks of the tables.
struct Part<'a> {
    rows: &'a mut [DistanceRow],
    blocks: &'a mut [DistanceBlock],
    /// The grid's index of the first row.
    first: usize,
    stride: usize,
    block_columns: usize,
    unit_shift: u32,
}

impl Part<'_> {
    fn write(&mut self, landmark: usize, distance: impl Fn(usize) -> Option<u64>) {
        const NONE: u64 = u64::MAX;
        let stride = self.stride;
        for number in 0..self.blocks.len() {
            let left = (number % self.block_columns) << BLOCK_SIDE_LOG2;
            let top = (number / self.block_columns) << BLOCK_SIDE_LOG2;
            let right = (left + BLOCK_SIDE).min(stride);
            let bottom = (top + BLOCK_SIDE).min(self.rows.len() / stride);
            let mut distances = [NONE; BLOCK_SIDE * BLOCK_SIDE];
            let (mut min, mut max) = (NONE, 0);
            let mut slots = distances.iter_mut();
            for row in top..bottom {
                for (at, slot) in (row * stride + left..row * stride + right).zip(&mut slots) {
                    if let Some(distance) = distance(self.first + at) {
                        *slot = distance >> self.unit_shift;
                        (min, max) = (min.min(*slot), max.max(*slot));
                    }
                }
            }
            if min == NONE {
                min = 0;
            }
            let base = min.min(MAX_BASE);
            let block = &mut self.blocks[number];
            let range = max.max(base) - base;
            // Coarser steps apply to all landmarks of the block, so the numbers of the others are converted.
            let needed = (range / u64::from(SATURATED)).checked_ilog2().map_or(0, |log| log + 1);
            let coarser = needed.min(MAX_SHIFT).saturating_sub(block.shift);
            let shift = block.shift + coarser;
            let mut lost_bits = 0;
            let mut slots = distances.iter();
            for row in top..bottom {
                let rows = &mut self.rows[row * stride + left..row * stride + right];
                for (DistanceRow(row), &distance) in rows.iter_mut().zip(&mut slots) {
                    if coarser > 0 {
                        for more in row[..MAX_TABLES].iter_mut().filter(|more| **more != SATURATED) {
                            lost_bits |= u64::from(*more) & ((1 << coarser) - 1);
                            *more >>= coarser;
                        }
                    }
                    row[landmark] = SATURATED;
                    if distance != NONE {
                        row[landmark] = ((distance - base) >> shift).min(u64::from(SATURATED)) as u16;
                        lost_bits |= (distance - base) & ((1 << shift) - 1);
                    }
                }
            }
            block.shift = shift;
            block.min[landmark] = base as i32;
            block.max[landmark] = if range >> shift < u64::from(SATURATED) { max as i32 } else { INFINITE };
            if lost_bits != 0 {
                block.max_error = (1 << shift) - 1;
            }
        }
    }
}
