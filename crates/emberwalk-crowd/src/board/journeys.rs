//! Where agents go: the guides that lead them, and how they set out and look around.

use std::cmp::Reverse;

use super::Board;
use super::agents::{Activity, Agent, Progress};
use super::rank::Journey;
use crate::goal::Target;
use crate::index::{AgentIndex, CellIndex, GuideIndex};
use crate::land::Group;
use crate::{CrowdEvent, OnArrival};
use emberwalk_path::time::CrowdTime;

/// How long an agent without a route waits until it looks for one again. It is not tuned: it only says how soon a new
/// route is seen.
const RETRY_AFTER: CrowdTime = CrowdTime::SECOND;
/// Agents that are sent in the same period of this length count as sent together. It is not tuned: the crowds that were
/// measured set out at one time.
const SENT_TOGETHER: CrowdTime = CrowdTime::from_whole_seconds(64);

impl Board {
    /// Prepares the searches for own routes.
    pub(crate) fn prepare(&mut self) {
        let kinds = self.land.kinds();
        let (guides, of_passing) = self.guides.split_at_mut(kinds);
        for (kind, (guides, of_passing)) in guides.iter_mut().zip(of_passing).enumerate() {
            guides.prepare(self.land.ground_with_danger(kind));
            of_passing.share_preparation(guides);
        }
    }

    /// The guide to a goal, for an agent.
    pub(crate) fn acquire(&mut self, agent: AgentIndex, target: Target) -> GuideIndex {
        let (lane, at) = (self.agents[agent].lane, self.agents[agent].next_cell());
        self.guides[lane].acquire(self.land.ground_for_guides(lane), target, agent, at)
    }

    /// Lets an agent wait for the search for its route to a goal.
    pub(crate) fn request_route(&mut self, agent: AgentIndex, target: Target, on_arrival: OnArrival) {
        let guide = self.guides[self.agents[agent].lane].join(target);
        self.request(agent, guide, on_arrival);
    }

    /// Takes its guide away from an agent that gets another one.
    pub(crate) fn replace_guide(&mut self, agent: AgentIndex) {
        self.tell_to_hold(agent, false);
        self.cancel_request(agent);
        self.forget_course(agent);
        if let Some(before) = self.agents[agent].guide.take() {
            self.guides[self.agents[agent].lane].release(before);
        }
    }

    /// Lets a guide lead the agent for which it was acquired, and which has none.
    pub(crate) fn follow_guide(&mut self, agent: AgentIndex, guide: GuideIndex, on_arrival: OnArrival) {
        let entry = &mut self.agents[agent];
        entry.progress = Progress::new(self.now);
        entry.guide = Some(guide);
        entry.relation = None;
        entry.group_order = None;
        entry.was_there = false;
        entry.on_arrival = on_arrival;
        let since = self.now.rounded_down_to(SENT_TOGETHER);
        match self.searches.are_limited() {
            // The search for its route was the last thing that has happened.
            true => self.begin_journey(agent, since),
            false => self.set_out(agent, since),
        }
        if self.agents[agent].is_idle() {
            let time = match self.agents[agent].passes {
                true => self.now,
                false => self.agenda.time_to_set_out(self.now, self.agents.slots()),
            };
            self.schedule(agent, time);
        }
    }

    /// Lets an agent have no route for now, without reporting that it is cut off.
    pub(crate) fn rest(&mut self, agent: AgentIndex) {
        self.agents[agent].activity = Activity::Resting;
    }

    /// Allows the report that no route leads to the next goal of an agent.
    pub(crate) fn begin_order(&mut self, agent: AgentIndex) {
        self.agents[agent].is_cut_off = false;
    }

    /// Lets an agent begin a journey to its goal, unless no route leads there. `since` is the time from which it counts
    /// as being on the way.
    pub(crate) fn set_out(&mut self, agent: AgentIndex, since: CrowdTime) {
        self.look_around(agent, self.agents[agent].next_cell());
        self.begin_journey(agent, since);
    }

