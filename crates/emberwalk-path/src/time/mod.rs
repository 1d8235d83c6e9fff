//! Time in whole parts of a second, how long steps take, and a walker that takes one after the other.

mod step;
mod walker;

pub use step::Step;
pub use walker::Walker;

use std::fmt;
use std::ops::{Add, Sub};

use crate::grid::Cell;
use crate::{CostGrid, EntryCost, RouteCost, StepRules, UNITS_PER_TILE};

/// A time, such as the time since a crowd was created, or a duration: a whole number of 1/65536 seconds.
///
/// Sums do not depend on their order, and every time is a floating-point number of seconds without loss. So a crowd
/// moves in the same way on every machine, and a log in seconds is as exact as the crowd itself.
///
/// ```
/// use emberwalk_path::time::CrowdTime;
/// assert_eq!(CrowdTime::from_seconds(0.5) + CrowdTime::from_seconds(0.25), CrowdTime::from_seconds(0.75));
/// assert_eq!(CrowdTime::from_seconds(0.75).seconds(), 0.75);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
pub struct CrowdTime(i64);

impl CrowdTime {
    /// The start, or no duration.
    pub const ZERO: Self = Self(0);
    /// A time that is never reached, and the duration of what never ends.
    pub const NEVER: Self = Self(i64::MAX);
    /// One second.
    pub const SECOND: Self = Self(1 << 16);

    /// The time nearest to `seconds`. Negative numbers and NaN are [`ZERO`](Self::ZERO), and large ones saturate.
    /// Twenty times the time nearest to 0.05 s is not exactly a second; parts that are powers of two are exact.
    pub fn from_seconds(seconds: f64) -> Self {
        Self((seconds * Self::SECOND.0 as f64).round().max(0.0) as i64)
    }

    /// The time in seconds; exact below 2^37 seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / Self::SECOND.0 as f64
    }

    /// A number of seconds.
    pub const fn from_whole_seconds(seconds: u32) -> Self {
        Self((seconds as i64) << 16)
    }

    /// The time divided by a number, rounded down; the whole time if the number is 0.
    ///
    /// ```
    /// use emberwalk_path::time::CrowdTime;
    /// assert_eq!(CrowdTime::SECOND.divided_by(4).seconds(), 0.25);
    /// ```
    #[must_use]
    pub const fn divided_by(self, parts: u32) -> Self {
        Self(self.0 / if parts == 0 { 1 } else { parts as i64 })
    }

    /// So many times as long.
    pub const fn times(self, factor: u64) -> Self {
        Self(self.0.saturating_mul(factor as i64))
    }

    /// Half of the time, rounded down.
    pub const fn half(self) -> Self {
        Self(self.0 / 2)
    }

    /// The last multiple of a duration that is not later.
    pub const fn rounded_down_to(self, step: Self) -> Self {
        Self(self.0 - self.0 % step.0)
    }

    /// A time of so many 1/65536 seconds.
    pub const fn from_ticks(ticks: u64) -> Self {
        Self(if ticks < i64::MAX as u64 { ticks as i64 } else { i64::MAX })
    }

    /// The number of 1/65536 seconds; the highest number for [`NEVER`](Self::NEVER).
    #[inline]
    pub const fn ticks(self) -> u64 {
        if self.0 == i64::MAX { u64::MAX } else { self.0.cast_unsigned() }
    }

    /// The time that is earlier by a duration, perhaps before zero.
    const fn before(self, duration: Self) -> Self {
        Self(self.0.saturating_sub(duration.0))
    }

    /// This time on another clock, which shows `other` when this one shows `now`. It may be before zero.
    const fn at_clock(self, now: Self, other: Self) -> Self {
        Self(other.0.saturating_add(self.0.saturating_sub(now.0)))
    }
}

/// Saturates at a time that is never reached.
impl Add for CrowdTime {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// Saturates at [`CrowdTime::ZERO`].
impl Sub for CrowdTime {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0).max(0))
    }
}

/// As a number of 1/65536 seconds.
#[cfg(feature = "serde")]
impl serde::Serialize for CrowdTime {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.ticks().serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for CrowdTime {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from_ticks(u64::deserialize(deserializer)?))
    }
}

/// How a time is saved that may be before zero.
#[cfg(feature = "serde")]
mod before_zero {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::CrowdTime;

