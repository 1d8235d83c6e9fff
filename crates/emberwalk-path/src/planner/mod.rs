//! The planner: created once, asked often; it keeps its memory between queries.

mod breach;
mod dispatch;
mod paused_query;
mod through;

pub use breach::Breach;
pub(crate) use paused_query::Watcher;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread::available_parallelism;

use self::paused_query::{FirstHalf, PausedNearest, PausedQuery};
use crate::bounds::cheap_regions::CheapRegions;
use crate::bounds::heuristic::{SkewDistance, distance_bound};
use crate::bounds::jump_points::JumpPoints;
use crate::bounds::landmark_placement::{Effort, OnProgress};
use crate::bounds::landmarks::{Landmarks, NewLandmarks};
use crate::components::Components;
use crate::cost::cost_grid::{capacity_bytes, max_array_len};
use crate::grid::Cell;
use crate::nearest_reachable;
use crate::pauses::{ALWAYS, GoOn};
use crate::query::passable;
use crate::search::memory::{Endpoints, Memory, SearchContext};
use crate::search::turn_steps::TurnCache;
use crate::{
    Algorithm, CostGrid, Endpoint, Observer, Options, Query, QueryError, RouteCost, RouteRef, SearchResult, Stamp,
    StepRules,
};

/// Jump points that take more memory than this are made only if [`Planner::prepare`] or [`Planner::prepare_passes`]
/// asks for them: those of more than about 2560 x 2560 cells. `Auto` does not leave out turns either, if these take
/// more.
const MAX_BYTES_UNASKED: usize = 100 << 20;

/// Finds routes on cost grids.
///
/// A planner keeps its memory, which is that of the largest grid so far: after the first queries [`plan`](Self::plan)
/// allocates nothing. Only [`prepare`](Self::prepare) makes tables. The planner notices by itself when a grid has
/// changed, or is another one than before.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, Query};
/// let mut grid = CostGrid::from_fn(Size::new(3, 3), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
/// grid.set(Cell::new(1, 1), None);
/// let mut planner = Planner::new();
/// let result = planner.plan(&grid, &Query::new(Cell::new(0, 1), Cell::new(2, 1)))?;
/// assert_eq!(result.cells().len(), 5, "around the blocked cell, without cutting its corners");
/// assert_eq!(result.cost().unwrap().tiles(), 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Planner {
    memory: Memory,
    /// The components of each kind.
    components: [Option<Components>; 3],
    landmarks: Option<Box<Landmarks>>,
    /// Those of a preparation that was paused.
    new_landmarks: Option<Box<NewLandmarks>>,
    /// For the step rules that have them.
    jump_points: Option<JumpPoints>,
    cheap_regions: CheapRegions,
    /// For searches over neighbours with the plain distance.
    turns: TurnCache,
    cells: Vec<Cell>,
    /// The query whose search was paused, in `memory`.
    paused: Option<PausedQuery>,
    /// The number of the last recording.
    recordings: u64,
    paused_nearest: Option<PausedNearest>,
    first_half: Option<FirstHalf>,
    max_threads: Option<NonZeroUsize>,
    max_prepared_bytes: Option<usize>,
    always_uses_tables: bool,
}

impl Planner {
    /// Returns a planner that has allocated nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Prepares what queries with these options use on this grid: the connected components, and for [`Algorithm::Auto`]
    /// the landmark tables and, with eight moves and [`Corners::Never`](crate::Corners::Never), the jump points. They
    /// take 82 bytes a cell, and the time of about twenty searches over the whole grid, divided by two threads. Without
    /// landmarks `Auto` is A* over the jump points with bounds by distance alone.
    ///
    /// A planner has tables for one grid and one set of step rules, those prepared last. The next query, or the next
    /// call of this method, updates them after changes of the grid, in microseconds for a few dozen cells. The bounds
    /// always stay valid; but if cells become cheaper in many places or in large regions, they are less tight and
    /// queries are slower until [`renew`](Self::renew) has computed them again.
    pub fn prepare(&mut self, grid: &CostGrid, options: &Options) {
        let _ = self.prepare_with_progress(grid, options, &|_, _| ControlFlow::Continue(()));
    }

    /// Sets how many threads [`prepare`](Self::prepare) may use; at first all that the machine has. It never uses more
    /// than two, and only one on grids of less than about 90 x 90 cells. The tables do not depend on it.
    pub fn set_max_threads(&mut self, threads: NonZeroUsize) {
        self.max_threads = Some(threads);
    }

