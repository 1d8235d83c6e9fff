//! Terrain that several kinds of units share: a class per cell, and a cost grid per kind, which follows every edit.
//!
//! Boats enter only water, cavalry avoids forests, and roads help carts most. A [`Terrain`] has one byte per cell, its
//! class, and each [`UnitKind`] has a table with the cost of each class. From these it derives a [`CostGrid`] for each
//! kind, and keeps all of them up to date. They are ordinary grids: every search, field, replanner and component works
//! on them.
//!
//! ```
//! use emberwalk_path::grid::{Cell, Size};
//! use emberwalk_path::terrain::{Terrain, UnitKind};
//! use emberwalk_path::{Diagonal, EntryCost, Planner, RouteQuery};
//!
//! const LAND: u8 = 0;
//! const WATER: u8 = 1;
//! const FOREST: u8 = 2;
//! let (tile, two) = (Some(EntryCost::TILE), Some(EntryCost::from_tiles(2.0)?));
//! let kinds = [
//!     UnitKind::new().with_cost(WATER, tile),
//!     UnitKind::new().with_cost(LAND, tile).with_cost(FOREST, two),
//!     UnitKind::new().with_cost(LAND, tile),
//! ];
//! let [soldier, horse] = [1, 2];
//! let class = |cell: Cell| if cell.y == 0 { WATER } else if cell.x == 4 { FOREST } else { LAND };
//! let mut terrain = Terrain::from_fn(Size::new(9, 4), Diagonal::GAME, kinds, class)?;
//!
//! // A planner for each kind: one that is used for two grids in turn has to start over each time.
//! let mut planners = [(); 3].map(|()| Planner::new());
//! let across = RouteQuery::new(Cell::new(0, 2), Cell::new(8, 2));
//! assert!(planners[soldier].plan(&terrain.grids()[soldier], &across)?.found());
//! assert!(!planners[horse].plan(&terrain.grids()[horse], &across)?.found());
//!
//! // One edit, and all kinds follow.
//! terrain.set(Cell::new(4, 2), LAND);
//! assert!(planners[horse].plan(&terrain.grids()[horse], &across)?.found());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Units of several cells
//! A unit may take up a square of [`side`](UnitKind::side) x `side` cells, its **place**. In all queries and routes the
//! unit is where the north-western cell of its place is. The grid of its kind has the places as its cells:
//!
//! - A place is passable if all its cells are on the map and passable, and if their levels differ by at most the number
//!   of levels that a step may climb. So a unit never enters a gap that is narrower than itself.
//! - Its entry cost is the entry cost of its most expensive cell.
//! - Its level is the level of its highest cell, so a large unit climbs as soon as its front does.
//! - Steps lead from place to place by the same rules as from cell to cell: a step costs the entry cost of the new
//!   place, times the diagonal ratio and the climb. The corner rule applies to places, too: with
//!   [`Corners::Never`](crate::Corners::Never), a diagonal step is possible only if both places beside it are passable.

mod kind;

pub use kind::UnitKind;

use crate::grid::{Cell, Grid, Size};
use crate::{CostError, CostGrid, Diagonal, EntryCost, Level};

/// The class and the level of each cell of a map, with a cost grid for each kind of unit, see the
/// [module](crate::terrain).
///
/// It takes two bytes per cell, and the memory of the grids.
#[derive(Clone, Debug)]
pub struct Terrain {
    cells: Grid<(u8, Level)>,
    kinds: Vec<UnitKind>,
    /// The grid of each kind.
    grids: Vec<CostGrid>,
}

