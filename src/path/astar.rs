//! A*, and weighted A*, which is the same with a larger estimate.

use super::buckets::Buckets;
use super::heuristic::{Estimate, Ready};
use super::nodes::{Improved, Nodes};
use super::open_list::OpenList;
use super::planner::{Ends, Memory, Tally, usual_share};
use super::query::{Algorithm, Options};
use super::steps::{ALL_AROUND, Rule, ahead, for_each_step};
use super::{CostGrid, Observer};
use crate::grid::Direction;

/// Searches with the open list that suits the options and the costs of the grid.
#[expect(clippy::too_many_arguments, reason = "one call, and every argument decides how the search is compiled")]
pub(super) fn plan<R: Rule, E: Estimate, O: Observer>(
    memory: &mut Memory,
    grid: &CostGrid,
    ends: Ends,
    options: &Options,
    rule: R,
    estimate: E,
    tally: &mut Tally,
    observer: &mut O,
) -> bool {
    let Memory { nodes, buckets, heap, .. } = memory;
    let consistent = Ready::is_consistent(grid, options);
    let weighted = matches!(options.algorithm, Algorithm::Weighted { weight } if weight > 1.0);
    if consistent
        && !weighted
        && let Some(shift) = shift_for(grid)
    {
        let (start, goal) = (grid.cell(ends.start), grid.cell(ends.goal));
        let first = nodes.zero() + estimate.at(start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
        buckets.begin(first, shift, usual_share(grid));
        return search::<_, _, _, _, true>(nodes, buckets, grid, ends, rule, estimate, tally, observer);
    }
    heap.clear();
    heap.reserve(usual_share(grid));
    if consistent && weighted {
        search::<_, _, _, _, false>(nodes, heap, grid, ends, rule, estimate, tally, observer)
    } else {
        search::<_, _, _, _, true>(nodes, heap, grid, ends, rule, estimate, tally, observer)
    }
}

/// The width of buckets, as a power of two, that is right for the costs of the grid; `None` if they differ too much.
fn shift_for(grid: &CostGrid) -> Option<u32> {
    // Measured: wider buckets reopen more cells, narrower ones are emptied one by one.
    const EIGHTH: u32 = 3;
    let (cheapest, dearest) = (grid.cheapest()?.units(), grid.dearest()?.units());
    // A step raises the cost by its own, and the estimate by at most two of the cheapest diagonal ones.
    let ahead = u64::from(grid.diagonal().of(dearest)) + 2 * u64::from(grid.diagonal().of(cheapest));
    Buckets::shift_for(ahead, cheapest.ilog2() - EIGHTH, cheapest.ilog2())
}

/// Searches until no open cell could lead to a cheaper way; `false` if the labels' limit was in the way.
///
/// The answer does not depend on the order in which the open list gives its cells: a cell is opened again whenever a
/// cheaper way to it is found, and the search ends only when every open key is at least the cost of the best way
/// known. While the goal's label is above the least cost, some cell of a cheapest way is open with its least cost, and
/// its key is at most the least cost where the estimate is admissible, and at most `weight` times it where that is
/// `weight` times an admissible one.
///
/// Without `REOPEN` a closed cell is never opened again. That keeps the promise of weighted A* if the plain estimate is
/// consistent and the open list gives the smallest key first (Likhachev, Gordon, Thrun, "ARA*: Anytime A* with
/// Provable Bounds on Sub-Optimality", NIPS 2003), and spares it most of its work.
#[expect(clippy::too_many_arguments, reason = "one call, and every argument decides how the search is compiled")]
pub(super) fn search<R: Rule, E: Estimate, L: OpenList, O: Observer, const REOPEN: bool>(
    nodes: &mut Nodes,
    open: &mut L,
    grid: &CostGrid,
    ends: Ends,
    rule: R,
    estimate: E,
    tally: &mut Tally,
    observer: &mut O,
) -> bool {
    let (stored, stride, diagonal) = (grid.stored(), grid.stride(), grid.diagonal());
    let goal = grid.cell(ends.goal);
    let mut best = nodes.limit();
    nodes.open(ends.start, nodes.zero(), Direction::N);
    let start = grid.cell(ends.start);
    let first = nodes.zero() + estimate.at(start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
    open.push(first, nodes.zero(), ends.start);
    observer.opened(start);
    while let Some(at) = open.pop(best) {
        let Some((so_far, by)) = nodes.close(at) else { continue };
        let directions = if at == ends.start { ALL_AROUND } else { ahead(by) };
        tally.expanded += 1;
        let cell = grid.cell(at);
        observer.closed(cell);
        let (right, down) = (cell.x - goal.x, cell.y - goal.y);
        for_each_step(rule, stored, stride, at, directions, |there, by, units| {
            let step = if by.is_diagonal() { diagonal.of(units) } else { units };
            let label = so_far + u64::from(step);
            let improved = nodes.improves::<REOPEN>(there, label);
            if improved == Improved::No {
                return;
            }
            let (dx, dy) = by.offset();
            let key = label + estimate.at((right + dx).unsigned_abs(), (down + dy).unsigned_abs());
            if key >= best {
                return;
            }
            tally.reopened += u64::from(improved == Improved::Reopened);
            nodes.open(there, label, by);
            observer.opened(cell + by);
            if there == ends.goal {
                best = label;
            } else {
                open.push(key, label, there);
            }
        });
    }
    if best < nodes.limit() {
        observer.closed(goal);
    }
    best < nodes.limit()
}
