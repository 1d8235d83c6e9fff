//! Costs as integers: entry costs, route costs, and the diagonal ratio.

use std::fmt;
use std::iter::Sum;
use std::num::NonZeroU32;
use std::ops::{Add, AddAssign, Sub};

/// Cost units of one tile: the cost of a straight step into a cell of entry cost 1.
///
/// The most expensive diagonal step, twice 4096 tiles, still fits in a `u32`.
///
/// ```
/// use emberwalk_path::{EntryCost, UNITS_PER_TILE};
/// assert_eq!(EntryCost::TILE.units(), UNITS_PER_TILE);
/// ```
pub const UNITS_PER_TILE: u32 = 1 << 18;

/// The number of leading binary digits of a cost that are kept. From 1/8 tile up, a cost is off by less than 0.015 %,
/// and the cost of a diagonal step, which is rounded once more, by less than 0.03 %. For the lowest costs a whole unit
/// is a larger share: there the errors are below 0.05 % and 0.1 %. As long as costs are not too far apart, their sums
/// are multiples of a large power of two, so that they fit in few bits without loss.
const DIGITS: u32 = 13;

/// The number nearest to `units` that has at most [`DIGITS`] digits, the larger of two that are equally near.
/// Rounding keeps the order of numbers.
#[inline]
pub(crate) const fn rounded(units: u64) -> u64 {
    let spare = (64 - units.leading_zeros()).saturating_sub(DIGITS);
    if spare == 0 { units } else { ((units >> (spare - 1)) + 1) >> 1 << spare }
}

/// The minimum number of trailing zeros of every [rounded] number that is not below `units`.
pub(crate) const fn trailing_zeros_from(units: u32) -> u32 {
    (u32::BITS - units.leading_zeros()).saturating_sub(DIGITS)
}

/// A number that cannot be a cost, a diagonal ratio, a level, a part of a climb rule or a size.
///
/// ```
/// use emberwalk_path::{CostError, EntryCost};
/// assert_eq!(EntryCost::from_tiles(5000.0), Err(CostError::Entry(5000.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Clone))]
#[non_exhaustive]
pub enum CostError {
    /// The entry cost is not between [`EntryCost::MIN`] and [`EntryCost::MAX`], or is NaN.
    #[error("the cost of entering a cell must be between 1/256 and 4096 tiles, not {0}")]
    Entry(f64),
    /// The diagonal ratio is not between 1 and 2.
    #[error("a diagonal step must cost between 1 and 2 times as much as a straight one, not {0} times")]
    Diagonal(f64),
    /// The level is above 9.
    #[error("a level must be between 0 and 9, not {0}")]
    Level(u8),
    /// The climb rule has a number out of range.
    #[error(
        "a climb rule must have up and down between 0 and 10, and most between 0 and 9, not {up}, {down} and {most}"
    )]
    Climb {
        /// The factor of a level upwards.
        up: f64,
        /// The factor of a level downwards.
        down: f64,
        /// The maximum number of levels between the ends of a step.
        most: u8,
    },
    /// The route cost is negative, NaN, or too large.
    #[error("the cost of a route must be between 0 and 2^46 tiles, not {0}")]
    Route(f64),
    /// A side of the grid is 0 or more than [`MAX_SIDE`](crate::MAX_SIDE).
    #[error("a cost grid must have 1 to 4096 columns and rows, not {width} x {height}")]
    Size {
        /// The number of columns asked for.
        width: u32,
        /// The number of rows asked for.
        height: u32,
    },
}

/// The cost of entering a cell by a straight step: 1/256 to 4096 tiles, in whole units.
///
/// With the feature `serde` it is a number of units.
///
/// ```
/// use emberwalk_path::EntryCost;
/// let snow = EntryCost::from_tiles(3.0)?;
/// assert_eq!(snow.tiles(), 3.0);
/// assert!(EntryCost::from_tiles(0.0).is_err());
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(opaque, Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "u32", into = "u32"))]
pub struct EntryCost(NonZeroU32);

