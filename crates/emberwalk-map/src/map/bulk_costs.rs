//! Computes the costs of many cells, a block of cells at a time and on all cores.

use std::iter;
use std::ops::Range;

use rayon::prelude::*;

use super::Layers;
use super::bit_rows::BitRows;
use super::cost_product::CostProduct;
use crate::terrain::{Effect, Influence, Layer, Terrain, TerrainId, Tileset};
use crate::threads;
use emberwalk_path::EntryCost;
use emberwalk_path::grid::{Cell, Size};

/// How many neighbouring cells of a row are computed together, so that the compiler can use vector instructions.
const BLOCK: usize = 16;

/// How many runs, each of which may be a row, are computed before their costs are handed out. It bounds the memory for
/// costs that wait.
const RUNS_AT_ONCE: usize = 64;

/// Fewer multiplications than this are done faster by this thread than by several.
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

/// Computes the same costs as [`Layers::cost`], to the last bit, because it applies influences in the same order.
pub(super) struct BulkCosts<'a> {
    layers: &'a Layers,
    runs: Vec<Run>,
    own_costs: OwnCosts,
    base: Option<BitRows>,
    overlay: Option<BitRows>,
    /// For each terrain, the factors of its influence.
    factors: Vec<Option<FactorTable>>,
    /// The largest reach of the influences, in cells.
    reach: u32,
    /// How many influences there are on a cell on average, roughly.
    influences_per_cell: u64,
}

impl<'a> BulkCosts<'a> {
    /// Prepares the computation of the costs of runs of cells of the map, which are in the order of their rows.
    pub fn new(layers: &'a Layers, runs: Vec<Run>, own_tiles: OwnTiles) -> Self {
        let (tileset, Size { width, height }) = (&layers.tileset, layers.size());
        let reach = tileset.max_influence_reach();
        let first = runs.first().map_or(0, |run| run.y as usize).saturating_sub(reach as usize);
        let end = runs.last().map_or(0, |run| run.y as usize + 1 + reach as usize).min(height as usize);
        let width = width as usize;
        let has_influence = |id: TerrainId| tileset.influence(id).is_some();
        let rows = || first as i32..end as i32;
        let base = rows().flat_map(|y| layers.base.row(y)).map(|&id| has_influence(id));
        let overlay = rows().flat_map(|y| layers.overlay.row(y)).map(|id| id.is_some_and(has_influence));
        let (base, overlay) = (BitRows::new(width, first, base), BitRows::new(width, first, overlay));
        let cells = width * end.saturating_sub(first);
        let sources: u64 = [&base, &overlay].into_iter().flatten().map(BitRows::count).sum();
        let square = u64::from(2 * reach + 1).pow(2);
        Self {
            layers,
            runs,
            own_costs: OwnCosts::new(tileset, own_tiles),
            base,
            overlay,
            factors: tileset.iter().map(|(id, _)| tileset.influence(id).map(FactorTable::new)).collect(),
            reach,
            influences_per_cell: (sources * square).div_ceil(cells.max(1) as u64),
        }
    }

    /// Returns all runs in their order, some at a time, with the costs of entering their cells; `None` for a blocked
    /// cell.
    pub fn batches(&self) -> impl Iterator<Item = (&[Run], Vec<Option<EntryCost>>)> {
        self.runs.chunks(RUNS_AT_ONCE).map(|runs| (runs, self.costs_of_batch(runs)))
    }

    /// Computes the costs of a batch of runs, on several threads if that saves time. Each cell is computed alone, so
    /// the number of threads makes no difference to its cost.
    fn costs_of_batch(&self, runs: &[Run]) -> Vec<Option<EntryCost>> {
        let cells: u64 = runs.iter().map(|run| run.columns.len() as u64).sum();
        if cells * self.influences_per_cell < MIN_WORK_TO_SHARE {
            return runs.iter().flat_map(|run| self.costs_of_run(run)).collect();
        }
        threads::prepare();
        runs.par_iter().flat_map_iter(|run| self.costs_of_run(run)).collect()
    }

    fn costs_of_run(&self, Run { y, columns }: &Run) -> Vec<Option<EntryCost>> {
        let mut costs = Vec::with_capacity(columns.len());
        for start in columns.clone().step_by(BLOCK) {
            let end = columns.end.min(start + BLOCK as i32);
            self.add_costs_of_block(*y, start..end, &mut costs);
        }
        costs
    }

