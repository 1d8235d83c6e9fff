//! Landmarks: cells whose distances to all other cells are known, so that they bound every other distance (ALT).
//!
//! Where a distance `d` is the same in both directions, the triangle inequality gives `d(n, t) >= |d(n, L) - d(t, L)|`
//! for every landmark `L` (Goldberg, Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", SODA
//! 2005). This is also known as a differential heuristic.
//!
//! Path costs differ between a route and its reverse, so that each landmark would need a table for each direction. But
//! they differ almost only by the entry costs of the two ends. Let the weight of a step from `u` to `v` be twice its
//! cost, plus the entry cost of `u`, minus the entry cost of `v`. Along a route from `n` to `t` the entry costs in
//! between cancel out: the weight of the route is twice its cost, plus the entry cost of `n`, minus the entry cost of
//! `t`. A straight step then weighs the same as its reverse, the sum of both entry costs, and a diagonal step nearly
//! the same. With the smaller of the two for both, the distance by weight is the same in both directions, and
//!
//! ```text
//! cost of a route from n to t  >=  (d(n, t) + entry cost of t - entry cost of n) / 2
//! ```
//!
//! So one table serves both directions, and the same memory holds twice as many landmarks.
//!
//! On a grid with levels a climb can cost many times as much as the route back, and one weight for both would say
//! little. So there each landmark has a table for either direction, of costs as they are:
//!
//! ```text
//! cost of a route from n to t  >=  c(n, L) - c(t, L)    and    >=  c(L, t) - c(L, n)
//! ```
//!
//! Tables that were made while a grid was flat stay valid when cells rise, because climbs only add to the cost of a
//! route.
//!
//! The 31 tables take about thirty searches over the whole grid, each O(cells log cells); see
//! [`distance_tables`](super::distance_tables) for the memory.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::bounds::cost_decreases::{CostDecreases, MAX_DECREASES, MAX_SINGLES};
use crate::bounds::distance_tables::{DistanceTables, MAX_TABLES};
use crate::bounds::landmark_bounds::{Detour, LandmarkBounds};
use crate::bounds::landmark_distances::{self, Kind};
use crate::bounds::landmark_placement::Placement;
use crate::bounds::landmark_target::DecreasedRegion;
use crate::bounds::table_update::TableUpdate;
use crate::budget::Budget;
use crate::components::Components;
use crate::search::memory::Memory;
use crate::{CostGrid, Moves, Stamp, StepRules};

/// The landmarks of one grid for one set of step rules.
#[derive(Clone, Debug)]
pub(crate) struct Landmarks {
    rules: StepRules,
    stamp: Stamp,
    /// Clones share them until one of them changes its own.
    tables: Arc<DistanceTables>,
    /// The landmark of each table, by the grid's index.
    cells: Vec<usize>,
    /// For each table, the stamp of the grid for which its distances were computed.
    stamps: [Stamp; MAX_TABLES],
    /// Where cells became cheaper since the oldest of these stamps.
    decreases: CostDecreases,
    /// The same regions, with the distances of the landmarks.
    regions: Vec<DecreasedRegion>,
    /// Cells that became cheaper before the tables were repaired, with the distances of the landmarks.
    repaired: Vec<DecreasedRegion>,
    /// The stamp of the grid after which all decreases are among those, or in the regions.
    repaired_since: Stamp,
    /// The update of all tables after many decreases.
    update: TableUpdate,
    /// The routes through these regions to the goal of the last query; kept for its memory.
    detours: Vec<Detour>,
    /// `None` once all tables are finished.
    placement: Option<Box<Placement>>,
}

impl Landmarks {
    /// Landmarks that have yet to be [made](Self::make). O(cells).
    pub(crate) fn new(grid: &CostGrid, rules: StepRules, components: &Components) -> Self {
        Self {
            rules,
            stamp: grid.stamp(),
            tables: Arc::new(DistanceTables::new(grid)),
            cells: Vec::new(),
            stamps: [grid.stamp(); MAX_TABLES],
            decreases: CostDecreases::new(grid),
            regions: Vec::with_capacity(MAX_DECREASES),
            repaired: Vec::new(),
            repaired_since: grid.stamp(),
            update: TableUpdate::default(),
            detours: Vec::with_capacity(MAX_DECREASES),
            placement: Some(Box::new(Placement::new(grid, rules, components))),
        }
    }

    /// Chooses the places of the landmarks and computes all their distances: O(cells log cells) for each. Pauses when
    /// the budget is spent; the next call continues if the grid [is the same](Self::can_continue).
    pub(crate) fn make(
        &mut self,
        grid: &CostGrid,
        components: &Components,
        max_threads: Option<NonZeroUsize>,
        budget: &mut Budget,
    ) -> ControlFlow<()> {
        if let Some(placement) = &mut self.placement {
            placement.place_all(
                grid,
                components,
                (Arc::make_mut(&mut self.tables), &mut self.cells),
                max_threads,
                budget,
            )?;
        }
        self.placement = None;
        ControlFlow::Continue(())
    }

