//! The path through a picture, in memory that many pictures share.

use std::time::{Duration, Instant};

use image::{Rgb, RgbImage};

use super::is_wall;
use crate::grid::{Cell, Size};
use crate::path::{
    Algorithm, Closed, Corners, CostGrid, Diagonal, EntryCost, Heuristic, Moves, Observer, Options, Planner, Query,
    RouteCost, Scale,
};

/// Units of a [`PicturePath::cost`]: a straight step costs 5 of them and a diagonal one 7.
const UNIT: u32 = 1 << 16;

/// Consistent, and with exact keys: see [`PictureSolver`].
const OPTIONS: Options = Options {
    moves: Moves::Eight,
    corners: Corners::Always,
    algorithm: Algorithm::AStar,
    heuristic: Heuristic::Octile,
    scale: Scale::Exact,
};

const PATH: Rgb<u8> = Rgb([0, 128, 0]);

/// How often who watches is told, in closed cells.
const TOLD_EVERY: usize = 1 << 16;

/// Finds paths through pictures by A*: made once, it keeps its memory from picture to picture.
///
/// Eight ways, past corners of walls too; a straight step costs 5 and a diagonal one 7, and the heuristic is octile in
/// the same numbers. That is consistent, and the open list gives exact keys, so that no cell is closed twice.
#[derive(Debug)]
pub struct PictureSolver {
    grid: CostGrid,
    planner: Planner,
    closed: Vec<u32>,
}

/// What became of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureSolution {
    /// The path; `None` if there is none.
    pub path: Option<PicturePath>,
    /// How many cells were closed.
    pub closed: usize,
    /// How long the search took, reading and drawing apart.
    pub time: Duration,
    /// By how many bytes the containers of the search grew: 0 unless the picture has more pixels than all before.
    pub grown: usize,
}

/// A path through a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PicturePath {
    /// 5 for each straight and 7 for each diagonal step.
    pub cost: u64,
    /// One less than its pixels.
    pub steps: usize,
}

impl Default for PictureSolver {
    fn default() -> Self {
        let grid = CostGrid::new(Size::new(1, 1), Diagonal::SEVEN_FIFTHS).expect("a cell is a grid");
        Self { grid, planner: Planner::new(), closed: Vec::new() }
    }
}

impl PictureSolver {
    /// Finds the path from the top left to the bottom right pixel. If there is one the picture is coloured: the `k`-th
    /// of `n` closed cells, from 0, is `(255 - v, 0, v)` with `v = 255 * k / n` rounded down, and the path `(0, 128, 0)`.
    /// `watch` is told now and then how many cells are closed.
    ///
    /// A picture that is no grid, of no pixels or of more than [`MAX_SIDE`](crate::path::MAX_SIDE) a side, has no path.
    pub fn solve(&mut self, picture: &mut RgbImage, watch: impl FnMut(usize)) -> PictureSolution {
        let held = self.bytes();
        let size = Size::new(picture.width(), picture.height());
        let none = PictureSolution { path: None, closed: 0, time: Duration::ZERO, grown: 0 };
        let Ok(cost) = EntryCost::from_units(5 * UNIT) else { return none };
        self.grid.reserve(size.area());
        let mut pixels = picture.pixels();
        let costs = |_| pixels.next().filter(|pixel| !is_wall(**pixel)).map(|_| cost);
        if self.grid.rebuild(size, costs).is_err() {
            return none;
        }
        self.planner.reserve(size.area(), &OPTIONS);
        self.closed.clear();
        self.closed.reserve_exact(size.area());

        let Self { grid, planner, closed } = self;
        let end = Cell::new(size.width as i32 - 1, size.height as i32 - 1);
        let query = Query::new(Cell::new(0, 0), end).with(OPTIONS);
        let begun = Instant::now();
        let mut order = Order { closed, width: size.width, watch };
        // A wall at either end is no path.
        let route = planner.plan_observed(grid, &query, &mut order).ok().and_then(|outcome| outcome.route);
        let time = begun.elapsed();
        let path = route.map(|route| {
            colour(picture, closed, route.cells);
            PicturePath { cost: in_units(route.cost), steps: route.steps() }
        });
        let closed = closed.len();
        PictureSolution { path, closed, time, grown: self.bytes().saturating_sub(held) }
    }

    /// How many bytes its containers hold.
    pub fn bytes(&self) -> usize {
        self.grid.bytes() + self.planner.bytes() + self.closed.capacity() * size_of::<u32>()
    }
}

fn in_units(cost: RouteCost) -> u64 {
    cost.units() / u64::from(UNIT)
}

/// Notes which cells are closed, in order.
struct Order<'a, W> {
    closed: &'a mut Vec<u32>,
    width: u32,
    watch: W,
}

impl<W: FnMut(usize)> Observer for Order<'_, W> {
    #[inline]
    fn closed(&mut self, Closed { cell, .. }: Closed) {
        self.closed.push(cell.y as u32 * self.width + cell.x as u32);
        if self.closed.len().is_multiple_of(TOLD_EVERY) {
            (self.watch)(self.closed.len());
        }
    }
}

fn colour(picture: &mut RgbImage, closed: &[u32], path: &[Cell]) {
    let width = picture.width() as usize;
    let (pixels, _) = picture.as_chunks_mut::<3>();
    let n = closed.len() as u64;
    for (k, &at) in closed.iter().enumerate() {
        let v = (255 * k as u64 / n) as u8;
        pixels[at as usize] = [255 - v, 0, v];
    }
    for cell in path {
        pixels[cell.y as usize * width + cell.x as usize] = PATH.0;
    }
}
