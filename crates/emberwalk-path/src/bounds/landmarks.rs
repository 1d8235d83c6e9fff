//! Landmarks: cells whose distances to all other cells are known, so that they bound every other distance (ALT).
//!
//! Where a distance `d` is the same in both directions, the triangle inequality gives `d(n, t) >= |d(n, L) - d(t, L)|`
//! for every landmark `L` (Goldberg, Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", SODA
//! 2005). This is also known as a differential heuristic.
//!
//! Path costs differ between a route and its reverse, so that each landmark would need a table for each direction. But
//! they differ nearly only by the entry costs of the two ends. Let the weight of a step from `u` to `v` be twice its
//! cost, plus the entry cost of `u`, minus that of `v`. Along a route from `n` to `t` the entry costs in between cancel
//! out: the weight of the route is twice its cost, plus the entry cost of `n`, minus that of `t`. A straight step then
//! weighs the same as its reverse, the sum of both entry costs, and a diagonal step nearly the same. With the smaller
//! of the two for both, the distance by weight is the same in both directions, and
//!
//! ```text
//! cost of a route from n to t  >=  (d(n, t) + entry cost of t - entry cost of n) / 2
//! ```
//!
//! So one table serves both directions, and the same memory holds twice as many landmarks.
//!
//! On a grid with levels a climb can cost many times what the way back costs, and one weight for both would say little.
//! So there each landmark has a table for either direction, of costs as they are:
//!
//! ```text
//! cost of a route from n to t  >=  c(n, L) - c(t, L)    and    >=  c(L, t) - c(L, n)
//! ```
//!
//! Tables that were made while a grid was flat stay valid when cells rise, because climbs only add to the cost of a route.
//!
//! The 31 tables take about thirty searches over the whole grid, each O(cells log cells); see
//! [`distance_tables`](super::distance_tables) for the memory.

use std::ops::ControlFlow;

use crate::bounds::cost_decreases::{CostDecreases, MAX_DECREASES};
use crate::bounds::distance_tables::{DistanceTables, MAX_TABLES, Shape};
use crate::bounds::heuristic::{Distance, SkewDistance, distance_bound};
use crate::bounds::landmark_bounds::{GoalBlocks, LandmarkBounds};
use crate::bounds::landmark_target::{DecreasedRegion, leads_to_landmark};
use crate::components::Components;
use crate::search::dijkstra::{self, Backward, Forward, GoOn, StepCost};
use crate::search::memory::Memory;
use crate::search::nodes::Nodes;
use crate::search::steps::{with_flat_steps, with_steps};
use crate::{CostGrid, Moves, StepRules};

/// How many tables are computed at a time.
const GROUP: usize = 2;

/// Starting a thread takes longer than it saves on grids of fewer cells.
const MIN_CELLS_FOR_THREADS: usize = 1 << 13;

/// The weight of a step in the distances of landmarks, the same for its reverse.
#[derive(Clone, Copy)]
struct SymmetricWeight;

impl StepCost for SymmetricWeight {
    const FACTOR: u32 = 2;

    #[inline(always)]
    fn of(self, here: u32, next: u32, forward: impl Fn(u32) -> u64, backward: impl Fn(u32) -> u64) -> u64 {
        let forward = 2 * forward(next) + u64::from(here) - u64::from(next);
        let backward = 2 * backward(here) + u64::from(next) - u64::from(here);
        forward.min(backward)
    }
}

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

/// The landmarks of one grid for one set of step rules.
#[derive(Clone, Debug)]
pub(crate) struct Landmarks {
    rules: StepRules,
    grid: u64,
    version: u64,
    /// Whether each landmark has a table for either direction, one [after the other](leads_to_landmark).
    are_directed: bool,
    tables: DistanceTables,
    /// The landmark of each table, by the grid's index.
    cells: Vec<usize>,
    /// For each table, the version of the grid for which its distances were computed.
    versions: [u64; MAX_TABLES],
    /// Where cells became cheaper since the oldest of these versions.
    decreases: CostDecreases,
    /// The same regions, with the distances of the landmarks.
    regions: Vec<DecreasedRegion>,
    goal_blocks: GoalBlocks,
}

