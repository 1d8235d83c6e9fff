//! Steps and their costs in tiles, with the reason where a step is impossible.

use std::f64::consts::SQRT_2;

use super::{Figure, MistakeKind};
use crate::grid::{Cell, Direction, Grid};
use crate::{Corners, CostGrid, Field, Moves, StepRules};

#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) grid: &'a CostGrid,
    pub(super) rules: StepRules,
}

impl Ground<'_> {
    /// The same value for each cell.
    pub(super) fn each<T: Copy>(self, value: T) -> Grid<T> {
        Grid::from_fn(self.grid.size(), |_| value)
    }

    /// The entry cost; NaN where the cell is impassable or off the map.
    pub(super) fn entry(self, cell: Cell) -> f64 {
        self.grid.get(cell).map_or(f64::NAN, |cost| cost.tiles())
    }

    /// The lowest entry cost of the map.
    pub(super) fn min_cost(self) -> f64 {
        self.grid.min_cost().map_or(0.0, |cost| cost.tiles())
    }

    /// How much more a diagonal step costs: the square root of 2, as programs are told, where the grid has a ratio near it.
    pub(super) fn diagonal(self) -> f64 {
        let ratio = self.grid.diagonal().ratio();
        if (ratio - SQRT_2).abs() < 5e-4 { SQRT_2 } else { ratio }
    }

    /// How much more a step costs because it is diagonal.
    pub(super) fn ratio(self, from: Cell, to: Cell) -> f64 {
        if self.rules.costs_diagonal_ratio(from, to) { self.diagonal() } else { 1.0 }
    }

    /// How much more a step costs because it climbs.
    pub(super) fn climb(self, from: Cell, to: Cell) -> f64 {
        self.grid.climb().factor(self.grid.level(from), self.grid.level(to)).unwrap_or(1.0)
    }

    /// The cost of a step, which is not rounded as the costs of the grid are.
    pub(super) fn step(self, from: Cell, to: Cell) -> Option<f64> {
        self.rules.step_cost(self.grid, from, to)?;
        Some(self.entry(to) * self.ratio(from, to) * self.climb(from, to))
    }

    /// The cost of a cheapest route between a cell and the cell of a field.
    pub(super) fn lowest(self, field: &Field, cell: Cell) -> Option<f64> {
        field.route(cell)?.cells.windows(2).try_fold(0.0, |sum, step| Some(sum + self.step(step[0], step[1])?))
    }

    /// The cells after `from` up to `to`, if all steps between them are possible: one step, or a jump of a search over
    /// jump points, which goes diagonally first.
    pub(super) fn jump(self, from: Cell, to: Cell) -> Option<Vec<Cell>> {
        let (mut at, mut cells) = (from, Vec::new());
        if !self.grid.size().contains(to) {
            return None;
        }
        while at != to {
            let (dx, dy) = to - at;
            let next = at + (dx.signum(), dy.signum());
            self.step(at, next)?;
            cells.push(next);
            at = next;
        }
        Some(cells)
    }

    /// The cells that can be entered from a cell, with the costs of the steps.
    pub(super) fn successors(self, cell: Cell) -> impl Iterator<Item = (Cell, f64)> {
        let cells = self.rules.moves.directions().iter().map(move |direction| cell + direction.offset());
        cells.filter_map(move |next| Some((next, self.step(cell, next)?)))
    }

    /// The impassable cells beside a diagonal step. A straight step that is possible has none.
    pub(super) fn blocked_sides(self, from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
        let sides = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
        sides.into_iter().filter(move |side| !self.grid.is_passable(*side))
    }

    /// Why there is no such step.
    pub(super) fn obstacle(self, from: Cell, to: Cell) -> (MistakeKind, String) {
        let (dx, dy) = to - from;
        if let Some(reason) = self.blocked(to) {
            return (MistakeKind::Impassable, reason);
        }
        let words = match Direction::from_offset((dx, dy)) {
            None if to == from => format!("{to} stands there twice in a row"),
            None => format!("{to} is not beside {from}"),
            Some(direction) if !self.rules.moves.directions().contains(&direction) => match self.rules.moves {
                Moves::Four => format!("the step from {from} to {to} is diagonal, and this problem has four moves"),
                _ => format!("the step from {from} to {to} is none of the six of hexagons"),
            },
            Some(_) if !self.grid.climb().allows(self.grid.level(from), self.grid.level(to)) => {
                let [low, high] = [from, to].map(|cell| self.grid.level(cell));
                format!("the step from {from} to {to} leads from level {low} to level {high}, which is a cliff")
            }
            Some(_) => {
                let blocked: Vec<_> = self.blocked_sides(from, to).map(|side| side.to_string()).collect();
                let blocked = if blocked.is_empty() { "a cliff".into() } else { blocked.join(" and ") };
                let rule = match self.rules.corners {
                    Corners::Never => "with corners \"never\", both cells beside a diagonal step must be passable",
                    _ => "with corners \"one\", at least one of the two cells beside a diagonal step must be passable",
                };
                return (
                    MistakeKind::CutCorner,
                    format!("the diagonal step from {from} to {to} passes {blocked}; {rule}"),
                );
            }
        };
        (MistakeKind::NotAStep, words)
    }

    /// Why a cell can never be entered.
    pub(super) fn blocked(self, cell: Cell) -> Option<String> {
        let size = self.grid.size();
        let swapped = Cell::new(cell.y, cell.x);
        if !size.contains(cell) {
            let hint = if size.contains(swapped) {
                "; are x and y exchanged?"
            } else if cell.x < 0 || cell.y < 0 {
                "; x and y begin at 0, and some languages count a negative index from the end of the list"
            } else {
                ""
            };
            Some(format!("{cell} is off the map, whose last cell is {},{}{hint}", size.width - 1, size.height - 1))
        } else if !self.grid.is_passable(cell) {
            let entry = self.entry(swapped);
            let hint = if entry.is_nan() || cell.x == cell.y {
                String::new()
            } else {
                format!("; costs[{}][{}] is {}: are x and y exchanged?", cell.x, cell.y, Figure(entry))
            };
            Some(format!("{cell} is impassable: costs[{}][{}] is null{hint}", cell.y, cell.x))
        } else {
            None
        }
    }
}
