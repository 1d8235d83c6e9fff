//! Explains how the cost of a cell is computed.

use std::fmt;

use super::Map;
use super::cost_formula::CostOperation;
use crate::terrain::{Terrain, TerrainId};
use emberwalk_path::grid::Cell;
use emberwalk_path::{EntryCost, QueryError};

/// How the cost of entering one cell is computed.
///
/// Its `Display` reads like `snow 3 × volcano 1/4.34 = 0.69`.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation<'a> {
    /// The factors of the cost, in the order in which they are applied: the terrains of the cell, then the influences
    /// of other cells.
    pub factors: Vec<CostFactor<'a>>,
    /// The resulting cost; `None` if the cell is blocked.
    pub cost: Option<EntryCost>,
}

/// The contribution of one terrain to the cost of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CostFactor<'a> {
    /// The terrain.
    pub terrain: TerrainId,
    /// The name of the terrain.
    pub name: &'a str,
    /// Its effect on the cost.
    pub operation: CostOperation,
    /// Whether it is an influence of another cell.
    pub is_influence: bool,
}

impl Map {
    /// Explains how the cost of entering `cell` is computed; `None` off the map.
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_map::terrain::Tileset;
    /// let text = r#"(name: "Warm", base: ["SSSS"], overlay: ["R..V"])"#;
    /// let map = Map::parse("warm.ron", text, &Tileset::load(None)?.into())?;
    /// let explanation = map.explain((0, 0).into()).unwrap().to_string();
    /// assert_eq!(explanation, "snow 3 × road 1/2 × volcano 1/4 = 0.38");
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn explain(&self, cell: Cell) -> Option<Explanation<'_>> {
        self.base().get(cell)?;
        let own = self.own_operations(cell);
        let cost = self.cost(cell);
        let influences = cost.is_some().then(|| self.influence_operations(cell)).into_iter().flatten();
        let factor = |is_influence| {
            move |(terrain, operation): (TerrainId, _)| {
                let name = &self.tileset()[terrain].name;
                CostFactor { terrain, name, operation, is_influence }
            }
        };
        Some(Explanation { factors: own.map(factor(false)).chain(influences.map(factor(true))).collect(), cost })
    }

    /// Explains why a query is invalid on this map: the terrain that blocks an endpoint, and its next opening if it has
    /// opening hours; or how large the map is.
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_path::{Planner, RouteQuery};
    /// use emberwalk_map::terrain::Tileset;
    /// let map = Map::parse("a.ron", r#"(name: "a", base: ["GG~"], overlay: ["..."])"#, &Tileset::load(None)?.into())?;
    /// let explain = |to: (i32, i32)| {
    ///     let error = Planner::new().plan(map.costs(), &RouteQuery::new((0, 0).into(), to.into())).unwrap_err();
    ///     map.explain_query_error(error)
    /// };
    /// assert_eq!(explain((2, 0)), "the goal 2,0 is blocked: water");
    /// assert_eq!(explain((0, 9)), "the goal 0,9 is not on the map, which is 3 x 1");
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn explain_query_error(&self, error: QueryError) -> String {
        match error {
            QueryError::OffTheMap { .. } => format!("{error}, which is {}", self.size()),
            QueryError::Blocked { cell, .. } => {
                let Some(terrain) = self.blocking_terrain(cell) else { return error.to_string() };
                match self.hour().zip(self.shut_terrain(cell)) {
                    Some((now, (_, opens))) => {
                        format!("{error}: the {} is shut at {now} and opens at {opens}", terrain.name)
                    }
                    None => format!("{error}: {}", terrain.name),
                }
            }
            _ => error.to_string(),
        }
    }

    /// The terrain that makes `cell` impassable; `None` if the cell is passable or off the map.
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_map::terrain::Tileset;
    /// let map = Map::parse("a.ron", r#"(name: "a", base: ["G~~"], overlay: ["..W"])"#, &Tileset::load(None)?.into())?;
    /// let names = [0, 1, 2].map(|x| map.blocking_terrain((x, 0).into()).map(|terrain| terrain.name.as_str()));
    /// assert_eq!(names, [None, Some("water"), Some("stone wall")]);
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn blocking_terrain(&self, cell: Cell) -> Option<&Terrain> {
        self.base().get(cell)?;
        let mut terrains = self.own_operations(cell);
        let (blocking, _) =
            terrains.find(|(_, operation)| matches!(operation, CostOperation::Block | CostOperation::Shut { .. }))?;
        Some(&self.tileset()[blocking])
    }
}

impl Explanation<'_> {
    /// The product of all factors, in tiles, before it is clamped to the range of costs.
    fn product(&self) -> f64 {
        self.factors.iter().fold(1.0, |tiles, factor| factor.operation.apply(tiles))
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, factor) in self.factors.iter().enumerate() {
            write!(f, "{}{factor}", if k > 0 { " × " } else { "" })?;
        }
        let Some(cost) = self.cost.filter(|_| self.factors.len() > 1) else { return Ok(()) };
        write!(f, " = {}", format_number(cost.tiles()))?;
        match self.product() {
            product if product < EntryCost::MIN.tiles() => f.write_str(", the minimum"),
            product if product > EntryCost::MAX.tiles() => f.write_str(", the maximum"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for CostFactor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        match self.operation {
            CostOperation::Block => f.write_str(", blocked"),
            CostOperation::Shut { until } => write!(f, ", shut until {until}"),
            CostOperation::Set(tiles) => write!(f, " {}", format_number(tiles)),
            CostOperation::Multiply(by) if by < 1.0 => write!(f, " 1/{}", format_number(1.0 / by)),
            CostOperation::Multiply(by) => write!(f, " {}", format_number(by)),
            CostOperation::Divide(by) => write!(f, " 1/{}", format_number(by)),
        }
    }
}

/// Formats a number for display: with two decimals, or two significant digits if it is small, and without trailing
/// zeros; with an exponent if it has more than 15 digits before the point.
///
/// ```
/// use emberwalk_map::format_number;
/// assert_eq!([3.0, 0.5, 0.7143, 0.00390625].map(format_number), ["3", "0.5", "0.71", "0.0039"]);
/// assert_eq!([999999.0, 1e308].map(format_number), ["999999", "1e308"]);
/// ```
pub fn format_number(number: f64) -> String {
    if number.abs() >= 1e15 {
        return format!("{number:e}");
    }
    let decimals = decimals(number);
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Formats a number without rounding it: with an exponent if it is very large or very small.
///
/// ```
/// use emberwalk_map::format_exactly;
/// assert_eq!([3.0, 1.125, 1e308].map(format_exactly), ["3", "1.125", "1e308"]);
/// ```
pub fn format_exactly(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The number of decimals with which a number is formatted.
pub(super) fn decimals(number: f64) -> usize {
    if number == 0.0 { 0 } else { (1.0 - number.abs().log10().floor()).clamp(2.0, 12.0) as usize }
}
