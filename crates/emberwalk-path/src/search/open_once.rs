//! Greedy best-first search and breadth-first search: they open each cell once, by the first route that reaches it.

use std::ops::ControlFlow;

use crate::grid::Direction;
use crate::search::heuristic::{Estimate, NoEstimate};
use crate::search::memory::{Memory, SearchContext, initial_capacity};
use crate::search::nodes::Nodes;
use crate::search::observer::{Closed, Opened, SearchObserver};
use crate::search::open_list::OpenList;
use crate::search::steps::{Step, Steps};
use crate::{Algorithm, RouteCost, UNITS_PER_TILE};

/// Expands the cell of the smallest estimate first, whatever the cost so far; returns `false` if the goal is
/// unreachable. Pauses when the context asks for it.
pub(crate) fn greedy<S: Steps, O: SearchObserver>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    steps: S,
    heuristic: impl Estimate,
) -> ControlFlow<(), bool> {
    let Memory { nodes, greedy: open, .. } = memory;
    if !context.progress.has_begun() {
        // Each cell is opened once, so more is never needed.
        open.begin(context.grid.entry_units().len());
    }
    search(nodes, open, context, steps, heuristic, Algorithm::Greedy)
}

/// Finds the fewest steps, whatever they cost; returns `false` if the goal is unreachable. Pauses at the number of
/// expansions in the context.
pub(crate) fn breadth_first<S: Steps, O: SearchObserver>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    steps: S,
) -> ControlFlow<(), bool> {
    let Memory { nodes, queue: open, .. } = memory;
    if !context.progress.has_begun() {
        open.clear();
        open.reserve(initial_capacity(context.grid));
    }
    search(nodes, open, context, steps, NoEstimate, Algorithm::BreadthFirst)
}

/// Searches until the goal is taken from the open list.
fn search<S: Steps, E: Estimate, O: SearchObserver>(
    nodes: &mut Nodes,
    open: &mut impl OpenList,
    context: &mut SearchContext<'_, O>,
    steps: S,
    mut estimate: E,
    algorithm: Algorithm,
) -> ControlFlow<(), bool> {
    let is_new = context.progress.begin();
    let &mut SearchContext { grid, endpoints, progress: ref mut counts, ref mut observer, pause_at, .. } = context;
    if is_new {
        let len = grid.entry_units().len();
        nodes.begin(len, grid.route_units_limit().max(len as u64 * u64::from(UNITS_PER_TILE)));
    }
    let goal = grid.cell(endpoints.goal);
    let mut estimate = |at: usize| {
        let cell = grid.cell(at);
        estimate.for_cell(at, cell, goal - cell)
    };
    // Any label marks a cell as seen. Only an observer needs the cost; where that is of no matter, a step counts as one
    // tile.
    let zero = nodes.zero();
    let opened = |at: usize, parent: Option<usize>, g: u64, h: u64| {
        let [g, h, f] = [g, h, algorithm.key(g, h)].map(RouteCost::from_units);
        Opened { cell: grid.cell(at), parent: parent.map(|parent| grid.cell(parent)), g, h, f }
    };
    if is_new {
        nodes.open(endpoints.start, zero, Direction::N);
        let h = estimate(endpoints.start);
        open.push(0, h, endpoints.start);
        if O::ACTIVE {
            observer.opened(opened(endpoints.start, None, 0, h));
        }
    }
    while let Some(at) = open.pop(u64::MAX) {
        let so_far = if O::ACTIVE { nodes.label(at) } else { zero };
        if O::ACTIVE {
            let parent = (at != endpoints.start).then(|| grid.index(nodes.parent_cell(grid, at)));
            observer.closed(Closed::same_as(opened(at, parent, so_far - zero, estimate(at))));
        }
        if at == endpoints.goal {
            return ControlFlow::Continue(true);
        }
        counts.expanded += 1;
        steps.for_each(at, None, |step| {
            let Step { to: next, cost, .. } = step;
            if nodes.is_seen(next) {
                return;
            }
            let cost = if algorithm == Algorithm::BreadthFirst { UNITS_PER_TILE.into() } else { cost };
            let label = if O::ACTIVE { so_far + cost } else { zero };
            nodes.open_by::<S>(at, step, label);
            let h = estimate(next);
            open.push(0, h, next);
            if O::ACTIVE {
                observer.opened(opened(next, Some(at), label - zero, h));
            }
        });
        if counts.expanded >= pause_at {
            return ControlFlow::Break(());
        }
    }
    ControlFlow::Continue(false)
}
