//! How current and decided steps of agents follow a change of pace.
//!
//! The rest of a step is taken at the new pace. An agent must not be in its new cell before the agent that leaves this
//! cell is half-way. If the agent ahead becomes slower, the agent behind is held up, and so on. From the middle of its
//! step on, it walks at its own pace again.

use super::Board;
use super::agents::Movement;
use crate::CrowdEvent;
use crate::index::AgentIndex;
use emberwalk_path::time::{CrowdTime, Pace, Step};

/// How long an agent that is held up by a standing agent waits before it checks whether it is stuck. It is not tuned:
/// it only decides how soon this is reported.
pub(crate) const HELD_UP_LOOKS_AFTER: CrowdTime = CrowdTime::SECOND;

impl Board {
    /// Gives an agent a pace of its own.
    pub(crate) fn set_pace(&mut self, agent: AgentIndex, pace: Pace) {
        if self.agents[agent].pace == Some(pace) {
            return;
        }
        let was_still = self.is_still(agent);
        self.agents[agent].pace = Some(pace);
        self.events.push(CrowdEvent::PaceSet { agent: self.agents.id(agent), pace, time: self.now });
        if was_still && !pace.is_still() {
            // While it stood still, it could not come nearer to its goal; that is no reason to be impatient.
            let progress = &mut self.agents[agent].progress;
            progress.since = self.now;
            progress.stopped = self.now;
            self.end_to_hold(agent);
            if self.agents[agent].is_idle() {
                self.schedule(agent, self.now);
            }
        }
        self.update_step(agent);
        self.update_hold(agent);
    }

    /// Adapts the step of an agent, and then the steps of the agents behind it.
    pub(crate) fn update_step(&mut self, agent: AgentIndex) {
        if let Some(circle) = self.circle_of(agent) {
            // They enter their cells together, when the slowest does.
            let middles = circle.iter().filter_map(|&member| {
                Some(self.rest_of_step(member, self.agents[member].movement?, self.now).free_at(self.now))
            });
            let middle = middles.max().unwrap_or(self.now);
            circle.into_iter().for_each(|member| _ = self.change_step(member, middle));
            return;
        }
        let mut changed = vec![agent];
        while let Some(agent) = changed.pop() {
            let free_at = self.leaver(agent).map_or(self.now, |(_, free_at)| free_at);
            if self.change_step(agent, free_at) {
                changed.extend(self.followers(agent));
            }
        }
    }

    /// The agents that are about to enter cells which an agent leaves.
    pub(crate) fn followers(&self, agent: AgentIndex) -> Vec<AgentIndex> {
        let cells = self.square(agent, self.agents[agent].at);
        let mut followers: Vec<_> =
            cells.filter_map(|cell| self.places.entering(cell)).filter(|&other| other != agent).collect();
        followers.sort_unstable();
        followers.dedup();
        followers
    }

    /// The last agent that has yet to leave a cell which this agent enters, and when it does.
    pub(crate) fn leaver(&self, agent: AgentIndex) -> Option<(AgentIndex, CrowdTime)> {
        let to = self.agents[agent].movement?.to;
        let others = self.entered_cells(agent, to).filter_map(|cell| self.places.agent(cell));
        let leaving = others.filter(|&other| other != agent).filter_map(|other| {
            let free_at = self.agents[other].movement?.free_at(self.now);
            (free_at > self.now).then_some((other, free_at))
        });
        leaving.max_by_key(|&(other, free_at)| (free_at, other))
    }

    /// The agents that enter each other's cells in a circle with this one.
    fn circle_of(&self, agent: AgentIndex) -> Option<Vec<AgentIndex>> {
        let mut circle = vec![agent];
        // There may be a circle ahead of it.
        while circle.len() <= self.agents.slots() {
            let (ahead, _) = self.leaver(*circle.last()?)?;
            if ahead == agent {
                return Some(circle);
            }
            circle.push(ahead);
        }
        None
    }

    /// Lets an agent take the rest of its step so that it does not enter its cell before this time. Returns whether that
    /// changes anything.
    fn change_step(&mut self, agent: AgentIndex, free_at: CrowdTime) -> bool {
        let Some(old) = self.agents[agent].movement.filter(|movement| self.now < movement.step.end) else {
            return false;
        };
        let new = self.rest_of_step(agent, old, free_at);
        if (new.step, new.is_held_up) == (old.step, old.is_held_up) {
            return false;
        }
        self.agents[agent].movement = Some(new);
        let due = match (new.is_held_up, new.step.stands_still()) {
            (true, true) => self.now + HELD_UP_LOOKS_AFTER,
            (false, true) => CrowdTime::NEVER,
            (true, false) => new.middle,
            (false, false) => new.step.end,
        };
        self.schedule(agent, due);
        self.events.push(CrowdEvent::StepChanged { agent: self.agents.id(agent), step: new.step, time: self.now });
        true
    }

    /// The step of an agent from now on: at its own pace, or slower if it may not enter its cell before a later time.
    fn rest_of_step(&self, agent: AgentIndex, old: Movement, free_at: CrowdTime) -> Movement {
        let (now, step) = (self.now, old.step);
        let ground = self.ground(agent);
        let pace = self.pace_of(agent);
        let duration = match old.link {
            Some(cost) => pace.of(cost),
            None => pace.of_step(ground.grid, ground.rules.without_links(), step.from, step.to),
        };
        let at_own_pace = step.lasting(duration, now);
        if old.middle <= now {
            return Movement { step: at_own_pace, is_held_up: false, changed: now, ..old };
        }
        let (step, is_held_up) = if duration == CrowdTime::NEVER {
            (at_own_pace, false)
        } else if free_at == CrowdTime::NEVER {
            (step.lasting(CrowdTime::NEVER, now), true)
        } else if step.gone(now) == CrowdTime::ZERO {
            // It has not begun, and still waits until the cell will be free in time.
            let middle = free_at.max(now + duration.half());
            let start = middle - duration.half();
            (Step { start, end: start + duration, ..step }, false)
        } else if at_own_pace.middle() >= free_at {
            (at_own_pace, false)
        } else {
            (step.held_up_until(free_at, now), true)
        };
        Movement { step, middle: step.middle(), is_held_up, changed: now, ..old }
    }
}