    /// Sets how many bytes all that [`prepare`](Self::prepare) makes may take; at first there is no limit.
    ///
    /// First come the jump points, if there is room for them, with 16 bytes a cell, then landmark tables as fine as
    /// they fit. With 31, 23 or 15 tables these take 66, 50 or 34 bytes a cell; if squares of 2 x 2 cells share a row,
    /// with 31, 23, 15 or 7 tables 17, 13, 9 or 5; and a few thousand bytes more. Coarser bounds are less tight, but
    /// answers stay exact.
    ///
    /// What queries need in any case does not count: 4 bytes a cell for the components, and for the search 4 bytes a
    /// cell and 5 for each cell on the open list, with jump points 16 a cell more.
    ///
    /// ```
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Options, Planner};
    /// let grid = CostGrid::from_fn(Size::new(200, 200), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let mut planner = Planner::new();
    /// planner.set_max_prepared_bytes(400_000);
    /// planner.prepare(&grid, &Options::default());
    /// assert!((1..=400_000).contains(&planner.prepared_bytes()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_max_prepared_bytes(&mut self, bytes: usize) {
        self.max_prepared_bytes = Some(bytes);
        self.paused = None;
    }

    /// Returns how many bytes the landmark tables and jump points take, also those that are not finished because their
    /// preparation was [paused](Self::prepare_with_progress).
    pub fn prepared_bytes(&self) -> usize {
        self.landmarks.as_ref().map_or(0, |landmarks| landmarks.bytes())
            + self.new_landmarks.as_ref().map_or(0, |new| new.bytes())
            + self.jump_points.as_ref().map_or(0, JumpPoints::bytes)
    }

    /// Frees the landmark tables and jump points, and abandons a preparation that was
    /// [paused](Self::prepare_with_progress). Queries go on without them.
    pub fn forget_prepared(&mut self) {
        (self.landmarks, self.new_landmarks, self.jump_points, self.paused) = (None, None, None, None);
    }

    /// Prepares the same as [`prepare`](Self::prepare), and calls `on_progress` before each landmark table, with the
    /// number of tables before it and the number of all tables, and again every few milliseconds, from any of the
    /// threads. Both numbers are 0 until the components and the jump points are found.
    ///
    /// If it returns `Break`, the preparation is paused, and this method returns `Break`. The next call goes on, if the
    /// grid, the step rules and the limit of memory are the same; otherwise it begins anew. The tables are those of a
    /// preparation that was never paused. Queries are answered in between, without tables. A paused preparation takes
    /// 20 to 24 bytes a cell beside the tables; [`forget_prepared`](Self::forget_prepared) frees all that, and so does
    /// dropping the planner.
    ///
    /// Where there are no threads, that spreads the work over many frames:
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use std::time::{Duration, Instant};
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Options, Planner};
    /// let grid = CostGrid::from_fn(Size::new(64, 64), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let mut planner = Planner::new();
    /// let mut frames = 1;
    /// loop {
    ///     let begun = Instant::now();
    ///     let has_time = |_, _| match begun.elapsed() < Duration::from_millis(2) {
    ///         true => ControlFlow::Continue(()),
    ///         false => ControlFlow::Break(()),
    ///     };
    ///     if planner.prepare_with_progress(&grid, &Options::default(), &has_time).is_continue() {
    ///         break;
    ///     }
    ///     // Draw a frame, and answer queries.
    ///     frames += 1;
    /// }
    /// println!("prepared in {frames} frames");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// On a thread of its own, a preparation can be abandoned:
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Options, Planner};
    /// let grid = CostGrid::from_fn(Size::new(64, 64), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// // Another thread can set this.
    /// let is_cancelled = AtomicBool::new(true);
    /// let go_on = |_, _| match is_cancelled.load(Ordering::Relaxed) {
    ///     true => ControlFlow::Break(()),
    ///     false => ControlFlow::Continue(()),
    /// };
    /// assert!(Planner::new().prepare_with_progress(&grid, &Options::default(), &go_on).is_break());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare_with_progress(
        &mut self,
        grid: &CostGrid,
        options: &Options,
        on_progress: OnProgress<'_>,
    ) -> ControlFlow<()> {
        let rules = options.rules();
        self.paused = None;
        if options.algorithm != Algorithm::Auto || self.update_landmarks(grid, rules) {
            return self.prepare_passes_with_pauses(grid, options, &|| on_progress(0, 0));
        }
        // Tables that are of no use are freed before the new ones are allocated.
        self.landmarks = None;
        self.new_landmarks.take_if(|new| !new.are_for(grid, rules));
        self.prepare_passes_with_pauses(grid, options, &|| on_progress(0, 0))?;
        let jump_point_bytes = self.jump_points.as_ref().map_or(0, JumpPoints::bytes);
        let max_bytes = self.max_prepared_bytes.unwrap_or(usize::MAX).saturating_sub(jump_point_bytes);
        let shape = Landmarks::shape_for(grid, max_bytes);
        self.new_landmarks.take_if(|new| Some(new.shape()) != shape);
        let Some(shape) = shape else { return ControlFlow::Continue(()) };
        let max_threads = self.max_threads.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let components = components_for(&mut self.components, rules);
        let new = self.new_landmarks.take().unwrap_or_else(|| NewLandmarks::new(grid, rules, components, shape).into());
        match new.make(grid, components, Effort { max_threads, on_progress }) {
            Ok(landmarks) => {
                self.landmarks = Some(landmarks);
                ControlFlow::Continue(())
            }
            Err(paused) => {
                self.new_landmarks = Some(paused);
                ControlFlow::Break(())
            }
        }
    }

    /// Prepares only what a few passes over the grid can make, in O(cells): everything that [`prepare`](Self::prepare)
    /// makes but the landmark tables.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Options, Planner, Query};
    /// let grid = CostGrid::from_fn(Size::new(64, 64), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let mut planner = Planner::new();
    /// planner.prepare_passes(&grid, &Options::default());
    /// let result = planner.plan(&grid, &Query::new(Cell::new(0, 0), Cell::new(63, 20)))?;
    /// assert!(result.expanded < 10, "by jump points");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare_passes(&mut self, grid: &CostGrid, options: &Options) {
        let _ = self.prepare_passes_with_pauses(grid, options, ALWAYS);
    }

    /// Prepares the same as [`prepare_passes`](Self::prepare_passes), and calls `go_on` every few milliseconds. If that
    /// returns `Break`, the passes are paused, and this method returns `Break`. The next call goes on if the grid is
    /// the same, and so does the next query, but without pauses.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Options, Planner};
    /// let grid = CostGrid::from_fn(Size::new(200, 200), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let (mut planner, mut frames) = (Planner::new(), 1);
    /// while planner.prepare_passes_with_pauses(&grid, &Options::default(), &|| ControlFlow::Break(())).is_break() {
    ///     frames += 1;
    /// }
    /// assert!(frames > 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare_passes_with_pauses(
        &mut self,
        grid: &CostGrid,
        options: &Options,
        go_on: GoOn<'_>,
    ) -> ControlFlow<()> {
        self.paused = None;
        components_for(&mut self.components, options.rules()).update_with_pauses(grid, go_on)?;
        if options.algorithm != Algorithm::Auto {
            return ControlFlow::Continue(());
        }
        self.cheap_regions(grid);
        let max_bytes = self.max_jump_point_bytes();
        self.jump_points = self.jump_points.take().filter(|points| points.bytes() <= max_bytes);
        if JumpPoints::exist_for(options.rules()) && JumpPoints::bytes_for(grid) <= max_bytes {
            self.jump_points.get_or_insert_default().update(grid, go_on)?;
        }
        ControlFlow::Continue(())
    }

    /// Brings the jump points up to date with the grid, or makes them: O(cells), as labelling the connected components;
    /// returns `false` if there are none for these rules, or no memory for them. Pauses when `go_on` says so.
    fn update_jump_points(&mut self, grid: &CostGrid, rules: StepRules, go_on: GoOn<'_>) -> ControlFlow<(), bool> {
        if !JumpPoints::exist_for(rules) {
            return ControlFlow::Continue(false);
        }
        let exist = self.jump_points.as_ref().is_some_and(|points| points.have_room_for(grid));
        let has_room = exist || JumpPoints::bytes_for(grid) <= self.max_jump_point_bytes().min(MAX_BYTES_UNASKED);
        if has_room {
            self.jump_points.get_or_insert_default().update(grid, go_on)?;
        }
        ControlFlow::Continue(has_room)
    }

    /// Uses tables and jump points wherever there are any, also where plain searches are faster. For tests of their
    /// exactness.
    #[doc(hidden)]
    pub fn always_use_tables(&mut self) {
        self.paused = None;
        self.always_uses_tables = true;
    }

    /// Returns how many bytes jump points may take beside the landmarks.
    fn max_jump_point_bytes(&self) -> usize {
        let landmarks = self.landmarks.as_ref().map_or(0, |landmarks| landmarks.bytes());
        self.max_prepared_bytes.unwrap_or(usize::MAX).saturating_sub(landmarks)
    }

    /// Allocates memory for A* with these options on any grid of at most `cells` cells, whatever its shape. Such
    /// queries then allocate nothing, unless more than half the cells are on the open list at once, or the grid has
    /// levels.
    pub fn reserve(&mut self, cells: usize, options: &Options) {
        let len = max_array_len(cells);
        self.paused = None;
        self.memory.nodes.reserve(len);
        self.memory.small_nodes.reserve(len);
        self.turns.reserve(len);
        self.memory.buckets.reserve(len / 2);
        components_for(&mut self.components, options.rules()).reserve(cells);
        // On level ground a cheapest route enters at most two of four cells that all touch.
        self.cells.reserve_exact((len / 2).saturating_sub(self.cells.len()));
    }

    /// Returns how many bytes the planner has allocated, without its landmark tables, jump points and cheap regions.
    pub fn bytes(&self) -> usize {
        let components: usize = self.components.iter().flatten().map(Components::bytes).sum();
        let renewal = self.landmarks.as_ref().map_or(0, |landmarks| landmarks.renewal_bytes());
        self.memory.bytes() + self.turns.bytes() + components + capacity_bytes(&self.cells) + renewal
    }

    /// Computes the oldest landmark table again if its bounds became less tight because cells became cheaper, in the
    /// time of one or two searches over the whole grid; returns `false` if there is no such table. Call it when there
    /// is time, such as between frames.
    pub fn renew(&mut self, grid: &CostGrid, options: &Options) -> bool {
        self.renew_with_pauses(grid, options, ALWAYS) == ControlFlow::Continue(true)
    }

    /// Does the same as [`renew`](Self::renew), and calls `go_on` every few milliseconds. If that returns `Break`, the
    /// renewal is paused, and this method returns `Break`. The next call goes on if the grid is the same; if it has
    /// changed, the table is begun anew. In between, queries are answered with the tables as they were.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Options, Planner};
    /// let mut grid = CostGrid::from_fn(Size::new(200, 200), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let (mut planner, options) = (Planner::new(), Options::default());
    /// planner.prepare(&grid, &options);
    /// grid.set(Cell::new(70, 90), Some(EntryCost::from_tiles(0.5)?));
    /// assert!(planner.renew_with_pauses(&grid, &options, &|| ControlFlow::Break(())).is_break());
    /// // After the next frame:
    /// let renewed = planner.renew_with_pauses(&grid, &options, &|| ControlFlow::Continue(()));
    /// assert_eq!(renewed, ControlFlow::Continue(true), "and others are left");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew_with_pauses(&mut self, grid: &CostGrid, options: &Options, go_on: GoOn<'_>) -> ControlFlow<(), bool> {
        if options.algorithm != Algorithm::Auto || !self.update_landmarks(grid, options.rules()) {
            return ControlFlow::Continue(false);
        }
        self.paused = None;
        let Some(landmarks) = &mut self.landmarks else { return ControlFlow::Continue(false) };
        landmarks.renew(grid, &mut self.memory, go_on)
    }

    /// Answers a query.
    ///
    /// If start and goal are in different connected components, the answer has no route and no search is run. If the
    /// start is the goal, the route is one cell of cost 0.
    ///
    /// # Errors
    /// [`QueryError`] if the start or the goal is off the map or blocked (the start is checked first), or if a weight
    /// is below 1 or not finite.
    pub fn plan(&mut self, grid: &CostGrid, query: &Query) -> Result<SearchResult<'_>, QueryError> {
        self.plan_observed(grid, query, &mut ())
    }

    /// Answers a query, as [`plan`](Self::plan) does, while `observer` watches the search. If the goal is unreachable,
    /// the search runs only if the observer asks for it, see [`Observer::SEARCHES_UNREACHABLE`].
    ///
    /// # Errors
    /// See [`plan`](Self::plan).
    pub fn plan_observed<O: Observer>(
        &mut self,
        grid: &CostGrid,
        query: &Query,
        observer: &mut O,
    ) -> Result<SearchResult<'_>, QueryError> {
        self.paused = None;
        let planned = self.plan_watched(grid, query, observer, Watcher::Nobody, ALWAYS);
        planned.continue_value().expect("nothing pauses the search")
    }

    /// Answers a query, as [`plan`](Self::plan) does, and calls `go_on` every few milliseconds. If that returns
    /// `Break`, the search is paused, and this method returns `Break`. The next call goes on if the query and the grid
    /// are the same, and if the planner has done nothing else meanwhile; otherwise it begins anew. The answer is that
    /// of a search that was never paused.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, Query};
    /// let grid = CostGrid::from_fn(Size::new(200, 150), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// let (mut planner, query) = (Planner::new(), Query::new(Cell::new(0, 0), Cell::new(199, 9)));
    /// let mut frames = 1;
    /// while planner.plan_with_pauses(&grid, &query, &|| ControlFlow::Break(())).is_break() {
    ///     // Draw a frame.
    ///     frames += 1;
    /// }
    /// assert!(frames > 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`plan`](Self::plan).
    pub fn plan_with_pauses(
        &mut self,
        grid: &CostGrid,
        query: &Query,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), Result<SearchResult<'_>, QueryError>> {
        self.plan_watched(grid, query, &mut (), Watcher::Nobody, go_on)
    }

    /// Does the same while `observer` watches, as [`plan_observed`](Self::plan_observed) does. What a paused search has
    /// already done is not shown again, so each call should have the same observer.
    ///
    /// # Errors
    /// See [`plan`](Self::plan).
    pub fn plan_observed_with_pauses<O: Observer>(
        &mut self,
        grid: &CostGrid,
        query: &Query,
        observer: &mut O,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), Result<SearchResult<'_>, QueryError>> {
        // A search that nobody watches remembers less of each cell.
        let watcher = if O::ACTIVE { Watcher::Observer } else { Watcher::Nobody };
        self.plan_watched(grid, query, observer, watcher, go_on)
    }

    /// Does the same for any watcher. A search that was paused goes on only if the watcher is the same.
    pub(crate) fn plan_watched<O: Observer>(
        &mut self,
        grid: &CostGrid,
        query: &Query,
        observer: &mut O,
        watcher: Watcher,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), Result<SearchResult<'_>, QueryError>> {
        let paused = self.paused.take().filter(|paused| paused.is_of(grid, query, watcher));
        let (endpoints, weight) = match ends(grid, query).and_then(|ends| Ok((ends, weight(&query.options)?))) {
            Ok(valid) => valid,
            Err(error) => return ControlFlow::Continue(Err(error)),
        };
        let options = &query.options;
        self.cells.clear();
        self.memory.has_jumped = false;
        components_for(&mut self.components, options.rules()).update_with_pauses(grid, go_on)?;
        let mut context = SearchContext::new(grid, endpoints, observer, paused.map(|paused| paused.search), go_on);
        let connected = self.components(grid, options.rules()).are_connected(grid, query.from, query.to);
        let found = if query.from == query.to {
            ControlFlow::Continue(true)
        } else if connected || O::SEARCHES_UNREACHABLE {
            self.search_for(&mut context, options, weight, connected)
        } else {
            ControlFlow::Continue(false)
        };
        let SearchContext { counts, .. } = context;
        let ControlFlow::Continue(found) = found else {
            self.paused = context.goes_on().then(|| PausedQuery::new(grid, query, watcher, context.paused()));
            return ControlFlow::Break(());
        };
        debug_assert_eq!(found, connected, "a search finds a route if there is one");
        if found {
            self.follow_parents(grid, query);
        }
        let cost_of_steps = |cells: &[Cell]| options.rules().cost_of_steps(grid, cells);
        let route = found.then(|| {
            // To look up every step of a long route takes longer than some searches.
            let Memory { jump_nodes, has_jumped, .. } = &self.memory;
            let known = has_jumped.then(|| jump_nodes.cost(endpoints.goal)).flatten();
            let cost = known.map_or_else(|| cost_of_steps(&self.cells), RouteCost::from_units);
            debug_assert_eq!(cost, cost_of_steps(&self.cells));
            RouteRef { cells: &self.cells, cost }
        });
        let (expanded, reopened, optimal) = (counts.expanded, counts.reopened, options.optimal());
        ControlFlow::Continue(Ok(SearchResult { route, expanded, reopened, optimal }))
    }

    /// Searches between two different cells, with the bounds that there are if they are connected; returns whether a
    /// route was found.
    fn search_for<O: Observer>(
        &mut self,
        context: &mut SearchContext<'_, O>,
        options: &Options,
        weight: f64,
        connected: bool,
    ) -> ControlFlow<(), bool> {
        let found = if connected { self.search_with_bounds(context, options)? } else { None };
        match found {
            Some(found) => ControlFlow::Continue(found),
            None => self.search(context, options, weight),
        }
    }

    /// Returns the number of a new recording.
    pub(crate) fn begin_recording(&mut self) -> Watcher {
        self.recordings += 1;
        Watcher::Recording(self.recordings)
    }

    /// Whether a search was paused that this one watches, and the planner has done nothing else since.
    pub(crate) fn is_paused_for(&self, grid: &CostGrid, query: &Query, watcher: Watcher) -> bool {
        self.paused.as_ref().is_some_and(|paused| paused.is_of(grid, query, watcher))
    }

    /// Returns the cell nearest to the goal of the query that can be reached from its start: the smallest straight-line
    /// distance, then the lowest cost from the start, then the smaller row, then the smaller column. `None` only if the
    /// goal is off the map.
    ///
    /// Of the options only the [step rules](Options::rules) matter: the cell is the same for every algorithm. It takes
    /// one query for each cell of that smallest distance.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, Query};
    /// let mut grid = CostGrid::from_fn(Size::new(9, 1), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
    /// grid.set(Cell::new(5, 0), None);
    /// let query = Query::new(Cell::new(0, 0), Cell::new(8, 0));
    /// assert_eq!(Planner::new().nearest_reachable(&grid, &query)?, Some(Cell::new(4, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError`] if the start is off the map or blocked.
    pub fn nearest_reachable(&mut self, grid: &CostGrid, query: &Query) -> Result<Option<Cell>, QueryError> {
        self.paused_nearest = None;
        let found = self.nearest_reachable_with_pauses(grid, query, ALWAYS);
        found.continue_value().expect("nothing pauses the searches")
    }

    /// Does the same as [`nearest_reachable`](Self::nearest_reachable), and pauses as
    /// [`plan_with_pauses`](Self::plan_with_pauses) does.
    ///
    /// # Errors
    /// The same.
    pub fn nearest_reachable_with_pauses(
        &mut self,
        grid: &CostGrid,
        query: &Query,
        go_on: GoOn<'_>,
    ) -> ControlFlow<(), Result<Option<Cell>, QueryError>> {
        let Query { from, to: goal, options } = *query;
        let rules = options.rules();
        if let Err(error) = passable(grid, Endpoint::Start, from) {
            return ControlFlow::Continue(Err(error));
        }
        if !grid.size().contains(goal) {
            return ControlFlow::Continue(Ok(None));
        }
        let components = components_for(&mut self.components, rules);
        components.update_with_pauses(grid, go_on)?;
        let paused = self.paused_nearest.take().filter(|paused| paused.is_of(grid, query));
        let mut nearest = paused.unwrap_or_else(|| {
            let reachable = |cell| components.are_connected(grid, from, cell);
            let distance = nearest_reachable::distance_squared(grid.size(), goal, reachable);
            PausedNearest::new(grid, query, distance)
        });
        let options = Options::default().with_rules(rules);
        for cell in nearest.cells_left(goal) {
            if grid.is_passable(cell) {
                match self.plan_with_pauses(grid, &Query::new(from, cell).with_options(options), go_on) {
                    ControlFlow::Continue(Ok(result)) => nearest.note(cell, result.cost()),
                    ControlFlow::Continue(Err(error)) => return ControlFlow::Continue(Err(error)),
                    ControlFlow::Break(()) => {
                        self.paused_nearest = Some(nearest);
                        return ControlFlow::Break(());
                    }
                }
            }
            nearest.done += 1;
        }
        ControlFlow::Continue(Ok(nearest.cheapest()))
    }

    /// Returns the connected components for these rules, as the grid is now.
    fn components(&mut self, grid: &CostGrid, rules: StepRules) -> &Components {
        let components = components_for(&mut self.components, rules);
        components.update(grid);
        components
    }

    /// Returns the regions of cheap cells of the grid as it is now.
    pub(crate) fn cheap_regions(&mut self, grid: &CostGrid) -> &CheapRegions {
        self.cheap_regions.update(grid);
        &self.cheap_regions
    }

    /// Returns a lower bound, by the landmarks, on the cost of every route of this query through a region that became
    /// cheaper after the grid had that stamp; 0 without landmarks.
    pub(crate) fn bound_through_decreases_since(&mut self, stamp: Stamp, grid: &CostGrid, query: &Query) -> u64 {
        if !self.update_landmarks(grid, query.options.rules()) {
            return 0;
        }
        self.landmarks.as_deref_mut().map_or(0, |landmarks| {
            let (from, to) = (grid.index(query.from), grid.index(query.to));
            let distance = distance_bound::<SkewDistance>(grid, query.options.moves);
            if landmarks.are_directed() {
                landmarks.bound_through_decreases_since::<_, true>(stamp, grid, from, to, distance)
            } else {
                landmarks.bound_through_decreases_since::<_, false>(stamp, grid, from, to, distance)
            }
        })
    }

    /// Reads the changes of the grid before the grid forgets them.
    pub(crate) fn catch_up(&mut self, grid: &CostGrid, options: &Options) {
        self.components(grid, options.rules());
        self.update_landmarks(grid, options.rules());
        self.cheap_regions(grid);
    }

    /// Brings the landmarks up to date with the grid; returns `false` if there are none for it and these rules.
    fn update_landmarks(&mut self, grid: &CostGrid, rules: StepRules) -> bool {
        let landmarks = self.landmarks.as_deref_mut().filter(|landmarks| landmarks.are_for(grid, rules));
        landmarks.is_some_and(|landmarks| landmarks.catch_up(grid))
    }
}

