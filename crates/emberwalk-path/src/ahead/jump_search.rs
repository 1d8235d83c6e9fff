//! A\* over jump points, among cells that change.
//!
//! Where nothing near ever changes, the canonical order of jump point search holds: a turn is left out if another route
//! between its ends, by the cells around alone, is as good. It holds near a cell that changes, too, as long as all cells
//! around have their lowest costs from before the step into the cell until after the step out of it; call such a time
//! **calm**. So runs [stop](NearChanges) at all cells beside one that changes. At a calm time they go on there, or turn as
//! they do elsewhere. At any other time the search takes all steps from the cell that are [possible
//! then](super::timed_steps).
//!
//! At a calm time, only waiting can be left out that pays: for a cell around that will be closed, and open again. No such
//! route starts before the first of these cells is closed. So the cell comes onto the open list once more with that time
//! as its key, and then the search takes all steps from it. Such keys are nearly always above the cost of the route. So
//! the cells through which runs go do not become nodes: the cell where the runs start comes onto the open list once more
//! with the lowest of these keys, and only then the search goes along the runs again and opens them.

use super::outlook::Outlook;
use super::search::{Ended, max_nodes};
use super::timed_steps::{FirstStep, TimedStep, TimedSteps};
use super::timeline::NEVER;
use super::timelines::Timelines;
use crate::grid::{Cell, Direction};
use crate::search::astar::EIGHTH;
use crate::search::buckets::Buckets;
use crate::search::cell_set::CellSet;
use crate::search::heuristic::Estimate;
use crate::search::jumps::jump_cell::JumpCell;
use crate::search::jumps::jump_points::JumpPoints;
use crate::search::jumps::jump_successors::{JumpSuccessors, Successor};
use crate::search::memory::{Endpoints, JumpNode, Memory, initial_capacity};
use crate::search::nodes::{Improvement, Nodes};
use crate::search::steps::offsets;
use crate::{CostGrid, Stamp};

/// A key that is larger by no more than a sixteenth of a tile counts as equal.
const NEGLIGIBLE: u64 = 1 << 14;
/// Entries of the open list from this number on are numbers of [`Later`] steps. There are fewer nodes.
const LATER: u32 = 1 << 31;

/// The cells beside those that change, and the jump points with stops there.
#[derive(Clone, Debug)]
pub(crate) struct NearChanges {
    cells: CellSet,
    points: JumpPoints,
    /// Of the outlook, and of its lowest grid.
    stamps: [Stamp; 2],
}

impl NearChanges {
    /// Finds these cells. O(cells).
    pub(crate) fn new(outlook: &Outlook, points: &JumpPoints) -> Self {
        let (lowest, timelines) = (&**outlook.lowest(), outlook.timelines());
        let mut cells = CellSet::default();
        cells.begin(lowest.entry_units().len(), 9 * timelines.len());
        for (number, at) in timelines.indices().enumerate() {
            // Cells that are always blocked do not change.
            if timelines.with_lowest(number).1 != 0 {
                lowest.indices_around(lowest.cell(at), 1).for_each(|at| _ = cells.insert(at));
            }
        }
        let points = points.with_stops(lowest, &cells);
        Self { cells, points, stamps: [timelines.stamp(), lowest.stamp()] }
    }

    /// Whether they are up to date.
    pub(crate) fn are_for(&self, outlook: &Outlook) -> bool {
        self.stamps == [outlook.timelines().stamp(), outlook.lowest().stamp()]
    }
}

/// A cell that changes, in an interval in which it stays passable.
#[derive(Clone, Copy, Debug)]
struct ChangingNode {
    at: u32,
    parent: u32,
    open_until: u64,
    label: u64,
    direction: Direction,
    is_closed: bool,
    /// The next node in the same cell.
    next: u32,
}

