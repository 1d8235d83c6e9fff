//! What agents walk on: one grid for all, or a grid for each kind.

use super::CrowdError;
use super::edits::Change;
use super::index::CellIndex;
use crate::grid::Cell;
use crate::kinds::ClassGrid;
use crate::{CostGrid, StepRules};

/// The grids of a crowd, and the rules of steps on them.
#[derive(Clone, Debug)]
pub(super) struct Land {
    source: Source,
    pub(super) rules: StepRules,
}

#[derive(Clone, Debug)]
enum Source {
    One(CostGrid),
    Kinds(ClassGrid),
}

/// Where an agent walks, and by which rules.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) grid: &'a CostGrid,
    pub(super) rules: StepRules,
}

impl Ground<'_> {
    /// The cost of a step between neighbours, in units; `None` if it is not possible.
    pub(super) fn step_units(self, from: CellIndex, to: CellIndex) -> Option<u64> {
        let [from, to] = [from, to].map(|at| self.grid.cell(at.get()));
        self.rules.step_cost(self.grid, from, to).map(|cost| cost.units())
    }
}

impl Land {
    pub(super) fn new(grid: CostGrid, rules: StepRules) -> Self {
        Self { source: Source::One(grid), rules }
    }

    pub(super) fn with_kinds(classes: ClassGrid, rules: StepRules) -> Result<Self, CrowdError> {
        let kinds = classes.kinds().len();
        let large = classes.kinds().iter().position(|kind| kind.side() > 1);
        match large {
            _ if kinds == 0 => Err(CrowdError::NoKind(0)),
            Some(kind) => Err(CrowdError::LargeKind(kind)),
            None => Ok(Self { source: Source::Kinds(classes), rules }),
        }
    }

    /// The grid of each kind.
    #[inline]
    pub(super) fn grids(&self) -> &[CostGrid] {
        match &self.source {
            Source::One(grid) => std::slice::from_ref(grid),
            Source::Kinds(classes) => classes.grids(),
        }
    }

    /// The classes of the cells, if there are kinds.
    pub(super) fn classes(&self) -> Option<&ClassGrid> {
        match &self.source {
            Source::One(_) => None,
            Source::Kinds(classes) => Some(classes),
        }
    }

    /// The ground of a kind.
    #[inline]
    pub(super) fn ground(&self, kind: usize) -> Ground<'_> {
        Ground { grid: &self.grids()[kind], rules: self.rules }
    }

    /// Whether a change makes a cell impassable for a kind that can enter it now.
    pub(super) fn is_blocked_by(&self, change: Change, cell: Cell) -> bool {
        match (change, &self.source) {
            (Change::Cost(cost), _) => cost.is_none(),
            (Change::Class(class), Source::Kinds(classes)) => classes
                .kinds()
                .iter()
                .zip(classes.grids())
                .any(|(kind, grid)| grid.is_passable(cell) && kind.cost(class).is_none()),
            (Change::Class(_) | Change::Level(_), _) => false,
        }
    }

    /// Makes a change of a cell, and returns whether it changes anything. A cost is for one grid, and a class for kinds.
    pub(super) fn change(&mut self, change: Change, cell: Cell) -> bool {
        match (change, &mut self.source) {
            (Change::Cost(cost), Source::One(grid)) => grid.set(cell, cost),
            (Change::Level(level), Source::One(grid)) => grid.set_level(cell, level),
            (Change::Class(class), Source::Kinds(classes)) => classes.set(cell, class),
            (Change::Level(level), Source::Kinds(classes)) => classes.set_level(cell, level),
            (Change::Class(_), Source::One(_)) | (Change::Cost(_), Source::Kinds(_)) => false,
        }
    }
}
