//! The joint search for the steps of a few units in a small region: LaCAM (Okumura, "LaCAM: search-based algorithm for quick
//! multi-agent pathfinding", 2023).
//!
//! A configuration says where each unit is. From each, priority inheritance with backtracking proposes the next one, and
//! when the search comes back to a configuration, it demands another cell of one unit more. So it finds a way out if there
//! is one, and mostly soon.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::super::swap::Swaps;

/// In place of a cell: the unit is not in the region any more, or its next cell is not chosen yet. In place of an index:
/// there is none.
pub(super) const NONE: u16 = u16::MAX;
const NO_INDEX: u32 = u32::MAX;

/// What it means for a unit to be in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It has to go on.
    No,
    /// It can stay.
    Stays,
    /// It leaves the map or the region there.
    Leaves,
}

/// A step within the region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) to: u16,
    /// The step that would cross this one on the other diagonal.
    pub(super) crossing: Option<(u16, u16)>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It has not ended yet.
    Open,
    Solved,
    /// There is no solution.
    Unsolvable,
}

/// A configuration, and the queue of the demands to try there.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    next: u32,
    last: u32,
}

/// That the next cell of a unit is this one, and what the demand `parent` asks for.
#[derive(Clone, Copy, Debug)]
struct Demand {
    parent: u32,
    /// The next demand of the same node.
    next: u32,
    depth: u16,
    unit: u16,
    to: u16,
}

/// A search. It keeps its memory for the next one, at most some megabytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// The steps from each cell, and where those of the next cell begin.
    ways: Vec<Way>,
    ends_of_ways: Vec<u32>,
    /// The costs and ends of each unit, by cells.
    costs: Vec<u64>,
    ends: Vec<End>,
    nodes: Vec<Node>,
    /// Of each node: where each unit is, for how many configurations it has not been at its end, and the units in the order
    /// in which they choose their cells.
    configurations: Vec<u16>,
    waiting: Vec<u32>,
    order: Vec<u16>,
    demands: Vec<Demand>,
    /// The nodes by the hashes of their configurations. One of two nodes with the same hash counts as unknown, which only
    /// takes time.
    known: HashMap<u64, u32>,
    open: Vec<u32>,
    random: u64,
    /// The number of placements of units so far.
    pub(super) placed: usize,
    /// Where units are in the configuration that is expanded, who is in each cell, and the same for the next one.
    at: Vec<u16>,
    in_cell: Vec<u16>,
    next: Vec<u16>,
    next_in_cell: Vec<u16>,
}

impl Search {
    /// Forgets the last search. Then come the steps of the new one, its units, and [`start`](Self::start).
    pub(super) fn clear(&mut self) {
        self.ways.clear();
        self.costs.clear();
        self.ends.clear();
        self.nodes.clear();
        self.demands.clear();
        self.known.clear();
        for list in [&mut self.configurations, &mut self.order, &mut self.next] {
            list.clear();
        }
        for list in [&mut self.ends_of_ways, &mut self.waiting, &mut self.open] {
            list.clear();
        }
        self.placed = 0;
    }

    /// Adds a step from the next cell; `None` ends its list.
    pub(super) fn add_way(&mut self, way: Option<Way>) {
        match way {
            Some(way) => self.ways.push(way),
            None => self.ends_of_ways.push(self.ways.len() as u32),
        }
    }

    /// Adds a unit, with its costs and ends in each cell.
    pub(super) fn add_unit(&mut self, start: u16, cells: impl Iterator<Item = (u64, End)>) {
        self.next.push(start);
        for (cost, end) in cells {
            self.costs.push(cost);
            self.ends.push(end);
        }
    }

    pub(super) fn start(&mut self, seed: u64) {
        self.random = seed;
        let (units, cells) = (self.next.len(), self.ends_of_ways.len());
        self.at.resize(units, NONE);
        self.in_cell.resize(cells, NONE);
        self.next_in_cell.resize(cells, NONE);
        self.push(NO_INDEX);
    }

    /// Searches on for about this many placements of units.
    pub(super) fn run(&mut self, placements: usize) -> Outcome {
        let until = self.placed + placements;
        while self.placed < until {
            let Some(&node) = self.open.last() else { return Outcome::Unsolvable };
            let is_at_end = |(unit, &at)| self.end(unit, at) != End::No;
            if self.configuration(node).iter().enumerate().all(is_at_end) {
                return Outcome::Solved;
            }
            let index = self.nodes[node as usize].next;
            if index == NO_INDEX {
                self.open.pop();
                continue;
            }
            self.add_demands(node, index);
            self.nodes[node as usize].next = self.demands[index as usize].next;
            if self.propose(node, index) {
                match self.known.get(&hash(&self.next)) {
                    Some(&known) if self.configuration(known) == self.next => self.open.push(known),
                    _ => self.push(node),
                }
            }
        }
        Outcome::Open
    }

