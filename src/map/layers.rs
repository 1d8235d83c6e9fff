//! The two layers of terrain, and the formula by which they become costs.

use std::ops::Range;
use std::sync::Arc;

use crate::grid::{Cell, Grid, Size};
use crate::path::EntryCost;
use crate::terrain::{Cost, Effect, TerrainId, Tileset};

/// What lies on every cell; both layers have the same size.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    pub tileset: Arc<Tileset>,
    pub base: Grid<TerrainId>,
    pub overlay: Grid<Option<TerrainId>>,
}

/// An influence on one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Felt {
    pub from: TerrainId,
    pub effect: Effect,
    /// What the cost is divided or multiplied by.
    pub factor: f64,
}

impl Layers {
    pub fn size(&self) -> Size {
        self.base.size()
    }

    /// The terrains on a cell, the ground first.
    pub fn terrains(&self, cell: Cell) -> impl Iterator<Item = TerrainId> {
        [self.base.get(cell).copied(), self.overlay.get(cell).copied().flatten()].into_iter().flatten()
    }

    /// What entering a cell of the map costs without influences, in tiles and before it is clamped; `None`: nobody can.
    pub fn laid(&self, cell: Cell) -> Option<f64> {
        let ground = match self.tileset[self.base[cell]].cost {
            Cost::Enter(tiles) => Some(tiles),
            Cost::Impassable | Cost::Times(_) => None,
        };
        match self.overlay[cell].map(|id| self.tileset[id].cost) {
            None => ground,
            Some(Cost::Impassable) => None,
            Some(Cost::Enter(tiles)) => Some(tiles),
            Some(Cost::Times(factor)) => ground.map(|tiles| tiles * factor),
        }
    }

    /// [`laid`](Self::laid) as a cost.
    pub fn laid_cost(&self, cell: Cell) -> Option<EntryCost> {
        self.laid(cell).map(clamped)
    }

    /// What entering a cell of the map costs.
    pub fn cost(&self, cell: Cell) -> Option<EntryCost> {
        let laid = self.laid(cell)?;
        Some(clamped(self.felt(cell).fold(laid, |tiles, by| felt(tiles, by.effect, by.factor))))
    }

    /// Every influence on `cell`, always in the same order: row by row from the north, in a row the ground's first.
    pub fn felt(&self, cell: Cell) -> impl Iterator<Item = Felt> {
        let (columns, rows) = self.window(cell, self.tileset.reach());
        rows.flat_map(move |y| {
            let at = |x: i32| y as usize * self.size().width as usize + x as usize;
            let part = at(columns.start)..at(columns.end);
            let base = columns.clone().zip(self.base.values()[part.clone()].iter().copied());
            let overlay = columns.clone().zip(&self.overlay.values()[part]);
            let overlay = overlay.filter_map(|(x, id)| Some((x, (*id)?)));
            base.chain(overlay).filter_map(move |(x, from)| {
                let influence = self.tileset.influence(from)?;
                let distance = (cell.distance_squared(Cell::new(x, y)) as f64).sqrt();
                Some(Felt { from, effect: influence.effect, factor: influence.at(distance)? })
            })
        })
    }

    /// How far what is on `cell` is felt, in cells rounded up; `None` if it has no influence.
    pub fn reach(&self, cell: Cell) -> Option<u32> {
        let reaches = self.terrains(cell).filter_map(|id| self.tileset.influence(id).map(|influence| influence.reach));
        reaches.map(|reach| reach.ceil() as u32).max()
    }

    /// The cells of the map at most `reach` columns and rows from `cell`, row by row.
    pub fn around(&self, cell: Cell, reach: u32) -> impl Iterator<Item = Cell> + use<> {
        let (columns, rows) = self.window(cell, reach);
        rows.flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
    }

    /// The columns and the rows of the map that are at most `reach` from those of `cell`.
    pub fn window(&self, cell: Cell, reach: u32) -> (Range<i32>, Range<i32>) {
        let (Size { width, height }, reach) = (self.size(), reach as i32);
        let part = |at: i32, length: u32| (at - reach).max(0)..(at + reach + 1).min(length as i32);
        (part(cell.x, width), part(cell.y, height))
    }
}

/// The cost `tiles` under one influence.
pub(super) fn felt(tiles: f64, effect: Effect, factor: f64) -> f64 {
    match effect {
        Effect::Divide => tiles / factor,
        Effect::Multiply => tiles * factor,
    }
}

/// The nearest cost that there is.
pub(super) fn clamped(tiles: f64) -> EntryCost {
    let tiles = tiles.clamp(EntryCost::MIN.tiles(), EntryCost::MAX.tiles());
    EntryCost::from_tiles(tiles).expect("a tileset's costs are finite and the range is kept")
}
