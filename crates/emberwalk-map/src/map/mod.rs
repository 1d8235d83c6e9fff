//! The map: two layers of terrain, the heights of the cells, and the cost of entering each cell.

mod affected_cells;
mod bit_rows;
mod border;
mod bulk_costs;
mod bundled;
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
mod opening;
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

pub use border::{Side, border};
pub use bundled::{BundledMap, bundled_maps};
pub use content::MapContent;
pub use cost_shares::{CostShare, side_by_side};
pub use edit::{CellEdit, EditError, LayerEdit};
pub use explain::{CostFactor, CostOperation, Explanation, format_exactly, format_number};
pub use explain_climb::ClimbExplanation;
pub use influence_area::InfluenceArea;
pub use layers::Layers;
pub use levels::{MAX_LEVEL, char_of_level, level_of_char};
pub use map_text::{MapText, MapTextError};
pub use parse::load_source;
pub use query_list::parse_queries;
pub use resize::{Edges, ResizeError};
pub use rounded_cost::{RoundedCost, RoundedShares};
pub use shared_grid::SharedGrid;
pub use write::{RowWriter, write_map};

use crate::terrain::Role;
use bulk_costs::{BulkCosts, OwnTiles, Run};
use cost_formula::terrain_tiles;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CostGrid, Diagonal, EntryCost};

/// The maximum number of columns, and of rows, of a map.
pub const MAX_SIDE: u32 = emberwalk_path::MAX_SIDE;

/// A map: its [content](MapContent), and the cost grid that follows from it.
///
/// Terrain and levels are the single source of truth. Every change updates [`costs`](Self::costs) cell by cell, so that
/// anything derived from the cost grid can catch up by [`CostGrid::changes_since`].
///
/// A map can be used wherever its content or its [`Layers`] are asked for.
#[derive(Debug)]
pub struct Map {
    content: MapContent,
    costs: Arc<CostGrid>,
    tent: Option<Cell>,
    castle: Option<Cell>,
    /// How many volcanoes there are in each row, so that they are found without looking at all cells.
    volcanoes_in_rows: Vec<u32>,
}

/// A clone has a copy of the cost grid, so that a later change of one of the two need not make it. O(cells).
impl Clone for Map {
    fn clone(&self) -> Self {
        let costs = Arc::new(CostGrid::clone(&self.costs));
        let (content, volcanoes_in_rows) = (self.content.clone(), self.volcanoes_in_rows.clone());
        Self { content, costs, tent: self.tent, castle: self.castle, volcanoes_in_rows }
    }
}

impl Deref for Map {
    type Target = MapContent;

    fn deref(&self) -> &MapContent {
        &self.content
    }
}

impl Map {
    /// Returns the same map, to be changed elsewhere and then put in the place of this one. O(rows): the two share
    /// their memory until it is changed.
    ///
    /// Those who know the cost grid of the earlier one can catch up with the later one by its
    /// [changes](CostGrid::changes_since).
    #[must_use]
    pub fn successor(&self) -> Self {
        let (content, volcanoes_in_rows) = (self.content.clone(), self.volcanoes_in_rows.clone());
        Self { content, costs: self.costs.clone(), tent: self.tent, castle: self.castle, volcanoes_in_rows }
    }

    /// Creates a map with this content, and computes its costs. O(cells).
    pub fn of_content(content: MapContent) -> Self {
        let layers = content.layers();
        let mut costs = cost_grid(layers, terrain_tiles);
        layers.set_levels_of(&mut costs);
        let (mut tent, mut castle) = (None, None);
        let mut volcanoes_in_rows = Vec::with_capacity(layers.size().height as usize);
        for y in 0..layers.size().height as i32 {
            let mut volcanoes = 0;
            for (x, id) in (0..).zip(layers.overlay.row(y)) {
                let Some(id) = *id else { continue };
                match layers.tileset[id].role {
                    Some(Role::Start) => tent = tent.or(Some(Cell::new(x, y))),
                    Some(Role::Goal) => castle = castle.or(Some(Cell::new(x, y))),
                    None => {}
                }
                volcanoes += u32::from(layers.tileset.is_volcano(id));
            }
            volcanoes_in_rows.push(volcanoes);
        }
        Self { content, costs: Arc::new(costs), tent, castle, volcanoes_in_rows }
    }

