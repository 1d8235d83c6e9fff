//! The grid of classes, and the cost grids that follow it.

use std::ops::BitOr;

use super::AgentKind;
use crate::grid::{Cell, Grid, Size};
use crate::{CostError, CostGrid, Diagonal, EntryCost, Level};

/// The class and the level of each cell of a map, with a cost grid for each kind of agent, see the
/// [module](crate::kinds).
///
/// It takes two bytes per cell, and the memory of the grids.
#[derive(Clone, Debug)]
pub struct ClassGrid {
    cells: Grid<(u8, Level)>,
    diagonal: Diagonal,
    kinds: Vec<AgentKind>,
    /// The grid of each kind.
    grids: Vec<CostGrid>,
}

impl ClassGrid {
    /// Creates a flat map of these classes, and the grids of these kinds. `class` is called row by row.
    ///
    /// # Errors
    /// [`CostError::Size`] unless both sides are 1 to [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn from_fn(
        size: Size,
        diagonal: Diagonal,
        kinds: impl IntoIterator<Item = AgentKind>,
        mut class: impl FnMut(Cell) -> u8,
    ) -> Result<Self, CostError> {
        // The size is checked before there is an array of it.
        CostGrid::check_size(size)?;
        let cells = Grid::from_fn(size, |cell| (class(cell), Level::GROUND));
        let mut classes = Self { cells, diagonal, kinds: Vec::new(), grids: Vec::new() };
        for kind in kinds {
            classes.add_kind(kind);
        }
        Ok(classes)
    }

    /// The number of columns and rows.
    pub fn size(&self) -> Size {
        self.cells.size()
    }

    /// The kinds of agents, in the order in which they were given.
    pub fn kinds(&self) -> &[AgentKind] {
        &self.kinds
    }

    /// Adds a kind and its grid, as the last ones, and returns their index. O(cells).
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::kinds::{AgentKind, ClassGrid};
    /// use emberwalk_path::{Diagonal, EntryCost};
    /// let walker = AgentKind::new().with_cost(0, Some(EntryCost::TILE));
    /// let mut classes = ClassGrid::from_fn(Size::new(3, 3), Diagonal::GAME, [walker.clone()], |_| 0)?;
    /// let giant = classes.add_kind(walker.with_side(3));
    /// assert_eq!((giant, classes.kinds()[giant].side()), (1, 3));
    /// assert!(!classes.grids()[giant].is_passable(Cell::new(1, 0)), "it does not fit there");
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn add_kind(&mut self, kind: AgentKind) -> usize {
        let cells = &self.cells;
        let grid = CostGrid::from_fn(self.size(), self.diagonal, |cell| place(cells, &kind, cell).0);
        let mut grid = grid.expect("the size was checked when the cells were made");
        grid.set_levels(kind.climb, |cell| place(cells, &kind, cell).1);
        self.kinds.push(kind);
        self.grids.push(grid);
        self.kinds.len() - 1
    }

    /// Replaces the kind at this index of [`kinds`](Self::kinds): its costs, its climb rule and its size. Its grid
    /// follows, and planners update their tables as after edits of the cells whose costs differ. O(cells).
    ///
    /// # Panics
    /// If there is no kind at this index.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::kinds::{AgentKind, ClassGrid};
    /// use emberwalk_path::{Diagonal, EntryCost};
    /// const SWAMP: u8 = 1;
    /// let scout = AgentKind::new().with_cost(0, Some(EntryCost::TILE));
    /// let class = |cell: Cell| cell.x as u8 % 2;
    /// let mut classes = ClassGrid::from_fn(Size::new(3, 1), Diagonal::GAME, [scout.clone()], class)?;
    /// assert!(!classes.grids()[0].is_passable(Cell::new(1, 0)));
    /// classes.set_kind(0, scout.with_cost(SWAMP, Some(EntryCost::TILE)));
    /// assert!(classes.grids()[0].is_passable(Cell::new(1, 0)));
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn set_kind(&mut self, index: usize, kind: AgentKind) {
        let grid = &mut self.grids[index];
        derive(grid, &self.cells, &kind);
        if kind.side() > 1 {
            let links: Vec<_> = grid.links().collect();
            links.iter().for_each(|link| _ = grid.remove_link(link.from, link.to));
        }
        self.kinds[index] = kind;
    }

    /// The cost grid of each kind, in the order of [`kinds`](Self::kinds). The cells of the grid of a larger agent
    /// are its places.
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

    /// Sets the class of a cell; returns whether that changes the map. All grids follow.
    ///
    /// A cell off the map is ignored. For each kind of `n` x `n` cells, the `n * n` places that contain the cell are
    /// computed again, in O(n * n) each: the time does not depend on the size of the map.
    pub fn set(&mut self, cell: Cell, class: u8) -> bool {
        self.replace(cell, |(_, level)| (class, level))
    }

    /// Sets the level of a cell; returns whether that changes the map. All grids follow, as after
    /// [`set`](Self::set).
    pub fn set_level(&mut self, cell: Cell, level: Level) -> bool {
        self.replace(cell, |(class, _)| (class, level))
    }

    /// Adds a link to the grids of all kinds of one cell, see [`CostGrid::add_link`]; agents of several cells use no links.
    /// Returns whether that changes anything. A kind that is added later has no links.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::kinds::{AgentKind, ClassGrid};
    /// use emberwalk_path::{Diagonal, EntryCost};
    /// let walker = AgentKind::new().with_cost(0, Some(EntryCost::TILE));
    /// let kinds = [walker.clone(), walker.with_side(2)];
    /// let mut classes = ClassGrid::from_fn(Size::new(9, 3), Diagonal::GAME, kinds, |_| 0)?;
    /// let [one, other] = [0, 7].map(|x| Cell::new(x, 0));
    /// assert!(classes.add_link(one, other, EntryCost::TILE));
    /// assert_eq!(classes.grids()[0].link_cost(one, other), Some(EntryCost::TILE));
    /// assert_eq!(classes.grids()[1].link_cost(one, other), None);
    /// assert!(classes.remove_link(one, other));
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn add_link(&mut self, from: Cell, to: Cell, cost: EntryCost) -> bool {
        self.small_grids().map(|grid| grid.add_link(from, to, cost)).fold(false, BitOr::bitor)
    }

    /// Removes the link from one cell to another from the grids of all kinds; returns whether there was one.
    pub fn remove_link(&mut self, from: Cell, to: Cell) -> bool {
        self.small_grids().map(|grid| grid.remove_link(from, to)).fold(false, BitOr::bitor)
    }

    /// The grids of the kinds of one cell.
    fn small_grids(&mut self) -> impl Iterator<Item = &mut CostGrid> {
        self.kinds.iter().zip(&mut self.grids).filter(|(kind, _)| kind.side() == 1).map(|(_, grid)| grid)
    }

    /// Replaces the levels of all cells; `level` is called row by row. The grids forget their changes. Each kind has
    /// its own [climb rule](AgentKind::climb).
    pub fn set_levels(&mut self, mut level: impl FnMut(Cell) -> Level) {
        self.cells.iter_mut().for_each(|(cell, value)| value.1 = level(cell));
        let cells = &self.cells;
        for (kind, grid) in self.kinds.iter().zip(&mut self.grids) {
            grid.set_levels(kind.climb, |cell| place(cells, kind, cell).1);
            // Whether a place is passable depends on the levels.
            derive(grid, cells, kind);
        }
    }

    /// Whether the place of a kind at this cell, which is passable now, would be impassable if a cell had this level.
    #[doc(hidden)]
    pub fn is_blocked_by_level(&self, kind: usize, anchor: Cell, cell: Cell, level: Level) -> bool {
        let with_level = |at: Cell| {
            let (class, now) = *self.cells.get(at)?;
            Some((class, if at == cell { level } else { now }))
        };
        self.grids[kind].is_passable(anchor) && place_of(with_level, &self.kinds[kind], anchor).0.is_none()
    }

    /// The cost of a place of a kind if cells had these classes; `None` if it would be impassable.
    #[doc(hidden)]
    pub fn place_cost(&self, kind: usize, anchor: Cell, class: impl Fn(Cell) -> Option<u8>) -> Option<EntryCost> {
        let value = |cell| Some((class(cell)?, self.cells.get(cell)?.1));
        place_of(value, &self.kinds[kind], anchor).0
    }

    /// The grids, to change their links and their histories.
    #[doc(hidden)]
    pub fn grids_mut(&mut self) -> &mut [CostGrid] {
        &mut self.grids
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

/// Brings the grid of a kind up to date with all cells.
fn derive(grid: &mut CostGrid, cells: &Grid<(u8, Level)>, kind: &AgentKind) {
    if *grid.climb() != kind.climb {
        grid.set_levels(kind.climb, |cell| place(cells, kind, cell).1);
    }
    for cell in cells.size().cells() {
        let (cost, level) = place(cells, kind, cell);
        grid.set(cell, cost);
        grid.set_level(cell, level);
    }
}

/// The entry cost and the level of the place at a cell, for a kind of agent.
fn place(cells: &Grid<(u8, Level)>, kind: &AgentKind, anchor: Cell) -> (Option<EntryCost>, Level) {
    place_of(|cell| cells.get(cell).copied(), kind, anchor)
}

/// The same, from a function that returns the class and the level of a cell, or `None` off the map.
fn place_of(value: impl Fn(Cell) -> Option<(u8, Level)>, kind: &AgentKind, anchor: Cell) -> (Option<EntryCost>, Level) {
    let side = i32::from(kind.side());
    let covered = (0..side).flat_map(|dy| (0..side).map(move |dx| anchor + (dx, dy)));
    let (cost, level) = kind.place(covered.clone().filter_map(&value));
    (cost.filter(|_| covered.clone().all(|cell| value(cell).is_some())), level)
}