    /// How many tables are finished, and how many there will be at most; `None` if all are.
    pub(crate) fn progress(&self) -> Option<(usize, usize)> {
        self.placement.as_ref().map(|placement| placement.progress())
    }

    /// Whether these landmarks are being made for this grid and these step rules.
    pub(crate) fn can_continue(&self, grid: &CostGrid, rules: StepRules) -> bool {
        self.placement.is_some() && self.fit(grid, rules) && self.stamp == grid.stamp()
    }

    /// How many bytes the tables take.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.bytes()
    }

    /// Whether landmarks of this kind serve such a grid and these step rules.
    fn fit(&self, grid: &CostGrid, rules: StepRules) -> bool {
        let same_corners = self.rules.corners == rules.corners || rules.moves != Moves::Eight;
        // On a grid that became flat, one table for both directions is better.
        let is_kind = !(self.tables.are_directed && grid.is_flat());
        self.rules.moves == rules.moves && same_corners && is_kind
    }

    /// Reads the changes of the grid; returns `false` if these are not its landmarks for these step rules, if they are
    /// not finished, or if it no longer remembers all its changes.
    ///
    /// Cost increases leave every bound valid. Routes through a few regions where costs decreased are bounded
    /// separately, see [`LandmarkBounds`]; then the distances of a cell that became passable are unknown. After more
    /// decreases the tables have to be [updated](Self::update) before they give bounds again.
    pub(crate) fn read_changes(&mut self, grid: &CostGrid, rules: StepRules) -> bool {
        if self.placement.is_some() || !self.fit(grid, rules) {
            return false;
        }
        if self.stamp == grid.stamp() {
            return true;
        }
        let Some(changes) = grid.changes_since(self.stamp) else { return false };
        self.decreases.record(grid, changes, |at| Arc::make_mut(&mut self.tables).set_unknown(at));
        self.stamp = grid.stamp();
        self.begin_needed_update(grid);
        self.update_regions(grid);
        true
    }

    /// Updates the tables after many decreases, if that [is necessary](Self::is_updating). It takes `memory` until it
    /// is finished. Pauses when the budget is spent; the next call continues.
    ///
    /// Call [`read_changes`](Self::read_changes) before.
    pub(crate) fn update(
        &mut self,
        grid: &CostGrid,
        memory: &mut Memory,
        max_threads: Option<NonZeroUsize>,
        budget: &mut Budget,
    ) -> ControlFlow<()> {
        while self.is_updating() {
            let tables = (Arc::make_mut(&mut self.tables), &*self.cells);
            self.update.run(tables, (grid, self.rules), memory, max_threads, budget)?;
            self.finish_update(grid);
        }
        ControlFlow::Continue(())
    }

    /// Whether an update of the tables is needed or not finished.
    pub(crate) fn is_updating(&self) -> bool {
        self.update.is_running()
    }

    fn begin_needed_update(&mut self, grid: &CostGrid) {
        if !self.is_updating() && self.decreases.are_vague() {
            self.update.begin(&mut self.decreases, grid);
        }
    }

    /// Forgets the decreases that all tables know now.
    fn finish_update(&mut self, grid: &CostGrid) {
        self.decreases.forget_taken(self.update.stamp);
        let tables = Arc::make_mut(&mut self.tables);
        // The others became passable again since the update began.
        self.update.cells.iter().filter(|&at| !self.decreases.contain(at)).for_each(|at| tables.set_known(at));
        let new = &*self.update.singles;
        if self.repaired.len() + new.len() > MAX_SINGLES {
            self.repaired_since = if new.len() > MAX_SINGLES { self.update.stamp } else { self.oldest_stamp() };
            self.repaired.clear();
        }
        let new = if new.len() > MAX_SINGLES { &[] } else { new };
        self.repaired.reserve_exact(MAX_SINGLES - self.repaired.len());
        for region in &mut self.repaired {
            *region = DecreasedRegion::new(&self.tables, grid, &region.decrease);
        }
        self.repaired.extend(new.iter().map(|decrease| DecreasedRegion::new(&self.tables, grid, decrease)));
        self.stamps = self.stamps.map(|stamp| stamp.max(self.update.stamp));
        self.begin_needed_update(grid);
        self.update_regions(grid);
    }

    /// Computes the bounds on the distances of the regions where costs decreased.
    fn update_regions(&mut self, grid: &CostGrid) {
        self.regions.clear();
        let regions = self.decreases.regions().iter();
        self.regions.extend(regions.map(|decrease| DecreasedRegion::new(&self.tables, grid, decrease)));
    }

    /// Whether cells became cheaper after some of the tables were made.
    fn have_decreases(&self) -> bool {
        !self.regions.is_empty()
    }

    /// A lower bound, in units, on the cost of every route from `start` to `goal` through a region where costs
    /// decreased after the grid had this stamp, or `enough` if that is lower; 0 if some of these regions are forgotten.
    pub(crate) fn bound_through_decreases_since(
        &mut self,
        stamp: Stamp,
        grid: &CostGrid,
        (start, goal): (usize, usize),
        enough: u64,
    ) -> u64 {
        let is_repaired = self.oldest_stamp() > stamp;
        if is_repaired && (self.repaired_since > stamp || self.have_decreases()) {
            return 0;
        }
        let repaired = std::mem::take(&mut self.repaired);
        let bounds = self.bounds_to(grid, goal);
        let bound = if is_repaired {
            let new = repaired.iter().filter(|region| region.decrease.last_stamp > stamp);
            let ends = [start, goal].map(|at| (at, grid.cell(at)));
            new.fold(enough, |bound, region| bounds.min_through(region, grid, ends, bound))
        } else {
            let to_regions = bounds.to_regions(start, grid.cell(start)).zip(bounds.detours());
            let new = to_regions.filter(|(_, detour)| detour.last_stamp() > stamp);
            new.map(|(to_region, detour)| to_region + detour.rest).fold(enough, u64::min)
        };
        self.repaired = repaired;
        bound
    }

    /// Computes the oldest table again; returns `false` if no cost has decreased since it was computed. Pauses when the
    /// budget is spent; the next call continues if the grid is the same and `memory` was used for nothing else.
    ///
    /// Call [`read_changes`](Self::read_changes) and [`update`](Self::update) before.
    pub(crate) fn refresh(
        &mut self,
        grid: &CostGrid,
        memory: &mut Memory,
        budget: &mut Budget,
    ) -> ControlFlow<(), bool> {
        let oldest = (0..self.cells.len()).min_by_key(|&k| self.stamps[k]);
        let Some(k) = oldest.filter(|_| self.have_decreases()) else { return ControlFlow::Continue(false) };
        let rows = 0..self.tables.block_rows().0;
        if grid.entry_units()[self.cells[k]] != 0 {
            let kind = Kind::of_table(k, self.tables.are_directed);
            landmark_distances::measure(memory, (grid, self.rules), (self.cells[k], kind), None, budget)?;
            Arc::make_mut(&mut self.tables).write(rows, &[(k, |at| memory.nodes.cost(at))], grid);
        } else {
            // A landmark that was blocked has no distances. A table without distances gives no bounds.
            Arc::make_mut(&mut self.tables).write(rows, &[(k, |_| None)], grid);
        }
        self.stamps[k] = grid.stamp();
        self.repaired.clear();
        self.repaired_since = grid.stamp();
        self.decreases.forget_until(self.oldest_stamp());
        self.update_regions(grid);
        if !self.have_decreases() {
            Arc::make_mut(&mut self.tables).clear_unknown();
        }
        ControlFlow::Continue(true)
    }

    /// The stamp of the grid for which the oldest distances were computed.
    fn oldest_stamp(&self) -> Stamp {
        self.stamps[..self.cells.len()].iter().copied().min().unwrap_or(self.stamp)
    }

    /// The lower bounds on the cost to `goal`, which are never below the distance at the minimum cost of the grid.
    pub(crate) fn bounds_to<'a>(&'a mut self, grid: &'a CostGrid, goal: usize) -> LandmarkBounds<'a> {
        LandmarkBounds::new(&self.tables, &mut self.detours, &self.regions, grid, goal, self.rules.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EntryCost;
    use crate::grid::{Cell, Size};

    #[test]
    fn copies_share_tables_until_a_cost_decreases() {
        let size = Size::new(40, 30);
        let mut grid = CostGrid::open(size).expect("small");
        let (rules, mut components) = (StepRules::default(), Components::new(StepRules::default()));
        components.update(&grid);
        let mut landmarks = Landmarks::new(&grid, rules, &components);
        let budget = &mut Budget::new(Budget::UNLIMITED);
        assert!(landmarks.make(&grid, &components, NonZeroUsize::new(1), budget).is_continue());
        let mut copy = landmarks.clone();
        grid.set(Cell::new(7, 8), None);
        assert!(copy.read_changes(&grid, rules));
        assert!(Arc::ptr_eq(&landmarks.tables, &copy.tables), "a wall copies nothing");
        grid.set(Cell::new(7, 8), Some(EntryCost::TILE));
        assert!(copy.read_changes(&grid, rules));
        assert!(!Arc::ptr_eq(&landmarks.tables, &copy.tables), "the other one stays as it was");
    }
}
