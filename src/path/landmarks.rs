//! Landmarks: cells whose distances from and to every other cell are known, which bound every other distance.
//!
//! For a landmark `L` the way from `n` to `t` costs at least `d(n, L) - d(t, L)`, and at least `d(L, t) - d(L, n)`, for
//! otherwise there would be a cheaper way to `L`, or from it (Goldberg, Harrelson, "Computing the Shortest Path: A*
//! Search Meets Graph Theory", SODA 2005).

use super::CostGrid;
use super::dijkstra;
use super::heuristic::{Estimate, Linear};
use super::parts::Parts;
use super::planner::Memory;
use super::savings::Savings;
use super::steps::{Corners, Moves, Rule, with_rule};

/// How many landmarks there are, at most.
const COUNT: usize = 16;
/// The largest distance that a table holds.
const MOST: i16 = i16::MAX;

/// What the landmarks know of one cell: a cache line, and two vector instructions a landmark and a half.
///
/// Distances are in steps of `2^shift` units, rounded down. The first half is `d(n, L)`, the second [`MOST`] less
/// `d(L, n)`, so that in both a larger number at `n` and a smaller at `t` is a better bound on the way from `n` to `t`.
/// 0 in the second half means that the landmark knows nothing of the cell, and there the first half is 0 too, which
/// bounds nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row([i16; 2 * COUNT]);

const UNKNOWN: Row = Row([0; 2 * COUNT]);

/// The tables of one grid for one set of steps.
#[derive(Clone, Debug)]
pub(super) struct Landmarks {
    moves: Moves,
    corners: Corners,
    grid: u64,
    version: u64,
    /// By the grid's index.
    rows: Vec<Row>,
    places: Vec<usize>,
    shift: u32,
    /// For each landmark, how many units cheaper a way may have become since its distances were found.
    slack: [u64; COUNT],
    savings: Savings,
}

impl Landmarks {
    /// Finds landmarks for a grid and all their distances: O(cells log cells), once for each landmark and way.
    pub(super) fn new(grid: &CostGrid, moves: Moves, corners: Corners, parts: &Parts, memory: &mut Memory) -> Self {
        let mut landmarks = Self {
            moves,
            corners,
            grid: grid.id(),
            version: grid.version(),
            rows: vec![UNKNOWN; grid.stored().len()],
            places: Vec::new(),
            shift: 0,
            slack: [0; COUNT],
            savings: Savings::new(),
        };
        with_rule!(moves, corners, rule => landmarks.place(grid, rule, parts, memory));
        landmarks
    }

    /// Whether these are tables of that grid and these steps.
    pub(super) fn are_for(&self, grid: &CostGrid, moves: Moves, corners: Corners) -> bool {
        let same = self.corners == corners || moves == Moves::Four;
        self.grid == grid.id() && self.moves == moves && same
    }

    /// Takes note of what changed; `false` if the grid no longer knows.
    ///
    /// What only became dearer changes no bound. Where ways may have become cheaper, all bounds give way by the most
    /// that a way can have saved. A cell that was opened is one that the landmarks know nothing of.
    pub(super) fn follow(&mut self, grid: &CostGrid) -> bool {
        if self.version == grid.version() {
            return true;
        }
        let Some(changes) = grid.changes_since(self.version) else { return false };
        self.savings.collect(grid, changes);
        for at in self.savings.opened(grid) {
            self.rows[at] = UNKNOWN;
        }
        let saved = with_rule!(self.moves, self.corners, rule => self.savings.most(grid, rule));
        let saved = saved.unwrap_or(u64::MAX);
        for slack in &mut self.slack {
            *slack = slack.saturating_add(saved);
        }
        self.version = grid.version();
        true
    }

    /// Whether any landmark's bounds are worth a look: after a change that may have saved ways a great deal, none is.
    pub(super) fn are_of_use(&self) -> bool {
        self.slack[..self.places.len()].iter().any(|&slack| slack >> self.shift < MOST as u64 / 2)
    }

    /// Finds the distances anew of the landmark whose bounds gave way the most; `false` if all are as good as new.
    ///
    /// The tables are those of the grid as it is, see [`follow`](Self::follow).
    pub(super) fn renew(&mut self, grid: &CostGrid, memory: &mut Memory) -> bool {
        let worst = (0..self.places.len()).max_by_key(|&k| self.slack[k]);
        let Some(k) = worst.filter(|&k| self.slack[k] > 0) else { return false };
        self.slack[k] = 0;
        // A landmark that was walled in since has no distances, which bound nothing.
        let place = self.places[k];
        if grid.stored()[place] == 0 {
            for row in &mut self.rows {
                (row.0[k], row.0[COUNT + k]) = (0, 0);
            }
        } else {
            with_rule!(self.moves, self.corners, rule => {
                self.write::<_, false>(grid, rule, k, memory);
                self.write::<_, true>(grid, rule, k, memory);
            });
        }
        true
    }

