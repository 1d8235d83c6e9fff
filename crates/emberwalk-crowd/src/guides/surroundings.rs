//! The costs from the cells around the next part of a route.

use crate::index::CellIndex;
use crate::land::Ground;
use emberwalk_path::CostGrid;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::internal::{Backward, Steps, offsets, with_steps};

/// On open ground an agent sees less far: it learns no more cells once costs have been lowered this many times.
const MAX_LOWERED: usize = 4096;
/// The search for a route visits a cell in the time in which this many are visited here.
const VISITED_PER_SEARCHED: u64 = 3;

/// The rectangle around the next part of a route in which costs are found. All routes share its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    /// The first cell, and the number of columns.
    corner: usize,
    columns: usize,
    /// The costs row by row; [`u64::MAX`] where none is known.
    costs: Vec<u64>,
    /// The cost of each of these cells when the search last expanded it; [`u64::MAX`] if it has not.
    spread: Vec<u64>,
    /// How many times the last search expanded a cell.
    visited: u64,
    /// The cells from which all others get their costs, and the costs from these cells.
    pub(super) seeds: Vec<(CellIndex, u64)>,
    /// The cells whose cost was lowered in the last round, and in this one.
    last: Vec<Place>,
    lowered: Vec<Place>,
}

/// A cell of the grid, and its index in the rectangle.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: CellIndex,
    k: usize,
}

impl Surroundings {
    /// Finds the costs from the cells up to this many steps beside the seeds, without links.
    pub(super) fn find(&mut self, ground: Ground<'_>, beside: usize) {
        self.begin(ground.grid, beside);
        self.spread(Ground { rules: ground.rules.without_links(), ..ground }, beside);
    }

    /// How many cells a search for a route visits in the time that the last search for costs took.
    pub(super) fn effort(&self) -> u64 {
        self.visited / VISITED_PER_SEARCHED
    }

    /// The lowest and the highest cost.
    pub(super) fn range(&self) -> (u64, u64) {
        let known = self.costs.iter().copied().filter(|&cost| cost != u64::MAX);
        known.fold((u64::MAX, 0), |(lowest, highest), cost| (lowest.min(cost), highest.max(cost)))
    }

    /// The index of the first cell of each row, and the costs from its cells; [`u64::MAX`] where none is known.
    pub(super) fn rows(&self, stride: usize) -> impl Iterator<Item = (usize, &[u64])> {
        let rows = self.costs.chunks_exact(self.columns).enumerate();
        rows.map(move |(row, costs)| (self.corner + row * stride, costs))
    }

    /// Makes room for the cells up to this many steps beside the seeds, which get their costs.
    fn begin(&mut self, grid: &CostGrid, beside: usize) {
        let Self { corner, columns, costs, spread, seeds, last, .. } = self;
        let cells = || seeds.iter().map(|&(at, _)| grid.cell(at.get()));
        let [(left, right), (top, bottom)] = [|cell: Cell| cell.x, |cell: Cell| cell.y]
            .map(|of| cells().map(of).fold((i32::MAX, i32::MIN), |(min, max), value| (min.min(value), max.max(value))));
        // No step leads out of the grid, and with one more cell around it, none leads out of the rectangle.
        let margin = beside as i32 + 1;
        let Size { width, height } = grid.size();
        let first = Cell::new((left - margin).max(0), (top - margin).max(0));
        let last_cell = Cell::new((right + margin).min(width as i32 - 1), (bottom + margin).min(height as i32 - 1));
        let (x, y) = last_cell - first;
        *corner = grid.index(first);
        *columns = x as usize + 1;
        for numbers in [&mut *costs, spread] {
            numbers.clear();
            numbers.resize(*columns * (y as usize + 1), u64::MAX);
        }
        last.clear();
        for &(at, cost) in &*seeds {
            let from_corner = at.get() - *corner;
            let k = from_corner / grid.stride() * *columns + from_corner % grid.stride();
            costs[k] = cost;
            last.push(Place { at, k });
        }
    }

    /// Finds the costs from the cells up to this many steps beside the seeds.
    fn spread(&mut self, ground: Ground<'_>, beside: usize) {
        let Self { columns, costs, spread, visited, last, lowered, .. } = self;
        let offsets = offsets(*columns);
        let (mut round, mut count) = (0, 0);
        *visited = 0;
        with_steps!(ground.grid, ground.rules, steps => while !last.is_empty() {
            // From then on, known cells only lower each other's costs.
            let has_all = round >= beside || count > MAX_LOWERED;
            lowered.clear();
            for &Place { at, k } in &*last {
                let here = costs[k];
                // A cost that was lowered several times in one round spreads once.
                if std::mem::replace(&mut spread[k], here) == here {
                    continue;
                }
                *visited += 1;
                Backward::new(steps).for_each(at.get(), None, |step| {
                    let k = k.wrapping_add_signed(offsets[step.direction as usize]);
                    let cost = here + step.cost;
                    if cost < costs[k] && !(has_all && costs[k] == u64::MAX) {
                        costs[k] = cost;
                        lowered.push(Place { at: CellIndex::new(step.to), k });
                    }
                });
            }
            std::mem::swap(last, lowered);
            count += last.len();
            round += 1;
        });
    }
}
