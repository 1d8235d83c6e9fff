//! Breadth-first search: the fewest steps, whatever they cost.

use std::ops::ControlFlow;

use crate::grid::Direction;
use crate::observer::{Closed, Observer, Opened};
use crate::search::memory::{Memory, SearchContext, initial_capacity};
use crate::search::steps::{Step, Steps};
use crate::{RouteCost, UNITS_PER_TILE};

/// Searches until the goal is taken from the queue; returns `false` if it is unreachable. Pauses when the context says
/// so.
pub(crate) fn search<S: Steps, O: Observer>(
    memory: &mut Memory,
    context: &mut SearchContext<'_, O>,
    steps: S,
) -> ControlFlow<(), bool> {
    let Memory { nodes, queue, .. } = memory;
    let is_new = context.progress.begin();
    let &mut SearchContext { grid, endpoints, progress: ref mut counts, ref mut observer, pause_at } = context;
    if is_new {
        nodes.begin(grid.entry_units().len(), grid.route_units_limit());
    }
    // Each cell is opened once, by a route of the fewest steps, so any label marks it as seen. Only an observer needs
    // the number of steps.
    let zero = nodes.zero();
    let opened = |at: usize, parent: Option<usize>, steps: u64| {
        let g = cost_of_steps(steps);
        Opened { cell: grid.cell(at), parent: parent.map(|parent| grid.cell(parent)), g, h: RouteCost::ZERO, f: g }
    };
    if is_new {
        queue.clear();
        queue.reserve(initial_capacity(grid));
        nodes.open(endpoints.start, zero, Direction::N);
        queue.push_back(endpoints.start as u32);
        if O::ACTIVE {
            observer.opened(opened(endpoints.start, None, 0));
        }
    }
    while let Some(at) = queue.pop_front() {
        let at = at as usize;
        let label = if O::ACTIVE { nodes.label(at) } else { zero };
        if O::ACTIVE {
            let parent = (at != endpoints.start).then(|| grid.index(nodes.parent_cell(grid, at)));
            observer.closed(Closed::same_as(opened(at, parent, label - zero)));
        }
        if at == endpoints.goal {
            return ControlFlow::Continue(true);
        }
        counts.expanded += 1;
        let label = if O::ACTIVE { label + 1 } else { zero };
        steps.for_each(at, None, |Step { to: next, direction, .. }| {
            if !nodes.is_seen(next) {
                nodes.open(next, label, direction);
                queue.push_back(next as u32);
                if O::ACTIVE {
                    observer.opened(opened(next, Some(at), label - zero));
                }
            }
        });
        if counts.expanded >= pause_at {
            return ControlFlow::Break(());
        }
    }
    ControlFlow::Continue(false)
}

/// What an observer is told: a step counts as one tile.
fn cost_of_steps(steps: u64) -> RouteCost {
    RouteCost::from_units(steps * u64::from(UNITS_PER_TILE))
}
