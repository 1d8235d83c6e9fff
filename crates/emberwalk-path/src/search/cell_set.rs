//! Sets of cells that are cheap to fill and to empty.

/// A set of cells, by the grid's index: a bit for each cell of the grid, and a list of those that are in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    bits: Vec<u64>,
    list: Vec<u32>,
}

impl Cells {
    /// Makes room for a grid of `len` indices, and for `usual` cells.
    pub(crate) fn begin(&mut self, len: usize, usual: usize) {
        self.clear();
        self.bits.resize(len.div_ceil(64).max(self.bits.len()), 0);
        self.list.reserve(usual);
    }

    pub(crate) fn clear(&mut self) {
        for at in self.list.drain(..) {
            self.bits[at as usize / 64] = 0;
        }
    }

    pub(crate) fn contains(&self, at: usize) -> bool {
        self.bits[at / 64] & (1 << (at % 64)) != 0
    }

    /// Puts a cell in; says whether it was not there.
    pub(crate) fn insert(&mut self, at: usize) -> bool {
        let is_new = !self.contains(at);
        if is_new {
            self.bits[at / 64] |= 1 << (at % 64);
            self.list.push(at as u32);
        }
        is_new
    }
}
