//! Measures up to two tables of landmarks at a time, and writes them.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread::{Builder, available_parallelism, scope};

use crate::bounds::distance_tables::DistanceTables;
use crate::bounds::landmark_distances::{self, Kind};
use crate::bounds::symmetric_steps::SymmetricSteps;
use crate::budget::{Budget, Pass};
use crate::search::memory::{Memory, Progress};
use crate::{CostGrid, StepRules};

/// How many tables are computed at a time.
pub(crate) const GROUP: usize = 2;

/// Starting a thread takes longer than it saves on grids of fewer cells.
pub(crate) const MIN_CELLS_FOR_THREADS: usize = 1 << 13;

/// The number of threads that measure this many tables of a grid with an array of this length; `None` allows all that
/// the machine has. One table needs no second thread, and asking the system for their number allocates.
fn threads_for(count: usize, len: usize, max_threads: Option<NonZeroUsize>) -> usize {
    if count == 1 || len < MIN_CELLS_FOR_THREADS {
        return 1;
    }
    max_threads.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get).min(GROUP)
}

/// The distances between a landmark and all cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distances {
    place: usize,
    kind: Kind,
    pub(crate) memory: Memory,
    is_done: bool,
    is_blocked: bool,
}

impl Distances {
    /// Begins to measure the distances of the cell `place`.
    pub(crate) fn begin(&mut self, place: usize, kind: Kind) {
        (self.place, self.kind, self.is_done, self.memory.fill) = (place, kind, false, Progress::default());
    }

    pub(crate) fn measure(
        &mut self,
        map: (&CostGrid, StepRules),
        steps: Option<&SymmetricSteps>,
        budget: &mut Budget,
    ) -> ControlFlow<()> {
        self.is_blocked = map.0.entry_units()[self.place] == 0;
        if !self.is_done && !self.is_blocked {
            landmark_distances::measure(&mut self.memory, map, (self.place, self.kind), steps, budget)?;
            self.is_done = true;
        }
        ControlFlow::Continue(())
    }

    /// The distance of a cell, in units; `None` if it is unreachable. A landmark that is blocked reaches no cell: a
    /// table without distances gives no bounds.
    pub(crate) fn get(&self, at: usize) -> Option<u64> {
        if self.is_blocked { None } else { self.memory.nodes.cost(at) }
    }
}

/// The distances of one or two landmarks.
#[derive(Clone, Debug, Default)]
pub(crate) struct TablePair {
    pub(crate) measured: [Distances; GROUP],
    /// How much of them is written.
    written: Pass,
}

impl TablePair {
    /// Measures the first `count` distances, by two threads if it may and they pay. Pauses when the budget is spent.
    pub(crate) fn measure(
        &mut self,
        map: (&CostGrid, StepRules),
        steps: Option<&SymmetricSteps>,
        count: usize,
        max_threads: Option<NonZeroUsize>,
        budget: &mut Budget,
    ) -> ControlFlow<()> {
        self.written = Pass::default();
        let [one, other] = &mut self.measured;
        if threads_for(count, map.0.entry_units().len(), max_threads) > 1 {
            let mut same_budget = Budget::new(budget.left());
            scope(|scope| {
                // If the system lets no thread start, this one measures both.
                let _ = Builder::new().spawn_scoped(scope, || other.measure(map, steps, &mut same_budget));
                let _ = one.measure(map, steps, budget);
            });
        }
        self.measured[..count].iter_mut().try_for_each(|measured| measured.measure(map, steps, budget))
    }

    /// Writes the first `count` distances into the tables from `first` on. Pauses when the budget is spent; the tables
    /// give no valid bounds until it continues.
    pub(crate) fn write(
        &mut self,
        grid: &CostGrid,
        tables: &mut DistanceTables,
        first: usize,
        count: usize,
        budget: &mut Budget,
    ) -> ControlFlow<()> {
        let measured = &self.measured;
        let tables_written: [_; GROUP] = std::array::from_fn(|k| (first + k, move |at| measured[k].get(at)));
        let (block_rows, cells) = tables.block_rows();
        self.written.run(block_rows, cells, budget, |block_rows| {
            tables.write(block_rows, &tables_written[..count], grid);
        })
    }
}
