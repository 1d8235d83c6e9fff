//! Levels and climbs: the height of a cell, and the cost of a step up or down.

use std::fmt;

use crate::CostError;
use crate::cost::units::{Diagonal, rounded};

/// The height of a cell, in levels: 0 to 9.
///
/// With the feature `serde` it is a number.
///
/// ```
/// use emberwalk_path::Level;
/// let top = Level::new(9)?;
/// assert_eq!((top, top.get()), (Level::MAX, 9));
/// assert!(Level::new(10).is_err());
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(opaque, Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "u8", into = "u8"))]
pub struct Level(u8);

impl Level {
    /// Level 0, on which all cells are at first.
    pub const GROUND: Self = Self(0);
    /// The highest level, 9.
    pub const MAX: Self = Self(9);
    /// The number of levels.
    pub const COUNT: usize = Self::MAX.0 as usize + 1;

    /// The level of that number.
    ///
    /// # Errors
    /// [`CostError::Level`] above 9.
    pub const fn new(level: u8) -> Result<Self, CostError> {
        if level <= Self::MAX.0 { Ok(Self(level)) } else { Err(CostError::Level(level)) }
    }

    /// The level as a number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The level for a value of a grid's array.
    pub(crate) const fn from_array(level: u8) -> Self {
        Self(level)
    }
}

impl TryFrom<u8> for Level {
    type Error = CostError;

