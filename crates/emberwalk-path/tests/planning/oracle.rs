//! Random maps, a textbook Dijkstra that shares no code with the library, and a check of results.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_path::{
    Algorithm, ClimbRule, Corners, CostGrid, Diagonal, EntryCost, Level, Moves, Options, Planner, RouteQuery,
    SearchResult, StepRules,
};
use fastrand::Rng;

/// A map as plain rows of entry costs in units, 0 where blocked, and of levels; and its links, each with its units.
#[derive(Clone)]
pub struct Map {
    pub width: i32,
    pub height: i32,
    pub units: Vec<u32>,
    pub levels: Vec<u8>,
    pub climb: Climb,
    pub links: Vec<(Cell, Cell, u32)>,
    /// The diagonal ratio times 2^32.
    pub ratio: u64,
}

/// The extra cost of a step up and of a step down, per level, and the maximum number of levels of either.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Climb {
    pub up: f64,
    pub down: f64,
    pub up_most: u8,
    pub down_most: u8,
}

impl Climb {
    pub const fn new(up: f64, down: f64, most: u8) -> Self {
        Self { up, down, up_most: most, down_most: most }
    }

    pub const fn with_most(self, up_most: u8, down_most: u8) -> Self {
        Self { up_most, down_most, ..self }
    }

    /// A rule with two of these factors, and with one of these limits or two of them.
    pub fn random(rng: &mut Rng, factors: &[f64], limits: &[u8]) -> Self {
        let factor = |rng: &mut Rng| *rng.choice(factors).unwrap();
        let limit = |rng: &mut Rng| *rng.choice(limits).unwrap();
        let rule = Self::new(factor(rng), factor(rng), limit(rng));
        if rng.bool() { rule.with_most(limit(rng), limit(rng)) } else { rule }
    }

    /// Whether some steps may have no reverse.
    pub fn leads_one_way(self) -> bool {
        self.up_most != self.down_most
    }

    pub fn rule(self) -> ClimbRule {
        let Self { up, down, up_most, down_most } = self;
        ClimbRule::new(up, down, 0).unwrap().with_most(up_most, down_most).unwrap()
    }
}

/// Printed when a test fails, so that the case can be reproduced.
impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} x {}, diagonal {} / 2^32, units:", self.width, self.height, self.ratio)?;
        for row in self.units.chunks(self.width as usize) {
            writeln!(f, "  {row:?}")?;
        }
        if self.levels.iter().any(|&level| level > 0) {
            writeln!(f, "climb {:?}, levels:", self.climb)?;
            for row in self.levels.chunks(self.width as usize) {
                writeln!(f, "  {}", row.iter().map(u8::to_string).collect::<String>())?;
            }
        }
        if !self.links.is_empty() {
            writeln!(f, "links {:?}", self.links)?;
        }
        Ok(())
    }
}

impl Map {
    /// A small map of any kind: open or crowded, with one cost or with the whole range, sometimes a corridor.
    pub fn random(rng: &mut Rng) -> Self {
        let (width, height) = match rng.u8(..10) {
            0 => (1, rng.i32(1..40)),
            1 => (rng.i32(1..40), 1),
            2 => (rng.i32(20..40), rng.i32(20..40)),
            _ => (rng.i32(2..13), rng.i32(2..13)),
        };
        Self::random_of_size(rng, width, height)
    }

    /// A map on level ground.
    pub fn flat(width: i32, height: i32, units: Vec<u32>, ratio: u64) -> Self {
        let levels = vec![0; (width * height) as usize];
        Self { width, height, units, levels, climb: Climb::new(1.0, 0.0, 1), links: Vec::new(), ratio }
    }

    /// A map of any kind, in half of the cases with hills.
    pub fn random_of_size(rng: &mut Rng, width: i32, height: i32) -> Self {
        let mut map = Self::random_flat(rng, width, height);
        if rng.bool() {
            map.raise_hills(rng);
        }
        map
    }

