//! The map: two layers of terrain, the heights of the cells, and the cost of entering each cell.

mod area;
mod border;
mod bundled;
mod cell_costs;
mod cell_edit;
mod change_to;
mod content;
mod cost_formula;
mod cost_product;
mod cost_shares;
mod edit;
mod explain;
mod explain_climb;
mod from_layers;
mod influence_area;
mod layers;
mod levels;
mod map_text;
mod map_title;
mod opening;
mod opening_hours;
mod parse;
mod parse_layers;
mod patch;
mod query_list;
mod resize;
mod rounded_cost;
mod rows;
mod shared_grid;
mod suggestions;
mod write;

use std::ops::Deref;
use std::sync::Arc;

pub use area::Area;
pub use border::{Side, border};
pub use bundled::{BundledMap, bundled_maps};
pub use cell_edit::{CellEdit, LayerEdit};
pub use content::MapContent;
pub use cost_formula::CostOperation;
pub use cost_shares::{CostShare, side_by_side};
pub use edit::EditError;
pub use explain::{CostFactor, Explanation, format_exactly, format_number};
pub use influence_area::InfluenceArea;
pub use layers::Layers;
pub use levels::{MAX_LEVEL, char_of_level, level_of_char};
pub use map_text::{MapText, MapTextError};
pub use map_title::MapTitle;
pub use parse::{is_map_source, load_source};
pub use query_list::{parse_queries, parse_query_cell, parse_query_end, query_lines};
pub use resize::{Edges, ResizeError};
pub use rounded_cost::{RoundedCost, RoundedShares};
pub use shared_grid::SharedGrid;
pub use write::{CharAt, write_map};

use crate::hour::DayTime;
use crate::terrain::TerrainId;
use cost_formula::terrain_tiles;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, EntryCost};

/// The maximum number of columns, and of rows, of a map.
pub const MAX_SIDE: u32 = emberwalk_path::MAX_SIDE;

/// A map: its [content](MapContent), and the cost grid that follows from it.
///
/// Terrain, levels and, for terrain with opening hours, the [hour](Layers::hour) are the single source of truth. Every change
/// updates [`costs`](Self::costs) cell by cell, so that anything derived from the cost grid can catch up by
/// [`CostGrid::changes_since`].
///
/// A map dereferences to its content and its [`Layers`]. Cloning takes O(rows): both maps share their memory until one
/// is changed. Data computed from the cost grid of the earlier map can catch up with the later map by its
/// [changes](CostGrid::changes_since).
#[derive(Clone, Debug)]
pub struct Map {
    content: MapContent,
    costs: Arc<CostGrid>,
    tent: Option<Cell>,
    castle: Option<Cell>,
    /// The number of volcanoes in each row, so that they can be found without visiting all cells.
    volcanoes_in_rows: Vec<u32>,
    /// The number of cells with opening hours in each row.
    timed_in_rows: Vec<u32>,
}

impl Deref for Map {
    type Target = MapContent;

    fn deref(&self) -> &MapContent {
        &self.content
    }
}

impl Map {
    /// Creates a map with this content at its first hour, and computes its costs. O(cells).
    pub fn of_content(mut content: MapContent) -> Self {
        content.layers.hour = None;
        let layers = content.layers();
        let mut costs = layers.cost_grid(terrain_tiles);
        layers.set_levels_of(&mut costs);
        let [tent, castle] = layers.tent_and_castle([None; 2], layers.size().cells()).unwrap_or_default();
        let is_volcano = |id: &&TerrainId| layers.tileset.is_volcano(**id);
        let volcanoes = |y| layers.overlay.row(y).iter().flatten().filter(is_volcano).count() as u32;
        let rows = 0..layers.size().height as i32;
        let volcanoes_in_rows = rows.clone().map(volcanoes).collect();
        let timed_in_rows = rows.map(|y| layers.timed_cells_in_row(y).count() as u32).collect();
        let hour = content.day_time.passing_hour();
        let costs = Arc::new(costs);
        let mut map = Self { content, costs, tent, castle, volcanoes_in_rows, timed_in_rows };
        map.set_hour(hour);
        map
    }

    /// The content of its file, which is cheap to clone.
    pub fn content(&self) -> &MapContent {
        &self.content
    }

    /// Changes the name and the description, which are [cleaned](MapText::clean).
    pub fn set_name_and_about(&mut self, name: String, about: Option<String>) {
        self.content.name = MapText::Name.clean(name);
        self.content.about = about.map(|about| MapText::About.clean(about));
    }

    /// Sets the hour at which the map begins, and how fast its days pass. The current [hour](crate::Layers::hour) stays.
    pub fn set_day_time(&mut self, day_time: DayTime) {
        self.content.set_day_time(day_time);
    }

    /// The cost of entering each cell, including influences, with the levels of the cells and the tileset's climb rule.
    pub fn costs(&self) -> &CostGrid {
        &self.costs
    }

    /// A snapshot of the [`costs`](Self::costs) for other threads. O(1), but the next change of the map copies the grid
    /// if a snapshot is still in use, see [`Arc::make_mut`].
    pub fn shared_costs(&self) -> Arc<CostGrid> {
        self.costs.clone()
    }

    /// The cost of entering `cell`, including influences; `None` if it is blocked or off the map.
    pub fn cost(&self, cell: Cell) -> Option<EntryCost> {
        self.costs.get(cell)
    }

    /// The cell of the tent.
    pub fn tent(&self) -> Option<Cell> {
        self.tent
    }

    /// The cell of the castle, which is the first goal.
    pub fn castle(&self) -> Option<Cell> {
        self.castle
    }

    /// The cell where the traveller starts: the tent or, without a tent, the passable cell nearest to the middle of the
    /// map (ties: the first row, then the first column); `None` if no cell is passable.
    ///
    /// O(1) with a tent, O(cells) without.
    pub fn start(&self) -> Option<Cell> {
        let Size { width, height } = self.size();
        // Twice the distance, because the middle may lie between cells.
        let off = |at: i32, length: u32| (2 * i64::from(at) - i64::from(length) + 1).pow(2);
        let distance = |cell: &Cell| off(cell.x, width) + off(cell.y, height);
        let passable = || self.size().cells().filter(|cell| self.costs.is_passable(*cell));
        self.tent.or_else(|| passable().min_by_key(distance))
    }
}