impl Terrain {
    /// Creates flat terrain of these classes, and the grids of these kinds. `class` is called row by row.
    ///
    /// # Errors
    /// [`CostError::Size`] unless both sides are 1 to [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn from_fn(
        size: Size,
        diagonal: Diagonal,
        kinds: impl IntoIterator<Item = UnitKind>,
        mut class: impl FnMut(Cell) -> u8,
    ) -> Result<Self, CostError> {
        // The size is checked before there is an array of it.
        CostGrid::check_size(size)?;
        let cells = Grid::from_fn(size, |cell| (class(cell), Level::GROUND));
        let kinds: Vec<_> = kinds.into_iter().collect();
        let grid = |kind: &UnitKind| {
            let mut grid = CostGrid::from_fn(size, diagonal, |cell| place(&cells, kind, cell).0)?;
            grid.set_levels(kind.climb, |_| Level::GROUND);
            Ok(grid)
        };
        let grids = kinds.iter().map(grid).collect::<Result<_, _>>()?;
        Ok(Self { cells, kinds, grids })
    }

    /// The number of columns and rows.
    pub fn size(&self) -> Size {
        self.cells.size()
    }

    /// The kinds of units, in the order in which they were given.
    pub fn kinds(&self) -> &[UnitKind] {
        &self.kinds
    }

    /// The cost grid of each kind, in the order of [`kinds`](Self::kinds). The cells of the grid of a larger unit are
    /// its places.
    pub fn grids(&self) -> &[CostGrid] {
        &self.grids
    }

    /// The class of a cell; `None` off the map.
    pub fn class(&self, cell: Cell) -> Option<u8> {
        self.cells.get(cell).map(|&(class, _)| class)
    }

    /// The level of a cell; level 0 off the map.
    pub fn level(&self, cell: Cell) -> Level {
        self.cells.get(cell).map_or(Level::GROUND, |&(_, level)| level)
    }

    /// Sets the class of a cell; returns whether that changes the terrain. All grids follow.
    ///
    /// A cell off the map is ignored. For each kind of `n` x `n` cells, the `n * n` places that contain the cell are
    /// computed again, in O(n * n) each: the time does not depend on the size of the map.
    pub fn set(&mut self, cell: Cell, class: u8) -> bool {
        self.replace(cell, |(_, level)| (class, level))
    }

    /// Sets the level of a cell; returns whether that changes the terrain. All grids follow, as after
    /// [`set`](Self::set).
    pub fn set_level(&mut self, cell: Cell, level: Level) -> bool {
        self.replace(cell, |(class, _)| (class, level))
    }

    /// Replaces the levels of all cells; `level` is called row by row. The grids forget their changes.
    pub fn set_levels(&mut self, mut level: impl FnMut(Cell) -> Level) {
        self.cells.iter_mut().for_each(|(cell, value)| value.1 = level(cell));
        let cells = &self.cells;
        for (kind, grid) in self.kinds.iter().zip(&mut self.grids) {
            grid.set_levels(kind.climb, |cell| place(cells, kind, cell).1);
            // Whether a place is passable depends on the levels.
            cells.size().cells().for_each(|cell| {
                grid.set(cell, place(cells, kind, cell).0);
            });
        }
    }

    fn replace(&mut self, cell: Cell, change: impl FnOnce((u8, Level)) -> (u8, Level)) -> bool {
        let Some(value) = self.cells.get_mut(cell) else { return false };
        let before = std::mem::replace(value, change(*value));
        if before == *value {
            return false;
        }
        for (kind, grid) in self.kinds.iter().zip(&mut self.grids) {
            let reach = i32::from(kind.side());
            for anchor in (0..reach).flat_map(|dy| (0..reach).map(move |dx| cell + (-dx, -dy))) {
                let (cost, level) = place(&self.cells, kind, anchor);
                grid.set(anchor, cost);
                grid.set_level(anchor, level);
            }
        }
        true
    }
}

/// The entry cost and the level of the place at a cell, for a kind of unit.
fn place(cells: &Grid<(u8, Level)>, kind: &UnitKind, anchor: Cell) -> (Option<EntryCost>, Level) {
    let side = i32::from(kind.side());
    let covered = (0..side).flat_map(|dy| (0..side).map(move |dx| anchor + (dx, dy)));
    let on_map = covered.clone().filter_map(|cell| cells.get(cell).copied());
    let (cost, level) = kind.place(on_map);
    (cost.filter(|_| covered.clone().all(|cell| cells.size().contains(cell))), level)
}
