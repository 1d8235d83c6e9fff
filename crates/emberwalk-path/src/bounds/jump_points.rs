//! Jump points: the few cells at which a cheapest way may have to turn.
//!
//! Of all ways of equal cost a search need follow but one, say that which goes diagonally as long as that pays and
//! straight afterwards. Where all cells around cost the same it never turns but from a diagonal to a straight run, so
//! that it turns otherwise only beside the end of a wall and where the costs differ; all cells between are passed over:
//! "Online Graph Pruning for Pathfinding on Grid Maps" (Harabor, Grastien, AAAI 2011), with costs as in "Optimal
//! Pathfinding on Weighted Grid Maps" (Carlson, Moghadam, Harabor, Stuckey, Ebrahimi, AAAI 2023), here for steps past no
//! corner. Where to stop is kept as bits by rows and by columns, and 64 cells are scanned at once.
//!
//! A diagonal run looks to both its sides from each cell, and a turn that it finds there follows the cell where the run
//! began: no search stops only to leave a diagonal.

use std::cmp::Ordering;

use crate::grid::{Cell, Direction};
use crate::search::steps::{Successor, Successors, offsets};
use crate::{Corners, CostGrid, Diagonal, Moves};

/// For each cell, in which directions a way that enters it may have to turn there.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpPoints {
    /// A bit for each direction, by the grid's index.
    stops: Vec<u8>,
    /// The bits for north, east, south and west once more, in lines; set for what is blocked, too.
    straight: [Lines; 4],
    /// Whether most cells were none when all were found last.
    are_few: bool,
    grid: u64,
    version: u64,
}

/// A diagonal run asks at its first cell and then at every so many whether it may go on. Measured: asking costs as much
/// as a few cells.
const LOOK_EVERY: u32 = 8;

/// Lines of bits, with the border of the grid.
#[derive(Clone, Debug, Default)]
struct Lines {
    bits: Vec<u64>,
    words: usize,
}

impl Lines {
    /// Makes all lines of ones.
    fn begin(&mut self, lines: u32, length: u32) {
        self.words = (length as usize + 2).div_ceil(64);
        self.bits.clear();
        self.bits.resize(self.words * (lines as usize + 2), !0);
    }

    fn set(&mut self, line: usize, position: usize, bit: bool) {
        let word = &mut self.bits[line * self.words + position / 64];
        *word = *word & !(1 << (position % 64)) | u64::from(bit) << (position % 64);
    }

    /// The first one after `from`, or `end` if that comes before.
    #[inline(always)]
    fn after(&self, line: usize, from: usize, end: usize) -> usize {
        let line = &self.bits[line * self.words..][..self.words];
        let mut word = from / 64;
        let mut bits = line[word] & (!1 << (from % 64));
        while bits == 0 {
            word += 1;
            bits = line[word];
        }
        let first = word * 64 + bits.trailing_zeros() as usize;
        if end > from { first.min(end) } else { first }
    }

    /// The last one before `from`, or `end` if that comes after.
    #[inline(always)]
    fn before(&self, line: usize, from: usize, end: usize) -> usize {
        let line = &self.bits[line * self.words..][..self.words];
        let mut word = from / 64;
        let mut bits = line[word] & !(!0 << (from % 64));
        while bits == 0 {
            word -= 1;
            bits = line[word];
        }
        let last = word * 64 + 63 - bits.leading_zeros() as usize;
        if end < from { last.max(end) } else { last }
    }
}

/// The cells around one, and what they cost.
#[derive(Clone, Copy)]
struct Place<'a> {
    stored: &'a [u32],
    offsets: [isize; 8],
    diagonal: Diagonal,
    at: usize,
}