    /// The configurations from the start to the end that was found.
    pub(super) fn solution(&self) -> impl DoubleEndedIterator<Item = &[u16]> {
        self.open.iter().map(|&node| self.configuration(node))
    }

    /// Leaves in the open list only the nodes on the way to its last one.
    pub(super) fn trace(&mut self) {
        let mut node = self.open.last().copied().unwrap_or(NO_INDEX);
        self.open.clear();
        while let Some(Node { parent, .. }) = self.nodes.get(node as usize) {
            self.open.push(node);
            node = *parent;
        }
        self.open.reverse();
    }

    fn configuration(&self, node: u32) -> &[u16] {
        let units = self.next.len();
        &self.configurations[node as usize * units..][..units]
    }

    pub(super) fn end(&self, unit: usize, at: u16) -> End {
        if at == NONE { End::Leaves } else { self.ends[unit * self.in_cell.len() + at as usize] }
    }

    /// The places of the steps from a cell in `ways`.
    fn ways_from(&self, at: u16) -> Range<usize> {
        let start = (at as usize).checked_sub(1).map_or(0, |before| self.ends_of_ways[before]);
        start as usize..self.ends_of_ways[at as usize] as usize
    }

    fn way(&self, from: u16, to: u16) -> Option<&Way> {
        self.ways[self.ways_from(from)].iter().find(|way| way.to == to)
    }

    /// Adds a node for the next configuration.
    fn push(&mut self, parent: u32) {
        let (units, node) = (self.next.len(), self.nodes.len() as u32);
        self.configurations.extend_from_slice(&self.next);
        for unit in 0..units {
            let before = if parent == NO_INDEX { 0 } else { self.waiting[parent as usize * units + unit] };
            let is_at_end = self.end(unit, self.next[unit]) != End::No;
            self.waiting.push(if is_at_end { 0 } else { before + 1 });
        }
        let first = self.order.len();
        self.order.extend(0..units as u16);
        let waiting = &self.waiting[first..];
        self.order[first..].sort_unstable_by_key(|&unit| (Reverse(waiting[unit as usize]), unit));
        let demand = self.demands.len() as u32;
        self.demands.push(Demand { parent: NO_INDEX, next: NO_INDEX, depth: 0, unit: NONE, to: NONE });
        self.nodes.push(Node { parent, next: demand, last: demand });
        self.known.insert(hash(&self.next), node);
        self.open.push(node);
    }

    /// Adds the demands of one unit more, in each of the cells that it can be in next.
    fn add_demands(&mut self, node: u32, parent: u32) {
        let units = self.next.len();
        let depth = self.demands[parent as usize].depth;
        let Some(&unit) = self.order[node as usize * units..][..units].get(depth as usize) else { return };
        let at = self.configuration(node)[unit as usize];
        let first = self.demands.len();
        let demand = |to| Demand { parent, next: NO_INDEX, depth: depth + 1, unit, to };
        if self.end(unit as usize, at) == End::Leaves {
            self.demands.push(demand(NONE));
        } else {
            self.demands.push(demand(at));
            let ways = &self.ways[self.ways_from(at)];
            self.demands.extend(ways.iter().map(|way| demand(way.to)));
        }
        for k in (first + 1..self.demands.len()).rev() {
            let other = first + (next_random(&mut self.random) as usize) % (k - first + 1);
            self.demands.swap(k, other);
        }
        let last = &mut self.nodes[node as usize].last;
        for k in first..self.demands.len() {
            self.demands[*last as usize].next = k as u32;
            *last = k as u32;
        }
    }

