//! Collects the cells whose cost may have changed, each once.

use std::ops::Range;

use super::cell_costs::Run;
use crate::grid::Size;

/// Cells of a map: a bit for each cell of the rows that have any.
pub(super) struct AffectedCells {
    width: u32,
    /// The bits of each row; nothing where no cell is affected.
    rows: Vec<Vec<u64>>,
}

impl AffectedCells {
    /// Returns none of the cells of a map.
    pub fn none(size: Size) -> Self {
        Self { width: size.width, rows: vec![Vec::new(); size.height as usize] }
    }

    /// Adds the cells in these columns and rows, which are on the map.
    pub fn add(&mut self, (columns, rows): (Range<i32>, Range<i32>)) {
        let (start, end) = (columns.start as usize, columns.end as usize);
        for row in &mut self.rows[rows.start as usize..rows.end as usize] {
            if row.is_empty() {
                row.resize((self.width as usize).div_ceil(64), 0);
            }
            for (word, first) in row.iter_mut().zip((0..).step_by(64)).take(end.div_ceil(64)).skip(start / 64) {
                let before = u64::MAX << start.saturating_sub(first);
                let after = u64::MAX.checked_shl((end - first) as u32).unwrap_or(0);
                *word |= before & !after;
            }
        }
    }

    /// Returns the cells as runs, row by row.
    pub fn runs(&self) -> impl Iterator<Item = Run> {
        (0..).zip(&self.rows).flat_map(move |(y, row)| {
            let mut from = 0;
            std::iter::from_fn(move || {
                let start = next(row, from, |word| word)?;
                let end = next(row, start, |word| !word).unwrap_or(64 * row.len());
                from = end;
                Some(Run { y, columns: start as i32..end as i32 })
            })
        })
    }
}

/// Returns the number of the first bit from `start` on that is 1 after this change of its word.
fn next(row: &[u64], start: usize, changed: impl Fn(u64) -> u64) -> Option<usize> {
    let mut words = row.iter().map(|word| changed(*word)).enumerate().skip(start / 64);
    let (at, first) = words.next()?;
    let first = (at, first & u64::MAX << (start % 64));
    let (at, word) = std::iter::once(first).chain(words).find(|(_, word)| *word != 0)?;
    Some(64 * at + word.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_each_cell_once_across_words() {
        for ends in [(0, 1), (63, 64), (63, 65), (64, 128), (5, 200), (127, 200), (0, 200)] {
            let mut affected = AffectedCells::none(Size::new(200, 5));
            assert!(affected.runs().next().is_none());
            affected.add((ends.0..ends.1, 1..3));
            affected.add((ends.0..ends.0 + 1, 2..4));
            let runs: Vec<_> = affected.runs().map(|run| (run.y, run.columns)).collect();
            assert_eq!(runs, [(1, ends.0..ends.1), (2, ends.0..ends.1), (3, ends.0..ends.0 + 1)]);
        }
        let mut affected = AffectedCells::none(Size::new(200, 1));
        [(1..3, 0..1), (70..71, 0..1), (3..4, 0..1), (199..200, 0..1)]
            .into_iter()
            .for_each(|square| affected.add(square));
        let runs: Vec<_> = affected.runs().map(|run| run.columns).collect();
        assert_eq!(runs, [1..4, 70..71, 199..200]);
    }
}
