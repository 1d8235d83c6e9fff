//! Finds the few cells of many that have an influence.

use std::ops::Range;

/// One bit for each cell of some rows, which are stored in whole words.
pub(super) struct BitRows {
    first_column: i32,
    first_row: i32,
    words_per_row: usize,
    words: Vec<u64>,
}

impl BitRows {
    /// Stores the bits of the cells in these columns, from row `first_row` on; `None` if all bits are 0.
    pub fn new(columns: Range<i32>, first_row: i32, bits: impl Iterator<Item = bool>) -> Option<Self> {
        let (width, first_column) = (columns.len(), columns.start);
        let words_per_row = width.div_ceil(64);
        let (mut words, mut x) = (Vec::new(), 0);
        for bit in bits {
            if x % 64 == 0 {
                words.push(0);
            }
            if let Some(last) = words.last_mut().filter(|_| bit) {
                *last |= 1 << (x % 64);
            }
            x = if x + 1 == width { 0 } else { x + 1 };
        }
        words.iter().any(|&word| word != 0).then_some(Self { first_column, first_row, words_per_row, words })
    }

    /// Returns how many bits are 1.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Calls `visit` for each of `columns` whose bit in row `y` is 1, from west to east.
    pub fn for_each_set(&self, y: i32, columns: &Range<i32>, mut visit: impl FnMut(i32)) {
        let row = &self.words[(y - self.first_row) as usize * self.words_per_row..][..self.words_per_row];
        let (start, end) = (columns.start - self.first_column, columns.end - self.first_column);
        let words = start as usize / 64..(end as usize).div_ceil(64);
        for (word, first) in row[words.clone()].iter().zip(words.map(|word| 64 * word as i32)) {
            let before = u64::MAX << (start - first).clamp(0, 63);
            let after = u64::MAX.checked_shl((end - first) as u32).unwrap_or(0);
            let mut bits = word & before & !after;
            while bits != 0 {
                visit(self.first_column + first + bits.trailing_zeros() as i32);
                bits &= bits - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_bits_are_found_across_words() {
        let (width, first_row, first_column) = (150, 7, 1000);
        let set = [0, 1, 62, 63, 64, 65, 127, 128, 149];
        let bits = (0..2 * width).map(|k| k >= width && set.contains(&(k - width)));
        let bits = BitRows::new(first_column..first_column + width, first_row, bits).unwrap();
        assert_eq!(bits.count(), set.len() as u64);
        for start in 0..150 {
            for end in start + 1..=150 {
                let columns = first_column + start..first_column + end;
                let expected: Vec<_> = set.iter().map(|x| first_column + x).filter(|x| columns.contains(x)).collect();
                let mut found = Vec::new();
                bits.for_each_set(8, &columns, |x| found.push(x));
                assert_eq!(found, expected, "{start}..{end}");
                bits.for_each_set(7, &columns, |x| panic!("{x} is not set"));
            }
        }
        assert!(BitRows::new(0..3, 0, [false; 9].into_iter()).is_none());
    }
}