    /// Computes the costs of at most [`BLOCK`] neighbouring cells.
    fn add_costs_of_block(&self, y: i32, columns: Range<i32>, costs: &mut Vec<Option<EntryCost>>) {
        let mut own = [None; BLOCK];
        let places = columns.start as usize..columns.end as usize;
        let terrains = self.layers.base.row(y)[places.clone()].iter().zip(&self.layers.overlay.row(y)[places]);
        for (own, (base, overlay)) in own.iter_mut().zip(terrains) {
            *own = self.own_costs.of(*base, *overlay);
        }
        // Blocked cells, and those of a block that are not asked for, are computed with the others and not used.
        let mut products = CostProduct::new(own.map(|own| own.map_or(1.0, |own| own.tiles)));
        let own = own.into_iter().take(columns.len());
        if self.apply_influences(y, columns, &mut products) {
            costs.extend(own.zip(products.costs()).map(|(own, cost)| own.map(|_| cost)));
        } else {
            costs.extend(own.map(|own| own.map(|own| own.cost)));
        }
    }

    /// Applies all influences on a block; returns whether there are any.
    fn apply_influences(&self, y: i32, columns: Range<i32>, products: &mut CostProduct<BLOCK>) -> bool {
        if self.base.is_none() && self.overlay.is_none() {
            return false;
        }
        let mut is_any = false;
        let (reach, Size { width, height }) = (self.reach as i32, self.layers.size());
        for row in (y - reach).max(0)..(y + reach + 1).min(height as i32) {
            let columns_in_reach = (f64::from(reach).powi(2) - f64::from(row - y).powi(2)).sqrt().ceil() as i32;
            let sources = (columns.start - columns_in_reach).max(0)..(columns.end + columns_in_reach).min(width as i32);
            let mut apply = |id: TerrainId, x: i32| {
                let Some(table) = &self.factors[id.index()] else { return };
                if let Some(factors) = table.of_block(columns.start - x, row.abs_diff(y)) {
                    products.apply(table.effect, factors);
                    is_any = true;
                }
            };
            if let Some(bits) = &self.base {
                bits.for_each_set(row, &sources, |x| apply(self.layers.base[Cell::new(x, row)], x));
            }
            if let Some(bits) = &self.overlay {
                bits.for_each_set(row, &sources, |x| {
                    if let Some(id) = self.layers.overlay[Cell::new(x, row)] {
                        apply(id, x);
                    }
                });
            }
        }
        is_any
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
            let tiles = own_tiles(tileset, id, overlay.map(|(id, _)| id)).filter(|_| is_possible)?;
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

/// The factors of one influence, by the distance in columns and rows.
struct FactorTable {
    effect: Effect,
    /// The reach, in whole cells.
    reach: usize,
    /// A row for each distance in rows. It has the factors of all distances in columns from west to east, between
    /// enough factors of 1 for a block that is only partly within reach.
    values: Vec<f64>,
}

impl FactorTable {
    fn new(influence: &Influence) -> Self {
        let reach = influence.reach.ceil() as i32;
        let margin = reach + BLOCK as i32 - 1;
        let factor = |dx: i32, dy: i32| {
            let distance = (Cell::new(dx, dy).distance_squared(Cell::new(0, 0)) as f64).sqrt();
            influence.factor_at(distance).unwrap_or(1.0)
        };
        let values = (0..=reach).flat_map(|dy| (-margin..=margin).map(move |dx| factor(dx, dy))).collect();
        Self { effect: influence.effect, reach: reach as usize, values }
    }

    /// Returns the factors for a block that begins `dx` columns east of the source, and is `dy` rows away from it;
    /// `None` if it is beyond reach.
    fn of_block(&self, dx: i32, dy: u32) -> Option<&[f64; BLOCK]> {
        let margin = self.reach + BLOCK - 1;
        let row = self.values.chunks_exact(2 * margin + 1).nth(dy as usize)?;
        row.get(usize::try_from(dx + margin as i32).ok()?..)?.first_chunk()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::map::SharedGrid;
    use crate::map::cost_formula::terrain_tiles;
    use crate::map::levels::Levels;
    use crate::terrain::Tileset;

    /// Returns layers full of influences with these numbers, mixed by a fixed rule.
    fn layers(size: Size, volcano: &str, tombstone: &str) -> Layers {
        let source = include_str!("../../../../assets/tileset.ron");
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
    fn costs_in_bulk_equal_those_of_single_cells_to_the_last_bit() {
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
                let expected: Vec<_> = cells.map(|cell| layers.cost(cell)).collect();
                assert!(expected.iter().any(Option::is_some));
                let bulk = BulkCosts::new(&layers, runs, terrain_tiles);
                let costs: Vec<_> = bulk.batches().flat_map(|(_, costs)| costs).collect();
                assert!(costs == expected, "{size} {volcano}");
            }
        }
    }
}
