//! The steps of a search that follows only one of several routes of the same cost.

use std::cell::Cell as Slot;

use crate::grid::Direction;
use crate::search::jumps::forced_turns::Neighbourhood;
use crate::search::jumps::jump_points::JumpPoints;
use crate::search::steps::{GridSteps, Step, Steps};
use crate::{Algorithm, CostGrid, Options, Stamp, StepRules};

/// For each cell of a flat grid the turns that cheapest routes may need there, computed when a search first asks.
///
/// A search that leaves out the others visits half as many neighbours, and hardly ever opens a cell twice.
/// [`forced_turns`](crate::search::jumps::forced_turns) has the rules, and `docs/src/pathfinder/design.md` explains why they
/// are exact.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurnCache {
    stamp: Stamp,
    /// The directions after a step in each direction, of eight bits each; 0 if they are not known.
    turns: Vec<u64>,
}

/// On smaller grids any search is fast, and is to look like in textbooks.
const MIN_CELLS: usize = 128 * 128;

impl TurnCache {
    /// Whether searches with these options are to leave out turns.
    pub(crate) fn pays(grid: &CostGrid, options: &Options) -> bool {
        matches!(options.algorithm, Algorithm::AStar | Algorithm::Auto)
            && options.is_admissible()
            && JumpPoints::exist_for(options.rules)
            && grid.is_flat()
            && grid.size().area() >= MIN_CELLS
    }

    /// How many bytes the turns of a grid take.
    pub(crate) fn bytes_for(grid: &CostGrid) -> usize {
        size_of::<u64>() * grid.entry_units().len()
    }

    /// Forgets the turns around the cells that changed, or all of them if the grid is another one than before or does
    /// not remember its changes. Takes eight bytes per cell.
    pub(crate) fn update(&mut self, grid: &CostGrid) {
        let len = grid.entry_units().len();
        if self.turns.len() < len {
            // The system provides the memory when a search first reaches a cell.
            self.turns = Vec::new();
            self.turns = vec![0; len];
        } else if let Some(changes) = grid.changes_since(self.stamp) {
            for change in changes {
                grid.indices_around(change.cell, 1).for_each(|at| self.turns[at] = 0);
            }
        } else {
            self.turns.fill(0);
        }
        self.stamp = grid.stamp();
    }

    /// The steps on the grid of the last [`update`](Self::update).
    pub(crate) fn steps<'a>(&'a mut self, grid: &'a CostGrid) -> TurnSteps<'a> {
        let turns = Slot::from_mut(self.turns.as_mut_slice()).as_slice_of_cells();
        TurnSteps { turns, grid, steps: GridSteps::new(grid, StepRules::default()) }
    }
}

/// The steps on a flat grid, with eight moves and without cutting corners, that a search needs that is to reach every
/// cell at its lowest cost.
#[derive(Clone, Copy)]
pub(crate) struct TurnSteps<'a> {
    turns: &'a [Slot<u64>],
    grid: &'a CostGrid,
    steps: GridSteps<'a, false>,
}

impl TurnSteps<'_> {
    #[inline(never)]
    fn compute(self, at: usize) -> u64 {
        let possible = self.steps.possible(at);
        let (forced, _) = Neighbourhood::new(self.grid, at).turns();
        let turns = u64::from_le_bytes(std::array::from_fn(|direction| forced.after(direction) & possible));
        self.turns[at].set(turns);
        turns
    }
}

impl Steps for TurnSteps<'_> {
    #[inline(always)]
    fn for_each(self, at: usize, entered_by: Option<Direction>, visit: impl FnMut(Step)) {
        let directions = match (entered_by, self.turns[at].get()) {
            (None, _) => self.steps.possible(at),
            (Some(direction), 0) => self.compute(at).to_le_bytes()[direction as usize],
            (Some(direction), turns) => turns.to_le_bytes()[direction as usize],
        };
        self.steps.for_each_in(directions, at, visit);
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::grid::{Cell, Size};
    use crate::search::astar;
    use crate::search::heuristic::NoEstimate;
    use crate::search::memory::{Endpoints, Memory, Progress, SearchContext, SearchLimits};
    use crate::{Diagonal, EntryCost};

    /// Small maps full of ties, with edits, against searches over all neighbours.
    #[test]
    fn routes_cost_the_same_without_these_turns() {
        let (mut memory, mut turns, options) = (Memory::default(), TurnCache::default(), Options::default());
        let mut found = 0;
        for seed in 0..400 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let palette =
                rng.choice([&[0.0, 1.0][..], &[0.0, 1.0, 1.0, 2.0], &[1.0, 1.5, 2.0, 4.0], &[0.5, 0.6, 0.7, 5.0]]);
            let palette = palette.expect("there are some");
            let ratio = *rng.choice(&[1.0, 1.4, 1.414, 2.0]).expect("there are some");
            let cost = |rng: &mut fastrand::Rng| EntryCost::from_tiles(palette[rng.usize(..palette.len())]).ok();
            let size = Size::new(rng.u32(3..12), rng.u32(3..12));
            let diagonal = Diagonal::new(ratio).expect("in range");
            let mut grid = CostGrid::from_fn(size, diagonal, |_| cost(&mut rng)).expect("small");
            for _ in 0..20 {
                let any =
                    |rng: &mut fastrand::Rng| Cell::new(rng.i32(0..size.width as i32), rng.i32(0..size.height as i32));
                let changed = any(&mut rng);
                grid.set(changed, cost(&mut rng));
                let [from, to] = [any(&mut rng), any(&mut rng)];
                if from == to || !grid.is_passable(from) || !grid.is_passable(to) {
                    continue;
                }
                let endpoints = Endpoints { start: grid.index(from), goal: grid.index(to) };
                type Search<'a> = dyn FnMut(&mut Memory, &mut SearchContext<'_, ()>) -> ControlFlow<(), bool> + 'a;
                let mut search = |search: &mut Search<'_>| {
                    let (observer, progress) = (&mut (), Progress::default());
                    let mut context = SearchContext {
                        grid: &grid,
                        endpoints,
                        progress,
                        observer,
                        pause_at: u64::MAX,
                        limits: SearchLimits { max_units: u64::MAX, max_expanded: u64::MAX, visits_ties: false },
                    };
                    let found = search(&mut memory, &mut context) == ControlFlow::Continue(true);
                    found.then(|| memory.nodes.cost(endpoints.goal))
                };
                turns.update(&grid);
                let few = search(&mut |memory, context| {
                    astar::search(memory, context, &options, turns.steps(&grid), NoEstimate, 0)
                });
                let all = search(&mut |memory, context| {
                    let steps = GridSteps::<false>::new(&grid, options.rules);
                    astar::search(memory, context, &options, steps, NoEstimate, 0)
                });
                assert_eq!(few, all, "seed {seed}, {from} to {to}");
                found += u32::from(all.is_some());
            }
        }
        assert!(found > 1000, "{found}");
    }
}
