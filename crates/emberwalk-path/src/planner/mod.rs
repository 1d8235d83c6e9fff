//! The planner: created once, used for many queries; it keeps its memory between them.

mod ahead;
mod all;
mod breach;
pub(crate) mod checked_changes;
mod dispatch;
mod lower_bound;
mod multi;
mod partial;
mod preparation;
mod search;
mod tables;
mod through;
mod unaware;

pub use all::OwnedSearchResult;
pub use breach::Breach;
pub use search::RouteSearch;
pub use tables::PlannerTables;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::ahead::Stop;
use crate::ahead::search::TimedMemory;
use crate::bounds::cheap_regions::CheapRegions;
use crate::budget::{Budget, finished};
use crate::components::Components;
use crate::cost::cost_grid::{capacity_bytes, max_array_len};
use crate::grid::Cell;
use crate::planner::checked_changes::CheckedChanges;
use crate::query::passable;
use crate::search::cell_set::CellSets;
use crate::search::memory::{Endpoints, Memory, SearchContext};
use crate::search::observer::SearchObserver;
use crate::search::turn_steps::TurnCache;
use crate::{CostGrid, Endpoint, Options, QueryError, RouteQuery, SearchResult, Stamp, StepRules};

/// Finds routes on cost grids.
///
/// A planner keeps its memory, which is sized for the largest grid so far: after the first queries [`plan`](Self::plan)
/// allocates nothing. Only [`prepare`](Self::prepare) computes landmark tables; the first query on a grid labels the
/// connected components, and finds the jump points if it uses them. The planner notices by itself when the grid has
/// changed, or is not the same as before.
///
/// **Use one planner for each grid**, for example for each kind of agent of a [`ClassGrid`](crate::kinds::ClassGrid). A
/// planner knows the components, the jump points and the tables of one grid, the last one. On another grid it computes
/// the first two again in O(cells): if two grids of 512 x 512 cells take turns, a query takes milliseconds instead of
/// microseconds.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Planner, RouteQuery};
/// let mut grid = CostGrid::open(Size::new(3, 3))?;
/// grid.set(Cell::new(1, 1), None);
/// let mut planner = Planner::new();
/// let result = planner.plan(&grid, &RouteQuery::new(Cell::new(0, 1), Cell::new(2, 1)))?;
/// assert_eq!(result.cells().len(), 5, "around the blocked cell, without cutting its corners");
/// assert_eq!(result.cost().unwrap().tiles(), 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Planner {
    memory: Memory,
    tables: PlannerTables,
    /// The turns, for searches over neighbours with the plain distance.
    turns: TurnCache,
    cells: Vec<Cell>,
    sets: CellSets,
    /// The memory of searches on an outlook, and the last route of one.
    timed: TimedMemory,
    stops: Vec<Stop>,
    /// The memory of replanners for the changes that they check.
    pub(crate) checked_changes: CheckedChanges,
    /// The unique stamp of the unfinished work in `memory`: a [`RouteSearch`] or a refresh.
    paused: Option<Stamp>,
    /// The stamp of an unfinished refresh, and the stamp of its grid.
    refresh: Option<[Stamp; 2]>,
    max_threads: Option<NonZeroUsize>,
    max_prepared_bytes: Option<usize>,
    always_uses_tables: bool,
}

impl Planner {
    /// Creates a planner, without allocating memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses tables and jump points for every query of `Auto` that they could serve, also on small grids and where a
    /// plain search is faster. It changes no cost and is of no use to a program: tests of exactness call it, so that
    /// small maps test the tables too.
    #[doc(hidden)]
    pub fn always_use_tables(&mut self) {
        self.paused = None;
        self.always_uses_tables = true;
    }

    /// Allocates memory for A* over neighbours with these options on any grid of at most `cells` cells, whatever its
    /// shape. Such queries then allocate nothing, unless more than half the cells are on the open list at the same
    /// time, or the grid has levels or links.
    pub fn reserve(&mut self, cells: usize, options: &Options) {
        let len = max_array_len(cells);
        self.paused = None;
        self.memory.nodes.reserve(len);
        self.memory.buckets.reserve(len / 2);
        self.tables.components_mut(options.rules.without_links()).reserve(cells);
        // On level ground a cheapest route enters at most two cells of every 2 x 2 square.
        self.cells.reserve_exact((len / 2).saturating_sub(self.cells.len()));
    }

