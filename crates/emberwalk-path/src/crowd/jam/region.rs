//! The region of a jam, and the problem that its search has to solve.

use super::super::places::{Claim, beside_diagonal};
use super::super::swap::Swaps;
use super::super::{Crowd, OnArrival};
use super::search::{Edge, End, Search};
use super::{FIRST_AGENTS, FIRST_CELLS, Jam, Member, Phase};
use crate::search::steps::{Steps, with_steps};

impl Crowd {
    /// Finds the cells around an agent, the nearest first, and the agents that are there or on the way there.
    pub(super) fn find_region(&mut self, id: usize, jam: &mut Jam, agent: usize) {
        let Jam { doublings, cells, members, .. } = jam;
        cells.clear();
        members.clear();
        cells.push(self.agents[agent].at);
        self.jams.cells.insert(cells[0], (id, 0));
        let mut done = 0;
        while done < cells.len() && members.len() < FIRST_AGENTS << *doublings {
            let at = cells[done];
            done += 1;
            let here = self.places.entering(at).or_else(|| self.idle_agent(at));
            members.extend(here.map(|agent| Member { agent, next: None, leaves: false }));
            let known = &mut self.jams.cells;
            with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
                let is_free = !known.contains_key(&step.to) && self.places.claim(step.to) != Claim::Edit;
                if is_free && cells.len() < FIRST_CELLS << *doublings {
                    known.insert(step.to, (id, cells.len()));
                    cells.push(step.to);
                }
            }));
        }
        self.jams.release(&cells[done..]);
        cells.truncate(done);
    }

    /// Begins the search for steps that bring each agent of a jam to its goal, or out of the region towards its goal.
    pub(super) fn begin_search(&mut self, id: usize, jam: &mut Jam) {
        let Jam { cells, are_at_border, members, search, .. } = jam;
        search.clear();
        are_at_border.clear();
        are_at_border.extend(cells.iter().map(|&at| self.add_edges(id, search, at)));
        for (k, &Member { agent, .. }) in members.iter().enumerate() {
            self.jams.watches[agent].jam = Some((id, k));
            let start = self.jams.number(id, self.agents[agent].next_cell()).unwrap_or_default();
            let (goal, on_arrival) = (self.goal_with_route(agent), self.agents[agent].on_arrival);
            let goal_is_inside = goal.is_some_and(|goal| self.jams.number(id, goal).is_some());
            let stays = on_arrival == OnArrival::Stay;
            let takes_it = |other: &Member| {
                self.agents[other.agent].on_arrival == OnArrival::Stay && self.goal_with_route(other.agent) == goal
            };
            // An agent without a route can be anywhere, and so can one whose goal another agent takes.
            let can_be_anywhere = goal.is_none() || goal_is_inside && stays && members[..k].iter().any(takes_it);
            let end = |number: usize, at: usize| {
                if can_be_anywhere || stays && goal == Some(at) {
                    End::Stays
                } else if goal == Some(at) || !goal_is_inside && are_at_border[number] && self.is_exit(id, agent, at) {
                    End::Leaves
                } else {
                    End::No
                }
            };
            let cost = |at: usize| if can_be_anywhere { 0 } else { self.cost_to_goal(agent, at) };
            let ends = cells.iter().enumerate().map(|(number, &at)| (cost(at), end(number, at)));
            search.add_agent(start as u16, ends);
        }
        search.start(self.now.ticks() ^ (members[0].agent as u64) << 40);
        (jam.phase, jam.moved) = (Phase::Searching, self.now);
        self.schedule_beat();
    }

    /// Adds the steps from a cell to other cells of a jam. Returns whether steps lead out of it.
    fn add_edges(&self, id: usize, search: &mut Search, at: usize) -> bool {
        let stride = self.grid.stride();
        let mut is_at_border = false;
        with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
            let Some(to) = self.jams.number(id, step.to) else {
                is_at_border = true;
                return;
            };
            let crossing = match beside_diagonal(at, step.to, stride).map(|at| self.jams.number(id, at)) {
                [Some(one), Some(other)] if step.direction.is_diagonal() => Some((one as u16, other as u16)),
                _ => None,
            };
            search.add_edge(Some(Edge { to: to as u16, crossing }));
        }));
        search.add_edge(None);
        is_at_border
    }

    /// Whether the route from a cell to the goal of an agent leaves the region of a jam with its first step.
    fn is_exit(&self, id: usize, agent: usize, at: usize) -> bool {
        let mut best = (u64::MAX, false);
        with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
            let cost = self.cost_to_goal(agent, step.to).saturating_add(step.cost);
            if cost < best.0 {
                best = (cost, self.jams.number(id, step.to).is_none());
            }
        }));
        best.1
    }
}
