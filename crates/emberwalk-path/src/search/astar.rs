//! A*; weighted A*, which is A* with a larger estimate; and Dijkstra's algorithm, which is A* without one.

use std::ops::ControlFlow;

use crate::grid::{Cell, Direction};
use crate::options::{Algorithm, Options};
use crate::search::buckets::Buckets;
use crate::search::heuristic::{Estimate, PreparedHeuristic};
use crate::search::memory::{Memory, Progress, SearchContext, initial_capacity};
use crate::search::nodes::{Improvement, Nodes};
use crate::search::observer::{Closed, Opened, SearchObserver};
use crate::search::open_list::{Heap, OpenList};
use crate::search::steps::{Step, Steps};
use crate::{CostGrid, RouteCost};

/// A search in buckets continues with the heap after this many reopened cells plus half of the expanded ones.
const REOPENED_IN_BUCKETS: u64 = 1000;

/// A search that can continue with another open list.
pub(crate) trait Continue {
    /// Searches until no open cell can lead to a cheaper route, and returns whether the goal was reached; `None` if it
    /// has reopened `too_many` cells. Then the open cells are still on the list, as they are when it pauses.
    ///
    /// Without `REOPEN` a closed cell is never opened again.
    fn run<L: OpenList, const REOPEN: bool>(
        &mut self,
        open: &mut L,
        too_many: impl Fn(&Progress) -> bool,
    ) -> ControlFlow<(), Option<bool>>;

    /// How far the search is.
    fn progress(&mut self) -> &mut Progress;

    /// Puts a cell on another open list, unless it is closed.
    fn push_again(&mut self, open: &mut impl OpenList, at: usize);
}

/// Searches by A* with a consistent heuristic; returns `false` if the goal is unreachable. The start is open, with the
/// key `first_key`; without that, the search was paused and continues. `fineness` is [`EIGHTH`] or [`WHOLE`].
///
/// Buckets are the fastest open list. But where many routes differ by less than the width of a bucket, the cells in it
/// come out in a bad order and are reopened again and again. A search that reopens too many cells therefore continues
/// with the heap, which orders keys exactly.
pub(crate) fn search_in_buckets(
    search: &mut impl Continue,
    (buckets, heap): (&mut Buckets, &mut Heap),
    grid: &CostGrid,
    start: usize,
    (first_key, fineness): (Option<u64>, u32),
) -> ControlFlow<(), bool> {
    if let Some(first_key) = first_key {
        let capacity = initial_capacity(grid);
        heap.clear();
        if let Some(shift) = shift_for(grid, fineness) {
            buckets.begin(first_key, shift, capacity);
            buckets.push(first_key, start as u32);
        } else {
            heap.reserve(capacity);
            search.push_again(heap, start);
            search.progress().has_switched = true;
        }
    }
    if !search.progress().has_switched {
        let too_many = |counts: &Progress| counts.reopened > counts.expanded / 2 + REOPENED_IN_BUCKETS;
        if let Some(found) = search.run::<_, true>(buckets, too_many)? {
            return ControlFlow::Continue(found);
        }
        while let Some(at) = buckets.pop(u64::MAX) {
            search.push_again(heap, at as usize);
        }
        search.progress().has_switched = true;
    }
    let found = search.run::<_, true>(heap, |_| false)?;
    ControlFlow::Continue(found == Some(true))
}

