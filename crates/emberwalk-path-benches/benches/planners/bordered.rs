//! A* of the crate `pathfinding` on flat arrays with a border of blocked cells.

use emberwalk_path::grid::{Cell, Size};
use pathfinding::directed::astar::astar;

/// The arrangement of the arrays, and the octile heuristic of this library on them.
pub struct Bordered {
    pub stride: u32,
    height: u32,
    /// The lowest cost of a straight and of a diagonal step.
    lowest: [u64; 2],
}

impl Bordered {
    pub fn new(size: Size, lowest: [u64; 2]) -> Self {
        Self { stride: size.width + 2, height: size.height + 2, lowest }
    }

    /// Returns the cells in the order of the arrays. Those of the border are off the map.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        Size::new(self.stride, self.height).cells().map(|cell| Cell::new(cell.x - 1, cell.y - 1))
    }

    /// Finds a route with its cells, and returns its cost.
    pub fn plan<S>(&self, from: Cell, to: Cell, successors: impl Fn(u32) -> S) -> u64
    where
        S: Iterator<Item = (u32, u64)>,
    {
        let (from, to) = (self.index(from), self.index(to));
        let found = astar(&from, |&at| successors(at), |&at| self.octile(at, to), |&at| at == to);
        found.expect("both ends are connected").1
    }

    fn index(&self, cell: Cell) -> u32 {
        (cell.y + 1) as u32 * self.stride + (cell.x + 1) as u32
    }

    fn octile(&self, from: u32, to: u32) -> u64 {
        let (dx, dy) =
            ((from % self.stride).abs_diff(to % self.stride), (from / self.stride).abs_diff(to / self.stride));
        self.lowest[1] * u64::from(dx.min(dy)) + self.lowest[0] * u64::from(dx.abs_diff(dy))
    }
}
