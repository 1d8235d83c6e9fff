//! Tables with the distances between every cell and the landmarks, in two bytes each, nearly all of them exact.
//!
//! A distance across a map needs more than two bytes, but within a block of 8 x 8 cells distances differ by little. So
//! a block stores the smallest distance of each landmark in it, and each cell stores the difference to that, in steps
//! that are as fine as the block allows. Exactness matters: where many routes have the same cost, a search follows one
//! of them if the bounds are exact, and looks at all of them if some bounds are slightly too low. `docs/design.md` in
//! the repository has the measurements.
//!
//! Where memory is scarce, a row has fewer numbers, or serves a square of 2 x 2 cells: it stores the smallest distance
//! in the square, and by how much others exceed it at most. Bounds stay valid, but are less tight. Of a square with two
//! passable cells between which there is no route, nothing is known.
//!
//! Memory: at most 64 bytes per row, which is a line of the cache, and 2 per row for its block. Writing all distances
//! of a landmark takes O(cells).

mod shape;
mod write;

pub(crate) use shape::Shape;

use std::ops::ControlFlow;

use crate::CostGrid;
use crate::cost::cost_grid::capacity_bytes;
use crate::pauses::{CELLS_BETWEEN_QUESTIONS, GoOn};

/// The maximum number of tables: one for each landmark, or two. With the [spread](Shape) a row fills a line of the
/// cache.
pub(crate) const MAX_TABLES: usize = 31;
/// The length of a chunk of a row.
const CHUNK_LEN: usize = 8;
/// The maximum number of chunks in a row, and their number in a line of the cache.
const MAX_CHUNKS: usize = 4;
/// The length of a line of the cache.
pub(crate) const LINE_LEN: usize = MAX_CHUNKS * CHUNK_LEN;
/// The largest number in a row, which also stands for all larger ones and for "unreachable".
const SATURATED: u16 = u16::MAX;
/// The side of a block in rows of the tables, as a power of two.
const BLOCK_SIDE_LOG2: u32 = 3;
/// The number of rows of the tables along the side of a block.
const BLOCK_SIDE: usize = 1 << BLOCK_SIDE_LOG2;
/// The largest step, as a power of two: all distances of a block then fit in an `i32`.
const MAX_SHIFT: u32 = 12;
/// The largest value of the smallest distance in a block.
const MAX_BASE: u32 = 1 << 28;

/// The bit of a spread that says that nothing is known of some of the cells.
const UNKNOWN: u16 = 1 << 15;
/// The largest spread, which also stands for all larger ones.
const MAX_SPREAD: u16 = UNKNOWN - 1;

/// A line of the cache with chunks of rows. Distances are less the smallest one of that landmark in the block, in the
/// block's steps, rounded down.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([u16; LINE_LEN]);

impl Line {
    const ZERO: Self = Self([0; LINE_LEN]);
}

/// Returns a number of a row of `chunks` chunks.
#[inline(always)]
fn number_mut(lines: &mut [Line], chunks: usize, row: usize, k: usize) -> &mut u16 {
    let chunk = row * chunks + k / CHUNK_LEN;
    &mut lines[chunk / MAX_CHUNKS].0[chunk % MAX_CHUNKS * CHUNK_LEN + k % CHUNK_LEN]
}

/// Larger than every distance, and safe to add to a distance or to subtract from one.
pub(crate) const INFINITE: i32 = 1 << 29;
/// A distance with these bits is above every other one.
const FAR: i32 = 2 * INFINITE - 1;

/// A distance for each landmark, in units of the tables, and one number more.
pub(crate) type DistanceByTable = [i32; LINE_LEN];

/// What the distances of a block of cells have in common, in units of the tables: two lines of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct DistanceBlock {
    /// The smallest distance in the block, for each landmark. The last number is that of the [step](Self::shift), and
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

    /// Returns the largest amount by which a distance may exceed what its row says because that was rounded to whole
    /// steps.
    #[inline(always)]
    fn max_error(&self) -> i32 {
        if self.min[MAX_TABLES] & Self::IS_ROUNDED != 0 { (1 << self.shift()) - 1 } else { 0 }
    }

    fn set_shift(&mut self, shift: u32) {
        self.min[MAX_TABLES] = self.min[MAX_TABLES] & !0xff | shift as i32;
    }

    fn set_rounded(&mut self) {
        self.min[MAX_TABLES] |= Self::IS_ROUNDED;
    }
}