    fn try_from(level: u8) -> Result<Self, CostError> {
        Self::new(level)
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level.get()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The climb rule: the cost of a step from one level to another, and when it is impossible.
///
/// A step over more than `most` levels is impossible, up or down: there is a cliff. Any other step costs `1 + up *
/// rise` or `1 + down * fall` times as much as on level ground. The default is `up` 1, `down` 0 and `most` 1.
///
/// The limits up and down can differ, [`with_most`](Self::with_most): of a ledge from which agents jump, but which they
/// cannot climb, or of a wall that they climb without jumping down again.
///
/// ```
/// use emberwalk_path::{ClimbRule, Level};
/// let rule = ClimbRule::new(1.0, 0.25, 2)?;
/// let [ground, ledge, top] = [Level::GROUND, Level::new(2)?, Level::new(3)?];
/// assert_eq!(rule.factor(ground, ledge), Some(3.0));
/// assert_eq!(rule.factor(ledge, ground), Some(1.5));
/// assert_eq!(rule.factor(ground, top), None, "a cliff");
///
/// let rule = rule.with_most(2, 3)?;
/// assert_eq!(rule.factor(top, ground), Some(1.75), "a ledge to jump from");
/// assert_eq!(rule.factor(ground, top), None, "and no way back");
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(opaque, Debug, PartialEq, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClimbRule {
    up: f64,
    down: f64,
    up_most: u8,
    down_most: u8,
}

impl ClimbRule {
    /// The largest `up` and `down`.
    pub const MAX_FACTOR: f64 = 10.0;

    /// The rule with these numbers.
    ///
    /// # Errors
    /// [`CostError::Climb`] unless `up` and `down` are 0 to 10 and `most` is 0 to 9.
    pub fn new(up: f64, down: f64, most: u8) -> Result<Self, CostError> {
        let is_factor = |factor: f64| (0.0..=Self::MAX_FACTOR).contains(&factor);
        if is_factor(up) && is_factor(down) && most <= Level::MAX.get() {
            // Adding 0 makes -0 positive.
            Ok(Self { up: up + 0.0, down: down + 0.0, up_most: most, down_most: most })
        } else {
            Err(CostError::Climb { up, down, most })
        }
    }

    /// The same rule with other limits: the maximum number of levels of a step up, and of a step down.
    ///
    /// # Errors
    /// [`CostError::Climb`] unless both are 0 to 9.
    pub fn with_most(self, up_most: u8, down_most: u8) -> Result<Self, CostError> {
        Self::new(self.up, self.down, up_most.max(down_most))?;
        Ok(Self { up_most, down_most, ..self })
    }

    /// How much a level upwards adds to the cost of a step, as a multiple of its cost on level ground.
    pub fn up(&self) -> f64 {
        self.up
    }

    /// How much a level downwards adds to the cost of a step, as a multiple of its cost on level ground.
    pub fn down(&self) -> f64 {
        self.down
    }

    /// The maximum number of levels of a step up.
    pub fn up_most(&self) -> u8 {
        self.up_most
    }

    /// The maximum number of levels of a step down.
    pub fn down_most(&self) -> u8 {
        self.down_most
    }

    /// Whether a step can lead from the first of these levels to the second.
    pub fn allows(&self, from: Level, to: Level) -> bool {
        self.rises().allow(from.get(), to.get())
    }

    /// The rises of possible steps.
    #[inline]
    pub(crate) fn rises(&self) -> Rises {
        Rises { up: self.up_most, down: self.down_most }
    }

    /// The factor by which a step between these levels costs more than on level ground; `None` if it is impossible.
    pub fn factor(&self, from: Level, to: Level) -> Option<f64> {
        let rise = f64::from(to.get()) - f64::from(from.get());
        self.allows(from, to).then_some(1.0 + if rise > 0.0 { self.up * rise } else { self.down * -rise })
    }
}

impl Default for ClimbRule {
    fn default() -> Self {
        Self { up: 1.0, down: 0.0, up_most: 1, down_most: 1 }
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ClimbRule {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Fields {
            up: f64,
            down: f64,
            up_most: u8,
            down_most: u8,
        }
        let Fields { up, down, up_most, down_most } = Fields::deserialize(deserializer)?;
        let rule = Self::new(up, down, up_most).and_then(|rule| rule.with_most(up_most, down_most));
        rule.map_err(serde::de::Error::custom)
    }
}

/// By how many levels steps may lead up, and down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rises {
    up: u8,
    down: u8,
}

impl Rises {
    /// Whether a step can lead from the first of these levels to the second.
    #[inline(always)]
    pub(crate) fn allow(self, from: u8, to: u8) -> bool {
        // A fall that is too deep wraps to a large number.
        to.wrapping_sub(from).wrapping_add(self.down) <= self.up + self.down
    }

    /// Whether steps can lead from each of these levels to the other.
    #[inline(always)]
    pub(crate) fn join(self, one: u8, other: u8) -> bool {
        one.abs_diff(other) <= self.up.min(self.down)
    }

    /// Whether each step has a reverse.
    #[inline(always)]
    pub(crate) fn are_symmetric(self) -> bool {
        self.up == self.down
    }

    /// The rises of the reverses of all steps.
    #[inline(always)]
    pub(crate) fn reversed(self) -> Self {
        Self { up: self.down, down: self.up }
    }
}

/// The factors of a climb rule as integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClimbCosts {
    /// The factors of straight and of diagonal steps by rise, with a rise of 0 in the middle; times 2^32.
    scaled: [[u64; 2 * Level::COUNT - 1]; 2],
}

impl ClimbCosts {
    pub(crate) fn new(rule: &ClimbRule, diagonal: Diagonal) -> Self {
        let scaled = [Diagonal::ONE, diagonal].map(|ratio| {
            std::array::from_fn(|k| {
                let (from, to) = (Level::MAX.0.saturating_sub(k as u8), (k as u8).saturating_sub(Level::MAX.0));
                let factor = rule.factor(Level(from), Level(to)).unwrap_or_default();
                (factor * ratio.scaled() as f64).round() as u64
            })
        });
        Self { scaled }
    }

    /// The cost of a step into a cell of entry cost `units` that is `rise` levels higher, rounded to a whole unit and
    /// then to thirteen significant binary digits like entry costs; on level ground it is the cost without a climb.
    #[inline(always)]
    pub(crate) fn step(&self, is_diagonal: bool, units: u32, rise: i32) -> u64 {
        let scaled = self.scaled[usize::from(is_diagonal)][(rise + i32::from(Level::MAX.0)) as usize];
        // The product is at most 2^30 times 2^40.
        rounded(((u128::from(units) * u128::from(scaled) + (1 << 31)) >> 32) as u64)
    }

    /// The factor of the most expensive climb, rounded up.
    pub(crate) fn max_factor(&self) -> u64 {
        self.scaled[0].iter().copied().max().unwrap_or_default().div_ceil(1 << 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EntryCost, UNITS_PER_TILE};

    #[test]
    fn rules_out_of_range_are_rejected() {
        for (up, down, most) in [(-0.1, 0.0, 1), (10.1, 0.0, 1), (0.0, -1.0, 1), (0.0, 1e9, 1), (1.0, 1.0, 10)] {
            assert_eq!(ClimbRule::new(up, down, most), Err(CostError::Climb { up, down, most }));
        }
        assert!(ClimbRule::new(f64::NAN, 0.0, 1).is_err() && ClimbRule::new(0.0, f64::INFINITY, 1).is_err());
        assert_eq!(ClimbRule::new(1.0, 0.0, 1), Ok(ClimbRule::default()));
        assert!(ClimbRule::default().with_most(10, 0).is_err() && ClimbRule::default().with_most(0, 10).is_err());
    }

    #[test]
    fn a_rule_allows_the_steps_within_its_limits() {
        for (up, down) in (0..=9).flat_map(|up| (0..=9).map(move |down| (up, down))) {
            let rule = ClimbRule::default().with_most(up, down).unwrap();
            for (from, to) in (0..=9).flat_map(|from| (0..=9).map(move |to| (from, to))) {
                let is_allowed = if to >= from { to - from <= up } else { from - to <= down };
                assert_eq!(rule.allows(Level(from), Level(to)), is_allowed, "{from} to {to} by {rule:?}");
                assert_eq!(rule.rises().reversed().allow(to, from), is_allowed, "{from} to {to} by {rule:?}");
                let are_joined = rule.rises().join(from, to);
                assert_eq!(are_joined, is_allowed && rule.allows(Level(to), Level(from)), "{from}, {to} by {rule:?}");
            }
        }
    }

    #[test]
    fn climbs_are_within_a_thousandth_of_the_formula() {
        for (up, down) in [(1.0, 0.0), (0.0, 10.0), (10.0, 0.3), (0.123, 0.7)] {
            let rule = ClimbRule::new(up, down, 9).unwrap();
            for ratio in [Diagonal::ONE, Diagonal::GAME, Diagonal::new(2.0).unwrap()] {
                let costs = ClimbCosts::new(&rule, ratio);
                let mut tiles = 1.0 / 256.0;
                while tiles <= 4096.0 {
                    let units = EntryCost::from_tiles(tiles).unwrap().units();
                    assert_eq!(costs.step(false, units, 0), u64::from(units));
                    assert_eq!(costs.step(true, units, 0), u64::from(ratio.of(units)));
                    for (from, to) in [(0, 9), (9, 0), (3, 4), (4, 3), (2, 7)] {
                        let factor = rule.factor(Level(from), Level(to)).unwrap();
                        for (is_diagonal, ratio) in [(false, 1.0), (true, ratio.ratio())] {
                            let cost = costs.step(is_diagonal, units, i32::from(to) - i32::from(from));
                            let error = cost as f64 / f64::from(UNITS_PER_TILE) / (tiles * ratio * factor) - 1.0;
                            assert!(error.abs() < 0.001, "{tiles} x {ratio} x {factor}: {error}");
                            assert!(cost >= costs.step(is_diagonal, units, 0));
                        }
                    }
                    tiles *= 1.037;
                }
            }
        }
    }
}
