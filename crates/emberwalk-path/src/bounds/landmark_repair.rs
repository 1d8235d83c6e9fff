//! Repairs the tables of landmarks where costs decreased, instead of measuring all distances again.
//!
//! The bounds of a table are valid if its distances differ, over each step, by at most the weight of the step: then the
//! distances of any two cells differ by at most the weight of any route between them. They need not be exact on the
//! current grid. Cost increases therefore leave a table valid. After decreases, Dijkstra's algorithm continues from the
//! ends of all steps that may have become cheaper, and lowers distances until the condition holds again. It visits only
//! the cells behind these steps, seen from the landmark.
//!
//! Where stored distances are rounded, only a range is known of each. The search begins at the lower ends of the
//! ranges. It passes every cell whose range it enters, so that no distance remains that is too large, and lowers only
//! those whose range it leaves downwards.

use std::ops::ControlFlow;

use crate::bounds::distance_tables::{BLOCK_CELLS, DistanceTables};
use crate::bounds::landmark_distances::{Kind, with_steps_of_kind};
use crate::budget::Budget;
use crate::grid::Direction;
use crate::search::cell_set::CellSet;
use crate::search::memory::Memory;
use crate::search::open_list::OpenList;
use crate::search::steps::{Step, Steps};
use crate::{CostGrid, StepRules};

/// No distance of a table is larger, in its units.
const MAX_DISTANCE: u64 = 1 << 30;

/// The progress of the repair of one table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TableRepair {
    stage: Stage,
    expanded: u64,
}

#[derive(Clone, Copy, Debug, Default)]
enum Stage {
    /// To open the ends of all steps that may have become cheaper.
    #[default]
    Open,
    /// To expand cells, and to collect those whose distances are lower than in the table.
    Expand,
    /// To store the lower distances, from this one on.
    Store(usize),
}

impl TableRepair {
    /// Lowers the distances of a table as far as steps that became cheaper require. All such steps begin and end at one
    /// of `cells`. Returns `false`, without a change of the table, if more than `max_expanded` cells would have to be
    /// expanded.
    ///
    /// Pauses when the budget is spent; the next call continues with the same table, cells and memory. Meanwhile the
    /// table gives no valid bounds. If the grid changes in between, the distances are valid afterwards for all steps
    /// but those that became cheaper since the first call.
    pub(crate) fn run(
        &mut self,
        (tables, table): (&mut DistanceTables, usize),
        cells: &CellSet,
        (grid, rules): (&CostGrid, StepRules),
        memory: &mut Memory,
        max_expanded: u64,
        budget: &mut Budget,
    ) -> ControlFlow<(), bool> {
        tables.add_rounding(table, grid);
        if let Stage::Open = self.stage {
            open(tables, table, cells, grid, memory);
            self.stage = Stage::Expand;
        }
        if let Stage::Expand = self.stage {
            let kind = Kind::of_table(table, tables.are_directed);
            let before = self.expanded;
            let pause_at = before.saturating_add(budget.left()).min(max_expanded);
            let expanded = with_steps_of_kind!(kind, grid, rules, steps =>
                expand(tables, table, steps, memory, (&mut self.expanded, pause_at)));
            let spent = budget.spend(self.expanded - before);
            if expanded.is_break() {
                if self.expanded >= max_expanded {
                    return ControlFlow::Continue(false);
                }
                return ControlFlow::Break(());
            }
            let lowered = memory.queue.make_contiguous();
            lowered.sort_unstable_by_key(|&at| tables.block_number(at as usize));
            self.stage = Stage::Store(0);
            spent?;
        }
        if let Stage::Store(next) = &mut self.stage {
            let Memory { nodes, queue: lowered, .. } = memory;
            while let Some(&at) = lowered.get(*next) {
                let block = tables.block_number(at as usize);
                tables.lower_block(block, table, |at| nodes.cost(at));
                while lowered.get(*next).is_some_and(|&at| tables.block_number(at as usize) == block) {
                    *next += 1;
                }
                budget.spend(BLOCK_CELLS as u64)?;
            }
        }
        ControlFlow::Continue(true)
    }
}