impl EntryCost {
    /// One tile.
    pub const TILE: Self = Self(NonZeroU32::new(UNITS_PER_TILE).unwrap());
    /// The lowest entry cost: 1/256 tile.
    pub const MIN: Self = Self(NonZeroU32::new(UNITS_PER_TILE / 256).unwrap());
    /// The highest entry cost: 4096 tiles.
    pub const MAX: Self = Self(NonZeroU32::new(UNITS_PER_TILE * 4096).unwrap());

    /// The cost nearest to `tiles`. From 1/8 tile up it is off by less than 0.015 %, and below that by less than 0.05
    /// %.
    ///
    /// # Errors
    /// [`CostError::Entry`] unless `1/256 <= tiles <= 4096`; clamping is the caller's decision.
    pub fn from_tiles(tiles: f64) -> Result<Self, CostError> {
        if (Self::MIN.tiles()..=Self::MAX.tiles()).contains(&tiles) {
            Self::from_units((tiles * f64::from(UNITS_PER_TILE)).round() as u32)
        } else {
            Err(CostError::Entry(tiles))
        }
    }

    /// The cost nearest to `units`; one tile is [`UNITS_PER_TILE`] units. Exact for the result of
    /// [`units`](Self::units).
    ///
    /// # Errors
    /// [`CostError::Entry`] below [`MIN`](Self::MIN) and above [`MAX`](Self::MAX).
    pub fn from_units(units: u32) -> Result<Self, CostError> {
        let cost = NonZeroU32::new(rounded(u64::from(units)) as u32).map(Self);
        cost.filter(|_| (Self::MIN.units()..=Self::MAX.units()).contains(&units))
            .ok_or(CostError::Entry(f64::from(units) / f64::from(UNITS_PER_TILE)))
    }

    /// The cost in units.
    pub const fn units(self) -> u32 {
        self.0.get()
    }

    /// The cost in tiles; exact.
    pub fn tiles(self) -> f64 {
        f64::from(self.units()) / f64::from(UNITS_PER_TILE)
    }

    /// The cost for a value of the grid's array, where 0 is a blocked cell.
    pub(crate) fn from_array(units: u32) -> Option<Self> {
        NonZeroU32::new(units).map(Self)
    }
}

impl TryFrom<u32> for EntryCost {
    type Error = CostError;

    fn try_from(units: u32) -> Result<Self, CostError> {
        Self::from_units(units)
    }
}

impl From<EntryCost> for u32 {
    fn from(cost: EntryCost) -> Self {
        cost.units()
    }
}

/// The cost of a step or of a route, in units. A sum over every cell of the largest grid fits.
///
/// ```
/// use emberwalk_path::{EntryCost, RouteCost};
/// let steps = [EntryCost::TILE, EntryCost::MIN].map(RouteCost::from);
/// let cost: RouteCost = steps.into_iter().sum();
/// assert_eq!(cost.tiles(), 1.0 + 1.0 / 256.0);
/// assert_eq!(format!("{cost:.3}"), "1.004");
/// let left = RouteCost::from_tiles(9.0)? - cost;
/// assert_eq!(left + cost, RouteCost::from_tiles(9.0)?);
/// assert_eq!(cost - left, RouteCost::ZERO, "there are no negative costs");
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct RouteCost(u64);

impl RouteCost {
    /// The cost of a route without steps.
    pub const ZERO: Self = Self(0);

    /// The largest number of tiles, 2^46.
    const MAX_TILES: f64 = (1u64 << 46) as f64;

    /// The cost of this many tiles, rounded to a whole unit. Unlike an entry cost it is not rounded further.
    ///
    /// # Errors
    /// [`CostError::Route`] if `tiles` is negative, NaN or at least 2^46.
    pub fn from_tiles(tiles: f64) -> Result<Self, CostError> {
        if (0.0..Self::MAX_TILES).contains(&tiles) {
            Ok(Self((tiles * f64::from(UNITS_PER_TILE)).round() as u64))
        } else {
            Err(CostError::Route(tiles))
        }
    }

