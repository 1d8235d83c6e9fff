//! The joint search for the steps of a few agents in a small region: LaCAM (Okumura, "LaCAM: search-based algorithm for
//! quick multi-agent pathfinding", 2023).
//!
//! A configuration is the cells of all agents. Priority inheritance with backtracking generates the next configuration.
//! When the search comes back to a configuration, it constrains the next cell of one more agent there. So it finds a
//! solution if there is one, usually soon.
//!
//! Agents may have several shapes: each takes up the cells of its square, and has its own steps. The cell of an agent
//! is the first of its square. Small agents may all move at the same time in a circle. A large agent enters only cells
//! that are free once others have moved without waiting for it, as in a crowd.

mod best_first;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use crate::making_way::swap::Swaps;
use best_first::BestFirst;
use emberwalk_path::internal::hash_of;

/// In place of a cell: the agent is not in the region any more, or its next cell is not chosen yet. In place of an
/// agent: there is none.
pub(super) const NONE: u16 = u16::MAX;
/// In place of an index: there is none.
const NO_INDEX: u32 = u32::MAX;

/// The meaning of a cell for an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum End {
    /// It has to move on.
    No,
    /// It can stay.
    Stays,
    /// It leaves the map or the region there.
    Leaves,
}

/// A step within the region.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Edge {
    pub(super) to: u16,
    /// The step that would cross this one on the other diagonal.
    pub(super) crossing: Option<(u16, u16)>,
}

/// The common data of agents of one kind.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Shape {
    /// The place of its first square in the list of squares.
    first: u32,
    /// The number of cells of a square.
    cells: u32,
}

/// The state of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It has not ended yet.
    Open,
    Solved,
    /// There is no solution.
    Unsolvable,
}

/// A configuration, and the queue of the constraints to try there.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Node {
    /// The node from which it was generated first.
    parent: u32,
    /// The first and the last constraint in its queue.
    next: u32,
    last: u32,
}

/// An agent with its next cell, in addition to the constraint `parent`. At depth 0, nothing is constrained.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Constraint {
    parent: u32,
    /// The next constraint in the queue of the same node.
    next: u32,
    /// The number of agents that are constrained.
    depth: u16,
    agent: u16,
    to: u16,
}

/// A search. It keeps its memory for the next one, up to some tens of megabytes.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Search {
    /// The number of cells of the region.
    cells: usize,
    shapes: Vec<Shape>,
    /// Whether some shape has several cells. Other searches are as quick as if there were no squares.
    has_large: bool,
    /// The cells that an agent takes up in each cell, one shape and one cell after the other.
    squares: Vec<u16>,
    /// The steps from each cell, in the same order, and where the steps from each cell end.
    edges: Vec<Edge>,
    edge_ends: Vec<u32>,
    /// The shape of each agent.
    shape_of: Vec<u16>,
    /// The costs and ends of each agent, by cells.
    costs: Vec<u64>,
    ends: Vec<End>,
    nodes: Vec<Node>,
    /// For each node: where each agent is, for how many configurations it has not been at its end, and the agents in
    /// the order in which they choose their cells.
    configurations: Vec<u16>,
    waiting: Vec<u32>,
    order: Vec<u16>,
    constraints: Vec<Constraint>,
    /// The nodes by the hashes of their configurations. If two nodes have the same hash, one of them counts as unknown,
    /// which only takes time.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::index::in_order"))]
    known: HashMap<u64, u32>,
    /// The nodes to expand, the next one last; in the end the nodes of the solution, from the start.
    open: Vec<u32>,
    random: u64,
    best_first: BestFirst,
    /// The number of placements of agents so far.
    pub(super) placed: usize,
    /// The cell of each agent in the configuration that is expanded, and the agent in each cell.
    at: Vec<u16>,
    in_cell: Vec<u16>,
    /// The same for the next configuration.
    next: Vec<u16>,
    next_in_cell: Vec<u16>,
}

impl Search {
    /// Forgets the last search. Then add the shapes and the agents of the new search, which has this many cells, and
    /// [`start`](Self::start) it.
    pub(super) fn clear(&mut self, cells: usize) {
        self.cells = cells;
        self.shapes.clear();
        self.has_large = false;
        self.squares.clear();
        self.shape_of.clear();
        self.edges.clear();
        self.costs.clear();
        self.ends.clear();
        self.edge_ends.clear();
        self.next.clear();
        self.forget_nodes();
        self.placed = 0;
    }

