//! A* over pairs of a cell and an interval in which it stays passable.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::timed_steps::{FirstStep, TimedStep, TimedSteps, Way};
use super::timeline::NEVER;
use super::timelines::Timelines;

/// The largest number of nodes, and of later steps, on a grid with this many cells: a search that needs more gives up.
pub(crate) fn max_nodes(cells: usize) -> usize {
    (1 << 20) + cells.saturating_mul(4)
}

/// A cell in an interval in which it stays passable.
#[derive(Clone, Copy, Debug)]
struct Node {
    at: usize,
    /// When the interval ends.
    open_until: u64,
    /// The earliest known arrival.
    arrival: u64,
    /// The node before, and when the step from there starts.
    before: Option<(u32, u64)>,
    is_closed: bool,
    /// The number of the next node in the same cell; [`u32::MAX`] if there is none.
    next: u32,
}

/// The goals of a search, and its limits. Cells are given by their index.
pub(crate) trait TimedAim {
    /// A lower bound on the time to the nearest goal, which is consistent: no step decreases the sum of the time so far and
    /// the bound.
    fn estimate(&mut self, at: usize) -> u64;

    /// Whether a cell is a goal.
    fn is_goal(&self, at: usize) -> bool;

    /// Takes note of an event of the search.
    fn note(&mut self, event: TimedEvent) {
        let _ = event;
    }
}

/// A cell was opened, or closed, in an interval in which it stays passable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedEvent {
    pub(crate) is_closed: bool,
    pub(crate) at: usize,
    /// When the interval ends.
    pub(crate) open_until: u64,
    pub(crate) arrival: u64,
    /// The cell before.
    pub(crate) parent: Option<usize>,
}

/// The memory of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimedMemory {
    nodes: Vec<Node>,
    /// The number of the first node in each cell; [`u32::MAX`] if there is none.
    first: Vec<u32>,
    open: BinaryHeap<Reverse<(u64, Open)>>,
    /// How much time was left at most in each cell, by the phase of the end of its interval.
    left: HashMap<(usize, u64), u64>,
}

/// An entry of the open list; arrivals come before later steps with the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Open {
    /// A node with this arrival.
    Node { later: Reverse<u64>, number: u32 },
    /// The steps from a node by a way that start at this time or later.
    Later { number: u32, way: Way, time: u64 },
}

/// How a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// At a node.
    Found(u32),
    /// No goal can be reached.
    Unreachable,
    /// No goal can be reached by the latest arrival.
    TooLate,
    /// It has expanded as many nodes as it may.
    Stopped,
}

/// When a search ends without a route.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedLimits {
    pub(crate) latest: u64,
    pub(crate) max_expanded: u64,
}

impl TimedMemory {
    /// Searches from cells, which are all passable at the departure, for the earliest arrival at a goal. Returns how it has
    /// ended, and the number of expansions.
    pub(crate) fn search(
        &mut self,
        steps: TimedSteps<'_>,
        timelines: &Timelines,
        starts: impl Iterator<Item = usize>,
        departure: u64,
        aim: &mut impl TimedAim,
        limits: TimedLimits,
    ) -> (Ended, u64) {
        self.nodes.clear();
        self.first.clear();
        self.first.resize(steps.cells(), u32::MAX);
        self.open.clear();
        self.left.clear();
        let mut search = Search { memory: self, steps, aim, latest: limits.latest, is_cut: false };
        for at in starts {
            let step =
                TimedStep { to: at, start: 0, end: departure, open_until: steps.start_blocked_from(at, departure) };
            search.reach(step, None);
        }
        let (repeats_from, period) = (timelines.repeats_from(), timelines.period());
        let max_nodes = max_nodes(steps.cells()).min(u32::MAX as usize);
        let (mut expanded, mut later) = (0, 0);
        while let Some(Reverse((_, open))) = search.memory.open.pop() {
            let (number, time, later_way) = match open {
                Open::Later { number, way, time } => {
                    later += 1;
                    (number, time, Some(way))
                }
                Open::Node { number, .. } => {
                    let node = &mut search.memory.nodes[number as usize];
                    if std::mem::replace(&mut node.is_closed, true) {
                        continue;
                    }
                    let node = *node;
                    search.note(true, &node);
                    if search.aim.is_goal(node.at) {
                        return (Ended::Found(number), expanded);
                    }
                    if search.memory.is_repeated(&node, repeats_from, period) {
                        continue;
                    }
                    if expanded >= limits.max_expanded {
                        return (Ended::Stopped, expanded);
                    }
                    expanded += 1;
                    (number, node.arrival, None)
                }
            };
            if search.memory.nodes.len().max(later) >= max_nodes {
                return (Ended::Stopped, expanded);
            }
            let node = search.memory.nodes[number as usize];
            // A step that starts a period later arrives in the same phase.
            let before = node.arrival.max(repeats_from).saturating_add(period).saturating_add(1);
            match later_way {
                Some(way) => search.step(number, &node, way, time, before),
                None => steps.ways(node.at).for_each(|way| search.step(number, &node, way, time, before)),
            }
        }
        let ended = if search.is_cut { Ended::TooLate } else { Ended::Unreachable };
        (ended, expanded)
    }

