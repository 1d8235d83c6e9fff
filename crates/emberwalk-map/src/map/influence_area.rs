//! The cells whose costs a terrain influences.

use super::{Area, Map};
use crate::terrain::Effect;
use emberwalk_path::grid::Cell;

/// The area in which the terrain of a cell has an influence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfluenceArea {
    /// Whether costs are divided or multiplied.
    pub effect: Effect,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
}

impl Map {
    /// The area influenced by the terrain of a cell, including the cell; `None` without an influence. If both layers
    /// have an influence, the overlay's counts.
    ///
    /// ```
    /// use emberwalk_map::{Map, border};
    /// use emberwalk_map::terrain::{Effect, Tileset};
    /// let text = r#"(name: "a", base: ["GGGGGG"], overlay: ["t....."])"#;
    /// let map = Map::parse("a.ron", text, &Tileset::load(None)?.into())?;
    /// let area = map.influence_area((0, 0).into()).unwrap();
    /// assert_eq!((area.effect, area.cells.len()), (Effect::Multiply, 3), "a tombstone reaches 2.5 cells");
    /// assert_eq!(border(&area.cells).len(), 3 + 1 + 3 + 1);
    /// assert_eq!(map.influence_area((1, 0).into()), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn influence_area(&self, cell: Cell) -> Option<InfluenceArea> {
        let tileset = self.tileset();
        let influence = self.terrains(cell).filter_map(|id| tileset.influence(id)).last()?;
        let is_reached = |near: &Cell| influence.factor_between(cell, *near).is_some();
        let near = Area::square(cell, influence.reach as i32).on_map(self.size())?;
        let cells = near.cells().filter(is_reached).collect();
        Some(InfluenceArea { effect: influence.effect, cells })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::border;
    use crate::terrain::Tileset;
    use std::collections::HashSet;

    fn map(rows: &[String]) -> Map {
        let base = vec!["G".repeat(rows[0].len()); rows.len()];
        let text = format!("(name: \"a\", base: {base:?}, overlay: {rows:?})");
        Map::parse("a.ron", &text, &Tileset::load(None).unwrap().into()).unwrap()
    }

    #[test]
    fn an_area_is_where_costs_are_different_and_its_border_is_closed() {
        for (char, effect) in [('V', Effect::Divide), ('t', Effect::Multiply)] {
            // In the middle, and near a corner of the map.
            for source in [Cell::new(6, 6), Cell::new(1, 2)] {
                let mut rows = vec![".".repeat(13); 13];
                let without = map(&rows);
                rows[source.y as usize].replace_range(source.x as usize..=source.x as usize, &char.to_string());
                let with = map(&rows);
                let area = with.influence_area(source).unwrap();
                let differs = |cell: &Cell| *cell == source || with.cost(*cell) != without.cost(*cell);
                assert_eq!(area.effect, effect);
                assert!(with.size().cells().filter(differs).eq(area.cells.iter().copied()), "{char} at {source}");
                let border: Vec<_> = border(&area.cells)
                    .into_iter()
                    .map(|ends| ends.map(|(x, y)| ((2.0 * x) as i32, (2.0 * y) as i32)))
                    .collect();
                let [begins, ends]: [HashSet<_>; 2] = [0, 1].map(|end| border.iter().map(|side| side[end]).collect());
                assert_eq!(begins, ends, "every side begins where another one ends");
            }
        }
        assert_eq!(map(&["GW.".replace('G', ".")]).influence_area(Cell::new(1, 0)), None);
    }
}
