//! Helpers of several test modules: the tileset, maps made of rows, and a seeded random generator.

pub mod foreign;
#[cfg(feature = "pictures")]
pub mod mazes;
#[cfg(feature = "pictures")]
pub mod photographs;
#[cfg(feature = "worlds")]
pub mod random_player;
#[cfg(feature = "pictures")]
pub mod scaled_tilesets;
#[cfg(feature = "pictures")]
pub mod scene_fixture;
pub mod vision;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::grid::{Cell, Grid, Size};
use emberwalk_path::{Corners, Options, Planner, RouteQuery};

/// The embedded tileset.
pub fn tileset() -> Arc<Tileset> {
    static TILESET: OnceLock<Arc<Tileset>> = OnceLock::new();
    TILESET
        .get_or_init(|| Arc::new(Tileset::load(None).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"))))
        .clone()
}

/// The bundled map of this name.
pub fn bundled(name: &str) -> Map {
    Map::open(Path::new(name), &tileset()).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"))
}

/// A map of these rows.
pub fn map(base: &[impl AsRef<str>], overlay: &[impl AsRef<str>]) -> Map {
    map_with(&tileset(), base, overlay)
}

/// A map of these rows with a tileset.
pub fn map_with(tileset: &Arc<Tileset>, base: &[impl AsRef<str>], overlay: &[impl AsRef<str>]) -> Map {
    let base: Vec<_> = base.iter().map(AsRef::as_ref).collect();
    let overlay: Vec<_> = overlay.iter().map(AsRef::as_ref).collect();
    let text = format!("(name: \"test\", base: {base:?}, overlay: {overlay:?})");
    Map::parse("test.ron", &text, tileset).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"))
}

/// The cells of the cheapest route from tent to castle, as `(x, y)`.
pub fn cheapest_route(map: &Map, corners: Corners) -> Vec<(i32, i32)> {
    let query = RouteQuery::new(map.tent().unwrap(), map.castle().unwrap())
        .with_options(Options::default().with_corners(corners));
    let mut planner = Planner::new();
    let result = planner.plan(map.costs(), &query).unwrap();
    result.cells().iter().map(|&cell| cell.into()).collect()
}

/// The path of a file of the repository.
pub fn file(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}

/// SplitMix64: a seeded random generator with the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "an iterator would wrap each number in an option")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end - 1`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// One of the values.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// The rows of both layers of a random map, with at most one tent and one castle, on passable ground.
    pub fn rows(&mut self, width: usize, height: usize) -> (Vec<String>, Vec<String>) {
        let mut base: Vec<Vec<char>> =
            (0..height).map(|_| (0..width).map(|_| self.pick(&['G', 'S', 'D', '~'])).collect()).collect();
        let chars: Vec<char> = ".....RRBFTWMvVVt".chars().collect();
        let mut overlay: Vec<Vec<char>> =
            (0..height).map(|_| (0..width).map(|_| self.pick(&chars)).collect()).collect();
        for char in ['1', '2'] {
            let (x, y) = (self.below(width), self.below(height));
            if overlay[y][x] != '1' {
                (base[y][x], overlay[y][x]) = ('G', char);
            }
        }
        let text = |rows: Vec<Vec<char>>| rows.into_iter().map(String::from_iter).collect();
        (text(base), text(overlay))
    }

    /// Random levels: some hills, and cells of any level.
    pub fn levels(&mut self, size: Size) -> Grid<u8> {
        let hills: Vec<(Cell, usize)> = (0..1 + size.area() / 12)
            .map(|_| (self.below(size.width as usize), self.below(size.height as usize), 1 + self.below(9)))
            .map(|(x, y, height)| (Cell::new(x as i32, y as i32), height))
            .collect();
        let slope = 1 + self.below(3);
        Grid::from_fn(size, |cell| {
            let from = |(top, height): &(Cell, usize)| {
                let distance = (cell.x - top.x).abs().max((cell.y - top.y).abs()) as usize;
                height.saturating_sub(distance * slope)
            };
            let level = hills.iter().map(from).max().unwrap_or(0);
            if self.below(8) == 0 { self.below(10) as u8 } else { level as u8 }
        })
    }
}
