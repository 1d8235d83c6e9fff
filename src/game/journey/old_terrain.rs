//! The costs of steps before the terrain change.

use std::collections::HashMap;

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{CellChange, CostGrid, EntryCost, Level, RouteCost, StepRules};

/// The entry costs and the levels of the changed cells before the change.
#[derive(Clone, Default)]
pub(super) struct OldTerrain {
    cells: HashMap<Cell, (Option<EntryCost>, Level)>,
}

impl OldTerrain {
    /// Adds changes of the cost grid, oldest first.
    pub fn add(&mut self, changes: impl Iterator<Item = CellChange>) {
        for CellChange { cell, was, was_level } in changes {
            // The oldest change of a cell contains its state before all changes.
            self.cells.entry(cell).or_insert((was, was_level));
        }
    }

    /// Adds the cells that are different in a grid of the same size.
    pub(in crate::game) fn add_grid(&mut self, old: &CostGrid, now: &CostGrid) {
        let is_other = |cell: &Cell| old.get(*cell) != now.get(*cell) || old.level(*cell) != now.level(*cell);
        for cell in now.size().cells().filter(is_other) {
            self.cells.entry(cell).or_insert((old.get(cell), old.level(cell)));
        }
    }

    /// Adds later changes.
    pub(in crate::game) fn followed_by(&mut self, later: &Self) {
        for (cell, before) in &later.cells {
            self.cells.entry(*cell).or_insert(*before);
        }
    }

    fn entry_cost(&self, grid: &CostGrid, cell: Cell) -> Option<EntryCost> {
        self.cells.get(&cell).map_or_else(|| grid.get(cell), |(cost, _)| *cost)
    }

    fn level(&self, grid: &CostGrid, cell: Cell) -> Level {
        self.cells.get(&cell).map_or_else(|| grid.level(cell), |(_, level)| *level)
    }

    /// Whether the cell has another entry cost now.
    pub(in crate::game) fn has_other_cost(&self, grid: &CostGrid, cell: Cell) -> bool {
        self.cells.contains_key(&cell) && self.entry_cost(grid, cell) != grid.get(cell)
    }

    /// Whether the cell has another level now.
    pub(in crate::game) fn has_other_level(&self, grid: &CostGrid, cell: Cell) -> bool {
        self.cells.contains_key(&cell) && self.level(grid, cell) != grid.level(cell)
    }

    /// The cost that a step to a neighbour had; `None` if it was impossible. `grid` is the current cost grid.
    pub fn step_cost(&self, grid: &CostGrid, rules: StepRules, from: Cell, to: Cell) -> Option<RouteCost> {
        if !step_cells(from, to).iter().any(|cell| self.cells.contains_key(cell)) {
            return rules.step_cost(grid, from, to);
        }
        // A separate grid with the cells of the step and the cells beside it.
        let corner = Cell::new(from.x.min(to.x), from.y.min(to.y));
        let there = |cell: Cell| corner + (cell.x, cell.y);
        let here = |cell: Cell| Cell::from(cell - corner);
        let entry_cost = |cell| self.entry_cost(grid, there(cell));
        let mut old = CostGrid::from_fn(Size::new(2, 2), grid.diagonal(), entry_cost).ok()?;
        old.set_levels(*grid.climb(), |cell| self.level(grid, there(cell)));
        rules.step_cost(&old, here(from), here(to))
    }

    /// The cost that the steps along these cells had together; `None` if one of them was impossible.
    pub fn cost(&self, grid: &CostGrid, rules: StepRules, cells: &[Cell]) -> Option<RouteCost> {
        cells.windows(2).map(|step| self.step_cost(grid, rules, step[0], step[1])).sum()
    }

    /// The changed cells that affect the cost of the step. Blocked side cells matter only where the step is impossible
    /// now, or was so before.
    pub fn causes(&self, grid: &CostGrid, from: Cell, to: Cell, is_possible: bool) -> impl Iterator<Item = Cell> {
        step_cells(from, to).into_iter().filter(move |&cell| {
            let is_end = cell == from || cell == to;
            let is_entered = cell == to || !is_end && !is_possible;
            is_entered && self.has_other_cost(grid, cell)
                || (is_end || !is_possible) && self.has_other_level(grid, cell)
        })
    }
}

/// The ends of a step and the cells beside it; for a straight step, these are the ends again.
fn step_cells(from: Cell, to: Cell) -> [Cell; 4] {
    [from, to, Cell::new(from.x, to.y), Cell::new(to.x, from.y)]
}
