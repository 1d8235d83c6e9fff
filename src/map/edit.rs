//! Changing a map: terrain by terrain, and eruptions.

use super::Map;
use super::bulk_costs::BulkCosts;
use crate::grid::{Cell, Grid, Size};
use crate::terrain::{Layer, Role, TerrainId};

/// A change that would leave no sound map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The cell does not exist.
    #[error("{0} is not on the map")]
    OffTheMap(Cell),
    /// Ground in the overlay or the other way round.
    #[error("{0} belongs in the other layer")]
    OtherLayer(String),
    /// Two layers of different sizes, or of a size that no map has.
    #[error("a map has 1 to 4096 columns and rows, the same in both layers, not {base} and {overlay}")]
    Size {
        /// Columns and rows of the ground.
        base: Size,
        /// Columns and rows of what is on it.
        overlay: Size,
    },
    /// Tent or castle would stand where nobody can enter.
    #[error("nobody could enter the {0}")]
    Closed(String),
    /// A second tent or castle.
    #[error("there is already a {name} at {at}")]
    Second {
        /// What there would be two of.
        name: String,
        /// Where the first is.
        at: Cell,
    },
}

impl Map {
    /// Lays other ground; says whether that is a change. Costs are recomputed where they may change.
    ///
    /// # Errors
    /// [`EditError`]; the map is then as it was.
    pub fn set_base(&mut self, cell: Cell, ground: TerrainId) -> Result<bool, EditError> {
        let overlay = self.layers.overlay.get(cell).copied().ok_or(EditError::OffTheMap(cell))?;
        self.set(cell, ground, overlay)
    }

    /// Puts something else, or nothing, on the ground; says whether that is a change. Costs are recomputed where they
    /// may change.
    ///
    /// # Errors
    /// [`EditError`]; the map is then as it was.
    pub fn set_overlay(&mut self, cell: Cell, overlay: Option<TerrainId>) -> Result<bool, EditError> {
        let ground = self.layers.base.get(cell).copied().ok_or(EditError::OffTheMap(cell))?;
        self.set(cell, ground, overlay)
    }

    /// Whether anything can erupt that has not.
    pub fn any_dormant(&self) -> bool {
        let tileset = self.tileset();
        self.overlay().values().iter().flatten().any(|&id| tileset.erupted(id).is_some())
    }

    /// Everything that can erupt does; returns the cells of what did, row by row.
    ///
    /// ```
    /// use emberwalk::map::Map;
    /// use emberwalk::terrain::Tileset;
    /// let mut map = Map::open("figures/snow".as_ref(), &Tileset::load(None)?.into())?;
    /// let before = map.costs().version();
    /// let volcanoes = map.erupt_all();
    /// assert_eq!(volcanoes.len(), 1);
    /// let warmed = map.costs().changes_since(before).unwrap().count();
    /// assert!(warmed > 30, "the cells around it have become cheaper");
    /// # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
    /// ```
    pub fn erupt_all(&mut self) -> Vec<Cell> {
        let tileset = self.tileset().clone();
        self.turn_all(|id| tileset.erupted(id))
    }

    /// Everything that erupts is calm again; returns the cells of what was not, row by row.
    pub fn calm_all(&mut self) -> Vec<Cell> {
        let tileset = self.tileset().clone();
        self.turn_all(|id| tileset.calmed(id))
    }

    /// What is on `cell` erupts; says whether it could.
    pub fn erupt(&mut self, cell: Cell) -> bool {
        let erupted = self.overlay().get(cell).copied().flatten().and_then(|id| self.tileset().erupted(id));
        erupted.is_some_and(|id| self.set_overlay(cell, Some(id)) == Ok(true))
    }

    /// What erupts on `cell` is calm again; says whether it could be.
    pub fn calm(&mut self, cell: Cell) -> bool {
        let calmed = self.overlay().get(cell).copied().flatten().and_then(|id| self.tileset().calmed(id));
        calmed.is_some_and(|id| self.set_overlay(cell, Some(id)) == Ok(true))
    }

    fn set(&mut self, cell: Cell, ground: TerrainId, overlay: Option<TerrainId>) -> Result<bool, EditError> {
        let tileset = self.tileset().clone();
        for (id, layer) in [(Some(ground), Layer::Base), (overlay, Layer::Overlay)] {
            if let Some(terrain) = id.map(|id| &tileset[id]).filter(|terrain| terrain.layer != layer) {
                return Err(EditError::OtherLayer(terrain.name.clone()));
            }
        }
        let was = (self.layers.base[cell], self.layers.overlay[cell]);
        if was == (ground, overlay) {
            return Ok(false);
        }
        let reach = self.layers.influence_reach(cell);
        let played = overlay.and_then(|id| Some((&tileset[id].name, tileset[id].role?)));
        if let Some((name, role)) = played {
            let first = if role == Role::Start { self.tent } else { self.castle };
            if let Some(at) = first.filter(|&first| first != cell) {
                return Err(EditError::Second { name: name.clone(), at });
            }
        }
        (self.layers.base[cell], self.layers.overlay[cell]) = (ground, overlay);
        if let Some((name, _)) = played.filter(|_| self.layers.terrain_tiles(cell).is_none()) {
            (self.layers.base[cell], self.layers.overlay[cell]) = was;
            return Err(EditError::Closed(name.clone()));
        }
        for (player, role) in [(&mut self.tent, Role::Start), (&mut self.castle, Role::Goal)] {
            if played.is_some_and(|(_, played)| played == role) {
                *player = Some(cell);
            } else if *player == Some(cell) {
                *player = None;
            }
        }
        let reach = reach.max(self.layers.influence_reach(cell)).unwrap_or(0);
        for near in self.layers.cells_around(cell, reach) {
            self.costs.set(near, self.layers.cost(near));
        }
        Ok(true)
    }

    /// Turns everything at once, so that a cell near many volcanoes is computed once.
    fn turn_all(&mut self, turned: impl Fn(TerrainId) -> Option<TerrainId>) -> Vec<Cell> {
        let turning = |cell: Cell| Some((cell, turned(self.layers.overlay[cell]?)?));
        let turns: Vec<_> = self.size().cells().filter_map(turning).collect();
        let cells: Vec<_> = turns.iter().map(|&(cell, _)| cell).collect();
        let mut stale = Grid::from_fn(self.size(), |_| false);
        self.mark_around(&cells, &mut stale);
        for (cell, id) in turns {
            self.layers.overlay[cell] = Some(id);
        }
        self.mark_around(&cells, &mut stale);
        self.refresh(&stale);
        cells
    }

    /// Marks `cells`, and the cells on which what is there has an influence.
    fn mark_around(&self, cells: &[Cell], stale: &mut Grid<bool>) {
        for &cell in cells {
            for near in self.layers.cells_around(cell, self.layers.influence_reach(cell).unwrap_or(0)) {
                stale[near] = true;
            }
        }
    }

    fn refresh(&mut self, stale: &Grid<bool>) {
        // Only for many cells it pays to look at all of the map once.
        let count = stale.values().iter().filter(|&&stale| stale).count();
        let bulk = (count > MANY).then(|| BulkCosts::new(&self.layers));
        for (cell, _) in stale.iter().filter(|(_, stale)| **stale) {
            let cost = bulk.as_ref().map_or_else(|| self.layers.cost(cell), |bulk| bulk.cost(cell));
            self.costs.set(cell, cost);
        }
    }
}

/// So many cells are better computed together.
const MANY: usize = 1000;
