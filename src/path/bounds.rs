//! The bounds of landmarks on the way to one goal, also where cells have become cheaper since.

use super::CostGrid;
use super::falls::{Fall, MOST_FALLS};
use super::heuristic::{Estimate, Linear};
use super::spots::{Places, Spot};
use crate::grid::Cell;

/// How many landmarks there are, at most.
pub(super) const COUNT: usize = 31;
/// The number in a row that tells whether the landmarks know nothing of the cell.
pub(super) const UNKNOWN: usize = COUNT;
/// The largest distance that a table holds.
pub(super) const MOST: i16 = i16::MAX;

/// What the landmarks know of one cell: a cache line.
///
/// The distance of each in steps of `2^shift` half units, rounded down; 0 where there is no way, and [`MOST`] for all
/// that are larger. The last number, [`UNKNOWN`], is not 0 where the cell was opened since.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [i16; COUNT + 1]);

/// What the landmarks know of all cells of a place: between which numbers theirs lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    fall: Fall,
    least: Row,
    most: Row,
    /// At most what entering the cheapest cell costs, and at least what entering the dearest does or did.
    cheapest: u32,
    dearest: u32,
}

impl Area {
    /// Larger places are not looked at; nothing is known of them.
    const MOST_CELLS: i64 = 1 << 10;

    pub(super) fn new(rows: &[Row], count: usize, grid: &CostGrid, fall: &Fall) -> Self {
        let mut area = Self {
            fall: *fall,
            least: Row([MOST; COUNT + 1]),
            most: Row([0; COUNT + 1]),
            cheapest: u32::MAX,
            dearest: fall.was,
        };
        let (least, most) = (fall.spot.least, fall.spot.most);
        let is_small = i64::from(most.x - least.x + 1) * i64::from(most.y - least.y + 1) <= Self::MOST_CELLS;
        let cells = (least.y..=most.y).flat_map(|y| (least.x..=most.x).map(move |x| Cell::new(x, y)));
        for cell in cells.filter(|&cell| is_small && grid.is_passable(cell)) {
            let at = grid.index(cell);
            area.cheapest = area.cheapest.min(grid.stored()[at]);
            area.dearest = area.dearest.max(grid.stored()[at]);
            if rows[at].0[UNKNOWN] == 0 {
                for k in 0..count {
                    area.least.0[k] = area.least.0[k].min(rows[at].0[k]);
                    area.most.0[k] = area.most.0[k].max(rows[at].0[k]);
                }
            }
        }
        if area.least.0[0] > area.most.0[0] || area.cheapest == u32::MAX {
            (area.least, area.most, area.cheapest) = (Row([0; COUNT + 1]), Row([MOST; COUNT + 1]), 0);
        }
        area
    }

    fn aim(&self, count: usize) -> Aim {
        Aim::new(&self.least, &self.most, count, self.cheapest)
    }
}

/// Where a way leads, as far as the landmarks know.
#[derive(Clone, Copy, Debug)]
struct Aim {
    /// The largest number there with what it may be off, and the smallest.
    above: Row,
    below: Row,
    /// At most what entering it costs.
    entry: u64,
}

impl Aim {
    /// What no cell's number is above or below bounds nothing.
    const ANYWHERE: Self = Self { above: Row([MOST; COUNT + 1]), below: Row([0; COUNT + 1]), entry: 0 };

    fn new(least: &Row, most: &Row, count: usize, entry: u32) -> Self {
        let mut aim = Self { entry: entry.into(), ..Self::ANYWHERE };
        for k in 0..count {
            // Of two distances either may have been rounded down. The largest number stands for all above it too.
            if most.0[k] != MOST {
                aim.above.0[k] = most.0[k] + 1;
                aim.below.0[k] = (least.0[k] - 1).max(0);
            }
        }
        aim
    }

    /// How far it is at least from cells whose numbers lie between these, in steps of the tables.
    #[inline(always)]
    fn distance(&self, least: &Row, most: &Row) -> u64 {
        // Eight at a time, as vector instructions do.
        let mut best = [0i16; 8];
        let cells = least.0.chunks_exact(8).zip(most.0.chunks_exact(8));
        let aims = self.above.0.chunks_exact(8).zip(self.below.0.chunks_exact(8));
        for ((least, most), (above, below)) in cells.zip(aims) {
            for lane in 0..8 {
                let farther = least[lane].saturating_sub(above[lane]);
                best[lane] = best[lane].max(farther).max(below[lane].saturating_sub(most[lane]));
            }
        }
        best.into_iter().fold(0, i16::max) as u64
    }
}

/// A place where something became cheaper, on the way to the goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    fall: Option<Fall>,
    aim: Aim,
    /// At most what the way costs from any of its cells to the goal.
    pub(super) rest: u64,
}

