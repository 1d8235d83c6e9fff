//! Costs as they are written, with a fixed number of decimals, so that the written numbers add up.

use std::fmt;
use std::ops::{Add, Sub};

use super::CostShare;
use emberwalk_path::{RouteCost, UNITS_PER_TILE};

/// A cost as it is written with this number of decimals. The difference of two such costs is the difference that a
/// reader computes from the written numbers; in the last place it can differ by one from the exact difference.
///
/// ```
/// use emberwalk_map::RoundedCost;
/// use emberwalk_path::{RouteCost, UNITS_PER_TILE};
/// let [exact_before, exact_after] = [9.8264, 11.2352].map(|tiles| (tiles * f64::from(UNITS_PER_TILE)) as u64);
/// let [before, after] = [exact_before, exact_after].map(RouteCost::from_units).map(RoundedCost::<2>::from);
/// assert_eq!(format!("{before} to {after} ({:+})", after - before), "9.83 to 11.24 (+1.41)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoundedCost<const DECIMALS: u32>(i128);

impl<const DECIMALS: u32> RoundedCost<DECIMALS> {
    const PER_TILE: i128 = 10i128.pow(DECIMALS);

    /// Rounds a cost in units, of which one tile has [`UNITS_PER_TILE`]. Ties go to even, as in formatted numbers.
    fn of_units(units: i64) -> Self {
        let (down, lost) = Self::down(units);
        let twice = lost * 2 - i128::from(UNITS_PER_TILE);
        Self(down + i128::from(twice > 0 || twice == 0 && down % 2 != 0))
    }

    /// Rounds a cost in units down: returns the result in units of the last decimal place, and the remainder.
    fn down(units: i64) -> (i128, i128) {
        let scaled = i128::from(units) * Self::PER_TILE;
        (scaled.div_euclid(UNITS_PER_TILE.into()), scaled.rem_euclid(UNITS_PER_TILE.into()))
    }

    /// The cost in tiles.
    pub fn tiles(self) -> f64 {
        self.0 as f64 / Self::PER_TILE as f64
    }

    /// The cost without its sign.
    pub fn abs(self) -> Self {
        Self(self.0.abs())
    }
}

impl<const DECIMALS: u32> From<RouteCost> for RoundedCost<DECIMALS> {
    fn from(cost: RouteCost) -> Self {
        Self::of_units(i64::try_from(cost.units()).unwrap_or(i64::MAX))
    }
}

impl<const DECIMALS: u32> fmt::Display for RoundedCost<DECIMALS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.unsigned_abs();
        let per_tile = Self::PER_TILE.unsigned_abs();
        let sign = match self.0 {
            ..0 => "-",
            _ if f.sign_plus() => "+",
            _ => "",
        };
        let decimals = DECIMALS as usize;
        f.pad(&format!("{sign}{}.{:0decimals$}", size / per_tile, size % per_tile))
    }
}

impl<const DECIMALS: u32> Add for RoundedCost<DECIMALS> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl<const DECIMALS: u32> Sub for RoundedCost<DECIMALS> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

/// The shares of a cost and their sum, as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundedShares<const DECIMALS: u32> {
    /// The sum.
    pub total: RoundedCost<DECIMALS>,
    /// The shares. The written shares add up exactly to the written sum.
    pub shares: Vec<RoundedCost<DECIMALS>>,
}

impl<const DECIMALS: u32> RoundedShares<DECIMALS> {
    /// Rounds the shares so that they add up exactly to the written total. If each share were rounded to the nearest
    /// number, the sum could be off by one in the last place for every two shares. So all are rounded down, and then
    /// the shares that lost most are raised by one until the total is reached.
    ///
    /// ```
    /// use emberwalk_map::{CostShare, RoundedShares};
    /// let third = CostShare { name: "road".into(), is_influence: false, cells: 1, units: 87_381 };
    /// let rounded = RoundedShares::<2>::new(&[third.clone(), third.clone(), third]);
    /// assert_eq!(rounded.total.to_string(), "1.00");
    /// let written: Vec<_> = rounded.shares.iter().map(|share| share.to_string()).collect();
    /// assert_eq!(written, ["0.34", "0.33", "0.33"]);
    /// ```
    pub fn new(shares: &[CostShare]) -> Self {
        let total = RoundedCost::of_units(shares.iter().map(|share| share.units).sum());
        Self { total, shares: Self::distribute(total, &shares.iter().map(|share| share.units).collect::<Vec<_>>()) }
    }

    /// Rounds the shares of two routes, whose terrains are paired as by [`side_by_side`](super::side_by_side). A share
    /// that is the same in both is rounded in the same way, so that only differing shares have a difference.
    ///
    /// ```
    /// use emberwalk_map::{CostShare, RoundedShares};
    /// let share = |units| CostShare { name: "road".into(), is_influence: false, cells: 1, units };
    /// let third = 87_381;
    /// let pairs = [[third, third], [third, 0], [third, 2 * third]].map(|pair| pair.map(share));
    /// let written = RoundedShares::<2>::side_by_side(&pairs).map(|rounded| {
    ///     let shares: Vec<_> = rounded.shares.iter().map(|share| share.to_string()).collect();
    ///     format!("{} = {}", shares.join(" + "), rounded.total)
    /// });
    /// assert_eq!(written, ["0.33 + 0.34 + 0.33 = 1.00", "0.33 + 0.00 + 0.67 = 1.00"]);
    /// ```
    pub fn side_by_side(pairs: &[[CostShare; 2]]) -> [Self; 2] {
        let is_same = |pair: &&[CostShare; 2]| pair[0].units == pair[1].units;
        let same: Vec<_> = pairs.iter().filter(is_same).map(|pair| pair[0].units).collect();
        let total_of_same = RoundedCost::of_units(same.iter().sum());
        let same = Self::distribute(total_of_same, &same);
        [0, 1].map(|side| {
            let total = RoundedCost::of_units(pairs.iter().map(|pair| pair[side].units).sum());
            let others: Vec<_> = pairs.iter().filter(|pair| !is_same(pair)).map(|pair| pair[side].units).collect();
            let mut same = same.iter().copied();
            let mut others = Self::distribute(total - total_of_same, &others).into_iter();
            let next = |pair: &[CostShare; 2]| if is_same(&pair) { same.next() } else { others.next() };
            Self { total, shares: pairs.iter().filter_map(next).collect() }
        })
    }

