//! How often each cell was entered in the last minute, and how long travellers waited in it.

use std::collections::{HashMap, VecDeque};

use emberwalk_path::crowd::{AgentId, CrowdTime, Step};
use emberwalk_path::grid::Cell;

use super::COUNTED;

/// What happened in one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellFlow {
    /// How often it was entered.
    pub entries: u32,
    /// How often it was left.
    pub left: u32,
    /// How long travellers who left it had stood in it on their way, all together.
    pub waited: CrowdTime,
}

/// The steps of the last minute, by cell.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    cells: HashMap<Cell, CellFlow>,
    steps: VecDeque<CountedStep>,
    /// Since when each agent has stood, by its index.
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
    /// What happened in a cell.
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
        self.cells.entry(to).or_default().entries += 1;
        let left = self.cells.entry(from).or_default();
        left.left += 1;
        left.waited = left.waited + waited;
        self.steps.push_back(CountedStep { from, to, start, waited });
    }

    /// Forgets steps that are older than a minute.
    pub(super) fn forget_old(&mut self, now: CrowdTime) {
        while let Some(step) = self.steps.pop_front_if(|step| step.start + COUNTED < now) {
            let CountedStep { from, to, waited, .. } = step;
            self.change(to, |flow| flow.entries -= 1);
            self.change(from, |flow| {
                flow.left -= 1;
                flow.waited = flow.waited - waited;
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
