//! Opening hours: cells that are impassable at some hours.

use std::sync::Arc;

use super::cost_formula::{CostOperation, own_operations, terrain_tiles};
use super::{Area, Layers, Map};
use crate::hour::{Hour, Hours};
use crate::terrain::{Cost, TerrainId};
use emberwalk_path::grid::Cell;

impl Layers {
    /// The hour that decides about opening hours; `None` if the hour stands still, so that everything is open.
    pub fn hour(&self) -> Option<Hour> {
        self.hour
    }

    /// The opening hours of the terrain that determines the cost of a cell; with several, all have to be open. Empty where a
    /// cell has none.
    pub fn opening_hours(&self, cell: Cell) -> impl Iterator<Item = Hours> {
        self.timed_terrains(cell).map(|(_, open)| open)
    }

    /// Whether terrain of a cell is shut at this hour, and makes the cell impassable.
    pub fn is_shut(&self, cell: Cell) -> bool {
        self.shut_terrain(cell).is_some()
    }

    /// The terrain that is shut at this hour and makes a cell impassable, and the hour at which it opens.
    pub(super) fn shut_terrain(&self, cell: Cell) -> Option<(TerrainId, Hour)> {
        let hour = self.hour?;
        self.timed_terrains(cell).find(|(_, open)| !open.contains(hour)).map(|(id, open)| (id, open.from))
    }

    fn timed_terrains(&self, cell: Cell) -> impl Iterator<Item = (TerrainId, Hours)> {
        let overlay = self.overlay_id(cell);
        // A bridge makes the water under it irrelevant.
        let is_multiplied = overlay.is_none_or(|id| matches!(self.tileset[id].cost, Cost::Times(_)));
        let base = self.base_id(cell).filter(|_| is_multiplied);
        let terrains = if self.tileset.has_opening_hours() { [overlay, base] } else { [None; 2] };
        terrains.into_iter().flatten().filter_map(|id| Some((id, self.tileset[id].open?)))
    }

    /// The cells of a row that have terrain with opening hours.
    pub(super) fn timed_cells_in_row(&self, y: i32) -> impl Iterator<Item = Cell> {
        let has_hours = self.tileset.has_opening_hours();
        let row = has_hours.then(|| self.base.row(y).iter().zip(self.overlay.row(y)));
        let cells = (0..).zip(row.into_iter().flatten());
        let is_timed = |id: TerrainId| self.tileset[id].open.is_some();
        cells
            .filter(move |(_, (base, overlay))| is_timed(**base) || overlay.is_some_and(is_timed))
            .map(move |(x, _)| (x, y).into())
    }

    /// Whether a cell has terrain with opening hours.
    pub(super) fn is_timed(&self, cell: Cell) -> bool {
        self.tileset.has_opening_hours() && self.terrains(cell).any(|id| self.tileset[id].open.is_some())
    }
}

impl Map {
    /// Sets the hour, or makes it stand still with `None`: opens and shuts terrain with opening hours. Returns the
    /// cells that have been opened or shut, row by row. The hour is not part of the content.
    ///
    /// Takes time proportional to the number of rows, and of the cells in rows with opening hours.
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_map::terrain::Tileset;
    /// let mut map = Map::open("market".as_ref(), &Tileset::load(None)?.into())?;
    /// let closed = map.set_hour("23:00".parse().ok());
    /// assert_eq!(closed.len(), 2, "the gates");
    /// assert!(closed.iter().all(|gate| map.cost(*gate).is_none()));
    /// assert_eq!(map.explain(closed[0]).unwrap().to_string(), "town gate, shut until 5:30");
    /// assert_eq!(map.set_hour(None), closed, "they are open if the day does not pass");
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn set_hour(&mut self, hour: Option<Hour>) -> Vec<Cell> {
        let closed = |map: &Self| map.timed_cells().map(|cell| map.is_shut(cell)).collect::<Vec<_>>();
        let before = closed(self);
        self.content.layers.hour = hour;
        let after = closed(self);
        let differs = before.into_iter().zip(after).map(|(before, after)| before != after);
        let changed: Vec<_> =
            self.timed_cells().zip(differs).filter_map(|(cell, differs)| differs.then_some(cell)).collect();
        let mut areas = Vec::new();
        changed.iter().for_each(|cell| self.add_area(&mut areas, Area::square(*cell, 0)));
        self.update_costs(areas);
        changed
    }

    /// Whether there are cells with opening hours, whether or not the day passes. O(rows).
    pub fn has_opening_hours(&self) -> bool {
        self.timed_in_rows.iter().any(|cells| *cells > 0)
    }

    /// The cells with opening hours, row by row, whether or not the day passes.
    pub fn timed_cells(&self) -> impl Iterator<Item = Cell> {
        let rows = (0..).zip(&self.timed_in_rows).filter(|(_, cells)| **cells > 0);
        rows.flat_map(|(y, _)| self.timed_cells_in_row(y))
    }

    /// The terrains of a cell of the map that determine its cost at this hour without influences, in the order in which they
    /// are applied.
    pub(super) fn own_operations(&self, cell: Cell) -> impl Iterator<Item = (TerrainId, CostOperation)> {
        let closed = self.shut_terrain(cell).map(|(id, until)| (id, CostOperation::Shut { until }));
        let open = closed.is_none().then(|| own_operations(self.tileset(), self.base()[cell], self.overlay()[cell]));
        closed.into_iter().chain(open.into_iter().flatten())
    }

    /// Computes the costs in some areas again.
    pub(super) fn update_costs(&mut self, areas: impl IntoIterator<Item = Area>) {
        for area in areas {
            for (cell, cost) in area.cells().zip(self.layers().costs(area, terrain_tiles)) {
                let cost = cost.filter(|_| !self.is_shut(cell));
                // An unchanged cost must not trigger a copy of a shared grid.
                if self.costs.get(cell) != cost {
                    Arc::make_mut(&mut self.costs).set(cell, cost);
                }
            }
        }
    }
}
