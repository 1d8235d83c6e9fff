//! Agents that follow itineraries.

use std::collections::BTreeMap;

use super::Board;
use crate::index::AgentIndex;
use crate::{CrowdEvent, Itinerary};
use emberwalk_path::hash::{Mixer, number_of};

/// The itineraries that agents follow, or have followed to the end.
pub(super) type Itineraries = BTreeMap<AgentIndex, Itinerary>;

impl Board {
    /// The itinerary that an agent follows.
    pub(crate) fn itinerary(&self, agent: AgentIndex) -> Option<&Itinerary> {
        self.itineraries.get(&agent)
    }

    /// Lets an agent that passes and has no other order follow an itinerary.
    pub(crate) fn follow_itinerary(&mut self, agent: AgentIndex, itinerary: Itinerary) {
        self.itineraries.insert(agent, itinerary);
        if self.agents[agent].is_idle() {
            self.schedule(agent, self.now);
        }
    }

    /// Lets an agent that stands take the next step of its itinerary, or wait. If the step is not possible, it stands
    /// until the ground changes. `has_moved` says whether a step has just ended. Returns whether it has an itinerary.
    pub(crate) fn go_along_itinerary(&mut self, agent: AgentIndex, has_moved: bool) -> bool {
        let at = self.agents[agent].at;
        let cell = self.cell(at);
        let Some(itinerary) = self.itineraries.get(&agent) else { return false };
        match *itinerary.ahead() {
            [here, next, ..] if here == cell => {
                let to = self.grid().size().contains(next).then(|| self.index(next));
                let step = to.and_then(|to| Some((to, self.ground(agent).step_cost(at, to)?)));
                let Some((to, cost)) = step.filter(|_| !self.is_still(agent)) else { return true };
                if let Some(until) = itinerary.wait_at(0).filter(|until| *until > self.now) {
                    self.schedule(agent, until);
                    return true;
                }
                if let Some(itinerary) = self.itineraries.get_mut(&agent) {
                    itinerary.go_on();
                }
                let duration = self.duration(agent, cost);
                self.begin_step(agent, to, self.now + duration.half(), duration);
            }
            [here] if here == cell && has_moved => {
                self.events.push(CrowdEvent::Arrived { agent: self.agents.id(agent), at: cell, time: self.now });
            }
            _ => {}
        }
        true
    }

    /// Adds the itineraries to a hash, which stays as it is if there are none.
    pub(super) fn add_itineraries_to(&self, hash: &mut Mixer) {
        for (agent, itinerary) in &self.itineraries {
            hash.add(agent.get() as u64);
            itinerary.ahead().iter().for_each(|cell| hash.add(number_of(*cell)));
            itinerary.waits_ahead().for_each(|(at, until)| hash.add((at as u64) << 48 ^ until.ticks()));
        }
    }
}