    /// Whether there is no search, but its memory is kept for the next one.
    #[cfg(feature = "serde")]
    pub(super) fn is_over(&self) -> bool {
        self.next.is_empty()
    }

    fn forget_nodes(&mut self) {
        self.nodes.clear();
        self.constraints.clear();
        self.known.clear();
        for list in [&mut self.configurations, &mut self.order] {
            list.clear();
        }
        for list in [&mut self.waiting, &mut self.open] {
            list.clear();
        }
    }

    /// Adds a shape of squares of this many cells. Then add its square and its steps in each cell.
    pub(super) fn add_shape(&mut self, cells: usize) {
        self.has_large |= cells > 1;
        self.shapes.push(Shape { first: self.squares.len() as u32, cells: cells as u32 });
    }

    /// Adds the square in the next cell, with [`NONE`] in place of the cells that do not belong to the region.
    pub(super) fn add_square(&mut self, cells: impl Iterator<Item = u16>) {
        self.squares.extend(cells);
    }

    /// Whether the square of the last shape in a cell is in the region.
    pub(super) fn has_square(&self, at: usize) -> bool {
        let Some(&Shape { first, cells }) = self.shapes.last() else { return false };
        let start = first as usize + at * cells as usize;
        !self.squares[start..start + cells as usize].contains(&NONE)
    }

    /// Adds a step from the next cell; `None` ends its list.
    pub(super) fn add_edge(&mut self, edge: Option<Edge>) {
        match edge {
            Some(edge) => self.edges.push(edge),
            None => self.edge_ends.push(self.edges.len() as u32),
        }
    }

    /// Adds an agent of a shape, with its costs and ends in each cell.
    pub(super) fn add_agent(&mut self, shape: usize, start: u16, cells: impl Iterator<Item = (u64, End)>) {
        self.shape_of.push(shape as u16);
        self.next.push(start);
        for (cost, end) in cells {
            self.costs.push(cost);
            self.ends.push(end);
        }
    }

    /// Starts with the cells in which agents were added. The seed is for random order. If a few agents are there, some of them
    /// large, an eighth and a half of these placements go to [best-first search](best_first).
    pub(super) fn start(&mut self, seed: u64, placements: usize) {
        self.random = seed;
        let (agents, cells) = (self.next.len(), self.cells);
        self.at.resize(agents, NONE);
        self.in_cell.resize(cells, NONE);
        self.next_in_cell.resize(cells, NONE);
        self.start_best_first(placements);
        if self.best_first.until == 0 {
            self.push(NO_INDEX);
        }
    }

    /// Continues for about this many placements of agents.
    pub(super) fn run(&mut self, placements: usize) -> Outcome {
        if self.best_first.until > 0 || self.restart_best_first() {
            match self.run_best_first(placements) {
                Outcome::Unsolvable if !self.is_complete_in_single_steps() => self.end_best_first(),
                Outcome::Open if self.placed >= self.best_first.until => self.end_best_first(),
                outcome => return outcome,
            }
            return Outcome::Open;
        }
        let until = self.placed + placements;
        while self.placed < until {
            let Some(&node) = self.open.last() else { return Outcome::Unsolvable };
            let is_at_end = |(agent, &at)| self.end(agent, at) != End::No;
            if self.configuration(node).iter().enumerate().all(is_at_end) {
                self.trace(node);
                return Outcome::Solved;
            }
            let index = self.nodes[node as usize].next;
            if index == NO_INDEX {
                self.open.pop();
                continue;
            }
            self.add_constraints(node, index);
            self.nodes[node as usize].next = self.constraints[index as usize].next;
            if self.generate(node, index) {
                match self.known.get(&key(&self.next)) {
                    Some(&known) if self.configuration(known) == self.next => self.open.push(known),
                    _ => self.push(node),
                }
            }
        }
        Outcome::Open
    }

    /// The cells where agents start.
    pub(super) fn starts(&self) -> impl Iterator<Item = usize> {
        self.configuration(0)
            .iter()
            .enumerate()
            .flat_map(|(agent, &at)| self.square(agent, at))
            .map(|&cell| cell.into())
    }

    /// The steps of the solution: the agent, where it is before, and where afterwards.
    pub(super) fn steps(&self) -> impl DoubleEndedIterator<Item = (usize, u16, u16)> {
        self.open.windows(2).flat_map(|pair| {
            let [before, after] = [pair[0], pair[1]].map(|node| self.configuration(node));
            let moves = before.iter().zip(after).enumerate();
            moves.filter(|&(_, (from, &to))| to != NONE && *from != to).map(|(agent, (&from, &to))| (agent, from, to))
        })
    }

