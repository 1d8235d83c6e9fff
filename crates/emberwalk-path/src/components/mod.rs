//! Connected components: which cells can reach each other at all.

mod union_find;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use self::union_find::UnionFind;
use crate::cost::cost_grid::{capacity_bytes, max_array_len};
use crate::cost::heights::Heights;
use crate::grid::Cell;
use crate::search::steps::{for_each_bit, offsets};
use crate::{Corners, CostGrid, Level, MAX_SIDE, Moves, Stamp, StepRules};

/// How many labels edits may use up before all cells are labelled again; fewer on a grid of fewer cells.
const MAX_LABELS_FOR_EDITS: usize = 1 << 16;

/// The connected components of a cost grid, kept up to date as the grid changes.
///
/// There are three kinds of components, whatever the step rules. With eight moves and [`Corners::Always`], cells are
/// connected by their sides and corners, and with six moves as hexagons. With all other rules they are connected by
/// their sides only: a diagonal step then needs a passable cell beside it, and two straight steps through that cell
/// lead to the same place. Cliffs connect nothing. Every cell of a component can be reached from every other one, although
/// the route back may cost more or less.
///
/// [Links](CostGrid::add_link) lead one way, and so do steps over a ledge if the [climb rule](crate::ClimbRule::with_most)
/// has different limits up and down. They do not make one component of two, but [`are_connected`](Self::are_connected)
/// follows them. Rules may [ignore](StepRules::without_links) links.
///
/// ```
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{Components, CostGrid, StepRules};
/// let mut grid = CostGrid::open(Size::new(3, 1))?;
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
    /// The moves from a cell to the cells that it is connected to.
    joined_by: Moves,
    /// Whether the links of the grid count.
    use_links: bool,
    /// The label of each cell, by the grid's index; 0 where blocked. A component can have several labels.
    labels: Vec<u32>,
    /// The sets of labels that belong to one component.
    sets: UnionFind,
    /// The levels of the grid at the last update; `None` if it was flat.
    heights: Option<Heights>,
    /// The components between which links or other steps lead one way, by their numbers, in order.
    one_way: Vec<[u32; 2]>,
    /// The stamp of the grid that the labels describe.
    stamp: Stamp,
    floods: [VecDeque<u32>; 8],
}

/// The components that can be reached from a cell.
pub(crate) struct Reachable<'a> {
    components: &'a Components,
    /// The component of the cell; `None` if the cell is blocked.
    first: Option<usize>,
    /// The components to which links and ledges lead without a route back.
    others: HashSet<usize>,
}

impl Reachable<'_> {
    /// Whether the cell with that index can be reached.
    pub(crate) fn contains(&self, at: usize) -> bool {
        let number = self.components.number(at);
        number.is_some_and(|number| self.first == Some(number) || self.others.contains(&number))
    }
}

impl Components {
    /// Creates components for these rules. They connect no cells before the first [`update`](Self::update).
    pub fn new(rules: StepRules) -> Self {
        Self {
            joined_by: Self::joined_by(rules),
            use_links: !rules.ignores_links,
            labels: Vec::new(),
            sets: UnionFind::default(),
            heights: None,
            one_way: Vec::new(),
            stamp: Stamp::default(),
            floods: Default::default(),
        }
    }

    /// The moves that connect the same cells as these rules, one for each kind of components.
    pub(crate) fn joined_by(rules: StepRules) -> Moves {
        match (rules.moves, rules.corners) {
            (Moves::Eight, Corners::Always) => Moves::Eight,
            (Moves::Six, _) => Moves::Six,
            (Moves::Eight | Moves::Four, _) => Moves::Four,
        }
    }

