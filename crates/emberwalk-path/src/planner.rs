//! The planner: made once, asked often; it keeps its memory between queries.

use crate::bounds::cheap_regions::CheapRegions;
use crate::bounds::heuristic::{Estimate, LinearEstimate, PreparedHeuristic};
use crate::bounds::jump_points::JumpPoints;
use crate::bounds::jump_successors::{self, JumpSuccessors};
use crate::bounds::landmarks::Landmarks;
use crate::components::Components;
use crate::cost::cost_grid::{capacity_bytes, most_stored};
use crate::grid::{Cell, Size};
use crate::nearest_reachable;
use crate::query::{Algorithm, Endpoint, Options, Query, QueryError, passable};
use crate::search::astar;
use crate::search::breadth_first;
use crate::search::dijkstra;
use crate::search::greedy;
use crate::search::memory::{Endpoints, Memory, Tally, usual_share};
use crate::search::steps::{Neighbours, with_rule};
use crate::{Corners, CostGrid, EntryCost, Moves, Observer, RouteCost};

/// A way from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route<'a> {
    /// From the start to the goal, both included; each is a neighbour of the one before.
    pub cells: &'a [Cell],
    /// The sum of its steps' costs; 0 for a route of one cell.
    pub cost: RouteCost,
}

impl Route<'_> {
    /// The number of steps: one less than the number of cells.
    pub fn steps(&self) -> usize {
        self.cells.len() - 1
    }
}

/// A planner's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult<'a> {
    /// The route; `None` if none exists.
    pub route: Option<Route<'a>>,
    /// How many times a cell was expanded; what is left out by a table or by the connected parts does not count.
    pub expanded: u64,
    /// How many of these times the cell had been closed before.
    pub reopened: u64,
    /// Whether the options alone guarantee the least cost, see [`Options::optimal`].
    pub optimal: bool,
}

impl<'a> SearchResult<'a> {
    /// Whether there is a route.
    pub fn found(&self) -> bool {
        self.route.is_some()
    }

    /// The cells of the route, from start to goal; none without a route.
    pub fn cells(&self) -> &'a [Cell] {
        self.route.map_or(&[], |route| route.cells)
    }

    /// The cost of the route.
    pub fn cost(&self) -> Option<RouteCost> {
        self.route.map(|route| route.cost)
    }
}

/// Finds routes on cost grids; made once and asked often.
///
/// Its memory grows with the largest grid that it has seen and is kept: once warm, a query allocates nothing, and only
/// [`prepare`](Self::prepare) makes tables. It notices by itself when a grid has changed, or is another one than before; nothing has to be told.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{CostGrid, Diagonal, EntryCost, Planner, Query};
/// let mut grid = CostGrid::from_fn(Size::new(3, 3), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
/// grid.set(Cell::new(1, 1), None);
/// let mut planner = Planner::new();
/// let outcome = planner.plan(&grid, &Query::new(Cell::new(0, 1), Cell::new(2, 1)))?;
/// assert_eq!(outcome.cells().len(), 5, "around the blocked cell, past no corner");
/// assert_eq!(outcome.cost().unwrap().tiles(), 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Planner {
    memory: Memory,
    /// Joined by sides, and joined by corners too.
    parts: [Option<Components>; 2],
    landmarks: Option<Box<Landmarks>>,
    /// Beside the landmarks, for steps that have them.
    jump_points: Option<JumpPoints>,
    cheap_regions: CheapRegions,
    cells: Vec<Cell>,
}