    /// The cells that an agent enters with a step.
    pub(super) fn entered(&self, agent: usize, from: u16, to: u16) -> impl Iterator<Item = usize> {
        let left = self.square(agent, from);
        self.square(agent, to).iter().filter(move |cell| !left.contains(cell)).map(|&cell| cell.into())
    }

    /// The meaning of each agent's last cell in the solution.
    pub(super) fn final_ends(&self) -> impl Iterator<Item = End> {
        let last = self.open.last().map_or(&[][..], |&node| self.configuration(node));
        last.iter().enumerate().map(|(agent, &at)| self.end(agent, at))
    }

    /// Replaces the open list by the nodes from the start to this one.
    fn trace(&mut self, mut node: u32) {
        self.open.clear();
        while let Some(Node { parent, .. }) = self.nodes.get(node as usize) {
            self.open.push(node);
            node = *parent;
        }
        self.open.reverse();
    }

    fn configuration(&self, node: u32) -> &[u16] {
        let agents = self.next.len();
        &self.configurations[node as usize * agents..][..agents]
    }

    /// The meaning of a cell for an agent.
    fn end(&self, agent: usize, at: u16) -> End {
        if at == NONE { End::Leaves } else { self.ends[agent * self.cells + at as usize] }
    }

    /// The places in `squares` of the cells that an agent takes up in a cell.
    #[inline]
    fn places(&self, agent: usize, at: u16) -> Range<usize> {
        if !self.has_large {
            // All squares of one cell are that cell.
            return at as usize..at as usize + 1;
        }
        let Shape { first, cells } = self.shapes[self.shape_of[agent] as usize];
        let start = first as usize + at as usize * cells as usize;
        start..start + cells as usize
    }

    /// The cells that an agent takes up in a cell.
    #[inline]
    fn square(&self, agent: usize, at: u16) -> &[u16] {
        &self.squares[self.places(agent, at)]
    }

    #[inline]
    fn is_large(&self, agent: u16) -> bool {
        self.has_large && self.shapes[self.shape_of[agent as usize] as usize].cells > 1
    }

    /// The places in `edges` of the steps of an agent from a cell.
    #[inline]
    fn edges_from(&self, agent: u16, at: u16) -> Range<usize> {
        let shape = if self.shapes.len() == 1 { 0 } else { self.shape_of[agent as usize] as usize };
        let place = shape * self.cells + at as usize;
        let start = place.checked_sub(1).map_or(0, |before| self.edge_ends[before]);
        start as usize..self.edge_ends[place] as usize
    }

    fn edge(&self, agent: u16, from: u16, to: u16) -> Option<&Edge> {
        self.edges[self.edges_from(agent, from)].iter().find(|edge| edge.to == to)
    }

    /// Adds a node for the next configuration.
    fn push(&mut self, parent: u32) {
        let (agents, node) = (self.next.len(), self.nodes.len() as u32);
        self.configurations.extend_from_slice(&self.next);
        for agent in 0..agents {
            let before = if parent == NO_INDEX { 0 } else { self.waiting[parent as usize * agents + agent] };
            let is_at_end = self.end(agent, self.next[agent]) != End::No;
            self.waiting.push(if is_at_end { 0 } else { before + 1 });
        }
        let first = self.order.len();
        self.order.extend(0..agents as u16);
        let waiting = &self.waiting[first..];
        self.order[first..].sort_unstable_by_key(|&agent| (Reverse(waiting[agent as usize]), agent));
        let constraint = self.constraints.len() as u32;
        self.constraints.push(Constraint { parent: NO_INDEX, next: NO_INDEX, depth: 0, agent: NONE, to: NONE });
        self.nodes.push(Node { parent, next: constraint, last: constraint });
        self.known.insert(key(&self.next), node);
        self.open.push(node);
    }

    /// Adds constraints of one more agent, one for each of its possible next cells.
    fn add_constraints(&mut self, node: u32, parent: u32) {
        let agents = self.next.len();
        let depth = self.constraints[parent as usize].depth;
        let Some(&agent) = self.order[node as usize * agents..][..agents].get(depth as usize) else { return };
        let at = self.configuration(node)[agent as usize];
        let first = self.constraints.len();
        let constraint = |to| Constraint { parent, next: NO_INDEX, depth: depth + 1, agent, to };
        if self.end(agent as usize, at) == End::Leaves {
            self.constraints.push(constraint(NONE));
        } else {
            self.constraints.push(constraint(at));
            let edges = &self.edges[self.edges_from(agent, at)];
            self.constraints.extend(edges.iter().map(|edge| constraint(edge.to)));
        }
        for k in (first + 1..self.constraints.len()).rev() {
            let other = first + (next_random(&mut self.random) as usize) % (k - first + 1);
            self.constraints.swap(k, other);
        }
        let last = &mut self.nodes[node as usize].last;
        for k in first..self.constraints.len() {
            self.constraints[*last as usize].next = k as u32;
            *last = k as u32;
        }
    }

