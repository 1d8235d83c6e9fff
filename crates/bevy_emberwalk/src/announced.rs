//! Changes of a map that are known in advance.

use std::collections::BTreeSet;

use emberwalk_crowd::Crowd;
use emberwalk_path::ahead::Forecast;
use emberwalk_path::grid::Cell;
use emberwalk_path::hash::{mixed, number_of};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{EntryCost, RouteCost};

use crate::edits::Edit;

/// A change of a [`NavGrid`](crate::NavGrid) that is known in advance. See [`NavGrid::announce`](crate::NavGrid::announce).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "replay", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Announced {
    pub(crate) at: CrowdTime,
    /// The period; zero if it happens once.
    #[cfg_attr(feature = "replay", serde(default, skip_serializing_if = "is_zero"))]
    pub(crate) every: CrowdTime,
    pub(crate) edit: Edit,
}

#[cfg(feature = "replay")]
fn is_zero(time: &CrowdTime) -> bool {
    *time == CrowdTime::ZERO
}

impl Announced {
    /// The shortest period.
    const SHORTEST: CrowdTime = CrowdTime::SECOND.divided_by(64);

    pub(crate) fn new(at: CrowdTime, every: CrowdTime, edit: Edit) -> Self {
        let every = if every == CrowdTime::ZERO { every } else { every.max(Self::SHORTEST) };
        Self { at, every, edit }
    }

    /// The cell that changes.
    pub fn cell(&self) -> Cell {
        self.edit.cell()
    }

    #[cfg(feature = "replay")]
    pub(crate) fn for_each_cell(&mut self, visit: &mut impl FnMut(&mut Cell)) {
        self.edit.for_each_cell(visit);
    }

    /// When it changes next, in the time of the grid.
    pub fn at(&self) -> CrowdTime {
        self.at
    }

    /// The period after which it changes again; `None` if it changes once.
    pub fn every(&self) -> Option<CrowdTime> {
        Some(self.every).filter(|&every| every != CrowdTime::ZERO)
    }

    /// Whether such a change can be announced: only costs and classes of single cells can.
    #[cfg(feature = "replay")]
    pub(crate) fn is_possible(&self) -> bool {
        matches!(self.edit, Edit::Cost(..) | Edit::CostFor(..) | Edit::Class(..))
            && (self.every == CrowdTime::ZERO || self.every >= Self::SHORTEST)
    }

    fn is_for(&self, kind: usize) -> bool {
        !matches!(self.edit, Edit::CostFor(other, ..) if other != kind)
    }

    /// The first time after this one at which it happens; `None` if it does not happen again.
    pub(crate) fn next_after(&self, now: CrowdTime) -> Option<CrowdTime> {
        if self.at > now {
            return Some(self.at);
        }
        let every = self.every()?;
        let periods = ((now - self.at).seconds() / every.seconds()).floor();
        let next = self.at + CrowdTime::from_seconds(periods * every.seconds()) + every;
        Some(if next > now { next } else { next + every })
    }

    fn numbers(&self) -> [u64; 6] {
        let units = |cost: Option<EntryCost>| cost.map_or(0, |cost| cost.units().into());
        let (what, kind, cost) = match self.edit {
            Edit::Cost(_, cost) => (0, 0, units(cost)),
            Edit::CostFor(kind, _, cost) => (1, kind as u64, units(cost)),
            Edit::Class(_, class) => (2, 0, class.into()),
            _ => (3, 0, 0),
        };
        [what, kind, cost, number_of(self.cell()), self.at.seconds().to_bits(), self.every.seconds().to_bits()]
    }
}

/// What a game has ordered, for recordings.
#[cfg(feature = "replay")]
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Notice {
    Announce(Announced),
    Forget(Cell),
}

/// Everything that is announced on a grid.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "replay", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Announcements {
    pub(crate) list: Vec<Announced>,
    /// When the list has changed last: the start of the clock of forecasts.
    since: CrowdTime,
    /// The sum of the hashes of what is in the list.
    #[cfg_attr(feature = "replay", serde(skip))]
    pub(crate) hash: u64,
    /// When something changes next.
    #[cfg_attr(feature = "replay", serde(skip))]
    pub(crate) next: Option<CrowdTime>,
    /// Whether something is announced for agents of all kinds, and the kinds for which something else is.
    #[cfg_attr(feature = "replay", serde(skip))]
    is_for_all: bool,
    #[cfg_attr(feature = "replay", serde(skip))]
    kinds: BTreeSet<usize>,
    /// What a game has ordered since the last run, if it is recorded.
    #[cfg(feature = "replay")]
    pub(crate) notices: Option<Vec<Notice>>,
}

