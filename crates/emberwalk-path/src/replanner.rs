//! Replanning: keeps a route and returns it again as long as it is known to be the cheapest.

use std::ops::Range;

use crate::cost::changes::MAX_REMEMBERED;
use crate::grid::Cell;
use crate::planner::ends;
use crate::search::cell_set::CellSet;
use crate::{
    Change, CostGrid, EntryCost, Moves, Options, Planner, QueryError, RouteCost, RouteQuery, RouteRef, SearchResult,
    Stamp,
};

/// How many changes the planner may miss while no answer needs it.
const MAX_CHANGES_MISSED: usize = MAX_REMEMBERED / 2;
/// After more changes than this a search is run without checking each of them.
const MAX_CHANGES_CHECKED: usize = 512;

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
/// In all other cases the planner searches. Routes that are not guaranteed to be the cheapest are never kept.
///
/// A planner keeps no routes; a replanner keeps one. It takes 20 bytes for each column and each row of the grid (10 KB
/// at 256 x 256 cells, 20 KB at 512 x 512), and more only for a very long route. Many replanners can share a planner.
/// After the first answer a replanner allocates only for such a route.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, RouteQuery, Replanner};
/// let mut grid = CostGrid::from_fn(Size::new(9, 9), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
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
    known: Option<KnownRoute>,
    /// The cells of the known route.
    cells: Vec<Cell>,
    /// The cells whose change can affect the route, in order: the cells on it and beside its diagonal steps.
    nearby: Vec<u32>,
}

/// The changes since a route was confirmed, while they are checked. A planner has the memory for all its replanners.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheckedChanges {
    /// The cells that have changed.
    cells: CellSet,
    nearby: Vec<Change>,
    decreases: Vec<Decrease>,
}

/// The known route, apart from its cells.
#[derive(Clone, Debug)]
struct KnownRoute {
    options: Options,
    /// The stamp of the grid for which `part` of the cells was known to be a cheapest route, and its cost at that time.
    stamp: Stamp,
    part: Range<usize>,
    cost: u64,
    /// The stamp of the grid that the planner has seen.
    planner_stamp: Stamp,
}

