//! Tables with the distances between every cell and the landmarks, in two bytes each, nearly all of them exact.
//!
//! A distance across a map needs more than two bytes, but within a block of 8 x 8 cells distances differ by little. So
//! a block stores the smallest distance of each landmark in it, and each cell stores the difference to that, in steps
//! that are as fine as the block allows. Exactness matters: where many routes have the same cost, a search follows one
//! of them if the bounds are exact, and looks at all of them if some bounds are slightly too low. `docs/design.md` in
//! the repository has the measurements.
//!
//! Where memory is scarce, a row has fewer numbers, or serves a square of 2 x 2 cells: it stores the smallest distance in
//! the square, and by how much others exceed it at most. Bounds stay valid, but are less tight. Of a square with two
//! passable cells between which there is no route, nothing is known.
//!
//! Memory: at most 64 bytes per row, which is a line of the cache, and 4 per row for its block. Writing all distances of a
//! landmark takes O(cells).

mod shape;
mod write;

pub(crate) use shape::Shape;

use crate::CostGrid;
use crate::cost::cost_grid::capacity_bytes;

/// The maximum number of tables: one for each landmark, or two. With the [spread](Shape) a row fills a line of the cache.
pub(crate) const MAX_TABLES: usize = 31;
/// The length of a chunk of a row.
const CHUNK_LEN: usize = 8;
/// The maximum number of chunks in a row, and their number in a line of the cache.
const MAX_CHUNKS: usize = 4;
/// The length of a line of the cache.
const LINE_LEN: usize = MAX_CHUNKS * CHUNK_LEN;
/// The largest number in a row, which also stands for all larger ones and for "unreachable".
pub(crate) const SATURATED: u16 = u16::MAX;
/// The side of a block in rows of the tables, as a power of two.
const BLOCK_SIDE_LOG2: u32 = 3;
/// The number of rows of the tables along the side of a block.
const BLOCK_SIDE: usize = 1 << BLOCK_SIDE_LOG2;
/// The largest step, as a power of two: all distances of a block then fit in an `i32`.
const MAX_SHIFT: u32 = 12;
/// The largest value of the smallest distance in a block.
const MAX_BASE: u64 = 1 << 28;

/// The bit of a spread that says that nothing is known of some of the cells.
const UNKNOWN: u16 = 1 << 15;
/// The largest spread, which also stands for all larger ones.
const MAX_SPREAD: u16 = UNKNOWN - 1;

/// A line of the cache with chunks of rows. Distances are less the smallest one of that landmark in the block, in the
/// block's steps, rounded down.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Line(pub(crate) [u16; LINE_LEN]);

impl Line {
    pub(crate) const ZERO: Self = Self([0; LINE_LEN]);
    pub(crate) const SATURATED: Self = Self([SATURATED; LINE_LEN]);
}

/// Returns a number of a row of `chunks` chunks.
#[inline(always)]
fn number_mut(lines: &mut [Line], chunks: usize, row: usize, k: usize) -> &mut u16 {
    let chunk = row * chunks + k / CHUNK_LEN;
    &mut lines[chunk / MAX_CHUNKS].0[chunk % MAX_CHUNKS * CHUNK_LEN + k % CHUNK_LEN]
}

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
    /// The largest amount by which a distance may exceed what its row says because that was rounded to whole steps.
    pub(crate) max_error: i32,
}

/// The distances between every cell of a grid and the landmarks.
#[derive(Clone, Debug)]
pub(crate) struct DistanceTables {
    /// The rows, one after the other.
    lines: Vec<Line>,
    blocks: Vec<DistanceBlock>,
    shape: Shape,
    /// The length of a line of the grid's array.
    stride: usize,
    /// The number of rows of the tables for a line of the grid's array.
    columns: usize,
    /// The number of blocks side by side.
    block_columns: usize,
    /// A unit of the tables is `2^unit_shift` units of the distances that are written.
    pub(crate) unit_shift: u32,
    /// For each landmark, the largest amount by which a distance may exceed its whole units.
    rounding: [i32; MAX_TABLES],
}

