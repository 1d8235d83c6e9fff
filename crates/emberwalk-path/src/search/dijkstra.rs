//! Dijkstra's algorithm: the cell of the lowest cost first, without a heuristic; to one goal or to every cell.

use std::ops::ControlFlow;

use crate::grid::Direction;
use crate::observer::{Closed, Observer, Opened};
use crate::search::buckets::Buckets;
use crate::search::memory::{Endpoints, Memory, SearchContext, initial_capacity};
use crate::search::nodes::{Improvement, Nodes};
use crate::search::open_list::OpenList;
use crate::search::steps::Steps;
use crate::{CostGrid, RouteCost};

/// What a step adds to the cost of a search.
pub(crate) trait StepCost: Copy {
    /// A step counts at most `FACTOR` times the larger of its own cost and that of its reverse, and at least `FACTOR`
    /// times the cost of the cheapest step.
    const FACTOR: u32 = 1;

    /// Returns the units of a step that the search takes from a cell with entry cost `here` to one with entry cost
    /// `next`. `forward` and `backward` give the cost of that step and of its reverse, by the entry cost of the cell that
    /// is entered.
    fn of(self, here: u32, next: u32, forward: impl Fn(u32) -> u64, backward: impl Fn(u32) -> u64) -> u64;
}

/// The cost of routes from the start to each cell.
#[derive(Clone, Copy)]
pub(crate) struct Forward;

impl StepCost for Forward {
    #[inline(always)]
    fn of(self, _: u32, next: u32, forward: impl Fn(u32) -> u64, _: impl Fn(u32) -> u64) -> u64 {
        forward(next)
    }
}

/// The cost of routes from each cell to the start.
#[derive(Clone, Copy)]
pub(crate) struct Backward;

impl StepCost for Backward {
    #[inline(always)]
    fn of(self, here: u32, _: u32, _: impl Fn(u32) -> u64, backward: impl Fn(u32) -> u64) -> u64 {
        backward(here)
    }
}

/// How many cells a search expands before it asks again whether to go on.
const EXPANSIONS_BETWEEN_QUESTIONS: u64 = 1 << 13;

/// Says whether a search is to go on.
pub(crate) type GoOn<'a> = &'a (dyn Fn() -> ControlFlow<()> + Sync);

/// Finds the lowest cost between `start` and every cell, and returns how many cells were expanded; `Break` if `go_on`
/// said so. The labels of `memory.nodes` hold the result. There are twice as many as are needed, so that costs can increase before a
/// [repair](crate::search::repair).
pub(crate) fn fill<S: Steps, C: StepCost>(
    memory: &mut Memory,
    grid: &CostGrid,
    start: usize,
    steps: S,
    step_cost: C,
    go_on: GoOn<'_>,
) -> ControlFlow<(), u64> {
    memory.nodes.begin(grid.entry_units().len(), 2 * grid.route_units_limit() * u64::from(C::FACTOR));
    let observer = &mut ();
    let endpoints = Endpoints { start, goal: start };
    let mut context = SearchContext::new(grid, endpoints, observer);
    choose_open_list::<_, _, _, false>(memory, &mut context, steps, step_cost, go_on)?;
    ControlFlow::Continue(context.counts.expanded)
}

/// Searches from start to goal; returns `false` if the goal is unreachable.
pub(crate) fn search<S: Steps, O: Observer>(memory: &mut Memory, context: &mut SearchContext<'_, O>, steps: S) -> bool {
    let found = choose_open_list::<_, _, _, true>(memory, context, steps, Forward, &|| ControlFlow::Continue(()));
    found.continue_value() == Some(true)
}

/// Searches with the open list that suits the costs of the grid. With `TO_GOAL`, returns whether the search reached the
/// goal; without it, the search reaches every cell that is reachable.
fn choose_open_list<S: Steps, C: StepCost, O: Observer, const TO_GOAL: bool>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    steps: S,
    step_cost: C,
    go_on: GoOn<'_>,
) -> ControlFlow<(), bool> {
    let Memory { nodes, buckets, heap, .. } = memory;
    let capacity = initial_capacity(context.grid);
    if let Some(shift) = shift_for(context.grid, C::FACTOR) {
        buckets.begin(nodes.zero(), shift, capacity);
        search_with::<_, _, _, _, TO_GOAL>(nodes, buckets, context, steps, step_cost, go_on)
    } else {
        heap.clear();
        heap.reserve(capacity);
        search_with::<_, _, _, _, TO_GOAL>(nodes, heap, context, steps, step_cost, go_on)
    }
}

/// Returns the exponent of the width of the buckets, which is no wider than the cheapest step; all steps count `factor`
/// times. `None` if some steps are too expensive for such narrow buckets.
fn shift_for(grid: &CostGrid, factor: u32) -> Option<u32> {
    let shift = (u64::from(factor) * u64::from(grid.min_cost()?.units())).ilog2();
    Buckets::shift_for(u64::from(factor) * grid.max_step_units()?, shift, shift)
}

fn search_with<S: Steps, C: StepCost, L: OpenList, O: Observer, const TO_GOAL: bool>(
    nodes: &mut Nodes,
    open: &mut L,
    context: &mut SearchContext<'_, O>,
    steps: S,
    step_cost: C,
    go_on: GoOn<'_>,
) -> ControlFlow<(), bool> {
    let &mut SearchContext { grid, endpoints: Endpoints { start, goal }, ref mut counts, ref mut observer, .. } =
        context;
    let entry_units = grid.entry_units();
    let zero = nodes.zero();
    let opened = |at: usize, parent: Option<usize>, label: u64| {
        let g = RouteCost::from_units(label - zero);
        Opened { cell: grid.cell(at), parent: parent.map(|parent| grid.cell(parent)), g, h: RouteCost::ZERO, f: g }
    };
    let closed = |nodes: &Nodes, at: usize, label: u64| {
        let parent = (at != start).then(|| grid.index(nodes.parent_cell(grid, at)));
        Closed::same_as(opened(at, parent, label))
    };
    let mut best = nodes.limit();
    nodes.open(start, zero, Direction::N);
    open.push(zero, zero, start);
    if O::ACTIVE {
        observer.opened(opened(start, None, zero));
    }
    while let Some(at) = open.pop(best) {
        let Some((so_far, direction)) = nodes.close(at) else { continue };
        counts.expanded += 1;
        if !TO_GOAL && counts.expanded.is_multiple_of(EXPANSIONS_BETWEEN_QUESTIONS) {
            go_on()?;
        }
        if O::ACTIVE {
            observer.closed(closed(nodes, at, so_far));
        }
        let here = entry_units[at];
        let entered_by = (at != start).then_some(direction);
        steps.for_each(at, entered_by, |next, direction, units| {
            let forward = |units| steps.cost(at, next, direction, units);
            let backward = |units| steps.cost(next, at, direction, units);
            let label = so_far + step_cost.of(here, units, forward, backward);
            // No cell is ever reopened: a bucket is no wider than the cheapest step, so no cell in it is a successor
            // of another one in it.
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
                open.push(label, label, next);
            }
        });
    }
    let found = best < nodes.limit();
    if O::ACTIVE && found {
        observer.closed(closed(nodes, goal, best));
    }
    ControlFlow::Continue(found)
}
