//! The time of a crowd, and how long its steps take.

use std::fmt;
use std::ops::{Add, Sub};

use crate::grid::Cell;
use crate::{Corners, CostGrid, EntryCost, RouteCost, StepRules, UNITS_PER_TILE};

/// A time since a crowd was created, or a duration: a whole number of 1/65536 seconds.
///
/// Sums do not depend on their order, and every time is a floating-point number of seconds without loss. So a crowd
/// moves in the same way on every machine, and a log in seconds is as exact as the crowd itself.
///
/// ```
/// use emberwalk_path::crowd::CrowdTime;
/// assert_eq!(CrowdTime::from_seconds(0.5) + CrowdTime::from_seconds(0.25), CrowdTime::from_seconds(0.75));
/// assert_eq!(CrowdTime::from_seconds(0.75).seconds(), 0.75);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct CrowdTime(u64);

impl CrowdTime {
    /// The start, or no duration.
    pub const ZERO: Self = Self(0);
    /// A time that is never reached.
    pub(crate) const NEVER: Self = Self(u64::MAX);
    /// One second.
    pub const SECOND: Self = Self(1 << 16);

    /// The time nearest to `seconds`. Negative numbers and NaN are [`ZERO`](Self::ZERO), and large ones saturate.
    /// Twenty times the time nearest to 0.05 s is not exactly a second; parts that are powers of two are exact.
    pub fn from_seconds(seconds: f64) -> Self {
        Self((seconds * Self::SECOND.0 as f64).round() as u64)
    }

    /// The time in seconds; exact below 2^37 seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / Self::SECOND.0 as f64
    }

    /// A number of seconds.
    pub const fn from_whole_seconds(seconds: u32) -> Self {
        Self((seconds as u64) << 16)
    }

    /// The time divided by a number, rounded down; the whole time if the number is 0.
    ///
    /// ```
    /// use emberwalk_path::crowd::CrowdTime;
    /// assert_eq!(CrowdTime::SECOND.divided_by(4).seconds(), 0.25);
    /// ```
    #[must_use]
    pub const fn divided_by(self, parts: u32) -> Self {
        Self(self.0 / if parts == 0 { 1 } else { parts as u64 })
    }

    /// So many times as long.
    pub(crate) const fn times(self, factor: u64) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// Half of the time, rounded down.
    pub(crate) const fn half(self) -> Self {
        Self(self.0 / 2)
    }

    /// The last multiple of a duration that is not later.
    pub(super) const fn rounded_down_to(self, step: Self) -> Self {
        Self(self.0 - self.0 % step.0)
    }

    /// A time of so many 1/65536 seconds.
    pub(crate) const fn from_ticks(ticks: u64) -> Self {
        Self(ticks)
    }

    /// The number that is stored.
    pub(crate) const fn ticks(self) -> u64 {
        self.0
    }
}

/// Saturates at a time that is never reached.
impl Add for CrowdTime {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// Saturates at [`CrowdTime::ZERO`].
impl Sub for CrowdTime {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// Formats the time in seconds, with the precision that the formatter asks for.
impl fmt::Display for CrowdTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.seconds().fmt(f)
    }
}

/// How long steps take: a time per tile of their cost, between a shortest and a longest time.
///
/// ```
/// use emberwalk_path::crowd::{CrowdTime, Pace};
/// use emberwalk_path::EntryCost;
/// let [per_tile, shortest, longest] = [0.5, 0.1, 2.0].map(CrowdTime::from_seconds);
/// let pace = Pace::new(per_tile).with_bounds(shortest, longest);
/// assert_eq!(pace.of(EntryCost::TILE.into()).seconds(), 0.5);
/// assert_eq!(pace.of(EntryCost::from_tiles(9.0)?.into()).seconds(), 2.0);
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pace {
    per_tile: CrowdTime,
    shortest: CrowdTime,
    longest: CrowdTime,
}

impl Pace {
    /// The longest time that a step can take: about an hour.
    const MAX: u64 = 1 << 28;

    /// The pace as one number, for a hash.
    pub(crate) const fn number(self) -> u64 {
        self.per_tile.0 ^ self.shortest.0.rotate_left(20) ^ self.longest.0.rotate_left(40)
    }

    /// A pace of this time per tile of cost. Only steps that would take more than about an hour are limited to that.
    pub const fn new(per_tile: CrowdTime) -> Self {
        Self { per_tile, shortest: CrowdTime::ZERO, longest: CrowdTime(Self::MAX) }
    }

    /// The same pace, for steps that take at least `shortest` and at most `longest`. If `longest` is less than
    /// `shortest`, all steps take `longest`.
    #[must_use]
    pub const fn with_bounds(self, shortest: CrowdTime, longest: CrowdTime) -> Self {
        Self { per_tile: self.per_tile, shortest, longest }
    }

    /// How long a way of this cost takes if its steps do not reach the bounds.
    pub(super) fn without_bounds(self, cost: RouteCost) -> CrowdTime {
        let time = u128::from(cost.units()) * u128::from(self.per_tile.0) / u128::from(UNITS_PER_TILE);
        CrowdTime(u64::try_from(time).unwrap_or(u64::MAX))
    }

    /// How long a step of this cost takes. It is rounded to an even number of 1/65536 seconds, at least two, so that
    /// half of a step is a [`CrowdTime`], too.
    pub fn of(self, cost: RouteCost) -> CrowdTime {
        let time = self.without_bounds(cost).0.max(self.shortest.0).min(self.longest.0).min(Self::MAX);
        CrowdTime(time.div_ceil(2).max(1) * 2)
    }

    /// How long a step takes that has begun. A corner that is blocked meanwhile changes nothing, and a step back from a
    /// blocked cell or over a cliff takes as long as one on open ground.
    pub fn of_step(self, costs: &CostGrid, rules: StepRules, from: Cell, to: Cell) -> CrowdTime {
        let cost = rules.with_corners(Corners::Always).step_cost(costs, from, to);
        self.of(cost.unwrap_or(EntryCost::TILE.into()))
    }
}

/// A second per tile of cost.
impl Default for Pace {
    fn default() -> Self {
        Self::new(CrowdTime::SECOND)
    }
}