    /// Generates a next configuration that meets a constraint. Returns whether there is one.
    fn generate(&mut self, node: u32, constraint: u32) -> bool {
        self.next_in_cell.fill(NONE);
        self.next.fill(NONE);
        self.in_cell.fill(NONE);
        self.put_all(node);
        let agents = self.at.len();
        self.placed += agents;
        let mut constraint = self.constraints[constraint as usize];
        while constraint.depth > 0 {
            let Constraint { agent, to, .. } = constraint;
            if to != NONE {
                let from = self.at[agent as usize];
                let crossing = self.edge(agent, from, to).and_then(|edge| edge.crossing);
                if !self.can_enter(agent, to, crossing) {
                    return false;
                }
                self.choose(agent, to);
            }
            constraint = self.constraints[constraint.parent as usize];
        }
        for k in 0..agents {
            let agent = self.order[node as usize * agents + k];
            let is_there = self.at[agent as usize] != NONE;
            if is_there && self.next[agent as usize] == NONE && !self.place(agent) {
                return false;
            }
        }
        // A large agent that could not make way may stand where another agent was forced to go.
        let has_its_cells = |agent: usize| {
            let next = self.next[agent];
            next == NONE
                || self.square(agent, next).iter().all(|&cell| self.next_in_cell[cell as usize] == agent as u16)
        };
        !self.has_large || (0..agents).all(has_its_cells)
    }

    /// Puts all agents where they are in a configuration.
    fn put_all(&mut self, node: u32) {
        let agents = self.at.len();
        self.at.copy_from_slice(&self.configurations[node as usize * agents..][..agents]);
        for agent in 0..agents {
            if self.end(agent, self.at[agent]) == End::Leaves {
                self.at[agent] = NONE;
            } else {
                for place in self.places(agent, self.at[agent]) {
                    self.in_cell[self.squares[place] as usize] = agent as u16;
                }
            }
        }
    }

    /// Takes all agents out of the cells where they are.
    fn take_all_away(&mut self) {
        for agent in (0..self.at.len()).filter(|&agent| self.at[agent] != NONE) {
            for place in self.places(agent, self.at[agent]) {
                self.in_cell[self.squares[place] as usize] = NONE;
            }
        }
    }

    /// Notes the next cell of an agent.
    fn choose(&mut self, agent: u16, to: u16) {
        self.next[agent as usize] = to;
        for place in self.places(agent.into(), to) {
            self.next_in_cell[self.squares[place] as usize] = agent;
        }
    }

    /// Takes back the choice of an agent, except for cells that another agent has taken since.
    fn withdraw(&mut self, agent: u16, to: u16) {
        for place in self.places(agent.into(), to) {
            let next = &mut self.next_in_cell[self.squares[place] as usize];
            if *next == agent {
                *next = NONE;
            }
        }
    }

    /// Whether a step conflicts with no step chosen already.
    fn can_enter(&self, agent: u16, to: u16, crossing: Option<(u16, u16)>) -> bool {
        let goes = |from: u16, to: u16| {
            let agent = self.in_cell[from as usize];
            agent != NONE && self.next[agent as usize] == to
        };
        let from = self.at[agent as usize];
        let changes_places = |&cell: &u16| cell != from && goes(cell, from);
        let cells = self.square(agent.into(), to);
        cells.iter().all(|&cell| self.next_in_cell[cell as usize] == NONE)
            && (from == to || !cells.iter().any(changes_places))
            && crossing.is_none_or(|(one, other)| !goes(one, other) && !goes(other, one))
            && (from == to || !self.closes_circle(agent, to))
    }

    /// Whether agents would wait for each other in a circle with a large agent.
    fn closes_circle(&self, agent: u16, to: u16) -> bool {
        self.has_large && self.waits_for(agent, to, agent, self.is_large(agent), &mut [0; 2])
    }

