//! Computes the costs of cells, a block of cells at a time and on all cores.

use std::iter;
use std::ops::Range;

use super::Layers;
use super::cost_product::CostProduct;
use super::influences::{BLOCK, Influences};
use crate::path::EntryCost;
use crate::terrain::{Layer, Terrain, TerrainId, Tileset};
use crate::threads::{for_parts, processors};

/// How many runs, each of which may be a row, are computed before their costs are handed out. It bounds the memory for
/// costs that wait.
pub(crate) const ROWS_IN_PART: usize = 64;

/// Fewer multiplications than this are done faster by one thread than it takes to start others.
const MIN_WORK_TO_SHARE: u64 = 1 << 20;

/// Neighbouring cells of one row.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub y: i32,
    pub columns: Range<i32>,
}

/// What base and overlay of a cell cost without influences, such as
/// [`terrain_tiles`](super::cost_formula::terrain_tiles).
pub(super) type OwnTiles = fn(&Tileset, TerrainId, Option<TerrainId>) -> Option<f64>;

/// Computes the costs of cells from the terrain on them and the influences on them.
pub(super) struct CellCosts<'a> {
    layers: &'a Layers,
    runs: Vec<Run>,
    own_costs: OwnCosts,
}

impl<'a> CellCosts<'a> {
    /// Prepares the computation of the costs of runs of cells of the map, which are in the order of their rows.
    pub fn new(layers: &'a Layers, runs: Vec<Run>, own_tiles: OwnTiles) -> Self {
        Self { layers, runs, own_costs: OwnCosts::new(&layers.tileset, own_tiles) }
    }

    /// Returns all runs in their order, some at a time, with the costs of entering their cells; `None` for a blocked
    /// cell.
    pub fn batches(&self) -> impl Iterator<Item = (&[Run], Vec<Option<EntryCost>>)> {
        // Influences are looked for in all rows from the first of a batch to the last.
        let without_gaps = self.runs.chunk_by(|run, next| next.y - run.y <= 1);
        without_gaps.flat_map(|runs| runs.chunks(ROWS_IN_PART)).map(|runs| (runs, self.costs_of_batch(runs)))
    }

    /// Computes the costs of a batch of runs, on several threads if that saves time. Each cell is computed alone, so
    /// the number of threads makes no difference to its cost.
    fn costs_of_batch(&self, runs: &[Run]) -> Vec<Option<EntryCost>> {
        let start = runs.iter().map(|run| run.columns.start).min().unwrap_or(0);
        let end = runs.iter().map(|run| run.columns.end).max().unwrap_or(0);
        let rows = runs.first().map_or(0, |run| run.y)..runs.last().map_or(0, |run| run.y + 1);
        let influences = Influences::new(self.layers, start..end, rows);
        let cells: u64 = runs.iter().map(|run| run.columns.len() as u64).sum();
        if cells * influences.per_cell < MIN_WORK_TO_SHARE {
            return self.costs_of_runs(runs, &influences);
        }
        for_parts(runs.chunks(runs.len().div_ceil(processors())), |part| self.costs_of_runs(part, &influences)).concat()
    }

    fn costs_of_runs(&self, runs: &[Run], influences: &Influences<'_>) -> Vec<Option<EntryCost>> {
        let mut costs = Vec::with_capacity(runs.iter().map(|run| run.columns.len()).sum());
        for Run { y, columns } in runs {
            for start in columns.clone().step_by(BLOCK) {
                let end = columns.end.min(start + BLOCK as i32);
                self.add_costs_of_block(*y, start..end, influences, &mut costs);
            }
        }
        costs
    }

    /// Computes the costs of at most [`BLOCK`] neighbouring cells.
    fn add_costs_of_block(
        &self,
        y: i32,
        columns: Range<i32>,
        influences: &Influences<'_>,
        costs: &mut Vec<Option<EntryCost>>,
    ) {
        let mut own = [None; BLOCK];
        let places = columns.start as usize..columns.end as usize;
        let terrains = self.layers.base.row(y)[places.clone()].iter().zip(&self.layers.overlay.row(y)[places]);
        for (own, (base, overlay)) in own.iter_mut().zip(terrains) {
            *own = self.own_costs.of(*base, *overlay);
        }
        // Blocked cells, and those of a block that are not asked for, are computed with the others and not used.
        let mut products = CostProduct::new(own.map(|own| own.map_or(1.0, |own| own.tiles)));
        let own = own.into_iter().take(columns.len());
        let mut is_any = false;
        influences.for_each(y, columns, |applied| {
            products.apply(applied.influence.effect, applied.factors);
            is_any = true;
        });
        if is_any {
            costs.extend(own.zip(products.costs()).map(|(own, cost)| own.map(|_| cost)));
        } else {
            costs.extend(own.map(|own| own.map(|own| own.cost)));
        }
    }
}

/// What cells cost without influences.
struct OwnCosts {
    /// For each base a row, with the costs without overlay and with each of them; `None` for blocked cells.
    by_terrains: Vec<Option<OwnCost>>,
    row: usize,
}

#[derive(Clone, Copy)]
struct OwnCost {
    tiles: f64,
    cost: EntryCost,
}