/// Opens the ends of the steps that may have become cheaper, at their distances in the table.
fn open(tables: &DistanceTables, table: usize, cells: &CellSet, grid: &CostGrid, memory: &mut Memory) {
    let Memory { nodes, heap, queue: lowered, .. } = memory;
    let max_distance = MAX_DISTANCE << tables.unit_shift;
    nodes.begin(grid.entry_units().len(), max_distance);
    heap.clear();
    heap.reserve(grid.entry_units().len() / 2);
    lowered.clear();
    lowered.reserve(grid.entry_units().len());
    for at in cells.iter().filter(|&at| grid.entry_units()[at] != 0) {
        let (distance, _) = tables.range(at, table);
        if distance < max_distance {
            nodes.open(at, nodes.zero() + distance, Direction::N);
            OpenList::push(heap, nodes.zero() + distance, 0, at);
        }
        if tables.is_unknown(at) {
            lowered.push_back(at as u32);
        }
    }
}

/// Expands all open cells, or as many as have been expanded at `pause_at`.
fn expand<S: Steps>(
    tables: &DistanceTables,
    table: usize,
    steps: S,
    memory: &mut Memory,
    (expanded, pause_at): (&mut u64, u64),
) -> ControlFlow<()> {
    let Memory { nodes, heap, queue: lowered, .. } = memory;
    let (zero, limit) = (nodes.zero(), nodes.limit());
    while let Some(at) = OpenList::pop(heap, u64::MAX) {
        let Some((so_far, _)) = nodes.close(at) else { continue };
        if so_far - zero < tables.range(at, table).0 {
            lowered.push_back(at as u32);
        }
        steps.for_each(at, None, |Step { to, cost, .. }| {
            let label = so_far + cost;
            if label < nodes.label(to).min(limit) && label - zero < tables.range(to, table).1 {
                nodes.open(to, label, Direction::N);
                OpenList::push(heap, label, 0, to);
            }
        });
        *expanded += 1;
        if *expanded >= pause_at {
            return ControlFlow::Break(());
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::landmark_distances::measure;
    use crate::grid::{Cell, Size};
    use crate::{ClimbRule, Corners, Diagonal, EntryCost, Level, Moves};

    /// A grid that changes, with one landmark. Some of the palettes have costs whose sums are rounded in the tables.
    struct Case {
        rng: fastrand::Rng,
        palette: &'static [f64],
        grid: CostGrid,
        rules: StepRules,
        tables: DistanceTables,
        place: usize,
        cells: CellSet,
    }

    impl Case {
        fn new(seed: u64) -> Self {
            let mut rng = fastrand::Rng::with_seed(seed);
            let palettes =
                [&[0.0, 1.0][..], &[0.0, 1.0, 2.0, 4.0], &[0.0, 1.3, 1.7, 900.1], &[0.0, 0.011, 37.3, 4096.0]];
            let palette = palettes[seed as usize % 4];
            let size = Size::new(rng.u32(2..30), rng.u32(2..30));
            let cost = |_| EntryCost::from_tiles(palette[rng.usize(..palette.len())]).ok();
            let mut grid = CostGrid::from_fn(size, Diagonal::GAME, cost).expect("small");
            if rng.bool() {
                grid.set_levels(ClimbRule::default(), |_| Level::new(rng.u8(..2)).expect("low"));
            }
            let moves = *rng.choice(&[Moves::Eight, Moves::Four, Moves::Six]).expect("there are some");
            let rules = StepRules::new(moves, Corners::NAMES[rng.usize(..3)].1);
            let place = grid.index(Cell::new(0, 0));
            grid.set(Cell::new(0, 0), Some(EntryCost::TILE));
            let (mut tables, mut cells) = (DistanceTables::new(&grid), CellSet::default());
            cells.begin(grid.entry_units().len(), 0);
            // In half of the cases units of the tables are coarse.
            tables.set_max_distance(if rng.bool() { 1 << 33 } else { 1 << 20 });
            let mut case = Self { rng, palette, grid, rules, tables, place, cells };
            for table in case.used_tables() {
                let distances = case.distances(table);
                let rows = 0..case.tables.block_rows().0;
                case.tables.write(rows, &[(table, |at: usize| distances[at])], &case.grid);
            }
            case
        }

        fn used_tables(&self) -> std::ops::Range<usize> {
            0..if self.tables.are_directed { 2 } else { 1 }
        }

        fn distances(&self, table: usize) -> Vec<Option<u64>> {
            let (mut memory, kind) = (Memory::default(), Kind::of_table(table, self.tables.are_directed));
            let budget = &mut Budget::new(Budget::UNLIMITED);
            let _ = measure(&mut memory, (&self.grid, self.rules), (self.place, kind), None, budget);
            (0..self.grid.entry_units().len()).map(|at| memory.nodes.cost(at)).collect()
        }

        /// Changes some cells as landmarks record them. With `only_cheaper`, no cost increases.
        fn change(&mut self, only_cheaper: bool) {
            for _ in 0..self.rng.u8(1..6) {
                let size = self.grid.size();
                let cell = Cell::new(self.rng.i32(0..size.width as i32), self.rng.i32(0..size.height as i32));
                let cost = EntryCost::from_tiles(*self.rng.choice(self.palette).expect("there are some")).ok();
                let was = self.grid.get(cell);
                let is_cheaper = cost.is_some_and(|cost| was.is_none_or(|was| cost < was));
                if self.grid.index(cell) == self.place || only_cheaper && !is_cheaper {
                    continue;
                }
                self.grid.set(cell, cost);
                let at = self.grid.index(cell);
                if was.is_none() && cost.is_some() {
                    self.tables.set_unknown(at);
                }
                // Increases may leave the cost of a diagonal step as it was, so that they count too.
                for at in self.grid.indices_around(cell, 1) {
                    self.cells.insert(at);
                }
            }
        }

        fn repair(&mut self) {
            let (map, mut memory) = ((&self.grid, self.rules), Memory::default());
            for table in self.used_tables() {
                let mut repair = TableRepair::default();
                let repaired = loop {
                    // In some cases in slices.
                    let budget = &mut Budget::new(if self.rng.bool() { Budget::UNLIMITED } else { self.rng.u64(..30) });
                    let tables = (&mut self.tables, table);
                    let run = repair.run(tables, &self.cells, map, &mut memory, u64::MAX, budget);
                    if let Some(repaired) = run.continue_value() {
                        break repaired;
                    }
                };
                assert!(repaired);
            }
            self.cells.iter().for_each(|at| self.tables.set_known(at));
            self.cells.clear();
        }
    }

    /// What the ranges of all cells and the steps between them allow as the largest distance of each cell.
    fn largest_distances<S: Steps>(case: &Case, table: usize, steps: S) -> Vec<u64> {
        let upper =
            |at: usize| if case.grid.entry_units()[at] == 0 { u64::MAX } else { case.tables.range(at, table).1 };
        let mut largest: Vec<u64> = (0..case.grid.entry_units().len()).map(upper).collect();
        let mut open: Vec<usize> = (0..largest.len()).filter(|&at| largest[at] != u64::MAX).collect();
        while let Some(at) = open.pop() {
            steps.for_each(at, None, |Step { to, cost, .. }| {
                if largest[at] + cost < largest[to] {
                    largest[to] = largest[at] + cost;
                    open.push(to);
                }
            });
        }
        largest
    }

    /// No two cells differ by more than the cheapest route between them weighs.
    #[test]
    fn repaired_distances_give_valid_bounds() {
        let mut rounded = 0;
        for seed in 0..800 {
            let mut case = Case::new(seed);
            for round in 0..12 {
                case.change(false);
                case.repair();
                for table in case.used_tables() {
                    let kind = Kind::of_table(table, case.tables.are_directed);
                    let largest = with_steps_of_kind!(kind, &case.grid, case.rules, steps =>
                        largest_distances(&case, table, steps));
                    for at in (0..largest.len()).filter(|&at| case.grid.entry_units()[at] != 0) {
                        let (lower, upper) = case.tables.range(at, table);
                        // What is farther away counts as unreachable.
                        let lower = lower.min((MAX_DISTANCE / 2) << case.tables.unit_shift);
                        assert!(lower <= largest[at], "seed {seed}, round {round}: {lower}, not {}", largest[at]);
                        assert!(!case.tables.is_unknown(at));
                        rounded += u32::from(upper != lower);
                    }
                }
            }
        }
        assert!(rounded > 10_000, "{rounded}");
    }

    /// Where costs only decrease, the repaired distances are exact on the current grid.
    #[test]
    fn repaired_distances_are_those_of_the_grid() {
        let mut compared = 0;
        for seed in (0..800).filter(|seed| seed % 4 < 2) {
            let mut case = Case::new(seed);
            for round in 0..12 {
                case.change(true);
                case.repair();
                for table in case.used_tables() {
                    for (at, distance) in case.distances(table).into_iter().enumerate() {
                        if case.grid.entry_units()[at] == 0 {
                            continue;
                        }
                        let (lower, upper) = case.tables.range(at, table);
                        let distance = distance.unwrap_or(u64::MAX);
                        assert!(lower <= distance, "seed {seed}, round {round}: {lower} and {distance}");
                        if case.tables.unit_shift == 0 && lower == upper {
                            assert_eq!(lower, distance, "seed {seed}, round {round}, {:?}", case.rules);
                            compared += 1;
                        }
                    }
                }
            }
        }
        assert!(compared > 100_000, "{compared}");
    }
}