impl DistanceTables {
    /// Creates tables of zeros for distances below about `max_distance`. Larger distances saturate.
    pub(crate) fn new(grid: &CostGrid, max_distance: u64, shape: Shape) -> Self {
        let [(columns, rows), (block_columns, block_rows)] = Self::measures(grid, shape);
        let zero = DistanceBlock { min: [0; MAX_TABLES], max: [0; MAX_TABLES], shift: 0, max_error: 0 };
        Self {
            lines: vec![Line::ZERO; (columns * rows * shape.chunks).div_ceil(MAX_CHUNKS)],
            blocks: vec![zero; block_columns * block_rows],
            shape,
            stride: grid.stride(),
            columns,
            block_columns,
            unit_shift: (max_distance / MAX_BASE).checked_ilog2().map_or(0, |log| log + 1),
            rounding: [0; MAX_TABLES],
        }
    }

    /// Returns how many squares of cells lie side by side on a grid, and above one another; then the same of blocks.
    fn measures(grid: &CostGrid, shape: Shape) -> [(usize, usize); 2] {
        let cells = [grid.stride(), grid.entry_units().len() / grid.stride()];
        let squares = cells.map(|cells| cells.div_ceil(1 << shape.square_log2));
        let blocks = squares.map(|squares| (squares >> BLOCK_SIDE_LOG2) + 1);
        [squares, blocks].map(|[columns, rows]| (columns, rows))
    }

    /// Returns how many bytes the tables of a grid take, with what a search keeps of each block.
    pub(crate) fn bytes_for(grid: &CostGrid, shape: Shape, bytes_of_search: usize) -> usize {
        let [squares, blocks] = Self::measures(grid, shape).map(|(columns, rows)| columns * rows);
        let lines = (squares * shape.chunks).div_ceil(MAX_CHUNKS);
        lines * size_of::<Line>() + blocks * (size_of::<DistanceBlock>() + bytes_of_search)
    }

