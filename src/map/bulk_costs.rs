//! The costs of many cells at once: what has an influence is found by bits rather than by looking at every neighbour.

use std::ops::Range;

use super::layers::{Layers, apply_influence, clamped};
use crate::grid::Cell;
use crate::path::EntryCost;
use crate::terrain::{Effect, Influence, TerrainId};

/// Costs as [`Layers::cost`] has them, to the last bit: influences come in the same order. To make it takes one look at
/// every cell of the map, so it pays for many cells.
pub(super) struct BulkCosts<'a> {
    layers: &'a Layers,
    base: Option<Bits>,
    overlay: Option<Bits>,
    /// By terrain.
    factors: Vec<Option<Factors>>,
    /// The farthest that anything on the map is felt, in cells.
    reach: u32,
}

impl<'a> BulkCosts<'a> {
    pub fn new(layers: &'a Layers) -> Self {
        let tileset = &layers.tileset;
        let acts = |id: TerrainId| tileset.influence(id).is_some();
        let width = layers.size().width as usize;
        let base = Bits::new(width, layers.base.values().iter().map(|&id| acts(id)));
        let overlay = Bits::new(width, layers.overlay.values().iter().map(|id| id.is_some_and(acts)));
        let factors = tileset.iter().map(|(id, _)| tileset.influence(id).map(Factors::new)).collect();
        let mut there = vec![false; tileset.iter().count()];
        layers.base.values().iter().for_each(|id| there[id.index()] = true);
        layers.overlay.values().iter().flatten().for_each(|id| there[id.index()] = true);
        let influences = tileset.iter().filter(|(id, _)| there[id.index()]).filter_map(|(id, _)| tileset.influence(id));
        let reach = influences.map(|influence| influence.reach.ceil() as u32).max().unwrap_or(0);
        Self { layers, base, overlay, factors, reach }
    }

    /// What entering a cell of the map costs.
    pub fn cost(&self, cell: Cell) -> Option<EntryCost> {
        let mut tiles = self.layers.terrain_tiles(cell)?;
        if self.base.is_none() && self.overlay.is_none() {
            return Some(clamped(tiles));
        }
        let (columns, rows) = self.layers.square_around(cell, self.reach);
        for y in rows {
            let down = y.abs_diff(cell.y);
            let mut feel = |id: TerrainId, x: i32| {
                let Some(factors) = &self.factors[id.index()] else { return };
                if let Some(factor) = factors.at(x.abs_diff(cell.x), down) {
                    tiles = apply_influence(tiles, factors.effect, factor);
                }
            };
            if let Some(bits) = &self.base {
                bits.each(y, &columns, |x| feel(self.layers.base[Cell::new(x, y)], x));
            }
            if let Some(bits) = &self.overlay {
                bits.each(y, &columns, |x| {
                    if let Some(id) = self.layers.overlay[Cell::new(x, y)] {
                        feel(id, x);
                    }
                });
            }
        }
        Some(clamped(tiles))
    }
}

/// The factors of one influence, by columns and rows between.
struct Factors {
    effect: Effect,
    side: u32,
    at: Vec<Option<f64>>,
}

impl Factors {
    fn new(influence: &Influence) -> Self {
        let side = influence.reach.ceil() as u32 + 1;
        let away = |k: u32| Cell::new((k % side) as i32, (k / side) as i32);
        let distance = |k: u32| (away(k).distance_squared(Cell::new(0, 0)) as f64).sqrt();
        Self { effect: influence.effect, side, at: (0..side * side).map(|k| influence.at(distance(k))).collect() }
    }

    fn at(&self, across: u32, down: u32) -> Option<f64> {
        let near = across < self.side && down < self.side;
        if near { self.at[(down * self.side + across) as usize] } else { None }
    }
}

/// One bit a cell.
struct Bits {
    words_a_row: usize,
    words: Vec<u64>,
}

impl Bits {
    /// The bits of cells in rows of `width`; `None` if all are 0.
    fn new(width: usize, bits: impl Iterator<Item = bool>) -> Option<Self> {
        let words_a_row = width.div_ceil(64);
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
        words.iter().any(|&word| word != 0).then_some(Self { words_a_row, words })
    }

    /// Takes each of `columns`, at most 65, whose bit in row `y` is 1, from west to east.
    fn each(&self, y: i32, columns: &Range<i32>, mut take: impl FnMut(i32)) {
        let row = &self.words[y as usize * self.words_a_row..][..self.words_a_row];
        let (word, shift) = (columns.start as usize / 64, columns.start as usize % 64);
        let part = |word: usize| u128::from(row.get(word).copied().unwrap_or(0));
        // 65 columns that begin with the last bit of a word end within the next.
        let bits = (part(word) | part(word + 1) << 64) >> shift;
        let mut bits = bits & ((1 << columns.len()) - 1);
        while bits != 0 {
            take(columns.start + bits.trailing_zeros() as i32);
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_found_over_the_borders_of_words() {
        let width = 150;
        let set = [0, 1, 62, 63, 64, 65, 127, 128, 149];
        let bits = Bits::new(width, (0..2 * width).map(|k| k >= width && set.contains(&(k - width)))).unwrap();
        for start in 0..150 {
            for end in start + 1..=150.min(start + 65) {
                let right: Vec<_> = set.iter().map(|&x| x as i32).filter(|x| (start..end).contains(x)).collect();
                let mut found = Vec::new();
                bits.each(1, &(start..end), |x| found.push(x));
                assert_eq!(found, right, "{start}..{end}");
                bits.each(0, &(start..end), |x| panic!("{x} is not set"));
            }
        }
        assert!(Bits::new(3, [false; 9].into_iter()).is_none());
    }
}
