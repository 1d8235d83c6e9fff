//! Changes of the grid since an answer was confirmed, and whether they can affect it.

use super::Known;
use crate::budget::Budget;
use crate::cost::changes::MAX_REMEMBERED;
use crate::grid::Cell;
use crate::search::cell_set::CellSet;
use crate::{Change, CostGrid, EntryCost, Moves, Planner, RouteQuery, Stamp};

/// After more changes than this a search is run without checking each of them.
const MAX_CHANGES_CHECKED: usize = 512;

/// The changes since an answer was confirmed, while they are checked. A planner has the memory for all its replanners.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheckedChanges {
    /// The cells that have changed.
    cells: CellSet,
    /// The changes near the route.
    pub(super) nearby: Vec<Change>,
    /// The cost decreases anywhere.
    pub(super) decreases: Vec<Decrease>,
}

/// A cell that became cheaper or passable, or changed its level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decrease {
    pub(super) cell: Cell,
    /// The largest amount, in units, that a step into the cell can save; `None` if it was blocked before, or if the
    /// grid has levels.
    pub(super) saved: Option<u64>,
}

impl CheckedChanges {
    /// Collects the changes of the cells `nearby`, which are in order, and the cost decreases anywhere, since an answer was last confirmed; `None` if
    /// there are too many, or if the grid does not remember them.
    pub(super) fn collect(&mut self, grid: &CostGrid, known: &Known, nearby: &[u32]) -> Option<()> {
        let Self { cells: changed, nearby: nearby_changes, decreases } = self;
        changed.begin(grid.entry_units().len(), MAX_REMEMBERED);
        nearby_changes.clear();
        nearby_changes.reserve(MAX_CHANGES_CHECKED);
        decreases.clear();
        decreases.reserve(MAX_CHANGES_CHECKED);
        for change in grid.changes_since(known.stamp)? {
            // Only the first change of a cell contains the cost with which the route was confirmed.
            let at = grid.index(change.cell);
            let now = grid.get(change.cell);
            let level_stays = change.was_level == grid.level(change.cell);
            if !changed.insert(at) || change.was == now && level_stays {
                continue;
            }
            if nearby.binary_search(&(at as u32)).is_ok() {
                // On a grid with levels, what a cell adds to the cost of a route depends on its neighbours too.
                if !level_stays || !grid.is_flat() {
                    changed.clear();
                    return None;
                }
                nearby_changes.push(change);
            }
            let saved = match (change.was, now) {
                (_, None) => continue,
                (Some(_), Some(_)) if !level_stays => None,
                (Some(before), Some(now)) if before < now => continue,
                (Some(before), Some(now)) if grid.is_flat() => Some(max_saved(grid, known.options.moves, before, now)),
                (_, Some(_)) => None,
            };
            decreases.push(Decrease { cell: change.cell, saved });
            if nearby_changes.len().max(decreases.len()) == MAX_CHANGES_CHECKED {
                break;
            }
        }
        changed.clear();
        (nearby_changes.len().max(decreases.len()) < MAX_CHANGES_CHECKED).then_some(())
    }
}

/// Whether no route costs less than `now`, given that no route cost less than `before` when the grid had this
/// stamp.
///
/// A route through a cell that became cheaper costs at least the lower bound on the cost to reach the cell plus the
/// lower bound on the cost from there to the goal. If the sum is not below `now`, the cell does not matter. So a
/// route can become cheaper only by the savings at the other cells.
pub(super) fn is_cheapest(
    planner: &mut Planner,
    decreases: &mut Vec<Decrease>,
    grid: &CostGrid,
    query: &RouteQuery,
    stamp: Stamp,
    (before, now): (u64, u64),
    budget: &mut Budget,
) -> bool {
    let RouteQuery { from, to, options, .. } = *query;
    // Another route of the same cost may be the canonical one.
    let threat = now + u64::from(options.are_canonical());
    if !decreases.is_empty() && now <= before {
        let regions = planner.cheap_regions(grid);
        let to_goal = regions.bounds(grid, options.moves, from, to);
        let to_start = regions.bounds(grid, options.moves, to, from);
        decreases.retain(|decrease| {
            let bound = to_start.lower_bound(decrease.cell) + to_goal.lower_bound(decrease.cell);
            // A cell that became passable, or changed its level, also allows diagonal steps past it. A route that
            // takes one of these need not enter the cell, but it enters one of its straight neighbours from
            // another.
            bound < if decrease.saved.is_some() { threat } else { threat + to_goal.max_difference(2) }
        });
        if !decreases.is_empty() && planner.bound_through_decreases_since(stamp, grid, query, threat, budget) >= threat
        {
            decreases.clear();
        }
    }
    let saved = decreases.iter().map(|decrease| decrease.saved).sum::<Option<u64>>();
    saved.is_some_and(|saved| now + saved <= before)
}

/// The largest number of units that a step can save if the entry cost decreases from `before` to `now`.
fn max_saved(grid: &CostGrid, moves: Moves, before: EntryCost, now: EntryCost) -> u64 {
    let straight = before.units() - now.units();
    let diagonal = grid.diagonal().of(before.units()) - grid.diagonal().of(now.units());
    u64::from(if moves == Moves::Eight { diagonal.max(straight) } else { straight })
}