    /// The stamp of the grid that these are up to date with.
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Catches up with the current grid.
    ///
    /// Cells whose cost changed take no work, and a cell that became passable takes O(1). From all sides of a cell that
    /// was blocked or changed its level, cells are flooded in turn, until the floods meet or all but one are exhausted.
    /// All cells are labelled again, in O(cells), if the floods take longer than that, if the grid is not the same as
    /// before, or if it no longer remembers all changes. On a grid where steps up and down have different limits, an update
    /// always takes O(cells).
    pub fn update(&mut self, grid: &CostGrid) {
        if self.stamp == grid.stamp() {
            return;
        }
        // An edit uses up to eight labels for floods, and one for the cell.
        let has_labels_for = |changes: usize| changes * 9 <= self.sets.spare();
        let has_levels = self.heights.is_none() == grid.is_flat();
        let can_follow = has_levels && grid.count_changes_since(self.stamp).is_some_and(has_labels_for);
        if !(can_follow && self.apply_changes(grid)) {
            self.label_all(grid);
        }
        self.find_one_way(grid);
        self.stamp = grid.stamp();
    }

    /// Applies the changes of the grid since the last update; returns `false` if labelling all cells is less work.
    fn apply_changes(&mut self, grid: &CostGrid) -> bool {
        let Some(mut changes) = grid.changes_since(self.stamp) else { return false };
        changes.all(|change| {
            let (at, stride) = (grid.index(change.cell), grid.stride());
            let (was_passable, is_passable) = (self.labels[at] != 0, grid.entry_units()[at] != 0);
            let joined_before = self.joined_neighbours(at, stride);
            let level_before = self.replace_level(at, grid.level_at(at));
            if was_passable {
                let separated = joined_before & !self.joined_neighbours(at, stride) != 0;
                if is_passable && !separated {
                    self.unite(at, stride);
                    return true;
                }
                let level = self.replace_level(at, level_before);
                if !self.block(at, stride) {
                    return false;
                }
                self.replace_level(at, level);
            }
            if is_passable {
                self.unite(at, stride);
            }
            true
        })
    }

    /// Replaces the level of a cell, if there are levels; returns the old level.
    fn replace_level(&mut self, at: usize, level: u8) -> u8 {
        let Some(heights) = &mut self.heights else { return level };
        let before = heights.levels()[at];
        heights.put(at, Level::from_array(level));
        before
    }

    /// Whether there is a route from one cell to the other, on the grid as [`update`](Self::update) saw it last;
    /// `false` for another grid and for cells off the grid. A grid that no longer remembers its changes since that
    /// update counts as another grid. O(1), or O(log edits) after edits; where links or ledges lead one way, between cells
    /// of different components, O(components and the links and ledges between them).
    ///
    /// With links and ledges there may be a route from one cell to another and none back.
    pub fn are_connected(&self, grid: &CostGrid, one: Cell, other: Cell) -> bool {
        if !self.knows(grid) || !grid.size().contains(one) || !grid.size().contains(other) {
            return false;
        }
        let [one, other] = [one, other].map(|cell| grid.index(cell));
        let Some(component) = self.number(one) else { return false };
        self.number(other) == Some(component) || self.reachable_from(one).contains(other)
    }

