//! The bounds of landmarks on the way to one goal, also where cells have become cheaper since.

use crate::CostGrid;
use crate::bounds::cheap_regions::Spot;
use crate::bounds::cost_decreases::{Fall, MOST_FALLS};
use crate::bounds::distance_tables::{FAR, LANES, MOST, Row, Tables, WIDTH};
use crate::bounds::heuristic::{Estimate, Linear};
use crate::grid::Cell;

/// A distance for each landmark, in units of the tables.
type Distances = [i32; LANES];

/// What the landmarks know of all cells of a place: between which numbers their distances lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    fall: Fall,
    least: Distances,
    most: Distances,
    /// At most what entering the cheapest cell costs, and at least what entering the dearest does or did.
    cheapest: u32,
    dearest: u32,
}

impl Area {
    /// Larger places are not looked at; nothing is known of them.
    const MOST_CELLS: i64 = 1 << 10;

    pub(crate) fn new(tables: &Tables, count: usize, grid: &CostGrid, fall: &Fall) -> Self {
        let mut area =
            Self { fall: *fall, least: [FAR; LANES], most: [-1; LANES], cheapest: u32::MAX, dearest: fall.was };
        let (least, most) = (fall.spot.least, fall.spot.most);
        let is_small = i64::from(most.x - least.x + 1) * i64::from(most.y - least.y + 1) <= Self::MOST_CELLS;
        let cells = (least.y..=most.y).flat_map(|y| (least.x..=most.x).map(move |x| Cell::new(x, y)));
        for cell in cells.filter(|&cell| is_small && grid.is_passable(cell)) {
            let at = grid.index(cell);
            area.cheapest = area.cheapest.min(grid.stored()[at]);
            area.dearest = area.dearest.max(grid.stored()[at]);
            for lane in 0..if tables.is_marked(at) { 0 } else { count } {
                let (least, most) = tables.distance(at, lane).unwrap_or((0, FAR));
                area.least[lane] = area.least[lane].min(least);
                area.most[lane] = area.most[lane].max(most);
            }
        }
        if area.most[0] < 0 || area.cheapest == u32::MAX {
            (area.least, area.most, area.cheapest) = ([0; LANES], [FAR; LANES], 0);
        }
        area.cheapest = area.cheapest.min(fall.least);
        area
    }

    fn target(&self, tables: &Tables, count: usize) -> Target {
        Target::new(tables, count, self.cheapest, |lane| Some((self.least[lane], self.most[lane])))
    }
}

/// Where a way leads, as far as the landmarks know.
#[derive(Clone, Copy, Debug)]
struct Target {
    /// How much farther from a landmark a cell must be than this to tell anything, or how much nearer.
    farther: Distances,
    nearer: Distances,
    /// At most what entering it costs.
    entry: u64,
}

impl Target {
    /// No cell's distance is above or below that.
    const ANYWHERE: Self = Self { farther: [FAR; LANES], nearer: [-FAR; LANES], entry: 0 };

    /// For so many landmarks, by the least and the largest distance from each.
    fn new(tables: &Tables, count: usize, entry: u32, distance: impl Fn(usize) -> Option<(i32, i32)>) -> Self {
        let mut target = Self { entry: entry.into(), ..Self::ANYWHERE };
        for lane in 0..count {
            if let Some((least, most)) = distance(lane).filter(|&(_, most)| most < FAR) {
                target.farther[lane] = most + tables.fuzz(lane);
                target.nearer[lane] = least - tables.fuzz(lane);
            }
        }
        target
    }

    /// How far it is at least from cells whose distances lie between these.
    #[inline(always)]
    fn distance(&self, least: &Distances, most: &Distances) -> u64 {
        let mut best = 0;
        for lane in 0..LANES {
            best = best.max(least[lane] - self.farther[lane]).max(self.nearer[lane] - most[lane]);
        }
        best as u64
    }
}

/// What the search for one goal needs to know of each block that it comes to, found when it comes there first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aims {
    aims: Vec<Aim>,
    /// The number of the search.
    now: u32,
    /// The places that became cheaper, on the way to its goal.
    past: Vec<Past>,
}