impl OwnCosts {
    fn new(tileset: &Tileset, own_tiles: OwnTiles) -> Self {
        let row = 1 + tileset.iter().count();
        let of = |base: &Terrain, id: TerrainId, overlay: Option<(TerrainId, &Terrain)>| {
            let is_possible = base.layer == Layer::Base && overlay.is_none_or(|(_, it)| it.layer == Layer::Overlay);
            let tiles = is_possible.then(|| own_tiles(tileset, id, overlay.map(|(id, _)| id)))??;
            let [cost] = CostProduct::new([tiles]).costs();
            Some(OwnCost { tiles, cost })
        };
        let row_of =
            |(id, base)| iter::once(None).chain(tileset.iter().map(Some)).map(move |overlay| of(base, id, overlay));
        Self { by_terrains: tileset.iter().flat_map(row_of).collect(), row }
    }

    /// Returns the cost with these terrains; `None` if they make a cell impassable.
    fn of(&self, base: TerrainId, overlay: Option<TerrainId>) -> Option<OwnCost> {
        self.by_terrains[base.index() * self.row + overlay.map_or(0, |id| id.index() + 1)]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::grid::{Cell, Size};
    use crate::map::SharedGrid;
    use crate::map::cost_formula::terrain_tiles;
    use crate::map::levels::Levels;
    use crate::terrain::Tileset;

    /// Returns the cost of one cell, from all cells of the map in their order.
    fn cost(layers: &Layers, cell: Cell) -> Option<EntryCost> {
        let tiles = terrain_tiles(&layers.tileset, layers.base[cell], layers.overlay[cell])?;
        let mut product = CostProduct::new([tiles]);
        for y in 0..layers.size().height as i32 {
            let row = |ids: Vec<Option<TerrainId>>| (0..).map(move |x| Cell::new(x, y)).zip(ids);
            let base = row(layers.base.row(y).iter().copied().map(Some).collect());
            for (source, id) in base.chain(row(layers.overlay.row(y).to_vec())) {
                let Some(influence) = id.and_then(|id| layers.tileset.influence(id)) else { continue };
                let [dx, dy] = [source.x - cell.x, source.y - cell.y].map(f64::from);
                let distance = (dx * dx + dy * dy).sqrt();
                if let Some(factor) = influence.factor_at(distance) {
                    product.apply(influence.effect, &[factor]);
                }
            }
        }
        let [cost] = product.costs();
        Some(cost)
    }

    /// Returns layers full of influences with these numbers, mixed by a fixed rule.
    fn layers(size: Size, volcano: &str, tombstone: &str) -> Layers {
        let source = include_str!("../../assets/tileset.ron");
        let source = source.replace("(effect: divide, reach: 4.5, from: 5, by: 2)", volcano);
        let source = source.replace("(effect: multiply, reach: 2.5, from: 3.5, by: 1.1)", tombstone);
        assert!(source.contains(volcano) && source.contains(tombstone));
        let tileset = Arc::new(Tileset::parse("tileset.ron", &source).unwrap());
        let mut state = 1u32;
        let mut pick = |chars: &str| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            tileset.find(chars.chars().cycle().nth((state >> 20) as usize).unwrap())
        };
        let base = SharedGrid::from_fn(size, |_| pick("GSD~").unwrap());
        let overlay = SharedGrid::from_fn(size, |_| pick("tttV.R"));
        Layers { base, overlay, levels: Levels::default(), tileset: tileset.clone() }
    }

    #[test]
    fn costs_are_those_of_the_formula_to_the_last_bit() {
        for (size, volcano, tombstone) in [
            // Products that reach all costs.
            (
                (131, 40),
                "(effect: divide, reach: 2.5, from: 5, by: 0.6)",
                "(effect: multiply, reach: 3, from: 4, by: 0.4)",
            ),
            // Of different reaches, and more than the threshold for several threads.
            (
                (90, 70),
                "(effect: divide, reach: 32, from: 33, by: 0.045)",
                "(effect: multiply, reach: 9.3, from: 20, by: 0.06)",
            ),
            // Products beyond the range of an `f64`.
            (
                (80, 66),
                "(effect: divide, reach: 31.5, from: 40, by: 9)",
                "(effect: multiply, reach: 32, from: 33, by: 9)",
            ),
            (
                (1, 70),
                "(effect: divide, reach: 32, from: 33, by: 0.06)",
                "(effect: divide, reach: 1, from: 2, by: 0.06)",
            ),
        ] {
            let size = Size::new(size.0, size.1);
            let layers = layers(size, volcano, tombstone);
            let (width, height) = (size.width as i32, size.height as i32);
            let rows: Vec<_> = (0..height).map(|y| Run { y, columns: 0..width }).collect();
            let pieces =
                (0..height).flat_map(|y| [0..width / 3, width / 2..width / 2 + 1].map(|columns| Run { y, columns }));
            let last_rows = rows[rows.len() - 3..].to_vec();
            for runs in [rows, pieces.collect(), last_rows] {
                let cells = runs.iter().flat_map(|run| run.columns.clone().map(|x| Cell::new(x, run.y)));
                let expected: Vec<_> = cells.map(|cell| cost(&layers, cell)).collect();
                assert!(expected.iter().any(Option::is_some));
                let computed = CellCosts::new(&layers, runs, terrain_tiles);
                let costs: Vec<_> = computed.batches().flat_map(|(_, costs)| costs).collect();
                assert!(costs == expected, "{size} {volcano}");
            }
        }
    }
}
