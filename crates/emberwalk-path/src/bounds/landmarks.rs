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

use crate::CostGrid;
use crate::bounds::cost_decreases::{Falls, MOST_FALLS};
use crate::bounds::distance_tables::{LANES, Tables};
use crate::bounds::heuristic::Linear;
use crate::bounds::landmark_bounds::{Aims, Area, Bounds};
use crate::components::Components;
use crate::search::dijkstra::{self, Price};
use crate::search::memory::Memory;
use crate::search::steps::{Corners, Moves, Rule, with_rule};

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

/// The tables of one grid for one set of steps.
#[derive(Clone, Debug)]
pub(crate) struct Landmarks {
    moves: Moves,
    corners: Corners,
    grid: u64,
    version: u64,
    tables: Tables,
    places: Vec<usize>,
    /// For each landmark, the version of the grid for which its distances were found.
    made: [u64; LANES],
    /// Where cells became cheaper since the oldest of these, and what the landmarks know of all that is there.
    falls: Falls,
    areas: Vec<Area>,
    aims: Aims,
}

impl Landmarks {
    /// Finds landmarks for a grid and all their distances: O(cells log cells), once for each landmark and way.
    pub(crate) fn new(
        grid: &CostGrid,
        moves: Moves,
        corners: Corners,
        parts: &Components,
        memory: &mut Memory,
    ) -> Self {
        let mut landmarks = Self {
            moves,
            corners,
            grid: grid.id(),
            version: grid.version(),
            tables: Tables::new(grid, 0),
            places: Vec::new(),
            made: [grid.version(); LANES],
            falls: Falls::new(grid),
            areas: Vec::with_capacity(MOST_FALLS),
            aims: Aims::default(),
        };
        with_rule!(moves, corners, rule => landmarks.place(grid, rule, parts, memory));
        landmarks
    }

    /// Whether these are tables of that grid and these steps.
    pub(crate) fn are_for(&self, grid: &CostGrid, moves: Moves, corners: Corners) -> bool {
        let same = self.corners == corners || moves == Moves::Four;
        self.grid == grid.id() && self.moves == moves && same
    }

    /// Takes note of what changed; `false` if the grid no longer knows.
    ///
    /// What only became dearer changes no bound. Ways by places where cells became cheaper have bounds of their own, see
    /// [`Bounds`]. A cell that was opened is one that the landmarks know nothing of.
    pub(crate) fn follow(&mut self, grid: &CostGrid) -> bool {
        if self.version == grid.version() {
            return true;
        }
        let Some(changes) = grid.changes_since(self.version) else { return false };
        self.falls.note(grid, changes, |at| self.tables.mark(at));
        self.version = grid.version();
        self.look_around(grid);
        true
    }

    /// Finds what is known of the places where cells became cheaper.
    fn look_around(&mut self, grid: &CostGrid) {
        self.areas.clear();
        let (tables, count) = (&self.tables, self.places.len());
        self.areas.extend(self.falls.places().iter().map(|fall| Area::new(tables, count, grid, fall)));
    }

    /// Whether cells became cheaper since some of the tables were made.
    fn have_fallen(&self) -> bool {
        !self.areas.is_empty()
    }

    /// At most what a way costs from `start` to the goal of the bounds by a place in which something became cheaper
    /// after that version; 0 if some of these are forgotten.
    pub(crate) fn by_falls_since(
        &mut self,
        version: u64,
        grid: &CostGrid,
        start: usize,
        goal: usize,
        linear: Linear,
    ) -> u64 {
        if self.oldest() > version {
            return 0;
        }
        let bounds = self.towards(grid, goal, linear);
        let new = bounds.to_areas(start, grid.cell(start)).zip(bounds.past()).filter(|(_, past)| past.last() > version);
        new.map(|(to, past)| to + past.rest).min().unwrap_or(u64::MAX)
    }

    /// Finds the distances anew of the landmark whose are the oldest; `false` if all are as good as new.
    ///
    /// The tables are those of the grid as it is, see [`follow`](Self::follow).
    pub(crate) fn renew(&mut self, grid: &CostGrid, memory: &mut Memory) -> bool {
        let oldest = (0..self.places.len()).min_by_key(|&k| self.made[k]);
        let Some(k) = oldest.filter(|_| self.have_fallen()) else { return false };
        self.made[k] = grid.version();
        let place = self.places[k];
        if grid.stored()[place] != 0 {
            with_rule!(self.moves, self.corners, rule => self.write(grid, rule, k, memory));
        } else {
            // A landmark that was blocked has no distances; as they are all the same they bound nothing.
            self.tables.write(k, 0, |_| None);
        }
        self.falls.forget(self.oldest());
        self.look_around(grid);
        if !self.have_fallen() {
            self.tables.clear_marks();
        }
        true
    }

    /// The version of the grid for which the oldest distances were found.
    fn oldest(&self) -> u64 {
        self.made[..self.places.len()].iter().copied().min().unwrap_or(self.version)
    }

    /// The bounds on the way to the goal, which are never below the linear ones.
    pub(crate) fn towards<'a>(&'a mut self, grid: &'a CostGrid, goal: usize, linear: Linear) -> Bounds<'a> {
        Bounds::new((&self.tables, self.places.len()), &mut self.aims, &self.areas, grid, goal, linear)
    }

    /// Puts each landmark where it is farthest from those before it, in parts of some size.
    fn place<R: Rule>(&mut self, grid: &CostGrid, rule: R, parts: &Components, memory: &mut Memory) {
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
        for k in 0..LANES {
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
                    self.tables = Tables::new(grid, most);
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
        let distance = |at| nodes.is_seen(at).then(|| nodes.label(at) - nodes.zero());
        self.tables.write(k, grid.common_zeros(), distance);
    }
}

/// Finds the distances of a cell.
fn fill<R: Rule>(grid: &CostGrid, rule: R, place: usize, memory: &mut Memory) {
    let Memory { nodes, buckets, heap, .. } = memory;
    dijkstra::fill(nodes, buckets, heap, grid, place, rule, BothWays);
}