/// What a search knows about a cell that changes.
#[derive(Clone, Copy, Debug, Default)]
struct ChangingCell {
    /// The search that knows it.
    search: u32,
    /// The first node in the cell; [`u32::MAX`] if there is none.
    first: u32,
    /// A time, half-open, in which the cell has its lowest cost.
    is_lowest: (u64, u64),
    /// When the cell is closed after that time.
    closed_from: u64,
}

/// Steps from a node for which the search has to wait.
#[derive(Clone, Copy, Debug)]
struct Later {
    node: u32,
    steps: LaterSteps,
}

/// Which steps these are.
#[derive(Clone, Copy, Debug)]
enum LaterSteps {
    /// All steps from the node.
    All,
    /// Those in a direction that start at a time or later.
    In(Direction, u64),
    /// All steps from the cells through which the runs go that start at the node with this label.
    FromRuns(u64),
}

/// The memory of the search, beside that of other searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpMemory {
    /// By the number of the cell that changes.
    cells: Vec<ChangingCell>,
    search: u32,
    nodes: Vec<ChangingNode>,
    later: Vec<Later>,
}

/// What a search is for.
#[derive(Clone, Copy)]
pub(crate) struct JumpQuery<'a> {
    pub(crate) outlook: &'a Outlook,
    pub(crate) near: &'a NearChanges,
    /// The jump points of the lowest grid.
    pub(crate) points: &'a JumpPoints,
    pub(crate) endpoints: Endpoints,
    pub(crate) departure: u64,
    /// Only routes are of interest that take less time.
    pub(crate) less_than: u64,
    pub(crate) max_expanded: u64,
}

/// Searches for a route that takes less time than one that is known. Returns how it has ended, and the number of
/// expansions; `None` without a search if costs are too far apart for buckets. [`cells`] has the route then.
pub(crate) fn search<E: Estimate, const LEVELS: bool>(
    memory: &mut Memory,
    jump_memory: &mut JumpMemory,
    query: JumpQuery<'_>,
    steps: TimedSteps<'_>,
    estimate: E,
) -> Option<(Ended, u64)> {
    let JumpQuery { outlook, near, endpoints, .. } = query;
    let lowest = &**outlook.lowest();
    let min = lowest.min_cost()?.units();
    // Later steps can have any key. Those beyond the last bucket wait in it, and come too early.
    let shift = Buckets::shift_for(2 * lowest.max_step_units()?, min.ilog2() - EIGHTH, min.ilog2())?;
    let (len, timelines) = (lowest.entry_units().len(), outlook.timelines());
    let goal = lowest.cell(endpoints.goal);
    let Memory { nodes, jump_nodes, jump_successors: found, buckets, .. } = memory;
    nodes.begin(len, query.less_than);
    jump_nodes.resize(len.max(jump_nodes.len()), JumpNode::default());
    jump_memory.begin(timelines.len());
    let end = nodes.zero().saturating_add(query.less_than);
    let mut search = Search {
        nodes,
        jump_nodes,
        memory: jump_memory,
        found,
        successors: JumpSuccessors::<LEVELS>::new(&near.points, lowest, goal),
        plain: query.points.cells(),
        near: &near.cells,
        timelines,
        lowest,
        steps,
        estimate,
        goal,
        goal_at: endpoints.goal,
        len: len as u32,
        departure: query.departure,
        end,
        found_goal: None,
        offsets: offsets(lowest.stride()),
        expanded: 0,
    };
    buckets.begin(search.nodes.zero(), shift, initial_capacity(lowest));
    Some(search.run(buckets, endpoints.start, query.max_expanded))
}

