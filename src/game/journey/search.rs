//! Searches for routes: the question, the answer, and how the planner's worker finds it.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::game::jobs::worker::Worker;
use crate::game::jobs::{Job, Jobs, Progress};
use emberwalk_map::clock::Instant;
use emberwalk_map::threads::lock;
use emberwalk_path::grid::Cell;
use emberwalk_path::{
    CostGrid, Options, Planner, Replanner, Route, RouteCost, RouteQuery, RouteSearch, SearchResult, Stamp,
};

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

/// Who asks for a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asker {
    Traveller,
    Preview,
}

/// The input of a plan: the terrain, as the stamp of the cost grid, and the options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Basis {
    grid: Stamp,
    options: Options,
}

impl Basis {
    pub fn new(grid: &CostGrid, options: Options) -> Self {
        Self { grid: grid.stamp(), options }
    }

    /// The options.
    pub fn options(self) -> Options {
        self.options
    }
}

/// A question to the planner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub asker: Asker,
    pub basis: Basis,
    pub query: RouteQuery,
}

/// The answer to a question.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub reach: Reach,
    /// The route to the goal, or to the nearest reachable cell.
    pub route: Route,
    /// The lowest cost of all routes between the same ends. It is computed only for the route of a traveller, and only
    /// if the options do not guarantee the lowest cost.
    pub lowest: Option<RouteCost>,
    /// The number of cells that the search for a route to the goal has expanded.
    pub expanded: u64,
    /// The duration of that search in microseconds.
    pub micros: u128,
}

/// The state of a search.
#[derive(Default)]
struct RouteProgress {
    answer: Answer,
    /// The last answer, because a valid one needs no new search.
    known: Replanner,
    /// The target of the next search; `None` before the first slice and after the last one.
    next: Option<Next>,
    /// The search in progress.
    search: Option<RouteSearch>,
}

/// The target of the next search.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// The route to the goal, with the duration of the search so far.
    Goal(Duration),
    /// The reachable cell nearest to the goal.
    NearestCell,
    /// The route to that cell.
    Nearest(Cell),
    /// The lowest cost of all routes to this cell.
    Lowest(Cell),
}

