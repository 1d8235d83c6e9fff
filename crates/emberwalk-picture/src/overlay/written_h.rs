//! h as it is written next to g and f.

use emberwalk_map::RoundedCost;
use emberwalk_path::RouteCost;

/// The h of a cell, in tiles, as it is written next to g and f. If f is the sum of g and h, the numbers also add up
/// when they are written with two decimals: h absorbs the rounding error, because it is only an estimate.
///
/// ```
/// use emberwalk_picture::overlay::written_h;
/// use emberwalk_path::{EntryCost, RouteCost};
/// let cost = |tiles: f64| RouteCost::from_units(EntryCost::from_tiles(tiles).unwrap().units().into());
/// let g = cost(3.206);
/// let h = cost(6.206);
/// let f = g + h;
/// let written = format!("{:.2} + {:.2} = {:.2}", g.tiles(), written_h(g, h, f), f.tiles());
/// assert_eq!(written, "3.21 + 6.20 = 9.41");
/// ```
pub fn written_h(g: RouteCost, h: RouteCost, f: RouteCost) -> f64 {
    let is_sum = g.units() + h.units() == f.units();
    if is_sum { (RoundedCost::<2>::from(f) - RoundedCost::from(g)).tiles().max(0.0) } else { h.tiles() }
}
