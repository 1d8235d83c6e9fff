//! What agents walk on: one grid for all, or a grid for each kind.

use super::CrowdError;
use super::edits::Change;
use super::index::CellIndex;
use crate::grid::Cell;
use crate::kinds::ClassGrid;
use crate::{CostGrid, EntryCost, StepRules};

/// The grids of a crowd, and the rules of steps on them.
#[derive(Clone, Debug)]
pub(super) struct Land {
    source: Source,
    pub(super) rules: StepRules,
    /// The cells where agents hold, and those that edits which wait will block; a cell can be there twice.
    held: Vec<Cell>,
    /// The grids on which guides are found if there has ever been such a cell: it costs more there.
    planned: Vec<CostGrid>,
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
        Self { source: Source::One(grid), rules, held: Vec::new(), planned: Vec::new() }
    }

    pub(super) fn with_kinds(classes: ClassGrid, rules: StepRules) -> Result<Self, CrowdError> {
        let kinds = classes.kinds().len();
        let large = classes.kinds().iter().position(|kind| kind.side() > 1);
        match large {
            _ if kinds == 0 => Err(CrowdError::NoKind(0)),
            Some(kind) => Err(CrowdError::LargeKind(kind)),
            None => Ok(Self { source: Source::Kinds(classes), rules, held: Vec::new(), planned: Vec::new() }),
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

    /// The ground of a kind, as its guides see it.
    #[inline]
    pub(super) fn ground_for_guides(&self, kind: usize) -> Ground<'_> {
        Ground { grid: self.planned.get(kind).unwrap_or(&self.grids()[kind]), rules: self.rules }
    }

    /// Lets guides go round a cell, until it is released as often. O(cells) for the first one.
    pub(super) fn hold(&mut self, cell: Cell) {
        if self.planned.is_empty() {
            self.planned = self.grids().to_vec();
        }
        self.held.push(cell);
        self.plan(cell);
    }

    /// Takes back one call of [`hold`](Self::hold).
    pub(super) fn release(&mut self, cell: Cell) {
        if let Some(k) = self.held.iter().position(|&held| held == cell) {
            self.held.swap_remove(k);
            self.plan(cell);
        }
    }

    /// Brings the grids of the guides up to date in a cell.
    fn plan(&mut self, cell: Cell) {
        let mut planned = std::mem::take(&mut self.planned);
        let is_held = self.held.contains(&cell);
        for (planned, grid) in planned.iter_mut().zip(self.grids()) {
            let cost = grid.get(cell).map(|cost| if is_held { raised(cost) } else { cost });
            planned.set(cell, cost);
            planned.set_level(cell, grid.level(cell));
        }
        self.planned = planned;
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
        let changes = match (change, &mut self.source) {
            (Change::Cost(cost), Source::One(grid)) => grid.set(cell, cost),
            (Change::Level(level), Source::One(grid)) => grid.set_level(cell, level),
            (Change::Class(class), Source::Kinds(classes)) => classes.set(cell, class),
            (Change::Level(level), Source::Kinds(classes)) => classes.set_level(cell, level),
            (Change::Class(_), Source::One(_)) | (Change::Cost(_), Source::Kinds(_)) => false,
        };
        self.plan(cell);
        changes
    }
}

/// What a cell costs for guides if nobody can go through it for the time being: they go round it if that costs no more than 256 tiles.
fn raised(cost: EntryCost) -> EntryCost {
    EntryCost::from_tiles(cost.tiles() + 256.0).unwrap_or(EntryCost::MAX)
}