/// A cell that became cheaper or passable, or changed its level.
#[derive(Clone, Copy, Debug)]
struct Decrease {
    cell: Cell,
    /// The largest amount, in units, that a step into the cell can save; `None` if it was blocked before, or if the
    /// grid has levels.
    saved: Option<u64>,
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
        if ends(grid, query).is_ok() && self.is_known(planner, grid, query) {
            return Ok(self.answer());
        }
        let result = planner.plan(grid, query)?;
        self.keep(grid, query, &result);
        Ok(result)
    }

    /// The answer to a query if no search is needed for it. Otherwise the caller has to search, for instance [in
    /// slices](crate::Search), and to pass the result to [`keep`](Self::keep); [`plan`](Self::plan) does both.
    ///
    /// # Errors
    /// See [`Planner::plan`].
    pub fn known(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        query: &RouteQuery,
    ) -> Result<Option<SearchResult<'_>>, QueryError> {
        match ends(grid, query) {
            Ok(_) => Ok(self.is_known(planner, grid, query).then(|| self.answer())),
            Err(_) => planner.ends_of(grid, query).map(|_| None),
        }
    }

    /// Keeps the result of a search for the next queries, if it is certain to be the cheapest route.
    pub fn keep(&mut self, grid: &CostGrid, query: &RouteQuery, result: &SearchResult<'_>) {
        if let SearchResult { route: Some(route), optimal: true, .. } = *result {
            self.keep_route(grid, query, route);
        }
    }

    /// Whether the known route, or a part of it, answers this query on the current grid. If not, it is forgotten.
    fn is_known(&mut self, planner: &mut Planner, grid: &CostGrid, query: &RouteQuery) -> bool {
        let known = self.known.take();
        self.known = known.and_then(|known| self.confirm(planner, grid, query, known));
        let Some(known) = &mut self.known else { return false };
        if query.limits.broken_by(RouteCost::from_units(known.cost), known.part.len() - 1).is_some() {
            return false;
        }
        if grid.count_changes_since(known.planner_stamp).is_none_or(|changes| changes > MAX_CHANGES_MISSED) {
            planner.catch_up(grid, &query.options);
            known.planner_stamp = grid.stamp();
        }
        true
    }

    /// The known route.
    fn answer(&self) -> SearchResult<'_> {
        let route = self
            .known
            .as_ref()
            .map(|known| RouteRef { cells: &self.cells[known.part.clone()], cost: RouteCost::from_units(known.cost) });
        SearchResult::new(route, [0, 0], true)
    }

    fn keep_route(&mut self, grid: &CostGrid, query: &RouteQuery, route: RouteRef<'_>) {
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
        let rules = query.options.rules();
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
        self.known = Some(KnownRoute {
            options: query.options,
            stamp: grid.stamp(),
            part: 0..route.cells.len(),
            cost: route.cost.units(),
            planner_stamp: grid.stamp(),
        });
    }

    /// The known route as the answer to this query on the current grid; `None` if that is not certain.
    fn confirm(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        query: &RouteQuery,
        mut known: KnownRoute,
    ) -> Option<KnownRoute> {
        if known.options != query.options {
            return None;
        }
        // The start moves forward from the front of the route, and the goal mostly stays.
        let cells = &self.cells[known.part.clone()];
        let first = cells.iter().position(|&cell| cell == query.from)?;
        let last = first + cells[first..].iter().rposition(|&cell| cell == query.to)?;
        let part = known.part.start + first..known.part.start + last + 1;
        if known.stamp != grid.stamp() {
            let mut changes = std::mem::take(&mut planner.checked_changes);
            let cost = self.confirm_changed(planner, &mut changes, (grid, query), &known, part.clone());
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
        known: &KnownRoute,
        part: Range<usize>,
    ) -> Option<u64> {
        self.collect_changes(changes, grid, known)?;
        let (before, now) = if changes.nearby.is_empty() {
            let cost = self.cost_of_unchanged_part(grid, known, part);
            (cost, cost)
        } else {
            self.costs_of_part(&changes.nearby, grid, &known.options, part)?
        };
        is_cheapest(planner, &mut changes.decreases, grid, query, known.stamp, (before, now)).then_some(now)
    }

    /// Collects the changes near the route, and the cost decreases anywhere, since the route was last confirmed; `None`
    /// if there are too many, or if the grid does not remember them.
    fn collect_changes(&self, changes: &mut CheckedChanges, grid: &CostGrid, known: &KnownRoute) -> Option<()> {
        let CheckedChanges { cells: changed, nearby: nearby_changes, decreases } = changes;
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
            if self.nearby.binary_search(&(at as u32)).is_ok() {
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

    /// The cost of a part of the known route, if none of its cells has changed since it was confirmed.
    fn cost_of_unchanged_part(&self, grid: &CostGrid, known: &KnownRoute, part: Range<usize>) -> u64 {
        let cost_of_steps = |part: Range<usize>| known.options.rules().cost_of_steps(grid, &self.cells[part]).units();
        let dropped = cost_of_steps(known.part.start..part.start + 1) + cost_of_steps(part.end - 1..known.part.end);
        known.cost - dropped
    }

    /// The cost of a part of the known route when it was confirmed, and its cost now; `None` if it is no longer
    /// a route.
    fn costs_of_part(
        &self,
        changes: &[Change],
        grid: &CostGrid,
        options: &Options,
        part: Range<usize>,
    ) -> Option<(u64, u64)> {
        let (cells, rules) = (&self.cells[part], options.rules());
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

/// Whether no route costs less than `now`, given that no route cost less than `before` when the grid had this
/// stamp.
///
/// A route through a cell that became cheaper costs at least the lower bound on the cost to reach the cell plus the
/// lower bound on the cost from there to the goal. If the sum is not below `now`, the cell does not matter. So a
/// route can become cheaper only by the savings at the other cells.
fn is_cheapest(
    planner: &mut Planner,
    decreases: &mut Vec<Decrease>,
    grid: &CostGrid,
    query: &RouteQuery,
    stamp: Stamp,
    (before, now): (u64, u64),
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
        if !decreases.is_empty() && planner.bound_through_decreases_since(stamp, grid, query, threat) >= threat {
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