    /// How many bytes the planner has allocated for A* over neighbours.
    pub fn bytes(&self) -> usize {
        let Memory { nodes, buckets, heap, .. } = &self.memory;
        let components = self.tables.component_bytes();
        let open = buckets.bytes() + heap.capacity() * size_of::<u128>();
        nodes.bytes() + open + components + capacity_bytes(&self.cells)
    }

    /// Answers a query.
    ///
    /// If start and goal are in different connected components, the answer has no route and no search is run. If the
    /// start is the goal, the route is one cell of cost 0. If the query has limits, there may be no route although the
    /// goal can be reached; it may also ask for a [partial route](SearchResult::partial).
    ///
    /// # Errors
    /// [`QueryError`] if the start or the goal is off the map or blocked (the start is checked first), or if a weight
    /// is below 1 or not finite.
    pub fn plan(&mut self, grid: &CostGrid, query: &RouteQuery) -> Result<SearchResult<'_>, QueryError> {
        self.plan_observed(grid, query, &mut ())
    }

    /// Answers a query, as [`plan`](Self::plan) does, while `observer` watches the search. If the goal is unreachable,
    /// the search runs only if the observer asks for it, see [`SearchObserver::SEARCHES_UNREACHABLE`].
    ///
    /// # Errors
    /// See [`plan`](Self::plan).
    pub fn plan_observed<O: SearchObserver>(
        &mut self,
        grid: &CostGrid,
        query: &RouteQuery,
        observer: &mut O,
    ) -> Result<SearchResult<'_>, QueryError> {
        finished(RouteSearch::observed(*query, observer).advance(self, grid, Budget::UNLIMITED))
    }

    /// Searches between two different cells, with the available bounds if they are connected; returns whether a route
    /// was found. Pauses when the budget is spent.
    fn search_for<O: SearchObserver>(
        &mut self,
        context: &mut SearchContext<'_, O>,
        options: &Options,
        connected: bool,
        budget: &mut Budget,
    ) -> ControlFlow<(), bool> {
        let found = if connected { self.search_with_bounds(context, options, budget)? } else { None };
        match found {
            Some(found) => ControlFlow::Continue(found),
            None => {
                context.set_budget(budget);
                self.search(context, options)
            }
        }
    }

    /// The connected components of a grid for these rules, up to date. O(cells) at first, and much less after edits, see
    /// [`Components::update`].
    pub fn components(&mut self, grid: &CostGrid, rules: StepRules) -> &Components {
        self.tables.components(grid, rules)
    }

    /// The regions of cheap cells of the current grid.
    pub(crate) fn cheap_regions(&mut self, grid: &CostGrid) -> &CheapRegions {
        self.tables.cheap_regions.update(grid);
        &self.tables.cheap_regions
    }

    /// A lower bound from the landmarks on the cost of every route for this query through a region that became cheaper
    /// after the grid had this stamp, or `enough` if that is lower; 0 without landmarks, or if the budget is spent
    /// before they are up to date.
    pub(crate) fn bound_through_decreases_since(
        &mut self,
        stamp: Stamp,
        grid: &CostGrid,
        query: &RouteQuery,
        enough: u64,
        budget: &mut Budget,
    ) -> u64 {
        if self.update_landmarks(grid, query.options.rules, budget) != ControlFlow::Continue(true) {
            return 0;
        }
        self.tables.landmarks.as_deref_mut().map_or(0, |landmarks| {
            let ends = (grid.index(query.from), grid.index(query.to));
            landmarks.bound_through_decreases_since(stamp, grid, ends, enough)
        })
    }

    /// The time of an expansion, where 1 is the time without prepared tables: 3 if the planner has landmark tables, and
    /// otherwise 1. So a budget can be for the time that searches take.
    pub fn effort(&self) -> u64 {
        if self.has_landmarks() { 3 } else { 1 }
    }

    /// Whether there are landmark tables, perhaps unfinished ones.
    #[doc(hidden)]
    pub fn has_landmarks(&self) -> bool {
        self.tables.landmarks.is_some()
    }

    /// Brings everything up to date with the grid that searches by `Auto` use. Pauses when the budget is spent.
    #[doc(hidden)]
    pub fn update_all(&mut self, grid: &CostGrid, rules: StepRules, budget: &mut Budget) -> ControlFlow<()> {
        self.components(grid, rules);
        self.cheap_regions(grid);
        self.update_landmarks(grid, rules, budget)?;
        self.update_jump_points(grid, rules, budget)?;
        ControlFlow::Continue(())
    }

    /// Reads the changes of the grid before the grid forgets them.
    pub(crate) fn catch_up(&mut self, grid: &CostGrid, options: &Options) {
        self.components(grid, options.rules);
        if let Some(landmarks) = self.tables.landmarks.as_deref_mut() {
            landmarks.read_changes(grid, options.rules);
        }
        self.cheap_regions(grid);
    }

    /// Brings the landmarks up to date with the grid; returns `false` if there are none for it and these rules. Pauses
    /// when the budget is spent.
    fn update_landmarks(&mut self, grid: &CostGrid, rules: StepRules, budget: &mut Budget) -> ControlFlow<(), bool> {
        let Some(landmarks) = self.tables.landmarks.as_deref_mut() else { return ControlFlow::Continue(false) };
        let are_known = landmarks.read_changes(grid, rules);
        if are_known && landmarks.is_updating() {
            self.paused = None;
            landmarks.update(grid, &mut self.memory, self.max_threads, budget)?;
        }
        ControlFlow::Continue(are_known)
    }
}

