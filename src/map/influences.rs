//! Finds the influences on the cells of a map.

use std::ops::Range;

use super::Layers;
use super::bit_rows::BitRows;
use crate::grid::{Cell, Size};
use crate::terrain::{FactorTable, Influence, TerrainId};

/// How many neighbouring cells of a row are handled together.
pub(super) const BLOCK: usize = FactorTable::BLOCK;

/// An influence on neighbouring cells.
pub(super) struct AppliedInfluence<'a> {
    /// The cell that has it.
    pub source: Cell,
    /// The terrain that has it.
    pub terrain: TerrainId,
    pub influence: &'a Influence,
    /// The factors for a block of cells, 1 where it does not reach.
    pub factors: &'a [f64; BLOCK],
}

/// The influences on the cells of a rectangle of a map.
pub(super) struct Influences<'a> {
    layers: &'a Layers,
    /// The cells whose terrain has an influence.
    base: Option<BitRows>,
    overlay: Option<BitRows>,
    /// How many influences there are on a cell on average, roughly.
    pub per_cell: u64,
}

impl<'a> Influences<'a> {
    /// Finds the influences on the cells in these columns and rows of the map.
    pub fn new(layers: &'a Layers, columns: Range<i32>, rows: Range<i32>) -> Self {
        let reach = layers.tileset.max_influence_reach();
        let (columns, rows) = layers.around(columns, rows, reach);
        let places = columns.start as usize..columns.end as usize;
        let has_influence = |id: TerrainId| layers.tileset.influence(id).is_some();
        let base = rows.clone().flat_map(|y| &layers.base.row(y)[places.clone()]).map(|&id| has_influence(id));
        let overlay = rows.clone().flat_map(|y| &layers.overlay.row(y)[places.clone()]);
        let overlay = overlay.map(|id| id.is_some_and(has_influence));
        let base = BitRows::new(columns.clone(), rows.start, base);
        let overlay = BitRows::new(columns, rows.start, overlay);
        let sources: u64 = [&base, &overlay].into_iter().flatten().map(BitRows::count).sum();
        let (cells, square) = (places.len() * rows.len(), u64::from(2 * reach + 1).pow(2));
        Self { layers, base, overlay, per_cell: (sources * square).div_ceil(cells.max(1) as u64) }
    }

    /// Calls `visit` for each influence on at most [`BLOCK`] neighbouring cells. The order is fixed, because floats are
    /// multiplied in it: row by row from the north, and in each row the base before the overlay.
    pub fn for_each(&self, y: i32, columns: Range<i32>, mut visit: impl FnMut(AppliedInfluence<'_>)) {
        if self.base.is_none() && self.overlay.is_none() {
            return;
        }
        let (layers, Size { width, height }) = (self.layers, self.layers.size());
        let reach = layers.tileset.max_influence_reach() as i32;
        for row in (y - reach).max(0)..(y + reach + 1).min(height as i32) {
            let columns_in_reach = (f64::from(reach).powi(2) - f64::from(row - y).powi(2)).sqrt().ceil() as i32;
            let sources = (columns.start - columns_in_reach).max(0)..(columns.end + columns_in_reach).min(width as i32);
            let mut visit = |x: i32, terrain: TerrainId| {
                let Some((influence, table)) = layers.tileset.influence_with_factors(terrain) else { return };
                if let Some(factors) = table.of_block(columns.start - x, row.abs_diff(y)) {
                    visit(AppliedInfluence { source: Cell::new(x, row), terrain, influence, factors });
                }
            };
            if let Some(bits) = &self.base {
                bits.for_each_set(row, &sources, |x| visit(x, layers.base[Cell::new(x, row)]));
            }
            if let Some(bits) = &self.overlay {
                bits.for_each_set(row, &sources, |x| {
                    if let Some(id) = layers.overlay[Cell::new(x, row)] {
                        visit(x, id);
                    }
                });
            }
        }
    }
}