    /// Returns how many bytes the tables take.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.lines) + capacity_bytes(&self.blocks)
    }

    /// Returns how fine the tables are.
    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns whether each cell has a row of its own.
    pub(crate) fn have_row_for_each_cell(&self) -> bool {
        self.shape.square_log2 == 0
    }

    /// Returns the number of blocks.
    pub(crate) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the numbers of the row and of the block of a cell, by its place in the grid's array, which includes the
    /// border.
    #[inline(always)]
    pub(crate) fn place(&self, x: usize, y: usize) -> (usize, usize) {
        let (column, row) = (x >> self.shape.square_log2, y >> self.shape.square_log2);
        let block = (row >> BLOCK_SIDE_LOG2) * self.block_columns + (column >> BLOCK_SIDE_LOG2);
        (row * self.columns + column, block)
    }

    fn place_of(&self, at: usize) -> (usize, usize) {
        self.place(at % self.stride, at / self.stride)
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

    /// Returns by how many steps the largest number of a row is above that in `above`, or with the row's spread below that
    /// in `below`, whichever is more; `None` if nothing is known of some of its cells.
    #[inline(always)]
    pub(crate) fn largest_difference(&self, row: usize, above: &Line, below: &Line) -> Option<u16> {
        match self.shape.chunks {
            4 => self.largest_of::<4>(row, above, below),
            3 => self.largest_of::<3>(row, above, below),
            2 => self.largest_of::<2>(row, above, below),
            _ => self.largest_of::<1>(row, above, below),
        }
    }

    #[inline(always)]
    fn largest_of<const CHUNKS: usize>(&self, row: usize, above: &Line, below: &Line) -> Option<u16> {
        let mut gathered = Line::ZERO;
        let row = if CHUNKS == MAX_CHUNKS {
            &self.lines[row]
        } else {
            for (k, chunk) in (row * CHUNKS..).take(CHUNKS).enumerate() {
                let from = chunk % MAX_CHUNKS * CHUNK_LEN;
                let numbers = &self.lines[chunk / MAX_CHUNKS].0[from..from + CHUNK_LEN];
                gathered.0[k * CHUNK_LEN..][..CHUNK_LEN].copy_from_slice(numbers);
            }
            &gathered
        };
        let spread = row.0[CHUNKS * CHUNK_LEN - 1];
        if spread >= MAX_SPREAD {
            return None;
        }
        // A plain loop over plain numbers becomes vector instructions; over chunks it did not.
        let (mut most_above, mut most_below) = (0, 0);
        for k in 0..CHUNKS * CHUNK_LEN {
            most_above = most_above.max(row.0[k].saturating_sub(above.0[k]));
            most_below = most_below.max(below.0[k].saturating_sub(row.0[k]));
        }
        Some(most_above.max(most_below.saturating_sub(spread)))
    }

    /// Returns a number of a row.
    fn number(&self, row: usize, k: usize) -> u16 {
        let chunk = row * self.shape.chunks + k / CHUNK_LEN;
        self.lines[chunk / MAX_CHUNKS].0[chunk % MAX_CHUNKS * CHUNK_LEN + k % CHUNK_LEN]
    }

    fn spread(&self, row: usize) -> u16 {
        self.number(row, self.shape.max_tables())
    }

    /// Returns a lower and an upper bound on the distance of a cell from a landmark; `None` if it is unreachable from
    /// there, or too far. What is unknown of other cells in its square does not count.
    pub(crate) fn distance(&self, at: usize, landmark: usize) -> Option<(i32, i32)> {
        let (row, block) = self.place_of(at);
        let block = &self.blocks[block];
        let (lower, spread) = (self.number(row, landmark), self.spread(row) & MAX_SPREAD);
        let upper = lower.saturating_add(spread);
        let in_units = |steps: u16| block.min[landmark] + (i32::from(steps) << block.shift);
        let is_known = upper != SATURATED && spread != MAX_SPREAD;
        is_known.then(|| (in_units(lower), in_units(upper) + block.max_error))
    }

    /// Returns lower and upper bounds on the distances of a cell, which must not be [unknown](Self::is_unknown), from
    /// all landmarks. The upper bound is [`INFINITE`] where the cell is unreachable or too far.
    pub(crate) fn distances(&self, at: usize) -> ([i32; MAX_TABLES], [i32; MAX_TABLES]) {
        let (row, block) = self.place_of(at);
        let block = &self.blocks[block];
        let error = (i32::from(self.spread(row) & MAX_SPREAD) << block.shift) + block.max_error;
        let (mut lower, mut upper) = ([0; MAX_TABLES], [INFINITE; MAX_TABLES]);
        for k in 0..self.shape.max_tables() {
            let number = self.number(row, k);
            lower[k] = block.min[k] + (i32::from(number) << block.shift);
            if number != SATURATED {
                upper[k] = lower[k] + error;
            }
        }
        (lower, upper)
    }

    /// Returns whether nothing is known of the distances of a cell, or of another cell that shares its row.
    pub(crate) fn is_unknown(&self, at: usize) -> bool {
        self.spread(self.place_of(at).0) >= MAX_SPREAD
    }

    /// Flags the distances of a cell as unknown.
    pub(crate) fn set_unknown(&mut self, at: usize) {
        let (row, _) = self.place_of(at);
        *number_mut(&mut self.lines, self.shape.chunks, row, self.shape.max_tables()) |= UNKNOWN;
    }

    /// Flags the distances of all cells as known.
    pub(crate) fn clear_unknown(&mut self) {
        let Shape { chunks, .. } = self.shape;
        for row in 0..self.lines.len() * MAX_CHUNKS / chunks {
            *number_mut(&mut self.lines, chunks, row, self.shape.max_tables()) &= !UNKNOWN;
        }
    }
}
