//! The answer that there is no route, and whether it still holds.

use crate::grid::Cell;
use crate::planner::checked_changes::Decrease;
use crate::{CostGrid, LimitKind, Limits, Planner, RouteQuery, RouteRef, SearchResult};

/// An answer without a route that a replanner keeps.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Unfound {
    goal: Cell,
    limits: Limits,
    /// Whether the answer has a partial route.
    partial: bool,
    /// The limit of cost, or `None` if the goal is unreachable.
    stopped_by: Option<LimitKind>,
    optimal: bool,
}

impl Unfound {
    /// Keeps a result without a route; `None` if it has one, or if it depends on how far a search got, on a route that
    /// is too long, or on options without a guarantee.
    pub(super) fn new(query: &RouteQuery, result: &SearchResult<'_>) -> Option<Self> {
        let SearchResult { partial, stopped_by, optimal, .. } = *result;
        let is_final = match stopped_by {
            None => partial.is_none() || query.limits.max_expansions.is_none() && query.limits.max_length.is_none(),
            Some(LimitKind::Cost) => {
                optimal && query.limits.max_expansions.is_none() && query.limits.max_length.is_none()
            }
            Some(_) => false,
        };
        let starts_at_start = partial.is_none_or(|route| route.cells.first() == Some(&query.from));
        let is_kept = result.route.is_none() && is_final && starts_at_start && partial.is_some() == query.partial;
        is_kept.then_some(Self { goal: query.to, limits: query.limits, partial: query.partial, stopped_by, optimal })
    }

    /// The result, with the known route as the partial one.
    pub(super) fn answer<'a>(&self, route: Option<RouteRef<'a>>) -> SearchResult<'a> {
        let partial = route.filter(|_| self.partial);
        SearchResult { partial, stopped_by: self.stopped_by, ..SearchResult::new(None, [0, 0], self.optimal) }
    }

    /// Whether this is also the answer to a query that starts at the cell `first` of the partial route, on the same
    /// grid.
    ///
    /// A cheapest route to the nearest cell has the same nearest cell for each of its cells. Under a limit of cost,
    /// other cells may be within reach of them.
    pub(super) fn answers(&self, query: &RouteQuery, first: usize) -> bool {
        (query.to, query.limits, query.partial) == (self.goal, self.limits, self.partial)
            && (first == 0 || self.limits == Limits::new())
    }

    /// Whether the answer still holds after these decreases and any increases, none of which is near the partial route,
    /// of this cost.
    pub(super) fn holds(
        &self,
        planner: &mut Planner,
        decreases: &[Decrease],
        grid: &CostGrid,
        query: &RouteQuery,
        cost: u64,
    ) -> bool {
        let RouteQuery { from, to, options, .. } = *query;
        // A cell that became passable, or changed its level, may connect others.
        let may_connect = decreases.iter().any(|decrease| decrease.saved.is_none());
        let is_limited = self.stopped_by.is_some();
        if may_connect || is_limited {
            let components = planner.components(grid, options.rules);
            if components.are_connected(grid, from, to) != is_limited {
                return false;
            }
        }
        if decreases.is_empty() || !self.partial && !is_limited {
            return true;
        }
        // Every route through such a cell costs more than all that matter: than the limit, or else than the partial
        // route, because no cell becomes reachable.
        let most = self.limits.max_units();
        let highest = if most == u64::MAX { cost } else { most };
        let threat = highest.saturating_add(1);
        let bounds = planner.cheap_regions(grid).bounds(grid, options.rules.moves, to, from);
        let slack = bounds.max_difference(2);
        let is_far = |decrease: &Decrease| {
            bounds.lower_bound(decrease.cell) >= threat.saturating_add(if decrease.saved.is_some() { 0 } else { slack })
        };
        let components = planner.components(grid, options.rules);
        decreases.iter().all(|decrease| {
            let is_apart = decrease.saved.is_none() && !components.are_connected(grid, from, decrease.cell);
            is_apart || is_far(decrease) && (decrease.saved.is_some() || most != u64::MAX)
        })
    }
}