impl RouteProgress {
    /// Searches for the route that `question` asks for, and pauses when it must. The next call continues; the question
    /// must be the same. There is no search if the known route is certainly still the cheapest.
    fn search(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        question: &Question,
        progress: &Progress,
    ) -> ControlFlow<()> {
        let Self { answer, known, next, search } = self;
        let Question { asker, query, .. } = *question;
        let wants_lowest = asker == Asker::Traveller && !query.options.optimal();
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
                    let result = known.known(planner, grid, &query).ok().flatten();
                    let is_known = result.as_ref().map(&mut take).is_some();
                    let planned = if is_known {
                        ControlFlow::Continue(())
                    } else {
                        plan(planner, search, grid, query, progress, |result| {
                            take(result);
                            known.keep(grid, &query, result);
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
                    plan(planner, search, grid, query.with_goal(to), progress, |result| {
                        result.route.into_iter().for_each(|route| answer.route.assign(route));
                    })?;
                    lowest_to(to)
                }
                Next::Lowest(to) => {
                    let options = Options::default().with_rules(query.options.rules);
                    let exact = query.with_goal(to).with_options(options);
                    plan(planner, search, grid, exact, progress, |result| answer.lowest = result.cost())?;
                    None
                }
            };
            if next.is_none() {
                return ControlFlow::Continue(());
            }
        }
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

/// Asks for one route after the other.
pub(super) struct RouteAsker {
    asker: Asker,
    /// The question that is being answered.
    asked: Option<(Question, Job<()>)>,
    /// The data of the search, which is kept for the next one.
    progress: Arc<Mutex<RouteProgress>>,
    /// The last answer.
    answer: Answer,
}

impl RouteAsker {
    pub fn new(asker: Asker) -> Self {
        Self { asker, asked: None, progress: Arc::default(), answer: Answer::default() }
    }

    pub fn asker(&self) -> Asker {
        self.asker
    }

    /// Whether a question for a route to this cell on this grid, or an earlier version of it, is being answered.
    pub fn is_asking_for(&self, to: Cell, grid: &CostGrid) -> bool {
        self.asked.as_ref().is_some_and(|(Question { query, basis, .. }, _)| {
            query.to == to && grid.changes_since(basis.grid).is_some()
        })
    }

    /// The last answer.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Cancels the question.
    pub fn cancel(&mut self) {
        self.asked = None;
    }

    /// Asks another question.
    pub fn ask(&mut self, worker: &Worker<Planner>, urgency: u8, question: Question, grid: Arc<CostGrid>) {
        let shared = self.progress.clone();
        let mut has_begun = false;
        let job = worker.start(urgency, "Planning a route", move |planner, progress| {
            let mut search = lock(&shared);
            if !std::mem::replace(&mut has_begun, true) {
                (search.next, search.search) = (None, None);
            }
            search.search(planner, &grid, &question, progress)
        });
        self.asked = Some((question, job));
    }

    /// The question that is being answered and its answer, if that is ready within this time.
    pub fn receive(&mut self, jobs: &Jobs, limit: Duration) -> Option<(Question, &Answer)> {
        let (question, job) = self.asked.as_ref()?;
        let (question, result) = (*question, jobs.wait_at_most(job, limit)?);
        self.asked = None;
        let mut search = lock(&self.progress);
        if result.is_err() {
            *search = RouteProgress::default();
        }
        std::mem::swap(&mut self.answer, &mut search.answer);
        drop(search);
        Some((question, &self.answer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::frames::wake::Waker;
    use crate::game::jobs::State;
    use emberwalk_path::grid::Size;
    use emberwalk_path::{Algorithm, Diagonal, EntryCost};

    /// For every question, a search in slices gives the same answer as one without: the route, the nearest cell, and
    /// the lowest cost.
    #[test]
    fn an_answer_in_slices_is_the_same() {
        let cost = |cell: Cell| {
            let is_wall = cell.x == 300 || cell.y % 9 == 4 && cell.x % 13 != cell.y % 11;
            (!is_wall).then(|| EntryCost::from_tiles(f64::from(1 + (cell.x / 10 + cell.y / 6) % 3)).unwrap())
        };
        let grid = CostGrid::from_fn(Size::new(400, 320), Diagonal::GAME, cost).unwrap();
        let state = State::default();
        let mut pauses = 0;
        for (to, algorithm) in [
            (Cell::new(280, 304), Algorithm::Auto),
            (Cell::new(280, 304), Algorithm::Dijkstra),
            (Cell::new(280, 304), Algorithm::Greedy),
            (Cell::new(380, 304), Algorithm::Weighted { weight: 2.0 }),
        ] {
            let options = Options::default().with_algorithm(algorithm);
            let query = RouteQuery::new(Cell::new(2, 2), to).with_options(options);
            let question = Question { asker: Asker::Traveller, basis: Basis::new(&grid, options), query };
            let [mut whole, mut paused] = [RouteProgress::default(), RouteProgress::default()];
            let _ = whole.search(&mut Planner::new(), &grid, &question, &Progress::of(&state, &|| true));
            let mut planner = Planner::new();
            while paused.search(&mut planner, &grid, &question, &Progress::of(&state, &|| false)).is_break() {
                pauses += 1;
            }
            let said =
                |Answer { reach, route, lowest, expanded, .. }: &Answer| (*reach, route.clone(), *lowest, *expanded);
            assert_eq!(said(&paused.answer), said(&whole.answer), "{algorithm}");
            assert_eq!(whole.answer.lowest.is_some(), !options.optimal(), "{algorithm}");
            assert_eq!(whole.answer.reach, if to.x < 300 { Reach::Goal } else { Reach::Nearest });
        }
        assert!(pauses > 10, "{pauses} pauses");
    }

    fn question_to(to: Cell, grid: &CostGrid) -> Question {
        let query = RouteQuery::new(Cell::new(0, 0), to);
        Question { asker: Asker::Traveller, basis: Basis::new(grid, query.options), query }
    }

    /// How long a test waits for an answer.
    const LONG: Duration = Duration::from_secs(60);

    fn asker() -> (Jobs, Worker<Planner>, RouteAsker, Arc<CostGrid>) {
        let grid = CostGrid::from_fn(Size::new(9, 1), Diagonal::GAME, |_| Some(EntryCost::TILE)).unwrap();
        let jobs = Jobs::new(Waker::default());
        (jobs.clone(), Worker::new("Planning", jobs), RouteAsker::new(Asker::Traveller), Arc::new(grid))
    }

    #[test]
    fn an_outdated_question_is_dropped_and_its_answer_too() {
        let (jobs, worker, mut asker, grid) = asker();
        let [old, new] = [5, 7].map(|x| Cell::new(x, 0));
        asker.ask(&worker, 0, question_to(old, &grid), grid.clone());
        assert!(asker.is_asking_for(old, &grid));
        asker.ask(&worker, 0, question_to(new, &grid), grid.clone());
        assert!(asker.is_asking_for(new, &grid) && !asker.is_asking_for(old, &grid));
        let (question, answer) = asker.receive(&jobs, LONG).expect("it is quick");
        assert_eq!((question.query.to, answer.route.cells.last()), (new, Some(&new)));
        assert!(!asker.is_asking_for(new, &grid));
        assert_eq!(Arc::strong_count(&grid), 1, "an edit need not copy it");
        assert!(asker.receive(&jobs, Duration::ZERO).is_none());
    }

    #[test]
    fn a_search_that_panics_has_no_route() {
        let (jobs, worker, mut asker, grid) = asker();
        let question = question_to(Cell::new(7, 0), &grid);
        asker.ask(&worker, 0, question, grid.clone());
        assert!(asker.receive(&jobs, LONG).is_some(), "the next search uses its memory");
        let shared = asker.progress.clone();
        let failing = worker.start(0, "Planning a route", move |_, _| {
            let _search = shared.lock();
            panic!("a bug")
        });
        asker.asked = Some((question, failing));
        let (_, answer) = asker.receive(&jobs, LONG).expect("nobody waits for ever");
        assert_eq!((answer.reach, answer.route.cells.len()), (Reach::Nowhere, 0));
        asker.ask(&worker, 0, question, grid);
        let (_, answer) = asker.receive(&jobs, LONG).expect("it plans again");
        assert_eq!(answer.reach, Reach::Goal);
    }
}
