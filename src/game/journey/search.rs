//! One search for a route: what is asked, the memory that the search uses, and its answer.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use bevy::prelude::Entity;

use crate::clock::Instant;
use crate::game::frames::work::{GoOn, in_slices};
use crate::grid::Cell;
use crate::path::{CostGrid, Options, Planner, Query, Replanner, Route, RouteCost, Search, SearchResult, Stamp};

/// Where a route leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Nowhere: there is no goal, or no traveller to go there.
    #[default]
    Nowhere,
    /// To the goal.
    Goal,
    /// To the reachable cell nearest to the goal, which is unreachable.
    Nearest,
}

/// Who asks for a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asker {
    Traveller(Entity),
    Preview,
}

/// What a route was planned with: the terrain, as the stamp of the cost grid, and the options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Basis {
    grid: Stamp,
    options: Options,
}

impl Basis {
    pub fn new(grid: &CostGrid, options: Options) -> Self {
        Self { grid: grid.stamp(), options }
    }
}

/// A question to the planner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub asker: Asker,
    pub basis: Basis,
    pub query: Query,
}

/// The answer to a question.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub reach: Reach,
    /// The route to the goal, or to the nearest reachable cell.
    pub route: Route,
    /// The lowest cost of all routes between the same ends. It is known only for the route of a traveller, if the
    /// options do not guarantee that it has that cost.
    pub lowest: Option<RouteCost>,
    /// The number of cells that the search for a route to the goal has expanded.
    pub expanded: u64,
    /// The duration of that search in microseconds.
    pub micros: u128,
}

/// A planner, with memory for its last answer.
#[derive(Debug, Default)]
pub(super) struct Searcher {
    pub planner: Planner,
    pub answer: Answer,
    /// What is searched for next; `None` if no search was paused.
    next: Option<Next>,
    /// The search that was paused.
    search: Option<Search>,
}

/// What a searcher searches for next.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// The route to the goal. That has taken so long until now.
    Goal(Duration),
    /// The reachable cell nearest to the goal.
    NearestCell,
    /// The route to that cell.
    Nearest(Cell),
    /// The lowest cost of all routes to this cell.
    Lowest(Cell),
}

impl Searcher {
    /// Searches for the route that `question` asks for. With `known`, there is no search if the route that is known is
    /// certainly still the cheapest.
    pub fn search(&mut self, grid: &CostGrid, question: &Question, known: Option<&mut Replanner>) {
        (self.next, self.search) = (None, None);
        let _ = self.search_with_pauses(grid, question, known, &|| ControlFlow::Continue(()));
    }

    /// Does the same, and pauses when `go_on` says so. The next call goes on; the question must be the same.
    pub fn search_with_pauses(
        &mut self,
        grid: &CostGrid,
        question: &Question,
        mut known: Option<&mut Replanner>,
        go_on: GoOn<'_>,
    ) -> ControlFlow<()> {
        let Self { planner, answer, next, search } = self;
        let Question { asker, query, .. } = *question;
        let wants_lowest = asker != Asker::Preview && !query.options.optimal();
        let lowest_to = |cell: Cell| wants_lowest.then_some(Next::Lowest(cell));
        loop {
            *next = match *next.get_or_insert(Next::Goal(Duration::ZERO)) {
                Next::Goal(before) => {
                    let begun = Instant::now();
                    (answer.lowest, answer.expanded) = (None, 0);
                    answer.route.clear();
                    let mut take = |result: &SearchResult<'_>| {
                        if let Some(route) = result.route {
                            answer.route.assign(route);
                            answer.expanded = result.expanded;
                        }
                    };
                    let is_known = known.as_deref_mut().is_some_and(|known| {
                        let result = known.known(planner, grid, &query).ok().flatten();
                        result.as_ref().map(&mut take).is_some()
                    });
                    let planned = if is_known {
                        ControlFlow::Continue(())
                    } else {
                        plan(planner, search, grid, query, go_on, |result| {
                            take(result);
                            if let Some(known) = known.as_deref_mut() {
                                known.keep(grid, &query, result);
                            }
                        })
                    };
                    let time = before + begun.elapsed();
                    *next = Some(Next::Goal(time));
                    planned?;
                    answer.micros = time.as_micros();
                    answer.reach = if answer.route.is_empty() { Reach::Nearest } else { Reach::Goal };
                    if answer.route.is_empty() { Some(Next::NearestCell) } else { lowest_to(query.to) }
                }
                Next::NearestCell => {
                    let nearest = planner.nearest_reachable(grid, &query);
                    Some(Next::Nearest(nearest.ok().flatten().unwrap_or(query.from)))
                }
                Next::Nearest(to) => {
                    plan(planner, search, grid, Query { to, ..query }, go_on, |result| {
                        if let Some(route) = result.route {
                            answer.route.assign(route);
                        }
                    })?;
                    lowest_to(to)
                }
                Next::Lowest(to) => {
                    let options = Options::default().with_rules(query.options.rules());
                    let exact = Query { to, ..query }.with_options(options);
                    plan(planner, search, grid, exact, go_on, |result| answer.lowest = result.cost())?;
                    None
                }
            };
            if next.is_none() {
                return ControlFlow::Continue(());
            }
        }
    }
}

