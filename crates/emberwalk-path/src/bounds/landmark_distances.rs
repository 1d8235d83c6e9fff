//! Measures the distances between a landmark and all cells, by the [search](dijkstra::fill) that fields use.

use std::ops::ControlFlow;

use crate::bounds::landmark_target::leads_to_landmark;
use crate::bounds::symmetric_steps::SymmetricSteps;
use crate::budget::Budget;
use crate::grid::Direction;
use crate::search::dijkstra;
use crate::search::memory::Memory;
use crate::search::steps::{GridSteps, Step, Steps};
use crate::{CostGrid, StepRules};

/// The steps on level ground with a weight that is the same for the reverse of a step.
#[derive(Clone, Copy)]
pub(crate) struct ByWeight<'a> {
    steps: GridSteps<'a, false>,
    entry_units: &'a [u32],
}

impl<'a> ByWeight<'a> {
    pub(crate) fn new(grid: &'a CostGrid, rules: StepRules) -> Self {
        Self { steps: GridSteps::new(grid, rules), entry_units: grid.entry_units() }
    }
}

impl Steps for ByWeight<'_> {
    const FACTOR: u32 = 2;

    #[inline(always)]
    fn for_each(self, at: usize, entered_by: Option<Direction>, mut visit: impl FnMut(Step)) {
        self.steps.for_each(at, entered_by, |step| {
            let [here, next] = [at, step.to].map(|at| u64::from(self.entry_units[at]));
            let (forward, backward) = (2 * step.cost + here - next, 2 * self.steps.cost_back(at, step) + next - here);
            visit(Step { cost: forward.min(backward), ..step });
        });
    }
}

/// Whether a table has the distances by weight, or the costs of the routes from its landmark or to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    ByWeight,
    FromLandmark,
    ToLandmark,
}

impl Kind {
    /// The kind of a table.
    pub(crate) fn of_table(table: usize, are_directed: bool) -> Self {
        match are_directed {
            false => Self::ByWeight,
            true if leads_to_landmark(table) => Self::ToLandmark,
            true => Self::FromLandmark,
        }
    }
}

/// Evaluates `$body` with `$steps` standing for the steps by which the distances of a table of this kind are measured.
macro_rules! with_steps_of_kind {
    ($kind:expr, $grid:expr, $rules:expr, $steps:ident => $body:expr) => {
        match $kind {
            $crate::bounds::landmark_distances::Kind::ByWeight => {
                let $steps = $crate::bounds::landmark_distances::ByWeight::new($grid, $rules);
                $body
            }
            $crate::bounds::landmark_distances::Kind::FromLandmark => {
                let $steps = $crate::search::steps::GridSteps::<true>::new($grid, $rules);
                $body
            }
            $crate::bounds::landmark_distances::Kind::ToLandmark => {
                let $steps =
                    $crate::search::steps::Backward::new($crate::search::steps::GridSteps::<true>::new($grid, $rules));
                $body
            }
        }
    };
}
pub(crate) use with_steps_of_kind;

/// Measures the distances between the cell `place` and all cells; the nodes of `memory` have the result. It is faster
/// with `symmetric` steps for distances by weight, which have to be made before. Pauses as [`dijkstra::fill`] does.
pub(crate) fn measure(
    memory: &mut Memory,
    (grid, rules): (&CostGrid, StepRules),
    (place, kind): (usize, Kind),
    symmetric: Option<&SymmetricSteps>,
    budget: &mut Budget,
) -> ControlFlow<()> {
    let measured = match (kind, symmetric) {
        (Kind::ByWeight, Some(steps)) => dijkstra::fill(memory, grid, place, steps, budget),
        _ => with_steps_of_kind!(kind, grid, rules, steps => dijkstra::fill(memory, grid, place, steps, budget)),
    };
    measured.map_continue(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, Size};
    use crate::{Corners, Diagonal, EntryCost, Moves};

    /// The distances of all cells by weight, with symmetric steps and without them.
    fn distances(grid: &CostGrid, rules: StepRules, place: usize) -> [Vec<Option<u64>>; 2] {
        let unlimited = || Budget::new(Budget::UNLIMITED);
        let mut steps = SymmetricSteps::new(grid);
        assert!(steps.make((grid, rules), &mut unlimited()).is_continue());
        [Some(&steps), None].map(|steps| {
            let mut memory = Memory::default();
            let measured = measure(&mut memory, (grid, rules), (place, Kind::ByWeight), steps, &mut unlimited());
            assert!(measured.is_continue());
            (0..grid.entry_units().len()).map(|at| memory.nodes.cost(at)).collect()
        })
    }

    /// On small maps full of ties, by all rules.
    #[test]
    fn distances_with_few_turns_are_those_of_a_full_search() {
        let mut reached = 0;
        for seed in 0..1500 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let palettes = [&[0.0, 1.0][..], &[0.0, 1.0, 1.0, 2.0], &[1.0, 1.5, 2.0, 4.0], &[0.5, 0.6, 0.7, 5.0]];
            let palette = rng.choice(palettes).expect("there are some");
            let diagonal = Diagonal::new(*rng.choice(&[1.0, 1.4, 1.414, 2.0]).expect("there are some"));
            let size = Size::new(rng.u32(1..12), rng.u32(1..12));
            let cost = |_| EntryCost::from_tiles(palette[rng.usize(..palette.len())]).ok();
            let grid = CostGrid::from_fn(size, diagonal.expect("in range"), cost).expect("small");
            let rules = StepRules::new(Moves::NAMES[seed as usize % 3].1, Corners::NAMES[seed as usize / 3 % 3].1);
            let place = size.cells().find(|&cell| grid.is_passable(cell)).map(|cell| grid.index(cell));
            let Some(place) = place else { continue };
            let [fast, slow] = distances(&grid, rules, place);
            assert_eq!(fast, slow, "seed {seed}, {rules:?}");
            reached += fast.iter().flatten().count();
        }
        assert!(reached > 20_000, "{reached}");
    }

    /// A corridor whose costs are as far apart as they can be.
    #[test]
    fn distances_of_any_size_are_measured() {
        let tiles = |x: i32| if x == 0 { 1.0 / 256.0 } else { 4096.0 };
        let cost = |cell: Cell| EntryCost::from_tiles(tiles(cell.x)).ok();
        let grid = CostGrid::from_fn(Size::new(4000, 1), Diagonal::GAME, cost).expect("in range");
        let place = grid.index(Cell::new(3999, 0));
        let [fast, slow] = distances(&grid, StepRules::default(), place);
        assert_eq!(fast[grid.index(Cell::new(1, 0))], Some((3998 * 8192) << 18));
        assert_eq!(fast, slow);
    }
}
