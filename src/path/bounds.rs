//! The bounds of landmarks on the way to one goal.

use super::CostGrid;
use super::heuristic::{Estimate, Linear};
use super::tables::{FAR, LANES, MOST, Row, Tables, WIDTH};
use crate::grid::Cell;

/// What the search for one goal needs to know of each block that it comes to, found when it comes there first.
#[derive(Clone, Debug, Default)]
pub(super) struct Aims {
    aims: Vec<Aim>,
    /// The number of the search.
    now: u32,
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
        self.now = self.now.wrapping_add(1);
        if self.now == 0 || self.aims.len() != blocks {
            let unknown = Aim { above: [MOST; WIDTH], below: [0; WIDTH], sure: 0, shift: 0, search: 0 };
            self.aims.clear();
            self.aims.resize(blocks, unknown);
            self.now = 1;
        }
    }
}

/// The bounds of all landmarks on the way to one goal, and the linear heuristic where that is better.
pub(super) struct Bounds<'a> {
    tables: &'a Tables,
    aims: &'a mut Aims,
    stored: &'a [u32],
    /// Distances of the goal with what the bounds give way: how much farther a cell must be to tell anything, and how
    /// much nearer.
    farther: [i32; LANES],
    nearer: [i32; LANES],
    /// The entry cost of the goal.
    goal: u64,
    linear: Linear,
}

impl<'a> Bounds<'a> {
    /// `slack` tells by how many half units the bounds of each landmark give way.
    pub(super) fn new(
        tables: &'a Tables,
        aims: &'a mut Aims,
        slack: &[u64],
        grid: &'a CostGrid,
        goal: usize,
        linear: Linear,
    ) -> Self {
        aims.begin(tables.blocks());
        let (mut farther, mut nearer) = ([FAR; LANES], [-FAR; LANES]);
        for (lane, &slack) in slack.iter().enumerate() {
            let whole = slack.div_ceil(1 << tables.unit);
            let slack = i32::try_from(whole).unwrap_or(FAR).min(FAR / 2) + tables.fuzz(lane);
            if let Some((least, most)) = tables.distance(goal, lane)
                && slack < FAR / 2
            {
                (farther[lane], nearer[lane]) = (most + slack, least - slack);
            }
        }
        let stored = grid.stored();
        Self { tables, aims, stored, farther, nearer, goal: u64::from(stored[goal]), linear }
    }

    /// No bound is above this.
    pub(super) fn most(&self, columns: u32, rows: u32) -> u64 {
        ((1 << (32 + self.tables.unit)) + self.goal).max(self.linear.at(columns, rows))
    }

    #[cold]
    #[inline(never)]
    fn aim(&mut self, number: usize) {
        let block = self.tables.block(number);
        let (shift, rest) = (block.shift, block.rest);
        let (least, most, farther, nearer) = (&block.least, &block.most, &self.farther, &self.nearer);
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
        let row = self.tables.row(index);
        if row[LANES] != 0 {
            return linear;
        }
        // The border is one cell wide.
        let number = self.tables.block_at(cell.x as usize + 1, cell.y as usize + 1);
        if self.aims.aims[number].search != self.aims.now {
            self.aim(number);
        }
        let aim = &self.aims.aims[number];
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
        ((distance + self.goal).saturating_sub(u64::from(self.stored[index])) / 2).max(linear)
    }
}
