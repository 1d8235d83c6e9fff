//! A* of the crate `pathfinding` on flat arrays with a border of blocked cells.

use emberwalk_path::Moves;
use emberwalk_path::grid::{Cell, Size};
use pathfinding::directed::astar::astar;

/// The arrangement of the arrays, and the default heuristic of this library on them: octile, and hex with six moves.
pub struct Bordered {
    pub stride: u32,
    height: u32,
    /// The lowest cost of a straight and of a diagonal step.
    lowest: [u64; 2],
    moves: Moves,
}

impl Bordered {
    pub fn new(size: Size, lowest: [u64; 2], moves: Moves) -> Self {
        Self { stride: size.width + 2, height: size.height + 2, lowest, moves }
    }

    /// The cells in the order of the arrays. The cells of the border are off the map.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        Size::new(self.stride, self.height).cells().map(|cell| Cell::new(cell.x - 1, cell.y - 1))
    }

    /// Finds a route with its cells, and returns its cost.
    pub fn plan<S>(&self, from: Cell, to: Cell, successors: impl Fn(u32) -> S) -> u64
    where
        S: Iterator<Item = (u32, u64)>,
    {
        let (from, to) = (self.index(from), self.index(to));
        let found = astar(&from, |&at| successors(at), |&at| self.estimate(at, to), |&at| at == to);
        found.expect("both ends are connected").1
    }

    fn index(&self, cell: Cell) -> u32 {
        (cell.y + 1) as u32 * self.stride + (cell.x + 1) as u32
    }

    fn estimate(&self, from: u32, to: u32) -> u64 {
        let difference = |a: u32, b: u32| i64::from(a) - i64::from(b);
        let across = difference(to % self.stride, from % self.stride);
        let down = difference(to / self.stride, from / self.stride);
        let (dx, dy) = (across.unsigned_abs(), down.unsigned_abs());
        match self.moves {
            // Steps to the north-west and south-east cost as much as straight ones; the other diagonals are two steps.
            Moves::Six if (across ^ down) < 0 => self.lowest[0] * (dx + dy),
            Moves::Six => self.lowest[0] * dx.max(dy),
            _ => self.lowest[1] * dx.min(dy) + self.lowest[0] * dx.abs_diff(dy),
        }
    }
}
