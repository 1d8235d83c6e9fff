//! Dijkstra's algorithm: the cell of the lowest cost first, without a heuristic; to one goal or to every cell.

use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::grid::Direction;
use crate::observer::{Closed, Observer, Opened};
use crate::search::buckets::Buckets;
use crate::search::memory::{Endpoints, Memory, Progress, SearchContext, initial_capacity};
use crate::search::nodes::{Improvement, Nodes};
use crate::search::open_list::{Heap, OpenList};
use crate::search::steps::{Step, Steps};
use crate::{CostGrid, RouteCost};

/// What a step adds to the cost of a search.
pub(crate) trait StepCost: Copy {
    /// A step counts at most `FACTOR` times the larger of its own cost and that of its reverse, and at least `FACTOR`
    /// times the cost of the cheapest step.
    const FACTOR: u32 = 1;

    /// Returns the units of a step that the search takes from a cell with entry cost `here` to one with entry cost
    /// `next`. `forward` is the cost of that step, and `backward` gives that of its reverse.
    fn of(self, here: u32, next: u32, forward: u64, backward: impl Fn() -> u64) -> u64;
}

/// The cost of routes from the start to each cell.
#[derive(Clone, Copy)]
pub(crate) struct Forward;

impl StepCost for Forward {
    #[inline(always)]
    fn of(self, _: u32, _: u32, forward: u64, _: impl Fn() -> u64) -> u64 {
        forward
    }
}

/// The cost of routes from each cell to the start.
#[derive(Clone, Copy)]
pub(crate) struct Backward;

impl StepCost for Backward {
    #[inline(always)]
    fn of(self, _: u32, _: u32, _: u64, backward: impl Fn() -> u64) -> u64 {
        backward()
    }
}

/// Finds the lowest cost between `start` and every cell, and returns how many cells were expanded; the nodes of `memory`
/// have the result. Pauses when the budget is spent. The next call goes on, with the same memory and the same
/// arguments; it begins anew if [`Memory::fill`] is the default.
///
/// There are twice as many labels as are needed, so that costs can increase before a
/// [repair](crate::search::repair).
pub(crate) fn fill<S: Steps, C: StepCost>(
    memory: &mut Memory,
    grid: &CostGrid,
    start: usize,
    steps: S,
    step_cost: C,
    budget: &mut Budget,
) -> ControlFlow<(), u64> {
    let Memory { nodes, fill, buckets, heap, .. } = memory;
    let (progress, before) = (*fill, fill.expanded);
    let mut context =
        SearchContext { grid, endpoints: Endpoints { start, goal: start }, progress, observer: &mut (), pause_at: 0 };
    context.set_budget(budget);
    if !progress.has_begun() {
        nodes.begin(grid.entry_units().len(), 2 * grid.route_units_limit() * u64::from(C::FACTOR));
    }
    let search = Search::<_, _, _, false> { nodes, context: &mut context, steps, step_cost };
    let found = search.run_with(buckets, heap);
    let Progress { expanded, .. } = context.progress;
    *fill = if found.is_break() { context.progress } else { Progress::default() };
    let _ = budget.spend(expanded - before);
    found.map_continue(|_| expanded)
}

/// Searches from start to goal; returns `false` if the goal is unreachable. Pauses when the context says so.
pub(crate) fn search<S: Steps, O: Observer>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    steps: S,
) -> ControlFlow<(), bool> {
    let Memory { nodes, buckets, heap, .. } = memory;
    let grid = context.grid;
    if !context.progress.has_begun() {
        nodes.begin(grid.entry_units().len(), grid.route_units_limit());
    }
    Search::<_, _, _, true> { nodes, context, steps, step_cost: Forward }.run_with(buckets, heap)
}

