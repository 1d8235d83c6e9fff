//! Landmarks: cells whose distances to every other cell are known, which bound every other distance.
//!
//! Where a distance `d` is the same both ways, for a landmark `L` that from `n` to `t` is at least `d(n, L) - d(t, L)`, and
//! at least `d(t, L) - d(n, L)`, for otherwise there would be a cheaper way to `L` (Goldberg, Harrelson, "Computing the
//! Shortest Path: A* Search Meets Graph Theory", SODA 2005). Here a way and its reverse differ, and each landmark
//! would need a table for either direction. But they differ nearly only by what their ends cost. Let every step from
//! `u` to `v` count twice its cost, plus the entry cost of `u`, less that of `v`: along a way from `n` to `t` the
//! entry costs between cancel out, and it counts twice its cost, plus the entry cost of `n`, less that of `t`. A straight
//! step then counts the same as its reverse, the sum of both entry costs, and a diagonal one nearly. With the smaller of
//! the two for both, distances are the same both ways, and twice the cost of a way is at least its distance, plus the
//! entry cost of `t`, less that of `n`. So one table serves both directions, and there is room for twice as many
//! landmarks.

use super::CostGrid;
use super::dijkstra::{self, Price};
use super::heuristic::{Estimate, Linear};
use super::parts::Parts;
use super::planner::Memory;
use super::savings::Savings;
use super::steps::{Corners, Moves, Rule, with_rule};

/// How many landmarks there are, at most.
const COUNT: usize = 31;
/// The number in a row that tells whether the landmarks know nothing of the cell.
const UNKNOWN: usize = COUNT;
/// The largest distance that a table holds.
const MOST: i16 = i16::MAX;

/// What a step counts in the distances of landmarks.
#[derive(Clone, Copy)]
struct BothWays;

impl Price for BothWays {
    const TIMES: u32 = 2;

    #[inline(always)]
    fn of(self, here: u32, next: u32, step: impl Fn(u32) -> u32) -> u64 {
        let onwards = 2 * u64::from(step(next)) + u64::from(here) - u64::from(next);
        let backwards = 2 * u64::from(step(here)) + u64::from(next) - u64::from(here);
        onwards.min(backwards)
    }
}

