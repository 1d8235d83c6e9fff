//! Costs as integers: of entering a cell, of a whole route, and how much dearer a diagonal step is.

use std::fmt;
use std::iter::Sum;
use std::num::NonZeroU32;
use std::ops::Add;

/// Cost units of one tile: what entering a cell of cost 1 (grass) by a straight step costs.
///
/// It makes the dearest diagonal step (4096 tiles, twice as dear) fit `u32` with room.
pub const UNITS_PER_TILE: u32 = 1 << 18;

/// How many leading binary digits of a cost count: it is off by at most 0.006 %, and that of a diagonal step, rounded
/// once more, by 0.019 %. The sums of such numbers are multiples of a large power of two, as long as costs are not too
/// far apart, so that they can be told exactly in few bits.
const DIGITS: u32 = 13;

/// The number nearest to `units`, which has so many digits; the larger one of two. A larger number never gives a
/// smaller one.
#[inline]
const fn rounded(units: u64) -> u64 {
    let spare = (64 - units.leading_zeros()).saturating_sub(DIGITS);
    if spare == 0 { units } else { ((units >> (spare - 1)) + 1) >> 1 << spare }
}

/// A number that cannot be a cost, a diagonal ratio or a size.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CostError {
    /// The cost of entering a cell is not between [`EntryCost::MIN`] and [`EntryCost::MAX`]; NaN is not either.
    #[error("the cost of entering a cell lies between 1/256 and 4096 tiles, not at {0}")]
    Entry(f64),
    /// The diagonal ratio is not between 1 and 2.
    #[error("a diagonal step costs between 1 and 2 times as much as a straight one, not {0} times")]
    Diagonal(f64),
    /// A side of the grid is 0 or more than [`MAX_SIDE`](super::MAX_SIDE).
    #[error("a cost grid has 1 to 4096 columns and rows, not {width} x {height}")]
    Size {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
}

/// What entering a cell by a straight step costs: 1/256 to 4096 tiles, in whole units.
///
/// ```
/// use emberwalk_path::EntryCost;
/// let snow = EntryCost::from_tiles(3.0)?;
/// assert_eq!(snow.tiles(), 3.0);
/// assert!(EntryCost::from_tiles(0.0).is_err());
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryCost(NonZeroU32);

impl EntryCost {
    /// One tile, the cost of grass.
    pub const TILE: Self = Self(NonZeroU32::new(UNITS_PER_TILE).unwrap());
    /// The cheapest: 1/256 tile.
    pub const MIN: Self = Self(NonZeroU32::new(UNITS_PER_TILE / 256).unwrap());
    /// The dearest: 4096 tiles.
    pub const MAX: Self = Self(NonZeroU32::new(UNITS_PER_TILE * 4096).unwrap());

    /// The cost nearest to `tiles`.
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

    /// The cost nearest to so many units, [`UNITS_PER_TILE`] to a tile; exact for what [`units`](Self::units) gave.
    ///
    /// # Errors
    /// [`CostError::Entry`] below [`MIN`](Self::MIN) and above [`MAX`](Self::MAX).
    pub fn from_units(units: u32) -> Result<Self, CostError> {
        let cost = NonZeroU32::new(rounded(u64::from(units)) as u32).map(Self);
        cost.filter(|_| (Self::MIN.units()..=Self::MAX.units()).contains(&units))
            .ok_or(CostError::Entry(f64::from(units) / f64::from(UNITS_PER_TILE)))
    }

    /// In units.
    pub const fn units(self) -> u32 {
        self.0.get()
    }

    /// In tiles; exact.
    pub fn tiles(self) -> f64 {
        f64::from(self.units()) / f64::from(UNITS_PER_TILE)
    }

    /// From what the grid stores, where 0 is a blocked cell.
    pub(crate) fn from_stored(units: u32) -> Option<Self> {
        NonZeroU32::new(units).map(Self)
    }
}

/// The cost of a step or of a route, in units; a sum over every cell of the largest grid fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RouteCost(u64);

impl RouteCost {
    /// The cost of staying.
    pub const ZERO: Self = Self(0);

    /// So many units, [`UNITS_PER_TILE`] to a tile.
    pub const fn from_units(units: u64) -> Self {
        Self(units)
    }

    /// In units.
    pub const fn units(self) -> u64 {
        self.0
    }

    /// In tiles; exact below 2^53 units, which is 2^35 tiles.
    pub fn tiles(self) -> f64 {
        self.0 as f64 / f64::from(UNITS_PER_TILE)
    }
}

impl Add for RouteCost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for RouteCost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Add::add)
    }
}

/// In tiles, with the precision that the formatter asks for.
impl fmt::Display for RouteCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tiles().fmt(f)
    }
}

/// How many times as much a diagonal step costs as a straight one into the same cell: 1 to 2.
///
/// The cost of a diagonal step is `ratio * entry cost`, rounded as entry costs are, so that it never falls when the
/// entry cost rises and never lies below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Diagonal {
    /// The ratio times 2^32.
    scaled: u64,
}

impl Diagonal {
    /// 1.414, the game's own.
    pub const GAME: Self = Self { scaled: 6_073_083_757 };
    /// The square root of 2, that of Moving AI scenario files.
    pub const SQRT_2: Self = Self { scaled: 6_074_001_000 };
    /// 7/5; exact where the entry cost is a multiple of 5 units.
    pub const SEVEN_FIFTHS: Self = Self { scaled: 6_012_954_214 };
    /// 1: a diagonal step costs what a straight one does.
    pub const ONE: Self = Self { scaled: 1 << 32 };

    /// The ratio, kept to 2^-32.
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

    /// The ratio as a number.
    pub fn ratio(self) -> f64 {
        self.scaled as f64 / 2f64.powi(32)
    }

    /// The cost of a diagonal step where a straight one costs `units`.
    #[inline]
    pub(crate) const fn of(self, units: u32) -> u32 {
        // At most 2^30 times 2^33, and the result at most 2^31.
        rounded((units as u64 * self.scaled + (1 << 31)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_ratios_are_the_numbers_they_say() {
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
    fn steps_lie_within_a_thousandth_of_the_formula() {
        let mut tiles = 1.0 / 256.0;
        while tiles <= 4096.0 {
            let cost = EntryCost::from_tiles(tiles).unwrap();
            assert!((cost.tiles() / tiles - 1.0).abs() < 0.001, "{tiles}");
            for ratio in [1.0, 1.4, 1.414, 2f64.sqrt(), 2.0] {
                let step = f64::from(Diagonal::new(ratio).unwrap().of(cost.units())) / f64::from(UNITS_PER_TILE);
                assert!((step / (tiles * ratio) - 1.0).abs() < 0.001, "{tiles} x {ratio}");
            }
            tiles *= 1.000_37;
        }
        assert_eq!(Diagonal::new(2.0).unwrap().of(EntryCost::MAX.units()), 1 << 31);
    }

    #[test]
    fn sevens_and_fives_are_exact() {
        let five = EntryCost::from_units(5 << 16).unwrap();
        assert_eq!(Diagonal::SEVEN_FIFTHS.of(five.units()), 7 << 16);
    }

    #[test]
    fn costs_out_of_range_are_refused() {
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
