//! Connected parts: which cells can reach each other at all.

mod union_find;

use std::collections::VecDeque;

use self::union_find::UnionFind;
use crate::cost::cost_grid::{capacity_bytes, max_array_len};
use crate::grid::{Cell, Direction};
use crate::{Corners, CostGrid, MAX_SIDE, Moves, StepRules};

/// How many labels edits may use up before all cells are labelled anew; fewer on a grid of fewer cells.
const MOST_LABELS_FOR_EDITS: usize = 1 << 14;

/// The connected parts of a cost grid, kept true as the grid changes.
///
/// There are two kinds, whatever the moves and corner rules. With four moves, and where a diagonal step needs a
/// passable cell beside it, the parts are those joined by sides: past that cell two straight steps lead the same way.
/// Only with eight moves and [`Corners::Always`] they are those joined by corners too. Steps go both ways, so that parts
/// have no direction though costs have.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{Components, CostGrid, Diagonal, EntryCost, StepRules};
/// let mut grid = CostGrid::from_fn(Size::new(3, 1), Diagonal::GAME, |_| Some(EntryCost::TILE))?;
/// let (west, middle, east) = (Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0));
/// let mut parts = Components::new(StepRules::default());
/// parts.update(&grid);
/// assert!(parts.are_connected(&grid, west, east));
/// grid.set(middle, None);
/// parts.update(&grid);
/// assert!(!parts.are_connected(&grid, west, east));
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Components {
    by_corners: bool,
    /// A label of each cell's part, by the grid's index; 0 where blocked. A part can have many labels.
    labels: Vec<u32>,
    /// The labels that mean the same part.
    same: UnionFind,
    grid: u64,
    version: u64,
    floods: [VecDeque<u32>; 4],
}

impl Components {
    /// Components of no grid yet, for these rules.
    pub fn new(rules: StepRules) -> Self {
        Self {
            by_corners: Self::are_joined_by_corners(rules),
            labels: Vec::new(),
            same: UnionFind::default(),
            grid: 0,
            version: 0,
            floods: Default::default(),
        }
    }

    /// Which of the two kinds of parts these rules make.
    pub(crate) fn are_joined_by_corners(rules: StepRules) -> bool {
        rules.moves == Moves::Eight && rules.corners == Corners::Always
    }

    /// Catches up with the grid as it is now.
    ///
    /// O(1) if only costs changed. A cell that opened costs O(1), one that was blocked as well unless it may have cut a
    /// part in two: then cells are looked at from all its sides at once, until these meet or all but one are exhausted,
    /// or so many have been seen that it is quicker to label all cells anew. That is done, in O(cells), for another grid
    /// than before, and if more cells changed than the grid remembers.
    pub fn update(&mut self, grid: &CostGrid) {
        if (self.grid, self.version) == (grid.id(), grid.version()) {
            return;
        }
        // An edit uses up to four labels.
        let enough = |changes: u64| changes.saturating_mul(4) <= self.same.spare() as u64;
        let known = self.grid == grid.id() && enough(grid.version().saturating_sub(self.version));
        if !(known && self.follow(grid)) {
            self.label_all(grid);
        }
        (self.grid, self.version) = (grid.id(), grid.version());
    }

    /// Does what the grid's changes since the last update ask for; `false` if labelling all cells is less work.
    fn follow(&mut self, grid: &CostGrid) -> bool {
        let Some(mut changes) = grid.changes_since(self.version) else { return false };
        changes.all(|change| {
            let at = grid.index(change.cell);
            match (self.labels[at] != 0, grid.entry_units()[at] != 0) {
                (false, true) => self.open(at, grid.stride()),
                (true, false) => return self.close(at, grid.stride()),
                _ => {}
            }
            true
        })
    }

    /// Whether a way leads from one cell to the other, on the grid as [`update`](Self::update) saw it last; `false` on
    /// another grid. O(1), or O(log edits) after edits.
    pub fn are_connected(&self, grid: &CostGrid, one: Cell, other: Cell) -> bool {
        if self.grid != grid.id() || !grid.size().contains(one) || !grid.size().contains(other) {
            return false;
        }
        let [one, other] = [one, other].map(|cell| self.labels[grid.index(cell)]);
        one != 0 && other != 0 && self.same.root(one) == self.same.root(other)
    }

    /// The part of the cell of that index, as a number below [`numbers`](Self::numbers); `None` if it is blocked.
    pub(crate) fn number(&self, at: usize) -> Option<usize> {
        let label = self.labels[at];
        (label != 0).then(|| self.same.root(label) as usize)
    }

    /// All parts' numbers are below this one.
    pub(crate) fn numbers(&self) -> usize {
        self.same.len()
    }

    /// Makes room for any grid of so many cells.
    pub(crate) fn reserve(&mut self, cells: usize) {
        let stored = max_array_len(cells);
        self.labels.reserve_exact(stored.saturating_sub(self.labels.len()));
        // Half the cells, one for each row and one for each column are runs, and those of the border.
        self.same.reserve(stored / 2 + 3 * (MAX_SIDE as usize + 1) + MOST_LABELS_FOR_EDITS);
        for flood in &mut self.floods {
            flood.reserve_exact((8 * (MAX_SIDE as usize + 2)).saturating_sub(flood.len()));
        }
    }

    /// How many bytes are held.
    pub(crate) fn bytes(&self) -> usize {
        let floods: usize = self.floods.iter().map(|flood| flood.capacity() * size_of::<u32>()).sum();
        capacity_bytes(&self.labels) + self.same.bytes() + floods
    }

