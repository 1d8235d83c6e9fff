//! Greedy best-first search: the cell of the smallest estimate first, whatever the cost so far.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use crate::RouteCost;
use crate::bounds::heuristic::Estimate;
use crate::grid::Direction;
use crate::observer::{Closed, Observer, Opened};
use crate::search::memory::{Memory, SearchContext};
use crate::search::steps::{Step, Steps};

/// Searches until the goal is taken from the open list; returns `false` if it is unreachable. Pauses when the context
/// says so.
pub(crate) fn search<S: Steps, E: Estimate, O: Observer>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    steps: S,
    mut estimate: E,
) -> ControlFlow<(), bool> {
    let Memory { nodes, greedy: open, .. } = memory;
    let is_new = context.progress.begin();
    let &mut SearchContext { grid, endpoints, progress: ref mut counts, ref mut observer, pause_at } = context;
    if is_new {
        nodes.begin(grid.entry_units().len(), grid.route_units_limit());
    }
    let goal = grid.cell(endpoints.goal);
    let mut estimate = |at: usize| {
        let cell = grid.cell(at);
        estimate.for_cell(at, cell, goal - cell)
    };
    // Each cell is opened once, so any label marks it as seen. Only an observer needs the cost.
    let zero = nodes.zero();
    let opened = |at: usize, parent: Option<usize>, g: u64, h: u64| {
        let [g, h] = [g, h].map(RouteCost::from_units);
        Opened { cell: grid.cell(at), parent: parent.map(|parent| grid.cell(parent)), g, h, f: h }
    };
    if is_new {
        open.clear();
        // Each cell is opened once, so more is never needed.
        open.reserve(grid.entry_units().len());
        nodes.open(endpoints.start, zero, Direction::N);
        let h = estimate(endpoints.start);
        open.push((Reverse(h), 0, endpoints.start as u32));
        if O::ACTIVE {
            observer.opened(opened(endpoints.start, None, 0, h));
        }
    }
    // Cells that are opened later have larger numbers.
    let mut order = open.iter().map(|&(_, order, _)| order).max().unwrap_or(0);
    while let Some((_, _, at)) = open.pop() {
        let at = at as usize;
        let so_far = if O::ACTIVE { nodes.label(at) } else { zero };
        if O::ACTIVE {
            let parent = (at != endpoints.start).then(|| grid.index(nodes.parent_cell(grid, at)));
            observer.closed(Closed::same_as(opened(at, parent, so_far - zero, estimate(at))));
        }
        if at == endpoints.goal {
            return ControlFlow::Continue(true);
        }
        counts.expanded += 1;
        steps.for_each(at, None, |Step { to: next, direction, cost, .. }| {
            if !nodes.is_seen(next) {
                let label = if O::ACTIVE { so_far + cost } else { zero };
                nodes.open(next, label, direction);
                order += 1;
                let h = estimate(next);
                open.push((Reverse(h), order, next as u32));
                if O::ACTIVE {
                    observer.opened(opened(next, Some(at), label - zero, h));
                }
            }
        });
        if counts.expanded >= pause_at {
            return ControlFlow::Break(());
        }
    }
    ControlFlow::Continue(false)
}
