//! The lower bounds of the landmarks on the cost to one goal, also where costs have decreased since the tables were
//! made.
//!
//! **Without decreases** the bound of a cell `n` is `(D + e(t) - e(n)) / 2`, where `e` is the entry cost, `t` the goal
//! and `D` the maximum of `|d(n, L) - d(t, L)|` over all landmarks `L` ([`landmarks`](super::landmarks) has the proof).
//! Stored distances may be slightly too small. A distance is therefore a range, and the gap between two ranges takes
//! the place of the difference.
//!
//! **With decreases** the tables bound the cost of a route that takes no step that became cheaper. Any other route
//! first reaches a region where costs decreased, by steps that did not, and continues from there to another region or
//! to the goal. So the bound is the minimum of the first one and, for each region, the bound on the cost to the region
//! plus a bound on the rest of the route. Bounds become weaker only for cells from which a route through a region may
//! be cheap.
//!
//! **With a table for each direction**, which grids with levels have, the bound is the maximum of `d(n, L) - d(t, L)`
//! and `d(L, t) - d(L, n)` over all landmarks.
//!
//! A bound takes O(landmarks), with vector instructions, and O(landmarks) more for each region that may lower it.

use crate::bounds::cell_box::CellBox;
use crate::bounds::cost_decreases::{CostDecrease, MAX_DECREASES};
use crate::bounds::distance_tables::DistanceTables;
use crate::bounds::landmark_target::{DecreasedRegion, LandmarkTarget};
use crate::grid::{Cell, Size};
use crate::search::heuristic::{Estimate, LinearDistance, Offset};
use crate::{CostGrid, Moves, Stamp};

/// The routes to the goal through one region where costs decreased.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detour {
    decrease: CostDecrease,
    /// The region as a target.
    target: LandmarkTarget,
    /// A lower bound on the cost from any cell of the region to the goal, in units.
    pub(crate) rest: u64,
}

impl Detour {
    /// A stamp of the grid after the last change in the region.
    pub(crate) fn last_stamp(&self) -> Stamp {
        self.decrease.last_stamp
    }
}

/// The lower bounds on the cost to one goal: from all landmarks, or the linear estimate where that is higher.
pub(crate) struct LandmarkBounds<'a> {
    tables: &'a DistanceTables,
    /// The routes through each of the regions.
    detours: &'a mut Vec<Detour>,
    regions: &'a [DecreasedRegion],
    entry_units: &'a [u32],
    goal: LandmarkTarget,
    distance: LinearDistance,
}

impl<'a> LandmarkBounds<'a> {
    /// Prepares the bounds for a goal. With `k` regions that takes O(k^3).
    pub(crate) fn new(
        tables: &'a DistanceTables,
        detours: &'a mut Vec<Detour>,
        regions: &'a [DecreasedRegion],
        grid: &'a CostGrid,
        goal: usize,
        moves: Moves,
    ) -> Self {
        detours.clear();
        let entry_units = grid.entry_units();
        let goal_distance = |k| tables.distance(goal, k).filter(|_| !tables.is_unknown(goal));
        let target = LandmarkTarget::new(tables, entry_units[goal], goal_distance);
        let distance = LinearDistance::at_min_cost(grid, moves);
        let bounds = Self { tables, detours, regions, entry_units, goal: target, distance };
        let goal_box = CellBox::of(grid.cell(goal));
        for region in regions {
            let rest = bounds.region_to_target(region, &bounds.goal, goal_box);
            let target = region.target(tables);
            bounds.detours.push(Detour { decrease: region.decrease, target, rest });
        }
        // Routes may go through several regions. As in the Bellman-Ford algorithm, each round settles at least one.
        for _ in 1..regions.len() {
            for (k, region) in regions.iter().enumerate() {
                for (other, next) in regions.iter().enumerate().filter(|&(other, _)| other != k) {
                    let Detour { target, rest, .. } = &bounds.detours[other];
                    let through_other = bounds.region_to_target(region, target, next.decrease.cells) + rest;
                    bounds.detours[k].rest = bounds.detours[k].rest.min(through_other);
                }
            }
        }
        bounds
    }

    /// A lower bound on the cost from any cell of a region to a target in the box `to_cells`.
    fn region_to_target(&self, from: &DecreasedRegion, to: &LandmarkTarget, to_cells: CellBox) -> u64 {
        let by_tables = self.by_tables(to.distance(&from.lower, &from.upper), to, from.max_cost);
        by_tables.max(self.distance.between(from.decrease.cells.offset(to_cells)))
    }

    /// A lower bound on the cost to a target from a cell whose entry cost is `here`, or from any cell of no
    /// higher entry cost, for the largest difference of their distances from a landmark.
    #[inline(always)]
    fn by_tables(&self, difference: u64, to: &LandmarkTarget, here: u32) -> u64 {
        let difference = difference << self.tables.unit_shift;
        if self.tables.are_directed { difference } else { (difference + to.entry_cost).saturating_sub(here.into()) / 2 }
    }

