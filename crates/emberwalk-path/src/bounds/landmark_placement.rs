//! Chooses the landmarks, and measures and writes their tables.

use std::ops::ControlFlow;

use crate::bounds::distance_tables::{DistanceTables, Shape};
use crate::bounds::heuristic::{Distance, SkewDistance, distance_bound};
use crate::bounds::landmark_distances::{Kind, LandmarkDistances, UNREACHED, scaled};
use crate::bounds::symmetric_steps::SymmetricSteps;
use crate::components::Components;
use crate::search::dijkstra::GoOn;
use crate::{CostGrid, StepRules};

/// Is told how many tables are begun and how many there are at most, and says whether to go on.
pub(crate) type OnProgress<'a> = &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync);

/// How landmarks are made.
#[derive(Clone, Copy)]
pub(crate) struct Effort<'a> {
    pub(crate) max_threads: usize,
    pub(crate) shape: Shape,
    /// Is called before each table, and every few milliseconds.
    pub(crate) on_progress: OnProgress<'a>,
}

/// How many tables are computed at a time.
const GROUP: usize = 2;

/// Starting a thread takes longer than it saves on grids of fewer cells.
const MIN_CELLS_FOR_THREADS: usize = 1 << 13;

/// On larger grids a rough place is good enough for the second landmark of two: only every fourth row and column is
/// looked at.
const SPACING: usize = 4;

/// Places each landmark where it is farthest from those before it, in components of some size.
///
/// Two tables are computed at a time, by two threads or one after the other, so that the tables do not depend on the
/// number of threads. Without levels these are tables of two landmarks, and of the distance between them only a lower
/// bound is known when the second is placed.
pub(crate) struct Placement<'a> {
    grid: &'a CostGrid,
    rules: StepRules,
    components: &'a Components,
    are_directed: bool,
    threads: usize,
    on_progress: OnProgress<'a>,
    max_tables: usize,
    /// On level ground, unless costs are too far apart.
    steps: Option<SymmetricSteps>,
    /// The distance of each cell from the nearest landmark, in units of `2^unit_shift`; 0 where none may be placed.
    nearest: Vec<u32>,
    unit_shift: u32,
    measured: [LandmarkDistances; GROUP],
}

impl<'a> Placement<'a> {
    pub(crate) fn new(
        grid: &'a CostGrid,
        rules: StepRules,
        components: &'a Components,
        are_directed: bool,
        Effort { max_threads, shape, on_progress }: Effort<'a>,
    ) -> Self {
        let len = grid.entry_units().len();
        let threads = if len < MIN_CELLS_FOR_THREADS { 1 } else { max_threads.clamp(1, GROUP) };
        let mut sizes = vec![0usize; components.numbers()];
        for number in (0..len).filter_map(|at| components.number(at)) {
            sizes[number] += 1;
        }
        let passable: usize = sizes.iter().sum();
        // The largest component always counts, however small it is.
        let large = sizes.iter().copied().max().unwrap_or(0).min(passable / 16).max(1);
        let nearest = (0..len).map(|at| match components.number(at) {
            Some(number) if sizes[number] >= large => UNREACHED,
            _ => 0,
        });
        let max_tables = shape.max_tables();
        Self {
            grid,
            rules,
            components,
            are_directed,
            threads,
            on_progress,
            max_tables: if are_directed { max_tables / GROUP * GROUP } else { max_tables },
            steps: if are_directed { None } else { SymmetricSteps::new(grid, rules, threads) },
            nearest: nearest.collect(),
            unit_shift: grid.step_trailing_zeros(),
            measured: Default::default(),
        }
    }

    /// Adds all landmarks, and writes their tables; `Break` if `on_progress` says not to go on.
    pub(crate) fn place_all(mut self, tables: &mut DistanceTables, cells: &mut Vec<usize>) -> ControlFlow<()> {
        while cells.len() < self.max_tables {
            let (table, on_progress) = (cells.len(), self.on_progress);
            let progress = (table, self.max_tables);
            let go_on = || on_progress(progress.0, progress.1);
            let farthest = (0..self.nearest.len()).max_by_key(|&at| self.nearest[at]);
            let Some(place) = farthest.filter(|&at| self.nearest[at] > 0) else { return go_on() };
            let place = self.place_near(place, self.nearest[place], tables, table == 0, &go_on)?;
            cells.push(place);
            if self.are_directed {
                cells.push(place);
            } else if cells.len() < self.max_tables
                && let Some((distance, second)) = self.second(tables, table, place)
            {
                cells.push(self.place_near(second, distance, tables, false, &go_on)?);
            }
            for table in table..cells.len() {
                on_progress(table, self.max_tables)?;
            }
            self.write_group(tables, table, &cells[table..], &go_on)?;
            self.update_nearest(cells.len() - table);
        }
        ControlFlow::Continue(())
    }

