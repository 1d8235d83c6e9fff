//! The cells that a recorded search has seen, in memory that depends on their number and not on the size of the grid.

use crate::grid::{Cell, Size};

/// The side of a block of cells.
const SIDE: u32 = 32;

/// The data of a cell in a recording besides its events.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenCell {
    /// The position of its last event.
    pub(super) last: u32,
    /// The unweighted estimate, in units.
    pub(super) h: u64,
}

const UNSEEN: SeenCell = SeenCell { last: u32::MAX, h: 0 };

/// One [`SeenCell`] for each cell that has been seen, in blocks that are allocated when they are needed.
#[derive(Clone, Debug)]
pub(super) struct SeenCells {
    columns: usize,
    blocks: Vec<Option<Box<[SeenCell; (SIDE * SIDE) as usize]>>>,
}

impl SeenCells {
    pub(super) fn new(size: Size) -> Self {
        let columns = size.width.div_ceil(SIDE) as usize;
        Self { columns, blocks: vec![None; columns * size.height.div_ceil(SIDE) as usize] }
    }

    /// The number of the cell's block, and its index in there. The cell must be on the grid.
    #[inline]
    fn place(&self, cell: Cell) -> (usize, usize) {
        let (x, y) = (cell.x as u32, cell.y as u32);
        ((y / SIDE) as usize * self.columns + (x / SIDE) as usize, (y % SIDE * SIDE + x % SIDE) as usize)
    }

    /// The data of a cell on the grid; `None` if it was not seen.
    #[inline]
    pub(super) fn get(&self, cell: Cell) -> Option<SeenCell> {
        let (block, at) = self.place(cell);
        self.blocks[block].as_ref().map(|block| block[at]).filter(|seen| seen.last != UNSEEN.last)
    }

    /// Replaces the state of a cell on the grid, and returns the previous one.
    #[inline]
    pub(super) fn replace(&mut self, cell: Cell, seen: SeenCell) -> Option<SeenCell> {
        let (block, at) = self.place(cell);
        let block = self.blocks[block].get_or_insert_with(|| Box::new([UNSEEN; (SIDE * SIDE) as usize]));
        let before = std::mem::replace(&mut block[at], seen);
        (before.last != UNSEEN.last).then_some(before)
    }

    /// Iterates over all cells that were seen.
    pub(super) fn iter(&self) -> impl Iterator<Item = SeenCell> {
        self.blocks.iter().flatten().flat_map(|block| block.iter().copied()).filter(|seen| seen.last != UNSEEN.last)
    }
}
