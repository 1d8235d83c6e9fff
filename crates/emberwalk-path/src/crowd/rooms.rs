//! Rooms: wide areas of a map, between narrow passages.

use std::collections::VecDeque;

use super::CrowdTime;
use super::index::CellIndex;
use crate::grid::{Cell, Direction};
use crate::search::steps::offsets;
use crate::{CostGrid, Stamp};

/// How long rooms are used, at least. After an edit they may be outdated for this time. With 0.5 s or 2 s instead, the
/// small rooms move in the same way while walls are built.
const KEPT_FOR: CrowdTime = CrowdTime::SECOND;
/// The lowest number of wide cells in a room. With 16 or 64 instead, the full rooms, which have 36 cells, take 49 s or
/// 65 s instead of 49 s.
const MIN_CELLS: usize = 32;
/// The number of a cell that is in no room.
const NONE: u32 = 0;
/// The number of a wide cell that has not been reached yet.
const UNKNOWN: u32 = u32::MAX;

/// The number of agents that go through a passage together. If it were larger, they might fill the room behind it
/// before those who want to leave that room have a turn. With 13 or 50 instead, the full rooms take 52 s or 43 s
/// instead of 49 s, and the small islands 185 s or 164 s instead of 156 s.
const AGENTS_PER_GROUP: u32 = 25;

/// Agents that go into one room together. The groups of different rooms take turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Group {
    batch: u32,
    room: u32,
}

/// The rooms of a map.
///
/// Agents with goals in one room have neighbouring ranks, so that they go through a narrow passage as a group. In a
/// random order, agents of both directions would push each other back again and again.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Rooms {
    /// The number of the room that each cell is in or nearest to, by the indices of the grid's array.
    numbers: Vec<u32>,
    /// Whether each cell is in a passage.
    are_passages: Vec<bool>,
    /// The stamp of the grid for which the rooms were found, and when that was.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::stamp"))]
    stamp: Stamp,
    time: CrowdTime,
    /// The cells to visit next. Their memory is kept.
    #[cfg_attr(feature = "serde", serde(skip))]
    open: VecDeque<u32>,
    /// The number of rooms.
    count: u32,
    /// The number of agents that have set out to each room, of those that count as being on the way since `sent_since`.
    sent: Vec<u32>,
    sent_since: CrowdTime,
}

impl Rooms {
    /// Finds the rooms if the grid has changed, and the last search is long ago.
    pub(super) fn update(&mut self, grid: &CostGrid, time: CrowdTime) {
        if self.stamp != grid.stamp() && (self.numbers.is_empty() || time - self.time > KEPT_FOR) {
            self.stamp = grid.stamp();
            self.time = time;
            self.find(grid);
        }
    }

