//! Changes of the grid that are announced.

use emberwalk_path::EntryCost;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;

/// A change of a cell that is known in advance, once or again and again: a gate that shuts at night, a bridge that is
/// raised, lava that is coming. See [`Crowd::announce`](super::Crowd::announce).
///
/// ```
/// use emberwalk_path::EntryCost;
/// use emberwalk_crowd::Announced;
/// use emberwalk_path::time::CrowdTime;
/// use emberwalk_path::grid::Cell;
/// let [opens, closes, day] = [60.0, 210.0, 240.0].map(CrowdTime::from_seconds);
/// let gate = Cell::new(4, 4);
/// let hours = [
///     Announced::cost(gate, Some(EntryCost::TILE), opens).every(day),
///     Announced::cost(gate, None, closes).every(day),
/// ];
/// assert_eq!(hours.map(|announced| announced.period()), [Some(day); 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Announced {
    /// The cell that changes.
    pub cell: Cell,
    /// The change of the cell.
    pub change: AnnouncedChange,
    /// When, in the time of the crowd. It never happens at [`CrowdTime::NEVER`].
    pub at: CrowdTime,
    /// The time after which it is made again, counted as at least 1/64 s; `None` if it is made once.
    #[cfg_attr(feature = "serde", serde(default))]
    pub every: Option<CrowdTime>,
}

/// The effect of an [`Announced`] change on its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum AnnouncedChange {
    /// It gets this entry cost for all kinds of agents, as by [`Crowd::set`](super::Crowd::set), or is blocked.
    Cost(Option<EntryCost>),
    /// It gets this entry cost for the kind with this index, as by [`Crowd::set_for`](super::Crowd::set_for), or is blocked.
    CostFor(usize, Option<EntryCost>),
    /// It gets this class, as by [`Crowd::set_class`](super::Crowd::set_class).
    Class(u8),
}

impl Announced {
    /// The shortest period.
    const SHORTEST: CrowdTime = CrowdTime::SECOND.divided_by(64);

    /// At a time, a cell gets this entry cost for agents of all kinds, or is blocked with `None`.
    pub const fn cost(cell: Cell, cost: Option<EntryCost>, at: CrowdTime) -> Self {
        Self { cell, change: AnnouncedChange::Cost(cost), at, every: None }
    }

    /// The same for agents of the kind with this index alone.
    pub const fn cost_for(kind: usize, cell: Cell, cost: Option<EntryCost>, at: CrowdTime) -> Self {
        Self { cell, change: AnnouncedChange::CostFor(kind, cost), at, every: None }
    }

    /// At a time, a cell gets this class, in a crowd on [classes](super::Crowd::with_kinds).
    pub const fn class(cell: Cell, class: u8, at: CrowdTime) -> Self {
        Self { cell, change: AnnouncedChange::Class(class), at, every: None }
    }

    /// The same change again and again: at its time, and at all times that are whole periods before or after it. So its
    /// time may lie in any period, and the first change comes within one period from now. A period below 1/64 s counts
    /// as 1/64 s, and one of 0 is none: the change is made once.
    #[must_use]
    pub fn every(self, period: CrowdTime) -> Self {
        Self { every: Some(period).filter(|&period| period > CrowdTime::ZERO), ..self }
    }

    /// The period after which it is made again, at least 1/64 s; `None` if it is made once.
    pub fn period(&self) -> Option<CrowdTime> {
        self.every.filter(|&every| every > CrowdTime::ZERO).map(|every| every.max(Self::SHORTEST))
    }

    /// The same change with its first time from now on, and within one period. A change that is made once keeps its
    /// time.
    pub(super) fn from(self, now: CrowdTime) -> Self {
        let (at, start) = (self.at.ticks(), now.ticks());
        let Some(period) = self.period().map(CrowdTime::ticks).filter(|_| self.at != CrowdTime::NEVER) else {
            return self;
        };
        let after = match at.checked_sub(start) {
            Some(0) => 0,
            Some(ahead) => (ahead - 1) % period + 1,
            None => (period - (start - at) % period) % period,
        };
        Self { at: CrowdTime::from_ticks(start.saturating_add(after)), ..self }
    }

    /// The same change when it is made again; `None` if it is not.
    pub(super) fn again(self) -> Option<Self> {
        Some(Self { at: self.at + self.period()?, ..self })
    }

    /// Whether it is for agents of this kind.
    pub(super) fn is_for(&self, kind: usize) -> bool {
        !matches!(self.change, AnnouncedChange::CostFor(other, _) if other != kind)
    }

    /// All its fields as numbers, for a hash.
    pub(super) fn numbers(&self) -> [u64; 5] {
        let units = |cost: Option<EntryCost>| cost.map_or(0, |cost| cost.units().into());
        let (what, value) = match self.change {
            AnnouncedChange::Cost(cost) => (0, units(cost)),
            AnnouncedChange::CostFor(kind, cost) => (1 + (kind as u64) * 4, units(cost)),
            AnnouncedChange::Class(class) => (2, class.into()),
        };
        let every = self.period().unwrap_or_default();
        [what, value, emberwalk_path::hash::number_of(self.cell), self.at.ticks(), every.ticks()]
    }
}
