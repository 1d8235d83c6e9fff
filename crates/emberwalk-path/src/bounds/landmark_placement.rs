//! Chooses the landmarks, and measures and writes their tables.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::bounds::distance_tables::{DistanceTables, Shape};
use crate::bounds::heuristic::{Distance, SkewDistance, distance_bound};
use crate::bounds::landmark_distances::{Kind, LandmarkDistances, UNREACHED, scaled};
use crate::bounds::symmetric_steps::SymmetricSteps;
use crate::components::Components;
use crate::pauses::{CELLS_BETWEEN_QUESTIONS_OF_THREADS, GoOn, Pass};
use crate::{CostGrid, StepRules, threads};

/// Is told how many tables are begun and how many there are at most, and says whether to go on.
pub(crate) type OnProgress<'a> = &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync);

/// How landmarks are placed.
#[derive(Clone, Copy)]
pub(crate) struct Effort<'a> {
    pub(crate) max_threads: usize,
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

/// What comes next for a group of tables.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// To choose the place of a landmark.
    Choose,
    /// To move the landmark, the first one of a component, to the cell that is farthest from it; so many times.
    MoveAway(usize),
    /// To choose another landmark, or to begin with the tables.
    Placed,
    /// To begin with the tables.
    Begin,
    /// To measure the distances of the landmarks.
    Measure,
    /// To write the distances into the tables.
    Write,
}

/// Places each landmark where it is farthest from those before it, in components of some size.
///
/// Two tables are computed at a time, by two threads or one after the other, so that the tables do not depend on the
/// number of threads. Without levels these are tables of two landmarks, and of the distance between them only a lower
/// bound is known when the second is placed.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    rules: StepRules,
    are_directed: bool,
    max_tables: usize,
    /// On level ground, unless costs are too far apart.
    steps: Option<SymmetricSteps>,
    /// The distance of each cell from the nearest landmark, in units of `2^unit_shift`; 0 where none may be placed.
    nearest: Vec<u32>,
    unit_shift: u32,
    /// The largest distance that was measured to find the first landmark.
    max_distance: u64,
    measured: [LandmarkDistances; GROUP],
    /// The first table of the group.
    group: usize,
    next: Next,
    /// How much of the group is written.
    written: Pass,
}

