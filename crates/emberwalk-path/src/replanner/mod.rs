//! Replanning: keeps an answer and returns it again as long as a search is known to find nothing better.

mod cheapest;
#[cfg(feature = "serde")]
mod saved;
mod unfound;

#[cfg(feature = "serde")]
pub use saved::KnownAnswer;

use std::ops::Range;

use crate::budget::Budget;
use crate::cost::changes::MAX_REMEMBERED;
use crate::grid::Cell;
use crate::planner::checked_changes::CheckedChanges;
use crate::replanner::cheapest::is_cheapest;
use crate::replanner::unfound::Unfound;
use crate::{CellChange, CostGrid, Options, Planner, QueryError, RouteCost, RouteQuery, RouteRef, SearchResult, Stamp};

/// How many changes the planner may miss while no answer needs it.
const MAX_CHANGES_MISSED: usize = MAX_REMEMBERED / 2;

/// Answers the same query again and again while the grid changes and the start and the goal move. The answers are as
/// exact as after a new search, but no search is run if it is certain that the known route is still the cheapest.
///
/// It is certain
/// - when the start moves along the known route, or the goal does: each part of a cheapest route is a cheapest route;
/// - when cells off the route become more expensive or blocked;
/// - when cells become cheaper or passable, or change their level, but a lower bound on the cost of every route through
///   them is not below the cost of the known route; the bounds use distance and, in a planner that was
///   [prepared](Planner::prepare), the landmarks;
/// - on a flat grid, when cells of the route become cheaper, and no other route can have gained more by that.
///
/// In all other cases the planner searches, and after every change of a grid with [links](CostGrid::add_link). Routes that are not guaranteed to be the cheapest are never kept.
///
/// It also keeps the answer that there is no route, with its partial route, if the goal is unreachable or every route
/// costs more than [`max_cost`](crate::Limits::max_cost): while nothing changes on the partial route, and cells that
/// become cheaper or passable cannot lead to a better answer. If the goal is unreachable and the query has no limits,
/// the start may move along the partial route. A search that was stopped by
/// [`max_expansions`](crate::Limits::max_expansions) or [`max_length`](crate::Limits::max_length) is run each time.
///
/// A planner keeps no answers; a replanner keeps one. It takes 20 bytes for each column and each row of the grid (10 KB
/// at 256 x 256 cells, 20 KB at 512 x 512), and more only for a very long route. Many replanners can share a planner.
/// After the first answer a replanner allocates only for such a route.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Planner, Replanner, RouteQuery};
/// let mut grid = CostGrid::open(Size::new(9, 9))?;
/// let (mut planner, mut replanner) = (Planner::new(), Replanner::new());
/// let goal = Cell::new(8, 4);
/// let result = replanner.plan(&mut planner, &grid, &RouteQuery::new(Cell::new(0, 4), goal))?;
/// assert!(result.expanded > 0);
/// let next = result.cells()[1];
///
/// // A wall elsewhere and the first step: neither needs a search.
/// grid.set(Cell::new(3, 0), None);
/// let result = replanner.plan(&mut planner, &grid, &RouteQuery::new(next, goal))?;
/// assert_eq!((result.expanded, result.cost().unwrap().tiles()), (0, 7.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Replanner {
    known: Option<Known>,
    /// The cells of the known route, or partial route.
    cells: Vec<Cell>,
    /// The cells whose change can affect the route, in order: the cells on it and beside its diagonal steps.
    nearby: Vec<u32>,
}

/// The known answer, apart from the cells of its route.
#[derive(Clone, Debug)]
struct Known {
    options: Options,
    /// The rest of the answer if there is no route to the goal. The known route is then the partial one, or the start
    /// alone if the query asks for none.
    unfound: Option<Unfound>,
    /// The stamp of the grid for which `part` of the cells was known to be a cheapest route, and its cost at that time.
    stamp: Stamp,
    part: Range<usize>,
    cost: u64,
    /// The stamp of the grid that the planner has seen.
    planner_stamp: Stamp,
}

