//! Connected components: which cells can reach each other at all.

mod ring;
mod union_find;

use std::collections::VecDeque;

use self::union_find::UnionFind;
use crate::cost::cost_grid::{capacity_bytes, max_array_len};
use crate::grid::{Cell, Direction};
use crate::{Corners, CostGrid, MAX_SIDE, Moves, StepRules};

/// How many labels edits may use up before all cells are labelled again; fewer on a grid of fewer cells.
const MAX_LABELS_FOR_EDITS: usize = 1 << 14;

/// The connected components of a cost grid, kept up to date as the grid changes.
///
/// There are two kinds of components, whatever the step rules. With eight moves and [`Corners::Always`], cells are
/// connected by their sides and corners. With all other rules they are connected by their sides only: a diagonal step
/// then needs a passable cell beside it, and two straight steps through that cell lead to the same place. Every step
/// has a reverse, so connections are symmetric, although costs are not.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{Components, CostGrid, Diagonal, EntryCost, StepRules};
/// let mut grid = CostGrid::from_fn(Size::new(3, 1), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
/// let (west, middle, east) = (Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0));
/// let mut components = Components::new(StepRules::default());
/// components.update(&grid);
/// assert!(components.are_connected(&grid, west, east));
/// grid.set(middle, None);
/// components.update(&grid);
/// assert!(!components.are_connected(&grid, west, east));
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Components {
    by_corners: bool,
    /// The label of each cell, by the grid's index; 0 where blocked. A component can have several labels.
    labels: Vec<u32>,
    /// The sets of labels that belong to one component.
    sets: UnionFind,
    grid: u64,
    version: u64,
    floods: [VecDeque<u32>; 4],
}

impl Components {
    /// Creates components for these rules. They connect no cells before the first [`update`](Self::update).
    pub fn new(rules: StepRules) -> Self {
        Self {
            by_corners: Self::are_joined_by_corners(rules),
            labels: Vec::new(),
            sets: UnionFind::default(),
            grid: 0,
            version: 0,
            floods: Default::default(),
        }
    }

    /// Whether these rules connect cells by their corners too.
    pub(crate) fn are_joined_by_corners(rules: StepRules) -> bool {
        rules.moves == Moves::Eight && rules.corners == Corners::Always
    }

    /// Catches up with the grid as it is now.
    ///
    /// Cells whose cost changed take no work. A cell that became passable takes O(1), and so does a cell that was
    /// blocked, unless it may have split its component. In that case cells are flooded from all of its sides in turn,
    /// until the floods meet or all but one are exhausted. All cells are labelled again, in O(cells), if the floods
    /// take longer than that, for another grid than before, and after more changes than the grid remembers.
    pub fn update(&mut self, grid: &CostGrid) {
        if (self.grid, self.version) == (grid.id(), grid.version()) {
            return;
        }
        // An edit uses up to four labels.
        let has_labels_for = |changes: u64| changes.saturating_mul(4) <= self.sets.spare() as u64;
        let can_follow = self.grid == grid.id() && has_labels_for(grid.version().saturating_sub(self.version));
        if !(can_follow && self.apply_changes(grid)) {
            self.label_all(grid);
        }
        (self.grid, self.version) = (grid.id(), grid.version());
    }

    /// Applies the changes of the grid since the last update; returns `false` if labelling all cells is less work.
    fn apply_changes(&mut self, grid: &CostGrid) -> bool {
        let Some(mut changes) = grid.changes_since(self.version) else { return false };
        changes.all(|change| {
            let at = grid.index(change.cell);
            match (self.labels[at] != 0, grid.entry_units()[at] != 0) {
                (false, true) => self.unblock(at, grid.stride()),
                (true, false) => return self.block(at, grid.stride()),
                _ => {}
            }
            true
        })
    }

    /// Whether there is a route from one cell to the other, on the grid as [`update`](Self::update) saw it last;
    /// `false` for another grid and for cells off the grid. O(1), or O(log edits) after edits.
    pub fn are_connected(&self, grid: &CostGrid, one: Cell, other: Cell) -> bool {
        if self.grid != grid.id() || !grid.size().contains(one) || !grid.size().contains(other) {
            return false;
        }
        let [one, other] = [one, other].map(|cell| self.labels[grid.index(cell)]);
        one != 0 && other != 0 && self.sets.find(one) == self.sets.find(other)
    }

    /// Returns the component of the cell with that index, as a number below [`numbers`](Self::numbers); `None` if the
    /// cell is blocked.
    pub(crate) fn number(&self, at: usize) -> Option<usize> {
        let label = self.labels[at];
        (label != 0).then(|| self.sets.find(label) as usize)
    }

    /// Returns a number above the [`number`](Self::number) of every component.
    pub(crate) fn numbers(&self) -> usize {
        self.sets.len()
    }

    /// Allocates memory for any grid of that many cells.
    pub(crate) fn reserve(&mut self, cells: usize) {
        let len = max_array_len(cells);
        self.labels.reserve_exact(len.saturating_sub(self.labels.len()));
        // At most every other cell begins a run, and so do one cell of each row and column, and those of the border.
        self.sets.reserve(len / 2 + 3 * (MAX_SIDE as usize + 1) + MAX_LABELS_FOR_EDITS);
        for flood in &mut self.floods {
            flood.reserve_exact((8 * (MAX_SIDE as usize + 2)).saturating_sub(flood.len()));
        }
    }

