//! Searches for routes: the answer, and how the worker finds it.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use emberwalk_path::{CostGrid, Planner, Replanner, Route, RouteQuery, RouteSearch, SearchResult};

use crate::{Instant, Progress};

/// Where a route leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Nowhere: there is no goal, no route leads there, or none is planned yet.
    #[default]
    Nowhere,
    /// To the goal.
    Goal,
    /// To the reachable cell that is nearest to the goal, which is unreachable.
    Nearest,
}

/// The answer to a query for a route.
#[derive(Clone, Debug, Default)]
pub struct FoundRoute {
    /// Where the route leads: to the goal, or to the reachable cell that is nearest to it.
    pub reach: Reach,
    /// The route; empty if there is none.
    pub route: Route,
    /// The number of cells that the search has expanded.
    pub expanded: u64,
    /// The duration of the search; zero where it was not measured.
    pub time: Duration,
}

impl From<&SearchResult<'_>> for FoundRoute {
    fn from(result: &SearchResult) -> Self {
        let reach = match result {
            SearchResult { route: Some(_), .. } => Reach::Goal,
            SearchResult { partial: Some(_), .. } => Reach::Nearest,
            _ => Reach::Nowhere,
        };
        let route = result.route_or_partial().map(|route| route.to_route()).unwrap_or_default();
        Self { reach, route, expanded: result.expanded, time: Duration::ZERO }
    }
}

/// The work that answers a query.
pub(super) fn work(
    query: RouteQuery,
    grid: Arc<CostGrid>,
    last: Arc<Mutex<Replanner>>,
) -> impl FnMut(&mut Planner, &Progress) -> ControlFlow<(), FoundRoute> + Send + 'static {
    let query = query.with_partial();
    let (mut search, mut time) = (None, Duration::ZERO);
    move |planner, progress| {
        let begun = Instant::now();
        // A replanner is whole after each answer, even if another one has panicked.
        let last = &mut last.lock().unwrap_or_else(PoisonError::into_inner);
        let found = progress.in_slices(|cells| advance(&query, &grid, planner, last, &mut search, cells));
        time += begun.elapsed();
        ControlFlow::Continue(FoundRoute { time, ..found? })
    }
}

/// Goes on with a search, and expands about this many cells. There is none if the last route is certainly still the
/// cheapest.
fn advance(
    query: &RouteQuery,
    grid: &CostGrid,
    planner: &mut Planner,
    last: &mut Replanner,
    search: &mut Option<RouteSearch>,
    cells: u64,
) -> Poll<FoundRoute> {
    if search.is_none()
        && let Ok(Some(result)) = last.known(planner, grid, query)
    {
        return Poll::Ready(FoundRoute::from(&result));
    }
    let begun = search.get_or_insert_with(|| RouteSearch::new(*query));
    begun.advance(planner, grid, cells).map(|result| {
        // A goal off the map has no answer.
        result.ok().map_or_else(FoundRoute::default, |result| {
            last.keep(grid, query, &result);
            FoundRoute::from(&result)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_path::grid::{Cell, Size};
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
