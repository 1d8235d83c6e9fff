//! How much cheaper a way can be after changes of the grid than before.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cost::Change;
use super::steps::{ALL_AROUND, Rule, for_each_step};
use super::{CostGrid, EntryCost};
use crate::grid::{Cell, Size};

/// How far beyond the cells that became cheaper a way around them is looked for, one after the other.
const MARGINS: [i32; 3] = [2, 8, 24];
/// No box larger than this is looked at.
const MOST_CELLS: usize = 1 << 14;
/// Cells that became cheaper belong together up to this distance, so that no cell is a neighbour of two groups.
const APART: i32 = 3;
/// So many groups of cells are looked at each for itself.
const MOST_GROUPS: usize = 64;
/// As many as a grid remembers.
const CHANGES: usize = 4096;

/// Bounds what a change of the grid can save any way, from what changed alone.
///
/// Let `C` be a group of cells that became cheaper or were opened. A way that is cheaper now than all were before takes
/// a step that is new or cheaper: into a cell of `C`, or past an opened one. Let `p` be the cell before its first such
/// step and `q` that after its last, so that both are of `C` or neighbours of it. Before, there was the same way but
/// from `p` to `q` as was the cheapest then. So no way saves more than the dearest such detour cost, and none more than
/// all the cells of `C` together, as the cheapest way enters none twice. Of several groups each saves its own.
#[derive(Clone, Debug)]
pub(super) struct Savings {
    /// The index of each cell that changed, in order, and what it cost before.
    changed: Vec<(u32, u32)>,
    groups: Vec<Group>,
    /// The cells of a box as they were before, with a border, and what is known of them.
    stored: Vec<u32>,
    costs: Vec<u64>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

/// Cells that became cheaper, by the box around them.
#[derive(Clone, Copy, Debug)]
struct Group {
    least: Cell,
    most: Cell,
    cells: usize,
    /// The sum of what the cells save; `None` if one was opened.
    sum: Option<u64>,
}

impl Group {
    /// Whether the two are so near that a step could touch both.
    fn is_near(&self, other: &Self) -> bool {
        let apart = |least: i32, most: i32| least - most > APART;
        !(apart(self.least.x, other.most.x)
            || apart(other.least.x, self.most.x)
            || apart(self.least.y, other.most.y)
            || apart(other.least.y, self.most.y))
    }

    fn with(&self, other: &Self) -> Self {
        Self {
            least: Cell::new(self.least.x.min(other.least.x), self.least.y.min(other.least.y)),
            most: Cell::new(self.most.x.max(other.most.x), self.most.y.max(other.most.y)),
            cells: self.cells + other.cells,
            sum: self.sum.zip(other.sum).map(|(one, other)| one + other),
        }
    }
}

impl Savings {
    pub(super) fn new() -> Self {
        let border = 2 * MOST_CELLS;
        Self {
            changed: Vec::with_capacity(CHANGES),
            groups: Vec::with_capacity(MOST_GROUPS),
            stored: Vec::with_capacity(border),
            costs: Vec::with_capacity(border),
            heap: BinaryHeap::with_capacity(8 * MOST_CELLS),
        }
    }

    /// Notes what changed.
    pub(super) fn collect(&mut self, grid: &CostGrid, changes: impl Iterator<Item = Change>) {
        self.changed.clear();
        let units = |cost: Option<EntryCost>| cost.map_or(0, EntryCost::units);
        self.changed.extend(changes.map(|change| (grid.index(change.cell) as u32, units(change.was))));
        // Of the changes of one cell the oldest tells what was there; insertion sort by halves keeps their order, but
        // a stable sort of the standard library allocates.
        for k in 1..self.changed.len() {
            let entry = self.changed[k];
            let place = self.changed[..k].partition_point(|&(at, _)| at <= entry.0);
            self.changed[place..=k].rotate_right(1);
        }
        self.changed.dedup_by_key(|&mut (at, _)| at);
        self.changed.retain(|&(at, was)| grid.stored()[at as usize] != was);
    }

    /// The cells that were blocked and no longer are.
    pub(super) fn opened(&self, grid: &CostGrid) -> impl Iterator<Item = usize> {
        let cells = self.changed.iter().map(|&(at, was)| (at as usize, was));
        cells.filter(|&(at, was)| was == 0 && grid.stored()[at] != 0).map(|(at, _)| at)
    }

    /// The most that the entry cost of a cell fell that was open before and still is, in units.
    pub(super) fn largest_fall(&self, grid: &CostGrid) -> u64 {
        let falls = self.changed.iter().map(|&(at, was)| match grid.stored()[at as usize] {
            0 => 0,
            is => was.saturating_sub(is),
        });
        u64::from(falls.max().unwrap_or(0))
    }