/// The cells of the route that a search has found, from the goal back to the start, each with its arrival if the search
/// has stopped there.
pub(crate) fn cells(
    memory: &Memory,
    jump_memory: &JumpMemory,
    lowest: &CostGrid,
    departure: u64,
    last: u32,
    mut visit: impl FnMut(Cell, Option<u64>),
) {
    let len = lowest.entry_units().len() as u32;
    let node = |number: u32| match number.checked_sub(len) {
        None => {
            let parent = memory.jump_nodes[number as usize].parent;
            (number as usize, memory.nodes.label(number as usize), parent)
        }
        Some(changing) => {
            let node = &jump_memory.nodes[changing as usize];
            (node.at as usize, node.label, node.parent)
        }
    };
    let mut number = last;
    loop {
        let (at, label, parent) = node(number);
        let cell = lowest.cell(at);
        visit(cell, Some(label - memory.nodes.zero() + departure));
        if parent == number {
            break;
        }
        let before = lowest.cell(node(parent).0);
        crate::search::jumps::jump_successors::steps_back(cell, before).skip(1).for_each(|cell| visit(cell, None));
        number = parent;
    }
}

impl JumpMemory {
    fn begin(&mut self, cells: usize) {
        self.cells.resize(cells.max(self.cells.len()), ChangingCell::default());
        self.nodes.clear();
        self.later.clear();
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.cells.fill(ChangingCell::default());
            self.search = 1;
        }
    }

    /// What this search knows about a cell that changes.
    fn cell(&mut self, number: usize) -> &mut ChangingCell {
        let cell = &mut self.cells[number];
        if cell.search != self.search {
            *cell = ChangingCell { search: self.search, first: u32::MAX, ..ChangingCell::default() };
        }
        cell
    }
}

/// One search.
struct Search<'a, E, const LEVELS: bool> {
    nodes: &'a mut Nodes,
    jump_nodes: &'a mut [JumpNode],
    memory: &'a mut JumpMemory,
    found: &'a mut Vec<Successor>,
    successors: JumpSuccessors<'a, LEVELS>,
    /// The jump points without the additional stops.
    plain: &'a [JumpCell],
    near: &'a CellSet,
    timelines: &'a Timelines,
    lowest: &'a CostGrid,
    steps: TimedSteps<'a>,
    estimate: E,
    goal: Cell,
    goal_at: usize,
    /// Nodes from this number on are those in cells that change; other ones have the index of their cell.
    len: u32,
    departure: u64,
    /// Keys from here on are of no interest.
    end: u64,
    /// The node in which the route ends.
    found_goal: Option<u32>,
    offsets: [isize; 8],
    expanded: u64,
}

