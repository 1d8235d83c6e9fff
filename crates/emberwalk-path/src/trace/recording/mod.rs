//! Recordings of searches, which can be looked at as they were at any position.

mod ahead;
mod other_program;
mod packed_event;
mod seen_cells;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::task::{Poll, ready};

use crate::ahead::timeline::NEVER;
use crate::budget::{Budget, finished};
use crate::grid::{Cell, Size};
use crate::trace::{Closed, Opened, SearchObserver};
use crate::{CostGrid, Planner, QueryError, Route, RouteCost, RouteQuery, RouteSearch, SearchResult};

use packed_event::PackedEvent;
use seen_cells::{SeenCell, SeenCells};

/// The sizes of the lists are stored once in this many events.
const SIZES_EVERY: usize = 1024;

/// Everything that a planner did to answer a query: the [events](SearchEvent) of the search in order, and its result.
///
/// A position is a number of events, from 0 to [`len`](Self::len). [`at`](Self::at) shows the search at a position, in
/// the same time whatever the position is: nothing is replayed.
///
/// A recorded search is not refused early. If the goal is unreachable, it closes every reachable cell.
///
/// An event takes 16 bytes, and a cell 16 bytes more, in blocks of 32 x 32 cells of which the search has seen one.
///
/// In a recording of a search that looks [`ahead`](Self::ahead), each event is about a cell in an interval of time.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::trace::{Recording, SearchEvent};
/// use emberwalk_path::{CostGrid, Planner, RouteQuery};
/// let grid = CostGrid::open(Size::new(3, 1))?;
/// let query = RouteQuery::new(Cell::new(0, 0), Cell::new(2, 0));
/// let recording = Recording::new(&mut Planner::new(), &grid, &query)?;
/// let cells: Vec<_> = recording.events().map(|event| (event.is_closed(), event.cell().x)).collect();
/// assert_eq!(cells, [(false, 0), (true, 0), (false, 1), (true, 1), (false, 2), (true, 2)]);
///
/// let moment = recording.at(3);
/// assert!(moment.state(Cell::new(0, 0)).unwrap().is_closed);
/// assert_eq!(moment.state(Cell::new(1, 0)).unwrap().g.tiles(), 1.0);
/// assert_eq!(moment.state(Cell::new(2, 0)), None, "not yet seen");
/// assert_eq!((moment.sizes().open, moment.sizes().closed), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recording {
    query: RouteQuery,
    size: Size,
    events: Vec<PackedEvent>,
    cells: SeenCells,
    /// When the traveller departs, if the search looked ahead.
    departure: Option<RouteCost>,
    /// If the search looked ahead: of each event, when the interval ends in which the cell stays passable, counted from the
    /// departure; [`NEVER`] if that does not end.
    open_until: Vec<u64>,
    /// The sizes at every position that is a multiple of [`SIZES_EVERY`].
    sizes: Vec<ListSizes>,
    is_complete: bool,
    route: Option<Route>,
    expanded: u64,
    reopened: u64,
}

/// An event of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
pub enum SearchEvent {
    /// It was put on the open list.
    Opened(Opened),
    /// It was taken off the open list.
    Closed(Closed),
}

impl SearchEvent {
    /// The cell.
    pub fn cell(&self) -> Cell {
        match self {
            Self::Opened(opened) => opened.cell,
            Self::Closed(closed) => closed.cell,
        }
    }

    /// Whether the cell was closed.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
}

/// The state of a cell at a position of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[non_exhaustive]
pub struct CellState {
    /// Whether the cell is closed; otherwise it is open.
    pub is_closed: bool,
    /// The position of its last event.
    pub since: usize,
    /// The cell whose expansion opened this one, see [`Opened::parent`]; `None` for the start.
    pub parent: Option<Cell>,
    /// The cost so far, see [`Opened::g`].
    pub g: RouteCost,
    /// The estimated cost to the goal, see [`Opened::h`].
    pub h: RouteCost,
    /// The key that orders the open list, see [`Opened::f`].
    pub f: RouteCost,
    /// In a search that looks [ahead](Recording::ahead): when the interval ends in which the cell stays passable, counted from
    /// the departure, as g is; `None` if it stays passable for ever, and in all other searches.
    pub open_until: Option<RouteCost>,
}

