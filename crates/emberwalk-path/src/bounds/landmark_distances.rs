//! Measures the distances between a landmark and all cells.
//!
//! On level ground this is Dijkstra's algorithm with a queue for each range of distances, and with labels of 28 bits.
//! Where costs are too far apart for that, and on grids with levels, it is the [search](dijkstra::fill) that fields
//! use.

use std::ops::ControlFlow;

use crate::bounds::landmark_target::leads_to_landmark;
use crate::bounds::symmetric_steps::{CellSteps, Cells, SymmetricSteps};
use crate::budget::Budget;
use crate::search::dijkstra::{self, Backward, Forward, StepCost};
use crate::search::memory::Memory;
use crate::search::steps::{offsets, with_flat_steps, with_steps};
use crate::{CostGrid, StepRules};

/// The weight of a step in the distances of landmarks, the same for its reverse.
#[derive(Clone, Copy)]
struct SymmetricWeight;

impl StepCost for SymmetricWeight {
    const FACTOR: u32 = 2;

    #[inline(always)]
    fn of(self, here: u32, next: u32, forward: u64, backward: impl Fn() -> u64) -> u64 {
        let forward = 2 * forward + u64::from(here) - u64::from(next);
        let backward = 2 * backward() + u64::from(next) - u64::from(here);
        forward.min(backward)
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
    /// Returns the kind of a table.
    pub(crate) fn of_table(table: usize, are_directed: bool) -> Self {
        match are_directed {
            false => Self::ByWeight,
            true if leads_to_landmark(table) => Self::ToLandmark,
            true => Self::FromLandmark,
        }
    }
}

/// Measures distances by the search that fields use, which [can be paused](dijkstra::fill); `memory` has the result.
pub(crate) fn measure_by_fill(
    memory: &mut Memory,
    grid: &CostGrid,
    rules: StepRules,
    place: usize,
    kind: Kind,
    budget: &mut Budget,
) -> ControlFlow<()> {
    let filled = match kind {
        Kind::ByWeight => with_flat_steps!(grid, rules, steps =>
            dijkstra::fill(memory, grid, place, steps, SymmetricWeight, budget)),
        Kind::FromLandmark => with_steps!(grid, rules, steps =>
            dijkstra::fill(memory, grid, place, steps, Forward, budget)),
        Kind::ToLandmark => with_steps!(grid, rules, steps =>
            dijkstra::fill(memory, grid, place, steps, Backward, budget)),
    };
    filled.map_continue(|_| ())
}

const DIRECTION: u32 = 0b0111;
const CLOSED: u32 = 0b1000;
const FLAGS: u32 = 4;
const UNSEEN: u32 = u32::MAX;
/// No label is so large.
const LIMIT: u32 = UNSEEN >> FLAGS;

/// A scaled distance of cells that no landmark reaches.
pub(crate) const UNREACHED: u32 = u32::MAX;

/// Returns a distance in units of `2^unit_shift`.
pub(crate) fn scaled(distance: u64, unit_shift: u32) -> u32 {
    (distance >> unit_shift).min(u64::from(UNREACHED - 1)) as u32
}

/// How far measuring is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Progress {
    #[default]
    Begun,
    /// A search with a queue for each range of distances was paused.
    Paused(PausedSearch),
    /// There are distances that are too large for these labels, so that the search of fields measures them.
    ByFill,
    Done,
}

/// What a paused search has beside its queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PausedSearch {
    bucket: usize,
    open: usize,
    bits_of_labels: u32,
}

/// The distances of one landmark at a time, and the memory that measuring them takes.
#[derive(Clone, Debug, Default)]
pub(crate) struct LandmarkDistances {
    place: usize,
    kind: Kind,
    progress: Progress,
    /// The label of each cell, the direction of the step into it, and whether it is closed.
    words: Vec<u32>,
    unit_shift: u32,
    queues: Vec<Vec<u32>>,
    /// The queue that is being emptied.
    current: Vec<u32>,
    /// Has the distances if `words` is empty.
    memory: Memory,
}

impl LandmarkDistances {
    /// Begins to measure the distances between `place` and all cells.
    pub(crate) fn begin(&mut self, place: usize, kind: Kind) {
        (self.place, self.kind, self.progress) = (place, kind, Progress::Begun);
        self.memory.fill = Default::default();
    }

