//! The table of a route's cost by terrain, and that of two routes side by side.

use std::fmt;
use std::io::{self, Write};
use std::ops::Sub;

use emberwalk::map::{CostShare, side_by_side};
use emberwalk::path::UNITS_PER_TILE;

/// Costs in thousandths of a tile, as they are printed.
pub struct RoundedCosts {
    pub total: Thousandths,
    shares: Vec<Thousandths>,
}

/// A cost that is printed with three decimals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thousandths(i128);

impl RoundedCosts {
    /// Rounds the shares so that they are exactly their total as printed. If each of them were rounded to the nearest
    /// thousandth, they could miss it by one for every two of them. So all are rounded down, and then those that lost
    /// most get a thousandth each until the total is reached.
    pub fn new(shares: &[CostShare]) -> Self {
        let units_per_tile = i128::from(UNITS_PER_TILE);
        let parts = |units: i64| {
            let scaled = i128::from(units) * 1000;
            (scaled.div_euclid(units_per_tile), scaled.rem_euclid(units_per_tile))
        };
        let (mut total, lost) = parts(shares.iter().map(|share| share.units).sum());
        // Ties to even, as numbers are formatted elsewhere.
        total += i128::from(lost * 2 > units_per_tile || (lost * 2 == units_per_tile && total % 2 != 0));
        let (mut rounded, lost): (Vec<_>, Vec<_>) = shares.iter().map(|share| parts(share.units)).unzip();
        let missing = total - rounded.iter().sum::<i128>();
        let mut order: Vec<_> = (0..shares.len()).collect();
        order.sort_by_key(|&k| -lost[k]);
        order.into_iter().zip(0..missing).for_each(|(k, _)| rounded[k] += 1);
        Self { total: Thousandths(total), shares: rounded.into_iter().map(Thousandths).collect() }
    }
}

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        f.pad(&format!("{sign}{}.{:03}", size / 1000, size % 1000))
    }
}

impl Sub for Thousandths {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

/// Prints the table.
pub fn print(out: &mut impl Write, shares: &[CostShare], rounded: &RoundedCosts) -> io::Result<()> {
    if !shares.is_empty() {
        writeln!(out, "\n{:>10}  {:>5}  terrain", "cost", "cells")?;
    }
    for (share, cost) in shares.iter().zip(&rounded.shares) {
        writeln!(out, "{cost:>10}  {:>5}  {}", share.cells, share.name)?;
    }
    Ok(())
}

/// The costs of two routes by terrain.
pub struct SideBySide {
    shares: [Vec<CostShare>; 2],
    costs: [RoundedCosts; 2],
}

impl SideBySide {
    pub fn new(one: &[CostShare], other: &[CostShare]) -> Self {
        let (one, other) = side_by_side(one, other).into_iter().map(<(_, _)>::from).unzip();
        let shares: [Vec<_>; 2] = [one, other];
        let costs = [RoundedCosts::new(&shares[0]), RoundedCosts::new(&shares[1])];
        Self { shares, costs }
    }

    /// Returns the costs of the routes, as they are printed.
    pub fn totals(&self) -> [Thousandths; 2] {
        [self.costs[0].total, self.costs[1].total]
    }

    /// Prints the table. `names` are those of the two routes.
    pub fn print(&self, out: &mut impl Write, [one, other]: [&str; 2]) -> io::Result<()> {
        let Self { shares: [shares, other_shares], costs: [costs, other_costs] } = self;
        writeln!(out, "\n{one:>10}  cells  {other:>10}  cells  difference  terrain")?;
        let rows = shares.iter().zip(other_shares).zip(costs.shares.iter().zip(&other_costs.shares));
        for ((share, other), (&cost, &other_cost)) in rows {
            let (difference, name) = (cost - other_cost, &share.name);
            writeln!(
                out,
                "{cost:>10}  {:>5}  {other_cost:>10}  {:>5}  {difference:>10}  {name}",
                share.cells, other.cells
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(units: &[i64]) -> (Vec<String>, String) {
        let share = |&units: &i64| CostShare { name: String::new(), is_influence: false, cells: 1, units };
        let rounded = RoundedCosts::new(&units.iter().map(share).collect::<Vec<_>>());
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
    fn the_total_is_rounded_as_other_numbers_are() {
        for units in (0..1 << 20).step_by(1 << 14) {
            let (_, total) = rounded(&[units]);
            assert_eq!(total, format!("{:.3}", units as f64 / f64::from(UNITS_PER_TILE)));
        }
    }
}