/// Returns the ends of a query; an error if one is off the grid or blocked. The start is checked first.
pub(crate) fn ends(grid: &CostGrid, query: &Query) -> Result<Endpoints, QueryError> {
    let start = passable(grid, Endpoint::Start, query.from)?;
    let goal = passable(grid, Endpoint::Goal, query.to)?;
    Ok(Endpoints { start, goal })
}

/// Returns the weight of the algorithm.
fn weight(options: &Options) -> Result<f64, QueryError> {
    match options.algorithm {
        Algorithm::Weighted { weight } if weight.is_finite() && weight >= 1.0 => Ok(weight),
        Algorithm::Weighted { weight } => Err(QueryError::Weight(weight)),
        _ => Ok(1.0),
    }
}

/// Returns the components for these rules, of the three kinds that there are.
fn components_for(components: &mut [Option<Components>; 3], rules: StepRules) -> &mut Components {
    components[Components::joined_by(rules) as usize].get_or_insert_with(|| Components::new(rules))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Size;
    use crate::{ClimbRule, Diagonal, EntryCost, Level};

    /// Everything that is prepared is the same to the last bit, however often the preparation is paused.
    #[test]
    fn pauses_change_nothing() {
        for (top, threads) in [(0, 1), (0, 2), (1, 1), (1, 2)] {
            let cost = |cell: Cell| {
                let is_wall = (cell.x * 13 + cell.y * 7) % 11 == 0;
                EntryCost::from_tiles(if is_wall { 0.0 } else { f64::from(1 + cell.x / 9 % 3 + cell.y / 5 % 2) })
            };
            let mut grid = CostGrid::from_fn(Size::new(170, 130), Diagonal::GAME, |cell| cost(cell).ok()).unwrap();
            grid.set_levels(ClimbRule::default(), |cell| Level::new((cell.y / 8 % 2 * top) as u8).unwrap());
            let (mut planner, mut paused) = (Planner::new(), Planner::new());
            for planner in [&mut planner, &mut paused] {
                planner.set_max_threads(NonZeroUsize::new(threads).unwrap());
            }
            planner.prepare(&grid, &Options::default());
            let mut pauses = 0;
            while paused.prepare_with_progress(&grid, &Options::default(), &|_, _| ControlFlow::Break(())).is_break() {
                pauses += 1;
                // A clone has what is not finished, too.
                paused = paused.clone();
            }
            assert!(pauses > 60, "{pauses}");
            let made = |planner: &Planner| {
                format!("{:?} {:?} {:?}", planner.landmarks, planner.jump_points, planner.components)
            };
            assert!(made(&planner) == made(&paused), "top level {top}, {threads} threads");
        }
    }
}
