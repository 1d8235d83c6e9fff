//! The region of a jam, and what has to be found there.

use super::super::places::Claim;
use super::super::swap::Swaps;
use super::super::{Crowd, OnArrival};
use super::search::{End, Search, Way};
use super::{CELLS, Jam, Member, Phase, UNITS};
use crate::search::steps::{Steps, with_steps};

impl Crowd {
    /// Finds the cells around a unit, nearest first, and who is there or on the way there.
    pub(super) fn find_region(&mut self, id: usize, jam: &mut Jam, unit: usize, attempt: u32) {
        let Jam { cells, members, .. } = jam;
        cells.clear();
        members.clear();
        cells.push(self.units[unit].at);
        self.jams.cells.insert(cells[0], (id, 0));
        let mut done = 0;
        while done < cells.len() && members.len() < UNITS << attempt {
            let at = cells[done];
            done += 1;
            let here = self.places.entering(at).or_else(|| self.idle_unit(at));
            members.extend(here.map(|unit| Member { unit, next: None, last: None, leaves: false }));
            let known = &mut self.jams.cells;
            with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
                let is_free = !known.contains_key(&step.to) && self.places.claim(step.to) != Claim::Edit;
                if is_free && cells.len() < CELLS << attempt {
                    known.insert(step.to, (id, cells.len()));
                    cells.push(step.to);
                }
            }));
        }
        self.jams.release(&cells[done..]);
        cells.truncate(done);
    }

    /// Begins to search for a way to bring each unit of a jam to its goal, or out of the region on the way there.
    pub(super) fn begin_search(&mut self, id: usize, jam: &mut Jam) {
        let Jam { cells, are_at_border, members, search, .. } = jam;
        search.clear();
        are_at_border.clear();
        are_at_border.extend(cells.iter().map(|&at| self.add_ways(id, search, at)));
        for (k, &Member { unit, .. }) in members.iter().enumerate() {
            self.jams.watches[unit].jam = Some((id, k));
            let start = self.jams.number(id, self.units[unit].next_cell()).unwrap_or_default();
            let (goal, on_arrival) = (self.goal_with_route(unit), self.units[unit].on_arrival);
            let goal_is_inside = goal.is_some_and(|goal| self.jams.number(id, goal).is_some());
            let stays = on_arrival == OnArrival::Stay;
            let takes_it = |other: &Member| {
                self.units[other.unit].on_arrival == OnArrival::Stay && self.goal_with_route(other.unit) == goal
            };
            // A unit without a route can be anywhere, and so can one whose goal another unit takes.
            let can_be_anywhere = goal.is_none() || goal_is_inside && stays && members[..k].iter().any(takes_it);
            let end = |number: usize, at: usize| {
                if can_be_anywhere || stays && goal == Some(at) {
                    End::Stays
                } else if goal == Some(at) || !goal_is_inside && are_at_border[number] && self.is_exit(id, unit, at) {
                    End::Leaves
                } else {
                    End::No
                }
            };
            let cost = |at: usize| if can_be_anywhere { 0 } else { self.cost_to_goal(unit, at) };
            let ends = cells.iter().enumerate().map(|(number, &at)| (cost(at), end(number, at)));
            search.add_unit(start as u16, ends);
        }
        search.start(self.now.ticks() ^ (members[0].unit as u64) << 40);
        (jam.phase, jam.moved) = (Phase::Searching, self.now);
        self.schedule_beat();
    }

    /// Adds the steps from a cell to other cells of a jam. Returns whether there are steps to cells that do not belong to it.
    fn add_ways(&self, id: usize, search: &mut Search, at: usize) -> bool {
        let stride = self.grid.stride();
        let mut is_at_border = false;
        with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
            let Some(to) = self.jams.number(id, step.to) else {
                is_at_border = true;
                return;
            };
            let row_start = |at: usize| at - at % stride;
            let beside = [row_start(at) + step.to % stride, row_start(step.to) + at % stride];
            let crossing = match beside.map(|at| self.jams.number(id, at)) {
                [Some(one), Some(other)] if step.direction.is_diagonal() => Some((one as u16, other as u16)),
                _ => None,
            };
            search.add_way(Some(Way { to: to as u16, crossing }));
        }));
        search.add_way(None);
        is_at_border
    }

    /// The goal of a unit, if a route leads there.
    fn goal_with_route(&self, unit: usize) -> Option<usize> {
        let guide = self.units[unit].guide?;
        let has_route = self.guides.cost(guide, self.units[unit].next_cell()) != u64::MAX;
        has_route.then(|| self.grid.index(self.guides.goal(guide)))
    }

    /// Whether the route from a cell to the goal of a unit leaves the region of a jam at once.
    fn is_exit(&self, id: usize, unit: usize, at: usize) -> bool {
        let mut best = (u64::MAX, false);
        with_steps!(&self.grid, self.rules, steps => steps.for_each(at, None, |step| {
            let cost = self.cost_to_goal(unit, step.to).saturating_add(step.cost);
            if cost < best.0 {
                best = (cost, self.jams.number(id, step.to).is_none());
            }
        }));
        best.1
    }
}
