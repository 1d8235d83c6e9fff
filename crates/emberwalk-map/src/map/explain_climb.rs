//! Explains how a climb adds to the cost of a step.

use std::fmt;

use super::explain::decimals;
use super::{Map, format_number};
use emberwalk_path::StepRules;
use emberwalk_path::grid::{Cell, Direction};

/// The part of a step's cost that its climb adds. The numbers are rounded so that the written numbers add up.
///
/// Its `Display` continues the [`Explanation`](super::Explanation) of the entered cell, and reads like `climb +1 from
/// 4,5 = 2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClimbExplanation {
    /// The cell that the step leaves.
    pub from: Cell,
    /// The extra cost of a diagonal step, in tiles; 0 for a straight step.
    pub diagonal: f64,
    /// The extra cost of the climb, in tiles.
    pub climb: f64,
    /// The cost of the step, in tiles.
    pub cost: f64,
}

impl Map {
    /// Explains the climb of a step; `None` if it costs nothing, or if the step is impossible.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// use emberwalk_map::Map;
    /// use emberwalk_path::StepRules;
    /// use emberwalk_map::terrain::Tileset;
    /// let text = r#"(name: "a", base: ["GG", "GG"], overlay: ["..", ".."], heights: ["01", "11"])"#;
    /// let map = Map::parse("a.ron", text, &Tileset::load(None)?.into())?;
    /// let explain = |to: (i32, i32)| {
    ///     map.explain_climb(StepRules::default(), Cell::new(0, 0), to.into()).map(|climb| climb.to_string())
    /// };
    /// assert_eq!(explain((1, 0)).unwrap(), "climb +1 from 0,0 = 2");
    /// assert_eq!(explain((1, 1)).unwrap(), "diagonal +0.41, climb +1.42 from 0,0 = 2.83");
    /// assert_eq!(explain((0, 0)), None);
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn explain_climb(&self, rules: StepRules, from: Cell, to: Cell) -> Option<ClimbExplanation> {
        let costs = self.costs();
        let is_diagonal = rules.moves.costs_diagonal_ratio(Direction::from_offset(to - from)?);
        let entry = costs.get(to)?;
        let level = if is_diagonal { costs.diagonal().cost(entry) } else { entry.into() };
        let climbed = rules.step_cost(costs, from, to).filter(|cost| *cost != level)?;
        // With as many decimals as the entry cost, which precedes this text.
        let per_tile = 10_f64.powi(decimals(entry.tiles()) as i32);
        let [entry, level, climbed] =
            [entry.tiles(), level.tiles(), climbed.tiles()].map(|tiles| (tiles * per_tile).round_ties_even());
        let tiles = |parts: f64| parts / per_tile;
        Some(ClimbExplanation {
            from,
            diagonal: tiles(level - entry),
            climb: tiles(climbed - level),
            cost: tiles(climbed),
        })
    }
}

impl fmt::Display for ClimbExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [diagonal, climb, cost] = [self.diagonal, self.climb, self.cost].map(format_number);
        if self.diagonal > 0.0 {
            write!(f, "diagonal +{diagonal}, ")?;
        }
        write!(f, "climb +{climb} from {} = {cost}", self.from)
    }
}