    /// Gives the cells levels of any kind: noise, terraces, ridges or checkerboards, and any climb rule.
    pub fn raise_hills(&mut self, rng: &mut Rng) {
        self.climb = Climb::random(rng, &[0.0, 0.1, 0.5, 1.0, 1.0, 2.7, 10.0], &[0, 1, 1, 1, 2, 3, 8, 9]);
        let (kind, top) = (rng.u8(..6), rng.u8(1..10));
        let (pitch_x, pitch_y) = (rng.i32(1..12), rng.i32(1..12));
        let corners: Vec<u8> = (0..41 * 41).map(|_| rng.u8(..=top)).collect();
        let corner = |x: i32, y: i32| i32::from(corners[(y % 41 * 41 + x % 41) as usize]);
        for cell in self.cells() {
            let (x, y) = (cell.x / pitch_x, cell.y / pitch_y);
            let level = match kind {
                0 => rng.u8(..=top),
                1 => top * ((cell.x + cell.y) % 2) as u8,
                2 => ((cell.x / pitch_x + cell.y / pitch_y) % (i32::from(top) + 1)) as u8,
                3 => {
                    if rng.u8(..12) == 0 {
                        top
                    } else {
                        0
                    }
                }
                // Slopes between the corners of a raster.
                _ => {
                    let (right, down) = (cell.x % pitch_x, cell.y % pitch_y);
                    let row = |y| corner(x, y) * (pitch_x - right) + corner(x + 1, y) * right;
                    ((row(y) * (pitch_y - down) + row(y + 1) * down) / (pitch_x * pitch_y)) as u8
                }
            };
            self.put_level(cell, level);
        }
    }

    /// A map of any kind on level ground.
    pub fn random_flat(rng: &mut Rng, width: i32, height: i32) -> Self {
        let ratio = *rng.choice(&[6_073_083_757, 6_074_001_000, 6_012_954_214, 1 << 32, 2 << 32, 5 << 30]).unwrap();
        let walls = *rng.choice(&[0.0, 0.05, 0.2, 0.35, 0.5]).unwrap();
        let palette = palette(rng);
        let cells = width * height;
        let mut cost = || if rng.f64() < walls { 0 } else { *rng.choice(&palette).unwrap() };
        let units = (0..cells).map(|_| thirteen_digits(cost().into()) as u32).collect();
        Self::flat(width, height, units, ratio)
    }

