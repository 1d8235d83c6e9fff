//! The order of units, which says who makes way for whom.

use std::cmp::Reverse;

use super::rooms::Group;
use super::unit::{Activity, Unit};
use super::{Crowd, Time};

/// A unit that gets no nearer to its goal becomes impatient after this time, for as long as this.
const PATIENCE: Time = Time::from_whole_seconds(32);
/// It becomes impatient again after this many times as long. If it stayed so, everybody would be in a large crowd.
const PERIOD: u64 = 4;

/// The order of units: the one with the smaller rank decides first, and others make way for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    is_resting: bool,
    /// Whether it has gone back to let another one come out.
    yields: bool,
    /// Whether it stands in no passage and is patient. Units in passages come first: they have to come out before others can
    /// go in.
    is_outside: bool,
    journey: Journey,
    pub(super) unit: u32,
}

/// What stays the same until a unit has arrived. Units that have been on the way for longer come first, then groups one after
/// the other, then those that have farther to go.
///
/// A unit that was pushed out of its goal sets out again, and so comes after all those that have not been there yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Journey {
    pub(super) since: Time,
    pub(super) group: Group,
    pub(super) distance: Reverse<u64>,
}

impl Crowd {
    /// The rank of a unit now.
    pub(super) fn rank(&self, unit: usize) -> Rank {
        let entry = &self.units[unit];
        Rank {
            is_resting: entry.activity != Activity::Travelling,
            yields: self.now < entry.yields_until,
            is_outside: !self.rooms.is_passage(entry.at) && self.is_patient(unit),
            journey: entry.journey,
            unit: unit as u32,
        }
    }

    /// Whether a unit waits its turn: it lets units out of passages first, and does not overtake those ahead of it that go the
    /// same way. It does so without end if another unit stays in its goal.
    pub(super) fn is_patient(&self, unit: usize) -> bool {
        self.jams.waits(unit, self.now).ticks() / PATIENCE.ticks() % PERIOD != 1 || self.has_lost_goal(unit)
    }

    /// Whether another unit stays in the goal of a unit.
    pub(super) fn has_lost_goal(&self, unit: usize) -> bool {
        let in_goal = self.goal_with_route(unit).and_then(|goal| self.places.unit(goal));
        in_goal.is_some_and(|other| self.stays_in_goal_of(other, unit))
    }

    /// Whether a unit stays in the goal of another one.
    pub(super) fn stays_in_goal_of(&self, unit: usize, other: usize) -> bool {
        let Unit { at, activity, guide, .. } = self.units[unit];
        activity == Activity::Resting && guide == self.units[other].guide && self.cost_to_goal(unit, at) == 0
    }
}