    /// Returns how many bytes the containers hold.
    pub(crate) fn bytes(&self) -> usize {
        let floods: usize = self.floods.iter().map(|flood| flood.capacity() * size_of::<u32>()).sum();
        capacity_bytes(&self.labels) + self.sets.bytes() + floods
    }

    /// Labels all cells; each run of passable cells in a row gets one label.
    fn label_all(&mut self, grid: &CostGrid) {
        let (entry_units, stride) = (grid.entry_units(), grid.stride());
        self.labels.clear();
        self.labels.resize(entry_units.len(), 0);
        // A row has at most as many runs as every other of its cells.
        let (rows, runs) = (entry_units.len() / stride, stride / 2 + 1);
        self.sets.begin(rows * runs + entry_units.len().min(MAX_LABELS_FOR_EDITS));
        // By corners, a run also touches one more cell at either end in the row above.
        let reach = usize::from(self.by_corners);
        for row in (stride..entry_units.len() - stride).step_by(stride) {
            let mut at = row + 1;
            while let Some(start) = entry_units[at..row + stride].iter().position(|&units| units != 0) {
                let start = at + start;
                let len = entry_units[start..].iter().position(|&units| units == 0).expect("the border is blocked");
                let label = self.sets.add();
                self.labels[start..start + len].fill(label);
                let mut last = 0;
                for above in start - stride - reach..start - stride + len + reach {
                    let label_above = self.labels[above];
                    if label_above != last && label_above != 0 {
                        self.sets.union(label_above, label);
                    }
                    last = label_above;
                }
                at = start + len;
            }
        }
        self.sets.flatten();
        for flood in &mut self.floods {
            flood.reserve(4 * (stride + rows));
        }
    }

    /// Iterates over the offsets of the neighbours that a cell is connected to if they are passable.
    fn neighbours(&self, stride: usize) -> impl Iterator<Item = isize> + use<> {
        let directions = if self.by_corners { &Direction::ALL[..] } else { &Direction::SIDES[..] };
        directions.iter().map(move |&direction| offset(direction, stride))
    }

    /// Labels a cell that has become passable, and unites the components around it.
    fn unblock(&mut self, at: usize, stride: usize) {
        let mut label = 0;
        for offset in self.neighbours(stride) {
            let neighbour = self.labels[at.wrapping_add_signed(offset)];
            if neighbour != 0 {
                if label == 0 {
                    label = self.sets.find(neighbour);
                } else {
                    self.sets.union(label, neighbour);
                }
            }
        }
        self.labels[at] = if label == 0 { self.sets.add() } else { label };
    }

    /// Removes a cell that has become blocked from its component, and splits that if nothing else connects the cells
    /// around it. Returns `false` if finding out takes too long.
    fn block(&mut self, at: usize, stride: usize) -> bool {
        self.labels[at] = 0;
        let mut seeds = [0; 4];
        let mut count = 0;
        let is_passable = |direction: Direction| self.labels[at.wrapping_add_signed(offset(direction, stride))] != 0;
        let around = Direction::ALL.map(is_passable);
        for seed in ring::groups(around, self.by_corners) {
            seeds[count] = at.wrapping_add_signed(offset(seed, stride));
            count += 1;
        }
        count < 2 || self.flood(&seeds[..count], stride)
    }

    /// Floods cells from each of the seeds, which were in one component, with a new label each, one cell of each flood
    /// at a time. Floods that meet are one component. A flood that is exhausted before is a component of its own, and
    /// the last one keeps the old component. Returns `false`, with labels of no use, if that takes too long.
    fn flood(&mut self, seeds: &[usize], stride: usize) -> bool {
        // A cell takes about twenty times as long here as when all cells are labelled.
        let mut cells_left = self.labels.len() / 32 + 64;
        let old = self.sets.find(self.labels[seeds[0]]);
        let mut labels = [0; 4];
        let labels = &mut labels[..seeds.len()];
        let mut floods = std::mem::take(&mut self.floods);
        for ((label, flood), &seed) in labels.iter_mut().zip(&mut floods).zip(seeds) {
            *label = self.sets.add();
            self.labels[seed] = *label;
            flood.clear();
            flood.push_back(seed as u32);
        }
        let mut turn = 0;
        let last = loop {
            let mut spreading = (0..labels.len()).filter(|&k| !floods[k].is_empty());
            let Some(first) = spreading.next() else { break Some(labels[turn]) };
            let component = self.sets.find(labels[first]);
            if spreading.all(|k| self.sets.find(labels[k]) == component) {
                break Some(component);
            }
            turn = (turn + 1) % labels.len();
            let Some(at) = floods[turn].pop_front() else { continue };
            if cells_left == 0 {
                break None;
            }
            cells_left -= 1;
            for offset in self.neighbours(stride) {
                let neighbour = (at as usize).wrapping_add_signed(offset);
                match self.labels[neighbour] {
                    0 => {}
                    label if label == labels[turn] => {}
                    label if self.sets.find(label) == old => {
                        self.labels[neighbour] = labels[turn];
                        floods[turn].push_back(neighbour as u32);
                    }
                    label => self.sets.union(labels[turn], label),
                }
            }
        };
        self.floods = floods;
        if let Some(last) = last {
            self.sets.union(old, last);
        }
        last.is_some()
    }
}

/// Returns the distance of a neighbour in the grid's array.
fn offset(direction: Direction, stride: usize) -> isize {
    let (dx, dy) = direction.offset();
    dy as isize * stride as isize + dx as isize
}