    /// A lower bound on the cost from a cell to a target, by the tables alone.
    fn cell_to_target(&self, index: usize, target: &LandmarkTarget) -> u64 {
        let (lower, upper) = self.tables.distances(index);
        self.by_tables(target.distance(&lower, &upper), target, self.entry_units[index])
    }

    /// The minimum of `bound` and a lower bound on the cost from a cell to the goal through a region.
    fn min_with_detour(&self, index: usize, cell: Cell, detour: &Detour, bound: u64) -> u64 {
        let distance = self.distance.between(CellBox::of(cell).offset(detour.decrease.cells));
        if distance + detour.rest >= bound {
            return bound;
        }
        bound.min(distance.max(self.cell_to_target(index, &detour.target)) + detour.rest)
    }

    /// Lower bounds on the cost from `cell`, which has this index, to each of the regions.
    pub(crate) fn to_regions(&self, index: usize, cell: Cell) -> impl Iterator<Item = u64> {
        let start = CellBox::of(cell);
        let count = self.regions.len();
        let detours = &*self.detours;
        let mut costs = [0; MAX_DECREASES];
        for (cost, (region, detour)) in costs.iter_mut().zip(self.regions.iter().zip(detours)) {
            let distance = self.distance.between(start.offset(region.decrease.cells));
            let by_tables = if self.tables.is_unknown(index) { 0 } else { self.cell_to_target(index, &detour.target) };
            *cost = distance.max(by_tables);
        }
        // Through other regions, as in `new`.
        for _ in 1..count {
            for (k, region) in self.regions.iter().enumerate() {
                for (other, before) in self.regions.iter().enumerate().filter(|&(other, _)| other != k) {
                    let between = self.region_to_target(before, &detours[k].target, region.decrease.cells);
                    costs[k] = costs[k].min(costs[other] + between);
                }
            }
        }
        costs.into_iter().take(count)
    }

    /// The minimum of `bound` and a lower bound on the cost from the start to the goal by steps that a single changed
    /// cell made cheaper or possible; `region` is around that cell. Both ends are given by index and cell. The tables
    /// must know the change, and there must be no other regions.
    ///
    /// A route that takes such a step enters the changed cell, or one of its straight neighbours from another.
    pub(crate) fn min_through(
        &self,
        region: &DecreasedRegion,
        grid: &CostGrid,
        [(start, from), (_, to)]: [(usize, Cell); 2],
        bound: u64,
    ) -> u64 {
        // All of them together first, which nearly always suffices.
        let cells = region.decrease.cells;
        let distance = self.distance.between(CellBox::of(from).offset(cells));
        let rest = self.region_to_target(region, &self.goal, CellBox::of(to));
        if distance + rest >= bound
            || distance.max(self.cell_to_target(start, &region.target(self.tables))) + rest >= bound
        {
            return bound;
        }
        let changed = cells.min + (1, 1);
        let around = [(0, 0), (0, -1), (1, 0), (0, 1), (-1, 0)].map(|offset| changed + offset);
        let through = around.into_iter().filter(|&cell| grid.is_passable(cell)).map(|cell| {
            let at = grid.index(cell);
            let target = LandmarkTarget::new(self.tables, self.entry_units[at], |k| self.tables.distance(at, k));
            let to_cell = self.distance.between(cell - from).max(self.cell_to_target(start, &target));
            to_cell + self.distance.between(to - cell).max(self.cell_to_target(at, &self.goal))
        });
        through.fold(bound, u64::min)
    }

    /// The detours through each of the regions.
    pub(crate) fn detours(&self) -> &[Detour] {
        self.detours
    }

    /// A number that no bound exceeds, on a grid of this size.
    pub(crate) fn upper_limit(&self, size: Size) -> u64 {
        ((1 << (32 + self.tables.unit_shift)) + self.goal.entry_cost).max(self.distance.upper_limit(size))
    }
}

impl Estimate for LandmarkBounds<'_> {
    #[inline(always)]
    fn for_cell(&mut self, index: usize, cell: Cell, offset: Offset) -> u64 {
        self.for_cell_of_cost(index, self.entry_units[index], cell, offset)
    }

    #[inline(always)]
    fn for_cell_of_cost(&mut self, index: usize, entry_cost: u32, cell: Cell, offset: Offset) -> u64 {
        let distance = self.distance.between(offset);
        // The array has a border that is one cell wide.
        let place = self.tables.place(cell.x as usize + 1, cell.y as usize + 1);
        let difference = self.tables.largest_difference(place, &self.goal.lower, &self.goal.upper);
        let Some(difference) = difference else { return distance };
        let mut bound = self.by_tables(difference as u64, &self.goal, entry_cost).max(distance);
        for detour in &*self.detours {
            bound = self.min_with_detour(index, cell, detour, bound);
        }
        bound
    }
}
