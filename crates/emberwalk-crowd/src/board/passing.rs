//! Agents that pass through all others: they take no cell, and step along their routes.

use super::Board;
use super::agents::{Agent, Movement};
use super::courses::Next;
use super::places::Claim;
use crate::CrowdEvent;
use crate::index::{AgentIndex, CellIndex};
use emberwalk_path::internal::{Steps, with_steps};
use emberwalk_path::time::{CrowdTime, Walker};

/// An agent whose route has been lost by an edit looks again after two beats, in which guides are brought up to date.
const LOOKS_AGAIN_AFTER: CrowdTime = CrowdTime::SECOND.divided_by(16);

impl Board {
    /// The cell of the cheapest step from a cell towards the goal of an agent; `None` where no step leads nearer to it.
    pub(crate) fn best_step(&self, agent: AgentIndex, at: CellIndex) -> Option<CellIndex> {
        let ground = self.ground_with_danger(agent);
        let now = self.cost_to_goal(agent, at);
        let mut best = (u64::MAX, None);
        with_steps!(ground.grid, ground.rules, steps => steps.for_each(at.get(), None, |step| {
            let to = CellIndex::new(step.to);
            let left = self.cost_to_goal(agent, to);
            let cost = left.saturating_add(step.cost);
            if left < now && cost < best.0 {
                best = (cost, Some(to));
            }
        }));
        best.1
    }

    /// Lets an agent that passes take the next step of its route, or wait for an announced change. If an edit has
    /// blocked its route, it waits for another one. Returns `false` if no route leads to its goal.
    pub(crate) fn step_on(&mut self, agent: AgentIndex) -> bool {
        let at = self.agents[agent].at;
        let next = self.next_on_course(agent);
        let to = match next {
            Some(Next::WaitUntil(departure)) => {
                self.schedule(agent, departure);
                return true;
            }
            Some(Next::Enter(to)) => Some(to),
            None if self.cost_to_goal(agent, at) == u64::MAX => return false,
            None => self.best_step(agent, at),
        };
        // The ground may not have changed as announced.
        let Some((to, cost)) = to.and_then(|to| Some((to, self.ground(agent).step_cost(at, to)?))) else {
            self.schedule(agent, self.now + LOOKS_AGAIN_AFTER);
            return true;
        };
        let duration = self.duration(agent, cost);
        if next.is_some() {
            self.go_along_course(agent, cost);
        }
        self.begin_step(agent, to, self.now + duration.half(), duration);
        true
    }

    /// Lets an agent that passes continue the step of a walker.
    pub(crate) fn go_on_with(&mut self, agent: AgentIndex, walker: &Walker) {
        let Some(step) = walker.step() else { return };
        let [at, to] = [step.from, step.to].map(|cell| self.index(cell));
        let (now, goes_back) = (self.now, walker.goes_back());
        let link = self.agents[agent].movement.filter(|before| before.to == to).and_then(|before| before.link);
        // For a step that stands still, it may be long before time zero.
        let middle = step.middle().max(CrowdTime::ZERO);
        let movement = Movement { to, step, middle, is_held_up: false, changed: now, link, goes_back };
        let entry = &mut self.agents[agent];
        (entry.at, entry.movement, entry.facing) = (at, Some(movement), Some(step.direction()));
        self.events.push(CrowdEvent::StepChanged { agent: self.agents.id(agent), step, time: now });
        self.schedule(agent, if step.stands_still() { CrowdTime::NEVER } else { step.end });
    }

    /// Where an agent is, and the step that it is taking or is about to take.
    pub(crate) fn walker(&self, agent: AgentIndex) -> Walker {
        let Agent { at, movement, .. } = self.agents[agent];
        let standing = Walker::standing(self.cell(at));
        movement.map_or(standing, |movement| Walker::stepping(movement.step, movement.goes_back))
    }

    /// Lets all agents that pass react to changes of the ground since the last call.
    pub(crate) fn revise_passing(&mut self) {
        if !std::mem::take(&mut self.is_ground_changed) {
            return;
        }
        let passing: Vec<_> = self.agents.on_map().filter(|&agent| self.agents[agent].passes).collect();
        passing.into_iter().for_each(|agent| self.revise_step(agent));
    }

    /// Lets an agent go on with its step at the pace of the new ground, or turn back from a cell that is blocked now.
    /// An agent that is in a blocked cell and cannot turn back is put into the nearest passable cell.
    fn revise_step(&mut self, agent: AgentIndex) {
        let entry = &self.agents[agent];
        let (now, ground, pace) = (self.now, self.ground(agent), self.pace_of(agent));
        let before = entry.movement;
        let mut walker = self.walker(agent);
        let duration = |from, to| pace.of_step(ground.grid, ground.rules, from, to);
        if !walker.revise(ground.grid, now, duration) {
            let nearest = ground.grid.nearest_passable(walker.entered());
            self.break_off_step(agent, |_| Claim::None);
            if let Some(cell) = nearest {
                let to = self.index(cell);
                self.forget_course(agent);
                self.relocate(agent, to);
                self.look_around(agent, to);
            }
            self.schedule(agent, now);
        } else if walker.step() != before.map(|before| before.step) {
            self.go_on_with(agent, &walker);
        } else if self.agents[agent].is_idle() && self.itineraries.contains_key(&agent) {
            self.schedule(agent, now);
        } else if self.agents[agent].is_idle() && (self.agents[agent].is_cut_off || !self.timetable.is_empty()) {
            let looks_at = (now + LOOKS_AGAIN_AFTER).min(self.agents[agent].due);
            self.schedule(agent, looks_at);
        }
    }
}
