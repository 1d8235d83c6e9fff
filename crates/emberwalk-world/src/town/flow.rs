//! How often each cell was entered in the last minute, and how long agents waited in it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use emberwalk_crowd::AgentId;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::time::{CrowdTime, Step};

use super::COUNTED;

/// The maximum number of steps in a part that copies can share, and for how many room is reserved.
const PART: usize = 1024;
const FIRST_ROOM: usize = 16;

/// The steps counted in one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellFlow {
    /// How often it was entered.
    pub entries: u32,
    /// How often it was left.
    pub left: u32,
    /// The total time that agents stood in it on their routes before they left it.
    pub waited: CrowdTime,
    /// How often agents stepped between this cell and its neighbour in each direction, there or back, in the order of
    /// [`Direction::ALL`].
    pub steps: [u32; 8],
}

impl CellFlow {
    /// Agents had to wait in a cell if they stood there for this long on average, in seconds.
    const QUEUE: f64 = 0.25;

    /// The mean time that agents have stood in the cell on their routes, in seconds.
    pub fn mean_wait(&self) -> f64 {
        if self.waited > CrowdTime::ZERO { self.waited.seconds() / f64::from(self.left.max(1)) } else { 0.0 }
    }

    /// Whether agents had to wait in the cell.
    pub fn is_queue(&self) -> bool {
        self.mean_wait() >= Self::QUEUE
    }
}

/// The steps of the last minute, by cell. Copies share the steps that both have counted, which take most of their
/// memory.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    cells: HashMap<Cell, CellFlow>,
    /// In the order of counting. No part is empty.
    steps: VecDeque<Arc<Vec<CountedStep>>>,
    /// How many steps of the first part are forgotten.
    forgotten: usize,
    /// How many steps were counted since the beginning.
    counted: usize,
    /// The time since which each agent has stood, by its index.
    standing: Vec<CrowdTime>,
}

#[derive(Clone, Copy, Debug)]
struct CountedStep {
    from: Cell,
    to: Cell,
    start: CrowdTime,
    waited: CrowdTime,
}

impl Flow {
    /// The steps counted in a cell.
    pub fn at(&self, cell: Cell) -> CellFlow {
        self.cells.get(&cell).copied().unwrap_or_default()
    }

    /// All cells in which anything happened.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, CellFlow)> {
        self.cells.iter().map(|(cell, flow)| (*cell, *flow))
    }

    /// Counts the time from which an agent stands.
    pub(super) fn stand(&mut self, agent: AgentId, since: CrowdTime) {
        if self.standing.len() <= agent.index() {
            self.standing.resize(agent.index() + 1, CrowdTime::ZERO);
        }
        self.standing[agent.index()] = since;
    }

    pub(super) fn step(&mut self, agent: AgentId, step: Step) {
        let stood_since = self.standing.get(agent.index()).copied().unwrap_or(step.start);
        let waited = step.start - stood_since;
        self.stand(agent, step.end);
        let Step { from, to, start, .. } = step;
        let [there, back] = ways(from, to);
        let entered = self.cells.entry(to).or_default();
        entered.entries += 1;
        back.into_iter().for_each(|back| entered.steps[back as usize] += 1);
        let left = self.cells.entry(from).or_default();
        left.left += 1;
        left.waited = left.waited + waited;
        there.into_iter().for_each(|there| left.steps[there as usize] += 1);
        self.keep(CountedStep { from, to, start, waited });
    }

    fn keep(&mut self, step: CountedStep) {
        self.counted += 1;
        // A copy shares the last part.
        let last = self.steps.back_mut().and_then(Arc::get_mut).filter(|last| last.len() < PART);
        match last {
            Some(last) => last.push(step),
            None => {
                let mut part = Vec::with_capacity(FIRST_ROOM);
                part.push(step);
                self.steps.push_back(Arc::new(part));
            }
        }
    }

    /// The first step, if it is older than a minute.
    fn pop_old(&mut self, now: CrowdTime) -> Option<CountedStep> {
        let first = self.steps.front()?;
        let step = *first.get(self.forgotten).filter(|step| step.start + COUNTED < now)?;
        self.forgotten += 1;
        if self.forgotten == first.len() {
            self.steps.pop_front();
            self.forgotten = 0;
        }
        Some(step)
    }

    /// About how many bytes a copy takes in addition to an earlier one.
    pub(super) fn bytes_beside(&self, earlier: &Self) -> usize {
        const OF_CELL: usize = 2 * (size_of::<Cell>() + size_of::<CellFlow>());
        let kept: usize = self.steps.iter().map(|part| part.len()).sum();
        let steps = kept.min(self.counted.saturating_sub(earlier.counted));
        OF_CELL * self.cells.len() + size_of::<CrowdTime>() * self.standing.len() + size_of::<CountedStep>() * steps
    }

    /// Forgets steps that are older than a minute.
    pub(super) fn forget_old(&mut self, now: CrowdTime) {
        while let Some(step) = self.pop_old(now) {
            let CountedStep { from, to, waited, .. } = step;
            let [there, back] = ways(from, to);
            self.change(to, |flow| {
                flow.entries -= 1;
                back.into_iter().for_each(|back| flow.steps[back as usize] -= 1);
            });
            self.change(from, |flow| {
                flow.left -= 1;
                flow.waited = flow.waited - waited;
                there.into_iter().for_each(|there| flow.steps[there as usize] -= 1);
            });
        }
    }

    fn change(&mut self, cell: Cell, change: impl FnOnce(&mut CellFlow)) {
        let Some(flow) = self.cells.get_mut(&cell) else { return };
        change(flow);
        if *flow == CellFlow::default() {
            self.cells.remove(&cell);
        }
    }
}

/// The direction of a step, and the one back.
fn ways(from: Cell, to: Cell) -> [Option<Direction>; 2] {
    let there = Direction::from_offset((to.x - from.x, to.y - from.y));
    [there, there.map(Direction::opposite)]
}
