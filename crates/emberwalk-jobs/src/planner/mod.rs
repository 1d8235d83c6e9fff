//! Planning in the background of a game: on another thread, or in slices between frames where there are none.

mod preparation;
mod query;
mod search;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use emberwalk_path::{CostGrid, Options, Planner, Replanner, Stamp};

use crate::{Job, Jobs, Latest, Progress, Worker};

pub use query::GridQuery;
pub use search::{FoundRoute, Reach};

use preparation::Preparation;

/// A [`Planner`] that works in the background and answers the most urgent question first. The frame in which a question is
/// new waits a little for the answer, so quick answers come without delay. When the others come depends on the machine.
///
/// All questions are about one cost grid, which may change. Call [`forget`](Self::forget) before those about another one.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use emberwalk_jobs::Jobs;
/// use emberwalk_jobs::planner::{AskedRoute, BackgroundPlanner, GridQuery, Reach};
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Options, RouteQuery};
/// let grid = Arc::new(CostGrid::open(Size::new(9, 5))?);
/// let mut planner = BackgroundPlanner::new(Jobs::default());
/// let mut asked = AskedRoute::default();
/// // In every frame.
/// let wanted = GridQuery::new(&grid, RouteQuery::new(Cell::new(0, 2), Cell::new(8, 2)));
/// let patience = Duration::from_secs(60);
/// if planner.follow(&mut asked, &grid, 0, Some(wanted), patience) {
///     let (query, found) = asked.routes.last().expect("the search does not panic");
///     assert_eq!((query, found.reach, found.route.cells.len()), (&wanted, Reach::Goal, 9));
/// }
/// // Makes long routes quick on large grids.
/// planner.prepare(&grid, Options::default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BackgroundPlanner {
    /// How long a frame should wait for a route.
    pub patience: Duration,
    jobs: Jobs,
    worker: Worker<Planner>,
    /// The stamp of the cost grid, and how many cells searches on it have expanded until then.
    expanded: (Stamp, u64),
    preparation: Preparation,
}

/// A route that is asked for again and again, see [`BackgroundPlanner::follow`].
#[derive(Default)]
pub struct AskedRoute {
    /// The last answer, and the query that is being answered.
    pub routes: Latest<GridQuery, FoundRoute>,
    /// The last route that a search has found. As long as it is the cheapest one, no other search is needed.
    last: Arc<Mutex<Replanner>>,
}

impl BackgroundPlanner {
    /// A planner that works by these jobs.
    pub fn new(jobs: Jobs) -> Self {
        Self {
            patience: Duration::from_millis(30),
            worker: Worker::new("Planning", jobs.clone()),
            jobs,
            expanded: <_>::default(),
            preparation: <_>::default(),
        }
    }