    /// Finds a next configuration that meets a demand.
    fn propose(&mut self, node: u32, demand: u32) -> bool {
        self.in_cell.fill(NONE);
        self.next_in_cell.fill(NONE);
        self.next.fill(NONE);
        let units = self.at.len();
        self.at.copy_from_slice(&self.configurations[node as usize * units..][..units]);
        for unit in 0..units {
            if self.end(unit, self.at[unit]) == End::Leaves {
                self.at[unit] = NONE;
            } else {
                self.in_cell[self.at[unit] as usize] = unit as u16;
            }
        }
        self.placed += units;
        let mut demand = self.demands[demand as usize];
        while demand.depth > 0 {
            let Demand { unit, to, .. } = demand;
            if to != NONE {
                let from = self.at[unit as usize];
                let crossing = self.way(from, to).and_then(|way| way.crossing);
                if !self.can_enter(from, to, crossing) {
                    return false;
                }
                self.next[unit as usize] = to;
                self.next_in_cell[to as usize] = unit;
            }
            demand = self.demands[demand.parent as usize];
        }
        for k in 0..units {
            let unit = self.order[node as usize * units + k];
            let is_there = self.at[unit as usize] != NONE;
            if is_there && self.next[unit as usize] == NONE && !self.place(unit) {
                return false;
            }
        }
        true
    }

    /// Whether a step meets none of those that are chosen already.
    fn can_enter(&self, from: u16, to: u16, crossing: Option<(u16, u16)>) -> bool {
        let goes = |from: u16, to: u16| {
            let unit = self.in_cell[from as usize];
            unit != NONE && self.next[unit as usize] == to
        };
        self.next_in_cell[to as usize] == NONE
            && (from == to || !goes(to, from))
            && crossing.is_none_or(|(one, other)| !goes(one, other) && !goes(other, one))
    }

    /// Chooses the next cell of a unit, and of those that have to make way for it.
    fn place(&mut self, unit: u16) -> bool {
        let at = self.at[unit as usize];
        let mut options = [(0, false, 0, Way { to: at, crossing: None }); 9];
        let mut len = 0;
        let stay = Way { to: at, crossing: None };
        for &way in std::iter::once(&stay).chain(&self.ways[self.ways_from(at)]) {
            let is_taken = way.to != at && self.in_cell[way.to as usize] != NONE;
            // A unit that can be anywhere stays where it is.
            let cost = self.cost(unit.into(), way.to.into()).max(u64::from(way.to != at));
            options[len] = (cost, is_taken, next_random(&mut self.random), way);
            len += 1;
        }
        options[..len].sort_unstable_by_key(|&(cost, is_taken, random, _)| (cost, is_taken, random));
        let wanted = options[0].3.to;
        let partner = self.partner_to_swap_with(unit.into(), at.into(), wanted.into());
        if partner.is_some() {
            options[..len].reverse();
        }
        for (k, &(.., way)) in options[..len].iter().enumerate() {
            if !self.can_enter(at, way.to, way.crossing) {
                continue;
            }
            self.next[unit as usize] = way.to;
            self.next_in_cell[way.to as usize] = unit;
            let other = self.in_cell[way.to as usize];
            if other == NONE || other == unit || self.next[other as usize] != NONE || self.place(other) {
                if let Some(partner) = partner.filter(|_| k == 0) {
                    self.pull(partner as u16, at);
                }
                return true;
            }
        }
        self.next[unit as usize] = at;
        self.next_in_cell[at as usize] = unit;
        false
    }

    /// Lets a unit follow into a cell that another one leaves.
    fn pull(&mut self, unit: u16, to: u16) {
        let from = self.at[unit as usize];
        if let Some(&Way { crossing, .. }) = self.way(from, to)
            && self.next[unit as usize] == NONE
            && self.can_enter(from, to, crossing)
        {
            self.next[unit as usize] = to;
            self.next_in_cell[to as usize] = unit;
        }
    }
}

impl Swaps for Search {
    fn cost(&self, unit: usize, at: usize) -> u64 {
        self.costs[unit * self.in_cell.len() + at]
    }

    fn idle_unit(&self, at: usize) -> Option<usize> {
        Some(self.in_cell[at]).filter(|&unit| unit != NONE).map(usize::from)
    }

    fn has_decided(&self, unit: usize) -> bool {
        self.next[unit] != NONE
    }

    fn vanishes_at(&self, unit: usize, at: usize) -> bool {
        self.end(unit, at as u16) == End::Leaves
    }

    fn stays_at(&self, unit: usize, at: usize) -> bool {
        self.end(unit, at as u16) == End::Stays
    }

    fn for_each_neighbour(&self, at: usize, mut visit: impl FnMut(usize)) {
        self.ways[self.ways_from(at as u16)].iter().for_each(|way| visit(way.to.into()));
    }
}

fn hash(configuration: &[u16]) -> u64 {
    let mut hasher = DefaultHasher::new();
    configuration.hash(&mut hasher);
    hasher.finish()
}

fn next_random(state: &mut u64) -> u32 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB) >> 32) as u32
}
