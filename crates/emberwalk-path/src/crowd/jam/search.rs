//! The joint search for the steps of a few units in a small region: LaCAM (Okumura, "LaCAM: search-based algorithm for quick
//! multi-agent pathfinding", 2023).
//!
//! A configuration says where each unit is. From each, priority inheritance with backtracking proposes the next one, and
//! when the search comes back to a configuration, it demands another cell of one unit more. So it finds a way out if there
//! is one, and mostly soon.

use std::collections::HashMap;

use super::super::swap::Swaps;

/// In place of a cell: the unit is not in the region any more, or its next cell is not chosen yet.
pub(super) const NONE: u16 = u16::MAX;

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

/// A configuration.
#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    /// For how many configurations each unit has not been at its end.
    waiting: Vec<u32>,
    /// The units, the one to go first in front.
    order: Vec<u16>,
    demands: Vec<Demand>,
    /// The next demand to try.
    next: usize,
}

/// That a unit's next cell is this one, and what the demand `parent` asks for.
#[derive(Clone, Copy, Debug)]
struct Demand {
    parent: usize,
    depth: usize,
    unit: u16,
    to: u16,
}

/// A search that has not ended yet.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// The steps from each cell.
    pub(super) ways: Vec<Vec<Way>>,
    /// For each unit, its costs and ends by cells.
    pub(super) costs: Vec<Vec<u64>>,
    pub(super) ends: Vec<Vec<End>>,
    nodes: Vec<Node>,
    configurations: Vec<Vec<u16>>,
    known: HashMap<Vec<u16>, u32>,
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
    pub(super) fn new(
        ways: Vec<Vec<Way>>,
        costs: Vec<Vec<u64>>,
        ends: Vec<Vec<End>>,
        starts: Vec<u16>,
        seed: u64,
    ) -> Self {
        let (units, cells) = (starts.len(), ways.len());
        let mut search = Self {
            ways,
            costs,
            ends,
            nodes: Vec::new(),
            configurations: Vec::new(),
            known: HashMap::new(),
            open: Vec::new(),
            random: seed,
            placed: 0,
            at: vec![NONE; units],
            in_cell: vec![NONE; cells],
            next: vec![NONE; units],
            next_in_cell: vec![NONE; cells],
        };
        search.push(starts, u32::MAX);
        search
    }

    /// Searches on for about this many placements of units. `Some(None)` means that there is no solution, and
    /// `Some(Some(_))` is one: the configurations from the start.
    pub(super) fn run(&mut self, placements: usize) -> Option<Option<Vec<Vec<u16>>>> {
        let until = self.placed + placements;
        while self.placed < until {
            let Some(&node) = self.open.last() else { return Some(None) };
            let configuration = &self.configurations[node as usize];
            if configuration.iter().enumerate().all(|(unit, &at)| self.end(unit, at) != End::No) {
                return Some(Some(self.solution(node)));
            }
            let Node { demands, next, order, .. } = &mut self.nodes[node as usize];
            let Some(&demand) = demands.get(*next) else {
                self.open.pop();
                continue;
            };
            let index = *next;
            *next += 1;
            // One unit more, in each of the cells that it can be in next.
            if let Some(&unit) = order.get(demand.depth) {
                let at = configuration[unit as usize];
                let depth = demand.depth + 1;
                if at == NONE || self.ends[unit as usize][at as usize] == End::Leaves {
                    demands.push(Demand { parent: index, depth, unit, to: NONE });
                } else {
                    let first = demands.len();
                    demands.push(Demand { parent: index, depth, unit, to: at });
                    let ways = self.ways[at as usize].iter();
                    demands.extend(ways.map(|way| Demand { parent: index, depth, unit, to: way.to }));
                    for k in (first + 1..demands.len()).rev() {
                        let other = first + (next_random(&mut self.random) as usize) % (k - first + 1);
                        demands.swap(k, other);
                    }
                }
            }
            if self.propose(node, index) {
                match self.known.get(&self.next) {
                    Some(&known) => self.open.push(known),
                    None => self.push(self.next.clone(), node),
                }
            }
        }
        None
    }

    fn end(&self, unit: usize, at: u16) -> End {
        if at == NONE { End::Leaves } else { self.ends[unit][at as usize] }
    }

    fn push(&mut self, configuration: Vec<u16>, parent: u32) {
        let node = self.nodes.len() as u32;
        let waiting: Vec<u32> = (0..configuration.len())
            .map(|unit| match self.end(unit, configuration[unit]) {
                End::No => self.nodes.get(parent as usize).map_or(0, |parent| parent.waiting[unit]) + 1,
                _ => 0,
            })
            .collect();
        let mut order: Vec<u16> = (0..configuration.len() as u16).collect();
        order.sort_by_key(|&unit| std::cmp::Reverse(waiting[unit as usize]));
        let demands = vec![Demand { parent: 0, depth: 0, unit: NONE, to: NONE }];
        self.nodes.push(Node { parent, waiting, order, demands, next: 0 });
        self.known.insert(configuration.clone(), node);
        self.configurations.push(configuration);
        self.open.push(node);
    }

    /// Finds a next configuration that meets a demand.
    fn propose(&mut self, node: u32, demand: usize) -> bool {
        self.in_cell.fill(NONE);
        self.next_in_cell.fill(NONE);
        self.next.fill(NONE);
        self.at.clone_from(&self.configurations[node as usize]);
        for unit in 0..self.at.len() {
            if self.end(unit, self.at[unit]) == End::Leaves {
                self.at[unit] = NONE;
            } else {
                self.in_cell[self.at[unit] as usize] = unit as u16;
            }
        }
        self.placed += self.at.len();
        let mut demand = self.nodes[node as usize].demands[demand];
        while demand.depth > 0 {
            let Demand { unit, to, .. } = demand;
            if to != NONE {
                let from = self.at[unit as usize];
                let crossing = self.ways[from as usize].iter().find(|way| way.to == to).and_then(|way| way.crossing);
                if !self.can_enter(from, to, crossing) {
                    return false;
                }
                self.next[unit as usize] = to;
                self.next_in_cell[to as usize] = unit;
            }
            demand = self.nodes[node as usize].demands[demand.parent];
        }
        for k in 0..self.at.len() {
            let unit = self.nodes[node as usize].order[k];
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
        for &way in std::iter::once(&stay).chain(&self.ways[at as usize]) {
            let is_taken = way.to != at && self.in_cell[way.to as usize] != NONE;
            let random = next_random(&mut self.random);
            // A unit that can be anywhere stays where it is.
            let cost = match self.costs[unit as usize].get(way.to as usize) {
                Some(&cost) => cost,
                None => u64::from(way.to != at),
            };
            options[len] = (cost, is_taken, random, way);
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
        let way = self.ways[from as usize].iter().find(|way| way.to == to);
        if let Some(way) = way
            && self.next[unit as usize] == NONE
            && self.can_enter(from, to, way.crossing)
        {
            self.next[unit as usize] = to;
            self.next_in_cell[to as usize] = unit;
        }
    }

    fn solution(&self, node: u32) -> Vec<Vec<u16>> {
        let mut found = vec![self.configurations[node as usize].clone()];
        let mut node = node;
        while let Some(parent) = self.configurations.get(self.nodes[node as usize].parent as usize) {
            node = self.nodes[node as usize].parent;
            found.push(parent.clone());
        }
        found.reverse();
        found
    }
}

impl Swaps for Search {
    fn cost(&self, unit: usize, at: usize) -> u64 {
        self.costs[unit].get(at).copied().unwrap_or(0)
    }

    fn idle_unit(&self, at: usize) -> Option<usize> {
        Some(self.in_cell[at]).filter(|&unit| unit != NONE).map(usize::from)
    }

    fn has_decided(&self, unit: usize) -> bool {
        self.next[unit] != NONE
    }

    fn vanishes_at(&self, unit: usize, at: usize) -> bool {
        self.ends[unit][at] == End::Leaves
    }

    fn stays_at(&self, unit: usize, at: usize) -> bool {
        self.ends[unit][at] == End::Stays
    }

    fn for_each_neighbour(&self, at: usize, mut visit: impl FnMut(usize)) {
        self.ways[at].iter().for_each(|way| visit(way.to.into()));
    }
}

fn next_random(state: &mut u64) -> u32 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB) >> 32) as u32
}
