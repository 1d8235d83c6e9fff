//! Rooms: wide areas of a map, between narrow passages.

use std::collections::VecDeque;

use crate::index::CellIndex;
use crate::passages::{can_pass, is_passage};
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::internal::offsets;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{CostGrid, Stamp};

/// The number of cells that a search visits in a beat.
const CELLS_PER_BEAT: u64 = 10_000;
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
/// before agents that want to leave that room have a turn. With 13 or 50 instead, the full rooms take 52 s or 43 s
/// instead of 49 s, and the small islands 185 s or 164 s instead of 156 s.
const AGENTS_PER_GROUP: u32 = 25;

/// Agents that go into one room together. The groups of different rooms take turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Group {
    batch: u32,
    room: u32,
}

/// The rooms of a map.
///
/// Agents with goals in one room have neighbouring ranks, so that they go through a narrow passage as a group. In a
/// random order, agents of both directions would push each other back again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rooms {
    found: Found,
    /// When they were found, and the stamp of the grid at the beginning of the last search.
    time: CrowdTime,
    stamp: Stamp,
    search: Search,
    /// For each room, the number of agents that have set out to it and count as being on the way since `sent_since`.
    sent: Vec<u32>,
    sent_since: CrowdTime,
}

/// The result of a search for rooms.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Found {
    /// The number of the room that each cell is in or nearest to, by the indices of the grid's array.
    #[cfg_attr(feature = "serde", serde(with = "emberwalk_path::internal::runs"))]
    numbers: Vec<u32>,
    /// Whether each cell is in a passage.
    #[cfg_attr(feature = "serde", serde(with = "emberwalk_path::internal::runs"))]
    are_passages: Vec<bool>,
    /// The number of rooms.
    count: u32,
}

/// A search for rooms, which continues from beat to beat. Meanwhile agents use the rooms of the previous search.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Search {
    phase: Phase,
    found: Found,
    /// The cell to look at next.
    next: usize,
    /// The cells that have been reached, and how many of them have been expanded. Their memory is kept.
    open: VecDeque<u32>,
    expanded: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Phase {
    #[default]
    Idle,
    /// Which cells are passages?
    Passages,
    /// The other cells are rooms, as far as they are connected.
    Rooms,
    /// Where are the edges of the rooms?
    Edges,
    /// From there, every other cell gets the number of the nearest room, by the number of straight steps.
    Nearest,
}

impl Rooms {
    /// Finds the rooms of a grid. O(cells).
    pub(crate) fn new(grid: &CostGrid) -> Self {
        let mut search = Search::default();
        search.begin(grid);
        search.run(grid, u64::MAX);
        Self { found: search.found, stamp: grid.stamp(), ..Self::default() }
    }

    /// Does the work of a beat: finds the rooms again if the grid has changed and the last search was long ago. Returns
    /// whether the rooms are up to date.
    pub(crate) fn catch_up(&mut self, grid: &CostGrid, now: CrowdTime) -> bool {
        if self.search.phase == Phase::Idle {
            if self.stamp == grid.stamp() {
                return true;
            }
            if now - self.time < KEPT_FOR {
                return false;
            }
            self.search.begin(grid);
            self.stamp = grid.stamp();
        }
        if self.search.run(grid, CELLS_PER_BEAT) {
            std::mem::swap(&mut self.found, &mut self.search.found);
            self.time = now;
        }
        false
    }

    /// The number of the room that a cell is in or nearest to; 0 if there is none.
    fn room(&self, grid: &CostGrid, cell: Cell) -> u32 {
        if grid.size().contains(cell) { self.found.numbers[grid.index(cell)] } else { NONE }
    }

    /// The group of an agent that sets out to a goal. `since` is the time since when it counts as being on the way.
    pub(crate) fn group(&mut self, grid: &CostGrid, since: CrowdTime, goal: Cell) -> Group {
        if !self.are_several() {
            return Group::default();
        }
        let room = self.room(grid, goal);
        if self.sent_since != since {
            self.sent_since = since;
            self.sent.clear();
        }
        if self.sent.len() <= room as usize {
            self.sent.resize(room as usize + 1, 0);
        }
        let sent = &mut self.sent[room as usize];
        *sent = sent.saturating_add(1);
        Group { batch: (*sent - 1) / AGENTS_PER_GROUP, room }
    }

    /// Whether there is more than one room.
    #[inline]
    pub(crate) fn are_several(&self) -> bool {
        self.found.count > 1
    }

    /// Whether a cell is in a narrow passage between rooms.
    #[inline]
    pub(crate) fn is_passage(&self, at: CellIndex) -> bool {
        self.are_several() && self.found.are_passages[at.get()]
    }
}

impl Search {
    fn begin(&mut self, grid: &CostGrid) {
        let len = grid.entry_units().len();
        let Found { numbers, are_passages, count } = &mut self.found;
        numbers.clear();
        numbers.resize(len, NONE);
        are_passages.clear();
        are_passages.resize(len, false);
        *count = 0;
        self.enter(Phase::Passages);
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.next = 0;
        self.expanded = 0;
        if phase != Phase::Nearest {
            self.open.clear();
        }
    }