/// Returns the largest amount by which a distance of the row is above `upper`, and by which one is below `lower`; 0 if
/// none is.
///
/// A function of its own, with plain loops over plain numbers: these become vector instructions, in a larger function
/// they did not.
#[inline(never)]
fn differences(row: &Line, block: &DistanceBlock, lower: &DistanceByTable, upper: &DistanceByTable) -> (i32, i32) {
    let shift = block.shift() % i32::BITS;
    let mut distances = [0; LINE_LEN];
    for ((distance, min), &steps) in distances.iter_mut().zip(&block.min).zip(&row.0) {
        *distance = min + (i32::from(steps) << shift);
    }
    let (mut above, mut below) = (0, 0);
    for (distance, upper) in distances.iter().zip(upper) {
        above = above.max(distance - upper);
    }
    for ((distance, lower), &steps) in distances.iter().zip(lower).zip(&row.0) {
        let has_no_bound = if steps == SATURATED { FAR } else { 0 };
        below = below.max(lower - (distance | has_no_bound));
    }
    (above, below)
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
    /// Creates tables that need to be [cleared](Self::clear) first.
    pub(crate) fn new(grid: &CostGrid, shape: Shape) -> Self {
        let [(columns, rows), (block_columns, block_rows)] = Self::measures(grid, shape);
        Self {
            lines: Vec::with_capacity((columns * rows * shape.chunks).div_ceil(MAX_CHUNKS)),
            blocks: vec![DistanceBlock::ZERO; block_columns * block_rows],
            shape,
            stride: grid.stride(),
            columns,
            block_columns,
            unit_shift: 0,
            rounding: [0; MAX_TABLES],
        }
    }

    /// Fills new tables with zeros, or goes on where `go_on` said to pause.
    pub(crate) fn clear(&mut self, grid: &CostGrid, go_on: GoOn<'_>) -> ControlFlow<()> {
        let [(columns, rows), _] = Self::measures(grid, self.shape);
        let len = (columns * rows * self.shape.chunks).div_ceil(MAX_CHUNKS);
        while self.lines.len() < len {
            self.lines.resize((self.lines.len() + CELLS_BETWEEN_QUESTIONS).min(len), Line::ZERO);
            go_on()?;
        }
        ControlFlow::Continue(())
    }

    /// Chooses units for distances below about `max_distance`, before any is written. Larger distances saturate.
    pub(crate) fn set_max_distance(&mut self, max_distance: u64) {
        self.unit_shift = (max_distance / u64::from(MAX_BASE)).checked_ilog2().map_or(0, |log| log + 1);
    }

    /// Returns how many squares of cells lie side by side on a grid, and above one another; then the same of blocks.
    fn measures(grid: &CostGrid, shape: Shape) -> [(usize, usize); 2] {
        let cells = [grid.stride(), grid.entry_units().len() / grid.stride()];
        let squares = cells.map(|cells| cells.div_ceil(1 << shape.square_log2));
        let blocks = squares.map(|squares| (squares >> BLOCK_SIDE_LOG2) + 1);
        [squares, blocks].map(|[columns, rows]| (columns, rows))
    }

    /// Returns how many bytes the tables of a grid take.
    pub(crate) fn bytes_for(grid: &CostGrid, shape: Shape) -> usize {
        let [squares, blocks] = Self::measures(grid, shape).map(|(columns, rows)| columns * rows);
        let lines = (squares * shape.chunks).div_ceil(MAX_CHUNKS);
        lines * size_of::<Line>() + blocks * size_of::<DistanceBlock>()
    }

    /// Returns how many bytes the tables take.
    pub(crate) fn bytes(&self) -> usize {
        capacity_bytes(&self.lines) + capacity_bytes(&self.blocks)
    }

    /// Returns how fine the tables are.
    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns how many rows of blocks the tables have, and how many cells lie in one of them.
    pub(crate) fn block_rows(&self) -> (usize, usize) {
        let cells = self.stride * (BLOCK_SIDE << self.shape.square_log2);
        (self.blocks.len() / self.block_columns, cells)
    }

    /// Returns whether each cell has a row of its own.
    pub(crate) fn have_row_for_each_cell(&self) -> bool {
        self.shape.square_log2 == 0
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

    /// Returns a lower bound on how much the distance from some landmark of a cell of this row and block is above
    /// `upper` or below `lower`; `None` if nothing is known of some cells of the row. The last number of `lower` and
    /// `upper` must be [`INFINITE`], in `lower` negative.
    #[inline(always)]
    pub(crate) fn largest_difference(
        &self,
        (row, block): (usize, usize),
        lower: &DistanceByTable,
        upper: &DistanceByTable,
    ) -> Option<i32> {
        let block = &self.blocks[block];
        let gathered;
        let (line, spread) = match self.shape.chunks {
            MAX_CHUNKS => (&self.lines[row], self.lines[row].0[MAX_TABLES]),
            _ => {
                gathered = self.gathered(row);
                (&gathered, gathered.0[self.shape.max_tables()])
            }
        };
        if spread >= MAX_SPREAD {
            return None;
        }
        let (above, below) = differences(line, block, lower, upper);
        Some(above.max(below - (i32::from(spread) << block.shift()) - block.max_error()))
    }

    /// Returns a row that does not fill a line.
    fn gathered(&self, row: usize) -> Line {
        let mut gathered = Line::ZERO;
        let chunks = row * self.shape.chunks..(row + 1) * self.shape.chunks;
        for (numbers, chunk) in gathered.0.chunks_exact_mut(CHUNK_LEN).zip(chunks) {
            let from = chunk % MAX_CHUNKS * CHUNK_LEN;
            numbers.copy_from_slice(&self.lines[chunk / MAX_CHUNKS].0[from..from + CHUNK_LEN]);
        }
        gathered
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
        let in_units = |steps: u16| block.min[landmark] + (i32::from(steps) << block.shift());
        let is_known = upper != SATURATED && spread != MAX_SPREAD;
        is_known.then(|| (in_units(lower), in_units(upper) + block.max_error()))
    }

    /// Returns lower and upper bounds on the distances of a cell, which must not be [unknown](Self::is_unknown), from
    /// all landmarks. The upper bound is [`INFINITE`] where the cell is unreachable or too far.
    pub(crate) fn distances(&self, at: usize) -> (DistanceByTable, DistanceByTable) {
        let (row, block) = self.place_of(at);
        let block = &self.blocks[block];
        let error = (i32::from(self.spread(row) & MAX_SPREAD) << block.shift()) + block.max_error();
        let (mut lower, mut upper) = ([0; LINE_LEN], [INFINITE; LINE_LEN]);
        for k in 0..self.shape.max_tables() {
            let number = self.number(row, k);
            lower[k] = block.min[k] + (i32::from(number) << block.shift());
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
