//! Units that cannot go on let others come out past them: whoever comes out of a full room has the door.

use super::moving::{Push, Towards};
use super::unit::{Activity, Unit};
use super::{Crowd, Time};

/// A unit that has not come nearer to its goal for this long goes back. With 1 s instead, 200 units take 163 s instead of
/// 136 s through a corridor of width 1.
const RETREATS_AFTER: Time = Time::from_whole_seconds(2);
/// For how long it makes way for all others then. With 3 s or 20 s instead, they take 150 s or 156 s.
const YIELDS_FOR: Time = Time::from_whole_seconds(8);

impl Crowd {
    /// Lets a unit go back that cannot go on, because another one wants to come out and there is no room behind that one.
    /// Units that queue behind it go back, too, whatever their rank, and the one that comes out follows. Returns whether it
    /// goes back.
    pub(super) fn retreat(&mut self, unit: usize, time: Time) -> bool {
        if self.jams.waits(unit, time) < RETREATS_AFTER {
            return false;
        }
        let at = self.units[unit].at;
        let ahead = self.steps(unit, None, Towards::Goal, time);
        let comes_out = |&other: &usize| self.units[other].is_idle() && self.wants(other, at);
        let Some(other) = ahead.cells().filter_map(|cell| self.places.unit(cell)).find(comes_out) else { return false };

        self.chain.begin();
        let back = self.steps(unit, None, Towards::Elsewhere, time);
        let link = self.link_with(unit, back);
        if !self.find_chain(link, Push::Queue, time) {
            return false;
        }
        let yields_until = time + YIELDS_FOR;
        self.units[unit].yields_until = yields_until;
        for [before, behind] in self.chain.pairs() {
            if self.wants(behind.unit, before.at) {
                self.units[behind.unit].yields_until = yields_until;
            }
        }
        if let Some(movement) = self.units[unit].movement {
            self.pull(other, at, movement.middle);
        }
        true
    }

    /// Whether a unit is on the way, and nearer to its goal in a cell than now.
    pub(super) fn wants(&self, unit: usize, at: usize) -> bool {
        let Unit { activity, at: now, .. } = self.units[unit];
        activity == Activity::Travelling && self.cost_to_goal(unit, at) < self.cost_to_goal(unit, now)
    }
}
