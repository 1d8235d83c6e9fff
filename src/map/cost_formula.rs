//! The formula that computes costs from terrain.

use std::ops::Range;

use super::Layers;
use super::influences::Influences;
use crate::grid::{Cell, Size};
use crate::path::{ClimbRule, CostGrid, Level};
use crate::terrain::{Climb, Cost, Effect, TerrainId, Tileset};

/// What a terrain does to the cost of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CostOperation {
    /// Makes the cell impassable.
    Block,
    /// Sets the cost to this number of tiles.
    Set(f64),
    /// Multiplies the cost so far.
    Multiply(f64),
    /// Divides the cost so far.
    Divide(f64),
}

impl CostOperation {
    /// Applies the operation to `tiles`, the product of the factors before it. [`Block`](Self::Block) changes nothing.
    pub fn apply(self, tiles: f64) -> f64 {
        match self {
            Self::Block => tiles,
            Self::Set(cost) => cost,
            Self::Multiply(factor) => tiles * factor,
            Self::Divide(divisor) => tiles / divisor,
        }
    }
}

/// What determines the cost of a cell.
pub(super) struct Operations {
    /// What terrains do to the cost, in the order in which it is applied.
    pub list: Vec<(TerrainId, CostOperation)>,
    /// How many of these are done by the terrains of the cell itself. The others are influences.
    pub own: usize,
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

    /// Returns the terrains of `cell` that determine its cost, in the order in which they are applied; `None` off the
    /// map.
    pub(super) fn own_operations(&self, cell: Cell) -> Option<impl Iterator<Item = (TerrainId, CostOperation)>> {
        Some(own_operations(&self.tileset, *self.base.get(cell)?, self.overlay[cell]))
    }

    /// Returns what determines the cost of `cell`; `None` off the map. A blocked cell has no influences.
    pub(super) fn operations(&self, cell: Cell) -> Option<Operations> {
        let mut list: Vec<_> = self.own_operations(cell)?.collect();
        let own = list.len();
        if list.iter().any(|(_, operation)| *operation == CostOperation::Block) {
            return Some(Operations { list, own });
        }
        let Cell { x, y } = cell;
        Influences::new(self, x..x + 1, y..y + 1).for_each(y, x..x + 1, |applied| {
            if let Some(factor) = applied.influence.factor_between(applied.source, cell) {
                list.push((
                    applied.terrain,
                    match applied.influence.effect {
                        Effect::Divide => CostOperation::Divide(factor),
                        Effect::Multiply => CostOperation::Multiply(factor),
                    },
                ));
            }
        });
        Some(Operations { list, own })
    }

    /// Gives a grid of this size the levels, and the tileset's rule for climbs.
    pub(super) fn set_levels_of(&self, costs: &mut CostGrid) {
        let Climb { up, down, most } = self.tileset.climb();
        let rule = ClimbRule::new(up, down, most).expect("a tileset's climb is validated");
        costs.set_levels(rule, |cell| path_level(self.levels.get(cell)));
    }

    /// Returns the largest reach of the influences that the terrains on `cell` have, in cells, rounded up; `None` if
    /// they have no influence.
    pub(super) fn influence_reach(&self, cell: Cell) -> Option<u32> {
        let reaches = self.terrains(cell).filter_map(|id| self.tileset.influence(id).map(|influence| influence.reach));
        reaches.map(|reach| reach.ceil() as u32).max()
    }

    /// Returns the columns and the rows of the map that are at most `reach` away from `cell`.
    pub(super) fn square_around(&self, Cell { x, y }: Cell, reach: u32) -> (Range<i32>, Range<i32>) {
        self.around(x..x + 1, y..y + 1, reach)
    }

    /// Returns the columns and the rows of the map that are at most `reach` away from these.
    pub(super) fn around(&self, columns: Range<i32>, rows: Range<i32>, reach: u32) -> (Range<i32>, Range<i32>) {
        let (Size { width, height }, reach) = (self.size(), reach as i32);
        let range = |at: Range<i32>, length: u32| (at.start - reach).max(0)..(at.end + reach).min(length as i32);
        (range(columns, width), range(rows, height))
    }
}

/// Returns the terrains that determine the cost of a cell without influences, in the order in which they are applied.
fn own_operations(
    tileset: &Tileset,
    base: TerrainId,
    overlay: Option<TerrainId>,
) -> impl Iterator<Item = (TerrainId, CostOperation)> + use<> {
    let operation = |terrain| {
        let operation = match tileset[terrain].cost {
            Cost::Impassable => CostOperation::Block,
            Cost::Enter(tiles) => CostOperation::Set(tiles),
            Cost::Times(by) => CostOperation::Multiply(by),
        };
        (terrain, operation)
    };
    let base = operation(base);
    let (base, overlay) = match overlay.map(operation) {
        // An overlay that blocks the cell, or that has a cost of its own, makes the base irrelevant.
        Some(overlay @ (_, CostOperation::Block | CostOperation::Set(_))) => (None, Some(overlay)),
        Some((_, CostOperation::Multiply(1.0))) | None => (Some(base), None),
        Some(overlay) => (Some(base), Some(overlay).filter(|_| base.1 != CostOperation::Block)),
    };
    base.into_iter().chain(overlay)
}

/// Returns the cost of a cell with these terrains without influences, in tiles and before it is clamped; `None` if it
/// is blocked.
pub(super) fn terrain_tiles(tileset: &Tileset, base: TerrainId, overlay: Option<TerrainId>) -> Option<f64> {
    let mut operations = own_operations(tileset, base, overlay);
    operations
        .try_fold(1.0, |tiles, (_, operation)| (operation != CostOperation::Block).then(|| operation.apply(tiles)))
}

/// Returns the same as [`terrain_tiles`] for a passable cell. For a blocked one, returns the cost that it has once it
/// is opened: that of its ground, 1 if the ground is impassable.
pub(super) fn opened_tiles(tileset: &Tileset, base: TerrainId, overlay: Option<TerrainId>) -> Option<f64> {
    terrain_tiles(tileset, base, overlay).or_else(|| terrain_tiles(tileset, base, None)).or(Some(1.0))
}

/// Returns a level of a map, which is at most [`MAX_LEVEL`](super::MAX_LEVEL), for the cost grid.
pub(super) fn path_level(level: u8) -> Level {
    Level::new(level).expect("the levels of a map and of a cost grid have the same limit")
}
