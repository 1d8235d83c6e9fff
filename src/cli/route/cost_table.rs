//! The table of a route's cost by terrain, and the table of two routes side by side.

use std::io::{self, Write};

use emberwalk_map::{CostShare, RoundedCost, RoundedShares};

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

/// Prints the table of a route through a cell and the best route, side by side.
pub fn print_side_by_side(
    out: &mut impl Write,
    shares: &[[CostShare; 2]],
    [costs, best_costs]: &[RoundedCosts; 2],
) -> io::Result<()> {
    writeln!(out, "\n   through  cells        best  cells  difference  terrain")?;
    for ([share, best], (&cost, &best_cost)) in shares.iter().zip(costs.shares.iter().zip(&best_costs.shares)) {
        let difference = cost - best_cost;
        let (name, cells, best_cells) = (&share.name, share.cells, best.cells);
        writeln!(out, "{cost:>10}  {cells:>5}  {best_cost:>10}  {best_cells:>5}  {difference:>10}  {name}")?;
    }
    Ok(())
}
