//! How a unit decides its next step: priority inheritance with backtracking. [`Crowd::decide`] is the entry.

use super::places::{Claim, beside_diagonal};
use super::swap::Swaps;
use super::unit::{Activity, Movement};
use super::{Crowd, CrowdEvent, Time};
use crate::RouteCost;
use crate::search::steps::{Steps, with_steps};

/// The number of units that one decision asks to move, at most.
const MAX_ASKED: usize = 400;

/// The units that have to move for one unit to move: each wants the cell of the next.
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

    /// The pairs of units in the last chain that was found: the second one makes way for the first.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [Link; 2]> + '_ {
        self.links.windows(2).map(|pair| [pair[0], pair[1]])
    }
}

/// Whom the units of a chain push.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Push {
    /// Units below the rank of the first unit of the chain.
    Below,
    /// Also units of higher rank that wait for the cells which they make free.
    Queue,
}

/// A unit, and the steps that it may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) unit: usize,
    pub(super) at: usize,
    steps: Choices,
    /// The step to try next.
    next: usize,
    /// The cell that the unit claims while others are asked.
    claimed: Option<usize>,
    /// The unit that follows it if it takes its first step, so that the two come closer to changing places.
    follower: Option<usize>,
}

/// Where a unit wants to go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Towards {
    Goal,
    /// Away from its goal, to pull another unit out of a passage.
    Elsewhere,
}

/// Steps of a unit, the best first.
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
    duration: Time,
}

/// What the order of steps depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The cost of the step and of the route from there, in units; inverted if the unit moves away from its goal.
    cost: u64,
    /// Whether the unit would still be in the way of the one that pushes it.
    blocks_pusher: bool,
    is_taken: bool,
    /// A number that differs between units, cells and times, so that nothing repeats for ever.
    tie: u32,
}

/// Whom the last unit of a chain makes room for.
enum End {
    /// Its cell is free from that time on.
    Free(Time),
    /// It enters the cell of the first unit of the chain, so that all of them move at the same time.
    Circle,
}

impl Crowd {
    /// Lets a unit decide, and all units that have to make way for it.
    pub(super) fn decide(&mut self, unit: usize) {
        let time = self.now;
        self.units[unit].is_deciding = false;
        if self.jams.has(unit) {
            self.follow_script(unit);
            return;
        }
        let entry = &self.units[unit];
        let Some(guide) = entry.guide.filter(|_| entry.is_idle() && entry.activity == Activity::Travelling) else {
            return;
        };
        if self.guides.cost(guide, entry.at) == u64::MAX {
            self.wait_for_route(unit);
            return;
        }
        if self.begin_jam_if_stuck(unit) {
            return;
        }
        if !self.try_to_move(unit, time) && !self.retreat(unit, time) {
            let step_here = RouteCost::from_units(self.grid.entry_units()[self.units[unit].at].into());
            self.schedule(unit, time + self.pace.of(step_here));
        }
    }

    /// Lets a unit move, and all that have to make way for it. Returns whether it does.
    pub(super) fn try_to_move(&mut self, unit: usize, time: Time) -> bool {
        self.chain.begin();
        let link = self.link(unit, None, time);
        self.find_chain(link, Push::Below, time)
    }

