//! The journey of an agent: it sets out to its goal, ends its steps, arrives, and leaves the map.

use std::cmp::Reverse;

use super::agent::Activity;
use super::rank::Journey;
use super::{Crowd, CrowdEvent, CrowdTime, OnArrival};

/// How long an agent without a route waits until it looks for one again.
const RETRY_AFTER: CrowdTime = CrowdTime::SECOND;

impl Crowd {
    /// Ends the step of an agent, if it was taking one.
    pub(super) fn end_step(&mut self, agent: usize) {
        let Some(movement) = self.agents[agent].movement.take() else { return };
        let from = std::mem::replace(&mut self.agents[agent].at, movement.to);
        self.places.take(agent, from);
        self.places.put(agent, movement.to);
        self.release_claim(movement.to);
        self.call_neighbours(movement.to, Some(agent));
        self.watch_step_end(agent);
    }

    /// Lets an agent that stands still arrive, set out again because it was pushed out of its goal, or decide its next step.
    pub(super) fn continue_journey(&mut self, agent: usize) {
        let Some(guide) = self.agents[agent].guide else { return };
        if self.guides.cost(guide, self.agents[agent].at) == 0 {
            self.arrive(agent);
        } else {
            if self.agents[agent].activity == Activity::Resting {
                self.set_out(agent, self.now);
            }
            self.call(agent);
        }
    }

    fn arrive(&mut self, agent: usize) {
        let at = self.grid.cell(self.agents[agent].at);
        self.events.push(CrowdEvent::Arrived { agent: self.agents.id(agent), at, time: self.now });
        self.rest(agent);
        if self.agents[agent].on_arrival == OnArrival::Leave {
            self.leave(agent);
        }
    }

    /// Lets an agent only make way from now on.
    pub(super) fn rest(&mut self, agent: usize) {
        self.agents[agent].activity = Activity::Resting;
    }

    /// Takes an agent off the map that takes no step.
    pub(super) fn leave(&mut self, agent: usize) {
        self.forget_goal(agent);
        self.leave_jam(agent);
        let (id, at) = (self.agents.id(agent), self.agents[agent].at);
        self.places.take(agent, at);
        self.events.push(CrowdEvent::Left { agent: id, at: self.grid.cell(at), time: self.now });
        self.agents.vacate(agent);
        self.call_neighbours(at, None);
    }

    pub(super) fn forget_goal(&mut self, agent: usize) {
        if let Some(guide) = self.agents[agent].guide.take() {
            self.guides.release(guide);
        }
    }

    /// Lets an agent begin a journey to its goal, unless no route leads there.
    pub(super) fn set_out(&mut self, agent: usize, since: CrowdTime) {
        let Some(guide) = self.agents[agent].guide else { return };
        let distance = self.guides.cost(guide, self.agents[agent].next_cell());
        let group = self.rooms.group(&self.grid, self.now, since, self.guides.goal(guide));
        let entry = &mut self.agents[agent];
        entry.journey = Journey { since, group, distance: Reverse(distance) };
        entry.activity = Activity::Travelling;
        if distance == u64::MAX {
            self.wait_for_route(agent);
        }
    }

    /// Lets an agent look for a route again later.
    pub(super) fn wait_for_route(&mut self, agent: usize) {
        self.rest(agent);
        if self.agents[agent].is_idle() {
            self.schedule(agent, self.now + RETRY_AFTER);
        }
    }
}