/// Returns the exponent of the width of the buckets, which is no wider than the cheapest step; all steps count `factor`
/// times. `None` if some steps are too expensive for such narrow buckets.
fn shift_for(grid: &CostGrid, factor: u32) -> Option<u32> {
    let shift = (u64::from(factor) * u64::from(grid.min_cost()?.units())).ilog2();
    Buckets::shift_for(u64::from(factor) * grid.max_step_units()?, shift, shift)
}

/// One search, without its open list. With `TO_GOAL`, it ends at the goal; without it, it reaches every cell that is
/// reachable.
struct Search<'a, 'c, S, C, O, const TO_GOAL: bool> {
    nodes: &'a mut Nodes,
    context: &'a mut SearchContext<'c, O>,
    steps: S,
    step_cost: C,
}

impl<S: Steps, C: StepCost, O: Observer, const TO_GOAL: bool> Search<'_, '_, S, C, O, TO_GOAL> {
    /// Searches with the open list that suits the costs of the grid, and returns whether it reached the goal.
    fn run_with(self, buckets: &mut Buckets, heap: &mut Heap) -> ControlFlow<(), bool> {
        let (grid, zero) = (self.context.grid, self.nodes.zero());
        let (capacity, is_new) = (initial_capacity(grid), self.context.progress.begin());
        if let Some(shift) = shift_for(grid, C::FACTOR) {
            if is_new {
                buckets.begin(zero, shift, capacity);
            }
            self.run(buckets, is_new)
        } else {
            if is_new {
                heap.clear();
                heap.reserve(capacity);
            }
            self.run(heap, is_new)
        }
    }

    fn run<L: OpenList>(self, open: &mut L, is_new: bool) -> ControlFlow<(), bool> {
        let Self { nodes, context, steps, step_cost } = self;
        let SearchContext { grid, endpoints: Endpoints { start, goal }, pause_at, .. } = *context;
        let SearchContext { progress: counts, observer, .. } = context;
        let entry_units = grid.entry_units();
        let (zero, limit) = (nodes.zero(), nodes.limit());
        let opened = |at: usize, parent: Option<usize>, label: u64| {
            let g = RouteCost::from_units(label - zero);
            Opened { cell: grid.cell(at), parent: parent.map(|parent| grid.cell(parent)), g, h: RouteCost::ZERO, f: g }
        };
        let closed = |nodes: &Nodes, at: usize, label: u64| {
            let parent = (at != start).then(|| grid.index(nodes.parent_cell(grid, at)));
            Closed::same_as(opened(at, parent, label))
        };
        if is_new {
            nodes.open(start, zero, Direction::N);
            open.push(zero, 0, start);
            if O::ACTIVE {
                observer.opened(opened(start, None, zero));
            }
        }
        let mut best = if TO_GOAL { nodes.label(goal).min(limit) } else { limit };
        while let Some(at) = open.pop(best) {
            let Some((so_far, direction)) = nodes.close(at) else { continue };
            counts.expanded += 1;
            if O::ACTIVE {
                observer.closed(closed(nodes, at, so_far));
            }
            let here = entry_units[at];
            let entered_by = (at != start).then_some(direction);
            // No cell is ever reopened: a bucket is no wider than the cheapest step, so no cell in it is a successor
            // of another one in it.
            steps.for_each(at, entered_by, |step| {
                let units = step_cost.of(here, entry_units[step.to], step.cost, || steps.cost_back(at, step));
                let label = so_far + units;
                let Step { to: next, direction, .. } = step;
                if label >= best || nodes.improvement::<true>(next, label) == Improvement::No {
                    return;
                }
                nodes.open(next, label, direction);
                if O::ACTIVE {
                    observer.opened(opened(next, Some(at), label));
                }
                if TO_GOAL && next == goal {
                    best = label;
                } else {
                    open.push(label, 0, next);
                }
            });
            if counts.expanded >= pause_at {
                return ControlFlow::Break(());
            }
        }
        let found = best < limit;
        if O::ACTIVE && found {
            observer.closed(closed(nodes, goal, best));
        }
        ControlFlow::Continue(found)
    }
}