/// How many cells are on each list, and how often cells were expanded and reopened up to then. A search that looks
/// [ahead](Recording::ahead) counts a cell once for each interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[non_exhaustive]
pub struct ListSizes {
    /// The open cells.
    pub open: usize,
    /// The closed cells.
    pub closed: usize,
    /// The expansions, each of which closed a cell. The goal is closed without being expanded.
    pub expanded: usize,
    /// The closed cells that were opened again.
    pub reopened: usize,
}

impl Recording {
    /// The largest number of events; what happens after them is not recorded.
    pub const MAX_EVENTS: usize = 16_000_000;

    /// Answers a query and records the search, with whatever the planner has prepared.
    ///
    /// # Errors
    /// Those of [`Planner::plan`].
    pub fn new(planner: &mut Planner, grid: &CostGrid, query: &RouteQuery) -> Result<Self, QueryError> {
        finished(SearchRecorder::new(*query).advance(planner, grid, Budget::UNLIMITED))
    }

    /// A recording without events.
    fn empty(size: Size, query: RouteQuery) -> Self {
        Self {
            query,
            size,
            events: Vec::new(),
            cells: SeenCells::new(size),
            departure: None,
            open_until: Vec::new(),
            sizes: vec![ListSizes::default()],
            is_complete: true,
            route: None,
            expanded: 0,
            reopened: 0,
        }
    }

    /// The query that was answered.
    pub fn query(&self) -> &RouteQuery {
        &self.query
    }