    /// The components that can be reached from the cell with that index, on the grid of the last update.
    pub(crate) fn reachable_from(&self, at: usize) -> Reachable<'_> {
        let first = self.number(at);
        let mut others = HashSet::new();
        if !self.one_way.is_empty() {
            let mut open: Vec<_> = first.into_iter().collect();
            while let Some(from) = open.pop() {
                let begin = self.one_way.partition_point(|pair| (pair[0] as usize) < from);
                let pairs = self.one_way[begin..].iter().take_while(|pair| pair[0] as usize == from);
                open.extend(pairs.map(|pair| pair[1] as usize).filter(|&to| others.insert(to)));
            }
        }
        Reachable { components: self, first, others }
    }

    /// Whether steps lead from some components to others without a route back.
    pub(crate) fn have_one_way(&self) -> bool {
        !self.one_way.is_empty()
    }

    /// Finds the components between which links or other steps lead one way. O(links), and on a grid where steps up and down
    /// have different limits O(cells).
    fn find_one_way(&mut self, grid: &CostGrid) {
        let mut found = std::mem::take(&mut self.one_way);
        found.clear();
        let mut add = |from: usize, to: usize| {
            if let (Some(from), Some(to)) = (self.number(from), self.number(to))
                && from != to
                && found.last() != Some(&[from as u32, to as u32])
            {
                found.push([from as u32, to as u32]);
            }
        };
        let links = grid.links_for(StepRules::default()).filter(|_| self.use_links);
        links.into_iter().flat_map(|links| links.iter()).for_each(|link| add(link.from, link.to));
        if let Some(heights) = grid.heights().filter(|heights| !heights.rises().are_symmetric()) {
            let passable = |at: &usize| self.labels[*at] != 0;
            for at in (0..self.labels.len()).filter(passable) {
                for to in self.neighbours(grid.stride()).map(|offset| at.wrapping_add_signed(offset)).filter(passable) {
                    if heights.allow(at, to) && !heights.allow(to, at) {
                        add(at, to);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        self.one_way = found;
    }

    /// The component of a cell, as a number that all of its cells share until the next [`update`](Self::update), on the
    /// grid as that saw it; `None` for blocked cells, and where [`are_connected`](Self::are_connected) is `false` for
    /// all cells. O(1), or O(log edits) after edits.
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{Components, CostGrid, Diagonal, EntryCost, StepRules};
    /// let cost = |cell: Cell| (cell.x != 1).then_some(EntryCost::TILE);
    /// let grid = CostGrid::from_fn(Size::new(4, 1), Diagonal::GAME, cost)?;
    /// let mut components = Components::new(StepRules::default());
    /// components.update(&grid);
    /// let [west, wall, one, other] = [0, 1, 2, 3].map(|x| components.component(&grid, Cell::new(x, 0)));
    /// assert_eq!(one, other);
    /// assert_ne!(one, west);
    /// assert_eq!(wall, None);
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn component(&self, grid: &CostGrid, cell: Cell) -> Option<usize> {
        if self.knows(grid) && grid.size().contains(cell) { self.number(grid.index(cell)) } else { None }
    }

    /// The cells of each component, row by row, in the order of their first cells. O(cells).
    ///
    /// ```
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{Components, CostGrid, Diagonal, EntryCost, StepRules};
    /// let cost = |cell: Cell| (cell.x != 1).then_some(EntryCost::TILE);
    /// let grid = CostGrid::from_fn(Size::new(4, 1), Diagonal::GAME, cost)?;
    /// let mut components = Components::new(StepRules::default());
    /// components.update(&grid);
    /// let [zero, two, three] = [0, 2, 3].map(|x| Cell::new(x, 0));
    /// assert_eq!(components.cells(&grid), [vec![zero], vec![two, three]]);
    /// assert_eq!(components.largest(&grid), [two, three]);
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn cells(&self, grid: &CostGrid) -> Vec<Vec<Cell>> {
        // The places of the components by their numbers.
        let mut found = Vec::<Vec<Cell>>::new();
        let mut places = HashMap::new();
        for cell in grid.size().cells() {
            let Some(component) = self.component(grid, cell) else { continue };
            let place = *places.entry(component).or_insert(found.len());
            if place == found.len() {
                found.push(Vec::new());
            }
            found[place].push(cell);
        }
        found
    }

    /// The cells of the largest component, row by row; of components of the same size, the first one. O(cells).
    pub fn largest(&self, grid: &CostGrid) -> Vec<Cell> {
        let component_of = |cell| self.component(grid, cell);
        // How many cells each component has, and the number of cells before its first one. Only the cells of the largest are
        // collected, because a list of all takes much memory.
        let mut sizes = HashMap::<usize, (usize, Reverse<usize>)>::new();
        for (before, component) in grid.size().cells().map(component_of).enumerate() {
            let Some(component) = component else { continue };
            sizes.entry(component).or_insert((0, Reverse(before))).0 += 1;
        }
        let Some((largest, (len, _))) = sizes.into_iter().max_by_key(|(_, size)| *size) else { return Vec::new() };
        let mut cells = Vec::with_capacity(len);
        cells.extend(grid.size().cells().filter(|cell| component_of(*cell) == Some(largest)));
        cells
    }

    /// Whether `update` saw this grid, perhaps before its latest changes.
    fn knows(&self, grid: &CostGrid) -> bool {
        grid.count_changes_since(self.stamp).is_some()
    }

    /// The component of the cell with that index, as a number below [`numbers`](Self::numbers); `None` if the
    /// cell is blocked.
    pub(crate) fn number(&self, at: usize) -> Option<usize> {
        let label = self.labels[at];
        (label != 0).then(|| self.sets.find(label) as usize)
    }

    /// An exclusive upper bound on the [`number`](Self::number) of every component.
    pub(crate) fn numbers(&self) -> usize {
        self.sets.len()
    }

    /// Allocates memory for any grid of that many cells.
    pub(crate) fn reserve(&mut self, cells: usize) {
        let len = max_array_len(cells);
        self.labels.reserve_exact(len.saturating_sub(self.labels.len()));
        // At most every other cell begins a run, plus one cell for each row and column, plus the border.
        self.sets.reserve(len / 2 + 3 * (MAX_SIDE as usize + 1) + MAX_LABELS_FOR_EDITS);
        for flood in &mut self.floods {
            flood.reserve_exact((8 * (MAX_SIDE as usize + 2)).saturating_sub(flood.len()));
        }
    }

    /// How many bytes the containers hold.
    pub(crate) fn bytes(&self) -> usize {
        let floods: usize = self.floods.iter().map(|flood| flood.capacity() * size_of::<u32>()).sum();
        capacity_bytes(&self.labels) + capacity_bytes(&self.one_way) + self.sets.bytes() + floods
    }

    /// Labels all cells; each run of cells in a row that are passable and not separated by cliffs or ledges gets one label.
    fn label_all(&mut self, grid: &CostGrid) {
        match (&mut self.heights, grid.heights()) {
            (Some(heights), Some(now)) => heights.assign(now),
            (heights, now) => *heights = now.cloned(),
        }
        let (len, stride) = (grid.entry_units().len(), grid.stride());
        self.labels.clear();
        self.labels.resize(len, 0);
        // Without cliffs, a row has at most one run for every two cells; with cliffs, one for every cell.
        let (rows, runs) = (len / stride, if grid.is_flat() { stride / 2 + 1 } else { stride });
        self.sets.begin(rows * runs + len.min(MAX_LABELS_FOR_EDITS));
        // The border has no labels.
        (1..rows - 1).for_each(|row| self.label_row(grid, row));
        self.sets.flatten();
        self.floods.iter_mut().for_each(|flood| flood.reserve(4 * (stride + rows)));
    }

    /// Labels a row of the grid's array. The rows above have labels.
    fn label_row(&mut self, grid: &CostGrid, row: usize) {
        let (entry_units, stride) = (grid.entry_units(), grid.stride());
        let (mut at, end) = (row * stride + 1, (row + 1) * stride);
        while let Some(start) = entry_units[at..end].iter().position(|&units| units != 0) {
            let start = at + start;
            let len = entry_units[start..].iter().position(|&units| units == 0).expect("the border is blocked");
            at = start + len;
            match grid.heights() {
                None => self.label_run(start..at, stride),
                Some(heights) => self.label_cells(start..at, stride, heights),
            }
        }
    }

    /// Labels a run of passable cells in a row of a flat grid.
    fn label_run(&mut self, run: Range<usize>, stride: usize) {
        let label = self.sets.add();
        self.labels[run.clone()].fill(label);
        // Diagonally, a run also touches one more cell at its ends in the row above.
        let (west, east) = match self.joined_by {
            Moves::Four => (0, 0),
            Moves::Six => (1, 0),
            Moves::Eight => (1, 1),
        };
        let mut last = 0;
        for above in run.start - stride - west..run.end - stride + east {
            let label_above = self.labels[above];
            if label_above != last && label_above != 0 {
                self.sets.union(label_above, label);
            }
            last = label_above;
        }
    }

    /// Labels a run of passable cells in a row of a grid with levels.
    fn label_cells(&mut self, run: Range<usize>, stride: usize, heights: &Heights) {
        for at in run.clone() {
            let is_joined_to_west = at > run.start && heights.join(at - 1, at);
            let label = if is_joined_to_west { self.labels[at - 1] } else { self.sets.add() };
            self.labels[at] = label;
            for offset in self.neighbours(stride).filter(|offset| *offset < -1) {
                let above = at.wrapping_add_signed(offset);
                if self.labels[above] != 0 && heights.join(above, at) {
                    self.sets.union(self.labels[above], label);
                }
            }
        }
    }

    /// Iterates over the offsets of the neighbours that a cell is connected to if they are passable.
    fn neighbours(&self, stride: usize) -> impl Iterator<Item = isize> + use<> {
        let offsets = offsets(stride);
        self.joined_by.directions().iter().map(move |&direction| offsets[direction as usize])
    }

    /// Whether no cliff separates two neighbours, nor a ledge that leads one way.
    fn are_joined(&self, one: usize, other: usize) -> bool {
        self.heights.as_ref().is_none_or(|heights| heights.join(one, other))
    }

    /// The neighbours that a passable cell is connected to, a bit for each direction.
    fn joined_neighbours(&self, at: usize, stride: usize) -> u8 {
        let (directions, offsets) = (self.joined_by.directions().iter(), offsets(stride));
        directions.fold(0, |joined, &direction| {
            let neighbour = at.wrapping_add_signed(offsets[direction as usize]);
            let is_joined = self.labels[neighbour] != 0 && self.are_joined(at, neighbour);
            joined | u8::from(is_joined) << direction as u32
        })
    }

    /// Unites a passable cell, which may have no label yet, with the components around it.
    fn unite(&mut self, at: usize, stride: usize) {
        let mut label = self.labels[at];
        for offset in self.neighbours(stride) {
            let neighbour = at.wrapping_add_signed(offset);
            if self.labels[neighbour] != 0 && self.are_joined(at, neighbour) {
                if label == 0 {
                    label = self.sets.find(self.labels[neighbour]);
                } else {
                    self.sets.union(label, self.labels[neighbour]);
                }
            }
        }
        self.labels[at] = if label == 0 { self.sets.add() } else { label };
    }

    /// Removes a cell that has become blocked from its component, and splits the component if nothing else connects the
    /// cells around it. Returns `false` if finding out takes too long.
    fn block(&mut self, at: usize, stride: usize) -> bool {
        let (mut seeds, mut count) = ([0; 8], 0);
        for_each_bit(self.joined_neighbours(at, stride), &offsets(stride), at, |neighbour, _| {
            seeds[count] = neighbour;
            count += 1;
        });
        self.labels[at] = 0;
        count < 2 || self.flood(&seeds[..count], stride)
    }

    /// Floods cells from each of the seeds, which were in one component, with a new label each, one cell of each flood
    /// at a time. Floods that meet are one component. A flood that is exhausted before it meets another one is a
    /// separate component; the last flood keeps the old component. Returns `false` if that takes too long; the labels
    /// are then unusable.
    fn flood(&mut self, seeds: &[usize], stride: usize) -> bool {
        // A cell takes about twenty times as long here as when all cells are labelled.
        let mut cells_left = self.labels.len() / 32 + 64;
        let old = self.sets.find(self.labels[seeds[0]]);
        let mut labels = [0; 8];
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
                    _ if !self.are_joined(at as usize, neighbour) => {}
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
