//! Random sequences of calls on grids of classes and their copies, in any order: after each of them, every kind has the
//! grid that is derived from scratch, and planners that have seen earlier grids still find the lowest costs.

use std::sync::Arc;

use emberwalk_path::Level;
use emberwalk_path::grid::Cell;
use emberwalk_path::kinds::ClassGrid;
use fastrand::Rng;

use crate::cases::cases;
use crate::copies::{Askers, Branch};
use crate::kinds::{Cells, Kind};
use crate::seeded;

/// How many copies there are at most; then new ones take the place of others.
const MAX_COPIES: usize = 4;

/// How many kinds a copy has at most.
const MAX_KINDS: usize = 4;

/// A grid of classes, and its expected content.
#[derive(Clone)]
struct Instance {
    cells: Cells,
    kinds: Vec<Kind>,
    classes: ClassGrid,
}

impl Instance {
    fn random(rng: &mut Rng) -> Self {
        let (cells, kinds) = (Cells::random(rng), vec![Kind::random(rng)]);
        let classes = cells.classes(&kinds);
        Self { cells, kinds, classes }
    }

    /// Changes cells or kinds.
    fn edit(&mut self, rng: &mut Rng) {
        let Self { cells, kinds, classes } = self;
        match rng.u8(..16) {
            0 => {
                let top = rng.u8(..3);
                cells.values.iter_mut().for_each(|value| value.1 = rng.u8(..=top));
                let level = |cell: Cell| Level::new(cells.values[(cell.y * cells.width + cell.x) as usize].1).unwrap();
                classes.set_levels(level);
            }
            1 if kinds.len() < MAX_KINDS => {
                kinds.push(Kind::random(rng));
                classes.add_kind(kinds[kinds.len() - 1].agent_kind());
            }
            2..5 => {
                let k = rng.usize(..kinds.len());
                let (kind, other) = (&mut kinds[k], Kind::random(rng));
                match rng.u8(..4) {
                    0 => kind.side = other.side,
                    1 => kind.climb = other.climb,
                    2 => kind.units[1] = other.units[1],
                    _ => *kind = other,
                }
                classes.set_kind(k, kind.agent_kind());
            }
            5 => {
                let off = Cell::new(cells.width, rng.i32(0..cells.height));
                assert!(!classes.set(off, 0) && !classes.set_level(off, Level::MAX));
            }
            _ => (0..rng.u8(1..4)).for_each(|_| cells.change(rng, classes)),
        }
    }

    /// Compares everything with a grid of classes that is made from scratch.
    fn check(&self, seed: u64) {
        let Self { cells, kinds, classes } = self;
        let fresh = cells.classes(kinds);
        assert_eq!(classes.kinds(), fresh.kinds(), "seed {seed}");
        assert_eq!((classes.size(), classes.grids().len()), (fresh.size(), kinds.len()), "seed {seed}");
        for cell in fresh.size().cells() {
            let values = [classes, &fresh].map(|classes| (classes.class(cell), classes.level(cell)));
            assert_eq!(values[0], values[1], "seed {seed}, {cell}");
        }
        for (k, (grid, fresh)) in classes.grids().iter().zip(fresh.grids()).enumerate() {
            for cell in fresh.size().cells() {
                let place = [grid, fresh].map(|grid| (grid.get(cell), grid.level(cell)));
                assert_eq!(place[0], place[1], "seed {seed}, {cell}, {:?}", kinds[k]);
            }
            assert_eq!((grid.climb(), grid.diagonal()), (fresh.climb(), fresh.diagonal()), "seed {seed}");
            assert_eq!((grid.min_cost(), grid.max_cost()), (fresh.min_cost(), fresh.max_cost()), "seed {seed}");
            assert_eq!(grid.is_flat(), fresh.is_flat(), "seed {seed}");
        }
    }

    /// The grid of any kind, and the map that it must be.
    fn any_grid(&self, rng: &mut Rng) -> Branch {
        let k = rng.usize(..self.kinds.len());
        Branch { map: self.kinds[k].map(&self.cells), grid: Arc::new(self.classes.grids()[k].clone()) }
    }
}

#[test]
fn every_sequence_of_calls_leaves_exact_grids() {
    for (seed, mut rng) in seeded(cases(300)) {
        let mut copies = vec![Instance::random(&mut rng)];
        let first = copies[0].any_grid(&mut rng);
        let mut askers = Askers::new(&mut rng, &first);
        for _ in 0..120 {
            let k = rng.usize(..copies.len());
            match rng.u8(..12) {
                0 => {
                    let copy = copies[k].clone();
                    if copies.len() == MAX_COPIES {
                        copies.swap_remove(rng.usize(..MAX_COPIES));
                    }
                    copies.push(copy);
                }
                1..5 => {
                    copies[k].edit(&mut rng);
                    copies[k].check(seed);
                }
                _ => {
                    let asked = copies[k].any_grid(&mut rng);
                    askers.ask(&mut rng, &asked, seed);
                }
            }
        }
    }
}
