//! Crowds whose logs are checked in the end.

use std::ops::{Deref, DerefMut};

use emberwalk_crowd::{AgentId, Checker, Crowd, CrowdEvent};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, StepRules};

/// A crowd that has just been made, with the checker of its log. If no check is asked for, there is one in the end.
pub(super) struct CheckedCrowd {
    crowd: Crowd,
    checker: Checker,
}

impl CheckedCrowd {
    /// A crowd of one kind on a grid.
    pub(super) fn on(grid: CostGrid) -> Self {
        Crowd::new(grid, StepRules::default(), Pace::default()).into()
    }

    pub(super) fn advance(&mut self, duration: CrowdTime) -> &[CrowdEvent] {
        let events = self.crowd.advance(duration);
        self.checker.add(events);
        events
    }

    /// Checks everything until now.
    #[track_caller]
    pub(super) fn check(&self, what: &str) {
        let mut checker = self.checker.clone();
        checker.check_until(self.crowd.now());
        assert_eq!(checker.finish(), [], "{what}");
    }
}

impl From<Crowd> for CheckedCrowd {
    fn from(crowd: Crowd) -> Self {
        Self { checker: Checker::of(&crowd), crowd }
    }
}

impl Deref for CheckedCrowd {
    type Target = Crowd;

    fn deref(&self) -> &Crowd {
        &self.crowd
    }
}

impl DerefMut for CheckedCrowd {
    fn deref_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }
}

impl Drop for CheckedCrowd {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.check("in the end");
        }
    }
}

/// A checked crowd with its log.
pub(super) struct Game {
    pub(super) crowd: CheckedCrowd,
    pub(super) log: Vec<CrowdEvent>,
}

impl Game {
    pub(super) fn new(grid: &CostGrid) -> Self {
        Self { crowd: CheckedCrowd::on(grid.clone()), log: Vec::new() }
    }

    pub(super) fn of(crowd: Crowd) -> Self {
        Self { crowd: crowd.into(), log: Vec::new() }
    }

    pub(super) fn add(&mut self, x: i32, y: i32) -> AgentId {
        self.crowd.add(Cell::new(x, y)).unwrap()
    }

    pub(super) fn advance(&mut self, seconds: f64) {
        self.log.extend_from_slice(self.crowd.advance(CrowdTime::from_seconds(seconds)));
    }

    pub(super) fn cell(&self, agent: AgentId) -> Cell {
        self.crowd.state(agent).unwrap().cell
    }

    /// The cells where an agent has arrived, one after the other.
    pub(super) fn arrivals(&self, agent: AgentId) -> Vec<Cell> {
        let arrivals = super::arrivals(&self.log).into_iter().filter(|&(other, ..)| other == agent);
        arrivals.map(|(_, at, _)| at).collect()
    }

    /// For each report to an agent, whether it said that a route leads to the goal again, or that none does.
    pub(super) fn told(&self, agent: AgentId) -> Vec<bool> {
        let told = self.log.iter().filter_map(|event| match *event {
            CrowdEvent::Unreachable { agent: other, .. } if other == agent => Some(false),
            CrowdEvent::Reachable { agent: other, .. } if other == agent => Some(true),
            _ => None,
        });
        told.collect()
    }
}
