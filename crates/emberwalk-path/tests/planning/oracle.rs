//! Random maps, a textbook Dijkstra that shares no code with the library, and a check of results.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::{Corners, CostGrid, Diagonal, EntryCost, Moves, Options, Query, SearchResult, StepRules};
use fastrand::Rng;

/// A map as plain rows of entry costs in units, 0 where blocked.
#[derive(Clone)]
pub struct Map {
    pub width: i32,
    pub height: i32,
    pub units: Vec<u32>,
    /// The diagonal ratio times 2^32.
    pub ratio: u64,
}

/// Printed when a test fails, so that the case can be reproduced.
impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} x {}, diagonal {} / 2^32, units:", self.width, self.height, self.ratio)?;
        for row in self.units.chunks(self.width as usize) {
            writeln!(f, "  {row:?}")?;
        }
        Ok(())
    }
}

impl Map {
    /// Returns a small map of any kind: open or crowded, with one cost or with the whole range, sometimes a corridor.
    pub fn random(rng: &mut Rng) -> Self {
        let (width, height) = match rng.u8(..10) {
            0 => (1, rng.i32(1..40)),
            1 => (rng.i32(1..40), 1),
            2 => (rng.i32(20..40), rng.i32(20..40)),
            _ => (rng.i32(2..13), rng.i32(2..13)),
        };
        Self::random_of_size(rng, width, height)
    }

    pub fn random_of_size(rng: &mut Rng, width: i32, height: i32) -> Self {
        let ratio = *rng.choice(&[6_073_083_757, 6_074_001_000, 6_012_954_214, 1 << 32, 2 << 32, 5 << 30]).unwrap();
        let walls = *rng.choice(&[0.0, 0.05, 0.2, 0.35, 0.5]).unwrap();
        let palette = palette(rng);
        let cells = width * height;
        let mut cost = || if rng.f64() < walls { 0 } else { *rng.choice(&palette).unwrap() };
        let units = (0..cells).map(|_| thirteen_digits(cost().into()) as u32).collect();
        Self { width, height, units, ratio }
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    pub fn at(&self, cell: Cell) -> u32 {
        let inside = (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y);
        if inside { self.units[(cell.y * self.width + cell.x) as usize] } else { 0 }
    }

    pub fn put(&mut self, cell: Cell, units: u32) {
        self.units[(cell.y * self.width + cell.x) as usize] = thirteen_digits(units.into()) as u32;
    }

    pub fn grid(&self) -> CostGrid {
        let size = Size::new(self.width as u32, self.height as u32);
        let diagonal = Diagonal::new(self.ratio as f64 / 2f64.powi(32)).unwrap();
        CostGrid::from_fn(size, diagonal, |cell| entry(self.at(cell))).unwrap()
    }

    pub fn any_cell(&self, rng: &mut Rng) -> Cell {
        Cell::new(rng.i32(0..self.width), rng.i32(0..self.height))
    }

    /// Returns a passable cell, if 50 attempts find one.
    pub fn passable_cell(&self, rng: &mut Rng) -> Option<Cell> {
        (0..50).map(|_| self.any_cell(rng)).find(|&cell| self.at(cell) != 0)
    }

    /// Returns the cost of a step, if it is allowed.
    pub fn step(&self, rules: StepRules, from: Cell, to: Cell) -> Option<u64> {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        if dx.abs() > 1 || dy.abs() > 1 || (dx, dy) == (0, 0) || self.at(to) == 0 {
            return None;
        }
        let units = u64::from(self.at(to));
        if dx == 0 || dy == 0 {
            return Some(units);
        }
        let open_sides = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
        let open_sides = open_sides.into_iter().filter(|&side| self.at(side) != 0).count();
        let needed = match rules.corners {
            Corners::Never => 2,
            Corners::One => 1,
            Corners::Always => 0,
        };
        let allowed = rules.moves == Moves::Eight && open_sides >= needed;
        allowed.then(|| thirteen_digits((units * self.ratio + (1 << 31)) >> 32))
    }

    /// Returns the lowest cost from `from` to every cell, row by row; with `reverse`, from every cell to `from`.
    pub fn dijkstra(&self, rules: StepRules, from: Cell, reverse: bool) -> Vec<Option<u64>> {
        let mut lowest = vec![None; self.units.len()];
        let index = |cell: Cell| (cell.y * self.width + cell.x) as usize;
        let mut heap = BinaryHeap::from([Reverse((0, from))]);
        while let Some(Reverse((cost, cell))) = heap.pop() {
            if lowest[index(cell)].is_some() {
                continue;
            }
            lowest[index(cell)] = Some(cost);
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                let next = Cell::new(cell.x + dx, cell.y + dy);
                if self.at(next) == 0 {
                    continue;
                }
                let (one, other) = if reverse { (next, cell) } else { (cell, next) };
                if let Some(step) = self.step(rules, one, other) {
                    heap.push(Reverse((cost + step, next)));
                }
            }
        }
        lowest
    }