    #[cfg(feature = "serde")]
    pub(super) fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }

    /// The number of the room that a cell is in or nearest to; 0 if there is none.
    fn room(&mut self, grid: &CostGrid, time: CrowdTime, cell: Cell) -> u32 {
        self.update(grid, time);
        if grid.size().contains(cell) { self.numbers[grid.index(cell)] } else { NONE }
    }

    /// The group of an agent that sets out to a goal. `since` is the time since when it counts as being on the way.
    pub(super) fn group(&mut self, grid: &CostGrid, time: CrowdTime, since: CrowdTime, goal: Cell) -> Group {
        let room = self.room(grid, time, goal);
        if self.count < 2 {
            return Group::default();
        }
        if self.sent_since != since {
            self.sent_since = since;
            self.sent.clear();
        }
        if self.sent.len() <= room as usize {
            self.sent.resize(room as usize + 1, 0);
        }
        let sent = &mut self.sent[room as usize];
        *sent += 1;
        Group { batch: (*sent - 1) / AGENTS_PER_GROUP, room }
    }

    /// Whether a cell is in a narrow passage.
    #[inline]
    pub(super) fn is_passage(&self, at: CellIndex) -> bool {
        self.count > 1 && self.are_passages[at.get()]
    }

    /// Finds the rooms of a grid. O(cells).
    fn find(&mut self, grid: &CostGrid) {
        let (units, offsets) = (grid.entry_units(), offsets(grid.stride()));
        self.numbers.clear();
        self.numbers.resize(units.len(), NONE);
        self.are_passages.clear();
        self.are_passages.resize(units.len(), false);
        for cell in grid.size().cells() {
            let at = grid.index(cell);
            if units[at] == 0 {
                continue;
            }
            self.are_passages[at] = !is_wide(|k| has_way(grid, at, at.wrapping_add_signed(offsets[k])));
            if !self.are_passages[at] {
                self.numbers[at] = UNKNOWN;
            }
        }
        let mut room = NONE;
        for at in 0..units.len() {
            if self.numbers[at] == UNKNOWN {
                room += u32::from(self.fill(grid, at, room + 1));
            }
        }
        self.count = room;
        // Every other cell belongs to the nearest room, by the number of straight steps.
        self.open.clear();
        self.open.extend((0..units.len()).filter(|&at| self.numbers[at] != NONE).map(|at| at as u32));
        while let Some(at) = self.open.pop_front() {
            let room = self.numbers[at as usize];
            for next in Direction::SIDES.map(|side| (at as usize).wrapping_add_signed(offsets[side as usize])) {
                if self.numbers[next] == NONE && has_way(grid, at as usize, next) {
                    self.numbers[next] = room;
                    self.open.push_back(next as u32);
                }
            }
        }
    }

    /// Gives the wide cells that are connected with a cell the number of a room, and returns whether they are enough
    /// for one.
    fn fill(&mut self, grid: &CostGrid, at: usize, room: u32) -> bool {
        let offsets = offsets(grid.stride());
        self.open.clear();
        self.open.push_back(at as u32);
        self.numbers[at] = room;
        let mut done = 0;
        while let Some(&at) = self.open.get(done) {
            done += 1;
            for next in Direction::SIDES.map(|side| (at as usize).wrapping_add_signed(offsets[side as usize])) {
                if self.numbers[next] == UNKNOWN && has_way(grid, at as usize, next) {
                    self.numbers[next] = room;
                    self.open.push_back(next as u32);
                }
            }
        }
        if done < MIN_CELLS {
            self.open.iter().for_each(|&at| self.numbers[at as usize] = NONE);
        }
        done >= MIN_CELLS
    }
}

/// Whether a neighbour of a cell is passable, and no cliff is between them.
fn has_way(grid: &CostGrid, at: usize, next: usize) -> bool {
    grid.entry_units()[next] != 0 && grid.level_at(at).abs_diff(grid.level_at(next)) <= grid.climb().most()
}

/// Whether the passable neighbours of a cell are all on one side of it: the cell is no passage between others.
fn is_wide(is_passable: impl Fn(usize) -> bool) -> bool {
    // Each side of a passage begins, clockwise, with a passable cell after a blocked one. A corner counts with its
    // sides.
    let is_free =
        |k: usize| is_passable(k % 8) && (k.is_multiple_of(2) || is_passable((k + 7) % 8) || is_passable((k + 1) % 8));
    (0..8).filter(|&k| is_free(k) && !is_free(k + 7)).count() < 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Size;
    use crate::{ClimbRule, Diagonal, EntryCost, Level};

    #[test]
    fn a_gap_in_a_cliff_joins_two_rooms_as_a_gap_in_a_wall_does() {
        let gap = Cell::new(10, 4);
        let is_wall = |cell: Cell| cell.x == gap.x && cell != gap;
        let grid = |cost: &dyn Fn(Cell) -> Option<EntryCost>| CostGrid::from_fn(Size::new(21, 9), Diagonal::GAME, cost);
        let wall = grid(&|cell| (!is_wall(cell)).then_some(EntryCost::TILE)).unwrap();
        let mut cliff = grid(&|_| Some(EntryCost::TILE)).unwrap();
        cliff.set_levels(ClimbRule::default(), |cell| if is_wall(cell) { Level::MAX } else { Level::GROUND });
        for grid in [wall, cliff] {
            let mut rooms = Rooms::default();
            let [west, east] = [0, 20].map(|x| rooms.room(&grid, CrowdTime::ZERO, Cell::new(x, 0)));
            assert_ne!(west, east);
            assert!(rooms.is_passage(CellIndex::new(grid.index(gap))));
            assert!(!rooms.is_passage(CellIndex::new(grid.index(gap + (3, 0)))));
        }
    }
}