impl Replanner {
    /// Creates a replanner that knows no route yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers a query as [`Planner::plan`] does, with `expanded` 0 if no search was run. Of several cheapest routes it
    /// may return a different one than the planner.
    ///
    /// Without a search it takes O(changes since the last answer + steps that start and goal moved). About every two
    /// thousand changes, the planner catches up with the grid as well.
    ///
    /// # Errors
    /// See [`Planner::plan`].
    pub fn plan<'a>(
        &'a mut self,
        planner: &'a mut Planner,
        grid: &CostGrid,
        query: &RouteQuery,
    ) -> Result<SearchResult<'a>, QueryError> {
        let budget = &mut Budget::new(Budget::UNLIMITED);
        if has_ends(grid, query) && self.is_known(planner, grid, query, budget) {
            return Ok(self.answer());
        }
        let result = planner.plan(grid, query)?;
        self.keep(grid, query, &result);
        Ok(result)
    }

    /// The answer to a query if neither a search nor an update of prepared tables is needed for it. Otherwise the
    /// caller has to search, for instance [in slices](crate::RouteSearch), and to pass the result to
    /// [`keep`](Self::keep); [`plan`](Self::plan) does both.
    ///
    /// # Errors
    /// See [`Planner::plan`].
    pub fn known(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        query: &RouteQuery,
    ) -> Result<Option<SearchResult<'_>>, QueryError> {
        if !has_ends(grid, query) {
            return planner.ends_of(grid, query).map(|_| None);
        }
        Ok(self.is_known(planner, grid, query, &mut Budget::new(1)).then(|| self.answer()))
    }

    /// Keeps the result of a search for the next queries, if the route is certain to be the cheapest, or if there is
    /// certainly none.
    pub fn keep(&mut self, grid: &CostGrid, query: &RouteQuery, result: &SearchResult<'_>) {
        if let SearchResult { route: Some(route), optimal: true, .. } = *result {
            self.keep_route(grid, query, route, None);
        } else if let Some(unfound) = Unfound::new(query, result) {
            let start = RouteRef { cells: &[query.from], cost: RouteCost::ZERO };
            self.keep_route(grid, query, result.partial.unwrap_or(start), Some(unfound));
        }
    }

    /// Whether the known answer, or a part of its route, answers this query on the current grid. If not, it is
    /// forgotten.
    fn is_known(&mut self, planner: &mut Planner, grid: &CostGrid, query: &RouteQuery, budget: &mut Budget) -> bool {
        let known = self.known.take();
        self.known = known.and_then(|known| self.confirm(planner, grid, query, known, budget));
        let Some(known) = &mut self.known else { return false };
        let cost = RouteCost::from_units(known.cost);
        if known.unfound.is_none() && query.limits.broken_by(cost, known.part.len() - 1).is_some() {
            return false;
        }
        if grid.count_changes_since(known.planner_stamp).is_none_or(|changes| changes > MAX_CHANGES_MISSED) {
            planner.catch_up(grid, &query.options);
            known.planner_stamp = grid.stamp();
        }
        true
    }

    /// The known answer.
    fn answer(&self) -> SearchResult<'_> {
        let route = self
            .known
            .as_ref()
            .map(|known| RouteRef { cells: &self.cells[known.part.clone()], cost: RouteCost::from_units(known.cost) });
        match self.known.as_ref().and_then(|known| known.unfound.as_ref()) {
            None => SearchResult::new(route, [0, 0], true),
            Some(unfound) => unfound.answer(route),
        }
    }

    fn keep_route(&mut self, grid: &CostGrid, query: &RouteQuery, route: RouteRef<'_>, unfound: Option<Unfound>) {
        // Few routes are longer, so that a replanner rarely allocates after its first answer.
        let capacity = (grid.size().width + grid.size().height) as usize;
        self.cells.clear();
        self.cells.reserve(capacity);
        self.cells.extend_from_slice(route.cells);
        self.nearby.clear();
        self.nearby.reserve(3 * capacity);
        let mut add = |at: usize| self.nearby.push(at as u32);
        // The start is not entered, but its level matters to the first step.
        add(grid.index(query.from));
        let rules = query.options.rules;
        for pair in route.cells.windows(2) {
            let [from, to] = [grid.index(pair[0]), grid.index(pair[1])];
            add(to);
            if rules.passes_corners(pair[0], pair[1]) {
                // The two cells beside the step are in the rows of its ends.
                let dx = pair[1].x - pair[0].x;
                add(from.wrapping_add_signed(dx as isize));
                add(to.wrapping_add_signed(-dx as isize));
            }
        }
        self.nearby.sort_unstable();
        self.known = Some(Known {
            options: query.options,
            unfound,
            stamp: grid.stamp(),
            part: 0..route.cells.len(),
            cost: route.cost.units(),
            planner_stamp: grid.stamp(),
        });
    }

    /// The known answer as the answer to this query on the current grid; `None` if that is not certain.
    fn confirm(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        query: &RouteQuery,
        mut known: Known,
        budget: &mut Budget,
    ) -> Option<Known> {
        // With links, no bound says how far a change is from a route.
        let may_have_changed = known.stamp != grid.stamp();
        if known.options != query.options || may_have_changed && grid.links_for(query.options.rules).is_some() {
            return None;
        }
        // The start moves forward from the front of the route, and the goal mostly stays.
        let cells = &self.cells[known.part.clone()];
        let first = cells.iter().position(|&cell| cell == query.from)?;
        let last = match &known.unfound {
            Some(unfound) if !unfound.answers(query, first) => return None,
            Some(_) => cells.len() - 1,
            None => first + cells[first..].iter().rposition(|&cell| cell == query.to)?,
        };
        let part = known.part.start + first..known.part.start + last + 1;
        if may_have_changed {
            let mut changes = std::mem::take(&mut planner.checked_changes);
            let cost = self.confirm_changed(planner, &mut changes, (grid, query), &known, part.clone(), budget);
            planner.checked_changes = changes;
            known.cost = cost?;
        } else {
            known.cost = self.cost_of_unchanged_part(grid, &known, part.clone());
        }
        (known.part, known.stamp) = (part, grid.stamp());
        Some(known)
    }

    /// The cost of a part of the known route after changes of the grid, if it is certain to be the cheapest.
    fn confirm_changed(
        &self,
        planner: &mut Planner,
        changes: &mut CheckedChanges,
        (grid, query): (&CostGrid, &RouteQuery),
        known: &Known,
        part: Range<usize>,
        budget: &mut Budget,
    ) -> Option<u64> {
        changes.collect(grid, known.stamp, known.options.rules.moves, &self.nearby)?;
        if let Some(unfound) = &known.unfound {
            let cost = changes.nearby.is_empty().then(|| self.cost_of_unchanged_part(grid, known, part))?;
            return unfound.holds(planner, &changes.decreases, grid, query, cost).then_some(cost);
        }
        let (before, now) = if changes.nearby.is_empty() {
            let cost = self.cost_of_unchanged_part(grid, known, part);
            (cost, cost)
        } else {
            self.costs_of_part(&changes.nearby, grid, &known.options, part)?
        };
        let costs = (before, now);
        is_cheapest(planner, &mut changes.decreases, grid, query, known.stamp, costs, budget).then_some(now)
    }

    /// The cost of a part of the known route, if none of its cells has changed since it was confirmed.
    fn cost_of_unchanged_part(&self, grid: &CostGrid, known: &Known, part: Range<usize>) -> u64 {
        let cost_of_steps = |part: Range<usize>| known.options.rules.cost_of_steps(grid, &self.cells[part]).units();
        let dropped = cost_of_steps(known.part.start..part.start + 1) + cost_of_steps(part.end - 1..known.part.end);
        known.cost.saturating_sub(dropped)
    }

    /// The cost of a part of the known route when it was confirmed, and its cost now; `None` if it is no longer
    /// a route.
    fn costs_of_part(
        &self,
        changes: &[CellChange],
        grid: &CostGrid,
        options: &Options,
        part: Range<usize>,
    ) -> Option<(u64, u64)> {
        let (cells, rules) = (&self.cells[part], options.rules);
        let mut now = 0;
        for pair in cells.windows(2) {
            now += rules.step_cost(grid, pair[0], pair[1])?.units();
        }
        let (mut changed_before, mut changed_now) = (0, 0);
        for change in changes {
            // The start is not entered.
            let Some(k) = cells.iter().skip(1).position(|&cell| cell == change.cell) else { continue };
            let is_diagonal = rules.costs_diagonal_ratio(cells[k], cells[k + 1]);
            let step = |units| {
                if is_diagonal { grid.diagonal().of(units) } else { units }
            };
            changed_before += change.was.map_or(0, |cost| u64::from(step(cost.units())));
            changed_now += grid.get(change.cell).map_or(0, |cost| u64::from(step(cost.units())));
        }
        Some((now + changed_before - changed_now, now))
    }
}

/// Whether the ends of a query are where an answer without a search can have them: on the map, and passable unless a
/// partial route may lead towards a blocked goal.
fn has_ends(grid: &CostGrid, query: &RouteQuery) -> bool {
    let has_goal = grid.is_passable(query.to) || query.partial && grid.size().contains(query.to);
    grid.is_passable(query.from) && has_goal
}