    /// The number of events. It is 0 if the start is the goal.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Whether all events were recorded; otherwise there were more than [`MAX_EVENTS`](Self::MAX_EVENTS).
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The result of the search.
    pub fn result(&self) -> SearchResult<'_> {
        let route = self.route.as_ref().map(Route::as_route_ref);
        SearchResult::new(route, [self.expanded, self.reopened], self.query.options.optimal())
    }

    /// The event that leads from `position` to the position after it; `None` at the end.
    pub fn event(&self, position: usize) -> Option<SearchEvent> {
        let cell = self.cell_of_event(position)?;
        let CellState { is_closed, parent, g, h, f, .. } = self.state(position);
        let opened = Opened { cell, parent, g, h, f };
        Some(if is_closed { SearchEvent::Closed(Closed::same_as(opened)) } else { SearchEvent::Opened(opened) })
    }

    /// Iterates over all events.
    pub fn events(&self) -> impl ExactSizeIterator<Item = SearchEvent> {
        (0..self.len()).map(|position| self.event(position).expect("every position below the length has an event"))
    }

    /// The cell of the event at `position`; `None` at the end.
    pub fn cell_of_event(&self, position: usize) -> Option<Cell> {
        self.events.get(position).map(|event| self.cell(event.cell()))
    }

    /// The positions right after the events by which a closed cell was opened again, in increasing order. O(events).
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::trace::Recording;
    /// use emberwalk_path::{Algorithm, CostGrid, Diagonal, EntryCost, HeuristicScale, Options, Planner, RouteQuery};
    /// let road = EntryCost::from_tiles(0.1)?;
    /// let cost = |cell: Cell| Some(if cell.y == 0 { road } else { EntryCost::TILE });
    /// let grid = CostGrid::from_fn(Size::new(12, 4), Diagonal::GAME, cost)?;
    /// let options = Options::default().with_algorithm(Algorithm::AStar).with_scale(HeuristicScale::Classic);
    /// let query = RouteQuery::new(Cell::new(0, 3), Cell::new(11, 3)).with_options(options);
    /// let recording = Recording::new(&mut Planner::new(), &grid, &query)?;
    /// assert_eq!(recording.reopenings().count(), recording.result().reopened as usize);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reopenings(&self) -> impl Iterator<Item = usize> {
        let is_reopening =
            |position: usize| !self.events[position].is_closed() && self.was_closed_before(position) == Some(true);
        (0..self.len()).filter(move |position| is_reopening(*position)).map(|position| position + 1)
    }

    /// The search as it was at a position; at its end for a larger one.
    pub fn at(&self, position: usize) -> Moment<'_> {
        Moment { recording: self, position: position.min(self.len()) }
    }

    fn cell(&self, index: usize) -> Cell {
        let width = self.size.width as usize;
        Cell::new((index % width) as i32, (index / width) as i32)
    }

    /// The state of the cell of an event right after it.
    fn state(&self, position: usize) -> CellState {
        let event = self.events[position];
        let h = self.cells.get(self.cell(event.cell())).expect("every recorded cell was seen").h;
        let f = self.query.options.algorithm.key(event.g(), h);
        let [g, h, f] = [event.g(), h, f].map(RouteCost::from_units);
        let parent = event.parent().map(|parent| self.cell(parent));
        let open_until = self.open_until(position).filter(|time| *time != NEVER).map(RouteCost::from_units);
        CellState { is_closed: event.is_closed(), since: position, parent, g, h, f, open_until }
    }

    /// The departure of a search that looked [ahead](Self::ahead), on the clock of the outlook; `None` for all other searches.
    pub fn departure(&self) -> Option<RouteCost> {
        self.departure
    }

    /// When the interval ends in which the cell of an event stays passable; `None` if the search did not look ahead.
    fn open_until(&self, position: usize) -> Option<u64> {
        self.open_until.get(position).copied()
    }

    /// The positions of an event and of all earlier events of its cell, the latest first.
    fn chain(&self, last: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(last, |position| self.events[*position].previous(*position))
    }

    /// Whether the cell of an event was closed before it, in the same interval; `None` if it was not seen.
    fn was_closed_before(&self, position: usize) -> Option<bool> {
        let open_until = self.open_until(position);
        let mut earlier = self.chain(self.events[position].previous(position));
        let before = earlier.find(|before| self.open_until(*before) == open_until)?;
        Some(self.events[before].is_closed())
    }
}

/// A search as it was at a position of its recording, see [`Recording::at`].
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    recording: &'a Recording,
    position: usize,
}

impl<'a> Moment<'a> {
    /// The position: the number of events until now.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Whether nothing happens after this.
    pub fn is_last(&self) -> bool {
        self.position == self.recording.len()
    }

    /// The event that led to this position; `None` at position 0.
    pub fn last_event(&self) -> Option<SearchEvent> {
        self.recording.event(self.position.checked_sub(1)?)
    }

    /// The state of a cell; `None` if the search has not seen the cell yet, or if the cell is off the
    /// grid. In a search that looks ahead it is that in the interval of the cell's last event.
    ///
    /// The time grows with the number of the cell's own later events, which are a handful in nearly every search.
    pub fn state(&self, cell: Cell) -> Option<CellState> {
        Some(self.recording.state(self.last_event_of(cell)?))
    }

