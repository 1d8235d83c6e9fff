//! Searches for routes: the answer, and how the planner's worker finds it.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tracing::info;

use emberwalk_jobs::Latest;
use emberwalk_jobs::Progress;
use emberwalk_map::clock::Instant;
use emberwalk_map::threads::lock;
use emberwalk_path::grid::Cell;
use emberwalk_path::{CostGrid, Planner, Replanner, Route, RouteQuery, RouteSearch, SearchResult};

use super::grid_query::GridQuery;

/// The target that a route reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// No target: there is no goal, or no traveller.
    #[default]
    Nowhere,
    /// To the goal.
    Goal,
    /// To the reachable cell nearest to the goal, which is unreachable.
    Nearest,
}

/// The answer to a query for a route.
#[derive(Debug, Default)]
pub(super) struct FoundRoute {
    pub reach: Reach,
    /// The route to the goal, or to the nearest reachable cell.
    pub route: Route,
    /// The number of cells that the search for a route to the goal has expanded.
    pub expanded: u64,
    /// The duration of that search in microseconds.
    pub micros: u128,
}

impl FoundRoute {
    /// Logs it as the answer to a query.
    pub fn log(&self, RouteQuery { from, to, .. }: &RouteQuery) {
        let Route { cells, cost } = &self.route;
        if self.reach == Reach::Goal {
            let cost = format_args!("{:.3}", cost.tiles());
            info!(%from, %to, %cost, cells = cells.len(), expanded = self.expanded, micros = self.micros, "route found");
        } else {
            let nearest = cells.last().unwrap_or(from);
            info!(%from, %to, %nearest, "no route");
        }
    }
}

/// Asks for one route after the other.
#[derive(Default)]
pub(super) struct RouteAsker {
    /// The routes that were asked for.
    pub routes: Latest<GridQuery, FoundRoute>,
    /// The last route that a search has found, because a valid one needs no new search.
    pub known: Arc<Mutex<Replanner>>,
}

/// The work that answers a query.
pub(super) fn work(
    query: RouteQuery,
    grid: Arc<CostGrid>,
    known: Arc<Mutex<Replanner>>,
) -> impl FnMut(&mut Planner, &Progress) -> ControlFlow<(), FoundRoute> + Send + 'static {
    let answer = FoundRoute::default();
    let mut search = RouteProgress { query, answer, time: Duration::ZERO, nearest: None, search: None };
    move |planner, progress| search.advance(planner, &mut lock(&known), &grid, progress)
}

/// The progress of the search for a route.
struct RouteProgress {
    query: RouteQuery,
    answer: FoundRoute,
    /// The duration of the search for the goal so far.
    time: Duration,
    /// The reachable cell nearest to the goal, once the goal is known to be unreachable.
    nearest: Option<Cell>,
    /// The search in progress.
    search: Option<RouteSearch>,
}

impl RouteProgress {
    /// Searches for the route, and pauses when it must.
    fn advance(
        &mut self,
        planner: &mut Planner,
        known: &mut Replanner,
        grid: &CostGrid,
        progress: &Progress,
    ) -> ControlFlow<(), FoundRoute> {
        if self.answer.reach == Reach::Nowhere {
            let begun = Instant::now();
            let searched = self.search_goal(planner, known, grid, progress);
            self.time += begun.elapsed();
            searched?;
            self.answer.micros = self.time.as_micros();
            self.answer.reach = if self.answer.route.is_empty() { Reach::Nearest } else { Reach::Goal };
        }
        if let Some(nearest) = self.nearest {
            plan(planner, &mut self.search, grid, self.query.with_goal(nearest), progress, |result| {
                result.route.into_iter().for_each(|route| self.answer.route.assign(route));
            })?;
        }
        ControlFlow::Continue(std::mem::take(&mut self.answer))
    }

    /// Searches for a route to the goal, or for the nearest reachable cell. There is no search if the known route is
    /// certainly still the cheapest.
    fn search_goal(
        &mut self,
        planner: &mut Planner,
        known: &mut Replanner,
        grid: &CostGrid,
        progress: &Progress,
    ) -> ControlFlow<()> {
        let Self { answer, nearest, search, .. } = self;
        let query = self.query.with_partial();
        let mut take = |result: &SearchResult<'_>| {
            if let Some(route) = result.route {
                answer.route.assign(route);
                answer.expanded = result.expanded;
            }
            *nearest = result.partial.and_then(|partial| partial.cells.last().copied());
        };
        if search.is_none()
            && let Ok(Some(result)) = known.known(planner, grid, &query)
        {
            take(&result);
            return ControlFlow::Continue(());
        }
        plan(planner, search, grid, query, progress, |result| {
            take(result);
            known.keep(grid, &query, result);
        })
    }
}

/// Continues the search for a query, and calls `take` with its result at the end.
fn plan(
    planner: &mut Planner,
    search: &mut Option<RouteSearch>,
    grid: &CostGrid,
    query: RouteQuery,
    progress: &Progress,
    mut take: impl FnMut(&SearchResult<'_>),
) -> ControlFlow<()> {
    let begun = search.get_or_insert_with(|| RouteSearch::new(query));
    progress.in_slices(|cells| begun.advance(planner, grid, cells).map(|result| result.iter().for_each(&mut take)))?;
    *search = None;
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_path::grid::Size;
    use emberwalk_path::{Algorithm, Diagonal, EntryCost, Options};

    /// For every query, a search in slices gives the same answer as one without.
    #[test]
    fn an_answer_in_slices_is_the_same() {
        let cost = |cell: Cell| {
            let is_wall = cell.x == 300 || cell.y % 9 == 4 && cell.x % 13 != cell.y % 11;
            (!is_wall).then(|| EntryCost::from_tiles(f64::from(1 + (cell.x / 10 + cell.y / 6) % 3)).unwrap())
        };
        let grid = Arc::new(CostGrid::from_fn(Size::new(400, 320), Diagonal::GAME, cost).unwrap());
        let mut pauses = 0;
        for (to, algorithm) in [
            (Cell::new(280, 304), Algorithm::Auto),
            (Cell::new(280, 304), Algorithm::Dijkstra),
            (Cell::new(280, 304), Algorithm::Greedy),
            (Cell::new(380, 304), Algorithm::Weighted { weight: 2.0 }),
        ] {
            let query = RouteQuery::new(Cell::new(2, 2), to).with_options(Options::default().with_algorithm(algorithm));
            let mut answer = |has_time: bool| {
                let mut planner = Planner::new();
                let mut work = work(query, grid.clone(), Arc::default());
                loop {
                    if let ControlFlow::Continue(found) = work(&mut planner, &Progress::without_job(&|| has_time)) {
                        return (found.reach, found.route, found.expanded);
                    }
                    pauses += 1;
                }
            };
            let whole = answer(true);
            assert_eq!(answer(false), whole, "{algorithm}");
            assert_eq!(whole.0, if to.x < 300 { Reach::Goal } else { Reach::Nearest });
        }
        assert!(pauses > 10, "{pauses} pauses");
    }
}