impl Place<'_> {
    /// What entering that neighbour costs; 0 where it is blocked. Directions are counted round and round.
    #[inline(always)]
    fn cost(&self, direction: usize) -> u64 {
        u64::from(self.stored[self.at.wrapping_add_signed(self.offsets[direction % 8])])
    }

    #[inline(always)]
    fn diagonal(&self, cost: u64) -> u64 {
        u64::from(self.diagonal.of(cost as u32))
    }

    /// Whether a way that enters the cell straight may have to turn there, to one side, by a right angle and by half of
    /// one. `quarter` is 2 for the side to the right, and 6.
    ///
    /// It need not if there is as cheap a way that turns earlier, from the cell before.
    #[inline(always)]
    fn turns(&self, by: usize, quarter: usize) -> (bool, bool) {
        // The half turn to that side, and the cell aside of the one before: halfway back.
        let (half, back) = if quarter == 2 { (1, 3) } else { (7, 5) };
        let (here, aside) = (u64::from(self.stored[self.at]), self.cost(by + quarter));
        let (ahead, between) = (self.cost(by), self.cost(by + half));
        if aside == 0 {
            return (false, false);
        }
        let earlier = self.cost(by + back);
        if earlier == 0 {
            return (true, ahead != 0 && between != 0);
        }
        let slanted = self.diagonal(aside);
        let right = slanted > here + aside && earlier >= here;
        let halfway = ahead != 0 && between != 0 && slanted + between > here + self.diagonal(between);
        (right, halfway)
    }

    /// Whether a way that enters the cell diagonally may have to turn there by a right angle, to one side.
    ///
    /// It need not if two straight steps from the cell before are cheaper.
    #[inline(always)]
    fn turns_square(&self, by: usize, quarter: usize) -> bool {
        let here = u64::from(self.stored[self.at]);
        // The straight steps beside the new direction, the nearer one to the cell before first.
        let (back, front) = if quarter == 2 { (by + 3, by + 1) } else { (by + 5, by + 7) };
        let (back, front, to) = (self.cost(back), self.cost(front), self.cost(by + quarter));
        to != 0 && back != 0 && front != 0 && back + to >= self.diagonal(here) + self.diagonal(to)
    }

    /// Whether a way in each direction may have to turn at this cell, a bit for each.
    fn stops(&self) -> u8 {
        let here = u64::from(self.stored[self.at]);
        if here == 0 {
            return !0;
        }
        let around: [u64; 8] = std::array::from_fn(|direction| self.cost(direction));
        if around == [here; 8] {
            return 0;
        }
        let mut stops = 0;
        for by in 0..8 {
            let turns = if by % 2 == 0 {
                let either = |(right, half): (bool, bool)| right | half;
                around[(by + 4) % 8] != here || either(self.turns(by, 2)) || either(self.turns(by, 6))
            } else {
                self.turns_square(by, 2) || self.turns_square(by, 6)
            };
            stops |= u8::from(turns) << by;
        }
        stops
    }
}

impl JumpPoints {
    /// Whether there are jump points for these steps.
    pub(crate) fn suit(moves: Moves, corners: Corners) -> bool {
        moves == Moves::Eight && corners == Corners::Never
    }

    /// Catches up with the grid as it is now: O(cells) for another grid than before or if it does not remember all its
    /// changes, else O(changes).
    pub(crate) fn update(&mut self, grid: &CostGrid) {
        let size = grid.size();
        let changes = grid.changes_since(self.version).filter(|_| self.grid == grid.id());
        if let Some(changes) = changes {
            for change in changes {
                self.find(grid, change.cell);
                for direction in Direction::ALL {
                    self.find(grid, change.cell + direction);
                }
            }
        } else {
            self.stops.clear();
            self.stops.resize(grid.stored().len(), 0);
            for (k, lines) in self.straight.iter_mut().enumerate() {
                if k % 2 == 1 { lines.begin(size.height, size.width) } else { lines.begin(size.width, size.height) }
            }
            let (mut all, mut points) = (0, 0);
            for cell in size.cells() {
                self.find(grid, cell);
                if grid.is_passable(cell) {
                    all += 1;
                    points += usize::from(self.stops[grid.index(cell)] != 0);
                }
            }
            self.are_few = points * 4 <= all * 3;
        }
        (self.grid, self.version) = (grid.id(), grid.version());
    }

    /// Finds out about a cell, if it is one of the grid.
    fn find(&mut self, grid: &CostGrid, cell: Cell) {
        if !grid.size().contains(cell) {
            return;
        }
        let at = grid.index(cell);
        let stops = place(grid, at).stops();
        self.stops[at] = stops;
        let (column, row) = (cell.x as usize + 1, cell.y as usize + 1);
        for (k, lines) in self.straight.iter_mut().enumerate() {
            let (line, position) = if k % 2 == 1 { (row, column) } else { (column, row) };
            lines.set(line, position, stops >> (2 * k) & 1 != 0);
        }
    }

    /// Whether a search over them looks at fewer cells than one over neighbours: measured, not where more than three
    /// quarters of the cells are jump points.
    pub(crate) fn are_few(&self) -> bool {
        self.are_few
    }

    /// What a search for that goal needs.
    pub(crate) fn towards<'a>(&'a self, grid: &'a CostGrid, goal: Cell) -> Jumps<'a> {
        Jumps { points: self, grid, goal }
    }
}

fn place(grid: &CostGrid, at: usize) -> Place<'_> {
    Place { stored: grid.stored(), offsets: offsets(grid.stride()), diagonal: grid.diagonal(), at }
}

