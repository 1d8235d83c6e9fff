//! Records the events of a crowd while it walks.

use std::collections::HashSet;
use std::time::Duration;

use emberwalk_crowd::{AgentId, Conflict, Crowd, CrowdEvent, WaitsFor};
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;

use super::orders::Orders;

/// The recorded events of a crowd.
#[derive(Default)]
pub struct Run {
    /// Broken rules.
    pub conflicts: Vec<Conflict>,
    pub walkers: Vec<AgentReport>,
    /// The number of goals that have been reached.
    pub reached: usize,
    /// The agents that have arrived at their last goals in the last tick. Others may have pushed them off since.
    arrived_last: Vec<AgentId>,
    /// The agents that cannot reach their goals at the end, wherever they have gone instead, and the agents that were
    /// stuck and have not arrived since.
    pub unreachable: Vec<Blocked>,
    pub stuck: Vec<Blocked>,
    pub ticks: TickTimes,
    pub end: CrowdTime,
}

/// The record of one agent.
#[derive(Default)]
pub struct AgentReport {
    /// The cells where it has arrived, one for each goal of its orders, or since it got another goal. If it comes back to the last one, or to another
    /// cell of that goal, this is the last cell.
    pub stops: Vec<Cell>,
    /// When it has arrived at its last goal. An agent that follows another one arrives again and again.
    pub arrival: Option<CrowdTime>,
    /// The longest time for which it has stood still before it arrived.
    pub longest_stand: CrowdTime,
    /// Since when it stands, or when its step ends.
    stands_since: CrowdTime,
    goals: usize,
    /// Whether its orders end.
    ends: bool,
    reached: usize,
    is_stuck: bool,
}

/// An agent that gets no nearer to its goal.
#[derive(Clone, Copy)]
pub struct Blocked {
    pub agent: AgentId,
    pub at: Cell,
    pub waits_for: Option<WaitsFor>,
    /// Since when it has stood still.
    since: CrowdTime,
}

/// The processing times of ticks.
#[derive(Default)]
pub struct TickTimes {
    pub count: usize,
    pub total: Duration,
    pub worst: Duration,
}

impl TickTimes {
    pub fn add(&mut self, time: Duration) {
        self.count += 1;
        self.total += time;
        self.worst = self.worst.max(time);
    }
}

impl Run {
    pub fn new(orders: &Orders) -> Self {
        let walkers = orders.agents.iter().map(|order| AgentReport::new(order.goals.len(), order.ends()));
        Self { walkers: walkers.collect(), ..Self::default() }
    }

    /// Records the events of a tick.
    pub fn record(&mut self, events: &[CrowdEvent]) {
        self.arrived_last.clear();
        for event in events {
            match *event {
                CrowdEvent::Step { agent, step } => {
                    let walker = &mut self.walkers[agent.index()];
                    if walker.arrival.is_none() {
                        walker.stand_until(step.start);
                    }
                    walker.stands_since = step.end;
                    walker.arrival.take_if(|_| !walker.ends);
                }
                CrowdEvent::Arrived { agent, at, time } => {
                    let walker = &mut self.walkers[agent.index()];
                    self.reached += usize::from(walker.reached < walker.goals);
                    walker.arrive(at, time);
                    if walker.arrival.is_some() {
                        self.arrived_last.push(agent);
                    }
                }
                // It had gone as near as it could.
                CrowdEvent::Reachable { agent, .. } => self.walkers[agent.index()].arrival = None,
                CrowdEvent::Stuck { agent, .. } => self.walkers[agent.index()].is_stuck = true,
                _ => {}
            }
        }
    }

    /// Records that an agent that has arrived gets another goal.
    pub fn set_out_again(&mut self, agent: AgentId, time: CrowdTime) {
        let walker = &mut self.walkers[agent.index()];
        walker.stops.clear();
        walker.goals += 1;
        walker.arrival = None;
        // An agent that was pushed off is still taking a step.
        walker.stands_since = walker.stands_since.max(time);
    }

    /// The agents that have arrived at their last goals in the last tick and can get others.
    pub fn free_agents(&mut self, orders: &Orders) -> Vec<AgentId> {
        let mut arrived = std::mem::take(&mut self.arrived_last);
        let mut seen = HashSet::new();
        arrived.retain(|&agent| orders.agents[agent.index()].ends() && seen.insert(agent));
        arrived
    }

    /// The number of agents that have arrived at their last goals.
    pub fn arrived(&self) -> usize {
        self.walkers.iter().filter(|walker| walker.arrival.is_some()).count()
    }

    /// Records the agents that have not arrived.
    pub fn finish(&mut self, crowd: &Crowd) {
        self.end = crowd.now();
        for (agent, state) in crowd.agents() {
            let walker = &mut self.walkers[agent.index()];
            let has_arrived = walker.arrival.is_some();
            if !has_arrived {
                walker.stand_until(self.end);
            }
            let wait = crowd.waiting(agent);
            let (waits_for, since) = wait.map_or((None, self.end), |wait| (wait.on, wait.since));
            let blocked = Blocked { agent, at: state.cell, waits_for, since };
            if state.unreachable.is_some() || !has_arrived && waits_for == Some(WaitsFor::Route) {
                self.unreachable.push(blocked);
            } else if !has_arrived && walker.is_stuck {
                self.stuck.push(blocked);
            }
        }
        // The agents that have waited longest for another one come first.
        self.stuck.sort_by_key(|blocked| (blocked.waits_for.is_none(), blocked.since));
    }
}

impl AgentReport {
    fn new(goals: usize, ends: bool) -> Self {
        // Without goals, it is where it should be.
        let arrival = (goals == 0).then_some(CrowdTime::ZERO);
        Self { goals, ends, arrival, ..Self::default() }
    }

    fn stand_until(&mut self, time: CrowdTime) {
        if time > self.stands_since {
            self.longest_stand = self.longest_stand.max(time - self.stands_since);
        }
    }

    fn arrive(&mut self, at: Cell, time: CrowdTime) {
        self.is_stuck = false;
        if self.reached == self.goals {
            self.stops.pop();
        } else {
            self.reached += 1;
        }
        self.stops.push(at);
        if self.reached == self.goals {
            self.arrival = Some(time);
        }
    }
}