/// Searches over neighbours with the open list that suits the options and the costs of the grid; returns `false` if the
/// goal is unreachable. No estimate exceeds `limit`. Pauses at the number of expansions in the context.
///
/// With a heuristic that is not consistent on this grid, exact keys reopen cells too, in the worst case exponentially
/// often (Martelli, "On the Complexity of Admissible Search Algorithms", 1977). Such a heuristic overestimates and
/// guarantees nothing, so the search stops reopening after as many reopened cells as the grid has.
pub(crate) fn search<S: Steps, E: Estimate, O: SearchObserver>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    options: &Options,
    steps: S,
    estimate: E,
    limit: u64,
) -> ControlFlow<(), bool> {
    let Memory { nodes, buckets, heap, .. } = memory;
    let (grid, start) = (context.grid, context.endpoints.start);
    // Keys are labels plus estimates, and must stay below the limit of the labels too.
    if !context.progress.has_begun() {
        nodes.begin(grid.entry_units().len(), grid.route_units_limit() + limit);
    }
    let consistent = PreparedHeuristic::is_consistent(grid, options);
    let weight = Some(options.weight()).filter(|weight| *weight > 1.0);
    let unweighted = weight
        .filter(|_| O::ACTIVE)
        .map(|weight| Unweighted { weight, heuristic: PreparedHeuristic::new(grid, options, 1.0) });
    let mut search = Search { nodes, context, steps, estimate, unweighted };
    let first_key = search.begin();
    if consistent && weight.is_none() {
        let fineness = if options.algorithm == Algorithm::Dijkstra { WHOLE } else { EIGHTH };
        return search_in_buckets(&mut search, (buckets, heap), grid, start, (first_key, fineness));
    }
    if first_key.is_some() {
        heap.clear();
        heap.reserve(initial_capacity(grid));
        search.push_again(heap, start);
    }
    if !consistent && !search.progress().has_switched {
        let too_many = |counts: &Progress| counts.reopened > grid.entry_units().len() as u64;
        if let Some(found) = search.run::<_, true>(heap, too_many)? {
            return ControlFlow::Continue(found);
        }
        search.progress().has_switched = true;
    }
    let found = search.run::<_, false>(heap, |_| false)?;
    ControlFlow::Continue(found == Some(true))
}

/// Buckets of an eighth of the lowest entry cost. Measured: wider ones reopen more cells, narrower ones are emptied one
/// by one.
pub(crate) const EIGHTH: u32 = 3;
/// Buckets as wide as the lowest entry cost, for searches without a heuristic, which reopen no cells then.
const WHOLE: u32 = 0;

/// The exponent of the width of the buckets that suits the costs of the grid; `None` if they are too far apart.
fn shift_for(grid: &CostGrid, fineness: u32) -> Option<u32> {
    let min = grid.min_step_units()?;
    // A step raises g by its own cost, and h by at most two of the cheapest diagonal steps.
    let ahead = grid.max_step_units()? + 2 * u64::from(grid.diagonal().of(min));
    Buckets::shift_for(ahead, min.ilog2() - fineness, min.ilog2())
}

/// The additional data for the events of weighted A*.
struct Unweighted {
    weight: f64,
    heuristic: PreparedHeuristic,
}

/// One search, without its open list.
struct Search<'a, 'c, S, E, O> {
    nodes: &'a mut Nodes,
    context: &'a mut SearchContext<'c, O>,
    steps: S,
    estimate: E,
    /// Only for observers of weighted A*.
    unweighted: Option<Unweighted>,
}

impl<S: Steps, E: Estimate, O: SearchObserver> Search<'_, '_, S, E, O> {
    /// Opens the start and returns its key; `None` if the search was paused and continues.
    fn begin(&mut self) -> Option<u64> {
        if !self.context.progress.begin() {
            return None;
        }
        let start = self.context.endpoints.start;
        self.nodes.open(start, self.nodes.zero(), Direction::N);
        let estimate = self.estimate(start);
        if O::ACTIVE {
            let (cell, goal) = (self.context.grid.cell(start), self.goal());
            self.context.observer.opened(opened(&self.unweighted, cell, goal, None, 0, estimate));
        }
        Some(self.nodes.zero() + estimate)
    }

    fn goal(&self) -> Cell {
        self.context.grid.cell(self.context.endpoints.goal)
    }

    fn estimate(&mut self, at: usize) -> u64 {
        let (cell, goal) = (self.context.grid.cell(at), self.goal());
        self.estimate.for_cell(at, cell, goal - cell)
    }
}

impl<S: Steps, E: Estimate, O: SearchObserver> Continue for Search<'_, '_, S, E, O> {
    fn progress(&mut self) -> &mut Progress {
        &mut self.context.progress
    }

    fn push_again(&mut self, open: &mut impl OpenList, at: usize) {
        if !self.nodes.is_closed(at) {
            let (label, estimate) = (self.nodes.label(at), self.estimate(at));
            open.push(label + estimate, estimate, at);
        }
    }