    /// Labels all cells, a run of passable cells in a row at once.
    fn label_all(&mut self, grid: &CostGrid) {
        let (stored, stride) = (grid.entry_units(), grid.stride());
        self.labels.clear();
        self.labels.resize(stored.len(), 0);
        // No row has more runs than every other cell.
        let (rows, runs) = (stored.len() / stride, stride / 2 + 1);
        self.same.begin(rows * runs + stored.len().min(MOST_LABELS_FOR_EDITS));
        // What of the row above a run touches: by corners one cell more at either end.
        let reach = usize::from(self.by_corners);
        for row in (stride..stored.len() - stride).step_by(stride) {
            let mut at = row + 1;
            while let Some(start) = stored[at..row + stride].iter().position(|&units| units != 0) {
                let start = at + start;
                let len = stored[start..].iter().position(|&units| units == 0).expect("the border is blocked");
                let label = self.same.add();
                self.labels[start..start + len].fill(label);
                let mut last = 0;
                for above in start - stride - reach..start - stride + len + reach {
                    let label_above = self.labels[above];
                    if label_above != last && label_above != 0 {
                        self.same.join(label_above, label);
                    }
                    last = label_above;
                }
                at = start + len;
            }
        }
        self.same.flatten();
        for flood in &mut self.floods {
            flood.reserve(4 * (stride + rows));
        }
    }

    /// The offsets of the neighbours that are in the same part, if passable.
    fn neighbours(&self, stride: usize) -> impl Iterator<Item = isize> + use<> {
        let directions = if self.by_corners { &Direction::ALL[..] } else { &Direction::SIDES[..] };
        directions.iter().map(move |&direction| offset(direction, stride))
    }

    /// The cell joins the parts around it, or is one.
    fn open(&mut self, at: usize, stride: usize) {
        let mut label = 0;
        for offset in self.neighbours(stride) {
            let there = self.labels[at.wrapping_add_signed(offset)];
            if there != 0 {
                if label == 0 {
                    label = self.same.root(there);
                } else {
                    self.same.join(label, there);
                }
            }
        }
        self.labels[at] = if label == 0 { self.same.add() } else { label };
    }

    /// The cell leaves its part, which falls apart if nothing else joins what was around it; `false` if that is not
    /// found out soon.
    fn close(&mut self, at: usize, stride: usize) -> bool {
        self.labels[at] = 0;
        let mut seeds = [0; 4];
        let mut count = 0;
        let is_open = |direction: Direction| self.labels[at.wrapping_add_signed(offset(direction, stride))] != 0;
        let ring = Direction::ALL.map(is_open);
        for seed in groups(ring, self.by_corners) {
            seeds[count] = at.wrapping_add_signed(offset(seed, stride));
            count += 1;
        }
        count < 2 || self.flood(&seeds[..count], stride)
    }

    /// Spreads from each of the seeds, which were in one part, a cell of each at a time, with a new label each. Those
    /// that meet are one part. What is exhausted before is a part of its own, and what is left keeps the old part.
    /// `false`, and labels of no use, if that takes too long.
    fn flood(&mut self, seeds: &[usize], stride: usize) -> bool {
        // A cell looked at here takes as long as about twenty when all are labelled.
        let mut patience = self.labels.len() / 32 + 64;
        let old = self.same.root(self.labels[seeds[0]]);
        let mut labels = [0; 4];
        let labels = &mut labels[..seeds.len()];
        let mut floods = std::mem::take(&mut self.floods);
        for ((label, flood), &seed) in labels.iter_mut().zip(&mut floods).zip(seeds) {
            *label = self.same.add();
            self.labels[seed] = *label;
            flood.clear();
            flood.push_back(seed as u32);
        }
        let mut turn = 0;
        let left = loop {
            // The floods that still spread, as parts.
            let mut spreading = (0..labels.len()).filter(|&k| !floods[k].is_empty());
            let Some(first) = spreading.next() else { break Some(labels[turn]) };
            let part = self.same.root(labels[first]);
            if spreading.all(|k| self.same.root(labels[k]) == part) {
                break Some(part);
            }
            turn = (turn + 1) % labels.len();
            let Some(at) = floods[turn].pop_front() else { continue };
            if patience == 0 {
                break None;
            }
            patience -= 1;
            for offset in self.neighbours(stride) {
                let there = (at as usize).wrapping_add_signed(offset);
                match self.labels[there] {
                    0 => {}
                    label if label == labels[turn] => {}
                    label if self.same.root(label) == old => {
                        self.labels[there] = labels[turn];
                        floods[turn].push_back(there as u32);
                    }
                    label => self.same.join(labels[turn], label),
                }
            }
        };
        self.floods = floods;
        if let Some(left) = left {
            self.same.join(old, left);
        }
        left.is_some()
    }
}

/// How far a neighbour stands from a cell in the grid's array.
fn offset(direction: Direction, stride: usize) -> isize {
    let (dx, dy) = direction.offset();
    dy as isize * stride as isize + dx as isize
}

/// One neighbour of each group of passable neighbours that are joined around a cell that is blocked; `ring` says which
/// are passable, by direction.
fn groups(ring: [bool; 8], by_corners: bool) -> impl Iterator<Item = Direction> {
    // Walking round, a group begins where the cell before is not joined. Corner cells join only the sides next to
    // them, and by corners two sides next to each other are joined whatever is between.
    let is_open = move |k: usize| ring[k % 8];
    let begins = move |k: usize| {
        let corner = Direction::ALL[k].is_diagonal();
        match (by_corners, corner) {
            (false, false) => is_open(k) && !(is_open(k + 7) && is_open(k + 6)),
            (false, true) => false,
            (true, false) => is_open(k) && !is_open(k + 7) && !is_open(k + 6),
            (true, true) => is_open(k) && !is_open(k + 7),
        }
    };
    // All around without a beginning is one group; its seed does not matter, for one group is never flooded.
    (0..8).filter(move |&k| begins(k)).map(|k| Direction::ALL[k])
}
