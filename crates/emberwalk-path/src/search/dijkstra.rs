//! Dijkstra's algorithm: the cell of the lowest cost first, without a heuristic; to one goal or to every cell.

use std::ops::ControlFlow;

use crate::grid::Direction;
use crate::observer::{Closed, Observer, Opened};
use crate::pauses::GoOn;
use crate::search::buckets::Buckets;
use crate::search::memory::{Endpoints, Memory, SearchContext, initial_capacity};
use crate::search::nodes::{Improvement, Nodes, Record};
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

/// Finds the lowest cost between `start` and every cell, and returns how many cells were expanded; `memory`
/// [has](Memory::cost) the result. Pauses when `go_on` says so. The next call goes on, with the same memory and the
/// same arguments; it begins anew if [`Memory::paused`] is `None`.
///
/// Small labels are enough for nearly all grids. Of large ones there are twice as many as are needed, so that costs can
/// increase before a [repair](crate::search::repair).
pub(crate) fn fill<S: Steps, C: StepCost>(
    memory: &mut Memory,
    grid: &CostGrid,
    start: usize,
    steps: S,
    step_cost: C,
    go_on: GoOn<'_>,
) -> ControlFlow<(), u64> {
    let (observer, endpoints) = (&mut (), Endpoints { start, goal: start });
    let mut context = SearchContext::new(grid, endpoints, observer, memory.paused.take(), go_on);
    if fill_in(memory, &mut context, steps, step_cost).is_break() {
        memory.paused = Some(context.paused());
        return ControlFlow::Break(());
    }
    ControlFlow::Continue(context.counts.expanded)
}

fn fill_in<S: Steps, C: StepCost>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, ()>,
    steps: S,
    step_cost: C,
) -> ControlFlow<()> {
    let Memory { nodes, small_nodes, is_small, buckets, heap, .. } = memory;
    let grid = context.grid;
    let len = grid.entry_units().len();
    *is_small = context.stage.restarts == 0;
    if *is_small {
        if !context.goes_on() {
            small_nodes.begin(len, u64::MAX, grid.step_trailing_zeros());
        }
        let search = Search::<_, _, _, _, false> { nodes: small_nodes, context, steps, step_cost };
        if search.run_with(buckets, heap)?.is_some() {
            return ControlFlow::Continue(());
        }
        *is_small = false;
        context.restart();
    }
    if !context.goes_on() {
        nodes.begin(len, 2 * grid.route_units_limit() * u64::from(C::FACTOR), 0);
    }
    Search::<_, _, _, _, false> { nodes, context, steps, step_cost }.run_with(buckets, heap)?;
    ControlFlow::Continue(())
}

/// Searches from start to goal; returns `false` if the goal is unreachable. An observer is told of one search only, so
/// it gets large labels. Pauses when the context says so.
pub(crate) fn search<S: Steps, O: Observer>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    steps: S,
) -> ControlFlow<(), bool> {
    let Memory { nodes, small_nodes, is_small, reach, buckets, heap, .. } = memory;
    let SearchContext { grid, endpoints, .. } = *context;
    let (len, step_cost) = (grid.entry_units().len(), Forward);
    if !O::ACTIVE {
        *is_small = true;
        for budget in [reach.budget(grid, endpoints), u64::MAX].into_iter().skip(context.stage.restarts) {
            if !context.goes_on() {
                small_nodes.begin(len, budget, grid.step_trailing_zeros());
            }
            let search = Search::<_, _, _, _, true> { nodes: small_nodes, context, steps, step_cost };
            if let Some(found) = search.run_with(buckets, heap)? {
                return ControlFlow::Continue(found);
            }
            context.restart();
            reach.extend();
        }
    }
    *is_small = false;
    if !context.goes_on() {
        nodes.begin(len, grid.route_units_limit(), 0);
    }
    let found = Search::<_, _, _, _, true> { nodes, context, steps, step_cost }.run_with(buckets, heap)?;
    ControlFlow::Continue(found == Some(true))
}

/// Returns the exponent of the width of the buckets, which is no wider than the cheapest step; all steps count `factor`
/// times. `None` if some steps are too expensive for such narrow buckets.
fn shift_for(grid: &CostGrid, factor: u32) -> Option<u32> {
    let shift = (u64::from(factor) * u64::from(grid.min_cost()?.units())).ilog2();
    Buckets::shift_for(u64::from(factor) * grid.max_step_units()?, shift, shift)
}

/// One search, without its open list. With `TO_GOAL`, it ends at the goal; without it, it reaches every cell that is
/// reachable.
struct Search<'a, 'c, R, S, C, O, const TO_GOAL: bool> {
    nodes: &'a mut Nodes<R>,
    context: &'a mut SearchContext<'c, O>,
    steps: S,
    step_cost: C,
}

impl<R: Record, S: Steps, C: StepCost, O: Observer, const TO_GOAL: bool> Search<'_, '_, R, S, C, O, TO_GOAL> {
    /// Searches with the open list that suits the costs of the grid, and returns whether it reached the goal; `None` if
    /// some of the costs that it needs have no label.
    fn run_with(self, buckets: &mut Buckets, heap: &mut Heap) -> ControlFlow<(), Option<bool>> {
        let (grid, zero) = (self.context.grid, self.nodes.zero());
        let (capacity, is_new) = (initial_capacity(grid), self.context.begin());
        if let Some(shift) = shift_for(grid, C::FACTOR) {
            if is_new {
                buckets.begin(zero, shift - self.nodes.unit_shift(), capacity);
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

    fn run<L: OpenList>(self, open: &mut L, is_new: bool) -> ControlFlow<(), Option<bool>> {
        let Self { nodes, context, steps, step_cost } = self;
        let SearchContext { grid, endpoints: Endpoints { start, goal }, go_on, .. } = *context;
        let SearchContext { counts, stage, observer, .. } = context;
        let entry_units = grid.entry_units();
        let (zero, limit, shift) = (nodes.zero(), nodes.limit(), nodes.unit_shift());
        let opened = |at: usize, parent: Option<usize>, label: u64| {
            let g = RouteCost::from_units((label - zero) << shift);
            Opened { cell: grid.cell(at), parent: parent.map(|parent| grid.cell(parent)), g, h: RouteCost::ZERO, f: g }
        };
        let closed = |nodes: &Nodes<R>, at: usize, label: u64| {
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
        let mut lacks_labels = stage.lacks_labels;
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
                let label = so_far + (units >> shift);
                let Step { to: next, direction, .. } = step;
                if label >= best {
                    lacks_labels |= label >= limit;
                    return;
                }
                if nodes.improvement::<true>(next, label) == Improvement::No {
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
            if counts.ask(go_on).is_break() {
                stage.lacks_labels = lacks_labels;
                return ControlFlow::Break(());
            }
        }
        let found = best < limit;
        if O::ACTIVE && found {
            observer.closed(closed(nodes, goal, best));
        }
        ControlFlow::Continue((found || !lacks_labels).then_some(found))
    }
}