    /// The cost found does not depend on the order in which the open list returns its cells: a cell is opened again
    /// whenever a cheaper route to it is found, and the search ends only when every open key is at least the cost of
    /// the best route found. While the label of the goal is above the lowest cost, some cell of a cheapest route is
    /// open with its lowest cost. Its key is at most the lowest cost where the estimate is admissible, and at most
    /// `weight` times it where the estimate is `weight` times an admissible one.
    ///
    /// Without `REOPEN` a closed cell is never opened again. Weighted A* still keeps its bound if the unweighted
    /// estimate is consistent and the open list returns the smallest key first (Likhachev, Gordon, Thrun, "ARA*:
    /// Anytime A* with Provable Bounds on Sub-Optimality", NIPS 2003), and it saves most of the work.
    fn run<L: OpenList, const REOPEN: bool>(
        &mut self,
        open: &mut L,
        too_many: impl Fn(&Progress) -> bool,
    ) -> ControlFlow<(), Option<bool>> {
        let Self { nodes, context, steps, estimate, unweighted } = self;
        let SearchContext { grid, endpoints, progress: ref mut counts, ref mut observer, pause_at, limits } = **context;
        let goal = grid.cell(endpoints.goal);
        let zero = nodes.zero();
        let event = |cell, parent, label: u64, h| opened(unweighted, cell, goal, parent, label - zero, h);
        let mut end = limits.end(zero, nodes.label(endpoints.goal).min(nodes.limit()));
        while let Some(at) = open.pop(end) {
            let Some((so_far, direction)) = nodes.close(at) else { continue };
            counts.expanded += 1;
            let parent = grid.cell(at);
            if O::ACTIVE {
                let opened_by = (at != endpoints.start).then(|| nodes.parent_cell(grid, at));
                let h = estimate.for_cell(at, parent, goal - parent);
                observer.closed(Closed::same_as(event(parent, opened_by, so_far, h)));
            }
            let entered_by = (at != endpoints.start).then_some(direction);
            steps.for_each(at, entered_by, |step| {
                let Step { to: next, direction, cost, is_link } = step;
                let label = so_far + cost;
                let improvement = nodes.improvement::<REOPEN>(next, label);
                if improvement == Improvement::No {
                    return;
                }
                let cell = if S::HAVE_LINKS && is_link { grid.cell(next) } else { parent + direction };
                let h = estimate.for_cell(next, cell, goal - cell);
                let key = label + h;
                if key >= end {
                    return;
                }
                counts.reopened += u64::from(improvement == Improvement::Reopens);
                nodes.open_by::<S>(at, step, label);
                if O::ACTIVE {
                    observer.opened(event(cell, Some(parent), label, h));
                }
                if next == endpoints.goal {
                    end = limits.end(zero, label);
                } else {
                    open.push(key, h, next);
                }
            });
            if too_many(counts) {
                return ControlFlow::Continue(None);
            }
            if counts.expanded >= pause_at {
                return ControlFlow::Break(());
            }
        }
        let found = nodes.is_seen(endpoints.goal);
        if O::ACTIVE && found {
            let opened_by = Some(nodes.parent_cell(grid, endpoints.goal));
            let h = estimate.for_cell(endpoints.goal, goal, (0, 0));
            observer.closed(Closed::same_as(event(goal, opened_by, nodes.label(endpoints.goal), h)));
        }
        ControlFlow::Continue(Some(found))
    }
}

/// Builds the event of a cell that is opened with cost `g`, whose key is `g + estimate`.
fn opened(
    unweighted: &Option<Unweighted>,
    cell: Cell,
    goal: Cell,
    parent: Option<Cell>,
    g: u64,
    estimate: u64,
) -> Opened {
    let (h, f) = match unweighted {
        None => (estimate, g + estimate),
        Some(Unweighted { weight, heuristic }) => {
            let h = heuristic.between(goal - cell);
            (h, Algorithm::Weighted { weight: *weight }.key(g, h))
        }
    };
    let [g, h, f] = [g, h, f].map(RouteCost::from_units);
    Opened { cell, parent, g, h, f }
}