impl Landmarks {
    /// Chooses landmarks for a grid and computes all their distances, with at most that many threads: O(cells log cells)
    /// for each. `None` if `on_progress` says not to go on.
    pub(crate) fn new(
        grid: &CostGrid,
        rules: StepRules,
        components: &Components,
        memory: &mut Memory,
        effort: Effort<'_>,
    ) -> Option<Self> {
        let mut landmarks = Self {
            rules,
            grid: grid.id(),
            version: grid.version(),
            are_directed: !grid.is_flat(),
            tables: DistanceTables::new(grid, 0, effort.shape),
            cells: Vec::new(),
            versions: [grid.version(); MAX_TABLES],
            decreases: CostDecreases::new(grid),
            regions: Vec::with_capacity(MAX_DECREASES),
            goal_blocks: GoalBlocks::default(),
        };
        landmarks.choose(grid, components, memory, effort).is_continue().then_some(landmarks)
    }

    /// Returns the best shape of tables that take no more than `max_bytes`; `None` if there is none.
    pub(crate) fn shape_for(grid: &CostGrid, max_bytes: usize) -> Option<Shape> {
        let bytes = |shape| DistanceTables::bytes_for(grid, shape, GoalBlocks::BYTES_PER_BLOCK);
        Shape::ALL.into_iter().find(|&shape| bytes(shape) <= max_bytes)
    }

