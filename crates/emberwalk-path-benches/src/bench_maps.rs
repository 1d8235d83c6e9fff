//! The maps on which planners are measured: generated from fixed seeds, each with its queries.

use emberwalk_path::grid::{Cell, Grid, Size};
use emberwalk_path::{Components, CostGrid, Moves, StepRules};
use fastrand::Rng;

use crate::eruption::{Change, apply, eruption};
use crate::ground::{Tiles, flat, knots, smooth};
use crate::hills;

/// The side of the maps on which `cargo test` tries the benchmarks; they are not measured.
pub const TRIAL_SIDE: u32 = 64;

/// Maps of at most this side are too small to say much about a planner. They do not count in mean ratios.
const SMALL_SIDE: u32 = 24;

/// The kinds of maps that have a mean each: with one cost on level ground, with several, with levels, and with six
/// moves.
pub const KINDS: [&str; 4] = ["uniform", "weighted", "with levels", "six moves"];

/// A map with its queries.
pub struct BenchMap {
    /// What is on it, and its side.
    pub name: String,
    /// The grid that planners are prepared for.
    pub grid: CostGrid,
    /// The changes after the preparation and before the queries.
    pub changes: Vec<Change>,
    /// The directions in which steps are possible.
    pub moves: Moves,
    /// Start and goal of each query; a route always exists.
    pub queries: Vec<(Cell, Cell)>,
}

impl BenchMap {
    /// Draws queries between connected cells that are at least half a side of the map apart.
    fn new(name: String, grid: CostGrid, moves: Moves, rng: &mut Rng) -> Self {
        let Size { width, height } = grid.size();
        let min_distance = i64::from(width.min(height) / 2);
        let is_far = |&(from, to): &(Cell, Cell)| from.distance_squared(to) >= min_distance * min_distance;
        // Queries on large maps take long, so there are fewer.
        let count = if width > 1024 { 6 } else { 12 };
        let queries = connected_pairs(&grid, moves, rng).filter(is_far).take(count).collect();
        Self { name, grid, changes: Vec::new(), moves, queries }
    }

    /// Adds an eruption in the middle of the map.
    fn with_eruption(self) -> Self {
        let Size { width, height } = self.grid.size();
        let middle = Cell::new(width as i32 / 2, height as i32 / 2);
        Self { changes: eruption(&self.grid, middle), ..self }
    }

    /// The grid of the queries.
    pub fn changed_grid(&self) -> CostGrid {
        let mut grid = self.grid.clone();
        apply(&mut grid, &self.changes);
        grid
    }

    /// Whether all passable cells cost the same, as plain jump point search requires.
    pub fn is_uniform(&self) -> bool {
        self.grid.min_cost() == self.grid.max_cost() && self.grid.is_flat()
    }

    /// Whether a step can lead to eight neighbours, as in a query without options.
    pub fn has_default_moves(&self) -> bool {
        self.moves == Moves::default()
    }

    /// Its kind, one of the [`KINDS`].
    pub fn kind(&self) -> &'static str {
        let [uniform, weighted, hilly, hexagonal] = KINDS;
        match self.grid.is_flat() {
            _ if !self.has_default_moves() => hexagonal,
            true if self.is_uniform() => uniform,
            true => weighted,
            false => hilly,
        }
    }

    /// Whether the map is too small to count in mean ratios.
    pub fn is_small(&self) -> bool {
        self.grid.size().width <= SMALL_SIDE
    }
}

/// The maps of 512 x 512 cells whose queries need no options.
pub fn with_side_512() -> impl Iterator<Item = BenchMap> {
    all(512).filter(|bench_map| bench_map.has_default_moves() && bench_map.grid.size().width == 512)
}

type Generator = fn(u32, &mut Rng) -> CostGrid;

/// The names of the maps, their generators, and the sides on which planners are measured.
const MAPS: [(&str, Generator, &[u32]); 11] = [
    ("open", |side, rng| flat(&open(side, rng)), &[TRIAL_SIDE, 256, 1024]),
    ("rooms", |side, rng| flat(&rooms(side, rng)), &[TRIAL_SIDE, 512, 2048]),
    ("maze", |side, rng| flat(&maze(side, rng)), &[TRIAL_SIDE, 256, 512]),
    ("islands", |side, rng| flat(&islands(side, rng)), &[TRIAL_SIDE, 256, 512, 2048]),
    ("city", |side, rng| flat(&city(side, rng)), &[10, 24, TRIAL_SIDE, 512, 1024]),
    ("figure", |side, rng| flat(&figure(side, rng)), &[10, TRIAL_SIDE]),
    ("varied", |side, rng| flat(&varied(side, rng)), &[TRIAL_SIDE, 512]),
    ("eruption", |side, rng| flat(&islands(side, rng)), &[TRIAL_SIDE, 512]),
    ("hills", hills::rolling, &[TRIAL_SIDE, 256, 512, 2048]),
    ("terraces", hills::terraced, &[TRIAL_SIDE, 256, 512, 2048]),
    ("hexagons", |side, rng| flat(&islands(side, rng)), &[TRIAL_SIDE, 256, 512]),
];