    /// Whether an agent that enters a cell waits until the first agent has moved, and a large agent is among the agents
    /// between them. `seen` has the agents that are known not to, with or without a large agent before them.
    fn waits_for(&self, agent: u16, to: u16, first: u16, has_large: bool, seen: &mut [u128; 2]) -> bool {
        self.square(agent.into(), to).iter().any(|&cell| {
            let other = self.in_cell[cell as usize];
            if other == NONE || other == agent {
                return false;
            }
            if other == first {
                return has_large;
            }
            let next = self.next[other as usize];
            let has_large = has_large || self.is_large(other);
            let bit = 1_u128.checked_shl(other.into()).unwrap_or_default();
            let is_new = seen[usize::from(has_large)] & bit == 0;
            seen[usize::from(has_large)] |= bit;
            is_new
                && next != NONE
                && next != self.at[other as usize]
                && self.waits_for(other, next, first, has_large, seen)
        })
    }

    /// Chooses the next cell of an agent, and of the agents that have to make way for it. Returns whether they can all
    /// move this way.
    fn place(&mut self, agent: u16) -> bool {
        let at = self.at[agent as usize];
        let mut options = [(0, false, 0, Edge { to: at, crossing: None }); 9];
        let mut len = 0;
        let stay = Edge { to: at, crossing: None };
        let is_taken = |&cell: &u16| ![NONE, agent].contains(&self.in_cell[cell as usize]);
        for &edge in std::iter::once(&stay).chain(&self.edges[self.edges_from(agent, at)]) {
            let is_taken = self.square(agent.into(), edge.to).iter().any(is_taken);
            // An agent that can be anywhere stays where it is.
            let cost = self.cost(agent, edge.to).max(u64::from(edge.to != at));
            options[len] = (cost, is_taken, next_random(&mut self.random), edge);
            len += 1;
        }
        options[..len].sort_unstable_by_key(|&(cost, is_taken, random, _)| (cost, is_taken, random));
        let wanted = options[0].3.to;
        let partner = if self.is_large(agent) { None } else { self.partner_to_swap_with(agent, at, wanted) };
        if partner.is_some() {
            options[..len].reverse();
        }
        for (k, &(.., edge)) in options[..len].iter().enumerate() {
            if !self.can_enter(agent, edge.to, edge.crossing) {
                continue;
            }
            self.choose(agent, edge.to);
            if self.all_make_way(agent, edge.to) {
                if let Some(partner) = partner.filter(|_| k == 0) {
                    self.pull(partner, at);
                }
                return true;
            }
            self.withdraw(agent, edge.to);
        }
        self.choose(agent, at);
        false
    }

    /// Lets all agents that have not chosen yet leave the cells that an agent enters. Returns whether they can.
    fn all_make_way(&mut self, agent: u16, to: u16) -> bool {
        self.places(agent.into(), to).all(|place| {
            let other = self.in_cell[self.squares[place] as usize];
            other == NONE || other == agent || self.next[other as usize] != NONE || self.place(other)
        })
    }

    /// Lets an agent follow into a cell that another one leaves.
    fn pull(&mut self, agent: u16, to: u16) {
        let from = self.at[agent as usize];
        if let Some(&Edge { crossing, .. }) = self.edge(agent, from, to)
            && self.next[agent as usize] == NONE
            && self.can_enter(agent, to, crossing)
        {
            self.choose(agent, to);
        }
    }
}

impl Swaps for Search {
    type Agent = u16;
    type Cell = u16;

    fn cost(&self, agent: u16, at: u16) -> u64 {
        self.costs[agent as usize * self.cells + at as usize]
    }

    fn idle_agent(&self, at: u16) -> Option<u16> {
        Some(self.in_cell[at as usize]).filter(|&agent| agent != NONE && !self.is_large(agent))
    }

    fn has_decided(&self, agent: u16) -> bool {
        self.next[agent as usize] != NONE
    }

    fn vanishes_at(&self, agent: u16, at: u16) -> bool {
        self.end(agent.into(), at) == End::Leaves
    }

    fn stays_at(&self, agent: u16, at: u16) -> bool {
        self.end(agent.into(), at) == End::Stays
    }

    fn for_each_neighbour(&self, agent: u16, at: u16, mut visit: impl FnMut(u16)) {
        self.edges[self.edges_from(agent, at)].iter().for_each(|edge| visit(edge.to));
    }
}

/// The key of a configuration. It is saved, so it is the same on every machine and with every compiler.
pub(super) fn key(configuration: &[u16]) -> u64 {
    hash_of(configuration.iter().map(|&at| at.into()))
}

fn next_random(state: &mut u64) -> u32 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB) >> 32) as u32
}