    /// The cost of this many units; one tile is [`UNITS_PER_TILE`] units.
    pub const fn from_units(units: u64) -> Self {
        Self(units)
    }

    /// The cost in units.
    pub const fn units(self) -> u64 {
        self.0
    }

    /// The cost in tiles; exact below 2^53 units, which are 2^35 tiles.
    pub fn tiles(self) -> f64 {
        self.0 as f64 / f64::from(UNITS_PER_TILE)
    }
}

/// The cost of a straight step.
impl From<EntryCost> for RouteCost {
    fn from(cost: EntryCost) -> Self {
        Self(cost.units().into())
    }
}

/// Saturates at the largest cost.
impl Add for RouteCost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// Saturates at the largest cost.
impl AddAssign for RouteCost {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Saturates at 0.
impl Sub for RouteCost {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Sum for RouteCost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Add::add)
    }
}

/// Formats the cost in tiles, with the precision that the formatter asks for.
impl fmt::Display for RouteCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tiles().fmt(f)
    }
}

/// The diagonal ratio: the cost of a diagonal step divided by the cost of a straight step into the same cell, 1 to 2.
///
/// The cost of a diagonal step is `ratio * entry cost`, rounded to a whole unit and then to thirteen significant binary
/// digits, as entry costs are; halves are rounded up. It is never below the entry cost, and a higher entry cost never
/// lowers it. With the feature `serde` it is the ratio as a number.
///
/// ```
/// use emberwalk_path::Diagonal;
/// assert_eq!(Diagonal::new(2f64.sqrt())?, Diagonal::SQRT_2);
/// assert!(Diagonal::new(3.0).is_err());
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(opaque, Debug, PartialEq, Hash, Clone))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "f64", into = "f64"))]
pub struct Diagonal {
    /// The ratio times 2^32.
    scaled: u64,
}

impl Diagonal {
    /// 1.414, the ratio of the game Emberwalk.
    pub const GAME: Self = Self { scaled: 6_073_083_757 };
    /// The square root of 2, as in the scenario files of the Moving AI benchmarks.
    pub const SQRT_2: Self = Self { scaled: 6_074_001_000 };
    /// 7/5; exact where the entry cost is a multiple of 5 units.
    pub const SEVEN_FIFTHS: Self = Self { scaled: 6_012_954_214 };
    /// 1: a diagonal step costs as much as a straight one.
    pub const ONE: Self = Self { scaled: 1 << 32 };

    /// The ratio, rounded to a multiple of 2^-32.
    ///
    /// # Errors
    /// [`CostError::Diagonal`] unless `1 <= ratio <= 2`.
    pub fn new(ratio: f64) -> Result<Self, CostError> {
        if (1.0..=2.0).contains(&ratio) {
            Ok(Self { scaled: (ratio * 2f64.powi(32)).round() as u64 })
        } else {
            Err(CostError::Diagonal(ratio))
        }
    }

    /// The ratio as a number; exact.
    pub fn ratio(self) -> f64 {
        self.scaled as f64 / 2f64.powi(32)
    }

    /// The cost of a diagonal step into a cell of this entry cost, on level ground.
    /// [`StepRules::step_cost`](crate::StepRules::step_cost) is the cost of any step.
    ///
    /// ```
    /// use emberwalk_path::{Diagonal, EntryCost};
    /// assert_eq!(Diagonal::new(1.5)?.cost(EntryCost::from_tiles(2.0)?).tiles(), 3.0);
    /// # Ok::<(), emberwalk_path::CostError>(())
    /// ```
    pub fn cost(self, entry: EntryCost) -> RouteCost {
        RouteCost::from_units(self.of(entry.units()).into())
    }

    /// The ratio times 2^32.
    pub(crate) const fn scaled(self) -> u64 {
        self.scaled
    }

