//! The routes of agents that pass, where changes are announced: with the arrival time at each cell.

use std::collections::BTreeMap;

use super::Board;
use crate::AgentStop;
use crate::index::{AgentIndex, CellIndex, GuideIndex};
use emberwalk_path::RouteCost;
use emberwalk_path::time::{CrowdTime, Pace};

/// An agent that is this much later than its course says plans again. It is later by up to 2/65536 s after each step, as the
/// times of steps are rounded.
const MAX_LATE: CrowdTime = CrowdTime::SECOND.divided_by(32);

/// The courses of agents.
pub(super) type Courses = BTreeMap<AgentIndex, Course>;

/// The route of an agent with the earliest arrival, given everything that is announced.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Course {
    /// The state for which it was planned.
    basis: Basis,
    /// The cell where the agent is, or which it enters, and the cells after it, with their times; empty if no goal is
    /// ever reachable, or if the agent follows its guide.
    ahead: Vec<AgentStop>,
    /// The cost of the steps from there.
    rest: RouteCost,
}

/// The state on which the course of an agent depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Basis {
    guide: GuideIndex,
    pace: Pace,
    /// The hash of the ground, of the dangers and of the announced changes.
    ground: u64,
}

/// The next action of a standing agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Enter(CellIndex),
    WaitUntil(CrowdTime),
}

impl Course {
    /// The cell where the agent is, or which it enters, and the cells after it.
    pub(crate) fn ahead(&self) -> &[AgentStop] {
        &self.ahead
    }

    /// The cost of its steps from there, without waits.
    pub(crate) fn rest(&self) -> RouteCost {
        self.rest
    }

    /// A number that differs if the agents continue differently.
    pub(super) fn number(&self) -> u64 {
        self.ahead().last().map_or(0, |last| last.arrival.ticks()) ^ (self.ahead().len() as u64) << 48
    }
}

impl Board {
    /// The course of an agent, if it follows one. After a change of the ground or of the announced changes it may be
    /// outdated, until the agent decides its next step.
    pub(crate) fn course(&self, agent: AgentIndex) -> Option<&Course> {
        let course = self.courses.get(&agent)?;
        (self.agents[agent].guide == Some(course.basis.guide) && !course.ahead().is_empty()).then_some(course)
    }

    /// Whether the course of an agent ends where it stands. Its guide may not know yet that its goal is open.
    pub(crate) fn is_at_end_of_course(&self, agent: AgentIndex) -> bool {
        !self.courses.is_empty() && self.course(agent).is_some_and(|course| course.ahead().len() == 1)
    }

    /// The current state on which the course of an agent depends; `None` if it follows none.
    fn basis(&self, agent: AgentIndex) -> Option<Basis> {
        let entry = &self.agents[agent];
        let guide = entry.guide.filter(|_| entry.passes)?;
        let ground = self.land.hash() ^ self.land.hash_of_dangers() ^ self.timetable.hash();
        Some(Basis { guide, pace: self.pace_of(agent), ground })
    }

    /// The agents whose courses are up to date.
    pub(crate) fn current_courses(&self) -> Vec<AgentIndex> {
        let is_current = |&(&agent, course): &(&AgentIndex, &Course)| self.basis(agent) == Some(course.basis);
        self.courses.iter().filter(is_current).map(|(&agent, _)| agent).collect()
    }

    /// Lets agents keep their courses on the current ground: it has changed as was announced.
    pub(crate) fn keep_courses(&mut self, agents: Vec<AgentIndex>) {
        for agent in agents {
            let basis = self.basis(agent);
            if let (Some(course), Some(basis)) = (self.courses.get_mut(&agent), basis) {
                course.basis = basis;
            }
        }
    }

    /// Brings the course of an agent up to date. Returns whether it follows one.
    pub(super) fn update_course(&mut self, agent: AgentIndex) -> bool {
        let has_changes = self.timetable.has_changes_for(self.agents[agent].kind);
        if !has_changes && !self.courses.contains_key(&agent) {
            return false;
        }
        let Some(basis) = self.basis(agent) else { return false };
        let is_current = self.courses.get(&agent).is_some_and(|course| course.basis == basis);
        if !is_current && !has_changes {
            self.forget_course(agent);
        } else if !is_current {
            let entry = &self.agents[agent];
            let (kind, lane) = (entry.kind, entry.lane);
            let departure = entry.movement.map_or(self.now, |movement| movement.step.end);
            let from = self.cell(entry.next_cell());
            let goals = self.guides[lane].goal(basis.guide).cells();
            let found = self.timetable.plan_ahead(&self.land, (kind, basis.pace), from, goals, departure);
            self.guides[lane].note_spent(found.as_ref().map_or(0, |route| route.expanded));
            let (ahead, rest) = found.map_or_else(Default::default, |route| (route.stops, route.cost));
            self.courses.insert(agent, Course { basis, ahead, rest });
        }
        self.courses.get(&agent).is_some_and(|course| !course.ahead().is_empty())
    }

    /// Forgets the course and the itinerary of an agent that has another order or is not where the course says.
    pub(super) fn forget_course(&mut self, agent: AgentIndex) {
        self.itineraries.remove(&agent);
        self.courses.remove(&agent);
    }

    /// The next action of a standing agent on its course; `None` if it follows none.
    pub(super) fn next_on_course(&mut self, agent: AgentIndex) -> Option<Next> {
        let (at, now) = (self.cell(self.agents[agent].at), self.now);
        // If it is late, or not there, it plans once more.
        for _ in 0..2 {
            if !self.update_course(agent) {
                return None;
            }
            match *self.courses.get(&agent)?.ahead() {
                [here, next, ..] if here.cell == at && now <= here.departure + MAX_LATE => {
                    let to = self.index(next.cell);
                    return Some(if now < here.departure { Next::WaitUntil(here.departure) } else { Next::Enter(to) });
                }
                _ => self.forget_course(agent),
            }
        }
        None
    }

    /// Lets an agent take a step of this cost along its course.
    pub(super) fn go_along_course(&mut self, agent: AgentIndex, cost: RouteCost) {
        if let Some(course) = self.courses.get_mut(&agent) {
            course.ahead.remove(0);
            course.rest = RouteCost::from_units(course.rest.units().saturating_sub(cost.units()));
        }
    }
}