    /// The same for an agent that has looked around, or whose route is new.
    pub(crate) fn begin_journey(&mut self, agent: AgentIndex, since: CrowdTime) {
        let Some(guide) = self.agents[agent].guide else { return };
        let at = self.agents[agent].next_cell();
        if self.agents[agent].request.is_some() && !self.has_route(agent) {
            // Its new route is not known yet.
            return;
        }
        let distance = self.cost_to_goal(agent, at);
        let Agent { kind, passes, .. } = self.agents[agent];
        let group = match passes {
            true => Group::default(),
            false => {
                let goal = self.guides_of(agent).goal(guide).first();
                self.rooms[kind].group(self.land.ground(kind).grid, since, goal)
            }
        };
        let entry = &mut self.agents[agent];
        entry.journey = Journey { since: Reverse(since), group: Reverse(group), distance };
        let rested =
            std::mem::replace(&mut entry.activity, Activity::Travelling) == Activity::Resting && entry.was_there;
        if !self.update_course(agent) && distance == u64::MAX {
            self.wait_for_route(agent);
        } else if std::mem::take(&mut self.agents[agent].is_cut_off) {
            let agent = self.agents.id(agent);
            self.events.push(CrowdEvent::Reachable { agent, time: self.now });
        } else if rested {
            self.events.push(CrowdEvent::SetOut { agent: self.agents.id(agent), time: self.now });
        }
    }

    /// Lets an agent that has entered a cell look around along its route.
    pub(crate) fn look_around(&mut self, agent: AgentIndex, at: CellIndex) {
        if let Some(guide) = self.agents[agent].guide {
            let lane = self.agents[agent].lane;
            let (ground, guides) = (self.land.ground_for_guides(lane), &mut self.guides[lane]);
            if !self.searches.are_limited() {
                guides.follow(ground, guide, agent, at);
            } else if !guides.follow_known(ground, guide, agent, at) {
                self.request_again(agent);
            }
        }
    }

    /// Lets an agent see farther than usual.
    pub(crate) fn look_far(&mut self, agent: AgentIndex) {
        let entry = &self.agents[agent];
        let (lane, at) = (entry.lane, entry.next_cell());
        if let Some(guide) = entry.guide {
            self.guides[lane].look_far(self.land.ground_for_guides(lane), guide, agent, at);
        }
    }

    /// Lets an agent look for a route again later. Reports that its goal is unreachable, unless an announced change
    /// opens a route.
    pub(crate) fn wait_for_route(&mut self, agent: AgentIndex) {
        let waits_for_opening = !self.agents[agent].is_cut_off && self.opens_later(agent);
        let entry = &mut self.agents[agent];
        entry.activity = Activity::Resting;
        if !waits_for_opening && !std::mem::replace(&mut entry.is_cut_off, true) {
            let agent = self.agents.id(agent);
            self.events.push(CrowdEvent::Unreachable { agent, time: self.now });
        }
        if self.agents[agent].is_idle() {
            self.schedule(agent, self.now + RETRY_AFTER);
        }
    }

    /// Brings the guides and the rooms up to date with the grid. Returns whether all are.
    pub(crate) fn catch_up(&mut self) -> bool {
        let Self { land, guides, rooms, agents, searches, now, .. } = self;
        // One kind after the other, so that a beat has the work of one.
        let rooms_are_current = rooms.iter_mut().zip(land.grids()).all(|(rooms, grid)| rooms.catch_up(grid, *now));
        let mut guides = guides.iter_mut().enumerate();
        let guides_are_current = guides.all(|(lane, guides)| {
            let walker = |agent| (agents[agent].guide, agents[agent].next_cell());
            guides.catch_up(land.ground_for_guides(lane), walker, searches.allowance(*now))
        });
        for lane in 0..self.guides.len() {
            for agent in self.guides[lane].take_outdated() {
                self.request_again(agent);
            }
        }
        guides_are_current && rooms_are_current
    }

    /// Takes its goal away from an agent.
    pub(crate) fn forget_goal(&mut self, agent: AgentIndex) {
        self.cancel_request(agent);
        self.leave_guide(agent);
    }

    /// Takes away the goal to which an agent is under way, but not a goal whose search it waits for.
    pub(crate) fn leave_guide(&mut self, agent: AgentIndex) {
        self.agents[agent].relation = None;
        self.agents[agent].group_order = None;
        self.agents[agent].was_there = false;
        self.forget_course(agent);
        if let Some(guide) = self.agents[agent].guide.take() {
            let guides = &mut self.guides[self.agents[agent].lane];
            guides.release(guide);
            guides.forget_route(agent);
        }
    }
}
