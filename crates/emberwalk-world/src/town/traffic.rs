//! How well the people of a town get on: how many walk and wait, and how long their routes take.

use std::collections::VecDeque;

use emberwalk_crowd::{AgentId, Crowd};
use emberwalk_path::time::CrowdTime;

use super::COUNTED;

/// The number of samples that are kept, one per second.
const SAMPLES: usize = 120;

/// The numbers of agents by activity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Agents that take a step, or are about to.
    pub walking: usize,
    /// Agents that have stood on the way for at least a quarter of a second.
    pub waiting: usize,
    /// The others, which are at their goals or have none.
    pub resting: usize,
}

/// A walk from one place to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trip {
    pub arrived: CrowdTime,
    /// How long it took.
    pub time: CrowdTime,
    /// How long it takes alone.
    pub free_time: CrowdTime,
}

/// The state of everybody in the last two minutes, and the trips of the last minute.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    trips: VecDeque<Trip>,
    samples: VecDeque<Counts>,
    last_sample: CrowdTime,
}

impl Counts {
    const STANDS: CrowdTime = CrowdTime::SECOND.divided_by(4);

    /// Whether an agent counts as waiting.
    pub fn is_waiting(crowd: &Crowd, agent: AgentId) -> bool {
        crowd.waiting(agent).is_some_and(|wait| crowd.now() - wait.since >= Self::STANDS)
    }

    /// The counts of a crowd now. O(agents).
    pub fn of(crowd: &Crowd) -> Self {
        let mut counts = Self::default();
        for (agent, state) in crowd.agents() {
            if state.goal.is_none() || state.has_arrived {
                counts.resting += 1;
            } else if Self::is_waiting(crowd, agent) {
                counts.waiting += 1;
            } else {
                counts.walking += 1;
            }
        }
        counts
    }
}

impl Traffic {
    /// One sample per second, the oldest first, of the last two minutes.
    pub fn samples(&self) -> impl ExactSizeIterator<Item = Counts> {
        self.samples.iter().copied()
    }

    /// The number of arrivals in the last minute.
    pub fn arrivals(&self) -> usize {
        self.trips.len()
    }

    /// The ratio of the duration of the trips of the last minute to their duration alone; `None` without trips.
    pub fn stretch(&self) -> Option<f64> {
        let [time, free_time] = [|trip: &Trip| trip.time, |trip: &Trip| trip.free_time]
            .map(|of| self.trips.iter().map(|trip| of(trip).seconds()).sum::<f64>());
        (free_time > 0.0).then(|| time / free_time)
    }

    /// The mean duration of the trips of the last minute, in seconds; `None` without trips.
    pub fn mean_trip(&self) -> Option<f64> {
        let sum: f64 = self.trips.iter().map(|trip| trip.time.seconds()).sum();
        (!self.trips.is_empty()).then(|| sum / self.trips.len() as f64)
    }

    /// The time of the last sample.
    pub fn last_sample(&self) -> CrowdTime {
        self.last_sample
    }

    pub(super) fn add_trip(&mut self, trip: Trip) {
        self.trips.push_back(trip);
    }

    pub(super) fn add_sample(&mut self, time: CrowdTime, counts: Counts) {
        self.last_sample = time;
        if self.samples.len() == SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(counts);
        while self.trips.front().is_some_and(|trip| trip.arrived + COUNTED < time) {
            self.trips.pop_front();
        }
    }
}