    /// Starts work on the planner, see [`Worker::start`]: the most urgent work has the urgency 0, and interrupts all other
    /// work. If work is interrupted in the middle of a search of the planner, that search begins again.
    pub fn start<A: Send + 'static>(
        &self,
        urgency: u8,
        task: &'static str,
        work: impl FnMut(&mut Planner, &Progress) -> ControlFlow<(), A> + Send + 'static,
    ) -> Job<A> {
        self.worker.start(urgency, task, work)
    }

    /// Drops what was prepared for another grid, and the memory of its searches.
    pub fn forget(&mut self) {
        self.preparation = Preparation::forgetting(&self.worker);
    }

    /// Prepares landmarks and jump points for queries with these options, as soon as that pays, and refreshes them after
    /// edits where that is quick. Call it in every frame, after the routes of the frame were asked for.
    pub fn prepare(&mut self, grid: &Arc<CostGrid>, options: Options) {
        let expanded = self.expanded_on(grid);
        self.preparation.follow(&self.worker, grid, options, expanded);
    }

    /// Asks for a route on this grid in every frame, as [`Latest::follow`] does, and returns whether there is another answer.
    /// While an older query for a route to the same cell is being answered, that answer comes first. The frame in which a query
    /// is new waits for the answer: no longer than `patience`.
    pub fn follow(
        &mut self,
        asked: &mut AskedRoute,
        grid: &Arc<CostGrid>,
        urgency: u8,
        wanted: Option<GridQuery>,
        patience: Duration,
    ) -> bool {
        let AskedRoute { routes, last } = asked;
        let unknown = wanted.filter(|wanted| routes.known() != Some(wanted));
        let leads_there =
            |next: &&GridQuery| unknown.is_some_and(|unknown| unknown.query.to == next.query.to) && next.is_of(grid);
        let query = routes.next().filter(leads_there).copied().or(wanted);
        let has_answer = Latest::follow(&mut *routes, query, &self.jobs.with_patience(patience), |query| {
            self.start(urgency, "Planning a route", search::work(query.query, grid.clone(), last.clone()))
        });
        if let Some((_, found)) = routes.last().filter(|_| has_answer) {
            self.expanded = (grid.stamp(), self.expanded_on(grid) + found.expanded);
        }
        has_answer
    }

    /// How many cells searches on this grid have expanded so far.
    fn expanded_on(&self, grid: &CostGrid) -> u64 {
        if grid.changes_since(self.expanded.0).is_some() { self.expanded.1 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use emberwalk_path::RouteQuery;
    use emberwalk_path::grid::{Cell, Size};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    /// Asks for a route from one column to another in the middle row.
    fn ask(
        planner: &mut BackgroundPlanner,
        asked: &mut AskedRoute,
        grid: &Arc<CostGrid>,
        [from, to]: [i32; 2],
        patience: Duration,
    ) -> bool {
        let wanted = GridQuery::new(grid, RouteQuery::new(Cell::new(from, 2), Cell::new(to, 2)));
        planner.follow(asked, grid, 0, Some(wanted), patience)
    }

    /// The columns of its ends, and how many cells were expanded.
    fn answer(asked: &AskedRoute) -> Option<([i32; 2], u64)> {
        asked.routes.last().map(|(GridQuery { query, .. }, found)| ([query.from.x, query.to.x], found.expanded))
    }

    #[test]
    fn a_route_that_still_is_the_cheapest_one_needs_no_search() {
        let mut grid = Arc::new(CostGrid::open(Size::new(9, 5)).unwrap());
        let (mut planner, mut asked) = (BackgroundPlanner::new(Jobs::default()), AskedRoute::default());
        assert!(ask(&mut planner, &mut asked, &grid, [0, 8], LONG));
        assert!(answer(&asked).is_some_and(|(_, expanded)| expanded > 0));
        assert!(!ask(&mut planner, &mut asked, &grid, [0, 8], LONG), "nothing has changed");

        let edit = |grid: &mut Arc<CostGrid>, row: i32| Arc::make_mut(grid).set(Cell::new(4, row), None);
        edit(&mut grid, 0);
        assert!(ask(&mut planner, &mut asked, &grid, [0, 8], LONG));
        assert_eq!(answer(&asked), Some(([0, 8], 0)), "the wall is beside the route");
        edit(&mut grid, 2);
        assert!(ask(&mut planner, &mut asked, &grid, [0, 8], LONG));
        assert!(answer(&asked).is_some_and(|(_, expanded)| expanded > 0), "the wall is on the route");
    }

    #[test]
    fn an_older_query_to_the_same_cell_is_answered_first() {
        let grid = Arc::new(CostGrid::open(Size::new(9, 5)).unwrap());
        let (mut planner, mut asked) = (BackgroundPlanner::new(Jobs::default()), AskedRoute::default());
        let (release, blocked) = channel::<()>();
        let _busy = planner.start(0, "Waiting", move |_, _| {
            let _ = blocked.recv();
            ControlFlow::Continue(())
        });
        assert!(!ask(&mut planner, &mut asked, &grid, [0, 8], Duration::ZERO));
        assert!(!ask(&mut planner, &mut asked, &grid, [1, 8], Duration::ZERO));
        assert_eq!(asked.routes.next().map(|next| next.query.from.x), Some(0));
        drop(release);
        let mut answers = Vec::new();
        while answers.len() < 2 {
            if ask(&mut planner, &mut asked, &grid, [1, 8], Duration::ZERO) {
                answers.extend(answer(&asked).map(|(ends, _)| ends));
            }
            thread::yield_now();
        }
        assert_eq!(answers, [[0, 8], [1, 8]]);
    }
}
