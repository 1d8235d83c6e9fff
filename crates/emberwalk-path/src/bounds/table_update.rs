//! Brings all tables of landmarks up to date after many cost decreases, in slices.
//!
//! Each table is [repaired](crate::bounds::landmark_repair). Where costs decreased for large parts of the map, that
//! would take several times as long as to measure the distances again, so a repair is given up once it has expanded an
//! eighth of the cells. If that happens twice, all remaining tables are measured, two at a time as when they were made.
//! So an update takes about as long as new tables at most.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::bounds::cost_decreases::{CostDecrease, CostDecreases};
use crate::bounds::distance_tables::DistanceTables;
use crate::bounds::landmark_distances::Kind;
use crate::bounds::landmark_repair::TableRepair;
use crate::bounds::symmetric_steps::SymmetricSteps;
use crate::bounds::table_pair::{Distances, GROUP, TablePair};
use crate::budget::Budget;
use crate::search::cell_set::CellSet;
use crate::search::memory::Memory;
use crate::{CostGrid, Stamp, StepRules};

/// The share of the passable cells that the repair of a table may expand. A cell takes about three times as long as
/// when a table is measured, and two tables are measured at the same time: so this takes a little less time than
/// measuring.
const MAX_REPAIRED_SHARE: u64 = 8;

/// After so many repairs that were given up, none is tried.
const MAX_GIVEN_UP: u32 = 2;

/// On grids of fewer cells, the update allocates nothing: it measures one table at a time, in the memory of searches.
const MIN_CELLS_FOR_MEMORY: usize = 1 << 14;

/// The update of all tables, or its memory while there is none.
#[derive(Debug, Default)]
pub(crate) struct TableUpdate {
    /// The ends of all steps that became cheaper or possible.
    pub(crate) cells: CellSet,
    /// The single cells in which costs decreased.
    pub(crate) singles: Vec<CostDecrease>,
    /// The stamp of the grid after these decreases.
    pub(crate) stamp: Stamp,
    is_running: bool,
    /// The next table.
    table: usize,
    stage: Stage,
    max_expanded: u64,
    given_up: u32,
    /// The first of the two has the memory of the planner from the first slice to the last.
    pair: Option<Box<TablePair>>,
    has_memory: bool,
    steps: Option<SymmetricSteps>,
}

/// What is done with the next table or tables.
#[derive(Clone, Copy, Debug)]
enum Stage {
    Repair(TableRepair),
    /// To begin to measure.
    Choose,
    /// To measure so many tables on the grid with this stamp.
    Measure(usize, Stamp),
    /// To write so many tables that were measured on the grid with this stamp.
    Write(usize, Stamp),
}

impl Default for Stage {
    fn default() -> Self {
        Self::Repair(TableRepair::default())
    }
}

/// Memory that is not in use is not copied.
impl Clone for TableUpdate {
    fn clone(&self) -> Self {
        if !self.is_running {
            return Self::default();
        }
        Self {
            cells: self.cells.clone(),
            singles: self.singles.clone(),
            pair: self.pair.clone(),
            steps: self.steps.clone(),
            ..*self
        }
    }
}

impl TableUpdate {
    /// Whether the update has begun and is not finished. The tables then give no valid bounds.
    pub(crate) fn is_running(&self) -> bool {
        self.is_running
    }

    /// Begins an update for all decreases so far.
    pub(crate) fn begin(&mut self, decreases: &mut CostDecreases, grid: &CostGrid) {
        decreases.take(&mut self.cells, &mut self.singles, grid.entry_units().len());
        self.stamp = grid.stamp();
        self.max_expanded = grid.passable_cells() / MAX_REPAIRED_SHARE;
        (self.is_running, self.table, self.stage, self.given_up) = (true, 0, Stage::default(), 0);
    }

    /// Continues the update of the tables, whose landmarks are at `places`. Pauses when the budget is spent, and keeps
    /// `memory` until it is finished.
    ///
    /// The grid may change in between: decreases since the beginning are left to the next update, but tables that are
    /// being measured are begun again.
    pub(crate) fn run(
        &mut self,
        (tables, places): (&mut DistanceTables, &[usize]),
        map: (&CostGrid, StepRules),
        memory: &mut Memory,
        max_threads: Option<NonZeroUsize>,
        budget: &mut Budget,
    ) -> ControlFlow<()> {
        let mut pair = self.pair.take().unwrap_or_default();
        if !std::mem::replace(&mut self.has_memory, true) {
            std::mem::swap(memory, &mut pair.measured[0].memory);
            pair.measured[0].memory.has_jumped = false;
        }
        let done = self.run_tables(&mut pair, (tables, places), map, max_threads, budget);
        if done.is_continue() {
            std::mem::swap(memory, &mut pair.measured[0].memory);
            (self.has_memory, self.is_running, self.steps) = (false, false, None);
            // Searches between the slices had other memory, and the second of two tables has its own.
            for Distances { memory, .. } in &mut pair.measured {
                if memory.nodes.bytes() > 0 {
                    *memory = Memory::default();
                }
            }
        }
        self.pair = Some(pair);
        done
    }

    fn run_tables(
        &mut self,
        pair: &mut TablePair,
        (tables, places): (&mut DistanceTables, &[usize]),
        (grid, rules): (&CostGrid, StepRules),
        max_threads: Option<NonZeroUsize>,
        budget: &mut Budget,
    ) -> ControlFlow<()> {
        let is_small = grid.entry_units().len() < MIN_CELLS_FOR_MEMORY;
        while self.table < places.len() {
            match &mut self.stage {
                Stage::Repair(repair) => {
                    let (tables, memory) = ((&mut *tables, self.table), &mut pair.measured[0].memory);
                    if repair.run(tables, &self.cells, (grid, rules), memory, self.max_expanded, budget)? {
                        (self.table, self.stage) = (self.table + 1, Stage::default());
                    } else {
                        (self.given_up, self.stage) = (self.given_up + 1, Stage::Choose);
                    }
                }
                Stage::Choose => {
                    let count = if is_small { 1 } else { GROUP.min(places.len() - self.table) };
                    for (k, measured) in pair.measured[..count].iter_mut().enumerate() {
                        let table = self.table + k;
                        measured.begin(places[table], Kind::of_table(table, tables.are_directed));
                    }
                    if !is_small && !tables.are_directed && self.steps.is_none() {
                        self.steps = Some(SymmetricSteps::new(grid));
                    }
                    self.stage = Stage::Measure(count, grid.stamp());
                }
                &mut (Stage::Measure(_, stamp) | Stage::Write(_, stamp)) if stamp != grid.stamp() => {
                    (self.steps, self.stage) = (None, Stage::Choose);
                }
                &mut Stage::Measure(count, stamp) => {
                    if let Some(steps) = &mut self.steps {
                        steps.make((grid, rules), budget)?;
                    }
                    pair.measure((grid, rules), self.steps.as_ref(), count, max_threads, budget)?;
                    self.stage = Stage::Write(count, stamp);
                }
                &mut Stage::Write(count, _) => {
                    pair.write(grid, tables, self.table, count, budget)?;
                    let repairs = self.given_up < MAX_GIVEN_UP;
                    (self.table, self.stage) =
                        (self.table + count, if repairs { Stage::default() } else { Stage::Choose });
                }
            }
        }
        ControlFlow::Continue(())
    }
}
