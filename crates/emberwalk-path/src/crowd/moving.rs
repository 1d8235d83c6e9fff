//! How an agent decides its next step: priority inheritance with backtracking. [`Crowd::decide`] is the entry.

use super::agent::{Activity, Movement};
use super::places::{Claim, beside_diagonal};
use super::swap::Swaps;
use super::{Crowd, CrowdEvent, CrowdTime};
use crate::RouteCost;
use crate::search::steps::{Steps, with_steps};

/// The number of agents that one decision asks to move, at most.
const MAX_ASKED: usize = 400;

/// The agents that have to move for one agent to move: each wants the cell of the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    links: Vec<Link>,
    /// The number of decisions so far.
    pub(super) decision: u64,
    asked: usize,
}

impl Chain {
    /// Begins a decision.
    pub(super) fn begin(&mut self) {
        self.decision += 1;
        self.asked = 0;
    }

    /// The pairs of agents in the last chain that was found: the second one makes way for the first.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [Link; 2]> + '_ {
        self.links.windows(2).map(|pair| [pair[0], pair[1]])
    }
}

/// Whom the agents of a chain push.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Push {
    /// Agents below the rank of the first agent of the chain.
    Below,
    /// Also agents of higher rank that wait for the cells which they make free.
    Queue,
}

/// An agent, and the steps that it may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) agent: usize,
    pub(super) at: usize,
    steps: Choices,
    /// The step to try next.
    next: usize,
    /// The cell that the agent claims while others are asked.
    claimed: Option<usize>,
    /// The agent that follows it if it takes its first step, so that the two come closer to changing places.
    follower: Option<usize>,
}

/// Where an agent wants to go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Towards {
    Goal,
    /// Away from its goal, to pull another agent out of a passage.
    Elsewhere,
}

/// Steps of an agent, the best first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choices {
    list: [Choice; 8],
    len: usize,
}

impl Choices {
    fn push(&mut self, choice: Choice) {
        self.list[self.len] = choice;
        self.len += 1;
    }

    fn sort(&mut self) {
        self.list[..self.len].sort_unstable_by_key(|choice| choice.key);
    }

    fn get(&self, k: usize) -> Option<Choice> {
        self.list[..self.len].get(k).copied()
    }

    fn first(&self) -> Option<Choice> {
        self.get(0)
    }

    /// The cells that the steps lead to.
    pub(super) fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        self.list[..self.len].iter().map(|choice| choice.to)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Choice {
    key: Key,
    to: usize,
    duration: CrowdTime,
}

/// What the order of steps depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The cost of the step and of the route from there, in units; inverted if the agent moves away from its goal.
    cost: u64,
    /// Whether the agent would still be in the way of the one that pushes it.
    blocks_pusher: bool,
    is_taken: bool,
    /// A number that differs between agents, cells and times, so that nothing repeats for ever.
    tie: u32,
}

/// Whom the last agent of a chain makes room for.
enum End {
    /// Its cell is free from that time on.
    Free(CrowdTime),
    /// It enters the cell of the first agent of the chain, so that all of them move at the same time.
    Circle,
}

impl Crowd {
    /// Lets an agent decide, and all agents that have to make way for it.
    pub(super) fn decide(&mut self, agent: usize) {
        let time = self.now;
        self.agents[agent].is_deciding = false;
        if self.jams.has(agent) {
            self.follow_script(agent);
            return;
        }
        let entry = &self.agents[agent];
        let Some(guide) = entry.guide.filter(|_| entry.is_idle() && entry.activity == Activity::Travelling) else {
            return;
        };
        if self.guides.cost(guide, entry.at) == u64::MAX {
            self.wait_for_route(agent);
            return;
        }
        if self.begin_jam_if_stuck(agent) {
            return;
        }
        if !self.try_to_move(agent, time) && !self.retreat(agent, time) {
            let step_here = RouteCost::from_units(self.grid.entry_units()[self.agents[agent].at].into());
            self.schedule(agent, time + self.pace.of(step_here));
        }
    }

    /// Lets an agent move, and all that have to make way for it. Returns whether it does.
    pub(super) fn try_to_move(&mut self, agent: usize, time: CrowdTime) -> bool {
        self.chain.begin();
        let link = self.link(agent, None, time);
        self.find_chain(link, Push::Below, time)
    }

    /// Searches for a chain of agents that can move together, depth first, and lets them move.
    pub(super) fn find_chain(&mut self, first: Link, push: Push, time: CrowdTime) -> bool {
        let root = first.agent;
        let (rank, has_script) = (self.rank(root), self.jams.has(root));
        let mut links = std::mem::take(&mut self.chain.links);
        links.clear();
        links.push(first);
        let found = loop {
            let length = links.len();
            let pushed_from = length.checked_sub(2).map(|k| links[k].at);
            let Some(link) = links.last_mut() else { break false };
            if let Some(claimed) = link.claimed.take() {
                self.places.set_claim(claimed, Claim::None);
            }
            let Some(choice) = link.steps.get(link.next) else {
                links.pop();
                continue;
            };
            link.next += 1;
            let (agent, at) = (link.agent, link.at);
            // The two would change places.
            if pushed_from == Some(choice.to) || !self.can_claim(at, choice.to) {
                continue;
            }
            let end = match self.places.agent(choice.to) {
                None => End::Free(time),
                Some(other) => match self.agents[other].movement {
                    Some(movement) => End::Free(movement.middle),
                    None if other == root && length > 1 => End::Circle,
                    None => {
                        if self.agents[other].asked_in != self.chain.decision
                            && (has_script
                                || push == Push::Queue && self.wants(other, at)
                                || rank < self.rank(other) && !self.stays_in_goal_of(other, agent))
                            && self.chain.asked < MAX_ASKED
                        {
                            self.places.set_claim(choice.to, Claim::Agent(agent));
                            link.claimed = Some(choice.to);
                            links.push(self.link(other, Some(agent), time));
                        }
                        continue;
                    }
                },
            };
            self.move_chain(&links, end, time);
            break true;
        };
        self.chain.links = links;
        found
    }