    /// Gives the cells four costs, in blocks, and blocks a share of them.
    pub fn lay_terrain(&mut self, rng: &mut Rng, blocked: f64) {
        for cell in self.cells() {
            let hills = ((cell.x / 9 * 7 + cell.y / 13 * 5) % 4) as u32;
            self.put(cell, if rng.f64() < blocked { 0 } else { (1 + hills) << 18 });
        }
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// The place of a cell on the map in lists of all cells.
    pub fn index(&self, cell: Cell) -> usize {
        (cell.y * self.width + cell.x) as usize
    }

    pub fn contains(&self, cell: Cell) -> bool {
        (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y)
    }

    pub fn at(&self, cell: Cell) -> u32 {
        if self.contains(cell) { self.units[self.index(cell)] } else { 0 }
    }

    pub fn put(&mut self, cell: Cell, units: u32) {
        let index = self.index(cell);
        self.units[index] = thirteen_digits(units.into()) as u32;
    }

    pub fn level(&self, cell: Cell) -> u8 {
        if self.contains(cell) { self.levels[self.index(cell)] } else { 0 }
    }

    pub fn put_level(&mut self, cell: Cell, level: u8) {
        let index = self.index(cell);
        self.levels[index] = level;
    }

    pub fn grid(&self) -> CostGrid {
        let size = Size::new(self.width as u32, self.height as u32);
        let diagonal = Diagonal::new(self.ratio as f64 / 2f64.powi(32)).unwrap();
        let mut grid = CostGrid::from_fn(size, diagonal, |cell| entry(self.at(cell))).unwrap();
        grid.set_levels(self.climb.rule(), |cell| Level::new(self.level(cell)).unwrap());
        for &(from, to, units) in &self.links {
            assert!(grid.add_link(from, to, entry(units).unwrap()));
        }
        grid
    }

    pub fn any_cell(&self, rng: &mut Rng) -> Cell {
        Cell::new(rng.i32(0..self.width), rng.i32(0..self.height))
    }

    /// A passable cell, if 50 attempts find one.
    pub fn passable_cell(&self, rng: &mut Rng) -> Option<Cell> {
        (0..50).map(|_| self.any_cell(rng)).find(|&cell| self.at(cell) != 0)
    }

    pub fn passable_pair(&self, rng: &mut Rng) -> Option<(Cell, Cell)> {
        Some((self.passable_cell(rng)?, self.passable_cell(rng)?))
    }

    /// Whether a step from one cell to another would lead up or down too far.
    pub fn is_cliff(&self, from: Cell, to: Cell) -> bool {
        let rise = i32::from(self.level(to)) - i32::from(self.level(from));
        rise > i32::from(self.climb.up_most) || -rise > i32::from(self.climb.down_most)
    }

    /// The cost of a step to a cell with the entry cost `units`, even if the step is not allowed.
    pub fn climb_cost(&self, rules: StepRules, from: Cell, to: Cell, units: u32) -> u64 {
        let Climb { up, down, .. } = self.climb;
        let rise = f64::from(self.level(to)) - f64::from(self.level(from));
        let factor = if rise > 0.0 { 1.0 + up * rise } else { 1.0 - down * rise };
        let is_long = rules.moves == Moves::Eight && from.x != to.x && from.y != to.y;
        let ratio = if is_long { self.ratio } else { 1 << 32 };
        let scaled = (factor * ratio as f64).round() as u128;
        thirteen_digits(((u128::from(units) * scaled + (1 << 31)) >> 32) as u64)
    }

    /// The cost of a route from one cell to another on an empty map where every cell costs as much as the
    /// cheapest one of this map.
    pub fn lower_bound(&self, rules: StepRules, from: Cell, to: Cell) -> u64 {
        let straight = u64::from(self.units.iter().copied().filter(|&units| units != 0).min().unwrap_or(0));
        let diagonal = thirteen_digits(((u128::from(straight) * u128::from(self.ratio) + (1 << 31)) >> 32) as u64);
        let (columns, rows) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
        let (long, short) = (columns.abs().max(rows.abs()) as u64, columns.abs().min(rows.abs()) as u64);
        match rules.moves {
            Moves::Four => (long + short) * straight,
            Moves::Six => long.max((columns - rows).unsigned_abs()) * straight,
            _ => (long - short) * straight + short * diagonal,
        }
    }

    /// The cost of a step or of a link, if it is allowed.
    pub fn step(&self, rules: StepRules, from: Cell, to: Cell) -> Option<u64> {
        let are_usable = !rules.ignores_links && self.at(from) != 0 && self.at(to) != 0;
        let link = self.links.iter().find(|link| are_usable && (link.0, link.1) == (from, to));
        self.ordinary_step(rules, from, to).into_iter().chain(link.map(|link| link.2.into())).min()
    }

    /// The cost of a step to a neighbour, if it is allowed.
    pub fn ordinary_step(&self, rules: StepRules, from: Cell, to: Cell) -> Option<u64> {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        if dx.abs() > 1 || dy.abs() > 1 || (dx, dy) == (0, 0) || self.at(to) == 0 || self.is_cliff(from, to) {
            return None;
        }
        let is_allowed = dx == 0
            || dy == 0
            || match rules.moves {
                Moves::Four => false,
                Moves::Six => dx == dy,
                _ => {
                    let sides = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
                    let is_free = |side| self.at(side) != 0 && !self.is_cliff(from, side) && !self.is_cliff(side, to);
                    let free_sides = sides.into_iter().filter(|&side| is_free(side)).count();
                    free_sides
                        >= match rules.corners {
                            Corners::Never => 2,
                            Corners::One => 1,
                            Corners::Always => 0,
                        }
                }
            };
        is_allowed.then(|| self.climb_cost(rules, from, to, self.at(to)))
    }

    /// The lowest cost from the starts to every cell, row by row; with `reverse`, from every cell to them.
    pub fn dijkstra(&self, rules: StepRules, starts: impl AsRef<[Cell]>, reverse: bool) -> Vec<Option<u64>> {
        let mut lowest = vec![None; self.units.len()];
        let mut heap: BinaryHeap<_> = starts.as_ref().iter().map(|&start| Reverse((0, start))).collect();
        while let Some(Reverse((cost, cell))) = heap.pop() {
            let known = &mut lowest[self.index(cell)];
            if known.is_some() {
                continue;
            }
            *known = Some(cost);
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| cell + (dx, dy)));
            let ends = self.links.iter().map(|link| if reverse { link.0 } else { link.1 });
            for next in around.chain(ends).filter(|next| self.at(*next) != 0) {
                let (one, other) = if reverse { (next, cell) } else { (cell, next) };
                if let Some(step) = self.step(rules, one, other) {
                    heap.push(Reverse((cost + step, next)));
                }
            }
        }
        lowest
    }

    /// The canonical route to `to` by its definition, from the lowest costs of all cells: its last step is the first one
    /// by direction, and links come after the steps, by their other ends.
    pub fn canonical(&self, rules: StepRules, lowest: &[Option<u64>], to: Cell) -> Option<Vec<Cell>> {
        let cost = |cell: Cell| if self.at(cell) != 0 { lowest[self.index(cell)] } else { None };
        let mut links = self.links.clone();
        links.sort_by_key(|(from, ..)| (from.y, from.x));
        let (mut cells, mut here) = (vec![to], to);
        while cost(here)? > 0 {
            let around = Direction::ALL.into_iter().map(|direction| here + direction.opposite());
            let steps = around.map(|before| (before, self.ordinary_step(rules, before, here)));
            let links = links.iter().filter(|link| link.1 == here).map(|link| (link.0, Some(link.2.into())));
            let is_last = |&(before, step): &(Cell, Option<u64>)| {
                cost(before).zip(step).is_some_and(|(so_far, step)| Some(so_far + step) == cost(here))
            };
            here = steps.chain(links).find(is_last).expect("every reachable cell has a last step").0;
            cells.push(here);
        }
        cells.reverse();
        Some(cells)
    }

    /// The cost of a route, or why it is none.
    pub fn walk(&self, options: &Options, from: Cell, to: Cell, cells: &[Cell]) -> Result<u64, String> {
        if (cells.first(), cells.last()) != (Some(&from), Some(&to)) {
            return Err(format!("the route leads from {:?} to {:?}", cells.first(), cells.last()));
        }
        let step = |pair: &[Cell]| {
            let step = self.step(options.rules, pair[0], pair[1]);
            step.ok_or_else(|| format!("no step from {} to {}", pair[0], pair[1]))
        };
        cells.windows(2).map(step).sum()
    }

    /// Checks that the result is a route of the cost that it claims, or none if there is none; returns the cost.
    #[track_caller]
    pub fn check(&self, query: &RouteQuery, result: &SearchResult<'_>, lowest: Option<u64>, seed: u64) -> Option<u64> {
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

/// The nearest number of at most thirteen significant binary digits.
fn thirteen_digits(units: u64) -> u64 {
    let digit = 2f64.powf((units.max(1) as f64).log2().floor() - 12.0).max(1.0);
    ((units as f64 / digit).round() * digit) as u64
}

pub fn entry(units: u32) -> Option<EntryCost> {
    (units != 0).then(|| EntryCost::from_units(units).unwrap())
}

/// The entry costs of a map.
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

pub fn algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::NAMES.iter().map(|&(_, algorithm)| algorithm)
}

pub fn all_rules() -> impl Iterator<Item = StepRules> {
    let moves = Moves::NAMES.iter().map(|&(_, moves)| moves);
    moves.flat_map(|moves| Corners::NAMES.iter().map(move |&(_, corners)| StepRules::new(moves, corners)))
}

pub fn any_rules(rng: &mut Rng) -> StepRules {
    let moves = *rng.choice(&[Moves::Eight, Moves::Eight, Moves::Eight, Moves::Four, Moves::Six]).unwrap();
    StepRules::new(moves, *rng.choice(&[Corners::Never, Corners::One, Corners::Always]).unwrap())
}

/// A planner that uses tables and jump points on small maps too, and where they do not pay.
pub fn planner_with_tables() -> Planner {
    let mut planner = Planner::new();
    planner.always_use_tables();
    planner
}
