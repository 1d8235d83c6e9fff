//! The map: two layers of terrain, the heights of the cells, and the cost of entering each cell.

mod bit_rows;
mod bulk_costs;
mod bundled;
mod cost_product;
mod cost_shares;
mod edit;
mod explain;
mod explain_climb;
mod from_layers;
mod influence_area;
mod layers;
mod levels;
mod opening;
mod parse;
mod parse_layers;
mod patch;
mod query_list;
mod resize;
mod rounded_cost;
mod rows;
mod suggestions;
mod write;

use std::sync::Arc;

pub use bundled::{BundledMap, bundled_maps};
pub use cost_shares::{CostShare, side_by_side};
pub use edit::{CellEdit, EditError, LayerEdit};
pub use explain::{CostFactor, CostOperation, Explanation, format_number};
pub use explain_climb::ClimbExplanation;
pub use influence_area::InfluenceArea;
pub use levels::MAX_LEVEL;
pub(crate) use levels::char_of_level;
#[cfg(any(feature = "cli", feature = "game"))]
pub(crate) use levels::level_of_char;
pub use parse::load_source;
pub use query_list::parse_queries;
pub use resize::{Edges, ResizeError};
pub use rounded_cost::{RoundedCost, RoundedShares};
pub(crate) use write::write_map;

use crate::grid::{Cell, Grid, Size};
use crate::path::{CostGrid, Diagonal, EntryCost};
use crate::terrain::{Role, Terrain, TerrainId, Tileset};
use bulk_costs::{BulkCosts, OwnTiles, Run};
use layers::Layers;

/// The maximum number of columns, and of rows, of a map.
pub const MAX_SIDE: u32 = crate::path::MAX_SIDE;