/// The ends of a query; an error if one is off the grid or blocked. The start is checked first.
pub(crate) fn ends(grid: &CostGrid, query: &RouteQuery) -> Result<Endpoints, QueryError> {
    let start = passable(grid, Endpoint::Start, query.from)?;
    let goal = passable(grid, Endpoint::Goal, query.to)?;
    Ok(Endpoints { start, goal })
}

/// An error unless the weight is finite and at least 1.
fn check_weight(options: &Options) -> Result<(), QueryError> {
    let weight = options.weight();
    if weight.is_finite() && weight >= 1.0 { Ok(()) } else { Err(QueryError::Weight(weight)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Size;
    use crate::{ClimbRule, Diagonal, EntryCost, Level};

    /// The prepared data is the same to the last bit, whatever the number of slices.
    #[test]
    fn slices_change_nothing() {
        for (top, threads) in [(0, 1), (0, 2), (1, 1), (1, 2)] {
            let cost = |cell: Cell| {
                let is_wall = (cell.x * 13 + cell.y * 7) % 11 == 0;
                EntryCost::from_tiles(if is_wall { 0.0 } else { f64::from(1 + cell.x / 9 % 3 + cell.y / 5 % 2) })
            };
            let mut grid = CostGrid::from_fn(Size::new(170, 130), Diagonal::GAME, |cell| cost(cell).ok()).unwrap();
            grid.set_levels(ClimbRule::default(), |cell| Level::new((cell.y / 8 % 2 * top) as u8).unwrap());
            let (mut planner, mut sliced) = (Planner::new(), Planner::new());
            for planner in [&mut planner, &mut sliced] {
                planner.set_max_threads(NonZeroUsize::new(threads).unwrap());
            }
            planner.prepare(&grid, &Options::default());
            let mut slices = 1;
            while sliced.advance_preparation(&grid, &Options::default(), 1000).is_pending() {
                slices += 1;
                // A clone copies unfinished work, too.
                sliced = sliced.clone();
            }
            assert!(slices > 60, "{slices}");
            let made = |planner: &Planner| format!("{:?}", planner.tables);
            assert!(made(&planner) == made(&sliced), "top level {top}, {threads} threads");
        }
    }
}
