//! The journey of a unit: it sets out to its goal, ends its steps, arrives, and leaves the map.

use std::cmp::Reverse;

use super::rank::Journey;
use super::unit::Activity;
use super::{Crowd, CrowdEvent, OnArrival, Time};

/// How long a unit without a route waits until it looks for one again.
const RETRY_AFTER: Time = Time::SECOND;

impl Crowd {
    /// Ends the step of a unit, if it was taking one.
    pub(super) fn end_step(&mut self, unit: usize) {
        let Some(movement) = self.units[unit].movement.take() else { return };
        let from = std::mem::replace(&mut self.units[unit].at, movement.to);
        self.places.take(unit, from);
        self.places.put(unit, movement.to);
        self.release_claim(movement.to);
        self.call_neighbours(movement.to, Some(unit));
        self.watch_step_end(unit);
    }

    /// Lets a unit that stands still arrive, set out again because it was pushed out of its goal, or decide its next step.
    pub(super) fn continue_journey(&mut self, unit: usize) {
        let Some(guide) = self.units[unit].guide else { return };
        if self.guides.cost(guide, self.units[unit].at) == 0 {
            self.arrive(unit);
        } else {
            if self.units[unit].activity == Activity::Resting {
                self.set_out(unit, self.now);
            }
            self.call(unit);
        }
    }

    fn arrive(&mut self, unit: usize) {
        let at = self.grid.cell(self.units[unit].at);
        self.events.push(CrowdEvent::Arrived { unit: self.units.id(unit), at, time: self.now });
        self.rest(unit);
        if self.units[unit].on_arrival == OnArrival::Leave {
            self.leave(unit);
        }
    }

    /// Lets a unit only make way from now on.
    pub(super) fn rest(&mut self, unit: usize) {
        self.units[unit].activity = Activity::Resting;
    }

    /// Takes a unit off the map that takes no step.
    pub(super) fn leave(&mut self, unit: usize) {
        self.forget_goal(unit);
        self.leave_jam(unit);
        let (id, at) = (self.units.id(unit), self.units[unit].at);
        self.places.take(unit, at);
        self.events.push(CrowdEvent::Left { unit: id, at: self.grid.cell(at), time: self.now });
        self.units.vacate(unit);
        self.call_neighbours(at, None);
    }

    pub(super) fn forget_goal(&mut self, unit: usize) {
        if let Some(guide) = self.units[unit].guide.take() {
            self.guides.release(guide);
        }
    }

    /// Lets a unit begin a journey to its goal, unless no route leads there.
    pub(super) fn set_out(&mut self, unit: usize, since: Time) {
        let Some(guide) = self.units[unit].guide else { return };
        let distance = self.guides.cost(guide, self.units[unit].next_cell());
        let group = self.rooms.group(&self.grid, self.now, since, self.guides.goal(guide));
        let entry = &mut self.units[unit];
        entry.journey = Journey { since, group, distance: Reverse(distance) };
        entry.activity = Activity::Travelling;
        if distance == u64::MAX {
            self.wait_for_route(unit);
        }
    }

    /// Lets a unit look for a route again later.
    pub(super) fn wait_for_route(&mut self, unit: usize) {
        self.rest(unit);
        if self.units[unit].is_idle() {
            self.schedule(unit, self.now + RETRY_AFTER);
        }
    }
}
