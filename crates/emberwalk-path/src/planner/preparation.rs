//! The preparation of a planner before queries: connected components, landmark tables and jump points.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::task::Poll;

use super::Planner;
use crate::bounds::distance_tables::DistanceTables;
use crate::bounds::landmarks::Landmarks;
use crate::budget::{Budget, finished, poll};
use crate::search::jumps::jump_points::JumpPoints;
use crate::search::memory::Progress;
use crate::{Algorithm, CostGrid, Options, Stamp, StepRules};

/// Jump points that take more memory than this are made only if [`Planner::prepare`] or [`Planner::prepare_passes`]
/// asks for them, which is the case for more than about 2560 x 2560 cells. `Auto` does not leave out turns either if
/// these would take more.
pub(super) const MAX_BYTES_UNASKED: usize = 100 << 20;

impl Planner {
    /// Prepares the data that queries with these options use on this grid: the connected components, and for
    /// [`Algorithm::Auto`] the landmark tables and, with eight moves and [`Corners::Never`](crate::Corners::Never), the
    /// jump points. They take 82 bytes per cell, and the time of about twenty searches over the whole grid, divided by
    /// two threads. Without landmarks `Auto` is A* over the jump points with bounds by distance alone.
    ///
    /// A planner holds the tables of one grid and one set of step rules, the last ones that were prepared. After
    /// changes of the grid, the next query or the next call of this method updates them, in microseconds for a few
    /// dozen cells. If cells become cheaper or passable in more than eight places or in large regions, it updates the
    /// landmark tables: it repairs them, or computes them again where that is faster, which takes about as long as new
    /// tables at most. The bounds always stay valid; near fewer such places they are less tight until
    /// [`refresh`](Self::refresh) has computed the tables again.
    ///
    /// On a grid with [links](CostGrid::add_link) only the components are prepared, because searches use nothing else.
    ///
    /// A clone of a planner shares all of this, see [`PlannerTables`](crate::PlannerTables).
    pub fn prepare(&mut self, grid: &CostGrid, options: &Options) {
        finished(self.advance_preparation(grid, options, Budget::UNLIMITED));
    }

