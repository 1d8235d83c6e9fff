//! A*, and weighted A*, which is the same with a larger estimate.

use crate::bounds::heuristic::{Estimate, PreparedHeuristic};
use crate::grid::Direction;
use crate::query::{Algorithm, Options};
use crate::search::buckets::Buckets;
use crate::search::memory::{Endpoints, Memory, Tally, usual_share};
use crate::search::nodes::{Improved, Nodes};
use crate::search::open_list::OpenList;
use crate::search::steps::{Successor, Successors};
use crate::{CostGrid, Observer};

/// How many cells a search in buckets may reopen beside half of those that it expands, before it turns to the heap.
const REOPENED_IN_BUCKETS: u64 = 1000;

/// A key that is larger by this, a sixteenth of a tile, counts as the same where far successors are looked for.
const HARDLY: u64 = 1 << 14;

/// Searches with the open list that suits the options and the costs of the grid; `false` if there is no way.
///
/// Buckets are the quickest, but where many ways differ by less than a bucket's width the cells in a bucket come in a
/// bad order, and each is reopened over and over: on costs that are nearly but not quite equal that gets out of hand.
/// So a search that reopens too much goes on with the heap, which gives exact keys.
///
/// With a heuristic that is not consistent on this grid, exact keys reopen cells too, in the worst case exponentially
/// often (Martelli, "On the Complexity of Admissible Search Algorithms", 1977). Such a heuristic overestimates and
/// promises nothing, so once as many cells were reopened as there are, none is any more.
#[expect(clippy::too_many_arguments, reason = "one call, and every argument decides how the search is compiled")]
pub(crate) fn plan<S: Successors, E: Estimate, O: Observer>(
    memory: &mut Memory,
    grid: &CostGrid,
    ends: Endpoints,
    options: &Options,
    successors: S,
    estimate: E,
    tally: &mut Tally,
    observer: &mut O,
) -> bool {
    let Memory { nodes, buckets, heap, .. } = memory;
    let consistent = PreparedHeuristic::is_consistent(grid, options);
    let weighted = matches!(options.algorithm, Algorithm::Weighted { weight } if weight > 1.0);
    let mut search = Search { nodes, grid, ends, successors, estimate, tally, observer };
    let first = search.begin();
    if consistent
        && !weighted
        && let Some(shift) = shift_for(grid)
    {
        buckets.begin(first, shift, usual_share(grid));
        buckets.push(first, ends.start as u32);
        let too_many = |tally: &Tally| tally.reopened > tally.expanded / 2 + REOPENED_IN_BUCKETS;
        if let Some(found) = search.run::<_, true>(buckets, too_many) {
            return found;
        }
        heap.clear();
        while let Some(at) = buckets.pop(u64::MAX) {
            search.put(heap, at as usize);
        }
        return search.run::<_, true>(heap, |_| false) == Some(true);
    }
    heap.clear();
    heap.reserve(usual_share(grid));
    search.put(heap, ends.start);
    if !consistent {
        let too_many = |tally: &Tally| tally.reopened > grid.stored().len() as u64;
        if let Some(found) = search.run::<_, true>(heap, too_many) {
            return found;
        }
    }
    // What is consistent comes here to be weighted, or because there are no buckets for the costs.
    let found = if consistent && !weighted {
        search.run::<_, true>(heap, |_| false)
    } else {
        search.run::<_, false>(heap, |_| false)
    };
    found == Some(true)
}

/// The width of buckets, as a power of two, that is right for the costs of the grid; `None` if they differ too much.
fn shift_for(grid: &CostGrid) -> Option<u32> {
    // Measured: wider buckets reopen more cells, narrower ones are emptied one by one.
    const EIGHTH: u32 = 3;
    let (cheapest, dearest) = (grid.min_cost()?.units(), grid.max_cost()?.units());
    // A step raises the cost by its own, and the estimate by at most two of the cheapest diagonal ones.
    let ahead = u64::from(grid.diagonal().of(dearest)) + 2 * u64::from(grid.diagonal().of(cheapest));
    Buckets::shift_for(ahead, cheapest.ilog2() - EIGHTH, cheapest.ilog2())
}