    /// Returns how many bytes the tables take, with what a search keeps of their blocks.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.bytes() + self.tables.block_count() * GoalBlocks::BYTES_PER_BLOCK
    }

    /// Returns whether these are the landmarks of that grid and these step rules.
    pub(crate) fn are_for(&self, grid: &CostGrid, rules: StepRules) -> bool {
        let same_corners = self.rules.corners == rules.corners || rules.moves != Moves::Eight;
        // On a grid that became flat, one table for both directions is better.
        let is_kind = !(self.are_directed && grid.is_flat());
        self.grid == grid.id() && self.rules.moves == rules.moves && same_corners && is_kind
    }

    /// Whether each landmark has a table for either direction.
    pub(crate) fn are_directed(&self) -> bool {
        self.are_directed
    }

    /// Catches up with the grid as it is now; returns `false` if it no longer remembers all its changes.
    ///
    /// Cost increases leave every bound valid. Routes through regions where costs decreased are bounded separately, see
    /// [`LandmarkBounds`]. The distances of a cell that became passable are unknown.
    pub(crate) fn catch_up(&mut self, grid: &CostGrid) -> bool {
        if self.version == grid.version() {
            return true;
        }
        let Some(changes) = grid.changes_since(self.version) else { return false };
        self.decreases.record(grid, changes, |at| self.tables.set_unknown(at));
        self.version = grid.version();
        self.update_regions(grid);
        true
    }

    /// Computes the bounds on the distances of the regions where costs decreased.
    fn update_regions(&mut self, grid: &CostGrid) {
        self.regions.clear();
        let (tables, count) = (&self.tables, self.cells.len());
        let regions = self.decreases.regions().iter();
        self.regions.extend(regions.map(|decrease| DecreasedRegion::new(tables, count, grid, decrease)));
    }

    /// Returns whether cells became cheaper after some of the tables were made.
    fn have_decreases(&self) -> bool {
        !self.regions.is_empty()
    }

    /// Returns a lower bound, in units, on the cost of every route from `start` to `goal` through a region where costs
    /// decreased after `version`; 0 if some of these regions are forgotten.
    pub(crate) fn bound_through_decreases_since<D: Distance, const DIRECTED: bool>(
        &mut self,
        version: u64,
        grid: &CostGrid,
        start: usize,
        goal: usize,
        distance: D,
    ) -> u64 {
        if self.oldest_version() > version {
            return 0;
        }
        let bounds = self.bounds_to::<D, DIRECTED>(grid, goal, distance);
        let to_regions = bounds.to_regions(start, grid.cell(start)).zip(bounds.detours());
        let new = to_regions.filter(|(_, detour)| detour.last_version() > version);
        new.map(|(to_region, detour)| to_region + detour.rest).min().unwrap_or(u64::MAX)
    }

    /// Computes the oldest table again; returns `false` if no cost has decreased since it was computed.
    ///
    /// Call [`catch_up`](Self::catch_up) before.
    pub(crate) fn renew(&mut self, grid: &CostGrid, memory: &mut Memory) -> bool {
        let oldest = (0..self.cells.len()).min_by_key(|&k| self.versions[k]);
        let Some(k) = oldest.filter(|_| self.have_decreases()) else { return false };
        self.versions[k] = grid.version();
        if grid.entry_units()[self.cells[k]] != 0 {
            let _ = self.measure(grid, self.cells[k], k, memory, &|| ControlFlow::Continue(()));
            self.tables.write(&[(k, distances_in(&memory.nodes))], grid, 1);
        } else {
            // A landmark that was blocked has no distances. A table without distances gives no bounds.
            self.tables.write(&[(k, |_| None)], grid, 1);
        }
        self.decreases.forget_until(self.oldest_version());
        self.update_regions(grid);
        if !self.have_decreases() {
            self.tables.clear_unknown();
        }
        true
    }

    /// Returns the version of the grid for which the oldest distances were computed.
    fn oldest_version(&self) -> u64 {
        self.versions[..self.cells.len()].iter().copied().min().unwrap_or(self.version)
    }

    /// Returns the lower bounds on the cost to `goal`, which are never below those of `distance`. `DIRECTED` says what
    /// [`are_directed`](Self::are_directed) returns.
    pub(crate) fn bounds_to<'a, D: Distance, const DIRECTED: bool>(
        &'a mut self,
        grid: &'a CostGrid,
        goal: usize,
        distance: D,
    ) -> LandmarkBounds<'a, D, DIRECTED> {
        debug_assert_eq!(self.are_directed, DIRECTED);
        let tables = (&self.tables, self.cells.len());
        LandmarkBounds::new(tables, &mut self.goal_blocks, &self.regions, grid, goal, distance)
    }

    /// Places each landmark where it is farthest from those before it, in components of some size.
    ///
    /// Two tables are computed at a time, by two threads or one after the other, so that the tables do not depend on the
    /// number of threads. Without levels these are tables of two landmarks, and of the distance between them only a lower
    /// bound is known when the second is placed.
    fn choose(
        &mut self,
        grid: &CostGrid,
        components: &Components,
        memory: &mut Memory,
        Effort { max_threads, on_progress, .. }: Effort<'_>,
    ) -> ControlFlow<()> {
        let threads = if grid.entry_units().len() < MIN_CELLS_FOR_THREADS { 1 } else { max_threads.clamp(1, GROUP) };
        let mut sizes = vec![0usize; components.numbers()];
        for number in (0..grid.entry_units().len()).filter_map(|at| components.number(at)) {
            sizes[number] += 1;
        }
        let passable: usize = sizes.iter().sum();
        // The largest component always counts, however small it is.
        let large = sizes.iter().copied().max().unwrap_or(0).min(passable / 16).max(1);
        // The distance of each cell from the nearest landmark; 0 where none may be placed.
        let mut distances: Vec<u64> = (0..grid.entry_units().len())
            .map(|at| match components.number(at) {
                Some(number) if sizes[number] >= large => u64::MAX,
                _ => 0,
            })
            .collect();
        let max_tables = self.tables.shape().max_tables();
        let max_tables = if self.are_directed { max_tables / GROUP * GROUP } else { max_tables };
        let by_steps = distance_bound::<SkewDistance>(grid, self.rules.moves);
        let mut other_memory = Memory::default();
        while self.cells.len() < max_tables {
            let farthest = (0..distances.len()).max_by_key(|&at| distances[at]);
            let Some(place) = farthest.filter(|&at| distances[at] > 0) else {
                return on_progress(self.cells.len(), max_tables);
            };
            let table = self.cells.len();
            let go_on = || on_progress(table, max_tables);
            let place = match distances[place] {
                u64::MAX => self.place_in_component(grid, place, memory, &go_on)?,
                _ => place,
            };
            self.cells.push(place);
            if self.are_directed {
                self.cells.push(place);
            } else if self.cells.len() < max_tables {
                // A rough place is good enough, so that on large grids only every fourth row and column is looked at.
                let spacing = if distances.len() < MIN_CELLS_FOR_THREADS { 1 } else { 4 };
                let (cell, number) = (grid.cell(place), components.number(place));
                let (lower, upper) = self.tables.distances(place);
                let bound = |at: usize| {
                    let by_steps = u64::from(SymmetricWeight::FACTOR) * by_steps.between(grid.cell(at) - cell);
                    let (other_lower, other_upper) = self.tables.distances(at);
                    let gap = |k: usize| (lower[k] - other_upper[k]).max(other_lower[k] - upper[k]);
                    let by_tables = (0..table).map(gap).max().unwrap_or(0).max(0) as u64;
                    by_steps.max(by_tables << self.tables.unit_shift)
                };
                let candidates = (0..grid.entry_units().len() / grid.stride()).step_by(spacing).flat_map(|row| {
                    let row = row * grid.stride();
                    (row..row + grid.stride()).step_by(spacing)
                });
                let distance = |at: usize| match distances[at] {
                    0 => 0,
                    distance if components.number(at) == number => distance.min(bound(at)),
                    distance => distance,
                };
                let second = candidates.map(|at| (distance(at), at)).max();
                if let Some((distance, second)) = second.filter(|&(distance, _)| distance > 0) {
                    let second = match distance {
                        u64::MAX => self.place_in_component(grid, second, memory, &go_on)?,
                        _ => second,
                    };
                    self.cells.push(second);
                }
            }
            for table in table..self.cells.len() {
                on_progress(table, max_tables)?;
            }
            self.write_group(grid, table, [memory, &mut other_memory], threads, &go_on)?;
            // Where there are levels, only what leads to the landmark counts.
            let has_other = self.cells.len() - table == GROUP;
            let nodes = [&memory.nodes, &other_memory.nodes];
            for nodes in &nodes[usize::from(self.are_directed)..if has_other { GROUP } else { 1 }] {
                for (at, nearest) in distances.iter_mut().enumerate() {
                    if nodes.is_seen(at) {
                        *nearest = (*nearest).min(nodes.label(at) - nodes.zero());
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns where to place the first landmark of a component: as far as possible from some cell of it.
    fn place_in_component(
        &mut self,
        grid: &CostGrid,
        mut place: usize,
        memory: &mut Memory,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), usize> {
        let mut max_distance = 0;
        for table in (0..if self.are_directed { 2 } else { 1 }).rev() {
            place = self.farthest_from(grid, place, table, memory, go_on)?;
            max_distance = max_distance.max(memory.nodes.label(place) - memory.nodes.zero());
        }
        if self.cells.is_empty() {
            self.tables = DistanceTables::new(grid, max_distance / 4 * 5, self.tables.shape());
        }
        ControlFlow::Continue(place)
    }

    /// Returns the cell with the largest distance, in the direction of that table, from a cell.
    fn farthest_from(
        &self,
        grid: &CostGrid,
        place: usize,
        table: usize,
        memory: &mut Memory,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), usize> {
        self.measure(grid, place, table, memory, go_on)?;
        let nodes = &memory.nodes;
        let seen = (0..grid.entry_units().len()).filter(|&at| nodes.is_seen(at));
        ControlFlow::Continue(seen.max_by_key(|&at| nodes.label(at)).unwrap_or(place))
    }

    /// Computes the distances of the last tables, of which there are one or two, and writes them.
    fn write_group(
        &mut self,
        grid: &CostGrid,
        table: usize,
        memories: [&mut Memory; GROUP],
        threads: usize,
        go_on: GoOn<'_>,
    ) -> ControlFlow<()> {
        let count = self.cells.len() - table;
        let [one, other] = memories;
        let (landmarks, cells) = (&*self, &self.cells);
        if count == 1 || threads == 1 {
            landmarks.measure(grid, cells[table], table, one, go_on)?;
            if count > 1 {
                landmarks.measure(grid, cells[table + 1], table + 1, other, go_on)?;
            }
        } else {
            std::thread::scope(|scope| {
                let second = scope.spawn(|| landmarks.measure(grid, cells[table + 1], table + 1, other, go_on));
                let first = landmarks.measure(grid, cells[table], table, one, go_on);
                first?;
                second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })?;
        }
        let nodes = [&one.nodes, &other.nodes];
        let written: [_; GROUP] = std::array::from_fn(|k| (table + k, distances_in(nodes[k])));
        self.tables.write(&written[..count], grid, threads);
        ControlFlow::Continue(())
    }

    /// Computes the distances between `place` and all cells in the direction of a table, as the labels of
    /// `memory.nodes`.
    fn measure(
        &self,
        grid: &CostGrid,
        place: usize,
        table: usize,
        memory: &mut Memory,
        go_on: GoOn<'_>,
    ) -> ControlFlow<()> {
        let filled = match (self.are_directed, leads_to_landmark(table)) {
            (false, _) => with_flat_steps!(grid, self.rules, steps =>
                dijkstra::fill(memory, grid, place, steps, SymmetricWeight, go_on)),
            (true, false) => with_steps!(grid, self.rules, steps =>
                dijkstra::fill(memory, grid, place, steps, Forward, go_on)),
            (true, true) => with_steps!(grid, self.rules, steps =>
                dijkstra::fill(memory, grid, place, steps, Backward, go_on)),
        };
        filled.map_continue(|_| ())
    }
}

/// Returns the distances that a search found, by the grid's index; `None` for cells that it did not reach.
fn distances_in(nodes: &Nodes) -> impl Fn(usize) -> Option<u64> {
    |at| nodes.is_seen(at).then(|| nodes.label(at) - nodes.zero())
}