    /// Does the work of [`prepare`](Self::prepare) [in slices](crate#work-in-slices) of about `cells` visited cells. It
    /// starts over if the grid, the step rules or the memory limit have changed. The finished tables are the same as
    /// after `prepare`.
    ///
    /// It also updates finished tables in slices after changes of the grid. A query that needs them, or
    /// [`Replanner::plan`](crate::Replanner::plan), finishes the update first; so does a [`RouteSearch`](crate::RouteSearch), in its own
    /// slices.
    ///
    /// Meanwhile, queries are answered without tables. An unfinished preparation takes 24 to 40 bytes per cell in
    /// addition to the tables. To free all of it, call [`forget_prepared`](Self::forget_prepared) or drop the planner.
    ///
    /// ```
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_path::{CostGrid, Options, Planner};
    /// let grid = CostGrid::open(Size::new(64, 64))?;
    /// let (mut planner, mut frames) = (Planner::new(), 1);
    /// while planner.advance_preparation(&grid, &Options::default(), 20_000).is_pending() {
    ///     if let Some((done, all)) = planner.preparation_progress() {
    ///         println!("{done} of {all} tables");
    ///     }
    ///     // Draw a frame, and answer queries.
    ///     frames += 1;
    /// }
    /// assert!(frames > 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance_preparation(&mut self, grid: &CostGrid, options: &Options, cells: u64) -> Poll<()> {
        poll(self.make_tables(grid, options, &mut Budget::new(cells)))
    }

    /// The number of landmark tables that an unfinished preparation has computed, and the maximum number that there
    /// will be. `None` if no preparation is under way, or if it has not started on the tables.
    pub fn preparation_progress(&self) -> Option<(usize, usize)> {
        self.tables.landmarks.as_ref()?.progress()
    }

    /// Limits the number of threads that [`prepare`](Self::prepare) uses. Without a limit it uses two where the machine
    /// has them, and one on grids of less than about 90 x 90 cells. The tables do not depend on this number.
    pub fn set_max_threads(&mut self, threads: NonZeroUsize) {
        self.max_threads = Some(threads);
    }

    /// Limits the memory, in bytes, of everything that [`prepare`](Self::prepare) computes; by default there is no
    /// limit.
    ///
    /// The jump points come first, if there is room for their 16 bytes per cell; then the landmark tables, which take
    /// 66 bytes per cell and a few thousand bytes more. Each of the two is made whole or not at all.
    ///
    /// Memory that queries need in any case does not count: 4 bytes per cell for the components, and for the search 8
    /// bytes per cell and 5 for each cell on the open list, with jump points 8 bytes per cell more.
    ///
    /// ```
    /// use emberwalk_path::grid::Size;
    /// use emberwalk_path::{CostGrid, Options, Planner};
    /// let grid = CostGrid::open(Size::new(200, 200))?;
    /// let mut planner = Planner::new();
    /// planner.set_max_prepared_bytes(1_000_000);
    /// planner.prepare(&grid, &Options::default());
    /// assert!((1..=1_000_000).contains(&planner.prepared_bytes()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_max_prepared_bytes(&mut self, bytes: usize) {
        self.max_prepared_bytes = Some(bytes);
        self.paused = None;
    }

    /// The memory, in bytes, of the landmark tables and jump points, including [unfinished](Self::advance_preparation)
    /// ones.
    pub fn prepared_bytes(&self) -> usize {
        self.tables.landmarks.as_ref().map_or(0, |landmarks| landmarks.bytes()) + self.tables.jump_point_bytes()
    }

    /// Frees the landmark tables and jump points, including [unfinished](Self::advance_preparation) ones.
    /// Queries continue to work without them.
    pub fn forget_prepared(&mut self) {
        (self.tables.landmarks, self.tables.jump_points, self.paused) = (None, None, None);
    }

    fn make_tables(&mut self, grid: &CostGrid, options: &Options, budget: &mut Budget) -> ControlFlow<()> {
        let rules = options.rules;
        self.paused = None;
        let are_unused = options.algorithm != Algorithm::Auto || grid.links_for(rules).is_some();
        if are_unused || self.update_landmarks(grid, rules, budget)? {
            return self.make_passes(grid, options, budget);
        }
        // Useless tables are freed before new ones are allocated.
        self.tables.landmarks.take_if(|landmarks| !landmarks.can_continue(grid, rules));
        self.make_passes(grid, options, budget)?;
        let jump_point_bytes = self.tables.jump_point_bytes();
        let max_bytes = self.max_prepared_bytes.unwrap_or(usize::MAX).saturating_sub(jump_point_bytes);
        if DistanceTables::bytes_for(grid) > max_bytes {
            self.tables.landmarks = None;
            return ControlFlow::Continue(());
        }
        let mut landmarks = self.tables.landmarks.take();
        let components = self.tables.components(grid, rules);
        let made = landmarks.get_or_insert_with(|| Landmarks::new(grid, rules, components).into()).make(
            grid,
            components,
            self.max_threads,
            budget,
        );
        self.tables.landmarks = landmarks;
        made
    }

    /// Prepares the connected components and the jump points, but not the landmark tables. That takes O(cells), a few
    /// passes over the grid, and so a small part of the time of [`prepare`](Self::prepare).
    ///
    /// The first query does the same if it has to. Call this to have it done before, such as while a level is loaded.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, Options, Planner, RouteQuery};
    /// let grid = CostGrid::open(Size::new(64, 64))?;
    /// let mut planner = Planner::new();
    /// planner.prepare_passes(&grid, &Options::default());
    /// let result = planner.plan(&grid, &RouteQuery::new(Cell::new(0, 0), Cell::new(63, 20)))?;
    /// assert!(result.expanded < 10, "by jump points");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare_passes(&mut self, grid: &CostGrid, options: &Options) {
        let _ = self.make_passes(grid, options, &mut Budget::new(Budget::UNLIMITED));
    }

    fn make_passes(&mut self, grid: &CostGrid, options: &Options, budget: &mut Budget) -> ControlFlow<()> {
        self.paused = None;
        self.components(grid, options.rules);
        if options.algorithm != Algorithm::Auto || grid.links_for(options.rules).is_some() {
            return ControlFlow::Continue(());
        }
        self.cheap_regions(grid);
        let max_bytes = self.max_jump_point_bytes();
        self.tables.jump_points.take_if(|points| points.bytes() > max_bytes);
        if JumpPoints::exist_for(options.rules) && JumpPoints::bytes_for(grid) <= max_bytes {
            self.tables.update_jump_points(grid, budget)?;
        }
        ControlFlow::Continue(())
    }

    /// Creates the jump points or brings them up to date with the grid: O(cells), like labelling the connected
    /// components; returns `false` if there are none for these rules, or no memory for them. Pauses when the budget is
    /// spent.
    pub(super) fn update_jump_points(
        &mut self,
        grid: &CostGrid,
        rules: StepRules,
        budget: &mut Budget,
    ) -> ControlFlow<(), bool> {
        if !JumpPoints::exist_for(rules) {
            return ControlFlow::Continue(false);
        }
        let have_room = self.tables.jump_points.as_ref().is_some_and(|points| points.have_room_for(grid))
            || JumpPoints::bytes_for(grid) <= self.max_jump_point_bytes().min(MAX_BYTES_UNASKED);
        if have_room {
            self.tables.update_jump_points(grid, budget)?;
        }
        ControlFlow::Continue(have_room)
    }

    /// The number of bytes that jump points may take in addition to finished landmarks.
    fn max_jump_point_bytes(&self) -> usize {
        let finished = self.tables.landmarks.as_ref().filter(|landmarks| landmarks.progress().is_none());
        let landmarks = finished.map_or(0, |landmarks| landmarks.bytes());
        self.max_prepared_bytes.unwrap_or(usize::MAX).saturating_sub(landmarks)
    }

    /// Computes the oldest landmark table again if its bounds became less tight because cells became cheaper. This
    /// takes as long as one or two searches over the whole grid. Returns `false` if there is no such table. Call it
    /// when there is time, such as between frames.
    pub fn refresh(&mut self, grid: &CostGrid, options: &Options) -> bool {
        finished(self.advance_refresh(grid, options, Budget::UNLIMITED))
    }

    /// Does the work of [`refresh`](Self::refresh) [in slices](crate#work-in-slices) of about `cells` visited cells. It
    /// starts over if the grid changes, or if the planner runs a search in between.
    ///
    /// ```
    /// use std::task::Poll;
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, EntryCost, Options, Planner};
    /// let mut grid = CostGrid::open(Size::new(200, 200))?;
    /// let (mut planner, options) = (Planner::new(), Options::default());
    /// planner.prepare(&grid, &options);
    /// grid.set(Cell::new(70, 90), Some(EntryCost::from_tiles(0.5)?));
    /// assert_eq!(planner.advance_refresh(&grid, &options, 30_000), Poll::Pending);
    /// // After the next frame:
    /// assert_eq!(planner.advance_refresh(&grid, &options, 30_000), Poll::Ready(true), "a table is as good as new");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance_refresh(&mut self, grid: &CostGrid, options: &Options, cells: u64) -> Poll<bool> {
        poll(self.refresh_table(grid, options, &mut Budget::new(cells)))
    }

    fn refresh_table(&mut self, grid: &CostGrid, options: &Options, budget: &mut Budget) -> ControlFlow<(), bool> {
        if options.algorithm != Algorithm::Auto || !self.update_landmarks(grid, options.rules, budget)? {
            return ControlFlow::Continue(false);
        }
        let paused = self.paused.take().map(|paused| [paused, grid.stamp()]);
        if paused.is_none() || self.refresh != paused {
            self.memory.fill = Progress::default();
        }
        let Some(landmarks) = self.tables.landmarks.as_deref_mut() else { return ControlFlow::Continue(false) };
        let refreshed = landmarks.refresh(grid, &mut self.memory, budget);
        if refreshed.is_break() {
            let stamp = Stamp::new();
            (self.paused, self.refresh) = (Some(stamp), Some([stamp, grid.stamp()]));
        }
        refreshed
    }
}