/// The maps with sides up to `max_side`. Maps of [`TRIAL_SIDE`] are left out unless it is the maximum.
pub fn all(max_side: u32) -> impl Iterator<Item = BenchMap> {
    MAPS.into_iter().flat_map(move |(name, generate, sides)| {
        let is_wanted = move |&&side: &&u32| side <= max_side && (side != TRIAL_SIDE || max_side == TRIAL_SIDE);
        let wanted = sides.iter().filter(is_wanted);
        wanted.map(move |&side| {
            let mut rng = Rng::with_seed(u64::from(side));
            let grid = generate(side, &mut rng);
            let moves = if name == "hexagons" { Moves::Six } else { Moves::default() };
            let bench_map = BenchMap::new(format!("{name} {side}²"), grid, moves, &mut rng);
            if name == "eruption" { bench_map.with_eruption() } else { bench_map }
        })
    })
}

/// The grid of the map of this name, also with a side on which planners are not measured.
///
/// # Panics
/// If no map has this name.
pub fn grid(name: &str, side: u32) -> CostGrid {
    let (_, generate, _) = MAPS.into_iter().find(|&(other, ..)| other == name).expect("a map of this name");
    generate(side, &mut Rng::with_seed(u64::from(side)))
}

/// Draws pairs of cells that a route connects, without end.
pub fn connected_pairs(grid: &CostGrid, moves: Moves, rng: &mut Rng) -> impl Iterator<Item = (Cell, Cell)> {
    let Size { width, height } = grid.size();
    let mut components = Components::new(StepRules::default().with_moves(moves));
    components.update(grid);
    let mut any_cell = move || Cell::new(rng.i32(0..width as i32), rng.i32(0..height as i32));
    let pairs = std::iter::repeat_with(move || (any_cell(), any_cell()));
    pairs.filter(move |&(from, to)| {
        grid.is_passable(from) && grid.is_passable(to) && components.are_connected(grid, from, to)
    })
}

/// Draws different starts for agents, each with its goal. Agents share the goals, which are different, too.
///
/// # Panics
/// If the part of the map that the random generator chooses has too few cells.
pub fn random_orders(grid: &CostGrid, agents: usize, goals: usize, seed: u64) -> Vec<(Cell, Cell)> {
    let mut rng = Rng::with_seed(seed);
    // A random pair is most likely in the largest part of the map.
    let (hub, _) = connected_pairs(grid, Moves::default(), &mut rng).next().expect("a pair");
    let mut components = Components::new(StepRules::default());
    components.update(grid);
    let is_connected = |cell: &Cell| grid.is_passable(*cell) && components.are_connected(grid, hub, *cell);
    let cells: Vec<_> = grid.size().cells().filter(is_connected).collect();
    let starts = rng.choose_multiple(cells.iter().copied(), agents);
    let ends = rng.choose_multiple(cells, goals);
    assert!(starts.len() == agents && ends.len() == goals, "too few cells");
    starts.into_iter().zip(ends.into_iter().cycle()).collect()
}

fn square(side: u32, value: impl FnMut(Cell) -> Option<f64>) -> Tiles {
    Grid::from_fn(Size::new(side, side), value)
}

/// Draws a plain with rocks of one to four cells per side.
fn open(side: u32, rng: &mut Rng) -> Tiles {
    let mut tiles = square(side, |_| Some(1.0));
    for _ in 0..side * side / 100 {
        let (x, y) = (rng.i32(0..side as i32), rng.i32(0..side as i32));
        let (width, height) = (rng.i32(1..=4), rng.i32(1..=4));
        for rock in Size::new(width as u32, height as u32).cells() {
            if let Some(tile) = tiles.get_mut(rock + (x, y)) {
                *tile = None;
            }
        }
    }
    tiles
}