/// A map: two layers of terrain, the levels of the cells, and the cost grid that follows from them.
///
/// Terrain and levels are the single source of truth. Every change updates [`costs`](Self::costs) cell by cell, so that
/// anything derived from the cost grid can catch up by [`CostGrid::changes_since`].
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
    /// Creates a map. The caller must have checked the size of the layers, and that there is at most one start and one
    /// goal.
    fn new(name: String, about: Option<String>, layers: Layers) -> Self {
        let mut costs = cost_grid(&layers, Layers::terrain_tiles);
        layers.set_levels_of(&mut costs);
        let find = |role| {
            let has_role = |id: &TerrainId| layers.tileset[*id].role == Some(role);
            layers.overlay.iter().find(|(_, id)| id.as_ref().is_some_and(has_role)).map(|(cell, _)| cell)
        };
        let (tent, castle) = (find(Role::Start), find(Role::Goal));
        Self { name, about, layers, costs, tent, castle }
    }

    /// Returns the name of the map.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the map with another name.
    #[must_use]
    pub fn with_name(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// Returns a short description of the map.
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// Changes the name and the description.
    pub fn set_name_and_about(&mut self, name: String, about: Option<String>) {
        (self.name, self.about) = (name, about);
    }

    /// Returns the tileset that defines the characters of the map.
    pub fn tileset(&self) -> &Arc<Tileset> {
        &self.layers.tileset
    }

    /// Returns the number of columns and rows, each 1 to [`MAX_SIDE`].
    pub fn size(&self) -> Size {
        self.layers.size()
    }

    /// Returns the lower layer: the ground of every cell.
    pub fn base(&self) -> &Grid<TerrainId> {
        &self.layers.base
    }

    /// Returns the upper layer: the terrain on the ground of every cell, if any.
    pub fn overlay(&self) -> &Grid<Option<TerrainId>> {
        &self.layers.overlay
    }

    /// Returns the base terrain at `cell`; `None` off the map.
    pub fn base_at(&self, cell: Cell) -> Option<&Terrain> {
        self.layers.base.get(cell).map(|&id| &self.layers.tileset[id])
    }

    /// Returns the overlay terrain at `cell`; `None` where there is none and off the map.
    pub fn overlay_at(&self, cell: Cell) -> Option<&Terrain> {
        self.layers.overlay.get(cell).copied().flatten().map(|id| &self.layers.tileset[id])
    }

    /// Returns the level of `cell`, 0 to [`MAX_LEVEL`]; 0 off the map.
    ///
    /// ```
    /// use emberwalk::map::Map;
    /// use emberwalk::terrain::Tileset;
    /// let text = r#"(name: "Hill", base: ["GGG"], overlay: ["1.2"], heights: ["03."])"#;
    /// let map = Map::parse("hill.ron", text, &Tileset::load(None)?.into())?;
    /// assert_eq!([0, 1, 2, 3].map(|x| map.level((x, 0).into())), [0, 3, 0, 0]);
    /// assert_eq!(map.top(), 3);
    /// # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
    /// ```
    pub fn level(&self, cell: Cell) -> u8 {
        self.layers.levels.get(cell)
    }

    /// Returns the highest level of all cells: 0 if the map is flat. O(1).
    pub fn top(&self) -> u8 {
        self.layers.levels.top()
    }

    /// Returns the cells whose terrain or level differs from that in `other`, row by row; `None` if the maps cannot be compared
    /// cell by cell, because they have different sizes or tilesets.
    pub fn differing_cells<'a>(&'a self, other: &'a Self) -> Option<impl Iterator<Item = Cell> + 'a> {
        let comparable = self.size() == other.size() && Arc::ptr_eq(self.tileset(), other.tileset());
        let content = |map: &Self, cell: Cell| (map.base()[cell], map.overlay()[cell], map.level(cell));
        comparable.then(|| self.size().cells().filter(move |cell| content(self, *cell) != content(other, *cell)))
    }

    /// Whether both maps have the same name, description and tileset, and the same terrain and level on every cell.
    pub fn is_same(&self, other: &Self) -> bool {
        let same_text = self.name == other.name && self.about == other.about;
        same_text && self.differing_cells(other).is_some_and(|mut cells| cells.next().is_none())
    }

    /// Returns the cost of entering each cell, influences included, with the levels of the cells and the tileset's rule
    /// for climbs.
    pub fn costs(&self) -> &CostGrid {
        &self.costs
    }

    /// Returns the cost of entering `cell`, influences included; `None` where it is blocked and off the map.
    pub fn cost(&self, cell: Cell) -> Option<EntryCost> {
        self.costs.get(cell)
    }

    /// Returns the cell of the tent.
    pub fn tent(&self) -> Option<Cell> {
        self.tent
    }

    /// Returns the cell of the castle, which is the first goal.
    pub fn castle(&self) -> Option<Cell> {
        self.castle
    }

    /// Returns the cell where the traveller starts: the tent, or without one the passable cell nearest to the middle of
    /// the map (ties: the first row, then the first column); `None` if no cell is passable.
    ///
    /// O(1) with a tent, O(cells) without one.
    pub fn start(&self) -> Option<Cell> {
        let Size { width, height } = self.size();
        // The middle may lie between cells, so distances are counted in half cells.
        let distance_squared = |cell: &Cell| {
            let (dx, dy) = (2 * cell.x - (width as i32 - 1), 2 * cell.y - (height as i32 - 1));
            dx * dx + dy * dy
        };
        let passable = |cell: &Cell| self.costs.is_passable(*cell);
        // `min_by_key` returns the first minimum, and the cells are in row order.
        self.tent.or_else(|| self.size().cells().filter(passable).min_by_key(distance_squared))
    }
}

fn cost_grid(layers: &Layers, own_tiles: OwnTiles) -> CostGrid {
    let Size { width, height } = layers.size();
    let rows = (0..height as i32).map(|y| Run { y, columns: 0..width as i32 }).collect();
    let bulk = BulkCosts::new(layers, rows, own_tiles);
    let mut costs = bulk.costs();
    CostGrid::from_fn(layers.size(), Diagonal::GAME, |_| costs.next().flatten())
        .expect("a map's size is a valid size of a cost grid")
}
