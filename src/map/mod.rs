//! The map: what lies on every cell, and what entering it costs.

mod bulk_costs;
mod bundled;
mod edit;
mod explain;
mod foreign;
mod from_layers;
mod layers;
mod parse;
mod parse_layers;
mod rows;
mod suggestions;
mod write;

use std::sync::Arc;

pub use bundled::{BundledMap, bundled_maps};
pub use edit::{CellEdit, EditError, LayerEdit};
pub use explain::{CostFactor, CostOperation, Explanation, format_number};
pub(crate) use foreign::{is_moving_ai, is_tiled};
pub use parse::load_source;

use crate::grid::{Cell, Grid, Size};
use crate::path::{CostGrid, Diagonal, EntryCost};
use crate::terrain::{Role, Terrain, TerrainId, Tileset};
use bulk_costs::BulkCosts;
use layers::Layers;

/// The most columns, and the most rows, of a map.
pub const MAX_SIDE: u32 = crate::path::MAX_SIDE;

/// A map: two layers of terrain, and the entry costs that follow from them.
///
/// The terrain is the one source of truth. [`costs`](Self::costs) is kept true to it by every change, cell by cell, so
/// that what was derived from the cost grid catches up by [`CostGrid::changes_since`].
#[derive(Clone, Debug)]
pub struct Map {
    name: String,
    about: Option<String>,
    layers: Layers,
    costs: CostGrid,
    tent: Option<Cell>,
    castle: Option<Cell>,
}

impl Map {
    /// Whoever builds the layers has checked their size and that each role is played at most once.
    fn new(name: String, about: Option<String>, layers: Layers) -> Self {
        let bulk = BulkCosts::new(&layers);
        let costs = CostGrid::from_fn(layers.size(), Diagonal::GAME, |cell| bulk.cost(cell))
            .expect("a map's size is that of a cost grid");
        let player = |role| {
            let plays = |id: &TerrainId| layers.tileset[*id].role == Some(role);
            layers.overlay.iter().find(|(_, id)| id.as_ref().is_some_and(plays)).map(|(cell, _)| cell)
        };
        let (tent, castle) = (player(Role::Start), player(Role::Goal));
        Self { name, about, layers, costs, tent, castle }
    }

    /// What the map is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is about.
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// The tileset that gives its characters their meaning.
    pub fn tileset(&self) -> &Arc<Tileset> {
        &self.layers.tileset
    }

    /// Columns and rows, each 1 to [`MAX_SIDE`].
    pub fn size(&self) -> Size {
        self.layers.size()
    }

    /// The ground of every cell.
    pub fn base(&self) -> &Grid<TerrainId> {
        &self.layers.base
    }

    /// What is on the ground of every cell.
    pub fn overlay(&self) -> &Grid<Option<TerrainId>> {
        &self.layers.overlay
    }

    /// The terrain of the ground at `cell`; `None` off the map.
    pub fn base_at(&self, cell: Cell) -> Option<&Terrain> {
        self.layers.base.get(cell).map(|&id| &self.layers.tileset[id])
    }

    /// The terrain on the ground at `cell`; `None` where there is none and off the map.
    pub fn overlay_at(&self, cell: Cell) -> Option<&Terrain> {
        self.layers.overlay.get(cell).copied().flatten().map(|id| &self.layers.tileset[id])
    }

    /// The cells on which other terrain lies than in `other`, row by row; `None` if that is no question of cells: if the
    /// maps have other sizes or tilesets.
    pub fn differing_cells<'a>(&'a self, other: &'a Self) -> Option<impl Iterator<Item = Cell> + 'a> {
        let comparable = self.size() == other.size() && Arc::ptr_eq(self.tileset(), other.tileset());
        let differs =
            |cell: &Cell| (self.base()[*cell], self.overlay()[*cell]) != (other.base()[*cell], other.overlay()[*cell]);
        comparable.then(|| self.size().cells().filter(differs))
    }

    /// Whether both have the same words and the same terrain on every cell, by the same tileset.
    pub fn is_same(&self, other: &Self) -> bool {
        let same_words = self.name == other.name && self.about == other.about;
        same_words && self.differing_cells(other).is_some_and(|mut cells| cells.next().is_none())
    }

    /// What entering each cell costs, influences included.
    pub fn costs(&self) -> &CostGrid {
        &self.costs
    }

    /// What entering `cell` costs; `None` where it is blocked and off the map.
    pub fn cost(&self, cell: Cell) -> Option<EntryCost> {
        self.costs.get(cell)
    }

    /// What entering `cell` would cost without influences: the terrain's own pace.
    pub fn terrain_cost(&self, cell: Cell) -> Option<EntryCost> {
        if self.size().contains(cell) { self.layers.terrain_cost(cell) } else { None }
    }

    /// Where the tent stands.
    pub fn tent(&self) -> Option<Cell> {
        self.tent
    }

    /// Where the castle stands: the first goal.
    pub fn castle(&self) -> Option<Cell> {
        self.castle
    }

    /// Where the traveller starts: the tent, or without one the passable cell nearest the middle (ties: row, then
    /// column); `None` if no cell is passable. Without a tent it looks at every cell.
    pub fn start(&self) -> Option<Cell> {
        let Size { width, height } = self.size();
        // The middle may lie between cells, so all is counted in half cells.
        let off_middle = |cell: &Cell| {
            let (dx, dy) = (2 * cell.x - (width as i32 - 1), 2 * cell.y - (height as i32 - 1));
            dx * dx + dy * dy
        };
        let passable = |cell: &Cell| self.costs.is_passable(*cell);
        // Of equals the first counts, and cells come row by row.
        self.tent.or_else(|| self.size().cells().filter(passable).min_by_key(off_middle))
    }
}