/// For the cells of one block, in the block's steps.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Aim {
    /// No landmark's bound is above `sure`, plus how far the cell's number is above these or below those.
    above: Row,
    below: Row,
    /// A bound for every cell, in units of the tables.
    sure: i32,
    shift: u32,
    /// The search for which this was found.
    search: u32,
}

impl Aims {
    /// Forgets all, for a search that comes to no more blocks than that.
    fn begin(&mut self, blocks: usize) {
        self.past.clear();
        self.past.reserve(MOST_FALLS);
        self.now = self.now.wrapping_add(1);
        if self.now == 0 || self.aims.len() != blocks {
            let unknown = Aim { above: [MOST; WIDTH], below: [0; WIDTH], sure: 0, shift: 0, search: 0 };
            self.aims.clear();
            self.aims.resize(blocks, unknown);
            self.now = 1;
        }
    }
}

/// A place where something became cheaper, on the way to the goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    fall: Fall,
    target: Target,
    /// At most what the way costs from any of its cells to the goal.
    pub(crate) rest: u64,
}

impl Past {
    /// The version of the grid after the last change there.
    pub(crate) fn last(&self) -> u64 {
        self.fall.last
    }
}

/// The bounds of all landmarks on the way to one goal, and the linear heuristic where that is better.
///
/// The tables bound what a way costs that takes no step that became cheaper since. Any other comes to such a place by steps
/// of which none did, and goes on from there to another one or to the goal. So the bound is the least of that to the
/// goal and, for each place, of that to the place and what it takes at least from there. Only ways near the place give
/// way by it.
pub(crate) struct Bounds<'a> {
    tables: &'a Tables,
    aims: &'a mut Aims,
    areas: &'a [Area],
    stored: &'a [u32],
    goal: Target,
    linear: Linear,
}

