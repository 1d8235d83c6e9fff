//! The common route of a group to its goal: one search for all members.

use crate::index::CellIndex;
use crate::land::Ground;
use emberwalk_path::CostGrid;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::internal::{Backward, Heap, LinearDistance, Nodes, OpenList, Steps, with_steps};

/// The lowest costs from some cells to a goal, and the routes from there.
///
/// A field has the costs from all cells. A group needs only the costs from its members, so this is an A* search from
/// the goal towards the smallest box around the members. It ends when it has reached all of them.
#[derive(Debug, Default)]
pub(super) struct GroupRoute {
    nodes: Nodes,
    open: Heap,
    is_known: bool,
}

/// Between orders there is nothing to copy.
impl Clone for GroupRoute {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl GroupRoute {
    /// Finds the routes from these cells to a passable goal. Returns how many cells were visited.
    pub(super) fn find(&mut self, Ground { grid, rules }: Ground<'_>, goal: Cell, starts: &[Cell]) -> u64 {
        let Self { nodes, open, is_known } = self;
        *is_known = true;
        let xs = || starts.iter().map(|cell| cell.x);
        let ys = || starts.iter().map(|cell| cell.y);
        let [west, east] = [xs().min(), xs().max()].map(|x| x.unwrap_or(goal.x));
        let [north, south] = [ys().min(), ys().max()].map(|y| y.unwrap_or(goal.y));
        let distance = LinearDistance::lower_bound(grid, rules);
        let estimate = |at: usize| {
            let cell = grid.cell(at);
            distance.between(cell - Cell::new(cell.x.clamp(west, east), cell.y.clamp(north, south)))
        };
        let mut left: Vec<_> = starts.iter().map(|&start| grid.index(start)).collect();
        left.sort_unstable();
        left.dedup();
        let mut left_count = left.len();
        let goal = grid.index(goal);
        // No estimate is above the cost of a route to its cell, if there is a route.
        nodes.begin(grid.entry_units().len(), 2 * grid.route_units_limit());
        open.clear();
        nodes.open(goal, nodes.zero(), Direction::N);
        OpenList::push(open, nodes.zero() + estimate(goal), estimate(goal), goal);
        let (zero, limit) = (nodes.zero(), nodes.limit());
        let mut visited = 0;
        while left_count > 0
            && let Some(at) = OpenList::pop(open, limit)
        {
            let Some((so_far, direction)) = nodes.close(at) else { continue };
            visited += 1;
            left_count -= usize::from(left.binary_search(&at).is_ok());
            let entered_by = (so_far != zero).then_some(direction);
            with_steps!(grid, rules, steps => expand(Backward::new(steps), nodes, at, so_far, entered_by, |to, label| {
                let estimate = estimate(to);
                OpenList::push(open, label + estimate, estimate, to);
            }));
        }
        visited
    }

    /// Whether routes were found, and not forgotten since.
    pub(super) fn is_known(&self) -> bool {
        self.is_known
    }

    /// Forgets the routes. Their memory is kept.
    pub(super) fn forget(&mut self) {
        self.is_known = false;
    }

    /// The lowest cost from one of the cells, or from a cell of their routes, in units; `None` if there is no route.
    pub(super) fn cost(&self, at: CellIndex) -> Option<u64> {
        // Without a route there may be no nodes.
        let is_reached = self.is_known && self.nodes.is_seen(at.get()) && self.nodes.is_closed(at.get());
        is_reached.then(|| self.nodes.cost(at.get()))?
    }

    /// The next cell on the route from a cell; `None` at the goal.
    pub(super) fn next(&self, grid: &CostGrid, cell: Cell) -> Option<Cell> {
        let at = grid.index(cell);
        self.cost(CellIndex::new(at)).filter(|&cost| cost > 0)?;
        Some(match self.nodes.link_parent(at) {
            Some(next) => grid.cell(next),
            None => cell + self.nodes.direction(at).opposite(),
        })
    }
}

/// Opens the cells that steps lead to from a cell, and calls `push` with each and its label.
fn expand<S: Steps>(
    steps: S,
    nodes: &mut Nodes,
    at: usize,
    so_far: u64,
    entered_by: Option<Direction>,
    mut push: impl FnMut(usize, u64),
) {
    steps.for_each(at, entered_by, |step| {
        let label = so_far + step.cost;
        if label < nodes.label(step.to) {
            nodes.open_by::<S>(at, step, label);
            push(step.to, label);
        }
    });
}