    /// The bounds on the way to the goal, which are never below the linear ones.
    pub(super) fn towards(&self, goal: usize, linear: Linear) -> Bounds<'_> {
        let row = self.rows[goal].0;
        let mut target = Row([MOST; 2 * COUNT]);
        for k in 0..COUNT {
            if row[COUNT + k] != 0 {
                // A step for what the goal's distance was rounded down, and another for the slack.
                let slack = match self.slack[k] {
                    0 => 1,
                    slack => 2 + (slack >> self.shift).min(MOST as u64 - 2) as i16,
                };
                target.0[k] = row[k].saturating_add(slack);
                target.0[COUNT + k] = row[COUNT + k].saturating_add(slack);
            }
        }
        Bounds { rows: &self.rows, target, shift: self.shift, linear }
    }

    /// Puts each landmark where it is farthest from those before it, in parts of some size.
    fn place<R: Rule>(&mut self, grid: &CostGrid, rule: R, parts: &Parts, memory: &mut Memory) {
        let mut sizes = vec![0usize; parts.numbers()];
        for number in (0..grid.stored().len()).filter_map(|at| parts.number(at)) {
            sizes[number] += 1;
        }
        let enough = sizes.iter().sum::<usize>() / COUNT;
        let mut distances: Vec<u64> = (0..grid.stored().len())
            .map(|at| match parts.number(at) {
                Some(number) if sizes[number] > enough => u64::MAX,
                _ => 0,
            })
            .collect();
        for k in 0..COUNT {
            let last_of_most = |distances: &[u64]| (0..distances.len()).max_by_key(|&at| distances[at]);
            let Some(mut place) = last_of_most(&distances).filter(|&at| distances[at] > 0) else { break };
            if distances[place] == u64::MAX {
                // The first in its part: not just any cell, but one far from it.
                self.fill::<_, true>(grid, rule, place, memory);
                let nodes = &memory.nodes;
                let seen = (0..distances.len()).filter(|&at| nodes.is_seen(at));
                place = seen.max_by_key(|&at| nodes.label(at)).unwrap_or(place);
                if k == 0 {
                    let most = (nodes.label(place) - nodes.zero()) * 2;
                    self.shift = (most / MOST as u64).checked_ilog2().map_or(0, |log| log + 1);
                }
            }
            self.places.push(place);
            self.write::<_, false>(grid, rule, k, memory);
            for (at, least) in distances.iter_mut().enumerate() {
                if memory.nodes.is_seen(at) {
                    *least = (*least).min(memory.nodes.label(at) - memory.nodes.zero());
                }
            }
            self.write::<_, true>(grid, rule, k, memory);
        }
    }

    fn fill<R: Rule, const FROM: bool>(&self, grid: &CostGrid, rule: R, place: usize, memory: &mut Memory) {
        let Memory { nodes, buckets, heap, .. } = memory;
        dijkstra::fill::<_, FROM>(nodes, buckets, heap, grid, place, rule);
    }

    /// Writes the distances from a landmark, or to it.
    fn write<R: Rule, const FROM: bool>(&mut self, grid: &CostGrid, rule: R, k: usize, memory: &mut Memory) {
        self.fill::<_, FROM>(grid, rule, self.places[k], memory);
        let nodes = &memory.nodes;
        for (at, row) in self.rows.iter_mut().enumerate() {
            let distance = if nodes.is_seen(at) {
                ((nodes.label(at) - nodes.zero()) >> self.shift).min(MOST as u64) as i16
            } else if FROM {
                MOST
            } else {
                0
            };
            if FROM {
                row.0[COUNT + k] = MOST - distance;
            } else {
                row.0[k] = distance;
            }
        }
    }
}

/// The bounds of all landmarks on the way to one goal, and the linear heuristic where that is better.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a> {
    rows: &'a [Row],
    target: Row,
    shift: u32,
    linear: Linear,
}

impl Bounds<'_> {
    /// No bound is above this.
    pub(super) fn most(&self, columns: u32, rows: u32) -> u64 {
        ((MOST as u64) << self.shift).max(self.linear.at(columns, rows))
    }
}

impl Estimate for &Bounds<'_> {
    #[inline(always)]
    fn at(self, columns: u32, rows: u32) -> u64 {
        self.linear.at(columns, rows)
    }

    #[inline(always)]
    fn of(self, index: usize, columns: u32, rows: u32) -> u64 {
        let mut best = [0i16; 8];
        let row = &self.rows[index].0;
        for (row, target) in row.chunks_exact(8).zip(self.target.0.chunks_exact(8)) {
            for lane in 0..8 {
                best[lane] = best[lane].max(row[lane].saturating_sub(target[lane]));
            }
        }
        let best = best.into_iter().fold(0, i16::max);
        ((best as u64) << self.shift).max(self.linear.at(columns, rows))
    }
}
