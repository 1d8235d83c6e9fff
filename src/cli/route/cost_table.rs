//! The table of a route's cost by terrain, and the table of two routes side by side.

use std::io::{self, Write};

use emberwalk_map::{CostShare, RoundedCost, RoundedShares, side_by_side};

/// A cost with the decimals of the command line.
pub type Thousandths = RoundedCost<3>;

/// Costs by terrain with the decimals of the command line.
pub type RoundedCosts = RoundedShares<3>;

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
    shares: Vec<[CostShare; 2]>,
    costs: [RoundedCosts; 2],
}

impl SideBySide {
    pub fn new(one: &[CostShare], other: &[CostShare]) -> Self {
        let shares = side_by_side(one, other);
        let costs = RoundedCosts::side_by_side(&shares);
        Self { shares, costs }
    }

    /// The costs of the routes, as printed.
    pub fn totals(&self) -> [Thousandths; 2] {
        [self.costs[0].total, self.costs[1].total]
    }

    /// Prints the table. `names` are the names of the two routes.
    pub fn print(&self, out: &mut impl Write, [one, other]: [&str; 2]) -> io::Result<()> {
        let Self { shares, costs: [costs, other_costs] } = self;
        writeln!(out, "\n{one:>10}  cells  {other:>10}  cells  difference  terrain")?;
        let rows = shares.iter().zip(costs.shares.iter().zip(&other_costs.shares));
        for ([share, other], (&cost, &other_cost)) in rows {
            let difference = cost - other_cost;
            let name = &share.name;
            writeln!(
                out,
                "{cost:>10}  {:>5}  {other_cost:>10}  {:>5}  {difference:>10}  {name}",
                share.cells, other.cells
            )?;
        }
        Ok(())
    }
}
