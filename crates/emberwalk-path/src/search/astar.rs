//! A*, and weighted A*, which is A* with a larger estimate.

use std::ops::ControlFlow;

use crate::bounds::heuristic::{Estimate, PreparedHeuristic};
use crate::grid::{Cell, Direction};
use crate::observer::{Closed, Observer, Opened};
use crate::options::{Algorithm, Options};
use crate::search::buckets::Buckets;
use crate::search::memory::{Memory, SearchContext, SearchCounts, Stage, initial_capacity};
use crate::search::nodes::{Improvement, Nodes, Record};
use crate::search::open_list::{Heap, OpenList};
use crate::search::steps::{Step, Steps};
use crate::{CostGrid, Moves, RouteCost};

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
        too_many: impl Fn(&SearchCounts) -> bool,
    ) -> ControlFlow<(), Option<bool>>;

    /// Returns how far the search is.
    fn stage(&mut self) -> &mut Stage;

    /// Returns the exponent of the units that a label counts.
    fn unit_shift(&self) -> u32 {
        0
    }

    /// Puts a cell on another open list, unless it is closed.
    fn push_again(&mut self, open: &mut impl OpenList, at: usize);
}

/// Searches by A* with a consistent heuristic; returns `false` if the goal is unreachable. The start is open, with the
/// key `first_key`; without that, the search was paused and goes on.
///
/// Buckets are the fastest open list. But where many routes differ by less than the width of a bucket, the cells in it
/// come out in a bad order and are reopened again and again. A search that reopens too many cells therefore continues
/// with the heap, which orders keys exactly.
pub(crate) fn search_in_buckets(
    search: &mut impl Continue,
    (buckets, heap): (&mut Buckets, &mut Heap),
    grid: &CostGrid,
    start: usize,
    first_key: Option<u64>,
) -> ControlFlow<(), bool> {
    if let Some(first_key) = first_key {
        let capacity = initial_capacity(grid);
        heap.clear();
        if let Some(shift) = shift_for(grid) {
            buckets.begin(first_key, shift - search.unit_shift(), capacity);
            buckets.push(first_key, start as u32);
        } else {
            heap.reserve(capacity);
            search.push_again(heap, start);
            search.stage().has_switched = true;
        }
    }
    if !search.stage().has_switched {
        let too_many = |counts: &SearchCounts| counts.reopened > counts.expanded / 2 + REOPENED_IN_BUCKETS;
        if let Some(found) = search.run::<_, true>(buckets, too_many)? {
            return ControlFlow::Continue(found);
        }
        while let Some(at) = buckets.pop(u64::MAX) {
            search.push_again(heap, at as usize);
        }
        search.stage().has_switched = true;
    }
    let found = search.run::<_, true>(heap, |_| false)?;
    ControlFlow::Continue(found == Some(true))
}

/// Searches over neighbours with the open list that suits the options and the costs of the grid; returns `false` if the
/// goal is unreachable. No estimate exceeds `limit`. Pauses when the context says so.
///
/// Small labels are enough for nearly all searches. An observer is told of one search only, so it gets large ones.
pub(crate) fn search<S: Steps, E: Estimate, O: Observer>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    options: &Options,
    steps: S,
    mut estimate: E,
    limit: u64,
) -> ControlFlow<(), bool> {
    if O::ACTIVE {
        return search_with_large_labels(memory, context, options, steps, estimate, limit);
    }
    let is_plain = !matches!(options.algorithm, Algorithm::Weighted { weight } if weight > 1.0);
    if is_plain
        && PreparedHeuristic::is_consistent(context.grid, options)
        && let Some(found) = search_with_small_labels(memory, context, options, steps, &mut estimate)?
    {
        return ControlFlow::Continue(found);
    }
    let estimate: &mut dyn Estimate = &mut estimate;
    search_with_large_labels(memory, context, options, steps, estimate, limit)
}

/// Searches with a consistent heuristic; `None` if the cost of the route may have no small label.
fn search_with_small_labels<S: Steps, E: Estimate, O: Observer>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    options: &Options,
    steps: S,
    estimate: &mut E,
) -> ControlFlow<(), Option<bool>> {
    let Memory { small_nodes: nodes, is_small, reach, buckets, heap, .. } = memory;
    let SearchContext { grid, endpoints, .. } = *context;
    *is_small = true;
    for budget in [reach.budget(grid, endpoints), u64::MAX].into_iter().skip(context.stage.restarts) {
        if !context.goes_on() {
            nodes.begin(grid.entry_units().len(), budget, label_shift(grid, options));
        }
        let mut search = Search { nodes, context, steps, estimate: &mut *estimate, unweighted: None };
        let first_key = search.begin();
        let found = search_in_buckets(&mut search, (buckets, heap), grid, endpoints.start, first_key)?;
        if found {
            return ControlFlow::Continue(Some(found));
        }
        context.restart();
        reach.extend();
    }
    ControlFlow::Continue(None)
}