    /// The states of a cell in all intervals in which a search that looks [ahead](Recording::ahead) has reached it, the one
    /// of the last event first. In all other searches it is at most one [state](Self::state).
    pub fn states(self, cell: Cell) -> impl Iterator<Item = CellState> + use<'a> {
        self.states_since(self.last_event_of(cell))
    }

    /// The states in which a cell was opened until now, the latest first: each with its g and its parent. There is more than
    /// one if the search has found a cheaper route to the cell while it was open, or has reopened it; and, if it looks
    /// [ahead](Recording::ahead), if it has reached the cell in several intervals. Empty if the search has not seen the cell
    /// yet, or if the cell is off the grid.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::trace::Recording;
    /// use emberwalk_path::{Algorithm, CostGrid, Diagonal, EntryCost, HeuristicScale, Options, Planner, RouteQuery};
    /// let road = EntryCost::from_tiles(0.1)?;
    /// let cost = |cell: Cell| Some(if cell.y == 0 { road } else { EntryCost::TILE });
    /// let grid = CostGrid::from_fn(Size::new(12, 4), Diagonal::GAME, cost)?;
    /// let options = Options::default().with_algorithm(Algorithm::AStar).with_scale(HeuristicScale::Classic);
    /// let query = RouteQuery::new(Cell::new(0, 3), Cell::new(11, 3)).with_options(options);
    /// let recording = Recording::new(&mut Planner::new(), &grid, &query)?;
    /// let (end, goal) = (recording.at(recording.len()), Cell::new(11, 3));
    /// let g: Vec<_> = end.openings(goal).map(|state| state.g).collect();
    /// assert_eq!(g.first(), end.state(goal).map(|state| state.g).as_ref());
    /// assert!(g.is_sorted(), "each route is cheaper than the one before");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn openings(self, cell: Cell) -> impl Iterator<Item = CellState> + use<'a> {
        let recording = self.recording;
        let events = recording.chain(self.last_event_of(cell));
        events.filter(|position| !recording.events[*position].is_closed()).map(|position| recording.state(position))
    }

    /// How many cells are on the lists.
    pub fn sizes(&self) -> ListSizes {
        let Recording { events, sizes, .. } = self.recording;
        let stored = self.position / SIZES_EVERY;
        let mut now = sizes[stored];
        for (position, event) in events.iter().enumerate().take(self.position).skip(stored * SIZES_EVERY) {
            now.count(self.recording.was_closed_before(position), event.is_closed());
        }
        // The goal is closed last, without being expanded.
        let ends_at_goal =
            |last: &PackedEvent| last.is_closed() && self.recording.cell(last.cell()) == self.recording.query.to;
        now.expanded -=
            usize::from(self.is_last() && self.recording.is_complete && events.last().is_some_and(ends_at_goal));
        now
    }

    /// The open cells with the smallest f, at most `count`, in increasing order; of cells with the same f, the
    /// last opened one comes first. O(cells that the whole search has seen).
    pub fn best_open(&self, count: usize) -> Vec<Opened> {
        let mut best = BinaryHeap::with_capacity(count + 1);
        for seen in self.recording.cells.iter() {
            let last = self.last_before(seen.last as usize);
            for state in self.states_since(last).filter(|state| !state.is_closed) {
                best.push((state.f, Reverse(state.since)));
                if best.len() > count {
                    best.pop();
                }
            }
        }
        let events = best.into_sorted_vec().into_iter().map(|(_, Reverse(since))| self.recording.event(since));
        let opened = events.flatten().filter_map(|event| match event {
            SearchEvent::Opened(opened) => Some(opened),
            SearchEvent::Closed(_) => None,
        });
        opened.collect()
    }

    /// The last event of a cell until now.
    fn last_event_of(&self, cell: Cell) -> Option<usize> {
        let seen = self.recording.size.contains(cell).then(|| self.recording.cells.get(cell))??;
        self.last_before(seen.last as usize)
    }

    /// The last event until now of a cell whose last event of all is the one at `last`.
    fn last_before(&self, last: usize) -> Option<usize> {
        self.recording.chain(Some(last)).find(|position| *position < self.position)
    }

    /// The states in all intervals of a cell, whose last event until now is the one at `last`.
    fn states_since(self, last: Option<usize>) -> impl Iterator<Item = CellState> + use<'a> {
        let recording = self.recording;
        let most = if recording.open_until.is_empty() { 1 } else { usize::MAX };
        let mut known = Vec::new();
        let events = recording.chain(last).take(most).filter(move |position| {
            let open_until = recording.open_until(*position);
            let is_new = !known.contains(&open_until);
            known.extend(open_until.filter(|_| is_new).map(Some));
            is_new
        });
        events.map(|position| recording.state(position))
    }
}