    /// The route to a node, from there back to its start: each cell, with the arrival and the start of the next step.
    pub(crate) fn route_back(&self, number: u32) -> impl Iterator<Item = (usize, u64, u64)> {
        let last = &self.nodes[number as usize];
        let before = |&(node, _): &(&Node, u64)| {
            let (number, start) = node.before?;
            Some((&self.nodes[number as usize], start))
        };
        std::iter::successors(Some((last, last.arrival)), before).map(|(node, leaves)| (node.at, node.arrival, leaves))
    }

    /// Whether the search was in the same cell in the same phase of an earlier repetition, with as much time left or more.
    /// It got everywhere from there, and earlier.
    fn is_repeated(&mut self, node: &Node, repeats_from: u64, period: u64) -> bool {
        if node.arrival < repeats_from || node.open_until == NEVER || period == NEVER {
            return false;
        }
        let left = node.open_until - node.arrival;
        let most = self.left.entry((node.at, node.open_until % period)).or_insert(0);
        let is_repeated = *most >= left && left > 0;
        *most = left.max(*most);
        is_repeated
    }
}

/// A search under way.
struct Search<'a, 's, A> {
    memory: &'a mut TimedMemory,
    steps: TimedSteps<'s>,
    aim: &'a mut A,
    latest: u64,
    /// Whether anything was left out because it is too late.
    is_cut: bool,
}

impl<A: TimedAim> Search<'_, '_, A> {
    /// Takes the first step from a node by a way that starts at a time or later, and leaves the later ones for later.
    fn step(&mut self, number: u32, node: &Node, way: Way, time: u64, before: u64) {
        let next = match self.steps.first(node.at, way, time, before.min(node.open_until)) {
            FirstStep::At(step) => {
                self.reach(step, Some((number, step.start)));
                if step.open_until >= node.open_until {
                    return;
                }
                self.steps.open_from(step.to, step.open_until)
            }
            FirstStep::NotBefore(time) => time,
            FirstStep::Never => return,
        };
        if next < before && next < node.open_until {
            let key = next.saturating_add(self.aim.estimate(node.at));
            self.push(key, Open::Later { number, way, time: next });
        }
    }

    /// Opens the node that a step reaches, unless it is known to be reached as early.
    fn reach(&mut self, step: TimedStep, before: Option<(u32, u64)>) {
        let TimedStep { to: at, end: arrival, open_until, .. } = step;
        let TimedMemory { nodes, first, .. } = &mut *self.memory;
        let mut number = first[at];
        while nodes.get(number as usize).is_some_and(|node| node.open_until != open_until) {
            number = nodes[number as usize].next;
        }
        if number == u32::MAX {
            number = nodes.len() as u32;
            let next = std::mem::replace(&mut first[at], number);
            nodes.push(Node { at, open_until, arrival: NEVER, before: None, is_closed: false, next });
        }
        let node = &mut nodes[number as usize];
        if arrival < node.arrival {
            (node.arrival, node.before, node.is_closed) = (arrival, before, false);
            let node = *node;
            let key = arrival.saturating_add(self.aim.estimate(at));
            if self.push(key, Open::Node { later: Reverse(arrival), number }) {
                self.note(false, &node);
            }
        }
    }

    fn note(&mut self, is_closed: bool, node: &Node) {
        let &Node { at, open_until, arrival, before, .. } = node;
        let parent = before.map(|(before, _)| self.memory.nodes[before as usize].at);
        self.aim.note(TimedEvent { is_closed, at, open_until, arrival, parent });
    }

    /// Puts something on the open list, unless it would be too late.
    fn push(&mut self, key: u64, open: Open) -> bool {
        let is_in_time = key <= self.latest;
        if is_in_time {
            self.memory.open.push(Reverse((key, open)));
        } else {
            self.is_cut = true;
        }
        is_in_time
    }
}