    /// Searches for a chain of units that can move together, depth first, and lets them move.
    pub(super) fn find_chain(&mut self, first: Link, push: Push, time: Time) -> bool {
        let root = first.unit;
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
            let (unit, at) = (link.unit, link.at);
            // The two would change places.
            if pushed_from == Some(choice.to) || !self.can_claim(at, choice.to) {
                continue;
            }
            let end = match self.places.unit(choice.to) {
                None => End::Free(time),
                Some(other) => match self.units[other].movement {
                    Some(movement) => End::Free(movement.middle),
                    None if other == root && length > 1 => End::Circle,
                    None => {
                        if self.units[other].asked_in != self.chain.decision
                            && (has_script
                                || push == Push::Queue && self.wants(other, at)
                                || rank < self.rank(other) && !self.stays_in_goal_of(other, unit))
                            && self.chain.asked < MAX_ASKED
                        {
                            self.places.set_claim(choice.to, Claim::Unit(unit));
                            link.claimed = Some(choice.to);
                            links.push(self.link(other, Some(unit), time));
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

    /// A unit that is to move in one of these steps.
    pub(super) fn link_with(&mut self, unit: usize, steps: Choices) -> Link {
        self.units[unit].asked_in = self.chain.decision;
        self.chain.asked += 1;
        Link { unit, at: self.units[unit].at, steps, next: 0, claimed: None, follower: None }
    }

    /// A unit that is to move, for the unit that pushes it if it is not the first of its chain.
    fn link(&mut self, unit: usize, pusher: Option<usize>, time: Time) -> Link {
        let steps = self.steps(unit, pusher, Towards::Goal, time);
        let mut link = self.link_with(unit, steps);
        let at = link.at;
        let wanted = steps
            .first()
            .filter(|_| !self.jams.has(unit))
            .filter(|best| self.cost_to_goal(unit, best.to) < self.cost_to_goal(unit, at));
        link.follower = wanted.and_then(|best| self.partner_to_swap_with(unit, at, best.to));
        if link.follower.is_some() {
            link.steps = self.steps(unit, pusher, Towards::Elsewhere, time);
        }
        link
    }

    /// Whether a patient unit pushes another one that travels ahead of it, in the same direction.
    fn is_queue(&self, pusher: usize, unit: usize) -> bool {
        let [behind, here] = [pusher, unit].map(|other| self.cost_to_goal(unit, self.units[other].at));
        self.units[unit].activity == Activity::Travelling && here < behind && self.is_patient(pusher)
    }

    /// The steps that a unit may take, the best first. It steps away from where it wants to go only if
    /// it is pushed, and not by one that queues behind it.
    pub(super) fn steps(&self, unit: usize, pusher: Option<usize>, towards: Towards, time: Time) -> Choices {
        let at = self.units[unit].at;
        let here = self.cost_to_goal(unit, at);
        // A unit that is pushed and cannot go back goes on.
        let may_go_on = towards == Towards::Goal || pusher.is_some();
        let may_step_anywhere = pusher.is_some_and(|pusher| !self.is_queue(pusher, unit)) || self.jams.has(unit);
        let mut choices = Choices::default();
        with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
            let rest = self.cost_to_goal(unit, step.to);
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
                        is_taken: self.places.unit(step.to).is_some(),
                        tie: hash(unit, step.to, time),
                    },
                });
            }
        }));
        choices.sort();
        choices
    }

    /// Whether a step can begin: no unit, edit or jam forbids to enter the cell, and nobody crosses on the other diagonal.
    pub(super) fn can_claim(&self, from: usize, to: usize) -> bool {
        if self.places.claim(to) != Claim::None || !self.jams.allow(self.places.unit(from), to) {
            return false;
        }
        let stride = self.grid.stride();
        let distance = to.abs_diff(from);
        if distance == 1 || distance == stride {
            return true;
        }
        let [one, other] = beside_diagonal(from, to, stride);
        let crosses = |from: usize, to: usize| self.places.entering(to).is_some_and(|unit| self.units[unit].at == from);
        !crosses(one, other) && !crosses(other, one)
    }

    /// Lets all units of a chain move: the last one first, as the others follow it.
    fn move_chain(&mut self, links: &[Link], end: End, time: Time) {
        let steps = || links.iter().filter_map(|link| Some((link, link.steps.get(link.next.checked_sub(1)?)?)));
        let mut free_at = match end {
            End::Free(free_at) => free_at,
            End::Circle => steps().map(|(_, choice)| time + choice.duration.half()).max().unwrap_or(time),
        };
        for (link, Choice { to, duration, .. }) in steps().rev() {
            free_at = free_at.max(time + duration.half());
            self.begin_step(link.unit, to, free_at, duration);
        }
        for link in links {
            if let Some(follower) = link.follower.filter(|_| link.next == 1) {
                let free_at = self.units[link.unit].movement.map_or(time, |movement| movement.middle);
                self.pull(follower, link.at, free_at);
            }
        }
    }

    pub(super) fn begin_step(&mut self, unit: usize, to: usize, middle: Time, duration: Time) {
        let start = middle - duration.half();
        let movement = Movement { to, middle, start, end: start + duration };
        let from = self.units[unit].at;
        let step = self.step(from, &movement);
        self.units[unit].movement = Some(movement);
        self.places.set_claim(to, Claim::Unit(unit));
        self.jams.begin_step(unit, to, self.now);
        self.events.push(CrowdEvent::Step { unit: self.units.id(unit), step });
        self.schedule(unit, movement.end);
        self.call_neighbours(from, None);
    }
}

fn hash(unit: usize, to: usize, time: Time) -> u32 {
    let mixed = (unit as u64 ^ (to as u64) << 20 ^ time.ticks() << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32) as u32
}
