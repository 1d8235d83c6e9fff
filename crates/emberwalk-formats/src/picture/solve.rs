//! Finds the path through a picture.

use std::time::Duration;

use image::RgbImage;

use super::ends::{Ends, PictureQuery, ends};
use emberwalk_map::clock::Instant;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::trace::{Closed, SearchObserver};
use emberwalk_path::{
    Algorithm, Corners, CostGrid, Diagonal, EntryCost, Heuristic, HeuristicScale, Moves, Options, Planner, RouteCost,
    RouteQuery,
};

/// Units of a [`PicturePath::cost`]: a straight step costs 5 of them and a diagonal one 7.
const UNIT: u32 = 1 << 16;

/// A consistent heuristic and exact keys: see [`PictureSolver`].
const OPTIONS: Options = Options::new()
    .with_moves(Moves::Eight)
    .with_corners(Corners::Always)
    .with_algorithm(Algorithm::AStar)
    .with_heuristic(Some(Heuristic::Octile))
    .with_scale(HeuristicScale::Exact);

/// The colour of the path, and of the pixels around it. They differ in lightness, so that the path is seen on every colour,
/// and by everybody.
const PATH: [u8; 3] = [0, 128, 0];
const BORDER: [u8; 3] = [8, 20, 8];

/// How often progress is reported, in closed cells.
const REPORT_INTERVAL: usize = 1 << 16;

/// Finds paths through pictures with A*. It reuses its memory from picture to picture.
///
/// Paths have eight directions and may cut the corners of walls. A straight step costs 5 and a diagonal one 7; the
/// heuristic is the octile distance with the same numbers. It is consistent, and the order of the open list is exact,
/// so that no cell is closed twice.
#[derive(Debug)]
pub struct PictureSolver {
    grid: CostGrid,
    planner: Planner,
    closed: Vec<u32>,
}

/// The result of the search in one picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureSolution {
    /// The path; `None` if there is none.
    pub path: Option<PicturePath>,
    /// Why there can be no path, in words that follow a colon; `None` if a path was searched for.
    pub missing: Option<String>,
    /// The number of closed cells.
    pub closed: usize,
    /// The duration of the search, without decoding and drawing.
    pub time: Duration,
    /// The number of bytes by which the search's containers grew: 0 unless the picture has more pixels than all earlier
    /// ones.
    pub grown: usize,
}

/// A path through a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PicturePath {
    /// The first pixel.
    pub from: Cell,
    /// The last pixel.
    pub to: Cell,
    /// The cost: 5 for each straight and 7 for each diagonal step.
    pub cost: u64,
    /// The number of steps, one less than the number of pixels.
    pub steps: usize,
}

impl Default for PictureSolver {
    fn default() -> Self {
        let grid = CostGrid::new(Size::new(1, 1), Diagonal::SEVEN_FIFTHS).expect("a cell is a grid");
        Self { grid, planner: Planner::new(), closed: Vec::new() }
    }
}

impl PictureSolver {
    /// Finds the path that `query` asks for. If there is one, draws the search into the picture: closed cell `k` of `n`,
    /// counted from 0, becomes `(255 - v, 0, v)` with `v = 255 * k / n` rounded down, the path becomes `(0, 128, 0)`, and
    /// the pixels around it that are no walls become `(8, 20, 8)`. From time to time `on_progress` receives the number of
    /// closed cells.
    ///
    /// A picture without pixels has no path, nor has one with a side of more than
    /// [`MAX_SIDE`](emberwalk_path::MAX_SIDE) pixels.
    // With a type parameter, the pathfinder would be compiled again for each closure.
    pub fn solve(
        &mut self,
        picture: &mut RgbImage,
        query: &PictureQuery,
        on_progress: &mut dyn FnMut(usize),
    ) -> PictureSolution {
        let bytes_before = self.bytes();
        let size = Size::new(picture.width(), picture.height());
        let no_path = PictureSolution { path: None, missing: None, closed: 0, time: Duration::ZERO, grown: 0 };
        let Ok(cost) = EntryCost::from_units(5 * UNIT) else { return no_path };
        self.grid.reserve(size.area());
        let mut pixels = picture.pixels();
        let costs = |_| pixels.next().filter(|pixel| !query.walls.is_wall(**pixel)).map(|_| cost);
        if self.grid.rebuild(size, costs).is_err() {
            return PictureSolution { missing: Some(format!("the picture has {size} pixels")), ..no_path };
        }
        let Ends { from, to } = match ends(query, size, |cell| self.grid.is_passable(cell)) {
            Ok(ends) => ends,
            Err(missing) => {
                let grown = self.bytes().saturating_sub(bytes_before);
                return PictureSolution { missing: Some(missing), grown, ..no_path };
            }
        };
        self.planner.reserve(size.area(), &OPTIONS);
        self.closed.clear();
        self.closed.reserve_exact(size.area());

        let Self { grid, planner, closed } = self;
        let query = RouteQuery::new(from, to).with_options(OPTIONS);
        let start_time = Instant::now();
        let mut recorder = CloseRecorder { closed, width: size.width, on_progress };
        let route = planner.plan_observed(grid, &query, &mut recorder).ok().and_then(|result| result.route);
        let time = start_time.elapsed();
        let path = route.map(|route| PicturePath { from, to, cost: in_units(route.cost), steps: route.steps() });
        if let Some(route) = route {
            draw(picture, closed, route.cells, |cell| grid.is_passable(cell));
        }
        let closed = closed.len();
        PictureSolution { path, missing: None, closed, time, grown: self.bytes().saturating_sub(bytes_before) }
    }

    /// The number of bytes allocated by its containers.
    pub fn bytes(&self) -> usize {
        self.grid.bytes() + self.planner.bytes() + self.closed.capacity() * size_of::<u32>()
    }
}

fn in_units(cost: RouteCost) -> u64 {
    cost.units() / u64::from(UNIT)
}

/// Records the closed cells in order.
struct CloseRecorder<'a> {
    closed: &'a mut Vec<u32>,
    width: u32,
    on_progress: &'a mut dyn FnMut(usize),
}

impl SearchObserver for CloseRecorder<'_> {
    #[inline]
    fn closed(&mut self, Closed { cell, .. }: Closed) {
        self.closed.push(cell.y as u32 * self.width + cell.x as u32);
        if self.closed.len().is_multiple_of(REPORT_INTERVAL) {
            (self.on_progress)(self.closed.len());
        }
    }
}

/// Draws the closed cells and the path with its border.
fn draw(picture: &mut RgbImage, closed: &[u32], path: &[Cell], is_passable: impl Fn(Cell) -> bool) {
    let width = picture.width() as usize;
    let (pixels, _) = picture.as_chunks_mut::<3>();
    let n = closed.len() as u64;
    for (&at, k) in closed.iter().zip(0..) {
        let v = (255 * k / n) as u8;
        pixels[at as usize] = [255 - v, 0, v];
    }
    let index = |cell: Cell| cell.y as usize * width + cell.x as usize;
    for beside in path.iter().flat_map(|cell| cell.around(Size::new(1, 1))).filter(|cell| is_passable(*cell)) {
        pixels[index(beside)] = BORDER;
    }
    path.iter().for_each(|cell| pixels[index(*cell)] = PATH);
}