    /// Measures the distances, with these steps if there are any, or goes on where it paused; nothing is left to do
    /// after that.
    pub(crate) fn measure(
        &mut self,
        (grid, rules): (&CostGrid, StepRules),
        steps: Option<&SymmetricSteps>,
        budget: &mut Budget,
    ) -> ControlFlow<()> {
        let steps = steps.filter(|_| self.kind == Kind::ByWeight);
        if let (Progress::Begun | Progress::Paused(_), Some(steps)) = (self.progress, steps) {
            let has_all_labels = match &steps.cells {
                Cells::Small(cells) => self.fill(grid, steps, cells, budget)?,
                Cells::Large(cells) => self.fill(grid, steps, cells, budget)?,
            };
            self.progress = if has_all_labels { Progress::Done } else { Progress::ByFill };
        }
        if self.progress != Progress::Done {
            self.words = Vec::new();
            measure_by_fill(&mut self.memory, grid, rules, self.place, self.kind, budget)?;
            self.progress = Progress::Done;
        }
        ControlFlow::Continue(())
    }

    /// Returns the distance of a cell, in units; `None` if it is unreachable.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> Option<u64> {
        match self.words.get(at) {
            Some(&UNSEEN) => None,
            Some(word) => Some(u64::from(word >> FLAGS) << self.unit_shift),
            None => self.memory.nodes.cost(at),
        }
    }

    /// Lowers each number to the distance of its cell, in units of `2^unit_shift`.
    pub(crate) fn lower(&self, nearest: &mut [u32], unit_shift: u32) {
        debug_assert!(self.words.is_empty() || self.unit_shift == unit_shift);
        for (nearest, &word) in nearest.iter_mut().zip(&self.words) {
            *nearest = (*nearest).min(if word == UNSEEN { UNREACHED } else { word >> FLAGS });
        }
        if self.words.is_empty() {
            for (at, nearest) in nearest.iter_mut().enumerate() {
                *nearest = (*nearest)
                    .min(self.memory.nodes.cost(at).map_or(UNREACHED, |distance| scaled(distance, unit_shift)));
            }
        }
    }

    /// Returns `false` if some labels are too large.
    fn fill<T: Copy + Into<u32>>(
        &mut self,
        grid: &CostGrid,
        steps: &SymmetricSteps,
        cells: &[CellSteps<T>],
        budget: &mut Budget,
    ) -> ControlFlow<(), bool> {
        let Self { words, queues, current, progress, place, .. } = self;
        let place = *place;
        let before = match *progress {
            Progress::Paused(search) => search,
            _ => {
                words.clear();
                words.resize(grid.entry_units().len(), UNSEEN);
                self.unit_shift = steps.unit_shift;
                queues.resize_with(steps.bucket_count.max(queues.len()), Vec::new);
                queues.iter_mut().for_each(Vec::clear);
                current.clear();
                words[place] = 0;
                queues[0].push(place as u32);
                PausedSearch { bucket: 0, open: 1, bits_of_labels: 0 }
            }
        };
        let (queues, mask) = (&mut queues[..steps.bucket_count], steps.bucket_count - 1);
        let shift = steps.bucket_shift;
        let words = &mut words[..];
        let offsets = offsets(grid.stride());
        let PausedSearch { mut bucket, mut open, mut bits_of_labels } = before;
        while open > 0 {
            std::mem::swap(&mut queues[bucket & mask], current);
            (bucket, open) = (bucket + 1, open - current.len());
            let spent = budget.spend(current.len() as u64);
            // No step from a cell of this queue leads to another one of it.
            for at in current.drain(..).map(|at| at as usize) {
                let word = words[at];
                if word & CLOSED != 0 {
                    continue;
                }
                words[at] = word | CLOSED;
                let CellSteps { weights: here, turns } = cells[at];
                let mut directions =
                    if at == place { turns.possible() } else { turns.directions_after(word & DIRECTION) };
                let so_far = word >> FLAGS;
                while directions != 0 {
                    let direction = directions.trailing_zeros() as usize % 8;
                    directions &= directions - 1;
                    let next = at.wrapping_add_signed(offsets[direction]);
                    let other = cells[next].weights;
                    let (straight, diagonal) = (here.straight(other), here.diagonal(other));
                    let label = so_far + if direction.is_multiple_of(2) { straight } else { diagonal };
                    bits_of_labels |= label + 1;
                    if words[next] >> FLAGS > label {
                        words[next] = label << FLAGS | direction as u32;
                        queues[(label >> shift) as usize & mask].push(next as u32);
                        open += 1;
                    }
                }
            }
            if spent.is_break() && open > 0 {
                *progress = Progress::Paused(PausedSearch { bucket, open, bits_of_labels });
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(bits_of_labels <= LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Size;
    use crate::{Corners, Diagonal, EntryCost, Moves};

    fn unlimited() -> Budget {
        Budget::new(Budget::UNLIMITED)
    }

    /// On small maps full of ties, by all rules.
    #[test]
    fn distances_with_few_turns_are_those_of_a_full_search() {
        let mut distances: [LandmarkDistances; 2] = Default::default();
        let mut reached = 0;
        for seed in 0..1500 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let palettes = [&[0.0, 1.0][..], &[0.0, 1.0, 1.0, 2.0], &[1.0, 1.5, 2.0, 4.0], &[0.5, 0.6, 0.7, 5.0]];
            let palette = rng.choice(palettes).expect("there are some");
            let diagonal = Diagonal::new(*rng.choice(&[1.0, 1.4, 1.414, 2.0]).expect("there are some"));
            let size = Size::new(rng.u32(1..12), rng.u32(1..12));
            let cost = |_| EntryCost::from_tiles(palette[rng.usize(..palette.len())]).ok();
            let grid = CostGrid::from_fn(size, diagonal.expect("in range"), cost).expect("small");
            let rules = StepRules {
                moves: Moves::NAMES[seed as usize % 3].1,
                corners: Corners::NAMES[seed as usize / 3 % 3].1,
            };
            let Some(mut steps) = SymmetricSteps::new(&grid) else { continue };
            assert!(steps.make((&grid, rules), &mut unlimited()).is_continue());
            let place = size.cells().find(|&cell| grid.is_passable(cell)).map(|cell| grid.index(cell));
            let place = place.expect("some cell has the lowest cost");
            for (distances, steps) in distances.iter_mut().zip([Some(&steps), None]) {
                distances.begin(place, Kind::ByWeight);
                assert!(distances.measure((&grid, rules), steps, &mut unlimited()).is_continue());
            }
            let [fast, slow] = &distances;
            for at in 0..grid.entry_units().len() {
                assert_eq!(fast.get(at), slow.get(at), "seed {seed}, {rules:?}, {}", grid.cell(at));
                reached += u32::from(fast.get(at).is_some());
            }
            let unit_shift = grid.step_trailing_zeros();
            for distances in [fast, slow] {
                let mut nearest = vec![UNREACHED; grid.entry_units().len()];
                distances.lower(&mut nearest, unit_shift);
                for (at, &nearest) in nearest.iter().enumerate() {
                    let distance = distances.get(at).map_or(UNREACHED, |distance| scaled(distance, unit_shift));
                    assert_eq!(nearest, distance, "seed {seed}, {rules:?}, {}", grid.cell(at));
                }
            }
        }
        assert!(reached > 20_000, "{reached}");
    }

    /// A corridor so long that its distances need more than 28 bits.
    #[test]
    fn distances_too_large_for_small_labels_are_measured_too() {
        let tiles = |x: i32| if x == 0 { 1.0 / 256.0 } else { 4.0 };
        let cost = |cell: crate::grid::Cell| EntryCost::from_tiles(tiles(cell.x)).ok();
        let grid = CostGrid::from_fn(Size::new(4000, 1), Diagonal::GAME, cost).expect("in range");
        let (rules, mut distances) = (StepRules::default(), LandmarkDistances::default());
        let mut steps = SymmetricSteps::new(&grid).expect("costs are near enough");
        assert!(steps.make((&grid, rules), &mut unlimited()).is_continue());
        let place = grid.index(crate::grid::Cell::new(3999, 0));
        distances.begin(place, Kind::ByWeight);
        assert!(distances.measure((&grid, rules), Some(&steps), &mut unlimited()).is_continue());
        let far = distances.get(grid.index(crate::grid::Cell::new(1, 0)));
        assert_eq!(far, Some((3998 * 8) << 18));
    }
}