    /// Returns what its file says. A clone of it is cheap.
    pub fn content(&self) -> &MapContent {
        &self.content
    }

    /// Returns the map with another name, which is [cleaned](MapText::clean).
    #[must_use]
    pub fn with_name(mut self, name: String) -> Self {
        self.content.name = MapText::Name.clean(name);
        self
    }

    /// Changes the name and the description, which are [cleaned](MapText::clean).
    pub fn set_name_and_about(&mut self, name: String, about: Option<String>) {
        self.content.name = MapText::Name.clean(name);
        self.content.about = about.map(|about| MapText::About.clean(about));
    }

    /// Does the same as [`Layers::share_blocks_with`].
    pub fn share_blocks_with(&mut self, earlier: &Layers) {
        self.content.layers.share_blocks_with(earlier);
    }

    /// Returns the cost of entering each cell, influences included, with the levels of the cells and the tileset's rule
    /// for climbs.
    pub fn costs(&self) -> &CostGrid {
        &self.costs
    }

    /// Returns the same for other threads, which keep it as it is now. O(1), but the next change of the map then copies
    /// the grid if they still have it, see [`Arc::make_mut`].
    pub fn shared_costs(&self) -> Arc<CostGrid> {
        self.costs.clone()
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
    /// O(1) with a tent; without one, the more cells around the middle are blocked, the longer it takes.
    pub fn start(&self) -> Option<Cell> {
        let Size { width, height } = self.size();
        self.tent.or_else(|| self.nearest_passable_to((i64::from(width) - 1, i64::from(height) - 1)))
    }

    /// Returns the passable cell nearest to `cell`, which may be off the map, in a straight line. Ties go to the first
    /// row, then to the first column. `None` if no cell is passable.
    pub fn nearest_passable(&self, cell: Cell) -> Option<Cell> {
        self.nearest_passable_to((2 * i64::from(cell.x), 2 * i64::from(cell.y)))
    }

    /// Does the same for a point that may lie between cells: it has twice the column and row of a cell.
    fn nearest_passable_to(&self, (x, y): (i64, i64)) -> Option<Cell> {
        let Size { width, height } = self.size();
        let square = |distance: i64| i128::from(distance).pow(2);
        let rank =
            |cell: &Cell| (square(2 * i64::from(cell.x) - x) + square(2 * i64::from(cell.y) - y), cell.y, cell.x);
        let mut rows: Vec<_> = (0..i64::from(height)).collect();
        rows.sort_by_key(|row| (2 * row - y).abs());
        let mut nearest: Option<Cell> = None;
        for row in rows {
            let reach = nearest.map_or(i128::MAX, |nearest| rank(&nearest).0);
            if square(2 * row - y) > reach {
                break;
            }
            // Cells farther away in the row are not nearer than the one that was found.
            let columns = i64::try_from(reach.isqrt() / 2 + 1).unwrap_or(i64::MAX);
            let (first, last) = ((x / 2).saturating_sub(columns), (x / 2).saturating_add(columns));
            let cells = (first.max(0)..=last.min(i64::from(width) - 1)).map(|x| Cell::new(x as i32, row as i32));
            let cells = cells.filter(|cell| self.costs.is_passable(*cell));
            nearest = nearest.into_iter().chain(cells).min_by_key(rank);
        }
        nearest
    }
}

/// Computes the costs of all cells.
fn cost_grid(layers: &Layers, own_tiles: OwnTiles) -> CostGrid {
    let Size { width, height } = layers.size();
    let rows = (0..height as i32).map(|y| Run { y, columns: 0..width as i32 }).collect();
    let mut grid = CostGrid::new(layers.size(), Diagonal::GAME).expect("a map's size is a valid size of a cost grid");
    let bulk = BulkCosts::new(layers, rows, own_tiles);
    for (runs, costs) in bulk.batches() {
        let (first, mut costs) = (runs[0].y, costs.into_iter());
        grid.set_rows(first..first + runs.len() as i32, |_| costs.next().flatten());
    }
    grid
}
