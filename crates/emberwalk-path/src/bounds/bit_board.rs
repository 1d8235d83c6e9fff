//! A bit board: one bit for each cell of a grid, in lines that are searched 64 cells at a time.

/// Lines of bits with the border of the grid, which is always set. A line is a row of the grid, or a column, so that
/// lines and positions count from 1 inside the border.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitBoard {
    bits: Vec<u64>,
    words_per_line: usize,
}

impl BitBoard {
    /// Makes it a board of `lines` lines of `length` bits, with a border. All bits are set.
    pub(crate) fn begin(&mut self, lines: u32, length: u32) {
        self.words_per_line = (length as usize + 2).div_ceil(64);
        self.bits.clear();
        self.bits.resize(self.words_per_line * (lines as usize + 2), !0);
    }

    /// Sets or clears a bit.
    pub(crate) fn set(&mut self, line: usize, position: usize, bit: bool) {
        let word = &mut self.bits[line * self.words_per_line + position / 64];
        *word = *word & !(1 << (position % 64)) | u64::from(bit) << (position % 64);
    }

    /// Returns the first position after `from` whose bit is set, or `end` if that is nearer to `from`. An `end` that is
    /// not after `from` is ignored.
    #[inline(always)]
    pub(crate) fn next_after(&self, line: usize, from: usize, end: usize) -> usize {
        let line = &self.bits[line * self.words_per_line..][..self.words_per_line];
        let mut word = from / 64;
        let mut bits = line[word] & (!1 << (from % 64));
        while bits == 0 {
            word += 1;
            bits = line[word];
        }
        let first = word * 64 + bits.trailing_zeros() as usize;
        if end > from { first.min(end) } else { first }
    }

    /// Returns the last position before `from` whose bit is set, or `end` if that is nearer to `from`. An `end` that is
    /// not before `from` is ignored.
    #[inline(always)]
    pub(crate) fn last_before(&self, line: usize, from: usize, end: usize) -> usize {
        let line = &self.bits[line * self.words_per_line..][..self.words_per_line];
        let mut word = from / 64;
        let mut bits = line[word] & !(!0 << (from % 64));
        while bits == 0 {
            word -= 1;
            bits = line[word];
        }
        let last = word * 64 + 63 - bits.leading_zeros() as usize;
        if end < from { last.max(end) } else { last }
    }
}
