//! Where agents have room, and from where they see a cell.

use emberwalk_crowd::Formation;
use emberwalk_path::grid::Cell;

use crate::NavGrid;
use crate::component::{MAX_REACH, cells_in_range};

/// Questions about places.
impl NavGrid {
    /// The cells from which a cell is [seen](Cell::sees), up to `cells` cells away in a straight line. A distance above 64
    /// counts as 64. Cells that are blocked for all kinds of agents hide what is behind them: water does, unless some kind can
    /// swim. O(`cells`³).
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(20, 10);
    /// grid.set_area((9, 0), Size::new(1, 9), None);
    /// // An archer goes to the nearest cell from which it can hit a target up to 6 cells away.
    /// let archer = (NavAgent::at(2, 2), Goal::AnyOf(grid.cells_in_sight((12, 2), 6)));
    /// # assert!(!grid.cells_in_sight((12, 2), 6).iter().any(|cell| cell.x < 9 && cell.y < 9));
    /// # let _ = archer;
    /// ```
    pub fn cells_in_sight(&self, cell: impl Into<Cell>, cells: u32) -> Vec<Cell> {
        let cell = cell.into();
        let mut seen = cells_in_range(cell, cells.min(MAX_REACH));
        let hides = |at| !self.crowd().grids().any(|costs| costs.is_passable(at));
        seen.retain(|&at| self.size().contains(at) && at.sees(cell, hides));
        seen
    }

    /// The cell nearest to this one, by the cost of a route, that has room for another solid agent of a kind: where a barracks puts
    /// its next soldier. `None` if there is no such kind or no room.
    ///
    /// ```
    /// use bevy_emberwalk::prelude::*;
    /// let mut grid = NavGrid::new(9, 3);
    /// grid.set_area((2, 0), Size::new(3, 3), None);
    /// assert_eq!(grid.nearest_free(0, (4, 1)), Some(Cell::new(5, 1)));
    /// ```
    pub fn nearest_free(&self, kind: usize, cell: impl Into<Cell>) -> Option<Cell> {
        self.crowd().nearest_free(kind, cell.into())
    }

    /// A place for each agent of a [`Formation`], in their order, with its centre in this cell, for agents of a kind.
    /// If a place has no room, it is the nearest cell that has; see [`Formation::places`]. Give each agent the goal
    /// [`Near`](crate::Goal::Near) its place, and all the [speed](crate::NavAgent::with_speed) of the slowest.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_emberwalk::prelude::*;
    /// # #[derive(Component)]
    /// # struct Selected;
    /// // The selected agents go to a cell, and stand there as they stand here.
    /// fn march(to: In<Cell>, grid: Single<&NavGrid>, mut selected: Query<(&GridPosition, &mut Goal), With<Selected>>) {
    ///     let formation = Formation::of(selected.iter().map(|(at, _)| at.entered()));
    ///     for ((_, mut goal), place) in selected.iter_mut().zip(grid.formation(&formation, *to, 0)) {
    ///         *goal = Goal::Near(place);
    ///     }
    /// }
    /// # let _ = march;
    /// ```
    pub fn formation(&self, formation: &Formation, centre: impl Into<Cell>, kind: usize) -> Vec<Cell> {
        let costs = self.costs_of(kind).unwrap_or_else(|| self.costs());
        formation.places(costs, self.side_of(kind), self.crowd().rules(), centre.into())
    }

    /// The same places for equal agents that are in these cells, so that no two cross each other; see
    /// [`Formation::places_for`].
    pub fn formation_for(
        &self,
        agents: &[Cell],
        formation: &Formation,
        centre: impl Into<Cell>,
        kind: usize,
    ) -> Vec<Cell> {
        let costs = self.costs_of(kind).unwrap_or_else(|| self.costs());
        formation.places_for(agents, costs, self.side_of(kind), self.crowd().rules(), centre.into())
    }
}
