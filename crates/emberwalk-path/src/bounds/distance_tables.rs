//! Distances of landmarks, kept in two bytes each and yet to a thousandth of a tile.

use crate::CostGrid;

/// How many distances a cell has.
pub(crate) const LANES: usize = 27;
/// Their number with that of the mark, see [`Tables::mark`].
pub(crate) const WIDTH: usize = LANES + 1;
/// A number that stands for itself and all that are larger.
pub(crate) const MOST: u16 = u16::MAX;
/// A block's side in cells, as a power of two.
const SIDE: u32 = 3;
/// No step is larger than this power of two, so that a block's distances are no farther apart than an `i32` can tell.
const MOST_SHIFT: u32 = 12;
/// The largest of the least distances.
const MOST_LEAST: u64 = 1 << 28;

/// What is known of one cell: how much larger its distances are than the least in its block, in the block's steps,
/// rounded down.
pub(crate) type Row = [u16; WIDTH];

/// Larger than every distance, and safe to add to or to take from one.
pub(crate) const FAR: i32 = 1 << 29;

/// What the distances of a square of cells have in common. All is in units of the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// The least distance in the block.
    pub(crate) least: [i32; LANES],
    /// The largest, or [`FAR`] where one is too large for a row.
    pub(crate) most: [i32; LANES],
    /// A step is `2^shift`.
    pub(crate) shift: u32,
    /// By how much at most a distance may be larger than its row says.
    pub(crate) rest: i32,
}

/// Some distances of every cell of a grid.
///
/// Distances across a map take more than two bytes, but within a block of cells they differ by little. So each block
/// has the least of its distances, and each cell how much more its own are, in steps that are as fine as the block
/// allows. How fine matters much: where all ways cost the same, a search follows one of them if every cell is as far
/// as it should be, and looks at all of them if cells seem a little nearer or farther by chance.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    rows: Vec<Row>,
    blocks: Vec<Block>,
    stride: usize,
    /// How many blocks stand side by side.
    columns: usize,
    /// A unit of the tables is `2^unit` of what distances are given in.
    pub(crate) unit: u32,
    /// By how much each landmark's distances may be larger than their whole units say.
    fuzz: [i32; LANES],
}

impl Tables {
    /// Tables of zeros, for distances that are less than about `most`; larger ones only count as large.
    pub(crate) fn new(grid: &CostGrid, most: u64) -> Self {
        let (stride, len) = (grid.stride(), grid.stored().len());
        let blocks = |cells: usize| (cells >> SIDE) + 1;
        let columns = blocks(stride);
        let empty = Block { least: [0; LANES], most: [0; LANES], shift: 0, rest: 0 };
        Self {
            rows: vec![[0; WIDTH]; len],
            blocks: vec![empty; columns * blocks(len / stride)],
            stride,
            columns,
            unit: (most / MOST_LEAST).checked_ilog2().map_or(0, |log| log + 1),
            fuzz: [0; LANES],
        }
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The number of the block in which the cell stands that is so many columns and rows from the corner of the border.
    #[inline(always)]
    pub(crate) fn block_at(&self, column: usize, row: usize) -> usize {
        (row >> SIDE) * self.columns + (column >> SIDE)
    }

    /// By how much the difference of two of a landmark's distances may be off, beside their blocks' rests.
    pub(crate) fn fuzz(&self, lane: usize) -> i32 {
        self.fuzz[lane]
    }

    pub(crate) fn block(&self, number: usize) -> &Block {
        &self.blocks[number]
    }

    #[inline(always)]
    pub(crate) fn row(&self, at: usize) -> &Row {
        &self.rows[at]
    }

    /// The distance of a cell: at least the first and at most the second; `None` if it is none or too large.
    pub(crate) fn distance(&self, at: usize, lane: usize) -> Option<(i32, i32)> {
        let block = &self.blocks[self.block_at(at % self.stride, at / self.stride)];
        let more = self.rows[at][lane];
        let least = block.least[lane] + (i32::from(more) << block.shift);
        (more != MOST).then_some((least, least + block.rest))
    }

    /// All distances of a cell that is not marked: at least the first and at most the second; [`FAR`] if one is none or
    /// too large.
    pub(crate) fn distances(&self, at: usize) -> ([i32; LANES], [i32; LANES]) {
        let block = &self.blocks[self.block_at(at % self.stride, at / self.stride)];
        let row = &self.rows[at];
        let least = std::array::from_fn(|lane| block.least[lane] + (i32::from(row[lane]) << block.shift));
        let most = std::array::from_fn(|lane| if row[lane] == MOST { FAR } else { least[lane] + block.rest });
        (least, most)
    }

    /// Whether the tables know nothing of a cell.
    #[inline(always)]
    pub(crate) fn is_marked(&self, at: usize) -> bool {
        self.rows[at][LANES] != 0
    }

    /// Marks a cell as one of which the tables know nothing.
    pub(crate) fn mark(&mut self, at: usize) {
        self.rows[at][LANES] = 1;
    }

    /// Takes all marks away.
    pub(crate) fn clear_marks(&mut self) {
        self.rows.iter_mut().for_each(|row| row[LANES] = 0);
    }

    /// Writes the distances of all cells, by the grid's index; `None` where there is no way. All are multiples of
    /// `2^zeros`.
    pub(crate) fn write(&mut self, lane: usize, zeros: u32, distance: impl Fn(usize) -> Option<u64>) {
        self.fuzz[lane] = i32::from(zeros < self.unit);
        const NONE: u64 = u64::MAX;
        let stride = self.stride;
        for number in 0..self.blocks.len() {
            let (left, top) = ((number % self.columns) << SIDE, (number / self.columns) << SIDE);
            let right = (left + (1 << SIDE)).min(stride);
            let bottom = (top + (1 << SIDE)).min(self.rows.len() / stride);
            let mut distances = [NONE; 1 << (2 * SIDE)];
            let (mut least, mut most) = (NONE, 0);
            let mut next = distances.iter_mut();
            for row in top..bottom {
                for (at, place) in (row * stride + left..row * stride + right).zip(&mut next) {
                    if let Some(distance) = distance(at) {
                        *place = distance >> self.unit;
                        (least, most) = (least.min(*place), most.max(*place));
                    }
                }
            }
            if least == NONE {
                least = 0;
            }
            let base = least.min(MOST_LEAST);
            let block = &mut self.blocks[number];
            let needed = ((most.max(base) - base) / u64::from(MOST)).checked_ilog2().map_or(0, |log| log + 1);
            let coarser = needed.min(MOST_SHIFT).saturating_sub(block.shift);
            let shift = block.shift + coarser;
            let mut lost = 0;
            let mut next = distances.iter();
            for row in top..bottom {
                let rows = &mut self.rows[row * stride + left..row * stride + right];
                for (row, &distance) in rows.iter_mut().zip(&mut next) {
                    if coarser > 0 {
                        for more in row[..LANES].iter_mut().filter(|more| **more != MOST) {
                            lost |= u64::from(*more) & ((1 << coarser) - 1);
                            *more >>= coarser;
                        }
                    }
                    row[lane] = MOST;
                    if distance != NONE {
                        row[lane] = ((distance - base) >> shift).min(u64::from(MOST)) as u16;
                        lost |= (distance - base) & ((1 << shift) - 1);
                    }
                }
            }
            block.shift = shift;
            block.least[lane] = base as i32;
            block.most[lane] = if (most.max(base) - base) >> shift < u64::from(MOST) { most as i32 } else { FAR };
            if lost != 0 {
                block.rest = (1 << shift) - 1;
            }
        }
    }
}