impl<E: Estimate, const LEVELS: bool> Search<'_, E, LEVELS> {
    fn run(&mut self, open: &mut Buckets, start: usize, max_expanded: u64) -> (Ended, u64) {
        let zero = self.nodes.zero();
        let max_nodes = max_nodes(self.len as usize).min(LATER as usize);
        let start = TimedStep {
            to: start,
            start: self.departure,
            end: self.departure,
            open_until: self.steps.start_blocked_from(start, self.departure),
        };
        self.reach(open, &start, Direction::N, None);
        while let Some(number) = open.pop(self.end) {
            let later = number.checked_sub(LATER).map(|later| self.memory.later[later as usize]);
            if self.memory.nodes.len().max(self.memory.later.len()) >= max_nodes {
                return (Ended::Stopped, self.expanded);
            }
            if let Some(Later { node, steps }) = later {
                let (at, label, open_until, direction) = self.node(node);
                match steps {
                    LaterSteps::All => self.take_all_steps(open, node),
                    LaterSteps::In(direction, time) => self.step(open, node, (at, label, open_until), direction, time),
                    LaterSteps::FromRuns(start) if start == label => {
                        self.jump::<true>(open, node, (label != zero).then_some(direction));
                    }
                    // The node was reached earlier since, and its runs start again.
                    LaterSteps::FromRuns(_) => {}
                }
                continue;
            }
            if !self.close(number) {
                continue;
            }
            if self.expanded >= max_expanded {
                return (Ended::Stopped, self.expanded);
            }
            self.expanded += 1;
            let (at, label, _, direction) = self.node(number);
            let entered_by = (label != zero).then_some(direction);
            if !self.near.contains(at) {
                self.jump::<false>(open, number, entered_by);
                continue;
            }
            match self.calm_until_closed(at, label) {
                Some(closed_from) => {
                    self.wait_for_changes(open, number, at, closed_from);
                    self.jump::<false>(open, number, entered_by);
                }
                None => self.take_all_steps(open, number),
            }
        }
        let ended = self.found_goal.map_or(Ended::Unreachable, Ended::Found);
        (ended, self.expanded)
    }

    /// The cell of a node, its label, until when it is passable, and the direction of the step into it.
    #[inline(always)]
    fn node(&self, number: u32) -> (usize, u64, u64, Direction) {
        match number.checked_sub(self.len) {
            None => {
                let at = number as usize;
                (at, self.nodes.label(at), NEVER, self.nodes.direction(at))
            }
            Some(changing) => {
                let node = &self.memory.nodes[changing as usize];
                (node.at as usize, node.label, node.open_until, node.direction)
            }
        }
    }

    /// Closes a node; returns `false` if it was closed.
    #[inline(always)]
    fn close(&mut self, number: u32) -> bool {
        match number.checked_sub(self.len) {
            None => self.nodes.close(number as usize).is_some(),
            Some(changing) => !std::mem::replace(&mut self.memory.nodes[changing as usize].is_closed, true),
        }
    }

    /// The time of a label.
    fn time(&self, label: u64) -> u64 {
        label - self.nodes.zero() + self.departure
    }

    /// The label of a time.
    fn label(&self, time: u64) -> u64 {
        (time - self.departure).saturating_add(self.nodes.zero())
    }

    /// When the first of the cells around a cell is closed, if the time is calm at which the search reaches it with a
    /// label; otherwise `None`.
    ///
    /// A turn in the cell is left out because of a route around it that starts where the step into the cell does, and ends
    /// no later than the step out of it. All of its steps are between the cells around, so only their costs in that time
    /// matter.
    fn calm_until_closed(&mut self, at: usize, label: u64) -> Option<u64> {
        let time = self.time(label);
        let rows = [at - self.lowest.stride(), at, at + self.lowest.stride()];
        let units = self.lowest.entry_units();
        let highest = rows.map(|at| units[at - 1].max(units[at]).max(units[at + 1]));
        // No step into a cell of this cost takes longer.
        let longest = |units| u64::from(self.lowest.diagonal().of(units)) * self.lowest.max_climb_factor();
        let from = time.saturating_sub(longest(units[at]));
        let to = time.saturating_add(longest(highest[0].max(highest[1]).max(highest[2])));
        let mut closed_from = NEVER;
        for row in rows {
            for at in row - 1..=row + 1 {
                if let Some(number) = self.timelines.number(at) {
                    closed_from = closed_from.min(self.closed_from(number, at, from, to)?);
                }
            }
        }
        Some(closed_from)
    }

    /// When a cell that changes is closed after a time, both ends included, in which it has its lowest cost; `None` if it
    /// has not.
    fn closed_from(&mut self, number: usize, at: usize, from: u64, to: u64) -> Option<u64> {
        let known = self.memory.cell(number);
        if known.is_lowest.0 <= from && to < known.is_lowest.1 {
            return Some(known.closed_from);
        }
        let (timeline, lowest) = self.timelines.with_lowest(number);
        if lowest == 0 {
            return Some(NEVER);
        }
        let until = timeline.lowest_until(self.steps.units(at), lowest, from, to);
        if until <= to {
            return None;
        }
        (known.is_lowest, known.closed_from) = ((from, until), timeline.next_blocked(from));
        Some(known.closed_from)
    }

    /// Leaves the steps from a node for later that would wait until a cell around is open again.
    fn wait_for_changes(&mut self, open: &mut Buckets, number: u32, at: usize, closed_from: u64) {
        if closed_from != NEVER {
            let key = self.label(closed_from).saturating_add(self.estimate_at(at));
            self.push_later(open, key, Later { node: number, steps: LaterSteps::All });
        }
    }

    fn push_later(&mut self, open: &mut Buckets, key: u64, later: Later) {
        if key < self.end {
            open.push(key, LATER + self.memory.later.len() as u32);
            self.memory.later.push(later);
        }
    }

    fn estimate_at(&mut self, at: usize) -> u64 {
        let cell = self.lowest.cell(at);
        self.estimate.for_cell(at, cell, self.goal - cell)
    }

    /// The same of a cell that does not change, which may be known.
    #[inline(always)]
    fn known_estimate(&mut self, at: usize, cell: Cell, entry_cost: u32) -> u64 {
        let known = self.jump_nodes[at].estimate;
        match known != u32::MAX && self.nodes.is_seen(at) {
            true => known.into(),
            false => self.estimate.for_cell_of_cost(at, entry_cost, cell, self.goal - cell),
        }
    }

    /// Takes all steps from a node.
    fn take_all_steps(&mut self, open: &mut Buckets, number: u32) {
        let (at, label, open_until, _) = self.node(number);
        let time = self.time(label);
        for &direction in self.steps.directions() {
            self.step(open, number, (at, label, open_until), direction, time);
        }
    }

    /// Takes the first step from a node in a direction that starts at a time or later, and leaves the later ones for later.
    fn step(
        &mut self,
        open: &mut Buckets,
        number: u32,
        (at, label, open_until): (usize, u64, u64),
        direction: Direction,
        time: u64,
    ) {
        let to = at.wrapping_add_signed(self.offsets[direction as usize]);
        // Nothing that starts later arrives earlier than this. Cells that change have no label here.
        let fastest = self.label(time).saturating_add(self.lowest.entry_units()[to].into());
        if self.nodes.label(to) <= fastest {
            return;
        }
        // What starts a period later arrives in the same phase.
        let repeats_from = self.time(label).max(self.timelines.repeats_from());
        let before = repeats_from.saturating_add(self.timelines.period()).saturating_add(1);
        let next = match self.steps.first(at, direction.into(), time, before.min(open_until)) {
            FirstStep::At(step) => {
                self.reach(open, &step, direction, Some(number));
                if step.open_until >= open_until {
                    return;
                }
                self.steps.open_from(step.to, step.open_until)
            }
            FirstStep::NotBefore(time) => time,
            FirstStep::Never => return,
        };
        if next < before && next < open_until {
            let key = self.label(next).saturating_add(self.estimate_at(at));
            self.push_later(open, key, Later { node: number, steps: LaterSteps::In(direction, next) });
        }
    }

    /// Opens the node that a step reaches.
    fn reach(&mut self, open: &mut Buckets, step: &TimedStep, direction: Direction, parent: Option<u32>) {
        let label = self.label(step.end);
        let cell = self.lowest.cell(step.to);
        if let Some((number, h)) = self.improve((step.to, cell), step.open_until, label, direction, parent) {
            self.open(open, number, step.to, label, h);
        }
    }

    /// Puts a node on the open list, unless it is at the goal.
    fn open(&mut self, open: &mut Buckets, number: u32, at: usize, label: u64, h: u64) {
        if at == self.goal_at {
            (self.end, self.found_goal) = (label, Some(number));
        } else {
            open.push(label + h, number);
        }
    }

    /// Notes that a label reaches a cell in an interval. Returns the node and its estimate if that is an improvement.
    #[inline(always)]
    fn improve(
        &mut self,
        (at, cell): (usize, Cell),
        open_until: u64,
        label: u64,
        direction: Direction,
        parent: Option<u32>,
    ) -> Option<(u32, u64)> {
        if label >= self.end {
            return None;
        }
        let Some(cell_number) = self.timelines.number(at) else {
            if self.nodes.improvement::<true>(at, label) == Improvement::No {
                return None;
            }
            let h = self.known_estimate(at, cell, self.lowest.entry_units()[at]);
            if label + h >= self.end {
                return None;
            }
            self.nodes.open(at, label, direction);
            let estimate = h.min(u32::MAX.into()) as u32;
            self.jump_nodes[at] = JumpNode { parent: parent.unwrap_or(at as u32), estimate };
            return Some((at as u32, h));
        };
        let first = self.memory.cell(cell_number).first;
        let mut k = first;
        while k != u32::MAX && self.memory.nodes[k as usize].open_until != open_until {
            k = self.memory.nodes[k as usize].next;
        }
        if k != u32::MAX && self.memory.nodes[k as usize].label <= label {
            return None;
        }
        let h = self.estimate_at(at);
        if label + h >= self.end {
            return None;
        }
        let is_new = k == u32::MAX;
        let k = if is_new { self.memory.nodes.len() as u32 } else { k };
        let number = self.len + k;
        let next = if is_new { first } else { self.memory.nodes[k as usize].next };
        let parent = parent.unwrap_or(number);
        let node = ChangingNode { at: at as u32, parent, open_until, label, direction, is_closed: false, next };
        if is_new {
            self.memory.nodes.push(node);
            self.memory.cell(cell_number).first = k;
        } else {
            self.memory.nodes[k as usize] = node;
        }
        Some((number, h))
    }

    /// Expands a node by the runs of jump point search. With `WAITS`, the cells through which they go become nodes if some
    /// wait there may pay; this is left for later otherwise.
    fn jump<const WAITS: bool>(&mut self, open: &mut Buckets, number: u32, entered_by: Option<Direction>) {
        let (at, so_far, ..) = self.node(number);
        let parent = self.lowest.cell(at);
        let h = match number < self.len {
            true => self.jump_nodes[at].estimate.into(),
            false => self.estimate_at(at),
        };
        // A successor whose key is hardly larger would be the next one taken from the open list.
        let skipped_up_to = so_far + h + NEGLIGIBLE;
        self.found.clear();
        self.successors.begin(at, parent, entered_by, self.found);
        let mut waits_from = NEVER;
        let mut k = 0;
        while let Some(&successor) = self.found.get(k) {
            k += 1;
            let Successor { at: next, cell, direction, cost, entry_cost, .. } = successor;
            let label = so_far + cost;
            if self.nodes.improvement::<true>(next, label) == Improvement::No || label >= self.end {
                continue;
            }
            let is_near = self.near.contains(next);
            let is_stop = next == self.goal_at || self.plain[next].stops(direction as usize);
            let closed_from = match is_near {
                _ if is_stop => None,
                true => self.calm_until_closed(next, label),
                false => Some(NEVER),
            };
            if let Some(closed_from) = closed_from
                && !(WAITS && is_near)
            {
                let is_next = !direction.is_diagonal() || {
                    let key = label + self.known_estimate(next, cell, entry_cost);
                    if key >= self.end {
                        continue;
                    }
                    key <= skipped_up_to
                };
                if is_next {
                    // From the start of the run on no route takes less than `h`, so none that waits here has a lower key.
                    waits_from = waits_from.min(self.label(closed_from).saturating_add(h) - cost);
                    self.successors.run_on(&successor, self.found);
                    continue;
                }
            }
            let open_until = match self.timelines.number(next) {
                None => NEVER,
                Some(cell) => self.timelines.with_lowest(cell).0.blocked_from(self.steps.units(next), self.time(label)),
            };
            let Some((node, h)) = self.improve((next, cell), open_until, label, direction, Some(number)) else {
                continue;
            };
            match closed_from {
                Some(closed_from) if WAITS && is_near => {
                    self.close(node);
                    self.wait_for_changes(open, node, next, closed_from);
                    self.successors.run_on(&successor, self.found);
                }
                _ => self.open(open, node, next, label, h),
            }
        }
        self.push_later(open, waits_from, Later { node: number, steps: LaterSteps::FromRuns(so_far) });
    }
}