/// Goes on with the search for a query, and calls `take` with the result once it is there.
fn plan(
    planner: &mut Planner,
    search: &mut Option<Search>,
    grid: &CostGrid,
    query: Query,
    go_on: GoOn<'_>,
    mut take: impl FnMut(&SearchResult<'_>),
) -> ControlFlow<()> {
    let begun = search.get_or_insert_with(|| Search::new(query));
    in_slices(go_on, |cells| begun.advance(planner, grid, cells).map(|result| result.iter().for_each(&mut take)))?;
    *search = None;
    ControlFlow::Continue(())
}

/// A search beside the frames, with everything that it needs. It comes back with the answer.
pub(super) struct Job {
    pub question: Question,
    pub searcher: Box<Searcher>,
    /// The grid to search on, as it was when the question was asked.
    pub grid: Arc<CostGrid>,
    /// What a traveller knows from its last answer.
    pub known: Replanner,
}

impl Job {
    /// Searches for the answer, and pauses when `go_on` says so. The next call goes on.
    pub fn search(&mut self, go_on: GoOn<'_>) -> ControlFlow<()> {
        let known = matches!(self.question.asker, Asker::Traveller(_)).then_some(&mut self.known);
        self.searcher.search_with_pauses(&self.grid, &self.question, known, go_on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Size;
    use crate::path::{Algorithm, Diagonal, EntryCost};

    /// Whatever is asked, an answer in parts is that of one search: the route, the nearest cell, and the lowest cost.
    #[test]
    fn an_answer_with_pauses_is_the_same() {
        let cost = |cell: Cell| {
            let is_wall = cell.x == 150 || cell.y % 9 == 4 && cell.x % 13 != cell.y % 11;
            (!is_wall).then(|| EntryCost::from_tiles(f64::from(1 + (cell.x / 10 + cell.y / 6) % 3)).unwrap())
        };
        let grid = CostGrid::from_fn(Size::new(200, 160), Diagonal::GAME, cost).unwrap();
        for (to, algorithm) in [
            (Cell::new(140, 152), Algorithm::Auto),
            (Cell::new(140, 152), Algorithm::Dijkstra),
            (Cell::new(140, 152), Algorithm::Greedy),
            (Cell::new(190, 152), Algorithm::Weighted { weight: 2.0 }),
        ] {
            let options = Options { algorithm, ..Options::default() };
            let query = Query::new(Cell::new(2, 2), to).with_options(options);
            let asker = Asker::Traveller(Entity::PLACEHOLDER);
            let question = Question { asker, basis: Basis::new(&grid, options), query };
            let [mut searcher, mut paused] = [Searcher::default(), Searcher::default()];
            searcher.search(&grid, &question, None);
            let (mut known, mut pauses) = (Replanner::new(), 0);
            while paused.search_with_pauses(&grid, &question, Some(&mut known), &|| ControlFlow::Break(())).is_break() {
                pauses += 1;
            }
            let said =
                |Answer { reach, route, lowest, expanded, .. }: &Answer| (*reach, route.clone(), *lowest, *expanded);
            assert_eq!(said(&paused.answer), said(&searcher.answer), "{algorithm}");
            assert_eq!(searcher.answer.lowest.is_some(), !options.optimal(), "{algorithm}");
            assert_eq!(searcher.answer.reach, if to.x < 150 { Reach::Goal } else { Reach::Nearest });
            assert!(pauses > 10, "{algorithm}: {pauses} pauses");
        }
    }
}
