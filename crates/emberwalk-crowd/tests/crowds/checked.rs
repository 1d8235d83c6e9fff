//! Crowds whose logs are checked in the end.

use std::ops::{Deref, DerefMut};

use emberwalk_crowd::{AgentId, AgentState, Checker, Crowd, CrowdEvent, Goal, OnArrival};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, StepRules};

use super::{PACE, TICK, add_and_send};

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
    pub(super) fn check(&mut self, what: &str) {
        self.checker.check_until(self.crowd.now());
        assert_eq!(self.checker.clone().finish(), [], "{what}");
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

    /// Agents with their goals, at a third of a second per tile.
    pub(super) fn with_rules(grid: CostGrid, rules: StepRules, orders: &[(Cell, Cell)], on_arrival: OnArrival) -> Self {
        let mut game = Self::of(Crowd::new(grid, rules, PACE));
        for &(from, to) in orders {
            let agent = game.crowd.add(from).unwrap();
            game.crowd.send(agent, to, on_arrival);
        }
        game
    }

    /// With the default rules, and agents that stay in their goals.
    pub(super) fn with_orders(grid: CostGrid, orders: &[(Cell, Cell)]) -> Self {
        Self::with_rules(grid, StepRules::default(), orders, OnArrival::Stay)
    }

    pub(super) fn add(&mut self, x: i32, y: i32) -> AgentId {
        self.crowd.add(Cell::new(x, y)).unwrap()
    }

    pub(super) fn add_and_send(&mut self, x: i32, y: i32, goal: impl Into<Goal>) -> AgentId {
        add_and_send(&mut self.crowd, Cell::new(x, y), goal)
    }

    pub(super) fn advance(&mut self, seconds: f64) {
        self.advance_by(CrowdTime::from_seconds(seconds));
    }

    pub(super) fn advance_by(&mut self, duration: CrowdTime) {
        self.log.extend_from_slice(self.crowd.advance(duration));
    }

    /// Lets time pass in ticks of this length until a time.
    pub(super) fn advance_until(&mut self, time: CrowdTime, tick: CrowdTime) {
        while self.crowd.now() < time {
            self.advance_by(tick.min(time - self.crowd.now()));
        }
    }

    /// Lets time pass until all agents stand in their goals, and returns whether they do.
    pub(super) fn run(&mut self, seconds: f64) -> bool {
        // An agent that rests near its goal comes back.
        let is_there = |agent: &AgentState| agent.has_arrived && agent.goal.is_none_or(|goal| goal == agent.cell);
        while self.crowd.agents().any(|(_, agent)| !is_there(&agent)) {
            if self.crowd.now() > CrowdTime::from_seconds(seconds) {
                return false;
            }
            self.advance_by(TICK);
        }
        true
    }

    #[track_caller]
    pub(super) fn check(&mut self, what: &str) {
        self.crowd.check(what);
    }

    /// Checks that all agents come to stand in their goals in this time, and that nobody breaks a rule.
    #[track_caller]
    pub(super) fn run_and_check(&mut self, seconds: f64, what: &str) {
        let all_arrive = self.run(seconds);
        self.check(what);
        assert!(all_arrive, "{what}: not all agents arrive");
    }

    pub(super) fn into_log_and_hash(self) -> (Vec<CrowdEvent>, u64) {
        (self.log, self.crowd.state_hash())
    }

    pub(super) fn state(&self, agent: AgentId) -> AgentState {
        self.crowd.state(agent).unwrap()
    }

    pub(super) fn cell(&self, agent: AgentId) -> Cell {
        self.state(agent).cell
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
