//! Additional costs of cells for planning.

use std::collections::BTreeMap;

use crate::Danger;
use emberwalk_path::EntryCost;
use emberwalk_path::grid::Cell;
use emberwalk_path::hash::number_of;
use emberwalk_path::internal::hash_of;
use emberwalk_path::time::CrowdTime;

/// The dangers of cells: dangers that were set, and dangers that fade.
#[derive(Clone, Debug, Default)]
pub(super) struct Dangers {
    /// By the kind of agents and the cell.
    cells: BTreeMap<(usize, Cell), Units>,
    /// By the time when each fades next, and its number.
    fading: BTreeMap<(CrowdTime, u64), Fading>,
    next_number: u64,
    /// The sum of the hashes of all dangers, set or fading.
    hash: u64,
}

/// The danger of a cell for a kind, in units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Units {
    set: u64,
    /// The sum of all fading dangers.
    fading: u64,
}

/// A danger that fades.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Fading {
    pub(super) danger: Danger,
    since: CrowdTime,
    /// How many parts of its time are over.
    parts: u64,
}

impl Fading {
    /// When it fades next.
    fn next(&self) -> CrowdTime {
        match self.danger.time_after(self.parts + 1) {
            CrowdTime::NEVER => CrowdTime::NEVER,
            after => self.since + after,
        }
    }

    fn hash(&self) -> u64 {
        let Danger { at, cells, cost, lasts, kind } = self.danger;
        let kind = kind.map_or(0, |kind| kind as u64 + 1);
        hash_of([number_of(at), cells.into(), cost.units().into(), lasts.ticks(), kind, self.since.ticks()])
    }
}

impl Dangers {
    /// A hash of all dangers; 0 if there is none.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// The danger of a cell for a kind, in units.
    pub(super) fn units(&self, kind: usize, cell: Cell) -> u64 {
        self.cells.get(&(kind, cell)).map_or(0, |units| units.set + units.fading)
    }

    /// Sets the danger of a cell for a kind, and returns whether that changes it.
    pub(super) fn set(&mut self, kind: usize, cell: Cell, danger: Option<EntryCost>) -> bool {
        let hash_of_set = |units| if units == 0 { 0 } else { hash_of([kind as u64, number_of(cell), units]) };
        let set = danger.map_or(0, |danger| danger.units().into());
        let units = self.cells.entry((kind, cell)).or_default();
        let before = std::mem::replace(&mut units.set, set);
        self.hash = self.hash.wrapping_sub(hash_of_set(before)).wrapping_add(hash_of_set(set));
        self.tidy(kind, cell);
        before != set
    }

    /// Notes a danger that begins to fade.
    pub(super) fn begin(&mut self, danger: Danger, now: CrowdTime) {
        let fading = Fading { danger, since: now, parts: 0 };
        self.hash = self.hash.wrapping_add(fading.hash());
        self.fading.insert((fading.next(), self.next_number), fading);
        self.next_number += 1;
    }

    /// When a danger fades next.
    pub(super) fn next(&self) -> Option<CrowdTime> {
        self.fading.first_key_value().map(|(&(time, _), _)| time).filter(|&time| time != CrowdTime::NEVER)
    }

    /// Lets a danger whose time has come fade. Returns it, and how many parts of its time were over before and are over
    /// now.
    pub(super) fn fade(&mut self, now: CrowdTime) -> Option<(Danger, u64, u64)> {
        let first = self.fading.first_entry().filter(|first| first.key().0 <= now)?;
        let ((_, number), mut fading) = first.remove_entry();
        let before = fading.parts;
        fading.parts = fading.danger.parts_after(now - fading.since);
        if fading.parts < Danger::PARTS {
            self.fading.insert((fading.next(), number), fading);
        } else {
            self.hash = self.hash.wrapping_sub(fading.hash());
        }
        Some((fading.danger, before, fading.parts))
    }

    /// The cells with a danger for some kind.
    #[cfg(feature = "serde")]
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        self.cells.keys().map(|&(_, cell)| cell)
    }

    /// Replaces what a danger that fades adds to a cell for a kind.
    pub(super) fn replace(&mut self, kind: usize, cell: Cell, before: u64, after: u64) {
        let units = self.cells.entry((kind, cell)).or_default();
        units.fading = units.fading - before + after;
        self.tidy(kind, cell);
    }

    fn tidy(&mut self, kind: usize, cell: Cell) {
        if self.cells.get(&(kind, cell)) == Some(&Units::default()) {
            self.cells.remove(&(kind, cell));
        }
    }
}

#[cfg(feature = "serde")]
pub(super) use saved::SavedDangers;

/// Dangers as they are saved: without the costs that fading dangers add to cells.
#[cfg(feature = "serde")]
mod saved {
    use super::{Cell, Danger, Dangers, EntryCost, Fading};

    #[derive(Default, serde::Serialize, serde::Deserialize)]
    pub(crate) struct SavedDangers {
        set: Vec<(usize, Cell, EntryCost)>,
        fading: Vec<(u64, Fading)>,
        next_number: u64,
    }

    impl SavedDangers {
        pub(in super::super) fn new(dangers: &Dangers) -> Self {
            let set = |(&(kind, cell), units): (&(usize, Cell), &super::Units)| {
                Some((kind, cell, EntryCost::from_units(units.set as u32).ok()?))
            };
            Self {
                set: dangers.cells.iter().filter_map(set).collect(),
                fading: dangers.fading.iter().map(|(&(_, number), fading)| (number, *fading)).collect(),
                next_number: dangers.next_number,
            }
        }

        /// The dangers, and the fading dangers with how many parts of their times are over. The costs that fading
        /// dangers add to cells are missing.
        pub(in super::super) fn load(self) -> (Dangers, Vec<(Danger, u64)>) {
            let mut dangers = Dangers { next_number: self.next_number, ..Dangers::default() };
            for (kind, cell, danger) in self.set {
                dangers.set(kind, cell, Some(danger));
            }
            let mut begun = Vec::new();
            for (number, mut fading) in self.fading {
                fading.parts = fading.parts.min(Danger::PARTS - 1);
                begun.push((fading.danger, fading.parts));
                dangers.hash = dangers.hash.wrapping_add(fading.hash());
                dangers.fading.insert((fading.next(), number), fading);
            }
            (dangers, begun)
        }
    }
}