impl<'a> Bounds<'a> {
    /// For so many landmarks.
    pub(crate) fn new(
        (tables, count): (&'a Tables, usize),
        aims: &'a mut Aims,
        areas: &'a [Area],
        grid: &'a CostGrid,
        goal: usize,
        linear: Linear,
    ) -> Self {
        aims.begin(tables.blocks());
        let stored = grid.stored();
        let known = |lane| tables.distance(goal, lane).filter(|_| !tables.is_marked(goal));
        let target = Target::new(tables, count, stored[goal], known);
        let bounds = Self { tables, aims, areas, stored, goal: target, linear };
        let spot = Spot::of(grid.cell(goal));
        for area in areas {
            let rest = bounds.between(area, &bounds.goal, spot);
            bounds.aims.past.push(Past { fall: area.fall, target: area.target(tables, count), rest });
        }
        // By way of other places; each round settles one at least.
        for _ in 1..areas.len() {
            for (k, area) in areas.iter().enumerate() {
                for (other, next) in areas.iter().enumerate().filter(|&(other, _)| other != k) {
                    let Past { target, rest, .. } = &bounds.aims.past[other];
                    let past = bounds.between(area, target, next.fall.spot) + rest;
                    bounds.aims.past[k].rest = bounds.aims.past[k].rest.min(past);
                }
            }
        }
        bounds
    }

    /// At most what a way costs from a place to a target there.
    fn between(&self, from: &Area, to: &Target, spot: Spot) -> u64 {
        let (columns, rows) = from.fall.spot.apart(spot);
        let distance = to.distance(&from.least, &from.most) << self.tables.unit;
        ((distance + to.entry).saturating_sub(from.dearest.into()) / 2).max(self.linear.at(columns, rows))
    }

    /// At most what a way costs from a cell to a target, by the tables alone.
    fn by_tables(&self, index: usize, target: &Target) -> u64 {
        let (least, most) = self.tables.distances(index);
        let distance = target.distance(&least, &most) << self.tables.unit;
        (distance + target.entry).saturating_sub(u64::from(self.stored[index])) / 2
    }

    /// What a cell knows of the way to the goal by a place, where that is less than `least`.
    fn by_past(&self, index: usize, cell: Cell, past: &Past, least: u64) -> u64 {
        let (columns, rows) = past.fall.spot.apart(Spot::of(cell));
        let linear = self.linear.at(columns, rows);
        if linear + past.rest >= least {
            return least;
        }
        least.min(linear.max(self.by_tables(index, &past.target)) + past.rest)
    }

    /// At most what a way costs from that cell with that index to each of the places.
    pub(crate) fn to_areas(&self, index: usize, cell: Cell) -> impl Iterator<Item = u64> {
        let start = Spot::of(cell);
        let count = self.areas.len();
        let mut all = [0; MOST_FALLS];
        for (to, (area, past)) in all.iter_mut().zip(self.areas.iter().zip(&self.aims.past)) {
            let (columns, rows) = area.fall.spot.apart(start);
            let by_tables = if self.tables.is_marked(index) { 0 } else { self.by_tables(index, &past.target) };
            *to = self.linear.at(columns, rows).max(by_tables);
        }
        for _ in 1..count {
            for (k, area) in self.areas.iter().enumerate() {
                for (other, before) in self.areas.iter().enumerate().filter(|&(other, _)| other != k) {
                    all[k] = all[k].min(all[other] + self.between(before, &self.aims.past[k].target, area.fall.spot));
                }
            }
        }
        all.into_iter().take(count)
    }

    pub(crate) fn past(&self) -> &[Past] {
        &self.aims.past
    }

    /// No bound is above this.
    pub(crate) fn most(&self, columns: u32, rows: u32) -> u64 {
        ((1 << (32 + self.tables.unit)) + self.goal.entry).max(self.linear.at(columns, rows))
    }

    /// Finds what a block's numbers tell of the way to the goal.
    #[cold]
    #[inline(never)]
    fn aim(&mut self, number: usize) {
        let block = self.tables.block(number);
        let (shift, rest) = (block.shift, block.rest);
        let (least, most, farther, nearer) = (&block.least, &block.most, &self.goal.farther, &self.goal.nearer);
        let mut sure = 0;
        for lane in 0..LANES {
            sure = sure.max(least[lane] - farther[lane]).max(nearer[lane] - most[lane] - rest);
        }
        let aim = &mut self.aims.aims[number];
        (aim.sure, aim.shift, aim.search) = (sure, shift, self.aims.now);
        for lane in 0..LANES {
            let above = (farther[lane] - least[lane] + sure + (1 << shift) - 1) >> shift;
            let below = (nearer[lane] - least[lane] - rest - sure) >> shift;
            aim.above[lane] = above.min(i32::from(MOST)) as u16;
            aim.below[lane] = below.clamp(0, i32::from(MOST)) as u16;
        }
    }
}

impl Estimate for Bounds<'_> {
    #[inline(always)]
    fn at(&self, columns: u32, rows: u32) -> u64 {
        self.linear.at(columns, rows)
    }

    #[inline(always)]
    fn of(&mut self, index: usize, cell: Cell, columns: u32, rows: u32) -> u64 {
        let linear = self.linear.at(columns, rows);
        if self.tables.is_marked(index) {
            return linear;
        }
        // The border is one cell wide.
        let number = self.tables.block_at(cell.x as usize + 1, cell.y as usize + 1);
        if self.aims.aims[number].search != self.aims.now {
            self.aim(number);
        }
        let (row, aim) = (self.tables.row(index), &self.aims.aims[number]);
        // Eight at a time, as vector instructions do; the last eight overlap.
        let mut best = [0u16; 8];
        for from in [0, 8, 16, WIDTH - 8] {
            let part = |row: &Row| -> [u16; 8] { row[from..from + 8].try_into().expect("eight") };
            let (row, above, below) = (part(row), part(&aim.above), part(&aim.below));
            for lane in 0..8 {
                let farther = row[lane].saturating_sub(above[lane]);
                best[lane] = best[lane].max(farther).max(below[lane].saturating_sub(row[lane]));
            }
        }
        let best = i32::from(best.into_iter().fold(0, u16::max));
        let distance = ((aim.sure + (best << aim.shift)) as u64) << self.tables.unit;
        let by_tables = (distance + self.goal.entry).saturating_sub(u64::from(self.stored[index])) / 2;
        let mut least = by_tables.max(linear);
        for past in &self.aims.past {
            least = self.by_past(index, cell, past, least);
        }
        least
    }
}