    /// Returns the cell for the second landmark of two, and its distance from the others, which may be a lower bound.
    fn second(&self, tables: &DistanceTables, count: usize, first: usize) -> Option<(u32, usize)> {
        let Self { grid, components, nearest, .. } = self;
        let (len, stride) = (nearest.len(), grid.stride());
        let by_steps = distance_bound::<SkewDistance>(grid, self.rules.moves);
        let (cell, number) = (grid.cell(first), components.number(first));
        let (lower, upper) = tables.distances(first);
        let bound = |at: usize| {
            let by_steps = 2 * by_steps.between(grid.cell(at) - cell);
            let (other_lower, other_upper) = tables.distances(at);
            let gap = |k: usize| (lower[k] - other_upper[k]).max(other_lower[k] - upper[k]);
            let by_tables = (0..count).map(gap).max().unwrap_or(0).max(0) as u64;
            self.scaled(by_steps.max(by_tables << tables.unit_shift))
        };
        let spacing = if len < MIN_CELLS_FOR_THREADS { 1 } else { SPACING };
        let rows = (0..len / stride).step_by(spacing).map(|row| row * stride);
        let mut best = None;
        for at in rows.flat_map(|row| (row..row + stride).step_by(spacing)) {
            if nearest[at] == 0 || best.is_some_and(|(distance, _)| nearest[at] < distance) {
                continue;
            }
            let is_connected = components.number(at) == number;
            let distance = if is_connected { nearest[at].min(bound(at)) } else { nearest[at] };
            best = best.max(Some((distance, at)).filter(|_| distance > 0));
        }
        best
    }

    /// Returns where to place a landmark that is to be at that distance from the others: there, or if it is the first
    /// of a component, as far as possible from some cell of it.
    fn place_near(
        &mut self,
        mut place: usize,
        distance: u32,
        tables: &mut DistanceTables,
        is_first: bool,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), usize> {
        if distance != UNREACHED {
            return ControlFlow::Continue(place);
        }
        let mut max_distance = 0;
        for table in (0..if self.are_directed { 2 } else { 1 }).rev() {
            let measured = &mut self.measured[0];
            let kind = Kind::of_table(table, self.are_directed);
            measured.measure((self.grid, self.rules), self.steps.as_ref(), place, kind, go_on)?;
            let distances = (0..self.nearest.len()).filter_map(|at| Some((measured.get(at)?, at)));
            let (distance, farthest) = distances.max().unwrap_or((0, place));
            (place, max_distance) = (farthest, max_distance.max(distance));
        }
        if is_first {
            *tables = DistanceTables::new(self.grid, max_distance / 4 * 5, tables.shape());
        }
        ControlFlow::Continue(place)
    }

    /// Measures the distances of the last tables, of which there are one or two, and writes them.
    fn write_group(
        &mut self,
        tables: &mut DistanceTables,
        table: usize,
        cells: &[usize],
        go_on: GoOn<'_>,
    ) -> ControlFlow<()> {
        let (map, steps, are_directed) = ((self.grid, self.rules), self.steps.as_ref(), self.are_directed);
        let measure = |measured: &mut LandmarkDistances, k: usize| {
            measured.measure(map, steps, cells[k], Kind::of_table(table + k, are_directed), go_on)
        };
        let [one, other] = &mut self.measured;
        if cells.len() == 1 || self.threads == 1 {
            measure(one, 0)?;
            if cells.len() > 1 {
                measure(other, 1)?;
            }
        } else {
            std::thread::scope(|scope| {
                let second = scope.spawn(|| measure(other, 1));
                measure(one, 0)?;
                second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })?;
        }
        let measured = &self.measured;
        let written: [_; GROUP] = std::array::from_fn(|k| (table + k, move |at| measured[k].get(at)));
        tables.write(&written[..cells.len()], self.grid, self.threads);
        ControlFlow::Continue(())
    }

    /// Takes the last tables into account. Where there are levels, only what leads to the landmark counts.
    fn update_nearest(&mut self, count: usize) {
        for measured in &self.measured[usize::from(self.are_directed)..count] {
            measured.lower(&mut self.nearest, self.unit_shift);
        }
    }

    fn scaled(&self, distance: u64) -> u32 {
        scaled(distance, self.unit_shift)
    }
}