/// The jump points that follow another.
#[derive(Clone, Copy)]
pub(crate) struct Jumps<'a> {
    points: &'a JumpPoints,
    grid: &'a CostGrid,
    goal: Cell,
}

impl Jumps<'_> {
    /// Goes straight on from a cell.
    #[inline(always)]
    fn run(&self, at: usize, cell: Cell, by: Direction, so_far: u64, visit: &mut impl FnMut(Successor) -> bool) {
        let (column, row) = (cell.x as usize + 1, cell.y as usize + 1);
        let (goal, stored) = (self.goal, self.grid.stored());
        let lines = &self.points.straight[by as usize / 2];
        let vertical = by.offset().0 == 0;
        let (line, from) = if vertical { (column, row) } else { (row, column) };
        let (goal_line, end) = (goal.x as usize + 1, goal.y as usize + 1);
        let (goal_line, end) = if vertical { (goal_line, end) } else { (end, goal_line) };
        let end = if goal_line == line { end } else { from };
        let far = match by {
            Direction::E | Direction::S => lines.after(line, from, end) - from,
            _ => from - lines.before(line, from, end),
        };
        let there = at.wrapping_add_signed(offsets(self.grid.stride())[by as usize] * far as isize);
        let last = stored[there];
        if last != 0 {
            // All but the last cost what this one does.
            let cost = so_far + u64::from(stored[at]) * (far as u64 - 1) + u64::from(last);
            let (dx, dy) = by.offset();
            let next = cell + (dx * far as i32, dy * far as i32);
            visit(Successor { at: there, cell: next, by, cost, can_wait: false });
        }
    }

    /// Goes diagonally on, and straight to both sides from each cell on the way.
    #[inline(always)]
    fn fan(&self, mut at: usize, mut cell: Cell, by: Direction, visit: &mut impl FnMut(Successor) -> bool) {
        let (stored, offsets) = (self.grid.stored(), offsets(self.grid.stride()));
        let (dx, dy) = by.offset();
        let across = if dx > 0 { Direction::E } else { Direction::W };
        let along = if dy > 0 { Direction::S } else { Direction::N };
        let open = |at: usize, by: Direction| stored[at.wrapping_add_signed(offsets[by as usize])] != 0;
        let mut so_far = 0;
        let mut count = 0u32;
        while open(at, across) && open(at, along) && open(at, by) {
            at = at.wrapping_add_signed(offsets[by as usize]);
            cell = cell + by;
            so_far += u64::from(self.grid.diagonal().of(stored[at]));
            let can_wait = cell != self.goal && self.points.stops[at] >> by as u32 & 1 == 0;
            if (!can_wait || count.is_multiple_of(LOOK_EVERY))
                && !visit(Successor { at, cell, by, cost: so_far, can_wait })
            {
                return;
            }
            self.run(at, cell, across, so_far, visit);
            self.run(at, cell, along, so_far, visit);
            count += 1;
        }
    }
}

impl Successors for Jumps<'_> {
    const ARE_FAR: bool = true;

    #[inline(always)]
    fn each(&self, at: usize, cell: Cell, came: Option<Direction>, mut visit: impl FnMut(Successor) -> bool) {
        let visit = &mut visit;
        let Some(by) = came else {
            Direction::SIDES.into_iter().for_each(|by| self.run(at, cell, by, 0, visit));
            Direction::CORNERS.into_iter().for_each(|by| self.fan(at, cell, by, visit));
            return;
        };
        let place = place(self.grid, at);
        let way = by as usize;
        let turned = |eighths: usize| Direction::ALL[(way + eighths) % 8];
        if by.is_diagonal() {
            self.fan(at, cell, by, visit);
            for (eighth, quarter) in [(1, 2), (7, 6)] {
                self.run(at, cell, turned(eighth), 0, visit);
                if place.turns_square(way, quarter) {
                    self.fan(at, cell, turned(quarter), visit);
                }
            }
        } else {
            self.run(at, cell, by, 0, visit);
            for (eighth, quarter) in [(1, 2), (7, 6)] {
                let (right, half) = place.turns(way, quarter);
                if right {
                    self.run(at, cell, turned(quarter), 0, visit);
                }
                if half {
                    self.fan(at, cell, turned(eighth), visit);
                }
            }
        }
    }
}

/// The cell before `cell` on the way to it from the one that it follows: diagonal first, so straight on the way back.
pub(crate) fn step_back(cell: Cell, from: Cell) -> Cell {
    let (dx, dy) = from - cell;
    let longer = dx.abs().cmp(&dy.abs());
    cell + match longer {
        Ordering::Greater => (dx.signum(), 0),
        Ordering::Less => (0, dy.signum()),
        Ordering::Equal => (dx.signum(), dy.signum()),
    }
}