/// What the landmarks know of one cell: a cache line.
///
/// The distance of each in steps of `2^shift` half units, rounded down; 0 where there is no way, and [`MOST`] for all
/// that are larger. The last number, [`UNKNOWN`], is not 0 where the cell was opened since.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row([i16; COUNT + 1]);

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
    /// For each landmark, by how many half units its bounds give way for what changed since its distances were found.
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
            rows: vec![Row([0; COUNT + 1]); grid.stored().len()],
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
        let saved = with_rule!(self.moves, self.corners, rule => self.savings.most(grid, rule));
        // A cell that fell stands in the bounds from it with its entry cost as it is now.
        let fallen = self.savings.largest_fall(grid);
        let mut slack = saved.map_or(u64::MAX, |saved| 2 * saved + fallen);
        for at in self.savings.opened(grid) {
            self.rows[at].0[UNKNOWN] = 1;
            // It takes all tables made anew to know the cell.
            slack = slack.max(1);
        }
        for total in &mut self.slack {
            *total = total.saturating_add(slack);
        }
        self.version = grid.version();
        true
    }

    /// Whether the search between these cells is quicker by these bounds than without: measured, not where all give way
    /// by more than a small share of the way.
    pub(super) fn are_of_use(&self, estimate: u64) -> bool {
        const SHARE: u64 = 256;
        let least = self.slack[..self.places.len()].iter().min();
        least.is_some_and(|&slack| slack / 2 <= estimate / SHARE)
    }

    /// Finds the distances anew of the landmark whose bounds gave way the most; `false` if all are as good as new.
    ///
    /// The tables are those of the grid as it is, see [`follow`](Self::follow).
    pub(super) fn renew(&mut self, grid: &CostGrid, memory: &mut Memory) -> bool {
        let worst = (0..self.places.len()).max_by_key(|&k| self.slack[k]);
        let Some(k) = worst.filter(|&k| self.slack[k] > 0) else { return false };
        self.slack[k] = 0;
        let place = self.places[k];
        if grid.stored()[place] != 0 {
            with_rule!(self.moves, self.corners, rule => self.write(grid, rule, k, memory));
        } else {
            // A landmark that was blocked has no distances; as they are all the same they bound nothing.
            self.rows.iter_mut().for_each(|row| row.0[k] = 0);
        }
        if self.slack[..self.places.len()].iter().all(|&slack| slack == 0) {
            self.rows.iter_mut().for_each(|row| row.0[UNKNOWN] = 0);
        }
        true
    }

    /// The bounds on the way to the goal, which are never below the linear ones.
    pub(super) fn towards<'a>(&'a self, grid: &'a CostGrid, goal: usize, linear: Linear) -> Bounds<'a> {
        let row = self.rows[goal].0;
        // What no cell's number is above or below bounds nothing.
        let (mut above, mut below) = (Row([MOST; COUNT + 1]), Row([0; COUNT + 1]));
        for k in 0..self.places.len() {
            if row[k] != MOST && row[UNKNOWN] == 0 {
                // A step for what one of the two distances was rounded down, and another for that of the slack.
                let slack = match self.slack[k] {
                    0 => 1,
                    slack => 2 + (slack >> self.shift).min(MOST as u64 - 2) as i16,
                };
                above.0[k] = row[k].saturating_add(slack);
                below.0[k] = row[k].saturating_sub(slack).max(0);
            }
        }
        let stored = grid.stored();
        Bounds { rows: &self.rows, stored, above, below, goal: u64::from(stored[goal]), shift: self.shift, linear }
    }

    /// Puts each landmark where it is farthest from those before it, in parts of some size.
    fn place<R: Rule>(&mut self, grid: &CostGrid, rule: R, parts: &Parts, memory: &mut Memory) {
        let mut sizes = vec![0usize; parts.numbers()];
        for number in (0..grid.stored().len()).filter_map(|at| parts.number(at)) {
            sizes[number] += 1;
        }
        let all: usize = sizes.iter().sum();
        // The largest part counts, however small.
        let enough = sizes.iter().copied().max().unwrap_or(0).min(all / 16).max(1);
        let mut distances: Vec<u64> = (0..grid.stored().len())
            .map(|at| match parts.number(at) {
                Some(number) if sizes[number] >= enough => u64::MAX,
                _ => 0,
            })
            .collect();
        for k in 0..COUNT {
            let last_of_most = |distances: &[u64]| (0..distances.len()).max_by_key(|&at| distances[at]);
            let Some(mut place) = last_of_most(&distances).filter(|&at| distances[at] > 0) else { break };
            if distances[place] == u64::MAX {
                // The first in its part: not just any cell, but one far from it.
                fill(grid, rule, place, memory);
                let nodes = &memory.nodes;
                let seen = (0..distances.len()).filter(|&at| nodes.is_seen(at));
                place = seen.max_by_key(|&at| nodes.label(at)).unwrap_or(place);
                if k == 0 {
                    let most = (nodes.label(place) - nodes.zero()) / 4 * 5;
                    self.shift = (most / MOST as u64).checked_ilog2().map_or(0, |log| log + 1);
                }
            }
            self.places.push(place);
            self.write(grid, rule, k, memory);
            for (at, least) in distances.iter_mut().enumerate() {
                if memory.nodes.is_seen(at) {
                    *least = (*least).min(memory.nodes.label(at) - memory.nodes.zero());
                }
            }
        }
    }

    /// Writes the distances of a landmark.
    fn write<R: Rule>(&mut self, grid: &CostGrid, rule: R, k: usize, memory: &mut Memory) {
        fill(grid, rule, self.places[k], memory);
        let nodes = &memory.nodes;
        for (at, row) in self.rows.iter_mut().enumerate() {
            row.0[k] = if nodes.is_seen(at) {
                ((nodes.label(at) - nodes.zero()) >> self.shift).min(MOST as u64) as i16
            } else {
                0
            };
        }
    }
}

/// Finds the distances of a cell.
fn fill<R: Rule>(grid: &CostGrid, rule: R, place: usize, memory: &mut Memory) {
    let Memory { nodes, buckets, heap, .. } = memory;
    dijkstra::fill(nodes, buckets, heap, grid, place, rule, BothWays);
}

/// The bounds of all landmarks on the way to one goal, and the linear heuristic where that is better.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a> {
    rows: &'a [Row],
    stored: &'a [u32],
    /// Distances of the goal, and at least what they may be off more and less.
    above: Row,
    below: Row,
    /// The entry cost of the goal.
    goal: u64,
    shift: u32,
    linear: Linear,
}

impl Bounds<'_> {
    /// No bound is above this.
    pub(super) fn most(&self, columns: u32, rows: u32) -> u64 {
        (((MOST as u64) << self.shift) + self.goal).max(self.linear.at(columns, rows))
    }
}

impl Estimate for &Bounds<'_> {
    #[inline(always)]
    fn at(self, columns: u32, rows: u32) -> u64 {
        self.linear.at(columns, rows)
    }

    #[inline(always)]
    fn of(self, index: usize, columns: u32, rows: u32) -> u64 {
        let linear = self.linear.at(columns, rows);
        let row = &self.rows[index].0;
        if row[UNKNOWN] != 0 {
            return linear;
        }
        // Eight at a time, as vector instructions do.
        let mut best = [0i16; 8];
        let goal = self.above.0.chunks_exact(8).zip(self.below.0.chunks_exact(8));
        for (row, (above, below)) in row.chunks_exact(8).zip(goal) {
            for lane in 0..8 {
                let farther = row[lane].saturating_sub(above[lane]);
                best[lane] = best[lane].max(farther).max(below[lane].saturating_sub(row[lane]));
            }
        }
        let distance = (best.into_iter().fold(0, i16::max) as u64) << self.shift;
        ((distance + self.goal).saturating_sub(u64::from(self.stored[index])) / 2).max(linear)
    }
}