    /// Returns the cost of a route, or why it is none.
    pub fn walk(&self, options: &Options, from: Cell, to: Cell, cells: &[Cell]) -> Result<u64, String> {
        if (cells.first(), cells.last()) != (Some(&from), Some(&to)) {
            return Err(format!("the route leads from {:?} to {:?}", cells.first(), cells.last()));
        }
        let step = |pair: &[Cell]| {
            let step = self.step(options.rules(), pair[0], pair[1]);
            step.ok_or_else(|| format!("no step from {} to {}", pair[0], pair[1]))
        };
        cells.windows(2).map(step).sum()
    }

    /// Checks that the result is a route of the cost that it claims, or none if there is none; returns the cost.
    #[track_caller]
    pub fn check(&self, query: &Query, result: &SearchResult<'_>, lowest: Option<u64>, seed: u64) -> Option<u64> {
        let found = result.route.map(|route| {
            let walked = self.walk(&query.options, query.from, query.to, route.cells);
            assert_eq!(walked, Ok(route.cost.units()), "seed {seed}, {query:?}, {:?}\n{self:?}", route.cells);
            route.cost.units()
        });
        assert_eq!(found.is_some(), lowest.is_some(), "found a route? seed {seed}, {query:?}\n{self:?}");
        if result.optimal {
            assert_eq!(found, lowest, "seed {seed}, {query:?}\n{self:?}");
        }
        found
    }
}

/// Returns the nearest number of at most thirteen significant binary digits.
fn thirteen_digits(units: u64) -> u64 {
    let digit = 2f64.powf((units.max(1) as f64).log2().floor() - 12.0).max(1.0);
    ((units as f64 / digit).round() * digit) as u64
}

pub fn entry(units: u32) -> Option<EntryCost> {
    (units != 0).then(|| EntryCost::from_units(units).unwrap())
}

/// Returns the entry costs of a map.
fn palette(rng: &mut Rng) -> Vec<u32> {
    let tile = 1 << 18;
    let any = |rng: &mut Rng| (2f64.powf(rng.f64() * 20.0 + 10.0)) as u32;
    match rng.u8(..8) {
        0 => vec![tile],
        1 => vec![any(rng)],
        2 => vec![tile, tile / 2, tile * 3, tile * 3 / 2, tile * 2],
        3 => vec![1 << 10, 1 << 30],
        4 => (0..20).map(|_| any(rng)).collect(),
        5 => (0..20).map(|_| tile + rng.u32(0..3)).collect(),
        6 => (0..20).map(|_| rng.u32((1 << 10)..(1 << 12))).collect(),
        _ => (0..400).map(|_| any(rng)).collect(),
    }
}

pub fn any_rules(rng: &mut Rng) -> StepRules {
    let moves = *rng.choice(&[Moves::Eight, Moves::Eight, Moves::Eight, Moves::Four]).unwrap();
    StepRules { moves, corners: *rng.choice(&[Corners::Never, Corners::One, Corners::Always]).unwrap() }
}