/// Returns the exponent of the units that a small label is to count: all steps cost a multiple of it, and no bucket is
/// narrower. The larger the labels are, the more searches there are until none is left.
fn label_shift(grid: &CostGrid, options: &Options) -> u32 {
    let any = grid.step_trailing_zeros();
    match (options.moves, finest_shift(grid)) {
        (Moves::Four, Some(finest)) if grid.is_flat() => grid.entry_trailing_zeros().min(finest),
        _ => any,
    }
}

/// Searches with labels for all costs.
///
/// With a heuristic that is not consistent on this grid, exact keys reopen cells too, in the worst case exponentially
/// often (Martelli, "On the Complexity of Admissible Search Algorithms", 1977). Such a heuristic overestimates and
/// guarantees nothing, so the search stops reopening after as many reopened cells as the grid has.
fn search_with_large_labels<S: Steps, E: Estimate, O: Observer>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    options: &Options,
    steps: S,
    estimate: E,
    limit: u64,
) -> ControlFlow<(), bool> {
    let Memory { nodes, is_small, buckets, heap, .. } = memory;
    let (grid, start) = (context.grid, context.endpoints.start);
    *is_small = false;
    // Keys are labels plus estimates, and must stay below the limit of the labels too.
    if !context.goes_on() {
        nodes.begin(grid.entry_units().len(), grid.route_units_limit() + limit, 0);
    }
    let consistent = PreparedHeuristic::is_consistent(grid, options);
    let weight = match options.algorithm {
        Algorithm::Weighted { weight } if weight > 1.0 => Some(weight),
        _ => None,
    };
    let unweighted = weight
        .filter(|_| O::ACTIVE)
        .map(|weight| Unweighted { weight, heuristic: PreparedHeuristic::new(grid, options, 1.0) });
    let mut search = Search { nodes, context, steps, estimate, unweighted };
    let first_key = search.begin();
    if consistent && weight.is_none() {
        return search_in_buckets(&mut search, (buckets, heap), grid, start, first_key);
    }
    if first_key.is_some() {
        heap.clear();
        heap.reserve(initial_capacity(grid));
        search.push_again(heap, start);
    }
    if !consistent && !search.stage().has_switched {
        let too_many = |counts: &SearchCounts| counts.reopened > grid.entry_units().len() as u64;
        if let Some(found) = search.run::<_, true>(heap, too_many)? {
            return ControlFlow::Continue(found);
        }
        search.stage().has_switched = true;
    }
    let found = search.run::<_, false>(heap, |_| false)?;
    ControlFlow::Continue(found == Some(true))
}

/// Returns the exponent of the width of the buckets that suits the costs of the grid; `None` if they are too far apart.
fn shift_for(grid: &CostGrid) -> Option<u32> {
    let min = grid.min_cost()?.units();
    // A step raises g by its own cost, and h by at most two of the cheapest diagonal steps.
    let ahead = grid.max_step_units()? + 2 * u64::from(grid.diagonal().of(min));
    Buckets::shift_for(ahead, finest_shift(grid)?, min.ilog2())
}

/// Returns the exponent of the width of the narrowest buckets; `None` if all cells are blocked.
fn finest_shift(grid: &CostGrid) -> Option<u32> {
    // Measured: wider buckets reopen more cells, narrower ones are emptied one by one.
    const EIGHTH: u32 = 3;
    Some(grid.min_cost()?.units().ilog2() - EIGHTH)
}

/// What the events of weighted A* need in addition to the keys.
struct Unweighted {
    weight: f64,
    heuristic: PreparedHeuristic,
}

/// One search, without its open list.
struct Search<'a, 'c, R, S, E, O> {
    nodes: &'a mut Nodes<R>,
    context: &'a mut SearchContext<'c, O>,
    steps: S,
    estimate: E,
    /// Only for observers of weighted A*.
    unweighted: Option<Unweighted>,
}