    pub(super) fn serialize<S: Serializer>(time: &CrowdTime, serializer: S) -> Result<S::Ok, S::Error> {
        time.0.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CrowdTime, D::Error> {
        Ok(CrowdTime(i64::deserialize(deserializer)?))
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
/// use emberwalk_path::EntryCost;
/// use emberwalk_path::time::{CrowdTime, Pace};
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
    const MAX: i64 = 1 << 28;

    /// The pace of an agent that stands still, in a cell or in the middle of a step. It has no bounds.
    ///
    /// ```
    /// use emberwalk_path::EntryCost;
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// assert_eq!(Pace::STILL.of(EntryCost::TILE.into()), CrowdTime::NEVER);
    /// ```
    pub const STILL: Self = Self::new(CrowdTime::NEVER);

    /// Whether it is the pace of an agent that stands [still](Self::STILL).
    pub const fn is_still(self) -> bool {
        self.per_tile.0 == CrowdTime::NEVER.0
    }

    /// The pace as one number, for a hash.
    #[doc(hidden)]
    pub const fn number(self) -> u64 {
        self.per_tile.ticks() ^ self.shortest.ticks().rotate_left(20) ^ self.longest.ticks().rotate_left(40)
    }

    /// A pace of this time per tile of cost. Only steps that would take more than about an hour are limited to that; with
    /// [`CrowdTime::NEVER`], there are none.
    pub const fn new(per_tile: CrowdTime) -> Self {
        Self { per_tile, shortest: CrowdTime::ZERO, longest: CrowdTime(Self::MAX) }
    }

    /// The same pace, for steps that take at least `shortest` and at most `longest`. If `longest` is less than
    /// `shortest`, all steps take `longest`.
    #[must_use]
    pub const fn with_bounds(self, shortest: CrowdTime, longest: CrowdTime) -> Self {
        Self { per_tile: self.per_tile, shortest, longest }
    }

    /// How long a route of this cost takes if no step of it reaches the bounds, rounded down. The inverse of
    /// [`cost_in`](Self::cost_in).
    ///
    /// ```
    /// use emberwalk_path::RouteCost;
    /// use emberwalk_path::time::{CrowdTime, Pace};
    /// let pace = Pace::new(CrowdTime::from_seconds(0.25));
    /// let cost = RouteCost::from_tiles(8.0)?;
    /// assert_eq!(pace.time_of(cost).seconds(), 2.0);
    /// assert_eq!(pace.cost_in(pace.time_of(cost)), cost);
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn time_of(self, cost: RouteCost) -> CrowdTime {
        let time = u128::from(cost.units()) * u128::from(self.per_tile.ticks()) / u128::from(UNITS_PER_TILE);
        CrowdTime::from_ticks(u64::try_from(time).unwrap_or(u64::MAX))
    }

    /// The cost of a route that takes this time if no step of it reaches the bounds, rounded down; the largest cost for
    /// [`CrowdTime::NEVER`], and 0 if the pace is [still](Self::STILL).
    pub fn cost_in(self, time: CrowdTime) -> RouteCost {
        if self.is_still() || time == CrowdTime::NEVER {
            return RouteCost::from_units(if self.is_still() { 0 } else { u64::MAX });
        }
        let units = u128::from(time.ticks()) * u128::from(UNITS_PER_TILE) / u128::from(self.per_tile.ticks().max(1));
        RouteCost::from_units(u64::try_from(units).unwrap_or(u64::MAX))
    }

    /// The costs of steps that take the shortest and the longest time.
    pub(crate) fn bounds_of_cost(self) -> (RouteCost, RouteCost) {
        let longest = if self.longest.0 < Self::MAX { self.longest } else { CrowdTime::NEVER };
        (self.cost_in(self.shortest), self.cost_in(longest))
    }

    /// How long a step of this cost takes. It is rounded to an even number of 1/65536 seconds, at least two, so that
    /// half of a step is a [`CrowdTime`], too. [`CrowdTime::NEVER`] if the pace is [still](Self::STILL).
    #[inline]
    pub fn of(self, cost: RouteCost) -> CrowdTime {
        if self.is_still() {
            return CrowdTime::NEVER;
        }
        let time = self.time_of(cost).0.max(self.shortest.0).min(self.longest.0).min(Self::MAX);
        CrowdTime(((time + 1) / 2).max(1) * 2)
    }

    /// How long a step takes that has begun. A corner that is blocked meanwhile, moves that no longer have this step, or a link
    /// whose start is blocked, change nothing, and a step back from a blocked cell or over a cliff takes as long as one on open
    /// ground.
    pub fn of_step(self, costs: &CostGrid, rules: StepRules, from: Cell, to: Cell) -> CrowdTime {
        self.of(rules.cost_of_begun_step(costs, from, to).unwrap_or(EntryCost::TILE.into()))
    }
}

/// A second per tile of cost.
impl Default for Pace {
    fn default() -> Self {
        Self::new(CrowdTime::SECOND)
    }
}
