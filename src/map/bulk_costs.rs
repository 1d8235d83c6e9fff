//! Computes the costs of many cells with bit sets, instead of a visit to each neighbour of each cell.

use std::ops::Range;

use super::layers::{Layers, apply_influence, clamped};
use crate::grid::Cell;
use crate::path::EntryCost;
use crate::terrain::{Effect, Influence, TerrainId};

/// Computes the same costs as [`Layers::cost`], to the last bit, because it applies influences in the same order.
///
/// [`new`](Self::new) visits every cell of the map, so it pays off for many cells only.
pub(super) struct BulkCosts<'a> {
    layers: &'a Layers,
    base: Option<BitRows>,
    overlay: Option<BitRows>,
    /// For each terrain, the factors of its influence.
    factors: Vec<Option<FactorTable>>,
    /// The largest reach of the influences on this map, in cells.
    reach: u32,
}

impl<'a> BulkCosts<'a> {
    pub fn new(layers: &'a Layers) -> Self {
        let tileset = &layers.tileset;
        let has_influence = |id: TerrainId| tileset.influence(id).is_some();
        let width = layers.size().width as usize;
        let base = BitRows::new(width, layers.base.values().iter().map(|&id| has_influence(id)));
        let overlay = BitRows::new(width, layers.overlay.values().iter().map(|id| id.is_some_and(has_influence)));
        let factors = tileset.iter().map(|(id, _)| tileset.influence(id).map(FactorTable::new)).collect();
        let mut is_used = vec![false; tileset.iter().count()];
        layers.base.values().iter().for_each(|id| is_used[id.index()] = true);
        layers.overlay.values().iter().flatten().for_each(|id| is_used[id.index()] = true);
        let influences =
            tileset.iter().filter(|(id, _)| is_used[id.index()]).filter_map(|(id, _)| tileset.influence(id));
        let reach = influences.map(|influence| influence.reach.ceil() as u32).max().unwrap_or(0);
        Self { layers, base, overlay, factors, reach }
    }

    /// Returns the cost of entering a cell of the map; `None` if it is blocked.
    pub fn cost(&self, cell: Cell) -> Option<EntryCost> {
        let mut tiles = self.layers.terrain_tiles(cell)?;
        if self.base.is_none() && self.overlay.is_none() {
            return Some(clamped(tiles));
        }
        let (columns, rows) = self.layers.square_around(cell, self.reach);
        for y in rows {
            let dy = y.abs_diff(cell.y);
            let mut apply = |id: TerrainId, x: i32| {
                let Some(factors) = &self.factors[id.index()] else { return };
                if let Some(factor) = factors.at(x.abs_diff(cell.x), dy) {
                    tiles = apply_influence(tiles, factors.effect, factor);
                }
            };
            if let Some(bits) = &self.base {
                bits.for_each_set(y, &columns, |x| apply(self.layers.base[Cell::new(x, y)], x));
            }
            if let Some(bits) = &self.overlay {
                bits.for_each_set(y, &columns, |x| {
                    if let Some(id) = self.layers.overlay[Cell::new(x, y)] {
                        apply(id, x);
                    }
                });
            }
        }
        Some(clamped(tiles))
    }
}

/// The factors of one influence, by the distance in columns and rows.
struct FactorTable {
    effect: Effect,
    side: u32,
    values: Vec<Option<f64>>,
}

impl FactorTable {
    fn new(influence: &Influence) -> Self {
        let side = influence.reach.ceil() as u32 + 1;
        let offset = |k: u32| Cell::new((k % side) as i32, (k / side) as i32);
        let distance = |k: u32| (offset(k).distance_squared(Cell::new(0, 0)) as f64).sqrt();
        Self {
            effect: influence.effect,
            side,
            values: (0..side * side).map(|k| influence.factor_at(distance(k))).collect(),
        }
    }

    fn at(&self, dx: u32, dy: u32) -> Option<f64> {
        let in_reach = dx < self.side && dy < self.side;
        if in_reach { self.values[(dy * self.side + dx) as usize] } else { None }
    }
}

/// One bit for each cell, in rows of whole words.
struct BitRows {
    words_per_row: usize,
    words: Vec<u64>,
}

impl BitRows {
    /// Stores the bits of cells in rows of `width`; `None` if all bits are 0.
    fn new(width: usize, bits: impl Iterator<Item = bool>) -> Option<Self> {
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
        words.iter().any(|&word| word != 0).then_some(Self { words_per_row, words })
    }

    /// Calls `visit` for each of `columns` whose bit in row `y` is 1, from west to east. There are at most 65 columns.
    fn for_each_set(&self, y: i32, columns: &Range<i32>, mut visit: impl FnMut(i32)) {
        let row = &self.words[y as usize * self.words_per_row..][..self.words_per_row];
        let (word, shift) = (columns.start as usize / 64, columns.start as usize % 64);
        let word_at = |word: usize| u128::from(row.get(word).copied().unwrap_or(0));
        // Even 65 columns that begin at the last bit of a word end in the next word.
        let bits = (word_at(word) | word_at(word + 1) << 64) >> shift;
        let mut bits = bits & ((1 << columns.len()) - 1);
        while bits != 0 {
            visit(columns.start + bits.trailing_zeros() as i32);
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_bits_are_found_across_words() {
        let width = 150;
        let set = [0, 1, 62, 63, 64, 65, 127, 128, 149];
        let bits = BitRows::new(width, (0..2 * width).map(|k| k >= width && set.contains(&(k - width)))).unwrap();
        for start in 0..150 {
            for end in start + 1..=150.min(start + 65) {
                let expected: Vec<_> = set.iter().map(|&x| x as i32).filter(|x| (start..end).contains(x)).collect();
                let mut found = Vec::new();
                bits.for_each_set(1, &(start..end), |x| found.push(x));
                assert_eq!(found, expected, "{start}..{end}");
                bits.for_each_set(0, &(start..end), |x| panic!("{x} is not set"));
            }
        }
        assert!(BitRows::new(3, [false; 9].into_iter()).is_none());
    }
}