impl Announcements {
    /// Whether nothing is announced.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether all changes are possible ones.
    #[cfg(feature = "replay")]
    pub(crate) fn are_possible(&self) -> bool {
        self.list.iter().all(Announced::is_possible)
    }

    /// A hash of what is announced, or 0 if nothing is for agents of a kind.
    pub(crate) fn hash_for(&self, kind: usize) -> u64 {
        if self.is_for_all || self.kinds.contains(&kind) { self.hash | 1 } else { 0 }
    }

    /// The start of the clock of forecasts.
    pub(crate) fn since(&self) -> CrowdTime {
        self.since
    }

    pub(crate) fn add(&mut self, now: CrowdTime, announced: Announced) {
        self.list.push(announced);
        self.since = now;
        self.count(&announced);
    }

    pub(crate) fn change(&mut self, now: CrowdTime, change: impl FnOnce(&mut Vec<Announced>)) {
        change(&mut self.list);
        self.since = now;
        self.sum_up();
    }

    /// Finds out what follows from the list. O(list).
    pub(crate) fn sum_up(&mut self) {
        (self.hash, self.next, self.is_for_all) = (0, None, false);
        self.kinds.clear();
        for announced in std::mem::take(&mut self.list) {
            self.count(&announced);
            self.list.push(announced);
        }
    }

    /// Takes into account what is in the list.
    fn count(&mut self, announced: &Announced) {
        self.hash = self.hash.wrapping_add(mixed(announced.numbers()));
        if announced.at != CrowdTime::NEVER {
            self.next = Some(self.next.map_or(announced.at, |next| next.min(announced.at)));
        }
        match announced.edit {
            Edit::CostFor(kind, ..) => _ = self.kinds.insert(kind),
            _ => self.is_for_all = true,
        }
    }

    /// Takes the changes whose time has come, in their order.
    pub(crate) fn take_due(&mut self, now: CrowdTime) -> Vec<Edit> {
        let mut due: Vec<_> = self.list.iter().filter(|announced| announced.at <= now).copied().collect();
        if !due.is_empty() {
            due.sort_by_key(|announced| announced.at);
            self.change(now, |list| {
                list.retain_mut(|announced| {
                    announced.next_after(now).is_some_and(|next| {
                        announced.at = next;
                        true
                    })
                });
            });
        }
        due.into_iter().map(|announced| announced.edit).collect()
    }

    /// What is announced for agents of a kind, in their pace. `None` if no forecast can say it: classes that change with a
    /// period, for agents that take up several cells.
    pub(crate) fn forecast(&self, kind: usize, pace: Pace, crowd: &Crowd) -> Option<Forecast> {
        let costs = crowd.grids().nth(kind)?;
        let of_classes = crowd.classes().and_then(|classes| Some((classes, classes.kinds().get(kind)?)));
        let is_large = of_classes.is_some_and(|(_, kind)| kind.side() > 1);
        let mut forecast = Forecast::new();
        let mut classes = Vec::new();
        // A forecast takes it that what repeats has always done so. Until the first time, cells cost what they cost now.
        for announced in self.list.iter().filter(|announced| announced.every().is_some() && announced.is_for(kind)) {
            forecast.change(announced.cell(), RouteCost::ZERO, costs.get(announced.cell()));
        }
        for announced in self.list.iter().filter(|announced| announced.is_for(kind)) {
            let after = announced.at - self.since;
            let cost = match announced.edit {
                Edit::Cost(_, cost) | Edit::CostFor(_, _, cost) => cost,
                Edit::Class(..) if is_large && announced.every().is_some() => return None,
                Edit::Class(cell, class) if is_large => {
                    classes.push((pace.cost_in(after), cell, class));
                    continue;
                }
                Edit::Class(_, class) => of_classes.and_then(|(_, kind)| kind.cost(class)),
                _ => continue,
            };
            // Rounded so that nothing opens earlier in the forecast than on the grid, and nothing is closed later.
            let mut at = pace.cost_in(after);
            if cost.is_some() && pace.time_of(at) < after {
                at = RouteCost::from_units(at.units().saturating_add(1));
            }
            forecast.change_every(pace.cost_in(announced.every), announced.cell(), at, cost);
        }
        if let Some((all, _)) = of_classes.filter(|_| !classes.is_empty()) {
            forecast.change_classes(all, kind, &classes);
        }
        Some(forecast)
    }
}