    /// An agent that is to move in one of these steps.
    pub(super) fn link_with(&mut self, agent: usize, steps: Choices) -> Link {
        self.agents[agent].asked_in = self.chain.decision;
        self.chain.asked += 1;
        Link { agent, at: self.agents[agent].at, steps, next: 0, claimed: None, follower: None }
    }

    /// An agent that is to move, for the agent that pushes it if it is not the first of its chain.
    fn link(&mut self, agent: usize, pusher: Option<usize>, time: CrowdTime) -> Link {
        let steps = self.steps(agent, pusher, Towards::Goal, time);
        let mut link = self.link_with(agent, steps);
        let at = link.at;
        let wanted = steps
            .first()
            .filter(|_| !self.jams.has(agent))
            .filter(|best| self.cost_to_goal(agent, best.to) < self.cost_to_goal(agent, at));
        link.follower = wanted.and_then(|best| self.partner_to_swap_with(agent, at, best.to));
        if link.follower.is_some() {
            link.steps = self.steps(agent, pusher, Towards::Elsewhere, time);
        }
        link
    }

    /// Whether a patient agent pushes another one that travels ahead of it, in the same direction.
    fn is_queue(&self, pusher: usize, agent: usize) -> bool {
        let [behind, here] = [pusher, agent].map(|other| self.cost_to_goal(agent, self.agents[other].at));
        self.agents[agent].activity == Activity::Travelling && here < behind && self.is_patient(pusher)
    }

    /// The steps that an agent may take, the best first. It steps away from where it wants to go only if
    /// it is pushed, and not by one that queues behind it.
    pub(super) fn steps(&self, agent: usize, pusher: Option<usize>, towards: Towards, time: CrowdTime) -> Choices {
        let at = self.agents[agent].at;
        let here = self.cost_to_goal(agent, at);
        // An agent that is pushed and cannot go back goes on.
        let may_go_on = towards == Towards::Goal || pusher.is_some();
        let may_step_anywhere = pusher.is_some_and(|pusher| !self.is_queue(pusher, agent)) || self.jams.has(agent);
        let mut choices = Choices::default();
        with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
            let rest = self.cost_to_goal(agent, step.to);
            let may_take = if rest < here { may_go_on } else { towards == Towards::Elsewhere };
            if may_take || may_step_anywhere {
                let cost = rest.saturating_add(step.cost);
                let blocks_pusher =
                    pusher.is_some_and(|pusher| self.cost_to_goal(pusher, step.to) < self.cost_to_goal(pusher, at));
                choices.push(Choice {
                    to: step.to,
                    duration: self.pace.of(RouteCost::from_units(step.cost)),
                    key: Key {
                        cost: if towards == Towards::Goal { cost } else { !cost },
                        blocks_pusher,
                        is_taken: self.places.agent(step.to).is_some(),
                        tie: hash(agent, step.to, time),
                    },
                });
            }
        }));
        choices.sort();
        choices
    }

    /// Whether a step can begin: no agent, edit or jam forbids to enter the cell, and nobody crosses on the other diagonal.
    pub(super) fn can_claim(&self, from: usize, to: usize) -> bool {
        if self.places.claim(to) != Claim::None || !self.jams.allow(self.places.agent(from), to) {
            return false;
        }
        let stride = self.grid.stride();
        let distance = to.abs_diff(from);
        if distance == 1 || distance == stride {
            return true;
        }
        let [one, other] = beside_diagonal(from, to, stride);
        let crosses =
            |from: usize, to: usize| self.places.entering(to).is_some_and(|agent| self.agents[agent].at == from);
        !crosses(one, other) && !crosses(other, one)
    }

    /// Lets all agents of a chain move: the last one first, as the others follow it.
    fn move_chain(&mut self, links: &[Link], end: End, time: CrowdTime) {
        let steps = || links.iter().filter_map(|link| Some((link, link.steps.get(link.next.checked_sub(1)?)?)));
        let mut free_at = match end {
            End::Free(free_at) => free_at,
            End::Circle => steps().map(|(_, choice)| time + choice.duration.half()).max().unwrap_or(time),
        };
        for (link, Choice { to, duration, .. }) in steps().rev() {
            free_at = free_at.max(time + duration.half());
            self.begin_step(link.agent, to, free_at, duration);
        }
        for link in links {
            if let Some(follower) = link.follower.filter(|_| link.next == 1) {
                let free_at = self.agents[link.agent].movement.map_or(time, |movement| movement.middle);
                self.pull(follower, link.at, free_at);
            }
        }
    }

    pub(super) fn begin_step(&mut self, agent: usize, to: usize, middle: CrowdTime, duration: CrowdTime) {
        let start = middle - duration.half();
        let movement = Movement { to, middle, start, end: start + duration };
        let from = self.agents[agent].at;
        let step = self.step(from, &movement);
        self.agents[agent].movement = Some(movement);
        self.places.set_claim(to, Claim::Agent(agent));
        self.jams.begin_step(agent, to, self.now);
        self.events.push(CrowdEvent::Step { agent: self.agents.id(agent), step });
        self.schedule(agent, movement.end);
        self.call_neighbours(from, None);
    }
}

fn hash(agent: usize, to: usize, time: CrowdTime) -> u32 {
    let mixed = (agent as u64 ^ (to as u64) << 20 ^ time.ticks() << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32) as u32
}
