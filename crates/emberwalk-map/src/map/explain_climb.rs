//! Explains how a climb adds to the cost of a step.

use super::explain::decimals;
use super::{Map, format_number};
use emberwalk_path::StepRules;
use emberwalk_path::grid::{Cell, Direction};

impl Map {
    /// Explains the climb of a step; `None` if it costs nothing, or if the step is impossible. The text continues the
    /// [`Explanation`](super::Explanation) of the entered cell. Its numbers are rounded so that they add up.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// use emberwalk_map::Map;
    /// use emberwalk_path::StepRules;
    /// use emberwalk_map::terrain::Tileset;
    /// let text = r#"(name: "a", base: ["GG", "GG"], overlay: ["..", ".."], heights: ["01", "11"])"#;
    /// let map = Map::parse("a.ron", text, &Tileset::load(None)?.into())?;
    /// let explain = |to: (i32, i32)| map.explain_climb(StepRules::default(), Cell::new(0, 0), to.into());
    /// assert_eq!(explain((1, 0)).unwrap(), "climb +1 from 0,0 = 2");
    /// assert_eq!(explain((1, 1)).unwrap(), "diagonal +0.41, climb +1.42 from 0,0 = 2.83");
    /// assert_eq!(explain((0, 0)), None);
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn explain_climb(&self, rules: StepRules, from: Cell, to: Cell) -> Option<String> {
        let costs = self.costs();
        let is_diagonal = rules.moves.costs_diagonal_ratio(Direction::from_offset(to - from)?);
        let entry = costs.get(to)?;
        let level = if is_diagonal { costs.diagonal().cost(entry) } else { entry.into() };
        let climbed = rules.step_cost(costs, from, to).filter(|cost| *cost != level)?;
        // With as many decimals as the entry cost, which precedes this text.
        let per_tile = 10_f64.powi(decimals(entry.tiles()) as i32);
        let [entry, level, climbed] =
            [entry.tiles(), level.tiles(), climbed.tiles()].map(|tiles| (tiles * per_tile).round_ties_even());
        let [diagonal, climb, cost] =
            [level - entry, climbed - level, climbed].map(|tiles| format_number(tiles / per_tile));
        let diagonal = if level > entry { format!("diagonal +{diagonal}, ") } else { String::new() };
        Some(format!("{diagonal}climb +{climb} from {from} = {cost}"))
    }
}
