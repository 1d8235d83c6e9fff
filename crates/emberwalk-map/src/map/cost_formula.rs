//! The formula that computes costs from terrain.

use super::{Area, Layers};
use crate::hour::Hour;
use crate::terrain::{Cost, Effect, TerrainId, Tileset};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Level};

/// The effect of a terrain on the cost of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CostOperation {
    /// Makes the cell impassable.
    Block,
    /// Makes the cell impassable until its opening hours begin.
    Shut {
        /// The hour at which they begin.
        until: Hour,
    },
    /// Sets the cost to this number of tiles.
    Set(f64),
    /// Multiplies the cost so far.
    Multiply(f64),
    /// Divides the cost so far.
    Divide(f64),
}

impl CostOperation {
    /// Applies the operation to `tiles`, the product of the preceding factors. An operation that makes the cell
    /// impassable changes nothing.
    pub fn apply(self, tiles: f64) -> f64 {
        match self {
            Self::Block | Self::Shut { .. } => tiles,
            Self::Set(cost) => cost,
            Self::Multiply(factor) => tiles * factor,
            Self::Divide(divisor) => tiles / divisor,
        }
    }
}

impl Layers {
    /// The terrains on a cell, the base first; empty off the map.
    pub(super) fn terrains(&self, cell: Cell) -> impl Iterator<Item = TerrainId> {
        [self.base.get(cell).copied(), self.overlay.get(cell).copied().flatten()].into_iter().flatten()
    }

    /// Whether the terrains of a cell of the map make it impassable.
    pub(super) fn is_blocked(&self, cell: Cell) -> bool {
        terrain_tiles(&self.tileset, self.base[cell], self.overlay[cell]).is_none()
    }

    /// Adds the levels and the tileset's climb rule to a grid.
    pub(super) fn set_levels_of(&self, costs: &mut CostGrid) {
        costs.set_levels(self.tileset.climb(), |cell| path_level(self.levels.get(cell)));
    }

    /// The effects of other cells on the cost of a cell, in the order in which they are applied.
    pub(super) fn influence_operations(&self, cell: Cell) -> impl Iterator<Item = (TerrainId, CostOperation)> {
        self.influences_near(Area::new(cell, Size::new(1, 1))).filter_map(move |(source, id, influence)| {
            let factor = influence.factor_between(source, cell)?;
            let operation = match influence.effect {
                Effect::Divide => CostOperation::Divide(factor),
                Effect::Multiply => CostOperation::Multiply(factor),
            };
            Some((id, operation))
        })
    }

    /// The cells of the map on which the terrains of `cell` may have an influence, including `cell`.
    pub(super) fn reached_area(&self, cell: Cell) -> Option<Area> {
        let reaches = self.terrains(cell).filter_map(|id| self.tileset.influence(id)).map(|influence| influence.reach);
        Area::square(cell, reaches.fold(0.0, f64::max) as i32).on_map(self.size())
    }
}

/// The terrains of a cell that determine its cost without influences, in the order in which they are applied.
pub(super) fn own_operations(
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
        // An overlay that blocks the cell or sets the cost makes the base irrelevant.
        Some(overlay @ (_, CostOperation::Block | CostOperation::Set(_))) => (None, Some(overlay)),
        Some((_, CostOperation::Multiply(1.0))) | None => (Some(base), None),
        Some(overlay) => (Some(base), Some(overlay).filter(|_| base.1 != CostOperation::Block)),
    };
    base.into_iter().chain(overlay)
}

/// The cost of a cell with these terrains without influences, in tiles and before clamping; `None` if it is blocked.
pub(super) fn terrain_tiles(tileset: &Tileset, base: TerrainId, overlay: Option<TerrainId>) -> Option<f64> {
    own_operations(tileset, base, overlay)
        .try_fold(1.0, |tiles, (_, operation)| (operation != CostOperation::Block).then(|| operation.apply(tiles)))
}

/// For a passable cell, the same as [`terrain_tiles`]. A blocked cell has its cost after opening: the cost of its
/// ground, or 1 if the ground is impassable.
pub(super) fn opened_tiles(tileset: &Tileset, base: TerrainId, overlay: Option<TerrainId>) -> Option<f64> {
    terrain_tiles(tileset, base, overlay).or_else(|| terrain_tiles(tileset, base, None)).or(Some(1.0))
}

/// Converts a map level, which is at most [`MAX_LEVEL`](super::MAX_LEVEL), for the cost grid.
pub(super) fn path_level(level: u8) -> Level {
    Level::new(level).expect("the levels of a map and of a cost grid have the same limit")
}
