//! Opening blocked cells: their costs once opened, and the edits that open them.

use super::cost_formula::opened_tiles;
use super::{CellEdit, Layers, Map};
use crate::terrain::{Cost, Layer};
use emberwalk_path::CostGrid;
use emberwalk_path::grid::Cell;

impl Layers {
    /// The cost of entering each cell if it alone were opened. A blocked cell then costs as much as its ground, or 1
    /// tile if the ground is impassable too, under all existing influences including its own. The cost of a passable
    /// cell stays the same.
    ///
    /// [`Planner::breach`](emberwalk_path::Planner::breach) takes these costs.
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_path::{Planner, RouteQuery};
    /// use emberwalk_map::terrain::Tileset;
    /// let text = r#"(name: "a", base: ["GSG"], overlay: ["1W2"])"#;
    /// let map = Map::parse("a.ron", text, &Tileset::load(None)?.into())?;
    /// let query = RouteQuery::new(map.tent().unwrap(), map.castle().unwrap());
    /// let opened_costs = map.opened_costs();
    /// let breach = Planner::new().breach(map.costs(), &query, |cell| opened_costs.get(cell))?.unwrap();
    /// assert_eq!(breach.opened, [(1, 0).into()]);
    /// assert_eq!(breach.route.cost.tiles(), 3.0 + 1.0, "the ground under the wall is snow");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn opened_costs(&self) -> CostGrid {
        self.cost_grid(opened_tiles)
    }
}

impl Map {
    /// The edits that open all blocked cells among these: they remove the overlay, and replace impassable ground with
    /// the tileset's first passable ground. Passable cells and cells off the map need no edits.
    ///
    /// ```
    /// use emberwalk_map::Map;
    /// use emberwalk_map::terrain::Tileset;
    /// let text = r#"(name: "a", base: ["G~S"], overlay: [".WR"])"#;
    /// let mut map = Map::parse("a.ron", text, &Tileset::load(None)?.into())?;
    /// map.apply(&map.edits_to_open(&[(1, 0).into(), (2, 0).into()]))?;
    /// assert_eq!(map.explain((1, 0).into()).unwrap().to_string(), "grass 1");
    /// assert!(map.overlay_at((2, 0).into()).is_some(), "the road is passable");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edits_to_open(&self, cells: &[Cell]) -> Vec<CellEdit> {
        let tileset = self.tileset();
        let passable_ground =
            tileset.layer(Layer::Base).find(|(_, terrain)| terrain.cost != Cost::Impassable).map(|(id, _)| id);
        let blocked = cells.iter().filter(|cell| self.blocking_terrain(**cell).is_some());
        let edits = blocked.flat_map(|&cell| {
            let without_overlay = self.overlay()[cell].map(|_| CellEdit::overlay(cell, None));
            let is_impassable = tileset[self.base()[cell]].cost == Cost::Impassable;
            let ground = passable_ground.filter(|_| is_impassable).map(|id| CellEdit::base(cell, id));
            [without_overlay, ground]
        });
        edits.flatten().collect()
    }
}
