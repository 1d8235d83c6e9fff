//! The formula that computes costs from terrain.

use std::ops::Range;

use super::Layers;
use super::cost_product::CostProduct;
use crate::terrain::{Climb, Cost, Effect, TerrainId, Tileset};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{ClimbRule, CostGrid, EntryCost, Level};

/// The influence that a terrain has on one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct AppliedInfluence {
    /// The terrain that has the influence.
    pub source: TerrainId,
    pub effect: Effect,
    /// The number that the cost is divided or multiplied by.
    pub factor: f64,
}

impl Layers {
    /// Returns the terrains on a cell, the base first; none off the map.
    pub(super) fn terrains(&self, cell: Cell) -> impl Iterator<Item = TerrainId> {
        [self.base.get(cell).copied(), self.overlay.get(cell).copied().flatten()].into_iter().flatten()
    }

    /// Whether the terrains of a cell of the map make it impassable.
    pub(super) fn is_blocked(&self, cell: Cell) -> bool {
        terrain_tiles(&self.tileset, self.base[cell], self.overlay[cell]).is_none()
    }

    /// Returns the cost of a cell of the map; `None` if it is blocked.
    pub(super) fn cost(&self, cell: Cell) -> Option<EntryCost> {
        let own_tiles = terrain_tiles(&self.tileset, self.base[cell], self.overlay[cell])?;
        let mut product = CostProduct::new([own_tiles]);
        self.influences_on(cell).for_each(|by| product.apply(by.effect, &[by.factor]));
        let [cost] = product.costs();
        Some(cost)
    }

    /// Gives a grid of this size the levels, and the tileset's rule for climbs.
    pub(super) fn set_levels_of(&self, costs: &mut CostGrid) {
        let Climb { up, down, most } = self.tileset.climb();
        let rule = ClimbRule::new(up, down, most).expect("a tileset's climb is validated");
        costs.set_levels(rule, |cell| path_level(self.levels.get(cell)));
    }

    /// Returns every influence on `cell`. The order is fixed, because floats are multiplied in it: row by row from the
    /// north, and in each row the base before the overlay.
    pub(super) fn influences_on(&self, cell: Cell) -> impl Iterator<Item = AppliedInfluence> {
        let (columns, rows) = self.square_around(cell, self.tileset.max_influence_reach());
        rows.flat_map(move |y| {
            let range = columns.start as usize..columns.end as usize;
            let base = columns.clone().zip(self.base.row(y)[range.clone()].iter().copied());
            let overlay = columns.clone().zip(&self.overlay.row(y)[range]);
            let overlay = overlay.filter_map(|(x, id)| Some((x, (*id)?)));
            base.chain(overlay).filter_map(move |(x, source)| {
                let influence = self.tileset.influence(source)?;
                let distance = (cell.distance_squared(Cell::new(x, y)) as f64).sqrt();
                Some(AppliedInfluence { source, effect: influence.effect, factor: influence.factor_at(distance)? })
            })
        })
    }

    /// Returns the largest reach of the influences that the terrains on `cell` have, in cells, rounded up; `None` if
    /// they have no influence.
    pub(super) fn influence_reach(&self, cell: Cell) -> Option<u32> {
        let reaches = self.terrains(cell).filter_map(|id| self.tileset.influence(id).map(|influence| influence.reach));
        reaches.map(|reach| reach.ceil() as u32).max()
    }

    /// Returns the cells of the map that are at most `reach` columns and rows away from `cell`, row by row.
    pub(super) fn cells_around(&self, cell: Cell, reach: u32) -> impl Iterator<Item = Cell> + use<> {
        let (columns, rows) = self.square_around(cell, reach);
        rows.flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
    }

    /// Returns the columns and the rows of the map that are at most `reach` away from `cell`.
    pub(super) fn square_around(&self, cell: Cell, reach: u32) -> (Range<i32>, Range<i32>) {
        let (Size { width, height }, reach) = (self.size(), reach as i32);
        let range = |at: i32, length: u32| (at - reach).max(0)..(at + reach + 1).min(length as i32);
        (range(cell.x, width), range(cell.y, height))
    }
}

/// Returns the cost of a cell with these terrains without influences, in tiles and before it is clamped; `None` if it
/// is blocked.
pub(super) fn terrain_tiles(tileset: &Tileset, base: TerrainId, overlay: Option<TerrainId>) -> Option<f64> {
    match overlay.map(|id| tileset[id].cost) {
        None => ground_tiles(tileset, base),
        Some(Cost::Impassable) => None,
        Some(Cost::Enter(tiles)) => Some(tiles),
        Some(Cost::Times(factor)) => ground_tiles(tileset, base).map(|tiles| tiles * factor),
    }
}

/// Returns the same as [`terrain_tiles`] for a passable cell. For a blocked one, returns the cost that it has once it
/// is opened: that of its ground, 1 if the ground is impassable.
pub(super) fn opened_tiles(tileset: &Tileset, base: TerrainId, overlay: Option<TerrainId>) -> Option<f64> {
    terrain_tiles(tileset, base, overlay).or_else(|| ground_tiles(tileset, base)).or(Some(1.0))
}

/// Returns the cost of a ground, in tiles; `None` if it is impassable.
fn ground_tiles(tileset: &Tileset, base: TerrainId) -> Option<f64> {
    match tileset[base].cost {
        Cost::Enter(tiles) => Some(tiles),
        Cost::Impassable | Cost::Times(_) => None,
    }
}

/// Returns a level of a map, which is at most [`MAX_LEVEL`](super::MAX_LEVEL), for the cost grid.
pub(super) fn path_level(level: u8) -> Level {
    Level::new(level).expect("the levels of a map and of a cost grid have the same limit")
}
