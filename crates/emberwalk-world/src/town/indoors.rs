//! People who are at home for the night. They take no cell, and come out one after the other when they go out again.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use emberwalk_crowd::AgentId;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;

use super::hash::{hash_of, number_of_time};
use super::{Person, SAMPLE, Town};

/// The people who are indoors, by the time at which they come out, and their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Indoors(BTreeMap<(CrowdTime, u32), Person>);

impl Indoors {
    /// When the next person comes out.
    pub(super) fn next(&self) -> Option<CrowdTime> {
        self.0.keys().next().map(|(time, _)| *time)
    }

    /// The number of people.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// A hash of the people and their times; 0 if nobody is indoors. O(people).
    pub(super) fn hash(&self) -> u64 {
        let hashes = self
            .0
            .iter()
            .map(|((time, number), person)| hash_of([number_of_time(*time), u64::from(*number), person.hash()]));
        hashes.fold(0, u64::wrapping_add)
    }
}

impl Town {
    /// The number of people who are at home for the night, and so on no cell.
    pub fn indoors(&self) -> usize {
        self.indoors.len()
    }

    /// The number of people who are at home for the night in the house in a cell. O(people indoors).
    pub fn indoors_at(&self, house: Cell) -> usize {
        self.indoors.0.values().filter(|person| person.house() == Some(house)).count()
    }

    /// Lets a person be indoors until they go out again, or their house is gone.
    pub(super) fn keep_in(&mut self, mut person: Person) {
        let out = if self.has_house(&person) { person.comes_out(self.now(), self.clock) } else { self.now() + SAMPLE };
        self.indoors.0.insert((out, person.number), person);
    }

    /// Lets everybody go in who is at home at this hour: it has been set, so that they had no time to walk.
    pub(super) fn take_people_home(&mut self) {
        let (now, hour) = (self.now(), self.hour());
        let agents: Vec<_> = self.crowd.agents().map(|(agent, _)| agent).collect();
        for agent in agents {
            let person = self.person(agent).filter(|person| !person.is_sent());
            let home = person.and_then(|person| person.home_for_the_night(hour));
            let Some(home) = home.filter(|home| self.places.has_home(*home)) else { continue };
            self.end_rest(agent);
            self.crowd.remove(agent);
            let Some(mut person) = self.people.get_mut(agent.index()).and_then(Option::take) else { continue };
            if let Some(before) = person.errand() {
                self.taken.free(before.spot, agent);
            }
            person.is_taken_home(home, now);
            self.keep_in(person);
        }
    }

    fn has_house(&self, person: &Person) -> bool {
        person.house().is_some_and(|house| self.places.has_home(house))
    }

    /// Lets people come out a second later whose house is gone.
    pub(super) fn leave_lost_houses(&mut self) {
        let soon = self.now() + SAMPLE;
        let people = self.indoors.0.iter().filter(|((out, _), person)| *out > soon && !self.has_house(person));
        let lost: Vec<_> = people.map(|(key, _)| *key).collect();
        for key in lost {
            self.indoors.0.remove(&key).into_iter().for_each(|person| {
                self.indoors.0.insert((soon, key.1), person);
            });
        }
    }

    /// Whether a person goes in: they stand before their home, have nothing to do outside at this hour, and take no step.
    pub(super) fn goes_in(&self, agent: AgentId, person: &Person) -> bool {
        let state = self.crowd.state(agent).filter(|state| state.step.is_none());
        let is_there = state.is_some_and(|state| person.errand().is_some_and(|errand| errand.is_near(state.cell)));
        is_there && person.is_home_for_the_night(self.hour())
    }

    /// Lets people come out whose time has come. While there is no room before their house, they wait.
    pub(super) fn let_people_come_out(&mut self) {
        let now = self.now();
        while let Some(entry) = self.indoors.0.first_entry().filter(|entry| entry.key().0 <= now) {
            let mut person = entry.remove();
            if person.is_home_for_the_night(self.hour()) && self.has_house(&person) {
                self.keep_in(person);
                continue;
            }
            let came_out = person.stands_before_home(&self.places, now, |cell| self.is_free(cell)).is_some_and(|at| {
                let until = person.stays_until();
                let agent = self.let_in(person.clone(), at);
                self.stays.extend(agent.map(|agent| Reverse((until, agent))));
                agent.is_some()
            });
            if !came_out {
                self.indoors.0.insert((now + SAMPLE, person.number), person);
            }
        }
    }

    /// Lets people who are indoors come out at another time, because the hour has been set.
    pub(super) fn set_hour_indoors(&mut self) {
        std::mem::take(&mut self.indoors).0.into_values().for_each(|person| self.keep_in(person));
    }
}
