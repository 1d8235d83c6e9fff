//! Chooses the landmarks, and measures and writes their tables.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::bounds::distance_tables::{DistanceTables, MAX_TABLES};
use crate::bounds::landmark_distances::Kind;
use crate::bounds::symmetric_steps::SymmetricSteps;
use crate::bounds::table_pair::{GROUP, MIN_CELLS_FOR_THREADS, TablePair};
use crate::budget::Budget;
use crate::components::Components;
use crate::search::heuristic::LinearDistance;
use crate::{CostGrid, StepRules};

/// On larger grids a rough place is good enough for the second landmark of two: only every fourth row and column is
/// looked at.
const SPACING: usize = 4;

/// The distance of a cell that no landmark reaches.
const UNREACHED: u64 = u64::MAX;

/// The next stage of a group of tables.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// To choose the place of a landmark, or to begin with the tables.
    Choose,
    /// To move the landmark, the first one of a component, to the cell that is farthest from it; so many times.
    MoveAway(usize),
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
    /// On level ground.
    steps: Option<SymmetricSteps>,
    /// The distance of each cell from the nearest landmark, in units; 0 where none may be placed.
    nearest: Vec<u64>,
    /// The largest distance that was measured to find the first landmark.
    max_distance: u64,
    pair: TablePair,
    /// The first table of the group.
    group: usize,
    next: Next,
}

impl Placement {
    pub(crate) fn new(grid: &CostGrid, rules: StepRules, components: &Components) -> Self {
        let are_directed = !grid.is_flat();
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
        Self {
            rules,
            are_directed,
            max_tables: if are_directed { MAX_TABLES / GROUP * GROUP } else { MAX_TABLES },
            steps: (!are_directed).then(|| SymmetricSteps::new(grid)),
            nearest: nearest.collect(),
            max_distance: 0,
            pair: TablePair::default(),
            group: 0,
            next: Next::Choose,
        }
    }

    /// How many tables are finished, and how many there will be at most.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.group, self.max_tables)
    }

    /// Adds all landmarks, and writes their tables. Pauses when the budget is spent; the next call continues, with the
    /// same grid, components, tables and landmarks.
    pub(crate) fn place_all(
        &mut self,
        grid: &CostGrid,
        components: &Components,
        (tables, cells): (&mut DistanceTables, &mut Vec<usize>),
        max_threads: Option<NonZeroUsize>,
        budget: &mut Budget,
    ) -> ControlFlow<()> {
        let map = (grid, self.rules);
        if let Some(steps) = &mut self.steps {
            steps.make(map, budget)?;
        }
        while self.group < self.max_tables {
            let group = self.group;
            match self.next {
                Next::Choose => {
                    self.choose(grid, components, tables, cells);
                    budget.spend(self.nearest.len() as u64)?;
                }
                Next::MoveAway(times) => {
                    let measured = &mut self.pair.measured[0];
                    measured.measure(map, self.steps.as_ref(), budget)?;
                    // Where steps lead one way, other components are reached, too.
                    let home = cells.last().filter(|_| components.have_one_way()).map(|&at| components.number(at));
                    let is_home = |at: &usize| home.is_none_or(|home| components.number(*at) == home);
                    let distances = (0..self.nearest.len()).filter(is_home);
                    let distances = distances.filter_map(|at| Some((measured.get(at)?, at)));
                    if let (Some((distance, farthest)), Some(place)) = (distances.max(), cells.last_mut()) {
                        *place = farthest;
                        self.max_distance = self.max_distance.max(distance);
                    }
                    if cells.len() == 1 {
                        tables.set_max_distance(self.max_distance / 4 * 5);
                    }
                    self.next = Next::Choose;
                    if times > 1 {
                        self.move_away(cells[cells.len() - 1], times - 1);
                    }
                }
                Next::Measure => {
                    self.pair.measure(map, self.steps.as_ref(), cells.len() - group, max_threads, budget)?;
                    self.next = Next::Write;
                }
                Next::Write => {
                    let count = cells.len() - group;
                    self.pair.write(grid, tables, group, count, budget)?;
                    // Where there are levels, only what leads to the landmark counts.
                    for measured in &self.pair.measured[usize::from(self.are_directed)..count] {
                        for (at, nearest) in self.nearest.iter_mut().enumerate() {
                            *nearest = (*nearest).min(measured.get(at).unwrap_or(UNREACHED));
                        }
                    }
                    (self.next, self.group) = (Next::Choose, cells.len());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Chooses the place of another landmark of the group. If the group is complete, begins to measure its distances;
    /// if there is no place for any, there will be no more tables.
    fn choose(&mut self, grid: &CostGrid, components: &Components, tables: &DistanceTables, cells: &mut Vec<usize>) {
        let count = cells.len() - self.group;
        let chosen = match count {
            0 => self.farthest(),
            1 if !self.are_directed && cells.len() < self.max_tables => {
                self.second(grid, components, tables, cells[self.group])
            }
            _ => None,
        };
        if let Some((distance, place)) = chosen {
            cells.push(place);
            if distance == UNREACHED {
                self.move_away(place, if self.are_directed { GROUP } else { 1 });
            }
        } else if count == 0 {
            self.max_tables = self.group;
        } else {
            if self.are_directed {
                cells.push(cells[self.group]);
            }
            for (k, (measured, &place)) in self.pair.measured.iter_mut().zip(&cells[self.group..]).enumerate() {
                measured.begin(place, Kind::of_table(self.group + k, self.are_directed));
            }
            self.next = Next::Measure;
        }
    }

    /// The distance of the cell that is farthest from all landmarks, and the cell; `None` if there is no place
    /// for another landmark.
    fn farthest(&self) -> Option<(u64, usize)> {
        let farthest = (0..self.nearest.len()).max_by_key(|&at| self.nearest[at])?;
        Some((self.nearest[farthest], farthest)).filter(|&(distance, _)| distance > 0)
    }

    /// The distance of the second landmark of two from the others, which may be a lower bound, and its cell.
    fn second(
        &self,
        grid: &CostGrid,
        components: &Components,
        tables: &DistanceTables,
        first: usize,
    ) -> Option<(u64, usize)> {
        let (nearest, count) = (&self.nearest, self.group);
        let (len, stride) = (nearest.len(), grid.stride());
        let by_steps = LinearDistance::at_min_cost(grid, self.rules.moves);
        let (cell, number) = (grid.cell(first), components.number(first));
        let (lower, upper) = tables.distances(first);
        let bound = |at: usize| {
            let by_steps = 2 * by_steps.between(grid.cell(at) - cell);
            let (other_lower, other_upper) = tables.distances(at);
            let gap = |k: usize| (lower[k] - other_upper[k]).max(other_lower[k] - upper[k]);
            let by_tables = (0..count).map(gap).max().unwrap_or(0).max(0) as u64;
            by_steps.max(by_tables << tables.unit_shift)
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
        // Where there are levels, first by the costs to that cell, then by the costs from it.
        self.pair.measured[0].begin(from, Kind::of_table(times - 1, self.are_directed));
        self.next = Next::MoveAway(times);
    }
}