impl Planner {
    /// A planner without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes what queries with these options use on this grid: the connected parts, and for [`Algorithm::Auto`] the
    /// tables of its landmarks and, with eight moves past no corner, its jump points: 63 bytes a cell, in the time of
    /// thirty to forty searches over the whole grid. Without them `Auto` answers as A* does.
    ///
    /// A planner has tables for one grid and one set of steps, those prepared last. They follow the grid by themselves,
    /// at the next query or here, in microseconds for an edit or an eruption. The bounds stay true; but when cells became
    /// cheaper in many places, or in large ones, they are less close and queries slower, until [`renew`](Self::renew)
    /// has made them anew.
    pub fn prepare(&mut self, grid: &CostGrid, options: &Options) {
        let Options { moves, corners, .. } = *options;
        self.parts_of(grid, moves, corners);
        if options.algorithm != Algorithm::Auto || self.follow(grid, moves, corners) {
            return;
        }
        self.jump_points = JumpPoints::exist_for(moves, corners).then(|| self.jump_points.take().unwrap_or_default());
        if let Some(points) = &mut self.jump_points {
            points.update(grid);
        }
        // The old tables go before the new are made.
        self.landmarks = None;
        let parts = kind_of(&mut self.parts, moves, corners);
        self.landmarks = Some(Box::new(Landmarks::new(grid, moves, corners, parts, &mut self.memory)));
    }

    /// Makes room for A* with these options on any grid of at most so many cells, whatever its shape: such queries then
    /// allocate nothing, unless more than half the cells are on the open list at once.
    pub fn reserve(&mut self, cells: usize, options: &Options) {
        let stored = most_stored(cells);
        self.memory.nodes.reserve(stored);
        self.memory.buckets.reserve(stored / 2);
        kind_of(&mut self.parts, options.moves, options.corners).reserve(cells);
        // A cheapest way enters no more than two of four cells that all touch.
        self.cells.reserve_exact((stored / 2).saturating_sub(self.cells.len()));
    }

    /// How many bytes its containers hold, tables apart.
    pub fn bytes(&self) -> usize {
        let Memory { nodes, buckets, heap, greedy, line } = &self.memory;
        let parts: usize = self.parts.iter().flatten().map(Components::bytes).sum();
        let lists = heap.capacity() * size_of::<u128>()
            + greedy.capacity() * size_of::<(u64, u32, u32)>()
            + line.capacity() * size_of::<u32>();
        nodes.bytes() + buckets.bytes() + lists + parts + capacity_bytes(&self.cells)
    }

    /// Makes one of the tables anew that became less close as cells became cheaper, the oldest first, in the time of
    /// one or two searches over the whole grid; `false` if there is none. For when there is time, between frames.
    pub fn renew(&mut self, grid: &CostGrid, options: &Options) -> bool {
        options.algorithm == Algorithm::Auto
            && self.follow(grid, options.moves, options.corners)
            && self.landmarks.as_mut().is_some_and(|tables| tables.renew(grid, &mut self.memory))
    }

    /// Whether there are tables for these steps, as the grid is now.
    fn follow(&mut self, grid: &CostGrid, moves: Moves, corners: Corners) -> bool {
        let tables = self.landmarks.as_deref_mut().filter(|tables| tables.are_for(grid, moves, corners));
        tables.is_some_and(|tables| tables.catch_up(grid))
    }