    /// Rounds costs in units so that they add up to `total`, which is at most one in the last place from their sum.
    fn distribute(total: RoundedCost<DECIMALS>, units: &[i64]) -> Vec<RoundedCost<DECIMALS>> {
        let (mut rounded, lost): (Vec<_>, Vec<_>) =
            units.iter().map(|units| RoundedCost::<DECIMALS>::down(*units)).unzip();
        let missing = total.0 - rounded.iter().sum::<i128>();
        let mut order: Vec<_> = (0..units.len()).collect();
        order.sort_by_key(|&k| -lost[k]);
        order.into_iter().zip(0..missing).for_each(|(k, _)| rounded[k] += 1);
        rounded.into_iter().map(RoundedCost).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(units: &[i64]) -> (Vec<String>, String) {
        let share = |&units: &i64| CostShare { name: String::new(), is_influence: false, cells: 1, units };
        let rounded = RoundedShares::<3>::new(&units.iter().map(share).collect::<Vec<_>>());
        (rounded.shares.iter().map(ToString::to_string).collect(), rounded.total.to_string())
    }

    #[test]
    fn rounded_shares_sum_to_the_rounded_total() {
        let third = 87_381;
        assert_eq!(rounded(&[third; 3]).0, ["0.334", "0.333", "0.333"]);
        assert_eq!(rounded(&[-third, third]), (vec!["-0.333".into(), "0.333".into()], "0.000".into()));
        assert_eq!(rounded(&[]), (vec![], "0.000".into()));
        let mut random = 1u64;
        for count in 1..60 {
            let units: Vec<_> = (0..count)
                .map(|_| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (random >> 40) as i64 - (1 << 22)
                })
                .collect();
            let (shares, total) = rounded(&units);
            let thousandths = |text: &String| text.replace('.', "").parse::<i64>().unwrap();
            assert_eq!(shares.iter().map(thousandths).sum::<i64>(), thousandths(&total), "{units:?}");
            let tiles = |units: i64| units as f64 / f64::from(UNITS_PER_TILE);
            assert_eq!(total, format!("{:.3}", tiles(units.iter().sum())));
            for (share, units) in shares.iter().zip(units) {
                assert!((share.parse::<f64>().unwrap() - tiles(units)).abs() < 0.001, "{share} for {units}");
            }
        }
    }

    #[test]
    fn shares_of_two_routes_sum_to_their_totals_and_same_shares_are_rounded_in_the_same_way() {
        let share = |units| CostShare { name: String::new(), is_influence: false, cells: 1, units };
        let mut random = 7u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            random >> 40
        };
        for count in 0..200 {
            let pairs: Vec<_> = (0..count % 9)
                .map(|_| {
                    let [one, other] = [next(), next()].map(|units| units as i64 - (1 << 22));
                    [one, if next() % 2 == 0 { one } else { other }].map(share)
                })
                .collect();
            let both = RoundedShares::<3>::side_by_side(&pairs);
            for (side, RoundedShares { total, shares }) in both.iter().enumerate() {
                assert_eq!(shares.iter().copied().fold(RoundedCost::default(), Add::add), *total, "{pairs:?}");
                assert_eq!(*total, RoundedCost::of_units(pairs.iter().map(|pair| pair[side].units).sum()));
                for (share, pair) in shares.iter().zip(&pairs) {
                    assert!((share.tiles() - pair[side].tiles()).abs() < 0.001, "{pairs:?}");
                }
            }
            let [one, other] = both;
            for (pair, shares) in pairs.iter().zip(one.shares.iter().zip(&other.shares)) {
                assert!(pair[0].units != pair[1].units || shares.0 == shares.1, "{pairs:?}");
            }
        }
    }

    #[test]
    fn costs_are_rounded_as_other_numbers_are() {
        for units in (0..1 << 20).step_by(1 << 11) {
            let tiles = units as f64 / f64::from(UNITS_PER_TILE);
            assert_eq!(RoundedCost::<3>::of_units(units).to_string(), format!("{tiles:.3}"));
            assert_eq!(RoundedCost::<2>::of_units(units).to_string(), format!("{tiles:.2}"));
        }
    }

    #[test]
    fn a_sign_is_written_on_request() {
        let [one, other] = [6, 1].map(|quarters| RoundedCost::<2>::of_units(quarters * i64::from(UNITS_PER_TILE) / 4));
        assert_eq!(format!("{:+} {:+} {:>6}", one - other, other - one, (other - one).abs()), "+1.25 -1.25   1.25");
    }
}