    /// The most that any way between two cells that were open before can have become cheaper; `None` if that is not
    /// found out quickly.
    pub(super) fn most<R: Rule>(&mut self, grid: &CostGrid, rule: R) -> Option<u64> {
        self.group(grid)?;
        let mut all = 0u64;
        for k in 0..self.groups.len() {
            let group = self.groups[k];
            let detour = if group.cells == 1 && group.sum.is_some() {
                None
            } else {
                MARGINS.into_iter().find_map(|margin| self.detour(grid, group, margin, rule))
            };
            all += group.sum.into_iter().chain(detour).min()?;
        }
        Some(all)
    }

    /// Finds the groups; `None` if there are too many.
    fn group(&mut self, grid: &CostGrid) -> Option<()> {
        self.groups.clear();
        for &(at, was) in &self.changed {
            let is = grid.stored()[at as usize];
            if is == 0 || was != 0 && is > was {
                continue;
            }
            let saved = (was != 0).then(|| u64::from(grid.diagonal().of(was)) - u64::from(grid.diagonal().of(is)));
            let cell = grid.cell(at as usize);
            let mut group = Group { least: cell, most: cell, cells: 1, sum: saved };
            // What was apart before may be joined by this cell.
            while let Some(k) = self.groups.iter().position(|other| other.is_near(&group)) {
                group = group.with(&self.groups.swap_remove(k));
            }
            if self.groups.len() == MOST_GROUPS {
                return None;
            }
            self.groups.push(group);
        }
        Some(())
    }

    /// The most that a way between two cells in or around the group cost before, inside a box with that margin; `None`
    /// if there was none between some, or the box is too large.
    fn detour<R: Rule>(&mut self, grid: &CostGrid, group: Group, margin: i32, rule: R) -> Option<u64> {
        let Size { width, height } = grid.size();
        let west = (group.least.x - margin).max(0);
        let north = (group.least.y - margin).max(0);
        let east = (group.most.x + margin).min(width as i32 - 1);
        let south = (group.most.y + margin).min(height as i32 - 1);
        let (columns, rows) = ((east - west + 1) as usize, (south - north + 1) as usize);
        if columns * rows > MOST_CELLS {
            return None;
        }
        let stride = columns + 1;
        self.stored.clear();
        self.stored.resize(stride * (rows + 2) + 1, 0);
        let place = |cell: Cell| (cell.y - north + 1) as usize * stride + (cell.x - west + 1) as usize;
        for y in north..=south {
            let from = grid.index(Cell::new(west, y));
            let to = place(Cell::new(west, y));
            self.stored[to..to + columns].copy_from_slice(&grid.stored()[from..from + columns]);
        }
        for &(at, was) in &self.changed {
            let cell = grid.cell(at as usize);
            if (west..=east).contains(&cell.x) && (north..=south).contains(&cell.y) {
                self.stored[place(cell)] = was;
            }
        }
        // The cells in and around the group: those of its box with a margin of one.
        let (least, most) = (group.least, group.most);
        let (top, bottom) = ((least.y - 1).max(north), (most.y + 1).min(south));
        let (left, right) = ((least.x - 1).max(west), (most.x + 1).min(east));
        let ends = || (top..=bottom).flat_map(move |y| (left..=right).map(move |x| place(Cell::new(x, y))));
        let count = ends().filter(|&at| self.stored[at] != 0).count();
        let Some(hub) = ends().filter(|&at| self.stored[at] != 0).nth(count / 2) else { return Some(0) };
        // Any two are joined by way of the hub.
        let farthest = |costs: &[u64]| ends().filter(|&at| self.stored[at] != 0).map(|at| costs[at]).max();
        let mut all = 0;
        for forward in [false, true] {
            flood(&self.stored, &mut self.costs, &mut self.heap, hub, stride, grid, rule, forward);
            all += farthest(&self.costs).filter(|&cost| cost < u64::MAX)?;
        }
        Some(all)
    }
}

/// Finds the costs from the hub to every cell of a box, or back; `u64::MAX` where there is no way.
#[expect(clippy::too_many_arguments, reason = "two places call it, each with parts of a larger thing")]
fn flood<R: Rule>(
    stored: &[u32],
    costs: &mut Vec<u64>,
    heap: &mut BinaryHeap<Reverse<(u64, u32)>>,
    hub: usize,
    stride: usize,
    grid: &CostGrid,
    rule: R,
    forward: bool,
) {
    costs.clear();
    costs.resize(stored.len(), u64::MAX);
    costs[hub] = 0;
    heap.clear();
    heap.push(Reverse((0, hub as u32)));
    while let Some(Reverse((cost, at))) = heap.pop() {
        let at = at as usize;
        if cost > costs[at] {
            continue;
        }
        let here = stored[at];
        for_each_step(rule, stored, stride, at, ALL_AROUND, |there, by, units| {
            let entered = if forward { units } else { here };
            let step = if by.is_diagonal() { grid.diagonal().of(entered) } else { entered };
            let cost = cost + u64::from(step);
            if cost < costs[there] {
                costs[there] = cost;
                heap.push(Reverse((cost, there as u32)));
            }
        });
    }
}
