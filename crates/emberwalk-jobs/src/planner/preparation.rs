//! Prepares landmarks and jump points, so that long routes are found quickly, and refreshes them after edits.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use emberwalk_path::{Algorithm, CostGrid, Options, Planner, Stamp, StepRules};
use tracing::debug;

use crate::{Instant, Job, Worker};

/// The urgency of preparing a grid, which is less than the urgency of all questions.
const URGENCY: u8 = u8::MAX;

/// The minimum number of cells at which preparation makes searches faster.
const MIN_CELLS: usize = 64 * 64;

/// Up to this number of cells, a table takes no more than a tenth of a second. The preparation of larger grids takes
/// many seconds.
const MAX_QUICK_CELLS: usize = 1280 * 1280;

/// The preparation of a larger grid starts when searches have expanded this many times the number of its cells.
const SEARCHES: u64 = 2;

/// The factor by which a slice of a preparation processes more cells than a slice of a search, because each cell takes
/// less time.
const PREPARED_CELLS: u64 = 8;

/// The maximum memory of the tables. All of them take 82 bytes per cell on flat grids, and about 90 on hills.
const MAX_PREPARED_BYTES: usize = 256 << 20;

/// For how long tables are refreshed before the grid is checked again. An edit meanwhile has to copy the cost grid.
const REFRESH_TIME: Duration = Duration::from_millis(10);

/// The state of the preparation.
#[derive(Default)]
pub(super) struct Preparation {
    /// Frees, makes or refreshes tables, and returns whether there are more to refresh.
    job: Option<Job<bool>>,
    /// The rules of the current or last preparation.
    rules: Option<StepRules>,
    /// The stamp of the grid for which the job works.
    wanted: Stamp,
    /// The stamp of the grid for which all tables were made or refreshed.
    stamp: Stamp,
}

impl Preparation {
    /// Frees all memory of the planner, and begins again.
    pub(super) fn forgetting(worker: &Worker<Planner>) -> Self {
        let freeing = worker.start(0, "Freeing memory", |planner, _| {
            *planner = Planner::new();
            ControlFlow::Continue(false)
        });
        Self { job: Some(freeing), ..Self::default() }
    }

    /// Prepares the planner for the grid, if that pays after searches on it have expanded so many cells, or refreshes its
    /// tables, if that is quick. If the grid changes in the meantime, they are refreshed again.
    pub(super) fn follow(&mut self, worker: &Worker<Planner>, grid: &Arc<CostGrid>, options: Options, expanded: u64) {
        self.finish();
        let rules = Some(options.rules);
        let cells = grid.size().area();
        let is_known = self.rules == rules && grid.changes_since(self.stamp).is_some();
        let is_done = is_known && (self.job.is_some() || self.stamp == grid.stamp());
        let is_quick = cells <= MAX_QUICK_CELLS;
        let pays = options.algorithm == Algorithm::Auto
            && cells >= MIN_CELLS
            && (is_quick || expanded >= SEARCHES * cells as u64);
        if is_done || !pays || is_known && !is_quick {
            return;
        }
        self.job = Some(if is_known { refresh(worker, grid, options) } else { make(worker, grid, options) });
        if !is_known {
            self.stamp = grid.stamp();
        }
        (self.rules, self.wanted) = (rules, grid.stamp());
    }

    /// Records that the job is done. After a panic, the tables stay as they are: it would happen again.
    fn finish(&mut self) {
        let Some(has_more) = self.job.as_ref().and_then(Job::take) else { return };
        self.job = None;
        if has_more != Ok(true) {
            self.stamp = self.wanted;
        }
    }
}

/// Prepares another planner while the one in use answers questions, and then takes it.
fn make(worker: &Worker<Planner>, grid: &Arc<CostGrid>, options: Options) -> Job<bool> {
    let grid = grid.clone();
    let mut prepared = Planner::new();
    prepared.set_max_prepared_bytes(MAX_PREPARED_BYTES);
    let mut slices = 0;
    worker.start(URGENCY, "Preparing the planner", move |planner, progress| {
        if slices == 0 {
            // Tables of another grid, or outdated ones. They are freed before the new ones are computed.
            planner.forget_prepared();
        }
        slices += 1;
        progress.in_slices(|cells| {
            let advanced = prepared.advance_preparation(&grid, &options, PREPARED_CELLS * cells);
            if let Some((done, all)) = prepared.preparation_progress() {
                progress.report(done as f32 / all as f32);
            }
            advanced
        })?;
        debug!(bytes = prepared.prepared_bytes(), slices, "tables made");
        *planner = std::mem::take(&mut prepared);
        ControlFlow::Continue(false)
    })
}

/// Refreshes some tables.
fn refresh(worker: &Worker<Planner>, grid: &Arc<CostGrid>, options: Options) -> Job<bool> {
    let grid = grid.clone();
    worker.start(URGENCY, "Preparing the planner", move |planner, progress| {
        let begun = Instant::now();
        progress.in_slices(|cells| match planner.advance_refresh(&grid, &options, cells) {
            Poll::Ready(false) => Poll::Ready(false),
            _ if begun.elapsed() > REFRESH_TIME => Poll::Ready(true),
            _ => Poll::Pending,
        })
    })
}

#[cfg(test)]
mod tests {
    use std::thread;

    use emberwalk_path::grid::{Cell, Size};
    use emberwalk_path::{Diagonal, EntryCost};

    use super::*;
    use crate::Jobs;

    /// Waits until the tables belong to the grid as it is now.
    fn finish(preparation: &mut Preparation, worker: &Worker<Planner>, grid: &Arc<CostGrid>) {
        let begun = Instant::now();
        loop {
            preparation.follow(worker, grid, Options::default(), 0);
            if preparation.job.is_none() && preparation.stamp == grid.stamp() {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the tables are not finished");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether a table of the planner in use has looser bounds because cells became cheaper. Refreshes one of these.
    fn refresh_one(worker: &Worker<Planner>, grid: &Arc<CostGrid>) -> bool {
        let grid = grid.clone();
        let job = worker.start(0, "Testing", move |planner, _| {
            assert!(planner.prepared_bytes() > 0);
            ControlFlow::Continue(planner.refresh(&grid, &Options::default()))
        });
        job.wait(Duration::MAX).expect("it ends").expect("it does not panic")
    }

    #[test]
    fn tables_are_made_and_refreshed_when_cells_become_cheaper() {
        let swamp = EntryCost::from_tiles(3.0).unwrap();
        let mut grid = Arc::new(CostGrid::from_fn(Size::new(70, 70), Diagonal::GAME, |_| Some(swamp)).unwrap());
        let worker = Worker::new("Planning", Jobs::default());
        let mut preparation = Preparation::forgetting(&worker);
        finish(&mut preparation, &worker, &grid);
        assert!(!refresh_one(&worker, &grid));

        for column in 0..70 {
            Arc::make_mut(&mut grid).set(Cell::new(column, 3), Some(EntryCost::TILE));
        }
        assert!(refresh_one(&worker, &grid));
        finish(&mut preparation, &worker, &grid);
        assert!(!refresh_one(&worker, &grid), "all are refreshed");
    }
}