/// The bounds of all landmarks on the way to one goal, and the linear heuristic where that is better.
///
/// The tables bound what a way costs that takes no step that became cheaper since. Any other comes to such a place by steps
/// of which none did, and goes on from there to another one or to the goal. So the bound is the least of that to the
/// goal and, for each place, of that to the place and what it takes at least from there. Only ways near the place give
/// way by it.
pub(super) struct Bounds<'a> {
    rows: &'a [Row],
    areas: &'a [Area],
    stored: &'a [u32],
    goal: Aim,
    past: [Past; MOST_FALLS],
    places: Places,
    shift: u32,
    linear: Linear,
}

impl<'a> Bounds<'a> {
    /// For so many landmarks, whose numbers count in steps of `2^shift` half units.
    pub(super) fn new(
        (rows, count, shift): (&'a [Row], usize, u32),
        areas: &'a [Area],
        grid: &'a CostGrid,
        goal: usize,
        linear: Linear,
    ) -> Self {
        let (row, stored) = (&rows[goal], grid.stored());
        let aim = if row.0[UNKNOWN] == 0 { Aim::new(row, row, count, stored[goal]) } else { Aim::ANYWHERE };
        let past = [Past { fall: None, aim: Aim::ANYWHERE, rest: 0 }; MOST_FALLS];
        let mut bounds = Self { rows, areas, stored, goal: aim, past, places: Places::new(grid), shift, linear };
        let spot = Spot::of(grid.cell(goal));
        for (k, area) in areas.iter().enumerate() {
            let rest = bounds.between(area, &bounds.goal, spot);
            bounds.past[k] = Past { fall: Some(area.fall), aim: area.aim(count), rest };
        }
        // By way of other places; each round settles one at least.
        for _ in 1..areas.len() {
            for (k, area) in areas.iter().enumerate() {
                for (other, next) in areas.iter().enumerate().filter(|&(other, _)| other != k) {
                    let past = bounds.between(area, &bounds.past[other].aim, next.fall.spot) + bounds.past[other].rest;
                    bounds.past[k].rest = bounds.past[k].rest.min(past);
                }
            }
        }
        bounds
    }

    /// At most what a way costs from a place to an aim there.
    fn between(&self, from: &Area, to: &Aim, spot: Spot) -> u64 {
        let (columns, rows) = from.fall.spot.apart(spot);
        let distance = to.distance(&from.least, &from.most) << self.shift;
        ((distance + to.entry).saturating_sub(from.dearest.into()) / 2).max(self.linear.at(columns, rows))
    }

    /// At most what a way costs from a cell to an aim, by the tables alone.
    #[inline(always)]
    fn by_tables(&self, index: usize, aim: &Aim) -> u64 {
        let row = &self.rows[index];
        let distance = aim.distance(row, row) << self.shift;
        (distance + aim.entry).saturating_sub(u64::from(self.stored[index])) / 2
    }

    /// What a cell knows of the way to the goal by a place, where that is less than `least`.
    #[inline(always)]
    fn by_past(&self, index: usize, cell: Cell, past: &Past, fall: &Fall, least: u64) -> u64 {
        let (columns, rows) = fall.spot.apart(Spot::of(cell));
        let linear = self.linear.at(columns, rows);
        if linear + past.rest >= least {
            return least;
        }
        least.min(linear.max(self.by_tables(index, &past.aim)) + past.rest)
    }

    /// At most what a way costs from a cell to each of the places.
    pub(super) fn to_areas(&self, index: usize) -> impl Iterator<Item = u64> {
        let start = Spot::of(self.places.cell(index));
        let count = self.areas.len();
        let mut all = [0; MOST_FALLS];
        for (to, (area, past)) in all.iter_mut().zip(self.areas.iter().zip(&self.past)) {
            let (columns, rows) = area.fall.spot.apart(start);
            let by_tables = if self.rows[index].0[UNKNOWN] == 0 { self.by_tables(index, &past.aim) } else { 0 };
            *to = self.linear.at(columns, rows).max(by_tables);
        }
        for _ in 1..count {
            for (k, area) in self.areas.iter().enumerate() {
                for (other, before) in self.areas.iter().enumerate().filter(|&(other, _)| other != k) {
                    all[k] = all[k].min(all[other] + self.between(before, &self.past[k].aim, area.fall.spot));
                }
            }
        }
        all.into_iter().take(count)
    }

    pub(super) fn past(&self) -> &[Past] {
        &self.past[..self.areas.len()]
    }

    /// No bound is above this.
    pub(super) fn most(&self, columns: u32, rows: u32) -> u64 {
        (((MOST as u64) << self.shift) + self.goal.entry).max(self.linear.at(columns, rows))
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
        if self.rows[index].0[UNKNOWN] != 0 {
            return linear;
        }
        let mut least = self.by_tables(index, &self.goal).max(linear);
        if !self.areas.is_empty() {
            let cell = self.places.cell(index);
            for past in self.past() {
                if let Some(fall) = &past.fall {
                    least = self.by_past(index, cell, past, fall, least);
                }
            }
        }
        least
    }
}