/// One search, apart from its open list.
struct Search<'a, S, E, O> {
    nodes: &'a mut Nodes,
    grid: &'a CostGrid,
    ends: Endpoints,
    successors: S,
    estimate: E,
    tally: &'a mut Tally,
    observer: &'a mut O,
}

impl<S: Successors, E: Estimate, O: Observer> Search<'_, S, E, O> {
    /// Opens the start, and gives its key.
    fn begin(&mut self) -> u64 {
        self.nodes.open(self.ends.start, self.nodes.zero(), Direction::N);
        self.observer.opened(self.grid.cell(self.ends.start));
        self.nodes.zero() + self.estimate(self.ends.start)
    }

    fn estimate(&mut self, at: usize) -> u64 {
        let (cell, goal) = (self.grid.cell(at), self.grid.cell(self.ends.goal));
        self.estimate.for_cell(at, cell, cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y))
    }

    /// Puts a cell on the open list, unless it is closed.
    fn put(&mut self, open: &mut impl OpenList, at: usize) {
        if !self.nodes.is_closed(at) {
            let label = self.nodes.label(at);
            let key = label + self.estimate(at);
            open.push(key, label, at);
        }
    }

    /// Searches until no open cell could lead to a cheaper way, and says whether the goal was reached. `None` if it
    /// has reopened `too_many` cells; then the open cells are still on the list.
    ///
    /// The answer does not depend on the order in which the open list gives its cells: a cell is opened again whenever
    /// a cheaper way to it is found, and the search ends only when every open key is at least the cost of the best way
    /// known. While the goal's label is above the least cost, some cell of a cheapest way is open with its least cost,
    /// and its key is at most the least cost where the estimate is admissible, and at most `weight` times it where
    /// that is `weight` times an admissible one.
    ///
    /// Without `REOPEN` a closed cell is never opened again. That keeps the promise of weighted A* if the plain
    /// estimate is consistent and the open list gives the smallest key first (Likhachev, Gordon, Thrun, "ARA*: Anytime
    /// A* with Provable Bounds on Sub-Optimality", NIPS 2003), and spares it most of its work.
    fn run<L: OpenList, const REOPEN: bool>(
        &mut self,
        open: &mut L,
        too_many: impl Fn(&Tally) -> bool,
    ) -> Option<bool> {
        let Self { nodes, grid, ends, successors, estimate, tally, observer } = self;
        let goal = grid.cell(ends.goal);
        let mut best = nodes.label(ends.goal).min(nodes.limit());
        while let Some(at) = open.pop(best) {
            let Some((so_far, by)) = nodes.close(at) else { continue };
            tally.expanded += 1;
            let cell = grid.cell(at);
            observer.closed(cell);
            let came = (at != ends.start).then_some(by);
            // What is hardly worse would be the next to come from the open list, so it can be looked past at once.
            let (columns, rows) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
            let next = if S::ARE_FAR { so_far + estimate.for_cell(at, cell, columns, rows) + HARDLY } else { 0 };
            successors.each(at, cell, came, |Successor { at: there, cell, by, cost, can_wait }| {
                let label = so_far + cost;
                let improved = nodes.improves::<REOPEN>(there, label);
                if improved == Improved::No {
                    return false;
                }
                let (columns, rows) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
                let key = label + estimate.for_cell(there, cell, columns, rows);
                if key >= best {
                    return false;
                }
                if can_wait && key <= next {
                    return true;
                }
                tally.reopened += u64::from(improved == Improved::Reopened);
                nodes.open(there, label, by);
                if S::ARE_FAR {
                    nodes.set_from(there, at);
                }
                observer.opened(cell);
                if there == ends.goal {
                    best = label;
                } else {
                    open.push(key, label, there);
                }
                false
            });
            if too_many(tally) {
                return None;
            }
        }
        if best < nodes.limit() {
            observer.closed(goal);
        }
        Some(best < nodes.limit())
    }
}