impl Placement {
    pub(crate) fn new(
        grid: &CostGrid,
        rules: StepRules,
        components: &Components,
        are_directed: bool,
        shape: Shape,
    ) -> Self {
        let len = grid.entry_units().len();
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
            rules,
            are_directed,
            max_tables: if are_directed { max_tables / GROUP * GROUP } else { max_tables },
            steps: if are_directed { None } else { SymmetricSteps::new(grid) },
            nearest: nearest.collect(),
            unit_shift: grid.step_trailing_zeros(),
            max_distance: 0,
            measured: Default::default(),
            group: 0,
            next: Next::Choose,
            written: Pass::default(),
        }
    }

    /// Adds all landmarks, and writes their tables. Pauses if `on_progress` says not to go on; the next call goes on,
    /// with the same grid, components, tables and landmarks.
    pub(crate) fn place_all(
        &mut self,
        grid: &CostGrid,
        components: &Components,
        tables: &mut DistanceTables,
        cells: &mut Vec<usize>,
        Effort { max_threads, on_progress }: Effort<'_>,
    ) -> ControlFlow<()> {
        let threads = if self.nearest.len() < MIN_CELLS_FOR_THREADS { 1 } else { max_threads.clamp(1, GROUP) };
        let (map, max_tables) = ((grid, self.rules), self.max_tables);
        tables.clear(grid, &|| on_progress(0, max_tables))?;
        if let Some(steps) = &mut self.steps {
            steps.make(map, threads, &|| on_progress(0, max_tables))?;
        }
        while self.group < max_tables {
            let (group, count) = (self.group, cells.len() - self.group);
            let go_on = || on_progress(group, max_tables);
            match self.next {
                Next::Choose => {
                    let chosen = match count {
                        0 => self.farthest(),
                        _ => self.second(grid, components, tables, cells[group]),
                    };
                    let Some((distance, place)) = chosen else {
                        if count == 0 {
                            return ControlFlow::Continue(());
                        }
                        self.next = Next::Begin;
                        continue;
                    };
                    cells.push(place);
                    self.next = Next::Placed;
                    if distance == UNREACHED {
                        self.move_away(place, if self.are_directed { GROUP } else { 1 });
                    }
                }
                Next::MoveAway(times) => {
                    let (measured, place) = (&mut self.measured[0], &mut cells[group + count - 1]);
                    measured.measure(map, self.steps.as_ref(), &go_on)?;
                    let distances = (0..self.nearest.len()).filter_map(|at| Some((measured.get(at)?, at)));
                    let (distance, farthest) = distances.max().unwrap_or((0, *place));
                    *place = farthest;
                    self.max_distance = self.max_distance.max(distance);
                    if cells.len() == 1 {
                        tables.set_max_distance(self.max_distance / 4 * 5);
                    }
                    self.next = Next::Placed;
                    if times > 1 {
                        self.move_away(farthest, times - 1);
                    }
                }
                Next::Placed if self.are_directed => {
                    cells.push(cells[group]);
                    self.next = Next::Begin;
                }
                Next::Placed => {
                    let has_another = count < GROUP && cells.len() < max_tables;
                    self.next = if has_another { Next::Choose } else { Next::Begin };
                }
                Next::Begin => {
                    for (k, measured) in self.measured[..count].iter_mut().enumerate() {
                        measured.begin(cells[group + k], Kind::of_table(group + k, self.are_directed));
                    }
                    self.next = Next::Measure;
                    for table in group..cells.len() {
                        on_progress(table, max_tables)?;
                    }
                }
                Next::Measure => {
                    self.measure(map, count, threads, &go_on)?;
                    (self.next, self.written) = (Next::Write, Pass::default());
                }
                Next::Write => {
                    self.write(grid, tables, count, threads, &go_on)?;
                    // Where there are levels, only what leads to the landmark counts.
                    for measured in &self.measured[usize::from(self.are_directed)..count] {
                        measured.lower(&mut self.nearest, self.unit_shift);
                    }
                    (self.next, self.group) = (Next::Choose, cells.len());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the distance of the cell that is farthest from all landmarks, and the cell; `None` if there is no place
    /// for another landmark.
    fn farthest(&self) -> Option<(u32, usize)> {
        let farthest = (0..self.nearest.len()).max_by_key(|&at| self.nearest[at])?;
        Some((self.nearest[farthest], farthest)).filter(|&(distance, _)| distance > 0)
    }

    /// Returns the distance of the second landmark of two from the others, which may be a lower bound, and its cell.
    fn second(
        &self,
        grid: &CostGrid,
        components: &Components,
        tables: &DistanceTables,
        first: usize,
    ) -> Option<(u32, usize)> {
        let (nearest, count) = (&self.nearest, self.group);
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

    /// Begins to look for the cell that is farthest from another one.
    fn move_away(&mut self, from: usize, times: usize) {
        // Where there are levels, first by the costs to that cell, then by those from it.
        self.measured[0].begin(from, Kind::of_table(times - 1, self.are_directed));
        self.next = Next::MoveAway(times);
    }

    /// Measures the distances of the last tables, of which there are one or two.
    fn measure(
        &mut self,
        map: (&CostGrid, StepRules),
        count: usize,
        threads: usize,
        go_on: GoOn<'_>,
    ) -> ControlFlow<()> {
        let steps = self.steps.as_ref();
        let interrupted = AtomicBool::new(false);
        threads::for_each(self.measured[..count].iter_mut(), threads.min(count), |measured| {
            // After a pause, the other distances wait too.
            if !interrupted.load(Ordering::Relaxed) && measured.measure(map, steps, go_on).is_break() {
                interrupted.store(true, Ordering::Relaxed);
            }
        });
        if interrupted.into_inner() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Writes the distances of the last tables.
    fn write(
        &mut self,
        grid: &CostGrid,
        tables: &mut DistanceTables,
        count: usize,
        threads: usize,
        go_on: GoOn<'_>,
    ) -> ControlFlow<()> {
        let (group, measured) = (self.group, &self.measured);
        let tables_written: [_; GROUP] = std::array::from_fn(|k| (group + k, move |at| measured[k].get(at)));
        let (block_rows, cells) = tables.block_rows();
        self.written.run(block_rows, CELLS_BETWEEN_QUESTIONS_OF_THREADS.div_ceil(cells), go_on, |block_rows| {
            tables.write(block_rows, &tables_written[..count], grid, threads);
        })
    }

    fn scaled(&self, distance: u64) -> u32 {
        scaled(distance, self.unit_shift)
    }
}