impl<R: Record, S: Steps, E: Estimate, O: Observer> Search<'_, '_, R, S, E, O> {
    /// Opens the start and returns its key; `None` if the search was paused and goes on.
    fn begin(&mut self) -> Option<u64> {
        if !self.context.begin() {
            return None;
        }
        let start = self.context.endpoints.start;
        self.nodes.open(start, self.nodes.zero(), Direction::N);
        let estimate = self.estimate(start);
        if O::ACTIVE {
            let (cell, goal) = (self.context.grid.cell(start), self.goal());
            self.context.observer.opened(opened(&self.unweighted, cell, goal, None, 0, estimate));
        }
        Some(self.nodes.zero() + (estimate >> self.nodes.unit_shift()))
    }

    fn goal(&self) -> Cell {
        self.context.grid.cell(self.context.endpoints.goal)
    }

    fn estimate(&mut self, at: usize) -> u64 {
        let (cell, goal) = (self.context.grid.cell(at), self.goal());
        self.estimate.for_cell(at, cell, goal - cell)
    }
}

impl<R: Record, S: Steps, E: Estimate, O: Observer> Continue for Search<'_, '_, R, S, E, O> {
    fn unit_shift(&self) -> u32 {
        self.nodes.unit_shift()
    }

    fn stage(&mut self) -> &mut Stage {
        &mut self.context.stage
    }

    fn push_again(&mut self, open: &mut impl OpenList, at: usize) {
        if !self.nodes.is_closed(at) {
            let (label, estimate) = (self.nodes.label(at), self.estimate(at));
            open.push(label + (estimate >> self.nodes.unit_shift()), estimate, at);
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
        too_many: impl Fn(&SearchCounts) -> bool,
    ) -> ControlFlow<(), Option<bool>> {
        let Self { nodes, context, steps, estimate, unweighted } = self;
        let SearchContext { grid, endpoints, ref mut counts, ref mut observer, go_on, .. } = **context;
        let goal = grid.cell(endpoints.goal);
        let (zero, shift) = (nodes.zero(), nodes.unit_shift());
        let units = |label: u64| (label - zero) << shift;
        let mut best = nodes.label(endpoints.goal).min(nodes.limit());
        while let Some(at) = open.pop(best) {
            let Some((so_far, direction)) = nodes.close(at) else { continue };
            counts.expanded += 1;
            let parent = grid.cell(at);
            if O::ACTIVE {
                let opened_by = (at != endpoints.start).then(|| nodes.parent_cell(grid, at));
                let h = estimate.for_cell(at, parent, goal - parent);
                observer.closed(Closed::same_as(opened(unweighted, parent, goal, opened_by, units(so_far), h)));
            }
            let entered_by = (at != endpoints.start).then_some(direction);
            steps.for_each(at, entered_by, |Step { to: next, direction, cost, .. }| {
                let label = so_far + (cost >> shift);
                let improvement = nodes.improvement::<REOPEN>(next, label);
                if improvement == Improvement::No {
                    return;
                }
                let cell = parent + direction;
                let h = estimate.for_cell(next, cell, goal - cell);
                let key = label + (h >> shift);
                if key >= best {
                    return;
                }
                counts.reopened += u64::from(improvement == Improvement::Reopens);
                nodes.open(next, label, direction);
                if O::ACTIVE {
                    observer.opened(opened(unweighted, cell, goal, Some(parent), units(label), h));
                }
                if next == endpoints.goal {
                    best = label;
                } else {
                    open.push(key, h, next);
                }
            });
            if too_many(counts) {
                return ControlFlow::Continue(None);
            }
            counts.ask(go_on)?;
        }
        let found = best < nodes.limit();
        if O::ACTIVE && found {
            let opened_by = Some(nodes.parent_cell(grid, endpoints.goal));
            let h = estimate.for_cell(endpoints.goal, goal, (0, 0));
            observer.closed(Closed::same_as(opened(unweighted, goal, goal, opened_by, units(best), h)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Size;
    use crate::{Diagonal, EntryCost};

    #[test]
    fn labels_count_what_all_steps_have_in_common() {
        let costs = [0.875, 2.0, 100.0].map(|tiles| EntryCost::from_tiles(tiles).ok());
        let grid = CostGrid::from_fn(Size::new(3, 1), Diagonal::GAME, |cell| costs[cell.x as usize]).expect("small");
        let shift = |moves| label_shift(&grid, &Options { moves, ..Options::default() });
        assert_eq!([Moves::Four, Moves::Eight].map(shift), [14, 5]);
    }
}