impl ListSizes {
    /// Counts an event of a cell: `was_closed` before it (`None` if the cell was unseen), `is_closed` after it.
    fn count(&mut self, was_closed: Option<bool>, is_closed: bool) {
        self.closed += usize::from(is_closed);
        self.expanded += usize::from(is_closed);
        self.open += usize::from(!is_closed);
        match was_closed {
            None => {}
            Some(false) => self.open -= 1,
            Some(true) => {
                self.closed -= 1;
                self.reopened += 1;
            }
        }
    }
}

/// A [`Recording`] that is made [in slices](crate#work-in-slices), as a [`RouteSearch`] is.
///
/// ```
/// use std::task::Poll;
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::trace::{Recording, SearchRecorder};
/// use emberwalk_path::{CostGrid, Planner, RouteQuery};
/// let grid = CostGrid::open(Size::new(200, 150))?;
/// let (mut planner, query) = (Planner::new(), RouteQuery::new(Cell::new(0, 0), Cell::new(199, 9)));
/// let mut search = SearchRecorder::new(query);
/// let recording = loop {
///     match search.advance(&mut planner, &grid, 5000) {
///         Poll::Ready(recording) => break recording?,
///         Poll::Pending => {} // Draw a frame.
///     }
/// };
/// assert_eq!(recording.len(), Recording::new(&mut planner, &grid, &query)?.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchRecorder(RouteSearch<Recorder>);

impl SearchRecorder {
    /// The search for the answer to a query, without events.
    pub fn new(query: RouteQuery) -> Self {
        Self(RouteSearch::observed(query, Recorder::new(Size::default(), query)))
    }

    /// Continues the search until about `cells` cells have been visited.
    ///
    /// # Errors
    /// Those of [`Planner::plan`].
    pub fn advance(
        &mut self,
        planner: &mut Planner,
        grid: &CostGrid,
        cells: u64,
    ) -> Poll<Result<Recording, QueryError>> {
        let result = ready!(self.0.advance(planner, grid, cells)?);
        let (route, expanded, reopened) = (result.route.map(Route::from), result.expanded, result.reopened);
        let recording = &mut self.0.observer.recording;
        let recording = std::mem::replace(recording, Recording::empty(Size::default(), recording.query));
        Poll::Ready(Ok(Recording { route, expanded, reopened, ..recording }))
    }
}

/// Writes what it observes into a recording.
#[derive(Clone, Debug)]
struct Recorder {
    recording: Recording,
    sizes: ListSizes,
}

impl Recorder {
    fn new(size: Size, query: RouteQuery) -> Self {
        Self { sizes: ListSizes::default(), recording: Recording::empty(size, query) }
    }

    fn record(&mut self, is_closed: bool, Opened { cell, parent, g, h, .. }: Opened, open_until: Option<u64>) {
        let Recording { size, events, cells, is_complete, .. } = &mut self.recording;
        let position = events.len();
        if position == Recording::MAX_EVENTS {
            *is_complete = false;
            return;
        }
        let index = |cell: Cell| cell.y as usize * size.width as usize + cell.x as usize;
        let before = cells.replace(cell, SeenCell { last: position as u32, h: h.units() });
        let previous = before.map(|seen| seen.last as usize);
        events.push(PackedEvent::new(position, index(cell), parent.map(index), previous, is_closed, g.units()));
        self.recording.open_until.extend(open_until);
        self.sizes.count(self.recording.was_closed_before(position), is_closed);
        if (position + 1).is_multiple_of(SIZES_EVERY) {
            self.recording.sizes.push(self.sizes);
        }
    }
}

impl SearchObserver for Recorder {
    const SEARCHES_UNREACHABLE: bool = true;

    fn began(&mut self, grid: &CostGrid) {
        *self = Self::new(grid.size(), self.recording.query);
    }

    fn opened(&mut self, event: Opened) {
        self.record(false, event, None);
    }

    fn closed(&mut self, Closed { cell, parent, g, h, f }: Closed) {
        self.record(true, Opened { cell, parent, g, h, f }, None);
    }
}