/// Draws rooms of 15 x 15 cells. Seven of eight walls have a door, one to three cells wide.
fn rooms(side: u32, rng: &mut Rng) -> Tiles {
    const PITCH: i32 = 16;
    let mut tiles = square(side, |cell| (cell.x % PITCH != 0 && cell.y % PITCH != 0).then_some(1.0));
    let mut door = |wall: Cell, (dx, dy): (i32, i32)| {
        if rng.u8(..8) == 0 {
            return;
        }
        let (width, at) = (rng.i32(1..=3), rng.i32(1..PITCH - 3));
        for step in at..at + width {
            if let Some(tile) = tiles.get_mut(wall + (dx * step, dy * step)) {
                *tile = Some(1.0);
            }
        }
    };
    for room in Size::new(side / PITCH as u32, side / PITCH as u32).cells() {
        let corner = Cell::new(room.x * PITCH, room.y * PITCH);
        if room.x > 0 {
            door(corner, (0, 1));
        }
        if room.y > 0 {
            door(corner, (1, 0));
        }
    }
    tiles
}

/// Draws corridors three cells wide, with exactly one route between any two places.
fn maze(side: u32, rng: &mut Rng) -> Tiles {
    const PITCH: i32 = 4;
    let mut tiles = square(side, |cell| (cell.x % PITCH != 0 && cell.y % PITCH != 0).then_some(1.0));
    let places = Size::new(side / PITCH as u32, side / PITCH as u32);
    let mut seen = Grid::from_fn(places, |_| false);
    let mut path = vec![Cell::new(0, 0)];
    seen[path[0]] = true;
    while let Some(&place) = path.last() {
        let mut sides = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        rng.shuffle(&mut sides);
        let Some(side) = sides.into_iter().find(|&side| seen.get(place + side) == Some(&false)) else {
            path.pop();
            continue;
        };
        let next = place + side;
        // The wall between two places is north or west of the second one.
        let wall = Cell::new(place.x.max(next.x) * PITCH, place.y.max(next.y) * PITCH);
        for step in 1..PITCH {
            let gap = if side.1 == 0 { wall + (0, step) } else { wall + (step, 0) };
            tiles[gap] = Some(1.0);
        }
        seen[next] = true;
        path.push(next);
    }
    tiles
}

/// Draws shallows, swamps, grass and thickets by height, with impassable peaks.
fn islands(side: u32, rng: &mut Rng) -> Tiles {
    let heights = [48, 12].map(|pitch| knots(side, pitch, rng));
    square(side, |cell| {
        let height = 0.7 * smooth(&heights[0], cell) + 0.3 * smooth(&heights[1], cell);
        match height {
            ..0.35 => Some(4.0),
            ..0.45 => Some(2.0),
            ..0.6 => Some(1.0),
            ..0.72 => Some(1.5),
            _ => None,
        }
    })
}

/// Draws grass with snow and rocks, as on the figures that explain A*.
fn figure(side: u32, rng: &mut Rng) -> Tiles {
    square(side, |_| match rng.u8(..10) {
        ..2 => None,
        2..4 => Some(3.0),
        _ => Some(1.0),
    })
}

/// Draws ground whose costs differ from cell to cell by less than a tenth.
fn varied(side: u32, rng: &mut Rng) -> Tiles {
    square(side, |_| Some(1.0 + rng.f64() / 10.0))
}

/// Draws streets three cells wide at half the cost of yards, a quarter of the cost of parks, and impassable buildings.
fn city(side: u32, rng: &mut Rng) -> Tiles {
    const STREET: i32 = 3;
    let mut lines = || {
        // For each column, or row: `None` in a street; in a block, the distance to its edge and where it begins.
        let mut line: Vec<Option<(i32, usize)>> = Vec::new();
        while line.len() < side as usize {
            let block = rng.i32(8..24);
            line.extend((0..STREET).map(|_| None));
            let begins = line.len();
            line.extend((0..block).map(|k| Some((k.min(block - 1 - k), begins))));
        }
        line
    };
    let (columns, rows) = (lines(), lines());
    let park = rng.u64(..);
    square(side, |cell| match (columns[cell.x as usize], rows[cell.y as usize]) {
        (Some((_, column)), Some((_, row))) if Rng::with_seed(park ^ (column * 8192 + row) as u64).u8(..6) == 0 => {
            Some(2.0)
        }
        (Some((dx, _)), Some((dy, _))) => (dx.min(dy) < 2).then_some(1.0),
        _ => Some(0.5),
    })
}
