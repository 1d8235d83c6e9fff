//! The announced changes of the grid, and their effect on routes.

mod ahead;
mod forecast;
mod openings;

use std::collections::BTreeMap;

use super::Announced;
use ahead::AheadPlanners;
#[cfg(feature = "serde")]
use emberwalk_path::Stamp;
use emberwalk_path::grid::Cell;
use emberwalk_path::hash::mixed;
use emberwalk_path::time::CrowdTime;
use openings::Openings;

/// The announced changes, by their next times and in the order in which they were announced.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(from = "Saved", into = "Saved"))]
pub(super) struct Timetable {
    list: BTreeMap<(CrowdTime, u64), Announced>,
    /// How many there have been since the list was empty.
    next_number: u64,
    /// When the list last changed: the start of the clock of forecasts.
    since: CrowdTime,
    /// The sum of the hashes of all changes.
    hash: u64,
    /// The cells that are open at some time, for each kind.
    openings: Vec<Openings>,
    planners: AheadPlanners,
}

impl Timetable {
    /// Whether nothing is announced.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The changes, by their next times.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Announced> {
        self.list.values()
    }

    /// The next time at which something changes.
    pub(super) fn next_time(&self) -> Option<CrowdTime> {
        self.list.first_key_value().map(|((time, _), _)| *time).filter(|&time| time != CrowdTime::NEVER)
    }

    /// A hash of all changes and of the clock of forecasts; 0 if nothing is announced.
    pub(super) fn hash(&self) -> u64 {
        if self.is_empty() { 0 } else { mixed([self.hash, self.since.ticks()]) | 1 }
    }

    /// Adds a change, as the last one of its time.
    pub(super) fn add(&mut self, announced: Announced, now: CrowdTime) {
        self.put(self.next_number, announced);
        self.next_number += 1;
        self.note_change(now);
    }

    /// Forgets all changes of a cell.
    pub(super) fn forget(&mut self, cell: Cell, now: CrowdTime) {
        let before = self.list.len();
        let hash = &mut self.hash;
        self.list.retain(|&(_, number), announced| {
            let stays = announced.cell != cell;
            if !stays {
                *hash = hash.wrapping_sub(hash_of(number, announced));
            }
            stays
        });
        if self.list.len() != before {
            self.note_change(now);
        }
    }

    /// Takes the next change whose time has come. A repeating change keeps its place among the changes of one time.
    pub(super) fn take_due(&mut self, now: CrowdTime) -> Option<Announced> {
        let first = self.list.first_entry().filter(|first| first.key().0 <= now)?;
        let ((_, number), announced) = first.remove_entry();
        self.hash = self.hash.wrapping_sub(hash_of(number, &announced));
        if let Some(again) = announced.again() {
            self.put(number, again);
        }
        self.note_change(now);
        Some(announced)
    }

    fn put(&mut self, number: u64, announced: Announced) {
        self.hash = self.hash.wrapping_add(hash_of(number, &announced));
        self.list.insert((announced.at, number), announced);
    }

    #[cfg(feature = "serde")]
    pub(super) fn stamps_mut(&mut self) -> impl Iterator<Item = &mut Stamp> {
        self.openings.iter_mut().map(Openings::stamp_mut)
    }

    fn note_change(&mut self, now: CrowdTime) {
        self.since = now;
        if self.is_empty() {
            *self = Self::default();
        }
    }
}

fn hash_of(number: u64, announced: &Announced) -> u64 {
    mixed([number].into_iter().chain(announced.numbers()))
}

/// As it is saved: the changes with their numbers.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Saved {
    list: Vec<(u64, Announced)>,
    next_number: u64,
    since: CrowdTime,
    openings: Vec<Openings>,
}

#[cfg(feature = "serde")]
impl From<Timetable> for Saved {
    fn from(Timetable { list, next_number, since, openings, .. }: Timetable) -> Self {
        let list = list.into_iter().map(|((_, number), announced)| (number, announced)).collect();
        Self { list, next_number, since, openings }
    }
}

#[cfg(feature = "serde")]
impl From<Saved> for Timetable {
    fn from(Saved { list, next_number, since, openings }: Saved) -> Self {
        let mut timetable = Self { next_number, since, openings, ..Self::default() };
        list.into_iter().for_each(|(number, announced)| timetable.put(number, announced));
        timetable
    }
}
