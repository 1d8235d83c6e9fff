//! Whether the known route is still the cheapest after changes of the grid.

use crate::budget::Budget;
use crate::planner::checked_changes::Decrease;
use crate::{CostGrid, Planner, RouteQuery, Stamp};

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
        let to_goal = regions.bounds(grid, options.rules.moves, from, to);
        let to_start = regions.bounds(grid, options.rules.moves, to, from);
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
