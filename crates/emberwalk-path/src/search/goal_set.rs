//! A* from one of several starts to one of several goals, or to the cell that is closest to them.

use std::ops::ControlFlow;

use crate::CostGrid;
use crate::grid::Direction;
use crate::search::memory::{Closest, Memory, Progress, SearchLimits, initial_capacity};
use crate::search::open_list::OpenList;
use crate::search::steps::{Step, Steps};

/// The goals of a search. Cells are given by their index.
pub(crate) trait Aim {
    /// A lower bound on the cost to the nearest goal, in units, which is consistent: no step decreases the sum of the
    /// cost so far and the bound. It is 0 at a goal.
    fn estimate(&self, at: usize) -> u64;

    /// Whether a cell is a goal.
    fn is_goal(&self, at: usize) -> bool;

    /// How far from the goals a cell counts that is expanded, if the search ends without reaching one.
    fn distance(&self, at: usize) -> u64;
}

/// Searches until a goal is reached at the lowest cost, and returns it; `None` if none can be reached within the
/// limits. The closest cell is then [`Progress::closest`]. Pauses once it has expanded `pause_at` cells, and continues
/// with the same arguments.
///
/// The estimate is consistent and the heap orders keys exactly, so a cell has its lowest cost when it is expanded. If
/// the search visits ties, it returns the first by row and column of the goals of the lowest cost.
pub(crate) fn search<S: Steps>(
    memory: &mut Memory,
    grid: &CostGrid,
    starts: impl Iterator<Item = usize>,
    steps: S,
    aim: &impl Aim,
    (limits, progress, pause_at): (SearchLimits, &mut Progress, u64),
) -> ControlFlow<(), Option<usize>> {
    let Memory { nodes, heap, .. } = memory;
    if progress.begin() {
        // No estimate is above the cost of a route to the cell that it leads to, if there is one.
        nodes.begin(grid.entry_units().len(), 2 * grid.route_units_limit());
        heap.clear();
        heap.reserve(initial_capacity(grid));
        for start in starts {
            let estimate = aim.estimate(start);
            nodes.open(start, nodes.zero(), Direction::N);
            OpenList::push(heap, nodes.zero() + estimate, estimate, start);
        }
    }
    let (zero, limit) = (nodes.zero(), nodes.limit());
    let mut goal = progress.closest.filter(|closest| aim.is_goal(closest.at));
    let mut end = limits.end(zero, goal.map_or(limit, |goal| goal.label));
    while let Some(at) = OpenList::pop(heap, end) {
        let Some((so_far, direction)) = nodes.close(at) else { continue };
        let is_goal = aim.is_goal(at);
        let found = Closest { distance: if is_goal { 0 } else { aim.distance(at) }, label: so_far, at };
        if is_goal {
            goal = Some(goal.map_or(found, |goal| goal.min(found)));
            progress.closest = goal;
            if !limits.visits_ties {
                break;
            }
            end = limits.end(zero, so_far);
            continue;
        }
        if goal.is_none() && progress.closest.is_none_or(|closest| found < closest) {
            progress.closest = Some(found);
        }
        let entered_by = (so_far != zero).then_some(direction);
        steps.for_each(at, entered_by, |step| {
            let Step { to: next, cost, .. } = step;
            let label = so_far + cost;
            if label >= nodes.label(next) {
                return;
            }
            let estimate = aim.estimate(next);
            if label + estimate < end {
                nodes.open_by::<S>(at, step, label);
                OpenList::push(heap, label + estimate, estimate, next);
            }
        });
        progress.expanded += 1;
        if progress.expanded >= pause_at {
            return ControlFlow::Break(());
        }
    }
    ControlFlow::Continue(goal.map(|goal| goal.at))
}