    /// Visits at most this many cells. Returns whether all rooms have been found.
    fn run(&mut self, grid: &CostGrid, cells: u64) -> bool {
        let (len, sides) =
            (grid.entry_units().len(), Direction::SIDES.map(|side| offsets(grid.stride())[side as usize]));
        for _ in 0..cells {
            let Self { phase, found: Found { numbers, are_passages, count }, next, open, expanded } = self;
            let neighbours = |at: usize| {
                let to = sides.map(|side| at.wrapping_add_signed(side));
                to.into_iter().filter(move |&to| can_pass(grid, at, to))
            };
            match phase {
                Phase::Idle => return true,
                Phase::Passages if *next < len => {
                    if grid.entry_units()[*next] != 0 {
                        are_passages[*next] = is_passage(grid, *next);
                        numbers[*next] = if are_passages[*next] { NONE } else { UNKNOWN };
                    }
                    *next += 1;
                }
                Phase::Passages => self.enter(Phase::Rooms),
                Phase::Rooms if *expanded < open.len() => {
                    let at = open[*expanded] as usize;
                    *expanded += 1;
                    for to in neighbours(at) {
                        if numbers[to] == UNKNOWN {
                            numbers[to] = *count + 1;
                            open.push_back(to as u32);
                        }
                    }
                }
                Phase::Rooms => {
                    if *expanded >= MIN_CELLS {
                        *count += 1;
                    } else {
                        open.iter().for_each(|&at| numbers[at as usize] = NONE);
                    }
                    open.clear();
                    *expanded = 0;
                    match (*next..len).find(|&at| numbers[at] == UNKNOWN) {
                        Some(at) => {
                            numbers[at] = *count + 1;
                            open.push_back(at as u32);
                            *next = at + 1;
                        }
                        None => self.enter(Phase::Edges),
                    }
                }
                Phase::Edges if *next < len => {
                    if numbers[*next] != NONE && neighbours(*next).any(|to| numbers[to] == NONE) {
                        open.push_back(*next as u32);
                    }
                    *next += 1;
                }
                Phase::Edges => self.enter(Phase::Nearest),
                Phase::Nearest => match open.pop_front() {
                    Some(at) => {
                        for to in neighbours(at as usize) {
                            if numbers[to] == NONE {
                                numbers[to] = numbers[at as usize];
                                open.push_back(to as u32);
                            }
                        }
                    }
                    None => self.enter(Phase::Idle),
                },
            }
        }
        self.phase == Phase::Idle
    }
}

#[cfg(feature = "serde")]
pub(crate) use saved::SavedRooms;

/// Rooms as they are saved.
#[cfg(feature = "serde")]
mod saved {
    use super::{CostGrid, CrowdTime, Found, Phase, Rooms, Search, Stamp};

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(crate) struct SavedRooms {
        /// The result, if a search on the current grid finds something else.
        found: Option<Found>,
        time: CrowdTime,
        #[serde(with = "emberwalk_path::internal::saved_stamp")]
        stamp: Stamp,
        /// The search that is under way.
        search: Option<Search>,
        sent: Vec<u32>,
        sent_since: CrowdTime,
    }

    impl SavedRooms {
        pub(crate) fn new(rooms: &Rooms, grid: &CostGrid) -> Self {
            let Rooms { found, time, stamp, search, sent, sent_since } = rooms;
            Self {
                found: (*found != Rooms::new(grid).found).then(|| found.clone()),
                time: *time,
                stamp: *stamp,
                search: (search.phase != Phase::Idle).then(|| search.clone()),
                sent: sent.clone(),
                sent_since: *sent_since,
            }
        }

        pub(crate) fn load(self, grid: &CostGrid) -> Rooms {
            let Self { found, time, stamp, search, sent, sent_since } = self;
            let len = grid.entry_units().len();
            let is_whole = |found: &Found| found.numbers.len() == len && found.are_passages.len() == len;
            let has_rooms = |found: &Found| {
                found.count as usize <= len && found.numbers.iter().all(|number| *number <= found.count)
            };
            let is_inside = |search: &Search| search.open.iter().all(|at| (*at as usize) < len);
            Rooms {
                found: found
                    .filter(|found| is_whole(found) && has_rooms(found))
                    .unwrap_or_else(|| Rooms::new(grid).found),
                time,
                stamp,
                search: search.filter(|search| is_whole(&search.found) && is_inside(search)).unwrap_or_default(),
                sent,
                sent_since,
            }
        }

        pub(crate) fn stamp_mut(&mut self) -> &mut Stamp {
            &mut self.stamp
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_path::grid::Size;
    use emberwalk_path::{ClimbRule, Diagonal, EntryCost, Level};

    #[test]
    fn a_gap_in_a_cliff_joins_two_rooms_as_a_gap_in_a_wall_does() {
        let gap = Cell::new(10, 4);
        let is_wall = |cell: Cell| cell.x == gap.x && cell != gap;
        let grid = |cost: &dyn Fn(Cell) -> Option<EntryCost>| CostGrid::from_fn(Size::new(21, 9), Diagonal::GAME, cost);
        let wall = grid(&|cell| (!is_wall(cell)).then_some(EntryCost::TILE)).unwrap();
        let mut cliff = grid(&|_| Some(EntryCost::TILE)).unwrap();
        cliff.set_levels(ClimbRule::default(), |cell| if is_wall(cell) { Level::MAX } else { Level::GROUND });
        for grid in [wall, cliff] {
            let rooms = Rooms::new(&grid);
            let [west, east] = [0, 20].map(|x| rooms.room(&grid, Cell::new(x, 0)));
            assert_ne!(west, east);
            assert!(rooms.is_passage(CellIndex::new(grid.index(gap))));
            assert!(!rooms.is_passage(CellIndex::new(grid.index(gap + (3, 0)))));
        }
    }
}