    /// The cost of a diagonal step into a cell of entry cost `units`, rounded to a whole unit and then to [`DIGITS`].
    #[inline]
    pub(crate) const fn of(self, units: u32) -> u32 {
        // The product is at most 2^30 times 2^33, and the result at most 2^31.
        rounded((units as u64 * self.scaled + (1 << 31)) >> 32) as u32
    }
}

impl TryFrom<f64> for Diagonal {
    type Error = CostError;

    fn try_from(ratio: f64) -> Result<Self, CostError> {
        Self::new(ratio)
    }
}

impl From<Diagonal> for f64 {
    fn from(diagonal: Diagonal) -> Self {
        diagonal.ratio()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_SIDE;
    use crate::grid::Size;

    #[test]
    fn named_ratios_have_the_documented_values() {
        let named = [(Diagonal::GAME, 1.414), (Diagonal::SQRT_2, 2f64.sqrt()), (Diagonal::SEVEN_FIFTHS, 1.4)];
        for (constant, ratio) in named {
            assert_eq!(Ok(constant), Diagonal::new(ratio));
        }
        assert_eq!(Ok(Diagonal::ONE), Diagonal::new(1.0));
        for ratio in [0.999, 2.001, f64::NAN, f64::INFINITY, -1.0] {
            assert!(matches!(Diagonal::new(ratio), Err(CostError::Diagonal(_))), "{ratio}");
        }
    }

    #[test]
    fn step_costs_are_within_a_thousandth_of_the_formula() {
        let mut tiles = 1.0 / 256.0;
        while tiles <= 4096.0 {
            let cost = EntryCost::from_tiles(tiles).unwrap();
            let (straight_error, diagonal_error) = if tiles < 0.125 { (0.0005, 0.001) } else { (0.000_15, 0.000_3) };
            assert!((cost.tiles() / tiles - 1.0).abs() < straight_error, "{tiles}");
            for ratio in [1.0, 1.4, 1.414, 2f64.sqrt(), 2.0] {
                let step = f64::from(Diagonal::new(ratio).unwrap().of(cost.units())) / f64::from(UNITS_PER_TILE);
                assert!((step / (tiles * ratio) - 1.0).abs() < diagonal_error, "{tiles} x {ratio}");
            }
            tiles *= 1.000_37;
        }
        assert_eq!(Diagonal::new(2.0).unwrap().of(EntryCost::MAX.units()), 1 << 31);
    }

    #[test]
    fn seven_fifths_is_exact_for_multiples_of_five() {
        let five = EntryCost::from_units(5 << 16).unwrap();
        assert_eq!(Diagonal::SEVEN_FIFTHS.of(five.units()), 7 << 16);
    }

    #[test]
    fn route_costs_are_made_of_tiles_in_range() {
        assert_eq!(RouteCost::from_tiles(0.0), Ok(RouteCost::ZERO));
        assert_eq!(RouteCost::from_tiles(2.5).map(RouteCost::tiles), Ok(2.5));
        let largest = Size::new(MAX_SIDE, MAX_SIDE).area() as f64 * 2.0 * 4096.0;
        assert_eq!(RouteCost::from_tiles(largest).map(RouteCost::tiles), Ok(largest));
        for tiles in [-0.1, f64::NAN, f64::INFINITY, 2f64.powi(46)] {
            assert!(matches!(RouteCost::from_tiles(tiles), Err(CostError::Route(_))), "{tiles}");
        }
    }

    #[test]
    fn costs_out_of_range_are_rejected() {
        for tiles in [0.0, -0.0, -1.0, 1.0 / 257.0, 4096.01, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-300] {
            assert!(matches!(EntryCost::from_tiles(tiles), Err(CostError::Entry(_))), "{tiles}");
        }
        for units in [0, 1023, (1 << 30) + 1, u32::MAX] {
            assert!(EntryCost::from_units(units).is_err(), "{units}");
        }
        assert_eq!(EntryCost::from_tiles(1.0 / 256.0), Ok(EntryCost::MIN));
        assert_eq!(EntryCost::from_tiles(4096.0), Ok(EntryCost::MAX));
    }
}