    /// Answers a query.
    ///
    /// A goal in another connected part than the start is an answer without route, found without a search. A start
    /// that is the goal is a route of one cell and cost 0.
    ///
    /// # Errors
    /// [`QueryError`] if the start or else the goal is off the map or blocked, or if a weight is below 1 or not finite.
    pub fn plan(&mut self, grid: &CostGrid, query: &Query) -> Result<SearchResult<'_>, QueryError> {
        self.plan_observed(grid, query, &mut ())
    }

    /// Answers a query while `observer` watches the search.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn plan_observed(
        &mut self,
        grid: &CostGrid,
        query: &Query,
        observer: &mut impl Observer,
    ) -> Result<SearchResult<'_>, QueryError> {
        let options = &query.options;
        let ends = Endpoints {
            start: passable(grid, Endpoint::Start, query.from)?,
            goal: passable(grid, Endpoint::Goal, query.to)?,
        };
        let weight = match options.algorithm {
            Algorithm::Weighted { weight } if weight.is_finite() && weight >= 1.0 => weight,
            Algorithm::Weighted { weight } => return Err(QueryError::Weight(weight)),
            _ => 1.0,
        };
        let mut tally = Tally::default();
        self.cells.clear();
        let connected = self.parts_of(grid, options.moves, options.corners).are_connected(grid, query.from, query.to);
        let found = query.from == query.to
            || connected && {
                let ready = PreparedHeuristic::new(grid, options, weight);
                self.search(grid, ends, options, ready, &mut tally, observer)
            };
        debug_assert_eq!(found, connected, "a search finds a way where there is one");
        if found {
            self.trace(grid, query);
        }
        let route = found.then(|| Route { cells: &self.cells, cost: cost_of(grid, &self.cells) });
        Ok(SearchResult { route, expanded: tally.expanded, reopened: tally.reopened, optimal: options.optimal() })
    }

    /// The cell nearest to `goal` that can be reached from `from`: the smallest straight-line distance, ties by the
    /// cheapest way from `from`, then the smaller row, then the smaller column. `None` only if `goal` is off the map.
    ///
    /// # Errors
    /// [`QueryError`] if `from` is off the map or blocked.
    pub fn nearest_reachable(
        &mut self,
        grid: &CostGrid,
        from: Cell,
        goal: Cell,
        moves: Moves,
        corners: Corners,
    ) -> Result<Option<Cell>, QueryError> {
        passable(grid, Endpoint::Start, from)?;
        if !grid.size().contains(goal) {
            return Ok(None);
        }
        let parts = self.parts_of(grid, moves, corners);
        let distance =
            nearest_reachable::distance_squared(grid.size(), goal, |cell| parts.are_connected(grid, from, cell));
        let options = Options { moves, corners, ..Options::default() };
        let mut cheapest: Option<(RouteCost, Cell)> = None;
        for cell in distance.into_iter().flat_map(|distance| nearest_reachable::at_distance(goal, distance)) {
            if !grid.is_passable(cell) {
                continue;
            }
            if let Some(cost) = self.plan(grid, &Query::new(from, cell).with(options))?.cost()
                && cheapest.is_none_or(|(least, _)| cost < least)
            {
                cheapest = Some((cost, cell));
            }
        }
        Ok(cheapest.map(|(_, cell)| cell))
    }

    fn parts_of(&mut self, grid: &CostGrid, moves: Moves, corners: Corners) -> &Components {
        let parts = kind_of(&mut self.parts, moves, corners);
        parts.update(grid);
        parts
    }

    /// The regions of cheap cells of the grid as it is now.
    pub(crate) fn cheap_regions(&mut self, grid: &CostGrid) -> &CheapRegions {
        self.cheap_regions.update(grid);
        &self.cheap_regions
    }

    /// At most what a way between these cells costs by a place that became cheaper after that version, by the tables;
    /// 0 without any.
    pub(crate) fn bound_through_decreases_since(&mut self, version: u64, grid: &CostGrid, query: &Query) -> u64 {
        if !self.follow(grid, query.options.moves, query.options.corners) {
            return 0;
        }
        self.landmarks.as_deref_mut().map_or(0, |tables| {
            let linear = plain_bounds(grid, query.options.moves);
            tables.bound_through_decreases_since(version, grid, grid.index(query.from), grid.index(query.to), linear)
        })
    }

    /// Takes note of what changed, before the grid forgets it.
    pub(crate) fn catch_up(&mut self, grid: &CostGrid, options: &Options) {
        self.parts_of(grid, options.moves, options.corners);
        self.follow(grid, options.moves, options.corners);
        self.cheap_regions(grid);
    }

    /// Searches between two ends that are not the same; whether it found a way.
    fn search(
        &mut self,
        grid: &CostGrid,
        ends: Endpoints,
        options: &Options,
        ready: PreparedHeuristic,
        tally: &mut Tally,
        observer: &mut impl Observer,
    ) -> bool {
        let Size { width, height } = grid.size();
        if options.algorithm == Algorithm::Auto && options.is_admissible() {
            let (start, goal) = (grid.cell(ends.start), grid.cell(ends.goal));
            let by_tables = self.follow(grid, options.moves, options.corners);
            self.cheap_regions.update(grid);
            let beside = self.cheap_regions.bounds(grid, options.moves, start, goal);
            let memory = &mut self.memory;
            if by_tables && let Some(tables) = self.landmarks.as_deref_mut() {
                let mut bounds = tables.bounds_to(grid, ends.goal, plain_bounds(grid, options.moves));
                let estimate = bounds.for_cell(ends.start, start, start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
                if estimate >= beside.lower_bound(start) {
                    memory.nodes.begin(grid.stored().len(), grid.bound() + bounds.upper_limit(width, height));
                    if let Some(points) = self.jump_points.as_mut().filter(|points| points.are_sparse()) {
                        points.update(grid);
                        memory.nodes.begin_far();
                        let jumps = JumpSuccessors::new(points, grid, goal);
                        return astar::plan(memory, grid, ends, options, jumps, bounds, tally, observer);
                    }
                    return with_rule!(options.moves, options.corners, rule =>
                        astar::plan(memory, grid, ends, options, Neighbours { grid, rule }, bounds, tally, observer));
                }
            }
            if beside.has_regions() {
                memory.nodes.begin(grid.stored().len(), grid.bound() + beside.upper_limit(grid.size()));
                return with_rule!(options.moves, options.corners, rule =>
                    astar::plan(memory, grid, ends, options, Neighbours { grid, rule }, beside, tally, observer));
            }
        }
        let memory = &mut self.memory;
        // Keys are labels with the estimate added; they stay below the limit of labels too.
        memory.nodes.begin(grid.stored().len(), grid.bound() + ready.for_offset(width, height));
        with_rule!(options.moves, options.corners, rule => match (options.algorithm, ready) {
            (Algorithm::Dijkstra, _) => dijkstra::plan(memory, grid, ends, rule, tally, observer),
            (Algorithm::BreadthFirst, _) => breadth_first::search(memory, grid, ends, rule, tally, observer),
            (Algorithm::Greedy, PreparedHeuristic::Linear(estimate)) =>
                greedy::search(memory, grid, ends, rule, estimate, tally, observer),
            (Algorithm::Greedy, PreparedHeuristic::Euclidean(estimate)) =>
                greedy::search(memory, grid, ends, rule, estimate, tally, observer),
            (Algorithm::Auto | Algorithm::AStar | Algorithm::Weighted { .. }, PreparedHeuristic::Linear(estimate)) =>
                astar::plan(memory, grid, ends, options, Neighbours { grid, rule }, estimate, tally, observer),
            (Algorithm::Auto | Algorithm::AStar | Algorithm::Weighted { .. }, PreparedHeuristic::Euclidean(estimate)) =>
                astar::plan(memory, grid, ends, options, Neighbours { grid, rule }, estimate, tally, observer),
        })
    }

    /// Writes the route that the search found.
    fn trace(&mut self, grid: &CostGrid, query: &Query) {
        self.cells.reserve(usual_share(grid));
        let mut cell = query.to;
        while cell != query.from {
            self.cells.push(cell);
            let at = grid.index(cell);
            let Some(from) = self.memory.nodes.from(at) else {
                cell = cell + self.memory.nodes.by(at).opposite();
                continue;
            };
            let from = grid.cell(from);
            cell = jump_successors::step_back(cell, from);
            while cell != from {
                self.cells.push(cell);
                cell = jump_successors::step_back(cell, from);
            }
        }
        self.cells.push(query.from);
        self.cells.reverse();
    }
}

/// The parts for these steps, of the two kinds that there are.
fn kind_of(parts: &mut [Option<Components>; 2], moves: Moves, corners: Corners) -> &mut Components {
    let kind = usize::from(Components::are_joined_by_corners(moves, corners));
    parts[kind].get_or_insert_with(|| Components::new(moves, corners))
}

/// The distance at the cheapest entry cost.
fn plain_bounds(grid: &CostGrid, moves: Moves) -> LinearEstimate {
    LinearEstimate::by_steps(grid, moves, grid.min_cost().map_or(0, EntryCost::units))
}

/// The sum of the steps of a way that is known to be one.
fn cost_of(grid: &CostGrid, cells: &[Cell]) -> RouteCost {
    let steps = cells.windows(2).map(|pair| {
        let diagonal = pair[0].x != pair[1].x && pair[0].y != pair[1].y;
        grid.step_cost(pair[1], diagonal).unwrap_or_default()
    });
    steps.sum()
}
